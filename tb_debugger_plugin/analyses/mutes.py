"""Alerts that the user does not want to hear of, told by rules of where they are.

A rule is held against the ops, the eager op types and the code locations that alerts are of, of
which there are few; each alert then looks its own up.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.code import Code, UserFrame
from tb_debugger_plugin.analyses.function_names import all_names
from tb_debugger_plugin.analyses.recent import Recent
from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.analyses.time_order import Mask, Rows, TimeOrder
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot

MOST_MUTES = 32
MOST_OP_TYPES = 50
MuteKind = Literal["op_type", "op", "text", "regex", "function", "line"]


@dataclass(frozen=True)
class Mute:
    """One rule.

    ``text`` is, by kind: an op type; an op's name; a part of op names in any case, or a regular
    expression that matches in them; a function, by its name in Python or by the concrete one; a
    source file's path, of which ``lineno`` is a line. An eager op goes by its type for its name.
    """

    kind: MuteKind
    text: str
    lineno: int = 0


_BYTES_KEPT_A_RULE = 1 << 20
NameT = TypeVar("NameT", bound=Hashable)


class Muting:
    """The alerts that are left under some rules. A *place* counts these alone, in time order."""

    def __init__(
        self,
        muted: Mask | None,
        num_alerts: int,
        num_by_rule: list[int],
        op_types: list[tuple[str, int]],
    ) -> None:
        self.muted = muted
        """Whether each alert is muted; ``None`` where none is."""
        self.num_by_rule = num_by_rule
        """How many alerts each rule takes, whatever others do."""
        self.op_types = op_types
        """The op types, or functions, of most of those that are left, with their numbers."""
        left = None if muted is None else np.flatnonzero(~muted).astype(np.int32)
        self._left: Int32s | None = left
        self.num_left = num_alerts if left is None else len(left)
        self.num_muted = num_alerts - self.num_left

    @property
    def nbytes(self) -> int:
        """Bytes."""
        arrays = [array for array in (self.muted, self._left) if array is not None]
        return sum(array.nbytes for array in arrays)

    def numbers(self, begin: int, end: int) -> list[int]:
        """The alerts at the places ``[begin, end)``."""
        if self._left is None:
            return list(range(begin, end))
        numbers: list[int] = self._left[begin:end].tolist()
        return numbers

    def places(self, numbers: range) -> range:
        """Where those of some successive alerts stand that are left; an empty range tells where."""
        if self._left is None:
            return numbers
        bounds = np.array([numbers.start, numbers.stop], dtype=np.int32)
        begin, end = np.searchsorted(self._left, bounds).tolist()
        return range(begin, end)


class MuteRules:
    """Holds rules against the alerts of one snapshot."""

    def __init__(self, snapshot: Snapshot, alerts: AlertTable, code: Code) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._code = code
        self._kept: Recent[_Told] = Recent(_BYTES_KEPT_A_RULE * MOST_MUTES, most_kept=MOST_MUTES)
        """By rule: when one is changed, the others need not be held against all names again."""

    def muting(self, mutes: tuple[Mute, ...]) -> Muting:
        """What is left under rules.

        Raises:
          BadPattern: A text is no regular expression, or all of them take too long.
        """
        num_expressions = sum(mute.kind == "regex" for mute in mutes)
        told = [self._told(mute, num_expressions) for mute in mutes]
        _, indices, numbers = self._alerts.values
        rows = TimeOrder.of_executions(self._snapshot).rows(indices)
        by_rule = [self._of_executions(each, rows) for each in told]
        num_by_rule = [
            int(self._num_by_op[each.ops].sum()) + int(np.count_nonzero(of_executions))
            for each, of_executions in zip(told, by_rule, strict=True)
        ]
        ops = np.zeros(len(self._num_by_op), dtype=np.bool_)
        for each in told:
            ops[each.ops] = True
        of_executions = np.logical_or.reduce([np.zeros(len(numbers), dtype=np.bool_), *by_rule])
        op_types = self._op_types_beside(ops, self._eager_types_of(rows)[~of_executions])
        muted: Mask | None = None
        if any(num_by_rule):
            muted = np.zeros(len(self._alerts), dtype=np.bool_)
            muted[self._alerts.traces[1]] = ops.take(self._op_of_trace)
            muted[numbers] = of_executions
        return Muting(muted, len(self._alerts), num_by_rule, op_types)

    def _op_types_beside(self, muted_ops: Mask, eager_types: Int32s) -> list[tuple[str, int]]:
        """The most frequent types of ops that are not muted and of alerts of executions."""
        left = self._ops[~muted_ops[self._ops]]
        num_strings = len(self._snapshot.names.strings)
        counts = np.bincount(eager_types, minlength=num_strings)
        if len(self._snapshot.ops):
            rows = self._snapshot.op_row[left]
            known = rows >= 0
            types = self._snapshot.ops.op_type[rows[known]]
            np.add.at(counts, types, self._num_by_op[left[known]])
        most = np.argsort(-counts, kind="stable")[:MOST_OP_TYPES]
        return [(self._string(each), int(counts[each])) for each in most if counts[each]]

    def _eager_types_of(self, rows: Rows) -> Int32s:
        op_types: Int32s = self._snapshot.executions.op_type[rows]
        return op_types

    # What alerts are of.

    @property
    def _op_of_trace(self) -> Int32s:
        """The op of each alert of a trace."""
        rows = TimeOrder.of_traces(self._snapshot).rows(self._alerts.traces[0])
        ops: Int32s = self._snapshot.traces.op[rows]
        return ops

    @part
    def _eager_sites(self) -> tuple[list[int], Int64s]:
        """The op types and the code locations of the executions that have alerts."""
        rows = TimeOrder.of_executions(self._snapshot).rows(self._alerts.values[1])
        executions = self._snapshot.executions
        op_types = np.flatnonzero(np.bincount(self._eager_types_of(rows)))
        return op_types.tolist(), _distinct(executions.location[rows])

    @part
    def _num_by_op(self) -> Int64s:
        """How many alerts each op has, by ``OpKey``."""
        return np.bincount(self._op_of_trace, minlength=len(self._snapshot.names.op_refs))

    @part
    def _ops(self) -> Int64s:
        """The ops that have alerts."""
        return np.flatnonzero(self._num_by_op)

    @part
    def _op_rows(self) -> Int32s:
        """The creation of each of the ops; -1 where it is not on disk."""
        return self._snapshot.op_row[self._ops]

    @property
    def _eager_types(self) -> list[int]:
        return self._eager_sites[0]

    @part
    def _locations(self) -> list[int]:
        """The code locations of the ops and executions that have alerts."""
        of_ops = _distinct(self._of_creations(self._snapshot.ops.location))
        found: list[int] = np.union1d(of_ops, self._eager_sites[1]).tolist()
        return found

    @property
    def _graphs(self) -> Int32s:
        """The graph of each of the ops."""
        return self._snapshot.names.op_graph.view()[self._ops]

    # The same by what rules name: all rules look it up.

    @part
    def _graphs_by_name(self) -> Mapping[str, Sequence[int]]:
        """Functions by all their names."""
        graphs = self._snapshot.graphs
        keys = np.flatnonzero(np.bincount(self._graphs)).tolist()
        return _grouped(
            (name, key) for key in keys if key in graphs for name in all_names(graphs[key].name)
        )

    @part
    def _eager_types_by_name(self) -> Mapping[str, Sequence[int]]:
        """Op types of executions; those that are functions by all their names."""
        return _grouped(
            (name, each) for each in self._eager_types for name in all_names(self._string(each))
        )

    @part
    def _locations_by_function(self) -> Mapping[str, Sequence[int]]:
        """Code locations by the function that their innermost user frame is in."""
        return _grouped((frame.function, location) for location, frame in self._user_frames)

    @part
    def _locations_by_line(self) -> Mapping[tuple[str, int], Sequence[int]]:
        """Code locations by the line that their innermost user frame is at."""
        sources = self._snapshot.sources
        return _grouped(
            ((sources[frame.source].file_path, frame.lineno), location)
            for location, frame in self._user_frames
        )

    @property
    def _user_frames(self) -> Iterator[tuple[int, UserFrame]]:
        frames = ((each, self._code.innermost_user_frame(each)) for each in self._locations)
        return ((location, frame) for location, frame in frames if frame is not None)

    def _of_creations(self, column: Int32s) -> Int32s:
        """What a column of the op table says of each of the ops; -1 where it has none."""
        if not len(column):
            return np.full(len(self._ops), -1, dtype=np.int32)
        found: Int32s = np.where(self._op_rows < 0, -1, column[self._op_rows])
        return found

    # What a rule says of them.

    def _told(self, mute: Mute, num_expressions: int) -> _Told:
        return self._kept.get(mute, lambda: self._find_told(mute, num_expressions))

    def _find_told(self, mute: Mute, num_expressions: int) -> _Told:
        if mute.kind == "op_type":
            return self._by_op_type(mute.text)
        if mute.kind == "function":
            return self._by_function(mute.text)
        if mute.kind == "line":
            return self._by_location(self._locations_by_line.get((mute.text, mute.lineno), ()))
        if mute.kind == "op":
            return self._by_name(lambda name: name == mute.text)
        is_regex = mute.kind == "regex"
        return self._by_name(matcher(mute.text, is_regex=is_regex, num_sharing=num_expressions))

    def _by_op_type(self, op_type: str) -> _Told:
        wanted = self._snapshot.names.strings.find(op_type)
        if wanted is None:
            return self._taking()
        ops = self._of_creations(self._snapshot.ops.op_type) == wanted
        return self._taking(ops=ops, eager_types=[wanted])

    def _by_name(self, matches: Callable[[str], bool]) -> _Told:
        op_refs = self._snapshot.names.op_refs.values
        return self._taking(
            ops=np.array([matches(op_refs[op][1]) for op in self._ops.tolist()], dtype=np.bool_),
            eager_types=[each for each in self._eager_types if matches(self._string(each))],
        )

    def _by_function(self, function: str) -> _Told:
        locations = self._locations_by_function.get(function, ())
        graphs = self._graphs_by_name.get(function, ())
        return self._taking(
            ops=self._are_at(locations) | np.isin(self._graphs, graphs),
            eager_types=self._eager_types_by_name.get(function, ()),
            locations=locations,
        )

    def _by_location(self, locations: Sequence[int]) -> _Told:
        return self._taking(ops=self._are_at(locations), locations=locations)

    def _are_at(self, locations: Sequence[int]) -> Mask:
        """Whether each of the ops was made at one of some code locations."""
        return np.isin(self._of_creations(self._snapshot.ops.location), locations)

    def _taking(
        self,
        *,
        ops: Mask | None = None,
        eager_types: Sequence[int] = (),
        locations: Sequence[int] = (),
    ) -> _Told:
        """A rule's word; ``ops`` tells of each of those with alerts."""
        return _Told(self._ops[:0] if ops is None else self._ops[ops], eager_types, locations)

    def _of_executions(self, told: _Told, rows: Rows) -> Mask:
        """Whether each of some rows of executions is muted."""
        executions, names = self._snapshot.executions, self._snapshot.names
        op_types = self._eager_types_of(rows)
        muted: Mask = np.zeros(len(op_types), dtype=np.bool_)
        if told.eager_types:
            muted |= _mask(told.eager_types, len(names.strings)).take(op_types)
        if told.locations:
            # The last entry is for -1, which stands for none.
            are_taken = _mask(told.locations, len(names.locations) + 1)
            muted |= are_taken.take(executions.location[rows])
        return muted

    def _string(self, string: int) -> str:
        return self._snapshot.names.strings.values[string]


@dataclass(frozen=True)
class _Told:
    """What a rule takes: ops with alerts, op types of executions by id, and code locations."""

    ops: Int64s
    eager_types: Sequence[int]
    locations: Sequence[int]

    @property
    def nbytes(self) -> int:
        """Bytes, about."""
        return self.ops.nbytes + 8 * (len(self.eager_types) + len(self.locations))


def _mask(taken: Sequence[int], number: int) -> Mask:
    mask = np.zeros(number, dtype=np.bool_)
    mask[list(taken)] = True
    return mask


def _grouped(named: Iterable[tuple[NameT, int]]) -> Mapping[NameT, Sequence[int]]:
    found: dict[NameT, list[int]] = {}
    for name, number in named:
        found.setdefault(name, []).append(number)
    return found


def _distinct(locations: Int32s) -> Int64s:
    """Those that occur, without -1, which stands for none."""
    return np.flatnonzero(np.bincount(locations.astype(np.int64) + 1)[1:])
