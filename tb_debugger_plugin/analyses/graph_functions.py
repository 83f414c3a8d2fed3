"""Graphs as functions: their parameters, what they return, and the op that runs a branch or body.

TensorFlow records neither signatures nor calls. What it records suffices to tell them:
a function's Placeholders are its inputs in order (arguments, then captures); its results are the
Identity ops that nothing consumes, in order; and a branch or body is named after the If, Case or
While op that runs it (``while_body_15`` of ``while`` in the graph around it).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np

from tb_debugger_plugin.analyses.grouping import Grouping
from tb_debugger_plugin.events.batches import Int32s
from tb_debugger_plugin.index.columns import place_in
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import Graph, GraphKey, OpKey

PLACEHOLDERS = frozenset({"Placeholder", "PlaceholderWithDefault"})
IDENTITIES = frozenset({"Identity"})
_CONTROL_FLOW = re.compile(r"(?P<op>.+)_(?P<role>cond|body|true|false|branch\d+)_\d+")
WHILE_OPS = frozenset({"While", "StatelessWhile"})
COND_OPS = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
_CALL_NAME = re.compile(
    r"(?:.*/)?(?P<kind>StatefulPartitionedCall|PartitionedCall)(?:_(?P<n>\d+))?"
)
_MOST_BRANCHES = 256
_MOST_NAMES = 256
"""That begin alike and are looked at."""

OpT = TypeVar("OpT")


@dataclass(frozen=True)
class ControlFlow:
    """The op that runs a graph as its body or branch.

    Input ``argument + first_input`` of ``op`` is argument ``argument`` of the graph.
    """

    op: OpKey
    first_input: int
    is_loop: bool


@dataclass(frozen=True)
class OpInput:
    """Output ``slot`` of ``op``."""

    op: OpKey
    slot: int


@dataclass(frozen=True)
class Consumers:
    """What consumes an output. ``number`` counts all, ``first`` has some: (op, input slot)."""

    number: int
    first: list[tuple[OpKey, int]]


class GraphFunctions:
    """Answers about the graphs of one snapshot; what is asked is remembered."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._rows_by_graph = Grouping(snapshot.names.op_graph.view().take(snapshot.ops.op))
        self._uses_by_producer = Grouping(snapshot.ops.input_op)
        self._parameters: dict[GraphKey, dict[OpKey, int]] = {}
        self._results: dict[GraphKey, list[OpKey]] = {}
        self._control_flow: dict[GraphKey, ControlFlow | None] = {}
        self._control_flow_ops: dict[tuple[GraphKey, frozenset[str]], dict[str, OpKey]] = {}
        self._named_ops: tuple[GraphKey | None, dict[str, OpKey]] = None, {}
        self._callees: dict[GraphKey, list[GraphKey]] = {}
        self._calls: dict[tuple[GraphKey, str], int] = {}

    @part
    def _inner(self) -> dict[GraphKey, list[GraphKey]]:
        inner: dict[GraphKey, list[GraphKey]] = {}
        for graph in self._snapshot.graphs.values():
            if graph.outer is not None:
                inner.setdefault(graph.outer, []).append(graph.key)
        return inner

    @part
    def _branches(self) -> dict[OpKey, list[GraphKey]]:
        branches: dict[OpKey, list[GraphKey]] = {}
        for graph in self._snapshot.graphs.values():
            flow = self.control_flow(graph.key)
            if flow is not None and not (flow.is_loop and _role(graph.name) == "cond"):
                branches.setdefault(flow.op, []).append(graph.key)
        return branches

    @part
    def _by_name(self) -> dict[str, list[Graph]]:
        named: dict[str, list[Graph]] = {}
        for graph in self._snapshot.graphs.values():
            if graph.name is not None:
                named.setdefault(graph.name, []).append(graph)
        return named

    @part
    def _sorted_names(self) -> list[str]:
        return sorted(self._by_name)

    def named(self, name: str) -> list[Graph]:
        """The graphs of a name, in order of creation."""
        return self._by_name.get(name, [])

    def named_from(self, stem: str) -> list[Graph]:
        """Graphs whose names begin with ``stem``, in order of creation."""
        begin = bisect_left(self._sorted_names, stem)
        found: list[Graph] = []
        for name in islice(self._sorted_names, begin, begin + _MOST_NAMES):
            if not name.startswith(stem):
                break
            found += self._by_name[name]
        return sorted(found, key=lambda graph: graph.wall_time)

    def ops_by_name(self, graph: GraphKey) -> dict[str, OpKey]:
        """The graph's ops; kept for the last graph that was asked for."""
        known, ops = self._named_ops
        if known != graph:
            keys = map(OpKey, self._snapshot.ops.op[self.op_rows(graph)].tolist())
            ops = {self._snapshot.names.op_name(op): op for op in keys}
            self._named_ops = graph, ops
        return ops

    def inner_graphs(self, graph: GraphKey) -> list[GraphKey]:
        """The graphs whose record says that this one is around them, in order of creation."""
        return self._inner.get(graph, [])

    def op_rows(self, graph: GraphKey) -> Int32s:
        """Rows of the graph's ops in order of creation."""
        return self._rows_by_graph.rows(graph)

    def num_ops(self, graph: GraphKey) -> int:
        """How many op creations of the graph are on disk."""
        return self._rows_by_graph.count(graph)

    def num_inputs(self, op: OpKey) -> int:
        """How many data inputs an op has; 0 where its creation is not on disk."""
        row = self._snapshot.row_of_op(op)
        ends = self._snapshot.ops.input_end
        return 0 if row is None else int(ends[row + 1]) - int(ends[row])

    def input_at(self, op: OpKey, slot: int) -> OpInput | None:
        """One of an op's data inputs; ``None`` if it has none there."""
        found = self.inputs(op, range(slot, slot + 1))
        return found[0] if found else None

    def inputs(self, op: OpKey, slots: range | None = None) -> list[OpInput]:
        """An op's data inputs in slot order; empty where its creation is not on disk.

        Args:
          op: The op.
          slots: Which of them, as far as there are so many; all unless told.
        """
        row = self._snapshot.row_of_op(op)
        if row is None:
            return []
        ops = self._snapshot.ops
        begin, end = int(ops.input_end[row]), int(ops.input_end[row + 1])
        if slots is not None:
            begin, end = min(begin + slots.start, end), min(begin + slots.stop, end)
        return [
            OpInput(OpKey(producer), slot)
            for producer, slot in zip(
                ops.input_op[begin:end].tolist(), ops.input_slot[begin:end].tolist(), strict=True
            )
        ]

    def uses(self, op: OpKey) -> Int32s:
        """Where an op's outputs are consumed: positions in ``ops.input_op``."""
        return self._uses_by_producer.rows(op)

    def consumers(self, op: OpKey, most: int, most_slots: int) -> dict[int, Consumers]:
        """What consumes an op's outputs, by output slot.

        Args:
          op: The op.
          most: How many consumers are told, of all slots together.
          most_slots: Of how many slots that are consumed anything is told.
        """
        ops, uses = self._snapshot.ops, self.uses(op)
        slots = ops.input_slot[uses]
        by_slot = uses[np.argsort(slots, kind="stable")]
        found: dict[int, Consumers] = {}
        begin = 0
        for slot, number in zip(*np.unique(slots, return_counts=True), strict=True):
            if len(found) == most_slots:
                break
            first = [self._consumer(use) for use in by_slot[begin : begin + min(number, most)]]
            found[int(slot)] = Consumers(int(number), first)
            most -= len(first)
            begin += number
        return found

    def _consumer(self, use: np.int32) -> tuple[OpKey, int]:
        """The op that a use is an input of, and its input slot."""
        ops = self._snapshot.ops
        row = place_in(ops.input_end, int(use), "right") - 1
        return OpKey(int(ops.op[row])), int(use) - int(ops.input_end[row])

    def parameters(self, graph: GraphKey) -> dict[OpKey, int]:
        """The graph's Placeholders, arguments and then captures, with their numbers."""
        if graph not in self._parameters:
            placeholders = self._ops_of_types(graph, PLACEHOLDERS)
            self._parameters[graph] = {op: number for number, op in enumerate(placeholders)}
        return self._parameters[graph]

    def results(self, graph: GraphKey) -> list[OpKey]:
        """The Identity ops whose values the graph returns, in order."""
        if graph not in self._results:
            self._results[graph] = [
                op for op in self._ops_of_types(graph, IDENTITIES) if not len(self.uses(op))
            ]
        return self._results[graph]

    def control_flow(self, graph: GraphKey) -> ControlFlow | None:
        """The op that runs this graph as a body or branch; ``None`` if it is a function."""
        if graph not in self._control_flow:
            self._control_flow[graph] = self._find_control_flow(graph)
        return self._control_flow[graph]

    def branches(self, op: OpKey) -> list[GraphKey]:
        """The bodies and branches that a While, If or Case op runs, conditions left out."""
        return self._branches.get(op, [])[:_MOST_BRANCHES]

    def called_function(self, op: OpKey) -> GraphKey | None:
        """The function that a call op (never recorded itself) runs, where that is certain.

        Call ops are numbered in the order of the calls, and functions are traced at their first
        call. If as many functions were traced inside a graph as calls are known of, each call has
        its own; else a function was called twice, and nothing tells which.
        """
        name = _CALL_NAME.fullmatch(self._snapshot.names.op_name(op))
        if name is None:
            return None
        graph = self._snapshot.names.graph_of(op)
        callees = self._called_in(graph)
        number = int(name["n"] or 0)
        if len(callees) != self._num_calls(graph, name["kind"]) or number >= len(callees):
            return None
        return callees[number]

    def _called_in(self, graph: GraphKey) -> list[GraphKey]:
        if graph not in self._callees:
            self._callees[graph] = [
                inner
                for inner in self.inner_graphs(graph)
                if self.control_flow(inner) is None
                and not (self._name(inner) or "").startswith(("__backward_", "Dataset_"))
            ]
        return self._callees[graph]

    def _name(self, graph: GraphKey) -> str | None:
        return self._snapshot.graphs[graph].name

    def _num_calls(self, graph: GraphKey, kind: str) -> int:
        """How many calls of functions are known of, by the largest number that one has."""
        if (graph, kind) not in self._calls:
            numbers = self._find_call_numbers(graph, kind)
            self._calls[graph, kind] = max(numbers) + 1 if numbers else 0
        return self._calls[graph, kind]

    def _find_call_numbers(self, graph: GraphKey, kind: str) -> set[int]:
        numbers = set()
        for row in self.op_rows(graph).tolist():
            ops = self._snapshot.ops
            for producer in ops.input_op[ops.input_end[row] : ops.input_end[row + 1]].tolist():
                name = _CALL_NAME.fullmatch(self._snapshot.names.op_name(producer))
                if name is not None and name["kind"] == kind:
                    numbers.add(int(name["n"] or 0))
        return numbers

    def _ops_of_types(self, graph: GraphKey, op_types: frozenset[str]) -> list[OpKey]:
        snapshot = self._snapshot
        wanted = snapshot.names.strings.find_all(op_types)
        rows = self.op_rows(graph)
        chosen = rows[np.isin(snapshot.ops.op_type[rows], wanted)]
        return [OpKey(op) for op in snapshot.ops.op[chosen].tolist()]

    def _find_control_flow(self, graph: GraphKey) -> ControlFlow | None:
        known = self._snapshot.graphs.get(graph)
        name = _CONTROL_FLOW.fullmatch(known.name) if known and known.name else None
        if known is None or known.outer is None or name is None:
            return None
        loop = name["role"] in ("cond", "body")
        op = self._ops_by_flat_name(known.outer, WHILE_OPS if loop else COND_OPS).get(name["op"])
        return None if op is None else ControlFlow(op, first_input=0 if loop else 1, is_loop=loop)

    def _ops_by_flat_name(self, graph: GraphKey, op_types: frozenset[str]) -> dict[str, OpKey]:
        """The first op of each name, in which slashes are as in the names of graphs."""
        if (graph, op_types) not in self._control_flow_ops:
            names = self._snapshot.names
            self._control_flow_ops[graph, op_types] = {
                names.op_name(op).replace("/", "_"): op
                for op in reversed(self._ops_of_types(graph, op_types))
            }
        return self._control_flow_ops[graph, op_types]


def _role(graph_name: str | None) -> str | None:
    name = _CONTROL_FLOW.fullmatch(graph_name or "")
    return name["role"] if name else None


def is_call_name(op_name: str) -> bool:
    """Whether an op that was not recorded is a call of a function, as its name tells.

    >>> is_call_name("model/StatefulPartitionedCall_1"), is_call_name("Initializer/zeros")
    (True, False)
    """
    return _CALL_NAME.fullmatch(op_name) is not None


def find_by_suffix(ops: Mapping[str, OpT], wanted: str) -> OpT | None:
    """The op of the longest name that ``wanted`` ends with, path step by path step.

    A gradient's Placeholder for a forward tensor is named ``gradients/<scope>/<forward op>``.

    >>> find_by_suffix({"Log": 0, "probs": 1}, "gradients/mul_grad/Mul/Log")
    0
    """
    steps = wanted.split("/")
    for first in range(len(steps)):
        op = ops.get("/".join(steps[first:]))
        if op is not None:
            return op
    return None
