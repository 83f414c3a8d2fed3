"""Which recorded tensors an op's input can have come from, whatever the call.

As ``Producers.origin``, but for all calls at once: what is asked of the graphs alone is asked once
an op, and only the few places where a value can have been recorded are left to look at for each
event.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from tb_debugger_plugin.analyses.graph_functions import (
    COND_OPS,
    IDENTITIES,
    PLACEHOLDERS,
    WHILE_OPS,
    GraphFunctions,
    OpInput,
)
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.index.tables import GraphKey, OpKey

_MOST_TENSORS = 256
"""How many tensors are looked at to find the sources of one."""

_NEVER_FLOATS = frozenset({"Const", "Shape", "Size", "Rank", "Range", "ShapeN", "ArgMax", "ArgMin"})
"""Ops that leave no trace only where their output can hold neither NaN nor infinity."""


@dataclass(frozen=True)
class TracedSource:
    """A tensor that left traces.

    ``is_initial``: a loop was given it, whose result it is only where the loop ran no pass. Traces
    of constants may come late.
    """

    op: OpKey
    slot: int
    is_initial: bool = False


@dataclass(frozen=True)
class ArgumentSource:
    """An argument or capture of a function, by its Placeholder."""

    placeholder: OpKey
    argument: int
    num_parameters: int
    graph: GraphKey


@dataclass(frozen=True)
class UnseenSource:
    """A tensor that left no trace. ``is_call``: some function that the graph calls made it."""

    op: OpKey
    slot: int
    is_call: bool


Source = TracedSource | ArgumentSource | UnseenSource


class RecordedSources:
    """Answers for one snapshot."""

    def __init__(self, traces: JoinedTraces, functions: GraphFunctions) -> None:
        self._snapshot = traces.snapshot
        self._traces = traces
        self._functions = functions
        self._known: dict[OpInput, list[Source]] = {}

    def of_inputs(self, op: OpKey) -> list[tuple[OpInput, list[Source]]]:
        """Each input of an op with its sources.

        A Placeholder's input is what was passed for it. An op that runs branches or a loop is given
        what these return.
        """
        if self._snapshot.op_type(op) in PLACEHOLDERS:
            passed = self._of_argument(op)
            return [] if passed is None else [(OpInput(op, 0), passed)]
        tensors = self._functions.inputs(op)
        if self._snapshot.op_type(op) in WHILE_OPS | COND_OPS:
            results = chain.from_iterable(
                map(self._functions.results, self._functions.branches(op))
            )
            tensors = [
                tensor for result in results for tensor in self._functions.inputs(result)[:1]
            ] or tensors
        return [(tensor, self.of_tensor(tensor)) for tensor in tensors]

    def of_tensor(self, tensor: OpInput) -> list[Source]:
        """The sources of a tensor, of which at a call the last one recorded counts.

        None at all: its values can hold neither NaN nor infinity.
        """
        # What only passes on one tensor has its sources: each of a chain is looked at once.
        passing_on: dict[OpInput, None] = {}
        while tensor not in self._known and tensor not in passing_on:
            further = self._step(tensor)
            if not isinstance(further, list) or len(further) != 1 or self._initial_value(tensor):
                self._known[tensor] = self._walk([tensor])
                break
            passing_on[tensor] = None
            tensor = further[0]
        # Those of a circle are none.
        sources = self._known.get(tensor, [])
        self._known.update(dict.fromkeys(passing_on, sources))
        return sources

    def _of_argument(self, placeholder: OpKey) -> list[Source] | None:
        passed = self._passed(placeholder)
        if passed is None:
            return None
        return [passed] if isinstance(passed, ArgumentSource) else self._walk(passed)

    def _walk(self, tensors: list[OpInput]) -> list[Source]:
        found: list[Source] = []
        seen = set(tensors)
        todo = [(tensor, False) for tensor in tensors]
        while todo:
            tensor, is_initial = todo.pop()
            further = self._step(tensor)
            if not isinstance(further, list):
                if is_initial and isinstance(further, TracedSource):
                    further = replace(further, is_initial=True)
                found.append(further)
                continue
            new = [(each, is_initial) for each in further if each not in seen]
            initial = self._initial_value(tensor)
            if initial is not None and initial not in seen:
                # Behind all else: what is reached in another way too, is not the initial value.
                todo.insert(0, (initial, True))
                seen.add(initial)
            if len(seen) + len(new) > _MOST_TENSORS:
                found.append(UnseenSource(tensor.op, tensor.slot, is_call=False))
                continue
            seen.update(each for each, _ in new)
            todo += new
        return found

    def _initial_value(self, tensor: OpInput) -> OpInput | None:
        """What a loop was given that returns this tensor; ``None`` if no loop does."""
        if self._has_traces(tensor.op) or self._snapshot.op_type(tensor.op) not in WHILE_OPS:
            return None
        return self._functions.input_at(tensor.op, tensor.slot)

    def _step(self, tensor: OpInput) -> Source | list[OpInput]:
        """Where a tensor was recorded, or the tensors that it is one of."""
        op, slot = tensor.op, tensor.slot
        op_type = self._snapshot.op_type(op)
        if self._has_traces(op):
            return TracedSource(op, slot)
        runs_graphs = op_type is None or op_type in WHILE_OPS | COND_OPS
        unseen = UnseenSource(op, slot, is_call=runs_graphs)
        if op_type is None:
            callee = self._functions.called_function(op)
            return unseen if callee is None else self._result(callee, slot) or unseen
        if op_type in PLACEHOLDERS:
            return self._passed(op) or unseen
        if op_type in IDENTITIES:
            return self._functions.inputs(op)[:1] or unseen
        if op_type in _NEVER_FLOATS:
            return []
        if op_type not in WHILE_OPS | COND_OPS:
            return unseen
        branches = self._functions.branches(op)
        results = [tensor for graph in branches for tensor in self._result(graph, slot)]
        return results or unseen

    def _has_traces(self, op: OpKey) -> bool:
        return op < len(self._traces.per_op) and self._traces.per_op[op] > 0

    def _result(self, graph: GraphKey, slot: int) -> list[OpInput]:
        results = self._functions.results(graph)
        return self._functions.inputs(results[slot])[:1] if slot < len(results) else []

    def _passed(self, placeholder: OpKey) -> ArgumentSource | list[OpInput] | None:
        """What stands for a Placeholder outside of its graph; ``None`` where that is not known."""
        graph = self._snapshot.names.graph_of(placeholder)
        known = self._snapshot.graphs.get(graph)
        parameters = self._functions.parameters(graph)
        if known is None or placeholder not in parameters:
            return None
        argument = parameters[placeholder]
        flow = self._functions.control_flow(graph)
        if flow is None:
            return ArgumentSource(placeholder, argument, len(parameters), graph)
        inputs = self._functions.inputs(flow.op)
        if len(parameters) + flow.first_input != len(inputs):
            return None
        passed = [inputs[argument + flow.first_input]]
        if flow.is_loop:
            for body in self._functions.branches(flow.op):
                passed += [
                    carried
                    for carried in self._result(body, argument)
                    if carried.op not in self._functions.parameters(body)
                ]
        return passed
