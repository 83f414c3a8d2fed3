"""A reader's view of a run at one moment.

A snapshot never changes. What it derives it derives once, on demand; frames and files that are not
on disk yet stay unresolved until a later snapshot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events import limits, texts, wire
from tb_debugger_plugin.events.batches import Float64s, Int32s, Int64s, UInt8s
from tb_debugger_plugin.events.framing import MAX_PAYLOAD_BYTES
from tb_debugger_plugin.events.records import (
    RecordTooLarge,
    parse_code_location,
    read_record,
    source_lines,
    tensor_counts,
    trace_elements,
)
from tb_debugger_plugin.events.tensors import Counts
from tb_debugger_plugin.files.choose import file_system_of
from tb_debugger_plugin.index.file_sets import FileKind, FileSet, set_prefix
from tb_debugger_plugin.index.names import Names
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.problems import Problem
from tb_debugger_plugin.index.tables import (
    DeviceKey,
    ExecutionTable,
    Frame,
    Graph,
    GraphKey,
    OpKey,
    OpTable,
    Source,
    TraceTable,
    columns_of,
)

_MOST_NESTED = 32

_DERIVED_BYTES = 16
_MODES_AT_ONCE = 1 << 20
_SMALL_BYTES = 300
_STACK_BYTES = 1500
"""What an event's derivatives, a name and a stack take of memory, about."""


@dataclass(frozen=True)
class FileProgress:
    """How far a file is read; ``size`` is what it measured then, ``modified`` its mtime."""

    path: str
    kind: FileKind
    bytes_read: int
    size: int
    modified: float


@dataclass(frozen=True)
class Location:
    """Where an event was made: host and frames, outermost first."""

    host_name: str
    frame_ids: tuple[str, ...]


NO_LOCATION = Location("", ())


@dataclass(frozen=True)
class Snapshot:
    """The run's tables at one moment. ``is_whole``: every file was read to its end once."""

    names: Names
    executions: ExecutionTable
    traces: TraceTable
    ops: OpTable
    graphs: dict[GraphKey, Graph]
    devices: dict[DeviceKey, str]
    sources: tuple[Source, ...]
    frames: dict[str, Frame]
    file_sets: tuple[FileSet, ...]
    paths: tuple[str, ...]
    progress: tuple[FileProgress, ...]
    problems: tuple[Problem, ...]
    num_problems_dropped: int
    is_whole: bool

    @part
    def num_bytes(self) -> int:
        """About as much memory as the run takes: its columns, and what is derived of each event."""
        tables = (self.executions, self.traces, self.ops)
        columns = sum(rows.nbytes for table in tables for rows in columns_of(table).values())
        derived = _DERIVED_BYTES * (len(self.executions) + len(self.traces))
        names = self.names
        num_small = len(names.strings) + len(names.op_refs) + len(self.frames) + len(self.graphs)
        return columns + derived + _SMALL_BYTES * num_small + _STACK_BYTES * len(names.locations)

    @part
    def debug_modes(self) -> frozenset[int]:
        """The tensor debug modes, by number, that records have."""
        return _distinct(self.executions.mode) | _distinct(self.traces.mode)

    @part
    def execution_order(self) -> Int64s | None:
        """Rows of executions in time order; ``None`` where they stand in it already."""
        return _time_order(self.executions.wall_time)

    @part
    def trace_order(self) -> Int64s | None:
        """Rows of traces in time order; ``None`` where they stand in it already."""
        return _time_order(self.traces.wall_time)

    @part
    def execution_index_of_row(self) -> Int64s | None:
        """The inverse of ``execution_order``."""
        return _inverse(self.execution_order)

    @part
    def trace_index_of_row(self) -> Int64s | None:
        """The inverse of ``trace_order``."""
        return _inverse(self.trace_order)

    @part
    def host_of_file(self) -> list[str]:
        """The host that wrote each file, by file number."""
        hosts = {file_set.prefix: file_set.host_name for file_set in self.file_sets}
        return [hosts.get(set_prefix(path), "") for path in self.paths]

    def device_name(self, file: int, device_id: int) -> str | None:
        """The device that an execution of a file names by id; ``None`` if not on disk."""
        return self.devices.get(DeviceKey(set_prefix(self.paths[file]), device_id))

    @part
    def op_row(self) -> Int32s:
        """The row of ``ops`` for each ``OpKey``; -1 where the creation is not on disk."""
        rows = np.full(len(self.names.op_graph), -1, dtype=np.int32)
        # Reversed, so that of two creations of one name the first counts.
        created = self.ops.op[::-1]
        rows[created] = np.arange(len(created) - 1, -1, -1, dtype=np.int32)
        return rows

    def row_of_op(self, op: OpKey | int) -> int | None:
        """The row of an op's creation; ``None`` where it is not on disk."""
        row = int(self.op_row[op]) if op < len(self.op_row) else -1
        return None if row < 0 else row

    def op_type(self, op: OpKey | int) -> str | None:
        """An op's type; ``None`` where its creation is not on disk."""
        row = self.row_of_op(op)
        return None if row is None else self.names.strings.values[self.ops.op_type[row]]

    def find_op(self, graph: GraphKey, op_name: str) -> OpKey | None:
        """The op of that name, as recorded or as shown; its creation may not be on disk."""
        for name in (op_name, texts.clean(op_name.encode(errors="replace"))):
            found = self.names.op_refs.find((graph, name))
            if found is not None:
                return OpKey(found)
        return None

    def find_graph(self, graph_id: str) -> GraphKey | None:
        """The graph of that id, as recorded or as shown; ``None`` if no record names it."""
        for name in (graph_id, texts.clean(graph_id.encode(errors="replace"))):
            found = self.names.graph_ids.find(name)
            if found is not None:
                return GraphKey(found)
        return None

    def find_frame(self, frame_id: str) -> Frame | None:
        """The stack frame of that id, as recorded or as shown; ``None`` if it is not on disk."""
        known = self.frames.get(frame_id)
        return known or self.frames.get(texts.clean(frame_id.encode(errors="replace")))

    def graph_path(self, graph: GraphKey) -> list[GraphKey]:
        """The graph and those around it, outermost first.

        It ends where a record is missing, where graphs are around one another, and at 32:
        functions, loops and branches are not nested as deeply.
        """
        path = [graph]
        while (
            len(path) < _MOST_NESTED
            and (known := self.graphs.get(path[-1]))
            and known.outer is not None
            and known.outer not in path
        ):
            path.append(known.outer)
        return path[::-1]

    def location(self, location: int) -> Location:
        """A code location by its id; empty for -1 and for one that cannot be read."""
        if location < 0:
            return NO_LOCATION
        try:
            host_name, frame_ids = parse_code_location(self.names.locations.values[location])
        except wire.WireError:
            return NO_LOCATION
        return Location(host_name, tuple(frame_ids))

    def read_counts(self, file: int, offset: int, most_bytes: int) -> tuple[list[Counts], int]:
        """The counts of all values of a record, and its bytes: for those that fit no column.

        None where the record cannot be read again, or takes more than ``most_bytes``.
        """
        try:
            payload = self._read_record(file, offset, most_bytes)
            return (tensor_counts(payload), len(payload)) if payload else ([], 0)
        except (OSError, wire.WireError):
            return [], 0

    def read_trace_value(
        self, file: int, offset: int, most_bytes: int
    ) -> tuple[npt.NDArray[Any] | None, int]:
        """The elements that a trace's record holds in FULL_TENSOR mode, and the record's bytes.

        None where the record cannot be read again, takes more than ``most_bytes``, or holds other
        elements than numbers.
        """
        try:
            payload = self._read_record(file, offset, most_bytes)
            return (trace_elements(payload), len(payload)) if payload else (None, 0)
        except RecordTooLarge:
            return None, most_bytes
        except (OSError, wire.WireError):
            return None, 0

    def read_source_lines(self, source: Source) -> list[str]:
        """A file's text, read from disk; empty if it was not captured or is gone.

        Raises:
          OSError: The tfdbg file cannot be read, or the text is too large to be shown.

        """
        if not source.num_lines:
            return []
        payload = self._read_record(source.file, source.offset, limits.MOST_SOURCE_BYTES)
        return source_lines(payload) if payload else []

    def _read_record(
        self, file: int, offset: int, most_bytes: int = MAX_PAYLOAD_BYTES
    ) -> bytes | None:
        path = self.paths[file]
        with file_system_of(path).open(path) as opened:
            return read_record(opened, offset, most_bytes)


def _time_order(wall_time: Float64s) -> Int64s | None:
    if len(wall_time) < 2 or bool(np.all(wall_time[1:] >= wall_time[:-1])):
        return None
    return np.argsort(wall_time, kind="stable")


def _inverse(order: Int64s | None) -> Int64s | None:
    if order is None:
        return None
    inverse = np.empty(len(order), dtype=np.int64)
    inverse[order] = np.arange(len(order), dtype=np.int64)
    return inverse


def _distinct(modes: UInt8s) -> frozenset[int]:
    # A slice at a time: counting copies what it counts, eight times as wide.
    begins = range(0, len(modes), _MODES_AT_ONCE)
    counts = [np.bincount(modes[begin : begin + _MODES_AT_ONCE]) for begin in begins]
    return frozenset(mode for count in counts for mode in np.flatnonzero(count).tolist())
