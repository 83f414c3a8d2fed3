"""Activations, gradients and other tensors in graphs that are zero call after call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.function_names import is_backward_graph
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.observations.words import count_of
from tb_debugger_plugin.analyses.op_types import is_op_of_types
from tb_debugger_plugin.analyses.patterns.chains import begins_of_chains
from tb_debugger_plugin.analyses.patterns.pattern import Pattern, PatternKind
from tb_debugger_plugin.analyses.patterns.streaks import Streak, end_of_streak, find_streaks
from tb_debugger_plugin.analyses.patterns.thresholds import DEAD_SHARE, MOSTLY_DEAD_SHARE
from tb_debugger_plugin.analyses.patterns.updates import is_read, is_read_and_updated
from tb_debugger_plugin.analyses.time_order import Mask, Rows
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

ACTIVATIONS = frozenset({"Relu", "Relu6"})
ZERO_BY_NATURE = frozenset(
    {
        "Const",
        "Empty",
        "Fill",
        "ImmutableConst",
        "ZerosLike",
        "ZeroInitializer",
        "TensorListReserve",
    }
)
FLOATS = (1, 2, 14, 19)
"""float32, float64, bfloat16, float16."""

_MOST_INPUTS = 16
"""Of an op that are looked at."""


def find_zeros(joined: JoinedTraces, functions: GraphFunctions) -> dict[PatternKind, list[Pattern]]:
    """Patterns of the three kinds that zeros make, those with the greatest share of zeros first."""
    found: dict[PatternKind, list[Pattern]] = {
        "dead_activation": [],
        "zero_gradient": [],
        "all_zero": [],
    }
    values = joined.snapshot.traces.values
    if not len(joined) or values.num_zero.max() <= 0:
        return found
    zeros = _Zeros(joined, functions)
    for kind, streak in zeros.first_ones():
        found[kind].append(zeros.pattern(kind, streak))
    found["dead_activation"].sort(key=lambda each: zeros.share_of[each.op, each.slot], reverse=True)
    return found


class _Zeros:
    def __init__(self, joined: JoinedTraces, functions: GraphFunctions) -> None:
        self._joined = joined
        self._snapshot = joined.snapshot
        self._functions = functions
        self._tensors = joined.tensors
        self._is_activation = is_op_of_types(joined.snapshot, ACTIVATIONS)[self._tensors.op]
        self._streaks: dict[tuple[int, int], tuple[PatternKind | None, Streak]] = {}
        """By tensor; ``None`` for what is meant to be zero."""
        self.share_of: dict[tuple[OpKey | None, int | None], float] = {}
        """The least share of zeros in each tensor's streak."""
        for found in find_streaks(joined, self._are_zero):
            streak = self._mostly_dead(found) or found
            op, slot = (
                int(self._tensors.op[streak.tensor]),
                int(self._tensors.output_slot[streak.tensor]),
            )
            self._streaks[op, slot] = self._kind(OpKey(op)), streak
            self.share_of[OpKey(op), slot] = float(self._shares(streak).min())

    def first_ones(self) -> Iterator[tuple[PatternKind, Streak]]:
        """Those that are not computed from another one of them."""
        self._followers = dict.fromkeys(self._streaks, 0)
        causes = {tensor: self._zero_input(tensor) for tensor in self._streaks}
        for tensor, first in begins_of_chains(causes).items():
            if first is not None and first != tensor:
                self._followers[first] += 1
        for tensor, (kind, streak) in self._streaks.items():
            if kind is not None and causes[tensor] is None:
                yield kind, streak

    def pattern(self, kind: PatternKind, streak: Streak) -> Pattern:
        snapshot, row = self._snapshot, int(streak.rows[-1])
        op, slot = OpKey(int(snapshot.traces.op[row])), int(snapshot.traces.output_slot[row])
        op_row = snapshot.row_of_op(op)
        return Pattern(
            kind=kind,
            op_type=snapshot.op_type(op) or "",
            op=op,
            graph=snapshot.names.graph_of(op),
            slot=slot,
            execution_row=None,
            trace_row=row,
            location=-1 if op_row is None else int(snapshot.ops.location[op_row]),
            evidence=self._evidence(streak, self._followers[op, slot]),
            num_events=len(streak.rows),
            is_usual=self.share_of[op, slot] < MOSTLY_DEAD_SHARE,
        )

    def _are_zero(self, rows: Rows, numbers: npt.NDArray[Any]) -> Mask:
        """Many zeros for an activation, all zero for others; never where not counted."""
        values = self._snapshot.traces.values
        num_zero, size = values.num_zero[rows].astype(np.int64), values.size[rows]
        is_dead = self._is_activation[numbers] & (num_zero > size * DEAD_SHARE)
        are_zero: Mask = (size > 1) & (is_dead | (num_zero == size))
        are_zero &= np.isin(values.dtype[rows], FLOATS)
        return are_zero

    def _mostly_dead(self, streak: Streak) -> Streak | None:
        """The last calls that no healthy program shows: it may have been alive before them."""
        return end_of_streak(self._joined, streak, self._shares(streak) >= MOSTLY_DEAD_SHARE)

    def _shares(self, streak: Streak) -> npt.NDArray[np.float64]:
        """Of zeros, in each of a streak's rows."""
        values = self._snapshot.traces.values
        shares: npt.NDArray[np.float64] = values.num_zero[streak.rows] / values.size[streak.rows]
        return shares

    def _kind(self, op: OpKey) -> PatternKind | None:
        op_type = self._snapshot.op_type(op)
        if op_type in ACTIVATIONS:
            return "dead_activation"
        if op_type in ZERO_BY_NATURE or self._is_at_rest(op):
            return None
        return "zero_gradient" if is_gradient(self._snapshot, op) else "all_zero"

    def _is_at_rest(self, op: OpKey) -> bool:
        """Whether it is a variable, as a bias, that stays what it was made as."""
        updated = is_read_and_updated(self._snapshot, self._functions, op)
        return is_read(self._snapshot, op) and not updated

    def _zero_input(self, tensor: tuple[int, int]) -> tuple[int, int] | None:
        """An input that is all zero and of a kind that explains this one."""
        kind = self._streaks[tensor][0]
        if kind == "dead_activation":
            return None
        for given in self._functions.inputs(OpKey(tensor[0]), range(_MOST_INPUTS)):
            key = int(given.op), given.slot
            is_zero = key in self._streaks and self.share_of[given.op, given.slot] == 1
            if is_zero and (kind == "all_zero" or self._streaks[key][0] == kind):
                return key
        return None

    def _evidence(self, streak: Streak, num_followers: int) -> str:
        values = self._snapshot.traces.values
        num_zero = values.num_zero[streak.rows].astype(np.int64)
        size = values.size[streak.rows]
        calls = count_of(streak.num_calls, "call")
        when = f"in all {calls}" if streak.is_always else f"in each of the last {calls}"
        if np.all(num_zero == size):
            what = _range(size)
            said = f"All of {what} elements were zero {when}."
        else:
            least, most = (float(f(num_zero / size)) for f in (np.min, np.max))
            share = (
                _percent(least)
                if _percent(least) == _percent(most)
                else (f"{_percent(least)} to {_percent(most)}")
            )
            said = f"{share} of {_range(size)} elements were zero {when}."
        if num_followers:
            tensors = count_of(num_followers, "tensor")
            said += f" {tensors} computed from it {'is' if num_followers == 1 else 'are'} zero too."
        return said


def is_gradient(snapshot: Snapshot, op: OpKey) -> bool:
    """Whether an op computes gradients, as its graph or its name tells."""
    graph = snapshot.graphs.get(snapshot.names.graph_of(op))
    name = snapshot.names.op_name(op)
    return (graph is not None and is_backward_graph(graph.name)) or (
        "gradient_tape/" in name or name.startswith("gradients/")
    )


def _range(sizes: npt.NDArray[Any]) -> str:
    least, most = int(sizes.min()), int(sizes.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _percent(share: float) -> str:
    """Never "100%" for less than all."""
    return f"{min(round(share * 100), 99 if share < 1 else 100)}%"
