"""NaN/infinity alerts: every tensor seen to hold one, in time order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


@dataclass(frozen=True)
class AlertTable:
    """Alerts by time; a graph execution trace comes before an execution of the same time.

    Exactly one of ``execution_row`` and ``trace_row`` is >= 0. ``value_row`` is a row of the
    execution table's or of the trace table's values.
    """

    execution_row: Int64s
    trace_row: Int64s
    value_row: Int64s

    def __len__(self) -> int:
        return len(self.value_row)


def find_alerts(snapshot: Snapshot) -> AlertTable:
    """All alerts of a run."""
    executions, traces = snapshot.executions, snapshot.traces
    value_rows = np.flatnonzero(executions.values.bad == HAS_INF_NAN)
    execution_rows = np.searchsorted(executions.value_end, value_rows, side="right") - 1
    trace_rows = np.flatnonzero(traces.values.bad == HAS_INF_NAN)
    time = np.concatenate([traces.wall_time[trace_rows], executions.wall_time[execution_rows]])
    order = np.argsort(time, kind="stable")
    none_of_traces = np.full(len(trace_rows), -1, dtype=np.int64)
    none_of_executions = np.full(len(execution_rows), -1, dtype=np.int64)
    return AlertTable(
        execution_row=np.concatenate([none_of_traces, execution_rows])[order],
        trace_row=np.concatenate([trace_rows, none_of_executions])[order],
        value_row=np.concatenate([trace_rows, value_rows])[order],
    )


def alerts_of_trace(snapshot: Snapshot, alerts: AlertTable, row: int) -> tuple[int, int]:
    """The half-open range of the alerts of a trace; empty, but in its place, if it has none."""
    return _range(snapshot, alerts, (float(snapshot.traces.wall_time[row]), False, row))


def alerts_of_execution(snapshot: Snapshot, alerts: AlertTable, row: int) -> tuple[int, int]:
    """Like ``alerts_of_trace``, for an execution, which may have several."""
    return _range(snapshot, alerts, (float(snapshot.executions.wall_time[row]), True, row))


_Place = tuple[float, bool, int]
"""What alerts are sorted by: time, whether it is of an execution, row."""


def _range(snapshot: Snapshot, alerts: AlertTable, wanted: _Place) -> tuple[int, int]:
    def place(alert: int) -> _Place:
        trace, execution = int(alerts.trace_row[alert]), int(alerts.execution_row[alert])
        if trace >= 0:
            return float(snapshot.traces.wall_time[trace]), False, trace
        return float(snapshot.executions.wall_time[execution]), True, execution

    numbers = range(len(alerts))
    return bisect_left(numbers, wanted, key=place), bisect_right(numbers, wanted, key=place)


def positions_of_rows(rows: Int64s, num_rows: int) -> Int64s:
    """For each row the first alert on it; -1 where there is none.

    Args:
      rows: An ``AlertTable`` column, -1 where the alert is on a row of the other table.
      num_rows: How many rows the table has.
    """
    positions = np.full(num_rows, -1, dtype=np.int64)
    alerts = np.flatnonzero(rows >= 0)[::-1]
    positions[rows[alerts]] = alerts
    return positions
