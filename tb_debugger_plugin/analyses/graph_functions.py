"""Graphs as functions: their parameters, what they return, and the op that runs a branch or body.

TensorFlow records neither signatures nor calls. What it records suffices to tell them:
a function's Placeholders are its inputs in order (arguments, then captures); its results are the
Identity ops that nothing consumes, in order; and a branch or body is named after the If, Case or
While op that runs it (``while_body_15`` of ``while`` in the graph around it).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.grouping import Grouping
from tb_debugger_plugin.events.batches import Int32s
from tb_debugger_plugin.index.columns import place_in
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey

PLACEHOLDERS = frozenset({"Placeholder", "PlaceholderWithDefault"})
IDENTITIES = frozenset({"Identity"})
_CONTROL_FLOW = re.compile(r"(?P<op>.+)_(?P<role>cond|body|true|false|branch\d+)_\d+")
WHILE_OPS = frozenset({"While", "StatelessWhile"})
COND_OPS = frozenset({"If", "StatelessIf", "Case", "StatelessCase"})
_CALL_NAME = re.compile(
    r"(?:.*/)?(?P<kind>StatefulPartitionedCall|PartitionedCall)(?:_(?P<n>\d+))?"
)


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


class GraphFunctions:
    """Answers about the graphs of one snapshot; what is asked is remembered."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._rows_by_graph = Grouping(snapshot.names.op_graph.view().take(snapshot.ops.op))
        self._uses_by_producer = Grouping(snapshot.ops.input_op)
        self._parameters: dict[GraphKey, list[OpKey]] = {}
        self._results: dict[GraphKey, list[OpKey]] = {}
        self._control_flow: dict[GraphKey, ControlFlow | None] = {}

    def op_rows(self, graph: GraphKey) -> Int32s:
        """Rows of the graph's ops in order of creation."""
        return self._rows_by_graph.rows(graph)

    def num_ops(self, graph: GraphKey) -> int:
        """How many op creations of the graph are on disk."""
        return self._rows_by_graph.count(graph)

    def inputs(self, op: OpKey) -> list[OpInput]:
        """An op's data inputs in slot order; empty where its creation is not on disk."""
        row = self._snapshot.row_of_op(op)
        if row is None:
            return []
        ops = self._snapshot.ops
        begin, end = ops.input_end[row], ops.input_end[row + 1]
        return [
            OpInput(OpKey(producer), slot)
            for producer, slot in zip(
                ops.input_op[begin:end].tolist(), ops.input_slot[begin:end].tolist(), strict=True
            )
        ]

    def uses(self, op: OpKey) -> Int32s:
        """Where an op's outputs are consumed: positions in ``ops.input_op``."""
        return self._uses_by_producer.rows(op)

    def consumer_of_use(self, use: int) -> tuple[int, int]:
        """The row of the op that a use (see ``uses``) is an input of, and its input slot."""
        ends = self._snapshot.ops.input_end
        row = place_in(ends, use, "right") - 1
        return row, use - int(ends[row])

    def parameters(self, graph: GraphKey) -> list[OpKey]:
        """The graph's Placeholders: arguments and then captures, in order."""
        if graph not in self._parameters:
            self._parameters[graph] = self._ops_of_types(graph, PLACEHOLDERS)
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
        outer = self._snapshot.names.graph_of(op)
        return [
            graph.key
            for graph in self._snapshot.graphs.values()
            if graph.outer == outer
            and (flow := self.control_flow(graph.key)) is not None
            and flow.op == op
            and not (flow.is_loop and _role(graph.name) == "cond")
        ]

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
        callees = [
            inner.key
            for inner in self._snapshot.graphs.values()
            if inner.outer == graph
            and self.control_flow(inner.key) is None
            and not (inner.name or "").startswith(("__backward_", "Dataset_"))
        ]
        numbers = self._call_numbers(graph, name["kind"])
        number = int(name["n"] or 0)
        if len(callees) != (max(numbers) + 1 if numbers else 0):
            return None
        return callees[number]

    def _call_numbers(self, graph: GraphKey, kind: str) -> set[int]:
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
        wanted = [t for name in op_types if (t := snapshot.names.strings.find(name)) is not None]
        rows = self.op_rows(graph)
        chosen = rows[np.isin(snapshot.ops.op_type[rows], wanted)]
        return [OpKey(op) for op in snapshot.ops.op[chosen].tolist()]

    def _find_control_flow(self, graph: GraphKey) -> ControlFlow | None:
        known = self._snapshot.graphs.get(graph)
        name = _CONTROL_FLOW.fullmatch(known.name) if known and known.name else None
        if known is None or known.outer is None or name is None:
            return None
        loop = name["role"] in ("cond", "body")
        for op in self._ops_of_types(known.outer, WHILE_OPS if loop else COND_OPS):
            if self._snapshot.names.op_name(op).replace("/", "_") == name["op"]:
                return ControlFlow(op, first_input=0 if loop else 1, is_loop=loop)
        return None


def _role(graph_name: str | None) -> str | None:
    name = _CONTROL_FLOW.fullmatch(graph_name or "")
    return name["role"] if name else None


def find_by_suffix(names: Sequence[str], wanted: str) -> int | None:
    """The position of the longest name that ``wanted`` ends with, path step by path step.

    A gradient's Placeholder for a forward tensor is named ``gradients/<scope>/<forward op>``.

    >>> find_by_suffix(["Log", "probs"], "gradients/mul_grad/Mul/Log")
    0
    """
    positions = {name: position for position, name in enumerate(names)}
    steps = wanted.split("/")
    for first in range(len(steps)):
        position = positions.get("/".join(steps[first:]))
        if position is not None:
            return position
    return None
