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
    records = _Records(snapshot)
    for place, value in enumerate(found):
        if COUNT_IN_RECORD in value:
            row = int(rows[place])
            counts = records.counts(int(traces.file[row]), int(traces.offset[row]), 0)
            found[place] = _with_counts(value, counts)
    return found


def execution_values(snapshot: Snapshot, execution_rows: Int64s, value_rows: Int64s) -> list[Value]:
    """The values of executions, each with the row of the execution that it is of."""
    executions = snapshot.executions
    modes = executions.mode[execution_rows].tolist()
    found = _values(executions.values, value_rows, modes, [-1] * len(modes))
    records = _Records(snapshot)
    for place, value in enumerate(found):
        if COUNT_IN_RECORD in value:
            row = int(execution_rows[place])
            position = int(value_rows[place]) - int(executions.value_end[row])
            counts = records.counts(
                int(executions.file[row]), int(executions.offset[row]), position
            )
            found[place] = _with_counts(value, counts)
    return found


_UNKNOWN: Counts = (-1, -1, -1, -1, -1, -1)

_MOST_BYTES_READ = 1 << 22
"""Of the records that are read again for a page; counts in further ones are not known."""


class _Records:
    """Records that are read again, each once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._num_bytes_left = _MOST_BYTES_READ
        self._known: dict[tuple[int, int], list[Counts]] = {}

    def counts(self, file: int, offset: int, position: int) -> Counts:
        """The counts of one of a record's values."""
        place = file, offset
        if place not in self._known:
            found, num_bytes = self._snapshot.read_counts(file, offset, self._num_bytes_left)
            self._num_bytes_left -= num_bytes
            self._known[place] = found
        found = self._known[place]
        return found[position] if position < len(found) else _UNKNOWN


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
