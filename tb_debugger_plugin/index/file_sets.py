"""File sets: the six files that one process writes, and which of them make up a run.

``tfdbg_events.<10-digit Unix seconds>.<hostname>.<suffix>``, where the host name may have dots.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from tb_debugger_plugin.events.batches import MetadataRecord
from tb_debugger_plugin.events.reference import MetadataDecoder
from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.files.choose import file_system_of

FileKind = Literal[
    "metadata", "source_files", "stack_frames", "graphs", "execution", "graph_execution_traces"
]
FILE_KINDS: tuple[FileKind, ...] = get_args(FileKind)

PREFIX = "tfdbg_events."
_METADATA_BYTES = 1 << 16


@dataclass(frozen=True)
class FileSet:
    """One process's files. ``prefix`` is the path without the suffix and its dot."""

    directory: str
    prefix: str
    kinds: frozenset[FileKind]
    metadata: MetadataRecord | None

    def path(self, kind: FileKind) -> str:
        """Where the file of a kind is, or would be."""
        return f"{self.prefix}.{kind}"

    @property
    def run_id(self) -> str:
        """The tfdbg run id; "" where there is no readable metadata or it has none."""
        return self.metadata.run_id if self.metadata else ""

    @property
    def run_key(self) -> str:
        """What sets of one run have in common: the run id, or all of the set's name without one."""
        return self.run_id or os.path.basename(self.prefix)[len(PREFIX) :]

    def continues(self, earlier: FileSet) -> bool:
        """Whether it may be that set with files and metadata that were not there then."""
        return earlier.kinds <= self.kinds and earlier.metadata in (None, self.metadata)

    @property
    def host_name(self) -> str:
        """The host's name as the file's name gives it."""
        return printable(os.path.basename(self.prefix)[len(PREFIX) :].partition(".")[2])


def split_file_name(name: str) -> tuple[str, FileKind] | None:
    """A tfdbg file's set name and kind; ``None`` for other files.

    >>> split_file_name("tfdbg_events.1700000000.my.host.graphs")
    ('tfdbg_events.1700000000.my.host', 'graphs')
    """
    if not name.startswith(PREFIX):
        return None
    stem, _, suffix = name.rpartition(".")
    for kind in FILE_KINDS:
        if suffix == kind and len(stem) >= len(PREFIX):
            return stem, kind
    return None


def set_prefix(path: str) -> str:
    """The ``FileSet.prefix`` of one of its files."""
    return path.rpartition(".")[0]


def read_metadata(path: str) -> MetadataRecord | None:
    """The record of a metadata file; ``None`` if it holds none.

    Raises:
      OSError: The file cannot be read.
    """
    with file_system_of(path).open(path) as file:
        octets = b""
        while len(octets) < _METADATA_BYTES and (more := file.read(_METADATA_BYTES - len(octets))):
            octets += more
    records = MetadataDecoder().feed(octets).batch
    return records[0] if records else None


def _metadata_if_readable(path: str) -> MetadataRecord | None:
    try:
        return read_metadata(path)
    except OSError:
        return None


def find_file_sets(
    directory: str,
    file_names: Iterable[str],
    read: Callable[[str], MetadataRecord | None] = _metadata_if_readable,
) -> list[FileSet]:
    """The file sets among a directory's files, by start time.

    Args:
      directory: Where the files are.
      file_names: Their names, others among them or not.
      read: Reads a metadata file, by its path.
    """
    kinds: dict[str, set[FileKind]] = {}
    for name in file_names:
        split = split_file_name(name)
        if split:
            kinds.setdefault(split[0], set()).add(split[1])
    sets = []
    for stem, found in kinds.items():
        prefix = file_system_of(directory).join(directory, stem)
        metadata = read(f"{prefix}.metadata") if "metadata" in found else None
        sets.append(FileSet(directory, prefix, _shared(frozenset(found)), metadata))
    return sorted(sets, key=lambda s: (s.metadata.wall_time if s.metadata else 0.0, s.prefix))


@cache
def _shared(kinds: frozenset[FileKind]) -> frozenset[FileKind]:
    """One object for all sets of the same kinds: of ten thousand runs nearly all have all."""
    return kinds


def run_id(file_sets: Sequence[FileSet]) -> str:
    """The tfdbg run id of a run; "" where none is recorded."""
    return file_sets[0].run_id if file_sets else ""


def start_time(file_sets: Sequence[FileSet]) -> float | None:
    """When a run's debugger was enabled, in seconds since the epoch."""
    return min((s.metadata.wall_time for s in file_sets if s.metadata), default=None)


def tensorflow_version(file_sets: Sequence[FileSet]) -> str | None:
    """The TensorFlow that wrote a run."""
    versions = [s.metadata.tensorflow_version for s in file_sets if s.metadata]
    return versions[0] or None if versions else None


def host_names(file_sets: Sequence[FileSet]) -> list[str]:
    """The hosts that wrote a run, each once."""
    return sorted({file_set.host_name for file_set in file_sets})
