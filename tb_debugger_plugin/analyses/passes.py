"""Passes of a loop: the traces of one tensor in one call, folded into the first of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.traced_tensors import TracedTensors
from tb_debugger_plugin.analyses.value_rows import Mask
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


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

    Positions are in trace order. The columns behind ``positions`` have one entry a tensor that has
    several passes: where its first pass stands, and what ``Passes`` says of it; ``first_bad`` is -1
    where none is bad.
    """

    positions: Int64s
    first: Int64s
    num_passes: Int64s
    num_bad: Int64s
    first_bad: Int64s
    last: Int64s

    def passes(self, position: int) -> Passes | None:
        """The passes that a listed trace stands for; ``None`` where it is the only one."""
        place = int(np.searchsorted(self.first, position))
        if place == len(self.first) or self.first[place] != position:
            return None
        first_bad = int(self.first_bad[place])
        return Passes(
            int(self.num_passes[place]),
            int(self.num_bad[place]),
            None if first_bad < 0 else first_bad,
            int(self.last[place]),
        )


def fold_passes(
    snapshot: Snapshot, calls: Int64s, tensors: TracedTensors, positions: Int64s | None
) -> Folding:
    """Folds traces (all of them for ``None``), given in time order.

    Traces that belong to no call are never folded.
    """
    order = snapshot.trace_order
    if positions is None:
        positions = np.arange(len(snapshot.traces), dtype=np.int64)
    rows = positions if order is None else order[positions]
    called = np.flatnonzero(calls[rows] >= 0)
    calls_of, numbers = calls[rows[called]], tensors.numbers(rows[called])
    by_tensor = np.lexsort((numbers, calls_of))
    grouped = called[by_tensor]
    is_start = np.ones(len(grouped), dtype=np.bool_)
    is_start[1:] = _changes(calls_of[by_tensor]) | _changes(numbers[by_tensor])
    starts = np.flatnonzero(is_start)
    lengths = np.diff(starts, append=len(grouped))
    listed = np.ones(len(positions), dtype=np.bool_)
    listed[grouped[~is_start]] = False
    several = lengths > 1
    starts, lengths = starts[several], lengths[several]
    bad = snapshot.traces.values.bad[rows[grouped]] == HAS_INF_NAN
    bad_places = np.append(np.flatnonzero(bad), len(grouped))
    bad_before = np.searchsorted(bad_places, starts)
    num_bad = np.searchsorted(bad_places, starts + lengths) - bad_before
    first_bad = np.append(positions[grouped], -1)[bad_places[bad_before]]
    by_place = np.argsort(grouped[starts])
    return Folding(
        positions=positions[listed],
        first=positions[grouped[starts]][by_place],
        num_passes=lengths[by_place],
        num_bad=num_bad[by_place],
        first_bad=np.where(num_bad > 0, first_bad, -1)[by_place],
        last=positions[grouped[starts + lengths - 1]][by_place],
    )


def first_pass(snapshot: Snapshot, calls: Int64s, positions: Int64s | None, position: int) -> int:
    """The position that a trace is listed at once traces are folded: that of its first pass."""
    order, traces = snapshot.trace_order, snapshot.traces
    row = position if order is None else int(order[position])
    if calls[row] < 0:
        return position
    alike = (
        (calls == calls[row])
        & (traces.op == traces.op[row])
        & (traces.output_slot == traces.output_slot[row])
    )
    rows = np.flatnonzero(alike)
    index = snapshot.trace_index_of_row
    passes = rows if index is None else np.sort(index[rows])
    if positions is not None:
        passes = np.intersect1d(passes, positions, assume_unique=True)
    return int(passes[0])


def _changes(values: npt.NDArray[Any]) -> Mask:
    changes: Mask = values[1:] != values[:-1]
    return changes
