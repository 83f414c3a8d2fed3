"""Patterns in the values themselves, which only FULL_TENSOR mode records.

They are read from the files: a few tensors, at their last calls.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.patterns.pattern import Pattern, PatternKind
from tb_debugger_plugin.analyses.patterns.streaks import Streak, find_streaks
from tb_debugger_plugin.analyses.patterns.thresholds import (
    GROWTH,
    LAST_CALLS,
    LEAST_MAGNITUDE,
    MOST_BYTES_READ,
    MOST_TENSORS_READ,
    UNCHANGED_CALLS,
)
from tb_debugger_plugin.analyses.patterns.updates import is_read, is_read_and_updated
from tb_debugger_plugin.analyses.patterns.zeros import FLOATS
from tb_debugger_plugin.analyses.time_order import Mask, Rows
from tb_debugger_plugin.events import debug_modes, dtypes
from tb_debugger_plugin.events.batches import FINITE, Int64s
from tb_debugger_plugin.index.tables import OpKey

_LARGEST = {1: 3.4e38, 2: 1.8e308, 14: 3.4e38, 19: 65504.0}
_MOST_INPUTS = 16
"""Of an op that are looked at."""


def find_in_values(joined: JoinedTraces, functions: GraphFunctions) -> list[Pattern]:
    """Patterns of the two kinds that values show."""
    modes = joined.snapshot.traces.mode
    if not np.any(modes == debug_modes.FULL_TENSOR):
        return []
    return list(_Values(joined, functions).patterns())


class _Values:
    def __init__(self, joined: JoinedTraces, functions: GraphFunctions) -> None:
        self._joined = joined
        self._snapshot = joined.snapshot
        self._functions = functions
        self._num_bytes_left = MOST_BYTES_READ

    def patterns(self) -> Iterator[Pattern]:
        growing: dict[tuple[int, int], tuple[int, list[float]]] = {}
        for streak in self._chosen():
            values = self._last_values(streak)
            if values is None:
                break
            row = int(streak.rows[-1])
            op = OpKey(int(self._snapshot.traces.op[row]))
            is_long = len(values) >= UNCHANGED_CALLS
            if is_long and _are_same(values):
                if is_read_and_updated(self._snapshot, self._functions, op):
                    yield self._pattern("unchanged", row, len(values), _unchanged_words(values))
            elif len(values) >= LAST_CALLS and _grow(magnitudes := _magnitudes(values)):
                slot = int(self._snapshot.traces.output_slot[row])
                growing[op, slot] = row, magnitudes
        for (number, _), (row, magnitudes) in growing.items():
            # What is computed from something that grows does so too.
            inputs = self._functions.inputs(OpKey(number), range(_MOST_INPUTS))
            if not any((given.op, given.slot) in growing for given in inputs):
                dtype = int(self._snapshot.traces.values.dtype[row])
                words = _growth_words(magnitudes, dtype)
                yield self._pattern("magnitude_growth", row, len(magnitudes), words)

    def _chosen(self) -> list[Streak]:
        """The tensors of which values are read: variables first, then by order of creation."""
        tensors = self._joined.tensors
        streaks = find_streaks(self._joined, self._are_known)
        enough = [streak for streak in streaks if streak.num_calls >= LAST_CALLS]
        is_variable = {
            streak.tensor: is_read(self._snapshot, OpKey(int(tensors.op[streak.tensor])))
            for streak in enough
        }
        enough.sort(key=lambda streak: not is_variable[streak.tensor])
        return enough[:MOST_TENSORS_READ]

    def _are_known(self, rows: Rows, _: npt.NDArray[Any]) -> Mask:
        values, modes = self._snapshot.traces.values, self._snapshot.traces.mode
        are_known: Mask = (modes[rows] == debug_modes.FULL_TENSOR) & (values.size[rows] > 0)
        are_known &= (values.bad[rows] == FINITE) & np.isin(values.dtype[rows], FLOATS)
        return are_known

    def _last_values(self, streak: Streak) -> list[npt.NDArray[Any]] | None:
        """The last value in each of the last calls; ``None`` once enough was read."""
        calls = self._joined.calls[streak.rows]
        is_last: Mask = np.append(calls[1:] != calls[:-1], True) | (calls < 0)
        rows: Int64s = streak.rows[is_last][-max(LAST_CALLS, UNCHANGED_CALLS) :]
        found = []
        for row in rows.tolist():
            traces = self._snapshot.traces
            file, offset = int(traces.file[row]), int(traces.offset[row])
            value, num_bytes = self._snapshot.read_trace_value(file, offset, self._num_bytes_left)
            self._num_bytes_left -= num_bytes
            if value is None:
                return None if self._num_bytes_left <= 0 else []
            found.append(value)
        return found

    def _pattern(self, kind: PatternKind, row: int, num_events: int, evidence: str) -> Pattern:
        snapshot = self._snapshot
        op = OpKey(int(snapshot.traces.op[row]))
        op_row = snapshot.row_of_op(op)
        return Pattern(
            kind=kind,
            op_type=snapshot.op_type(op) or "",
            op=op,
            graph=snapshot.names.graph_of(op),
            slot=int(snapshot.traces.output_slot[row]),
            execution_row=None,
            trace_row=row,
            location=-1 if op_row is None else int(snapshot.ops.location[op_row]),
            evidence=evidence,
            num_events=num_events,
        )


def _are_same(values: list[npt.NDArray[Any]]) -> bool:
    return len({(value.shape, value.tobytes()) for value in values}) == 1


def _magnitudes(values: list[npt.NDArray[Any]]) -> list[float]:
    """The largest of each tensor; none of them is empty, as elements are counted."""
    return [float(np.max(np.abs(value))) for value in values]


def _grow(magnitudes: list[float]) -> bool:
    """Whether they rise from one to the next, and to much more than the first."""
    rises = all(a < b for a, b in pairwise(magnitudes))
    last = magnitudes[-1]
    return rises and last > LEAST_MAGNITUDE and last > GROWTH * magnitudes[0] > 0


def _growth_words(magnitudes: list[float], dtype: int) -> str:
    first, last = magnitudes[0], magnitudes[-1]
    pace = math.log(last / first) / (len(magnitudes) - 1)
    num_calls = max(1, math.ceil(math.log(_LARGEST[dtype] / last) / pace))
    return (
        f"The largest magnitude rose from {first:.3g} to {last:.3g} in the last {len(magnitudes)} "
        f"calls. At this pace it is beyond {dtypes.name(dtype)} in about {num_calls:,} more."
    )


def _unchanged_words(values: list[npt.NDArray[Any]]) -> str:
    elements = "element is" if values[0].size == 1 else f"{values[0].size:,} elements are"
    each = "The" if values[0].size == 1 else "All"
    return f"{each} {elements} the same, bit by bit, in the last {len(values)} calls."
