"""Alerts as the events that they are of."""

from __future__ import annotations

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey


def bad_event(snapshot: Snapshot, alerts: AlertTable, number: int) -> BadEvent:
    """The event of an alert."""
    alert = alerts[number]
    if alert.trace_row is not None:
        op = OpKey(int(snapshot.traces.op[alert.trace_row]))
        return BadEvent(
            alert=number,
            op_type=snapshot.op_type(op) or "",
            op=op,
            graph=snapshot.names.graph_of(op),
            trace_row=alert.trace_row,
            execution_row=None,
            value_row=alert.value_row,
            slot=int(snapshot.traces.output_slot[alert.trace_row]),
            location=location_of_op(snapshot, op),
        )
    row = alert.execution_row
    assert row is not None
    executions = snapshot.executions
    graph = int(executions.graph[row])
    first = int(executions.value_end[row])
    num_outputs = int(executions.output_end[row + 1] - executions.output_end[row])
    is_told_apart = int(executions.value_end[row + 1]) - first == num_outputs
    return BadEvent(
        alert=number,
        op_type=snapshot.names.strings.values[executions.op_type[row]],
        op=None,
        graph=GraphKey(graph) if graph >= 0 else None,
        trace_row=None,
        execution_row=row,
        value_row=alert.value_row,
        slot=alert.value_row - first if is_told_apart else None,
        location=int(executions.location[row]),
    )


def location_of_op(snapshot: Snapshot, op: OpKey) -> int:
    """The code location that created an op; -1 if it is not on disk."""
    row = snapshot.row_of_op(op)
    return -1 if row is None else int(snapshot.ops.location[row])
