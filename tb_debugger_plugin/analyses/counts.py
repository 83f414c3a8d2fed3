"""How many elements of a tensor are infinite, NaN and so on, whatever their number."""

from __future__ import annotations

from collections.abc import Callable

from tb_debugger_plugin.events.batches import COUNT_IN_RECORD
from tb_debugger_plugin.events.tensors import Counts
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import ValueTable


def trace_counts(snapshot: Snapshot, row: int) -> Counts:
    """The counts of a trace's value; -1 for one that is not known."""
    return _counts(snapshot.traces.values, row, lambda: snapshot.read_trace_counts(row))


def execution_counts(snapshot: Snapshot, row: int, value_row: int) -> Counts:
    """The counts of one of an execution's values; -1 for one that is not known."""
    executions = snapshot.executions
    position = value_row - int(executions.value_end[row])
    return _counts(
        executions.values, value_row, lambda: snapshot.read_execution_counts(row, position)
    )


def _counts(values: ValueTable, row: int, read: Callable[[], Counts]) -> Counts:
    counts = (
        int(values.num_neg_inf[row]),
        int(values.num_pos_inf[row]),
        int(values.num_nan[row]),
        int(values.num_negative[row]),
        int(values.num_zero[row]),
        int(values.num_positive[row]),
    )
    return read() if COUNT_IN_RECORD in counts else counts
