"""What made a value: from an input of an op, at one call, back to where it was recorded.

Ops that only pass a value on leave no trace (Identity), nor do most function arguments. The walk
goes through them: to the caller's op or eager execution for an argument, to the previous iteration
for a loop-carried value, to the returned op for the output of a call. It ends at the first value
that was recorded, or says why there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from tb_debugger_plugin.analyses.function_names import is_backward_graph, parse_function_name
from tb_debugger_plugin.analyses.graph_functions import (
    IDENTITIES,
    PLACEHOLDERS,
    GraphFunctions,
    OpInput,
    find_by_suffix,
)
from tb_debugger_plugin.analyses.grouping import Grouping
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.time_order import EVERY_ROW
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.tables import Graph, GraphKey, OpKey

_MAX_STEPS = 64
_MAX_PLACES = 256
_MAX_LOOK_BACK = 256
_MAX_CANDIDATES = 64
"""Functions of one name that are looked at, the latest ones."""
_MOST_REMEMBERED = 4096

NOT_RECORDED = "TensorFlow recorded no value of this tensor."
EAGER_UNKNOWN = (
    "Not made by a recorded execution: a constant, a NumPy value, or an execution that is lost."
)
NESTED_CALL = "TensorFlow does not record the arguments of a function called inside a graph."
CALL_UNKNOWN = "TensorFlow does not record which function this call ran."
CALLER_UNKNOWN = "The call that ran this function is not recorded."
ARGUMENTS_DIFFER = "The function's arguments cannot be matched with the call's inputs."
TOO_FAR = "The value passes through too many ops that leave no trace."


@dataclass(frozen=True)
class Origin:
    """Where a value was recorded, as far as known; all ``None`` and a reason where it was not.

    ``op`` and ``slot`` name the tensor in its graph, ``trace_row`` the trace that holds its value.
    For an eager tensor ``execution_row`` and ``execution_slot`` name the execution that made it;
    if that ran a function, ``op`` is the op in it that computed the output.
    """

    op: OpKey | None = None
    slot: int | None = None
    trace_row: int | None = None
    execution_row: int | None = None
    execution_slot: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class Call:
    """The call in view: values are looked up in this execution, before ``trace_row``'s time.

    ``execution_row`` is -1 where the call is not known.
    """

    execution_row: int
    before: int
    """A position in trace order: only earlier traces count."""


_Asked = tuple[OpKey, int, Call, bool]


class _Walk:
    """One search: how many steps it may still take, and what it has found wherever it has been.

    Branches and loop bodies meet again, so that without it a search doubles at each of them.
    """

    def __init__(self, steps: int = _MAX_STEPS, found: dict[_Asked, Origin] | None = None) -> None:
        self.steps = steps
        self.found: dict[_Asked, Origin] = {} if found is None else found

    def further(self) -> _Walk:
        """The same search, a step on."""
        return _Walk(self.steps - 1, self.found)


class Producers:
    """Answers for one snapshot."""

    def __init__(self, traces: JoinedTraces, functions: GraphFunctions) -> None:
        self._snapshot = traces.snapshot
        self._traces = traces
        self._functions = functions
        # Positions in trace order, as everything that is compared with a place in time.
        self._by_op = Grouping(traces.snapshot.traces.op[traces.order.rows(EVERY_ROW)])
        self._function_graphs: dict[int, GraphKey | None] = {}

    def trace_positions(self, op: OpKey) -> Int32s:
        """Where the op's traces stand in trace order, ascending."""
        return self._by_op.rows(op)

    def last_trace_positions(self, ops: Int64s, before: Int64s) -> Int64s:
        """Where the last trace of each op before a position stands; -1 for none."""
        return self._by_op.last_below(ops, before)

    def call_of_trace(self, trace_row: int) -> Call:
        """The call that a trace belongs to, up to the trace itself."""
        return Call(int(self._traces.calls[trace_row]), self._traces.order.index(trace_row))

    def value_in_call(
        self,
        op: OpKey,
        slot: int,
        call: Call,
        later: Literal["never", "else", "first"] = "never",
    ) -> int | None:
        """The row of the op's trace in the call: the last one before.

        ``later`` says whether the next one counts too, or even first. In a loop an op that feeds
        another has the same iteration's last one before it, and a consumer the next one.
        """
        positions = self.trace_positions(op)
        here = int(np.searchsorted(positions, np.int32(call.before)))
        candidates = positions[max(here - _MAX_LOOK_BACK, 0) : here][::-1]
        if later != "never":
            following = positions[here : here + _MAX_LOOK_BACK]
            parts = [following, candidates] if later == "first" else [candidates, following]
            candidates = np.concatenate(parts)
        rows = self._traces.order.rows(candidates.astype(np.int64))
        fits = self._snapshot.traces.output_slot[rows] == slot
        fits &= self._traces.calls[rows] == call.execution_row
        return int(rows[np.argmax(fits)]) if fits.any() else None

    def eager_producer(self, tensor_id: int, execution_row: int) -> tuple[int, int] | None:
        """Row and output slot of the execution that made an eager tensor before a row."""
        return self._traces.eager_tensors.maker(tensor_id, execution_row)

    def argument_index(self, op: OpKey) -> int | None:
        """Which argument of its graph a Placeholder is; ``None`` if the op is none."""
        if self._snapshot.op_type(op) not in PLACEHOLDERS:
            return None
        if self._is_outermost(self._snapshot.names.graph_of(op)):
            return None
        return self._functions.parameters(self._snapshot.names.graph_of(op)).get(op)

    def origin(self, tensor: OpInput, call: Call) -> Origin:
        """Where the value of a tensor was recorded at a call."""
        return self._origin(tensor.op, tensor.slot, call, _Walk(), argument_only=False)

    def argument_origin(self, placeholder: OpKey, call: Call) -> Origin:
        """What the caller passed for a Placeholder, even if the Placeholder left a trace."""
        return self._origin(placeholder, 0, call, _Walk(), argument_only=True)

    def _origin(
        self, op: OpKey, slot: int, call: Call, walk: _Walk, *, argument_only: bool
    ) -> Origin:
        asked = (op, slot, call, argument_only)
        if walk.steps <= 0 or asked in walk.found or len(walk.found) >= _MAX_PLACES:
            return walk.found.get(asked, Origin(op, slot, reason=TOO_FAR))
        # Until it is known: who comes back here goes round in a circle.
        walk.found[asked] = Origin(op, slot, reason=TOO_FAR)
        walk.found[asked] = self._find_origin(op, slot, call, walk, argument_only)
        return walk.found[asked]

    def _find_origin(
        self, op: OpKey, slot: int, call: Call, walk: _Walk, argument_only: bool
    ) -> Origin:
        argument = self.argument_index(op)
        if argument is None or not argument_only:
            row = self.value_in_call(op, slot, call)
            if row is not None and argument is None:
                return Origin(op, slot, trace_row=row)
        if argument is not None:
            passed = self._passed_argument(op, argument, call, walk)
            if passed.reason is None or argument_only:
                return passed
            row = self.value_in_call(op, slot, call)
            return Origin(op, slot, trace_row=row) if row is not None else passed
        return self._origin_of_untraced(op, slot, call, walk)

    def _origin_of_untraced(self, op: OpKey, slot: int, call: Call, walk: _Walk) -> Origin:
        op_type = self._snapshot.op_type(op)
        if op_type in IDENTITIES:
            passed = self._functions.input_at(op, 0)
            if passed is not None:
                return self._step(passed, call, walk)
        if op_type is None:
            callee = self._functions.called_function(op)
            if callee is None:
                return Origin(op, slot, reason=CALL_UNKNOWN)
            return self._result(callee, slot, call, walk) or Origin(op, slot, reason=CALL_UNKNOWN)
        branches = self._functions.branches(op)
        results = [self._result(graph, slot, call, walk) for graph in branches]
        recorded = [r for r in results if r is not None and r.trace_row is not None]
        if recorded:
            return max(recorded, key=self._time)
        given = self._functions.input_at(op, slot)
        if len(branches) == 1 and given is not None:
            # A loop that never ran its body returns what it was given.
            return self._step(given, call, walk)
        return Origin(op, slot, reason=NOT_RECORDED)

    def _step(self, tensor: OpInput, call: Call, walk: _Walk) -> Origin:
        return self._origin(tensor.op, tensor.slot, call, walk.further(), argument_only=False)

    def _time(self, origin: Origin) -> int:
        return -1 if origin.trace_row is None else self._traces.order.index(origin.trace_row)

    def _result(self, graph: GraphKey, slot: int, call: Call, walk: _Walk) -> Origin | None:
        """The origin of a graph's result number ``slot``; ``None`` if it has no such result."""
        results = self._functions.results(graph)
        if slot >= len(results):
            return None
        tensor = self._functions.input_at(results[slot], 0)
        return None if tensor is None else self._step(tensor, call, walk)

    def _passed_argument(self, op: OpKey, argument: int, call: Call, walk: _Walk) -> Origin:
        graph = self._snapshot.names.graph_of(op)
        flow = self._functions.control_flow(graph)
        if flow is not None:
            num_inputs = len(self._functions.parameters(graph)) + flow.first_input
            tensor = self._functions.input_at(flow.op, argument + flow.first_input)
            if tensor is None or num_inputs != self._functions.num_inputs(flow.op):
                return Origin(op, 0, reason=ARGUMENTS_DIFFER)
            given = self._step(tensor, call, walk)
            if not flow.is_loop:
                return given
            carried = self._carried(flow.op, argument, call, walk)
            return max((given, carried), key=self._time) if carried else given
        return self._passed_by_execution(op, graph, argument, call, walk)

    def _carried(self, loop: OpKey, argument: int, call: Call, walk: _Walk) -> Origin | None:
        """The value that the previous iteration of a loop left for an argument."""
        for body in self._functions.branches(loop):
            results = self._functions.results(body)
            if argument >= len(results):
                continue
            tensor = self._functions.input_at(results[argument], 0)
            if tensor is not None and tensor.op not in self._functions.parameters(body):
                return self._step(tensor, call, walk)
        return None

    def _passed_by_execution(
        self, op: OpKey, graph: GraphKey, argument: int, call: Call, walk: _Walk
    ) -> Origin:
        if call.execution_row < 0:
            return Origin(op, 0, reason=CALLER_UNKNOWN)
        if not self._is_function_of(graph, call.execution_row):
            return Origin(op, 0, reason=NESTED_CALL)
        executions = self._snapshot.executions
        begin = int(executions.input_end[call.execution_row])
        end = int(executions.input_end[call.execution_row + 1])
        if len(self._functions.parameters(graph)) != end - begin:
            return Origin(op, 0, reason=ARGUMENTS_DIFFER)
        tensor_id = int(executions.input_tensor_id[begin + argument])
        made = self._traces.eager_tensors.maker(tensor_id, call.execution_row)
        if made is None:
            return Origin(op, 0, reason=EAGER_UNKNOWN)
        return self._execution_output(*made, walk.further())

    def execution_output(self, execution_row: int, slot: int) -> Origin:
        """The origin of an execution's output; for a function, the op in it that computed it."""
        return self._execution_output(execution_row, slot, _Walk())

    def _execution_output(self, execution_row: int, slot: int, walk: _Walk) -> Origin:
        eager = Origin(execution_row=execution_row, execution_slot=slot)
        result = self.function_result(execution_row, slot)
        if result is None or walk.steps <= 0:
            return eager
        call = Call(execution_row, self._end_of_call(execution_row))
        inner = self._origin(result.op, result.slot, call, walk.further(), argument_only=False)
        if inner.execution_row is not None:
            return inner
        return replace(inner, execution_row=execution_row, execution_slot=slot, reason=None)

    def function_result(self, execution_row: int, slot: int) -> OpInput | None:
        """The tensor in the function's graph that became an output of its execution."""
        graph = self.function_graph(execution_row)
        if graph is None:
            return None
        executions = self._snapshot.executions
        ends = executions.output_end
        num_outputs = int(ends[execution_row + 1] - ends[execution_row])
        results = self._functions.results(graph)
        op_type = self._snapshot.names.strings.values[executions.op_type[execution_row]]
        function = parse_function_name(op_type)
        if slot < len(results) <= num_outputs and (
            len(results) == num_outputs or (function is not None and function.kind == "forward")
        ):
            return self._functions.input_at(results[slot], 0)
        if function is not None and function.kind == "forward":
            return self._saved_for_gradient(graph, slot - num_outputs)
        return None

    def num_forward_results(self, execution_row: int) -> int | None:
        """How many of a forward function's outputs it returns; its gradient needs the others.

        ``None`` where that cannot be told, and for anything but a forward function.
        """
        executions = self._snapshot.executions
        op_type = self._snapshot.names.strings.values[executions.op_type[execution_row]]
        function = parse_function_name(op_type)
        if function is None or function.kind != "forward":
            return None
        graph = self.function_graph(execution_row)
        if graph is None:
            return None
        ends = executions.output_end
        num_outputs = int(ends[execution_row + 1] - ends[execution_row])
        num_results = len(self._functions.results(graph))
        return num_results if 0 < num_results <= num_outputs else None

    def _saved_for_gradient(self, graph: GraphKey, from_end: int) -> OpInput | None:
        """A forward function's further output: a tensor that the gradient captured.

        Its gradient's last Placeholders stand for these outputs, and are named after the forward
        tensor's op.
        """
        forward = self._snapshot.graphs.get(graph)
        if forward is None or forward.name is None:
            return None
        stem = f"__backward_{forward.name}_"
        for backward in self._functions.named_from(stem)[:_MAX_CANDIDATES]:
            if backward.outer != forward.outer:
                continue
            parameters = list(self._functions.parameters(backward.key))
            if -from_end > len(parameters):
                continue
            wanted = self._snapshot.names.op_name(parameters[from_end])
            found = find_by_suffix(self._functions.ops_by_name(graph), wanted)
            if found is not None:
                return OpInput(found, 0)
        return None

    def function_graph(self, execution_row: int) -> GraphKey | None:
        """The graph of the function that an execution ran, known by id or by its name."""
        executions = self._snapshot.executions
        graph = int(executions.graph[execution_row])
        if graph >= 0:
            return GraphKey(graph)
        if execution_row not in self._function_graphs:
            if len(self._function_graphs) >= _MOST_REMEMBERED:
                self._function_graphs = {}
            self._function_graphs[execution_row] = self._find_function_graph(execution_row)
        return self._function_graphs[execution_row]

    def _find_function_graph(self, execution_row: int) -> GraphKey | None:
        executions = self._snapshot.executions
        op_type = self._snapshot.names.strings.values[executions.op_type[execution_row]]
        function = parse_function_name(op_type)
        if function is None:
            return None
        wanted = (
            op_type.removeprefix("__inference_").rpartition("_")[0]
            if function.kind == "backward"
            else function.python_name
        )
        started = float(executions.wall_time[execution_row])
        named = [g for g in self._functions.named(wanted) if g.wall_time <= started]
        # Retraced functions share a name; with equal signatures the traces of the call decide.
        ran = self._graphs_of_call(execution_row)
        chosen = self._last_that_fits([g for g in named if g.key in ran], execution_row)
        return self._last_that_fits(named, execution_row) if chosen is None else chosen

    def _last_that_fits(self, graphs: list[Graph], execution_row: int) -> GraphKey | None:
        ends = self._snapshot.executions.input_end
        num_inputs = int(ends[execution_row + 1] - ends[execution_row])
        for graph in reversed(graphs[-_MAX_CANDIDATES:]):
            if len(self._functions.parameters(graph.key)) == num_inputs:
                return graph.key
        return None

    def _graphs_of_call(self, execution_row: int) -> set[int]:
        """The graphs in which ops ran in a call."""
        rows = self._traces.order.rows(self._traces.of_call(execution_row))
        ops = np.unique(self._snapshot.traces.op[rows])
        return set(self._snapshot.names.op_graph.view()[ops].tolist())

    def _is_function_of(self, graph: GraphKey, execution_row: int) -> bool:
        known = self.function_graph(execution_row)
        return known == graph

    def _is_outermost(self, graph: GraphKey) -> bool:
        known = self._snapshot.graphs.get(graph)
        return known is not None and known.outer is None and not is_backward_graph(known.name)

    def _end_of_call(self, execution_row: int) -> int:
        """The position in trace order behind the last trace of an execution."""
        ended = float(self._snapshot.executions.wall_time[execution_row])
        return self._traces.order.place(ended, "right")
