"""Tensors in graphs whose shape changes after many calls in which it did not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.observations.words import count_of
from tb_debugger_plugin.analyses.patterns.pattern import Pattern
from tb_debugger_plugin.analyses.patterns.thresholds import (
    MOST_ARGUMENTS,
    MOST_TENSORS,
    SAME_SHAPE_CALLS,
)
from tb_debugger_plugin.analyses.time_order import Rows, blocks
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.tables import OpKey

_UNKNOWN = -1
_MOST_INPUTS = 16
_MOST_CALLS = 64
_MOST_OF_CALL = 1000
"""In how many calls, and of how many tensors of each, it is looked at what else changed."""


def find_shape_changes(joined: JoinedTraces, functions: GraphFunctions) -> Iterator[Pattern]:
    """Patterns by tensor."""
    if len(joined):
        yield from _Shapes(joined, functions).patterns()


class _Shapes:
    def __init__(self, joined: JoinedTraces, functions: GraphFunctions) -> None:
        self._joined = joined
        self._snapshot = joined.snapshot
        self._functions = functions
        self._rests = self._number_rests()
        shapes = joined.snapshot.names.shapes.values
        self._heads = np.array([*(shape[0] if shape else -1 for shape in shapes), -1])
        """The first dimension by id of a shape; -1 for none."""
        self._changed: set[tuple[int, int]] = set()
        self._batch_changes: dict[tuple[int, int], set[tuple[int, int]]] = {}
        self._first_rows: Int64s = np.full(len(joined.tensors), -1, dtype=np.int64)
        """The row of each tensor's first event of known shape."""

    def patterns(self) -> Iterator[Pattern]:
        rows = self._find_changes()
        self._changed = {self._tensor(row) for row in rows}
        for row in rows:
            if self._is_first(row) and not self._is_of_batch(row):
                yield self._pattern(row)

    def _is_first(self, row: int) -> bool:
        """Whether a tensor is computed of none whose shape changed beside the first dimension."""
        inputs = self._functions.inputs(OpKey(self._tensor(row)[0]), range(_MOST_INPUTS))
        return not any((int(given.op), given.slot) in self._changed for given in inputs)

    def _find_changes(self) -> list[int]:
        """The row at which each tensor had another shape for the first time, in time order."""
        joined, tensors = self._joined, self._joined.tensors
        firsts = np.full(len(tensors), _UNKNOWN, dtype=np.int64)
        changes = np.full(len(tensors), -1, dtype=np.int64)
        for block in blocks(range(len(joined))):
            rows = joined.order.rows(block)
            numbers, shapes = tensors.numbers(rows), self._shapes(rows)
            at = np.arange(block.start, block.stop)
            known = np.flatnonzero(shapes != _UNKNOWN)
            new = known[firsts[numbers[known]] == _UNKNOWN][::-1]
            # Of several assignments to one place the last counts: here that of the first event.
            firsts[numbers[new]] = shapes[new]
            self._first_rows[numbers[new]] = np.asarray(joined.order.rows(at[new]))
            other = known[shapes[known] != firsts[numbers[known]]]
            other = other[changes[numbers[other]] < 0][::-1]
            changes[numbers[other]] = at[other]
        earliest = np.sort(changes[changes >= 0])[:MOST_TENSORS]
        changes[~np.isin(changes, earliest)] = -1
        self._count_before(changes)
        enough = np.flatnonzero(self._num_calls >= SAME_SHAPE_CALLS)
        return [joined.order.row(place) for place in np.sort(changes[enough]).tolist()]

    def _count_before(self, changes: Int64s) -> None:
        """Counts each tensor's events and calls before a position of its own, from 0 on."""
        joined = self._joined
        self._num_events = np.zeros(len(changes), dtype=np.int64)
        self._num_calls = np.zeros(len(changes), dtype=np.int64)
        num_executions = len(joined.snapshot.executions)
        pairs = [np.empty(0, dtype=np.int64)]
        for block in blocks(range(int(changes.max(initial=0)))):
            rows = joined.order.rows(block)
            numbers = joined.tensors.numbers(rows)
            before = np.arange(block.start, block.stop) < changes[numbers]
            numbers, calls = numbers[before].astype(np.int64), joined.calls[rows][before]
            self._num_events += np.bincount(numbers, minlength=len(changes))
            # An event of a call that is not known counts as one.
            self._num_calls += np.bincount(numbers[calls < 0], minlength=len(changes))
            known = calls >= 0
            pairs.append(numbers[known] * num_executions + calls[known])
        if num_executions:
            found = np.sort(np.concatenate(pairs))
            found = found[np.flatnonzero(np.diff(found, prepend=-1))] // num_executions
            self._num_calls += np.bincount(found, minlength=len(changes))

    def _shapes(self, rows: Rows) -> Int64s:
        """A number for what is known of each shape beside its first dimension."""
        values = self._snapshot.traces.values
        shape = values.shape[rows].astype(np.int64)
        rank = values.rank[rows].astype(np.int64)
        # The rank alone has a number of its own, below those of shapes.
        numbers: Int64s = np.where(shape >= 0, self._rests[shape], -2 - rank)
        return np.where((rank < 0) | ((shape < 0) & (rank == 0)), _UNKNOWN, numbers)

    def _number_rests(self) -> npt.NDArray[Any]:
        """By id of a shape: the same number for those that differ in their first dimension only."""
        numbers: dict[tuple[int, ...], int] = {}
        rests = [
            numbers.setdefault((len(shape), *shape[1:]), len(numbers))
            for shape in self._snapshot.names.shapes.values
        ]
        return np.array([*rests, _UNKNOWN], dtype=np.int64)

    def _tensor(self, row: int) -> tuple[int, int]:
        traces = self._snapshot.traces
        return int(traces.op[row]), int(traces.output_slot[row])

    def _dims(self, row: int) -> tuple[int, ...] | None:
        shape = int(self._snapshot.traces.values.shape[row])
        return None if shape < 0 else self._snapshot.names.shapes.values[shape]

    def _number(self, row: int) -> int:
        return int(self._joined.tensors.numbers(np.array([row]))[0])

    def _first_row(self, row: int) -> int:
        return int(self._first_rows[self._number(row)])

    def _is_of_batch(self, row: int) -> bool:
        """Whether the dimensions that changed did so as the first ones of what the call was given.

        That is its arguments, and what it computes of nothing that changed.
        """
        first_row = self._first_row(row)
        old, new = self._dims(first_row), self._dims(row)
        calls = int(self._joined.calls[first_row]), int(self._joined.calls[row])
        if old is None or new is None or len(old) != len(new) or min(calls) < 0:
            return False
        changes = {pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]}
        if calls not in self._batch_changes and len(self._batch_changes) < _MOST_CALLS:
            self._batch_changes[calls] = self._changes_of_arguments(*calls)
            self._batch_changes[calls] |= self._changes_within(calls[1])
        return changes <= self._batch_changes.get(calls, set())

    def _changes_of_arguments(self, first_call: int, call: int) -> set[tuple[int, int]]:
        """How the first dimensions of the arguments of two calls differ, where recorded."""
        ends = self._snapshot.executions.input_end
        found = []
        for row in (first_call, call):
            ids = self._snapshot.executions.input_tensor_id[ends[row] : ends[row + 1]]
            ids = ids[:MOST_ARGUMENTS].astype(np.int64)
            _, values = self._joined.eager_tensors.values(ids, np.full(len(ids), row))
            # The last entry stands for a value that is not known.
            shapes = np.append(self._snapshot.executions.values.shape, np.int32(-1))[values]
            found.append(self._heads[shapes])
        return _differing(*found) if len(found[0]) == len(found[1]) else set()

    def _changes_within(self, call: int) -> set[tuple[int, int]]:
        """The same for tensors of the call that change in their first dimension alone."""
        numbers, shape = self._joined.tensors.numbers, self._snapshot.traces.values.shape
        rows = np.asarray(self._joined.order.rows(self._joined.of_call(call)))
        first_rows = self._first_rows[numbers(rows)]
        rows, first_rows = rows[first_rows >= 0], first_rows[first_rows >= 0]
        olds, news = shape[first_rows], shape[rows]
        is_alone = (self._rests[olds] == self._rests[news]) & (olds != news)
        places = np.flatnonzero(is_alone)[:_MOST_OF_CALL]
        places = places[[self._is_first(row) for row in rows[places].tolist()]]
        return _differing(self._heads[olds[places]], self._heads[news[places]])

    def _pattern(self, row: int) -> Pattern:
        snapshot = self._snapshot
        op, slot = self._tensor(row)
        op_row = snapshot.row_of_op(op)
        number = self._number(row)
        calls = count_of(int(self._num_calls[number]), "call")
        old, new = self._shape_text(self._first_row(row)), self._shape_text(row)
        return Pattern(
            kind="shape_change",
            op_type=snapshot.op_type(op) or "",
            op=OpKey(op),
            graph=snapshot.names.graph_of(op),
            slot=slot,
            execution_row=None,
            trace_row=row,
            location=-1 if op_row is None else int(snapshot.ops.location[op_row]),
            evidence=f"{old} in {calls}, then {new}.",
            num_events=int(self._num_events[number]) + 1,
        )

    def _shape_text(self, row: int) -> str:
        dims = self._dims(row)
        if dims is None:
            return f"Rank {int(self._snapshot.traces.values.rank[row])}"
        return f"[{', '.join(map(str, dims))}]"


def _differing(olds: Int64s, news: Int64s) -> set[tuple[int, int]]:
    differ = (olds != news) & (olds >= 0) & (news >= 0)
    return set(zip(olds[differ].tolist(), news[differ].tolist(), strict=True))
