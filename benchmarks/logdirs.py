"""Logdirs of any size, made of the records of real ones."""

from __future__ import annotations

import mmap
import os
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

from tb_debugger_plugin.events import _native
from tb_debugger_plugin.events.crc32c import mask
from tb_debugger_plugin.events.framing import split_records
from tb_debugger_plugin.index.file_sets import FileKind, split_file_name

EVENT_KINDS: tuple[FileKind, ...] = ("execution", "graph_execution_traces")
PIECE = 1 << 20

_WALL_TIME_TAG = 0x09
_WALL_TIME = struct.Struct("<d")
_CRC = struct.Struct("<I")


class TimedRecords:
    """The records of a file, which can be moved in time: in place, checksums included."""

    def __init__(self, content: bytes) -> None:
        self.content = bytearray(content)
        records = split_records(memoryview(self.content))
        # What a running program has begun to write only is no record yet.
        del self.content[records.consumed :]
        self._payloads = list(zip(records.starts, records.lengths, strict=True))
        assert all(self.content[start] == _WALL_TIME_TAG for start in records.starts)

    def __len__(self) -> int:
        return len(self._payloads)

    @property
    def wall_times(self) -> list[float]:
        """Seconds since the epoch, one a record."""
        return [_WALL_TIME.unpack_from(self.content, start + 1)[0] for start, _ in self._payloads]

    def move(self, seconds: float) -> None:
        """Makes all records later."""
        view = memoryview(self.content)
        for start, length in self._payloads:
            wall_time = _WALL_TIME.unpack_from(view, start + 1)[0] + seconds
            _WALL_TIME.pack_into(view, start + 1, wall_time)
            crc = mask(_native.crc32c(view[start : start + length]))
            _CRC.pack_into(view, start + length, crc)


def prolong_program(
    source: Path, target: Path, times: int, kinds: Sequence[FileKind] = EVENT_KINDS
) -> None:
    """Writes the logdir of a program that did all that it did ``times`` times in succession.

    As in a real program, time goes on from one repetition to the next, so that executions and
    graph execution traces belong to each other as they do in the source.

    Args:
      source: A real logdir with one file set.
      target: Where the new one goes; made if it is not there.
      times: How often the records of the kinds are there.
      kinds: What goes on; files of other kinds are copied.
    """
    target.mkdir(parents=True, exist_ok=True)
    prolonged: dict[str, TimedRecords] = {}
    for file in sorted(source.iterdir()):
        split = split_file_name(file.name)
        if split is not None and split[1] in kinds:
            prolonged[file.name] = TimedRecords(file.read_bytes())
        elif split is not None:
            (target / file.name).write_bytes(file.read_bytes())
    walls = [wall for records in prolonged.values() for wall in records.wall_times]
    span = max(walls) - min(walls) + 0.001 if walls else 0.0
    for name, records in prolonged.items():
        with (target / name).open("wb") as out:
            for _ in range(times):
                out.write(records.content)
                records.move(span)
            # Else the disk is still being written to while the reading is measured.
            os.fsync(out.fileno())


def count_records(logdir: Path, kind: FileKind) -> int:
    """How many records a logdir's file of a kind has; 0 if there is no such file."""
    file = find_file(logdir, kind)
    return len(split_records(memoryview(file.read_bytes())).starts) if file else 0


def find_file(logdir: Path, kind: FileKind) -> Path | None:
    """A logdir's file of a kind."""
    return next(logdir.glob(f"tfdbg_events.*.{kind}"), None)


def num_bytes(logdir: Path) -> int:
    """The size of all files."""
    return sum(file.stat().st_size for file in logdir.iterdir())


def warm(logdir: Path) -> None:
    """Reads all files once, so that what is measured later is not the disk."""
    for _ in read_pieces(logdir):
        pass


def read_pieces(logdir: Path) -> Iterator[memoryview]:
    """The bytes of all files, in pieces of one buffer; a piece is good until the next one.

    It begins at a page: into others some processors copy at a third of the speed.
    """
    buffer = mmap.mmap(-1, PIECE)
    for path in sorted(logdir.iterdir()):
        with path.open("rb", buffering=0) as file:
            while count := file.readinto(buffer):
                yield memoryview(buffer)[:count]
