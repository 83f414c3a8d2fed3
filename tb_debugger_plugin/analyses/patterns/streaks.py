"""At how many calls in a row, up to the last one, something was true of each tensor in graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.grouping import stable_order
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.patterns.thresholds import FEWEST_CALLS, LAST_CALLS, MOST_TENSORS
from tb_debugger_plugin.analyses.time_order import Mask, Rows, blocks
from tb_debugger_plugin.events.batches import Int32s, Int64s

Test = Callable[[Rows, npt.NDArray[Any]], Mask]
"""Tells of trace rows, and the number of the tensor of each, whether they are as looked for."""


@dataclass(frozen=True)
class Streak:
    """A tensor of which the last events, one or more a call, are all as looked for.

    ``rows`` are those of these events, in time order. ``is_always``: there are no others.
    """

    tensor: int
    rows: Int64s
    num_calls: int
    is_always: bool


def find_streaks(joined: JoinedTraces, test: Test) -> Iterator[Streak]:
    """The tensors that passed a test in each of their last calls, by number.

    They are told from ``LAST_CALLS`` calls on, or ``FEWEST_CALLS`` if there are no others. Where it
    is not known which call an event belongs to, it counts as one. ``MOST_TENSORS`` are looked at.

    Args:
      joined: The traces.
      test: Asked once of each event.
    """
    tensors = joined.tensors
    last_failed = np.full(len(tensors), -1, dtype=np.int64)
    num_events = np.zeros(len(tensors), dtype=np.int64)
    for block in blocks(range(len(joined))):
        rows = joined.order.rows(block)
        numbers = tensors.numbers(rows)
        failed = np.flatnonzero(~test(rows, numbers))
        # Of several assignments to one place the last counts.
        last_failed[numbers[failed]] = failed + block.start
        num_events += np.bincount(numbers, minlength=len(tensors))
    # Which positions the streaks have; a tensor whose last event failed has none.
    positions, numbers = _positions_behind(joined, last_failed)
    order = stable_order(numbers)
    positions, numbers = positions[order], numbers[order]
    begins = np.flatnonzero(np.diff(numbers, prepend=-1))
    ends = np.append(begins[1:], len(numbers))
    for first, end in islice(zip(begins.tolist(), ends.tolist(), strict=False), MOST_TENSORS):
        tensor = int(numbers[first])
        rows = joined.order.rows(positions[first:end].astype(np.int64))
        is_always = end - first == num_events[tensor]
        num_calls = _count_calls(joined, rows)
        if num_calls >= (FEWEST_CALLS if is_always else LAST_CALLS):
            yield Streak(tensor, rows, num_calls, is_always)


def end_of_streak(joined: JoinedTraces, streak: Streak, passed: Mask) -> Streak | None:
    """The last calls of a streak that passed a stricter test; ``None`` for too few.

    Args:
      joined: The traces.
      streak: What passed the first test.
      passed: Which of the streak's rows passed the stricter one.
    """
    failed = np.flatnonzero(~passed)
    rows = streak.rows if not len(failed) else streak.rows[failed[-1] + 1 :]
    is_always = streak.is_always and not len(failed)
    num_calls = _count_calls(joined, rows)
    if num_calls < (FEWEST_CALLS if is_always else LAST_CALLS):
        return None
    return Streak(streak.tensor, rows, num_calls, is_always)


def _count_calls(joined: JoinedTraces, rows: Int64s) -> int:
    """How many calls some events belong to; one where that is not known counts as one."""
    calls = joined.calls[rows]
    known = np.sort(calls[calls >= 0])
    # NumPy's unique takes ten times as long for what is nearly in order.
    return len(calls) - int(np.count_nonzero(known[1:] == known[:-1]))


def _positions_behind(joined: JoinedTraces, last_failed: Int64s) -> tuple[Int32s, Int32s]:
    """Positions in time order behind the last failure of their tensor, and its number."""
    positions, tensors = [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.int32)]
    # A few events are no streak, whatever calls they belong to.
    lasts = np.zeros(len(last_failed), dtype=np.int64)
    for is_second_pass in (False, True):
        enough = lasts >= FEWEST_CALLS
        for block in blocks(range(len(joined))):
            numbers = joined.tensors.numbers(joined.order.rows(block))
            places = np.arange(block.start, block.stop)
            behind = places > last_failed[numbers]
            if is_second_pass:
                behind &= enough[numbers]
                positions.append(places[behind].astype(np.int32))
                tensors.append(numbers[behind].astype(np.int32))
            else:
                lasts += np.bincount(numbers[behind], minlength=len(lasts))
    return np.concatenate(positions), np.concatenate(tensors)
