"""Which op's gradient an op computes.

TensorFlow does not record it. An op of a symbolic gradient has the forward op in its name
(``gradients/<forward op>_grad/``), and one of a tape often (``gradient_tape/<forward op>/``). Else
it is told by the forward tensors that it is given, and by the function that made it: ``_LogGrad``
in its stack makes the gradient of a Log.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.function_names import is_backward_graph
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions, OpInput
from tb_debugger_plugin.analyses.libraries import library_of
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent
from tb_debugger_plugin.analyses.root_causes.events import location_of_op
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey

_MOST_OPS = 64
"""That are looked at to find the forward op of one."""
_MOST_OPS_OF_GRAPH = 10_000
_NAMED = (
    re.compile(r"(?:.*/)?gradients/(?P<forward>.+)_grad/[^/]+(?:/[^/]+)?"),
    re.compile(r"(?:.*/)?gradient_tape/(?P<forward>.+)/[^/]+"),
)
_BACKWARD_NAME = re.compile(r"(?:.*/)?gradient(?:s|_tape)(?:_\d+)?/.*", re.DOTALL)
_BACKWARD_BODY = re.compile(r"(?P<forward>.+)_grad_\d+")
_TAPE = re.compile(r"tensorflow[/\\]python[/\\]eager[/\\]backprop\.py$")
_GRADIENT_FUNCTION = re.compile(r"_(?P<forward>\w+)Grad(?:V\d)?")

SINGULAR = frozenset(
    {"SqrtGrad", "RsqrtGrad", "InvGrad", "ReciprocalGrad", "Reciprocal", "RealDiv", "Div", "Xdivy"}
    | {"Inv", "Pow", "Log"}
)
"""Ops of gradients that make infinities or NaN of finite values at the edge of a domain."""


@dataclass(frozen=True)
class Forward:
    """The op whose gradient something computes: in a graph, or ``execution_row``."""

    op_type: str
    op: OpKey | None
    execution_row: int | None
    location: int


class ForwardOps:
    """Answers for one snapshot."""

    def __init__(self, snapshot: Snapshot, functions: GraphFunctions, producers: Producers) -> None:
        self._snapshot = snapshot
        self._functions = functions
        self._producers = producers

    def of(self, event: BadEvent) -> Forward | None:
        """The op whose gradient an event computes; ``None`` if it is forward, or not known."""
        if event.op is not None:
            if not self._is_backward_op(event.op) or self._is_of_user(event.location):
                return None
            return self._in_graph(self._forward_op(event.op))
        assert event.execution_row is not None
        graph = self._producers.function_graph(event.execution_row)
        if graph is not None:
            return self._of_function(graph)
        if not self._is_of_tape(event.location):
            return None
        return self._of_eager_op(event)

    def _in_graph(self, op: OpKey | None) -> Forward | None:
        if op is None:
            return None
        op_type = self._snapshot.op_type(op) or ""
        return Forward(op_type, op, None, location_of_op(self._snapshot, op))

    def _is_backward_op(self, op: OpKey) -> bool:
        graph = self._snapshot.graphs.get(self._snapshot.names.graph_of(op))
        if graph is not None and is_backward_graph(graph.name):
            return True
        return is_gradient_name(self._snapshot.names.op_name(op))

    def _forward_op(self, op: OpKey) -> OpKey | None:
        return self._by_name(op) or self._by_tensors(op)

    def _by_name(self, op: OpKey) -> OpKey | None:
        op_name = self._snapshot.names.op_name(op)
        names = [named["forward"] for form in _NAMED if (named := form.fullmatch(op_name))]
        for graph in self._forward_graphs(self._snapshot.names.graph_of(op)) if names else []:
            for name in names:
                found = self._snapshot.find_op(graph, name)
                if found is not None and self._computes(found):
                    return found
        return None

    def _forward_graphs(self, graph: GraphKey) -> list[GraphKey]:
        """Where the forward ops may be of a graph with gradients."""
        known = self._snapshot.graphs.get(graph)
        name = (known.name if known else None) or ""
        body = _BACKWARD_BODY.fullmatch(name)
        if body:
            return [found.key for found in reversed(self._functions.named(body["forward"]))]
        if known is not None and is_backward_graph(name):
            forward = name.removeprefix("__backward_").rpartition("_")[0]
            return [found.key for found in reversed(self._functions.named(forward))]
        return [graph]

    def _by_tensors(self, op: OpKey) -> OpKey | None:
        wanted = self._forward_type(
            location_of_op(self._snapshot, op), self._snapshot.op_type(op) or ""
        )
        fallback = None
        for tensor in self._forward_tensors(op):
            around = [tensor.op, *self._consumers(tensor)]
            for candidate in around:
                if _is_type(self._snapshot.op_type(candidate), wanted):
                    return candidate
            if fallback is None:
                fallback = next((one for one in around if self._computes(one)), None)
        return fallback

    def _forward_tensors(self, op: OpKey) -> list[OpInput]:
        """Those that an op of a gradient is computed of, the nearest first."""
        found: list[OpInput] = []
        todo, seen = deque([op]), {op}
        while todo and len(seen) < _MOST_OPS:
            for tensor in self._functions.inputs(todo.popleft(), range(_MOST_OPS)):
                if tensor.op in seen or self._snapshot.op_type(tensor.op) == "Const":
                    continue
                seen.add(tensor.op)
                if self._is_backward_op(tensor.op):
                    todo.append(tensor.op)
                else:
                    found.append(tensor)
        return found

    def _consumers(self, tensor: OpInput) -> list[OpKey]:
        """Forward ops that are given a tensor."""
        by_slot = self._functions.consumers(tensor.op, _MOST_OPS, _MOST_OPS)
        uses = by_slot[tensor.slot].first if tensor.slot in by_slot else []
        return [op for op, _ in uses if not self._is_backward_op(op)]

    def _computes(self, op: OpKey) -> bool:
        op_type = self._snapshot.op_type(op)
        return op_type is not None and op_type not in PLACEHOLDERS and op_type != "Const"

    def _of_function(self, graph: GraphKey) -> Forward | None:
        """Of a backward function, of which nothing is recorded but its ops: the first suspect."""
        known = self._snapshot.graphs.get(graph)
        if known is None or not is_backward_graph(known.name):
            return None
        ops = self._snapshot.ops
        for row in self._functions.op_rows(graph)[:_MOST_OPS_OF_GRAPH]:
            if self._snapshot.names.strings.values[ops.op_type[row]] in SINGULAR:
                return self._in_graph(self._by_name(OpKey(int(ops.op[row]))))
        return None

    # Eager ops.

    def _of_eager_op(self, event: BadEvent) -> Forward | None:
        """The last op of a fitting type that made, or was given, one of the op's inputs."""
        executions, row = self._snapshot.executions, event.execution_row
        assert row is not None
        strings = self._snapshot.names.strings.values
        wanted = self._forward_type(event.location, event.op_type)
        known = np.flatnonzero(np.bincount(executions.op_type[:row])).tolist()
        types = [number for number in known if _is_type(strings[number], wanted)]
        begin, end = int(executions.input_end[row]), int(executions.input_end[row + 1])
        given = executions.input_tensor_id[begin : min(end, begin + _MOST_OPS)]
        rows = np.flatnonzero(np.isin(executions.op_type[:row], types))[::-1]
        for candidate in rows[:_MOST_OPS].tolist():
            begin, end = executions.input_end[candidate : candidate + 2].tolist()
            made = executions.output_end[candidate : candidate + 2].tolist()
            location = int(executions.location[candidate])
            is_linked = (
                np.isin(executions.input_tensor_id[begin:end], given).any()
                or np.isin(executions.output_tensor_id[made[0] : made[1]], given).any()
            )
            if is_linked and not self._is_of_tape(location):
                op_type = strings[executions.op_type[candidate]]
                return Forward(op_type, None, candidate, location)
        return None

    # Stacks.

    def _forward_type(self, location: int, op_type: str) -> str:
        """The type of the op whose gradient an op of a location and type computes."""
        for frame_id in reversed(self._snapshot.location(location).frame_ids):
            frame = self._snapshot.frames.get(frame_id)
            name = None if frame is None else _GRADIENT_FUNCTION.fullmatch(frame.function)
            if name is not None:
                return name["forward"]
        return op_type.removesuffix("Grad")

    def _is_of_tape(self, location: int) -> bool:
        """Whether a tape made an op by itself."""
        users, tapes = self._frames(location)
        return bool(tapes) and max(tapes) > max(users, default=-1)

    def _is_of_user(self, location: int) -> bool:
        """Whether a tape called the user's own code that made an op: a custom gradient."""
        users, tapes = self._frames(location)
        return bool(tapes) and min(tapes) < max(users, default=-1)

    def _frames(self, location: int) -> tuple[list[int], list[int]]:
        """Where in a stack the user's frames and those of a tape's are, the outermost first."""
        users, tapes = [], []
        for place, frame_id in enumerate(self._snapshot.location(location).frame_ids):
            frame = self._snapshot.frames.get(frame_id)
            if frame is None or frame.source is None:
                continue
            path = self._snapshot.sources[frame.source].file_path
            if _TAPE.search(path):
                tapes.append(place)
            elif library_of(path) is None:
                users.append(place)
        return users, tapes


def _is_type(op_type: str | None, wanted: str) -> bool:
    """Whether an op type is a wanted one, in any version: AddV2 is Add."""
    return op_type is not None and re.fullmatch(rf"{re.escape(wanted)}(V\d+)?", op_type) is not None


def is_gradient_name(op_name: str) -> bool:
    """Whether an op is part of a gradient, as its name tells.

    >>> is_gradient_name("gradient_tape/dense/MatMul"), is_gradient_name("dense/MatMul")
    (True, False)
    """
    return _BACKWARD_NAME.fullmatch(op_name) is not None
