"""Passes of a loop: the traces of one tensor in one call, folded into the first of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.calls import span_of_call
from tb_debugger_plugin.analyses.grouping import stable_order
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Rows, blocks
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int32s, Int64s


@dataclass(frozen=True)
class Passes:
    """The passes of one tensor in one call; indices are positions in trace order."""

    num_passes: int
    num_bad: int
    first_bad_index: int | None
    last_index: int


@dataclass(frozen=True)
class Folding:
    """Listed traces without those that repeat a tensor of their call.

    ``positions`` are in trace order; ``None`` for all traces. The other columns have an entry a
    tensor that has several passes, in the order of ``first``, its first pass: what ``Passes``
    says, with -1 for "none".
    """

    positions: Int32s | None
    first: Int32s
    num_passes: Int32s
    num_bad: Int32s
    first_bad: Int32s
    last: Int32s

    @property
    def nbytes(self) -> int:
        """Bytes of all columns."""
        own = (self.first, self.num_passes, self.num_bad, self.first_bad, self.last)
        listed = 0 if self.positions is None else self.positions.nbytes
        return listed + sum(column.nbytes for column in own)

    def passes(self, position: int) -> Passes | None:
        """The passes that a listed trace stands for; ``None`` where it is the only one."""
        place = int(np.searchsorted(self.first, np.int32(position)))
        if place == len(self.first) or self.first[place] != position:
            return None
        first_bad = int(self.first_bad[place])
        return Passes(
            num_passes=int(self.num_passes[place]),
            num_bad=int(self.num_bad[place]),
            first_bad_index=None if first_bad < 0 else first_bad,
            last_index=int(self.last[place]),
        )


def fold_passes(joined: JoinedTraces, positions: Int32s | None) -> Folding:
    """Folds traces (all of them for ``None``), given in time order.

    Traces that belong to no call are never folded.
    """
    listed_rows = _rows_of(joined, positions)
    num_listed = len(joined) if positions is None else len(positions)
    numbers = np.concatenate(
        [joined.tensors.numbers(listed_rows(block)) for block in blocks(range(num_listed))]
        or [np.empty(0, dtype=np.uint8)]
    )
    calls = joined.calls[listed_rows(EVERY_ROW)]
    places = _by_tensor_and_call(numbers, calls)
    numbers, calls = numbers[places], calls[places]
    repeats = np.zeros(num_listed + 1, dtype=np.bool_)
    repeats[1:-1] = (calls[1:] == calls[:-1]) & (numbers[1:] == numbers[:-1]) & (calls[1:] >= 0)
    # Of each tensor that has several passes, the first and the last one.
    firsts = np.flatnonzero(repeats[1:] & ~repeats[:-1])
    lasts = np.flatnonzero(repeats[:-1] & ~repeats[1:])
    if not len(firsts):
        none = np.empty(0, dtype=np.int32)
        return Folding(positions, none, none, none, none, none)
    bad_rows = joined.snapshot.traces.values.bad[listed_rows(EVERY_ROW)] == HAS_INF_NAN
    bad = np.flatnonzero(bad_rows[places])
    bad_before = np.searchsorted(bad, firsts)
    num_bad = np.searchsorted(bad, lasts, side="right") - bad_before
    first_bad = np.append(bad, 0)[bad_before]
    is_listed = np.ones(num_listed, dtype=np.bool_)
    is_listed[places[repeats[:-1]]] = False

    def position_of(listed: Int64s) -> Int32s:
        return listed.astype(np.int32) if positions is None else positions[listed]

    by_first = np.argsort(places[firsts])
    return Folding(
        positions=position_of(np.flatnonzero(is_listed)),
        first=position_of(places[firsts])[by_first],
        num_passes=(lasts - firsts + 1)[by_first].astype(np.int32),
        num_bad=num_bad[by_first].astype(np.int32),
        first_bad=np.where(num_bad > 0, position_of(places[first_bad]), -1)[by_first].astype(
            np.int32
        ),
        last=position_of(places[lasts])[by_first],
    )


def first_pass(joined: JoinedTraces, positions: Int32s | None, position: int) -> int:
    """Where a listed trace stands once traces are folded: at its tensor's first pass in its call.

    Args:
      joined: The traces.
      positions: Those listed, in trace order; ``None`` for all traces.
      position: One of them.
    """
    order, traces, calls = joined.order, joined.snapshot.traces, joined.calls
    row = order.row(position)
    if calls[row] < 0:
        return position
    span = span_of_call(joined.snapshot, int(calls[row]))
    if positions is None:
        passes = np.arange(span.start, span.stop)
    else:
        bounds = np.array([span.start, span.stop], dtype=np.int32)
        begin, end = np.searchsorted(positions, bounds)
        passes = positions[begin:end].astype(np.int64)
    rows = order.rows(passes)
    alike = traces.op[rows] == traces.op[row]
    alike &= traces.output_slot[rows] == traces.output_slot[row]
    alike &= calls[rows] == calls[row]
    return int(passes[np.argmax(alike)])


def _rows_of(joined: JoinedTraces, positions: Int32s | None) -> Callable[[slice], Rows]:
    """The rows of listed traces, by their places in the list."""
    if positions is None:
        return joined.order.rows
    return lambda places: joined.order.rows(positions[places])


def _by_tensor_and_call(numbers: npt.NDArray[Any], calls: Int32s) -> Int64s:
    """What brings those of one tensor in one call together, and keeps their order.

    Sorted by tensor, the calls of a tensor follow one another, unless threads run it at once.
    """
    order = stable_order(numbers)
    numbers, calls = numbers[order], calls[order]
    if not bool(np.any((calls[1:] < calls[:-1]) & (numbers[1:] == numbers[:-1]))):
        return order
    # Nearly sorted, which is what the sorting of wide integers is fast at.
    return order[np.argsort((numbers.astype(np.int64) << 32) + calls, kind="stable")]
