"""Which kinds of files a run lacks, whole or in part: what is not there may have been in them."""

from __future__ import annotations

from collections.abc import Set

from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tb_debugger_plugin.index.problems import DAMAGE, ProblemKind
from tb_debugger_plugin.index.snapshot import Snapshot

_ABSENCE: frozenset[ProblemKind] = frozenset({"missing_file", "unreadable_file"})


def absent_files(snapshot: Snapshot) -> list[FileKind]:
    """The kinds of which a file is not there, or cannot be read."""
    return _kinds_with(snapshot, _ABSENCE)


def damaged_files(snapshot: Snapshot) -> list[FileKind]:
    """The kinds of which a file has records that cannot be read."""
    # Problems that were only counted may be anywhere.
    return list(FILE_KINDS) if snapshot.num_problems_dropped else _kinds_with(snapshot, DAMAGE)


def is_whole(snapshot: Snapshot, kind: FileKind) -> bool:
    """Whether all that was written to the files of a kind was read, their ends aside."""
    return kind not in absent_files(snapshot) and kind not in damaged_files(snapshot)


def _kinds_with(snapshot: Snapshot, problems: Set[ProblemKind]) -> list[FileKind]:
    files = {each.file for each in snapshot.problems if each.kind in problems}
    return [kind for kind in FILE_KINDS if any(file.endswith(f".{kind}") for file in files)]
