"""NaN/infinity alerts: every tensor seen to hold one, in time order."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from tb_debugger_plugin.analyses.time_order import Mask, TimeOrder
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int32s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


@dataclass(frozen=True)
class Alert:
    """One alert. Exactly one of ``execution_row`` and ``trace_row`` is set.

    ``value_row`` is a row of the execution table's or of the trace table's values.
    """

    execution_row: int | None
    trace_row: int | None
    value_row: int


class AlertTable:
    """Alerts by time; a graph execution trace comes before an execution of the same time.

    Kept are two lists in time order, of traces and of executions' values, and how they are merged:
    8 bytes an alert, and nothing for what has none.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._traces = TimeOrder.of_traces(snapshot)
        self._executions = TimeOrder.of_executions(snapshot)
        trace_rows = np.flatnonzero(snapshot.traces.values.bad == HAS_INF_NAN)
        value_rows = np.flatnonzero(snapshot.executions.values.bad == HAS_INF_NAN)
        trace_indices = self._traces.indices(trace_rows)
        ends = snapshot.executions.value_end
        execution_rows = np.searchsorted(ends, value_rows.astype(ends.dtype), side="right") - 1
        if self._executions.index_of_row is not None:
            in_time = np.argsort(self._executions.index_of_row[execution_rows], kind="stable")
            value_rows, execution_rows = value_rows[in_time], execution_rows[in_time]
        trace_times = self._traces.wall_time[self._traces.rows(trace_indices)]
        execution_times = self._executions.wall_time[execution_rows]
        self._trace_index: Int32s = trace_indices.astype(np.int32)
        self._execution_index: Int32s = self._executions.indices(execution_rows).astype(np.int32)
        self._value_row: Int32s = value_rows.astype(np.int32)
        # An execution comes behind the traces of its time.
        numbers = np.searchsorted(execution_times, trace_times, side="left")
        numbers += np.arange(len(numbers))
        self._number_of_trace: Int32s = numbers.astype(np.int32)

    def __len__(self) -> int:
        return len(self._trace_index) + len(self._value_row)

    def __getitem__(self, number: int) -> Alert:
        """The alert at a place in the list."""
        # NumPy's search would let go of the interpreter's lock: a page of alerts, fifty times.
        place = bisect_left(self._number_of_trace, number)
        if place < len(self._trace_index) and self._number_of_trace[place] == number:
            row = self._traces.row(int(self._trace_index[place]))
            return Alert(None, row, row)
        place = number - place
        row = self._executions.row(int(self._execution_index[place]))
        return Alert(row, None, int(self._value_row[place]))

    @property
    def traces(self) -> tuple[Int32s, Int32s]:
        """The indices of the traces that have an alert, ascending, and the alerts' places."""
        return self._trace_index, self._number_of_trace

    @property
    def values(self) -> tuple[Int32s, Int32s, Int32s]:
        """The executions' values that have an alert.

        Rows of the values, indices of their executions, and the alerts' places, which ascend.
        """
        of_value: Mask = np.ones(len(self), dtype=np.bool_)
        of_value[self._number_of_trace] = False
        numbers = np.flatnonzero(of_value).astype(np.int32)
        return self._value_row, self._execution_index, numbers

    def of_traces(self, indices: Int64s) -> Int64s:
        """The alert of each trace; -1 for none."""
        if not len(self._trace_index):
            return np.full(len(indices), -1, dtype=np.int64)
        places = np.searchsorted(self._trace_index, indices.astype(np.int32))
        places[places == len(self._trace_index)] = 0
        found = self._trace_index[places] == indices
        return np.where(found, self._number_of_trace[places], -1)

    def per_execution(self, indices: Int64s) -> Int64s:
        """How many values of each execution have an alert."""
        wanted = indices.astype(np.int32)
        ends = np.searchsorted(self._execution_index, wanted, side="right")
        return ends - np.searchsorted(self._execution_index, wanted)

    def executions_between(self, begins: Int64s, muted: Mask | None = None) -> Int64s:
        """How many executions with an alert there are in ``[begins[i], begins[i + 1])``.

        The last range has no end. ``begins`` is ascending and starts with 0. ``muted`` are alerts
        that do not count.
        """
        indices = self._execution_index
        if muted is not None:
            indices = indices[~muted[self.values[2]]]
        places = np.searchsorted(indices, begins.astype(np.int32)).tolist()
        # The alerts of an execution are neighbours.
        counts = [
            1 + np.count_nonzero(indices[first + 1 : last] != indices[first : last - 1])
            if first < last
            else 0
            for first, last in pairwise([*places, len(indices)])
        ]
        return np.array(counts, dtype=np.int64)

    def of_value(self, execution_index: int, value_row: int) -> int | None:
        """The alert of one of an execution's values."""
        first, last = self._places_of_execution(execution_index)
        values = self._value_row[first:last]
        place = int(np.searchsorted(values, np.int32(value_row)))
        if place == len(values) or values[place] != value_row:
            return None
        return self.around_execution(execution_index).start + place

    def around_trace(self, index: int) -> range:
        """The alerts of a trace; an empty range in its place if there is none."""
        place = int(np.searchsorted(self._trace_index, np.int32(index)))
        has_alert = place < len(self._trace_index) and self._trace_index[place] == index
        time = float(self._traces.wall_time[self._traces.row(index)])
        earlier, _ = self._places_of_execution(self._executions.place(time, "left"))
        return range(place + earlier, place + earlier + int(has_alert))

    def around_execution(self, index: int) -> range:
        """Like ``around_trace``, for an execution, of which several values may have one."""
        first, last = self._places_of_execution(index)
        time = float(self._executions.wall_time[self._executions.row(index)])
        before = np.int32(self._traces.place(time, "right"))
        earlier = int(np.searchsorted(self._trace_index, before))
        return range(earlier + first, earlier + last)

    def _places_of_execution(self, index: int) -> tuple[int, int]:
        wanted = np.int32(index)
        return (
            int(np.searchsorted(self._execution_index, wanted)),
            int(np.searchsorted(self._execution_index, wanted, side="right")),
        )
