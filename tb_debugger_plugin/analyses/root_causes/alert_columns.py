"""What is known of each alert, by its place in the list of all."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.events.batches import Float64s, Int32s, Int64s, UInt8s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot


class AlertColumns:
    """Answers for one snapshot."""

    def __init__(self, snapshot: Snapshot, alerts: AlertTable) -> None:
        self._snapshot = snapshot
        self._alerts = alerts

    @part
    def trace_rows(self) -> Int64s:
        """The rows of the traces that have an alert, in the alerts' order."""
        indices, order = self._alerts.traces[0], self._snapshot.trace_order
        return (indices if order is None else order[indices]).astype(np.int64)

    @part
    def execution_rows(self) -> Int64s:
        """The rows of the executions of values that have an alert, in the alerts' order."""
        indices, order = self._alerts.values[1], self._snapshot.execution_order
        return (indices if order is None else order[indices]).astype(np.int64)

    @part
    def op_types(self) -> Int32s:
        """The op type of each alert, as the id of a string; -1 where it is not known."""
        snapshot = self._snapshot
        types = np.full(len(self._alerts), -1, dtype=np.int32)
        if len(snapshot.ops):
            ops = snapshot.op_row[snapshot.traces.op[self.trace_rows]]
            types[self._alerts.traces[1]] = np.where(ops < 0, -1, snapshot.ops.op_type[ops])
        types[self._alerts.values[2]] = snapshot.executions.op_type[self.execution_rows]
        return types

    @part
    def dtypes(self) -> UInt8s:
        """The DataType number of each alert's tensor; 0 where it is not known."""
        dtypes = np.zeros(len(self._alerts), dtype=np.uint8)
        values, _, numbers = self._alerts.values
        dtypes[self._alerts.traces[1]] = self._snapshot.traces.values.dtype[self.trace_rows]
        dtypes[numbers] = self._snapshot.executions.values.dtype[values]
        return dtypes

    @part
    def wall_times(self) -> Float64s:
        """When each alert's event was, in seconds since the Unix epoch."""
        times = np.zeros(len(self._alerts), dtype=np.float64)
        executions = self._snapshot.executions
        times[self._alerts.traces[1]] = self._snapshot.traces.wall_time[self.trace_rows]
        times[self._alerts.values[2]] = executions.wall_time[self.execution_rows]
        return times

    @part
    def sites(self) -> Int64s:
        """A number for the op, or for the op type and code location, of each alert.

        An op in a graph is told by its ``OpKey``; eager calls by numbers below zero.
        """
        sites = np.zeros(len(self._alerts), dtype=np.int64)
        executions, rows = self._snapshot.executions, self.execution_rows
        sites[self._alerts.traces[1]] = self._snapshot.traces.op[self.trace_rows]
        num_locations = len(self._snapshot.names.locations) + 1
        eager = executions.op_type[rows].astype(np.int64) * num_locations
        eager += executions.location[rows]
        sites[self._alerts.values[2]] = -2 - eager
        return sites
