"""Graphs and their ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from tb_debugger_plugin.analyses.graph_functions import Consumers
from tb_debugger_plugin.analyses.producers import Call
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.errors import NotFound, quote
from tb_debugger_plugin.api.pages import MAX_PAGE, cut_page
from tb_debugger_plugin.api.payloads import (
    ConsumerEdge,
    ConsumerLink,
    FunctionArgument,
    GraphInfo,
    Graphs,
    InputEdge,
    Neighborhood,
    NodeOutput,
    OpDigest,
    OpLink,
    OpNode,
    OutputEdges,
)
from tb_debugger_plugin.api.values import trace_health
from tb_debugger_plugin.events.batches import HAS_INF_NAN
from tb_debugger_plugin.index.tables import GraphKey, OpKey
from tb_debugger_plugin.runs.library import RunLibrary

_MOST_INPUTS_LISTED = 500
_MOST_OUTPUTS_LISTED = 64
_MOST_USED_OUTPUTS_LISTED = 128
_MOST_CONSUMERS_LISTED = 500
_MOST_INNER_GRAPHS_LISTED = 1000
_MOST_LISTED_BY_NESTED_OP = 50
_MOST_FRAMES_OF_NESTED_OP = 200


def listing(library: RunLibrary, request: requests.PageOfRun) -> Graphs:
    """Graphs in the order of their creation."""
    answer = answer_from(library, request.run)
    graphs = list(answer.snapshot.graphs)
    begin, end = cut_page(request.begin, request.end, len(graphs))
    return Graphs(begin, end, len(graphs), [_graph_info(answer, key) for key in graphs[begin:end]])


def graph_info(library: RunLibrary, request: requests.GraphOf) -> GraphInfo:
    """One graph."""
    answer = answer_from(library, request.run)
    graph = answer.find_graph(request.graph_id)
    if graph not in answer.snapshot.graphs:
        raise NotFound(f"the graph with id {quote(request.graph_id)} is named, but not recorded")
    return _graph_info(answer, graph)


def op_info(library: RunLibrary, request: requests.OpOf) -> OpDigest:
    """An op's creation, what feeds it and what it feeds."""
    answer = answer_from(library, request.run)
    op = answer.find_op(request.graph_id, request.op_name)
    if answer.snapshot.row_of_op(op) is None:
        raise NotFound(
            f"the creation of op {quote(request.op_name)} in the graph with id "
            f"{quote(request.graph_id)} was not recorded"
        )
    return _op_digest(answer, op)


def neighborhood(library: RunLibrary, request: requests.NeighborhoodOf) -> Neighborhood:
    """An op between its inputs and consumers."""
    answer = answer_from(library, request.run)
    op = answer.find_op(request.graph_id, request.op_name)
    call, is_own = _call_in_view(answer, op, request.graph_execution_trace_index)
    snapshot, functions = answer.snapshot, answer.view.functions
    inputs = functions.inputs(op, range(_MOST_INPUTS_LISTED))
    positions = answer.view.producers.trace_positions(op)
    # A consumer runs after the op's own trace; of another's it is not known.
    later: Literal["else", "first"] = "first" if is_own else "else"
    rows = positions if snapshot.trace_order is None else snapshot.trace_order[positions]
    return Neighborhood(
        graph_path=[
            answer.graph_reference(key) for key in snapshot.graph_path(snapshot.names.graph_of(op))
        ],
        op=_node(answer, op, call),
        num_inputs=functions.num_inputs(op),
        inputs=[
            InputEdge(slot, tensor.slot, _node(answer, tensor.op, call))
            for slot, tensor in enumerate(inputs)
        ],
        outputs=[
            OutputEdges(
                slot,
                consumers.number,
                [
                    ConsumerEdge(input_slot, _node(answer, consumer, call, later=later))
                    for consumer, input_slot in consumers.first
                ],
            )
            for slot, consumers in _listed_outputs(answer, op, request.limit)
        ],
        execution_index=None
        if call is None or call.execution_row < 0
        else answer.execution_index(call.execution_row),
        num_graph_executions=len(positions),
        num_alerts=int((snapshot.traces.values.bad[rows] == HAS_INF_NAN).sum()),
        first_graph_execution_index=int(positions[0]) if len(positions) else None,
    )


def _call_in_view(
    answer: RunAnswer, op: OpKey, trace_index: int | None
) -> tuple[Call | None, bool]:
    """The call that a trace belongs to, and whether the trace is the op's own."""
    if trace_index is None:
        return None, False
    row = answer.trace_row(trace_index)
    call = answer.view.producers.call_of_trace(row)
    # The trace itself counts too.
    return Call(call.execution_row, call.before + 1), int(answer.snapshot.traces.op[row]) == op


def _graph_info(answer: RunAnswer, key: GraphKey) -> GraphInfo:
    graph = answer.snapshot.graphs[key]
    inner = answer.view.functions.inner_graphs(key)
    return GraphInfo(
        name=graph.name,
        graph_id=graph.graph_id,
        outer_graph_id=None if graph.outer is None else answer.graph_id(graph.outer),
        inner_graph_ids=[answer.graph_id(each) for each in inner[:_MOST_INNER_GRAPHS_LISTED]],
        num_ops=answer.view.functions.num_ops(key),
        num_graph_executions=int(answer.view.traces_per_graph[key]),
    )


_NO_CONSUMERS = Consumers(0, [])


def _listed_outputs(answer: RunAnswer, op: OpKey, most: int) -> list[tuple[int, Consumers]]:
    """The first output slots and those that are used, each with its consumers.

    Of all of them together ``_MOST_CONSUMERS_LISTED`` are told, of each one ``most``.
    """
    used = answer.view.functions.consumers(op, _MOST_CONSUMERS_LISTED, _MOST_USED_OUTPUTS_LISTED)
    first = range(min(_num_outputs(answer, op), _MOST_OUTPUTS_LISTED))
    return [
        (slot, Consumers(found.number, found.first[:most]))
        for slot in sorted({*first, *used})
        for found in [used.get(slot, _NO_CONSUMERS)]
    ]


def _num_outputs(answer: RunAnswer, op: OpKey) -> int:
    row = answer.snapshot.row_of_op(op)
    if row is None:
        return 0
    ends = answer.snapshot.ops.output_end
    return int(ends[row + 1] - ends[row])


def _node(
    answer: RunAnswer, op: OpKey, call: Call | None, later: Literal["else", "first"] = "else"
) -> OpNode:
    snapshot, producers = answer.snapshot, answer.view.producers
    num_outputs = _num_outputs(answer, op)
    outputs = []
    for slot in range(min(max(num_outputs, 1), _MOST_OUTPUTS_LISTED)):
        row = None if call is None else producers.value_in_call(op, slot, call, later)
        if num_outputs == 0 and row is None:
            continue
        outputs.append(
            NodeOutput(
                output_slot=slot,
                graph_execution_trace_index=None if row is None else answer.trace_index(row),
                health=None if row is None else trace_health(snapshot, row),
            )
        )
    argument_index = producers.argument_index(op)
    argument = None
    if argument_index is not None:
        origin = producers.argument_origin(op, call or Call(-1, 0))
        argument = FunctionArgument(argument_index, answer.producer(origin))
    return OpNode(
        graph_id=answer.graph_id(snapshot.names.graph_of(op)),
        op_name=snapshot.names.op_name(op),
        op_type=snapshot.op_type(op),
        num_outputs=num_outputs,
        outputs=outputs,
        argument=argument,
    )


def _op_digest(answer: RunAnswer, op: OpKey) -> OpDigest:
    """The op's record, with those of the ops that it is linked to."""
    records: dict[OpKey, OpDigest | None] = {}

    def record_of(linked: OpKey) -> OpDigest | None:
        if linked not in records:
            has_record = answer.snapshot.row_of_op(linked) is not None
            records[linked] = _op_record(answer, linked, _of_nested) if has_record else None
        return records[linked]

    return _op_record(answer, op, record_of)


def _of_nested(linked: OpKey) -> None:
    """Nested in another's answer an op's own links carry no records."""


def _op_record(
    answer: RunAnswer, op: OpKey, record_of: Callable[[OpKey], OpDigest | None]
) -> OpDigest:
    snapshot, functions = answer.snapshot, answer.view.functions
    ops = snapshot.ops
    row = snapshot.row_of_op(op)
    assert row is not None
    is_nested = record_of is _of_nested
    most_inputs = _MOST_LISTED_BY_NESTED_OP if is_nested else _MOST_INPUTS_LISTED
    most_consumers = _MOST_LISTED_BY_NESTED_OP if is_nested else _MOST_CONSUMERS_LISTED
    most_frames = _MOST_FRAMES_OF_NESTED_OP if is_nested else MAX_PAGE * 10
    location = snapshot.location(int(ops.location[row]))
    num_outputs = _num_outputs(answer, op)
    slots = range(min(num_outputs, _MOST_LISTED_BY_NESTED_OP if is_nested else MAX_PAGE))
    first_output = int(ops.output_end[row])
    outputs = ops.output_tensor_id[first_output : first_output + len(slots)].tolist()
    used = functions.consumers(op, most_consumers, len(slots))
    consumers = [used.get(slot, _NO_CONSUMERS) for slot in slots]
    return OpDigest(
        wall_time=float(ops.wall_time[row]),
        op_type=snapshot.names.strings.values[ops.op_type[row]],
        op_name=snapshot.names.op_name(op),
        output_tensor_ids=outputs or None,
        num_outputs=num_outputs,
        host_name=location.host_name or None,
        stack_frame_ids=list(location.frame_ids[-most_frames:]),
        device_name=None,
        graph_ids=[
            answer.graph_id(key) for key in snapshot.graph_path(snapshot.names.graph_of(op))
        ],
        inputs=[
            OpLink(snapshot.names.op_name(tensor.op), tensor.slot, record_of(tensor.op))
            for tensor in functions.inputs(op, range(most_inputs))
        ],
        consumers=[
            [
                ConsumerLink(snapshot.names.op_name(consumer), input_slot, record_of(consumer))
                for consumer, input_slot in uses.first
            ]
            for uses in consumers
        ],
        num_consumers=[uses.number for uses in consumers],
    )
