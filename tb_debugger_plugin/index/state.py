"""What an index knows, in a form that can be kept on disk.

Columns are arrays (``StoredColumns``); everything else is an ``IndexState``. An index that is made
of them takes neither on trust: ``BadState`` tells that they do not fit together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from tb_debugger_plugin.events.batches import StackFrameRecord
from tb_debugger_plugin.files.file_system import FileStatus
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.index.problems import ProblemState
from tb_debugger_plugin.index.tables import Frame, Graph, Source

Arrays = Mapping[str, npt.NDArray[Any]]
"""Columns by name."""


@dataclass(frozen=True)
class StoredColumns:
    """The columns of a run's tables."""

    executions: Arrays
    traces: Arrays
    ops: Arrays


class BadState(ValueError):
    """The state is not one that an index has given."""


@dataclass(frozen=True)
class NamesState:
    """``Names``: values by id."""

    strings: list[str]
    graph_ids: list[str]
    locations: list[bytes]
    shapes: list[tuple[int, ...]]
    op_refs: list[tuple[int, str]]


@dataclass(frozen=True)
class TailState:
    """How far a file was read, and what it was then.

    ``head_crc`` is the CRC32C of the file's first bytes and ``seam_crc`` of those before
    ``offset``: a file that has grown since, and is still the same there, can be read on.
    """

    offset: int
    resyncing: bool
    status: FileStatus
    head_crc: int
    seam_crc: int


@dataclass(frozen=True)
class SourceNumbersState:
    """``SourceNumbers``: sources by the numbers that frames name; ``None`` for a lost record."""

    files: list[int | None]
    num_named: int
    num_known: int
    is_broken: bool


@dataclass(frozen=True)
class SetState:
    """A ``SetReader``: its files, and what only they have a meaning for."""

    tails: dict[FileKind, TailState]
    source_numbers: SourceNumbersState | None
    waiting_frames: list[StackFrameRecord]


@dataclass(frozen=True)
class DeviceState:
    """A device of the file set at a position of the index's list."""

    file_set: int
    device_id: int
    name: str


@dataclass(frozen=True)
class IndexState:
    """A ``RunIndex`` without its columns."""

    names: NamesState
    file_sets: list[SetState]
    graphs: list[Graph]
    devices: list[DeviceState]
    sources: list[Source]
    frames: list[Frame]
    problems: list[ProblemState]
    num_problems_dropped: int
