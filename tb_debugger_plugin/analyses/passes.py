"""Passes of a loop: the traces of one tensor in one call, folded into the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.calls import span_of_call
from tb_debugger_plugin.analyses.grouping import stable_order
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.time_order import Mask, TimeOrder
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int32s, Int64s

_PART = 1 << 18
"""Traces that are folded at a time, and as many more as the last call has."""


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
    num_listed = len(joined) if positions is None else len(positions)
    is_listed = np.ones(num_listed, dtype=np.bool_)
    found = [np.empty((5, 0), dtype=np.int32)]
    for places, calls in _whole_calls(joined, positions):
        where = places if positions is None else positions[places].astype(np.int64)
        rows = joined.order.rows(where)
        order, repeats = _repeats(joined.tensors.numbers(rows), calls)
        if repeats.any():
            is_listed[places[order[repeats]]] = False
            bad = (joined.snapshot.traces.values.bad[rows] == HAS_INF_NAN)[order]
            columns = _folded(order, repeats, bad)
            # All but the counts are places in this part, or -1.
            columns[0], columns[4] = where[columns[0]], where[columns[4]]
            columns[3] = np.where(columns[3] < 0, -1, where[columns[3]])
            found.append(columns)
    columns = np.concatenate(found, axis=1)
    if columns.size:
        if np.any(columns[0, 1:] < columns[0, :-1]):
            columns = columns[:, np.argsort(columns[0])]
        listed = np.flatnonzero(is_listed)
        positions = listed.astype(np.int32) if positions is None else positions[listed]
    return Folding(positions, *columns)


def _whole_calls(joined: JoinedTraces, positions: Int32s | None) -> Iterator[tuple[Int64s, Int32s]]:
    """The places of listed traces that have a call, and their calls, in parts of whole calls.

    A part ends with an execution; what belongs to calls that are open then goes to the next one.
    """
    index_of_row = TimeOrder.of_executions(joined.snapshot).index_of_row
    num_listed = len(joined) if positions is None else len(positions)
    begin = 0
    still_open = np.empty(0, dtype=np.int64)
    while begin < num_listed:
        end, last_execution = _end_of_part(joined, positions, begin + _PART)
        places = np.concatenate([still_open, np.arange(begin, end)])
        rows = joined.order.rows(places if positions is None else positions[places])
        calls = joined.calls[rows]
        is_open = (calls if index_of_row is None else index_of_row[calls]) > last_execution
        is_whole = (calls >= 0) & ~is_open
        still_open = places[is_open & (calls >= 0)]
        if not is_whole.all():
            places, calls = places[is_whole], calls[is_whole]
        yield places, calls
        begin = end


def _end_of_part(joined: JoinedTraces, positions: Int32s | None, least: int) -> tuple[int, int]:
    """The place behind a part that reaches at least so far, and its last execution by index."""
    executions = TimeOrder.of_executions(joined.snapshot)
    num_listed = len(joined) if positions is None else len(positions)
    the_end = num_listed, len(executions)
    if least >= num_listed:
        return the_end
    position = least if positions is None else int(positions[least])
    time = float(joined.order.wall_time[joined.order.row(position)])
    last_execution = executions.place(time, "left")
    if last_execution == len(executions):
        return the_end
    ended = float(executions.wall_time[executions.row(last_execution)])
    before = joined.order.place(ended, "right")
    end = before if positions is None else int(np.searchsorted(positions, np.int32(before)))
    return (end, last_execution) if end < num_listed else the_end


def _repeats(numbers: npt.NDArray[Any], calls: Int32s) -> tuple[Int64s, Mask]:
    """An order in which the passes of each tensor in each call stand together.

    And which of them, in that order, has another one of the same before it.
    """
    order = stable_order(numbers)
    numbers, calls = numbers[order], calls[order]
    # Sorted by tensor, the calls of each follow one another, unless threads run it at once.
    if np.any((calls[1:] < calls[:-1]) & (numbers[1:] == numbers[:-1])):
        sorting = stable_order(numbers, stable_order(calls - calls.min()))
        order, numbers, calls = order[sorting], numbers[sorting], calls[sorting]
    repeats = np.zeros(len(order), dtype=np.bool_)
    repeats[1:] = (calls[1:] == calls[:-1]) & (numbers[1:] == numbers[:-1])
    return order, repeats


def _folded(order: Int64s, repeats: Mask, bad: Mask) -> Int32s:
    """The columns of a ``Folding``, from its ``first`` on, of the traces in an order."""
    following = np.append(repeats[1:], False)
    firsts = np.flatnonzero(following & ~repeats)
    lasts = np.flatnonzero(repeats & ~following)
    bad_through = np.cumsum(bad, dtype=np.int32)
    bad_before = bad_through[firsts] - bad[firsts]
    num_bad = bad_through[lasts] - bad_before
    first_bad = np.append(order[bad], -1)[np.where(num_bad > 0, bad_before, -1)]
    columns = np.stack([order[firsts], lasts - firsts + 1, num_bad, first_bad, order[lasts]])
    # Sorted by the first one, without sorting: each has a place of its own.
    column_of = np.full(len(order), -1, dtype=np.int32)
    column_of[columns[0]] = np.arange(len(firsts), dtype=np.int32)
    return columns.take(column_of[column_of >= 0], axis=1).astype(np.int32)


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
