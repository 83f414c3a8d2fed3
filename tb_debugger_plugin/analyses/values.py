"""What is known of some tensors' values, as Python numbers: a page of them at a time."""

from __future__ import annotations

from itertools import starmap
from typing import NamedTuple

from tb_debugger_plugin.events.batches import COUNT_IN_RECORD, Int64s
from tb_debugger_plugin.events.tensors import Counts
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import ValueTable


class Value(NamedTuple):
    """A row of a ``ValueTable``, and what the debug op that wrote it knew: ``mode``, ``tensor_id``.

    -1 stands for what is not known, 0 for no dtype.
    """

    mode: int
    tensor_id: int
    dtype: int
    rank: int
    size: int
    shape: int
    bad: int
    num_neg_inf: int
    num_pos_inf: int
    num_nan: int
    num_negative: int
    num_zero: int
    num_positive: int

    @property
    def counts(self) -> Counts:
        """The six ``num_*``."""
        return self[-6:]


def trace_values(snapshot: Snapshot, rows: Int64s) -> list[Value]:
    """The values of traces, by row."""
    traces = snapshot.traces
    found = _values(
        traces.values, rows, traces.mode[rows].tolist(), traces.tensor_id[rows].tolist()
    )
    for place, value in enumerate(found):
        if COUNT_IN_RECORD in value:
            found[place] = _with_counts(value, snapshot.read_trace_counts(int(rows[place])))
    return found


def execution_values(snapshot: Snapshot, execution_rows: Int64s, value_rows: Int64s) -> list[Value]:
    """The values of executions, each with the row of the execution that it is of."""
    executions = snapshot.executions
    modes = executions.mode[execution_rows].tolist()
    found = _values(executions.values, value_rows, modes, [-1] * len(modes))
    for place, value in enumerate(found):
        if COUNT_IN_RECORD in value:
            row = int(execution_rows[place])
            position = int(value_rows[place]) - int(executions.value_end[row])
            counts = snapshot.read_execution_counts(row, position)
            found[place] = _with_counts(value, counts)
    return found


def _values(
    values: ValueTable, rows: Int64s, modes: list[int], tensor_ids: list[int]
) -> list[Value]:
    columns = (
        values.dtype,
        values.rank,
        values.size,
        values.shape,
        values.bad,
        values.num_neg_inf,
        values.num_pos_inf,
        values.num_nan,
        values.num_negative,
        values.num_zero,
        values.num_positive,
    )
    picked = (column[rows].tolist() for column in columns)
    return list(starmap(Value, zip(modes, tensor_ids, *picked, strict=True)))


def _with_counts(value: Value, counts: Counts) -> Value:
    return Value(*value[:-6], *counts)
