"""One run: its index, kept up to date, and what is derived from it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.values import execution_values, trace_values
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.index.file_sets import FileSet
from tb_debugger_plugin.index.file_tail import FileReplaced
from tb_debugger_plugin.index.run_index import RunIndex
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import (
    ExecutionIndex,
    ExecutionTable,
    OpTable,
    TraceIndex,
    TraceTable,
)
from tb_debugger_plugin.runs.moment import RunMoment, RunProblem, RunStatus


@dataclass(frozen=True)
class SourceLine:
    """A line of the user's program."""

    host_name: str
    file_path: str
    lineno: int
    function: str


@dataclass(frozen=True)
class InfNanAlert:
    """A tensor seen to hold NaN or infinity. Exactly one of the two indices is set.

    ``op_name`` and ``graph_name`` are ``None`` for an execution, ``graph_name`` for an outermost
    graph too. ``output_slot`` is ``None`` where the file does not tell which output it is. Counts
    are ``None`` where the debug mode does not record them. ``source`` is the innermost frame in
    the user's own code, ``None`` where the stack is not on disk.
    """

    wall_time: float
    op_type: str
    op_name: str | None
    graph_name: str | None
    execution_index: ExecutionIndex | None
    graph_execution_index: TraceIndex | None
    output_slot: int | None
    size: int | None
    num_neg_inf: int | None
    num_pos_inf: int | None
    num_nan: int | None
    source: SourceLine | None


class Run:
    """A tfdbg run: one run id in one directory, whatever the number of hosts that wrote it."""

    def __init__(
        self, name: str, file_sets: Sequence[FileSet], cache: IndexCache | None = None
    ) -> None:
        self.name = name
        self._cache = cache
        self._index = RunIndex(file_sets)
        self._refreshing = threading.Lock()
        self._viewing = threading.Lock()
        self._view = View(self._index.snapshot)

    @property
    def snapshot(self) -> Snapshot:
        """The run as it is indexed now."""
        return self._index.snapshot

    @property
    def view(self) -> View:
        """The current snapshot with what is derived from it; the same while nothing is new."""
        with self._viewing:
            snapshot = self._index.snapshot
            if self._view.snapshot is not snapshot:
                self._view = View(snapshot)
            return self._view

    def refresh(self) -> None:
        """Indexes all that the files have gained."""
        for _ in self.refresh_by_piece():
            pass

    def refresh_by_piece(self) -> Iterator[None]:
        """Like ``refresh``, in steps; may be left at any step and taken up again."""
        with self._refreshing:
            if self._cache and not any(p.bytes_read for p in self.snapshot.progress):
                self._index = self._cache.load(self._index.file_sets) or self._index
            try:
                yield from self._index.refresh_by_piece()
            except FileReplaced:
                self._index = RunIndex(self._index.file_sets)
                yield from self._index.refresh_by_piece()
            if self._cache:
                self._cache.store(self._index)

    def close(self) -> None:
        """Ends it: it is not to be refreshed any more. Snapshots that were taken stay whole."""
        with self._refreshing:
            self._index.close()

    def set_file_sets(self, file_sets: Sequence[FileSet]) -> None:
        """Takes notice of what the directory holds now.

        Hosts that joined are added; files and metadata of a set may appear one by one. If a set
        that was read is another one now, or gone, all is read anew: a directory may be used again.
        """
        now = {file_set.prefix: file_set for file_set in file_sets}
        known = self._index.file_sets
        if not all(s.prefix in now and now[s.prefix].continues(s) for s in known):
            self._index = RunIndex(file_sets)
        elif set(known) != set(file_sets):
            with self._refreshing:
                self._index.set_file_sets(file_sets)

    @property
    def moment(self) -> RunMoment:
        """The run as it is now, for whoever says several things of it."""
        return RunMoment(self.view, time.time())

    @property
    def status(self) -> RunStatus:
        """How far the run is read and in what state its files are."""
        return self.moment.status

    @property
    def problems(self) -> list[RunProblem]:
        """What was lost, cannot be shown or is good to know."""
        return self.moment.problems

    @property
    def num_bytes(self) -> int:
        """About as much memory as it takes."""
        return self.snapshot.num_bytes

    @property
    def run_id(self) -> str:
        """The tfdbg run id; "" where none is recorded."""
        return self.moment.run_id

    @property
    def start_time(self) -> float | None:
        """When the debugger was enabled, in seconds since the epoch."""
        return self.moment.start_time

    @property
    def tensorflow_version(self) -> str | None:
        """The TensorFlow that wrote the run."""
        return self.moment.tensorflow_version

    @property
    def hosts(self) -> list[str]:
        """Names of the hosts that wrote the run."""
        return self.moment.hosts

    @property
    def debug_modes(self) -> list[str]:
        """Names of the tensor debug modes that records have."""
        return self.moment.debug_modes

    @property
    def num_executions(self) -> int:
        """Executions of eager ops and functions."""
        return len(self.snapshot.executions)

    @property
    def num_graph_executions(self) -> int:
        """Graph execution traces."""
        return len(self.snapshot.traces)

    @property
    def executions(self) -> ExecutionTable:
        """Executions as columns."""
        return self.snapshot.executions

    @property
    def graph_executions(self) -> TraceTable:
        """Graph execution traces as columns."""
        return self.snapshot.traces

    @property
    def ops(self) -> OpTable:
        """Graph op creations as columns."""
        return self.snapshot.ops

    def alerts(self) -> list[InfNanAlert]:
        """All tensors with NaN or infinity, in time order."""
        view = self.view
        return [_alert(view, number) for number in range(len(view.alerts))]


def _alert(view: View, number: int) -> InfNanAlert:
    snapshot, alert = view.snapshot, view.alerts[number]
    value_row, trace_row, execution_row = alert.value_row, alert.trace_row, alert.execution_row
    strings = snapshot.names.strings.values
    if trace_row is not None:
        index = snapshot.trace_index_of_row
        traces = snapshot.traces
        value = trace_values(snapshot, np.array([trace_row]))[0]
        wall_time = float(traces.wall_time[trace_row])
        op = int(traces.op[trace_row])
        op_type = snapshot.op_type(op) or ""
        op_name: str | None = snapshot.names.op_name(op)
        graph = snapshot.graphs.get(snapshot.names.graph_of(op))
        row_of_op = snapshot.row_of_op(op)
        location = -1 if row_of_op is None else int(snapshot.ops.location[row_of_op])
        slot: int | None = int(traces.output_slot[trace_row])
        trace_index = TraceIndex(trace_row if index is None else int(index[trace_row]))
        execution_index = None
    else:
        assert execution_row is not None
        index = snapshot.execution_index_of_row
        executions = snapshot.executions
        value = execution_values(snapshot, np.array([execution_row]), np.array([value_row]))[0]
        wall_time = float(executions.wall_time[execution_row])
        op_type = strings[executions.op_type[execution_row]]
        op_name = None
        graph = None
        location = int(executions.location[execution_row])
        slot = view.output_slot_of_value(execution_row, value_row)
        trace_index = None
        execution_index = ExecutionIndex(
            execution_row if index is None else int(index[execution_row])
        )
    neg_inf, pos_inf, nan = (None if count < 0 else count for count in value.counts[:3])
    return InfNanAlert(
        wall_time=wall_time,
        op_type=op_type,
        op_name=op_name,
        graph_name=graph.name if graph else None,
        execution_index=execution_index,
        graph_execution_index=trace_index,
        output_slot=slot,
        size=None if value.size < 0 else value.size,
        num_neg_inf=neg_inf,
        num_pos_inf=pos_inf,
        num_nan=nan,
        source=_source_line(view, location),
    )


def _source_line(view: View, location: int) -> SourceLine | None:
    frame = view.code.innermost_user_frame(location)
    if frame is None:
        return None
    source = view.snapshot.sources[frame.source]
    return SourceLine(source.host_name, source.file_path, frame.lineno, frame.function)
