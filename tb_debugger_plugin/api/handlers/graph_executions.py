"""Graph execution traces."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.errors import InvalidArgument
from tb_debugger_plugin.api.filters import dtype_number, facets_payload, search_text
from tb_debugger_plugin.api.pages import cut_page
from tb_debugger_plugin.api.payloads import (
    CallHeader,
    Facets,
    GraphExecution,
    GraphExecutionDigest,
    GraphExecutionDigests,
    GraphExecutionInput,
    GraphExecutionInputs,
    GraphExecutionPosition,
    GraphExecutionRow,
    GraphExecutionRows,
    GraphExecutions,
    Passes,
)
from tb_debugger_plugin.api.values import trace_debug_value, trace_health
from tb_debugger_plugin.index.tables import OpKey
from tb_debugger_plugin.runs.library import RunLibrary


def digests(library: RunLibrary, request: requests.GraphExecutionsPage) -> GraphExecutionDigests:
    """A page of traces in brief."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return GraphExecutionDigests(begin, end, total, [_digest(answer, i) for i in indices])


def data(library: RunLibrary, request: requests.GraphExecutionsPage) -> GraphExecutions:
    """A page of traces in full."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return GraphExecutions(begin, end, total, [_graph_execution(answer, i) for i in indices])


def rows(library: RunLibrary, request: requests.GraphExecutionRowsPage) -> GraphExecutionRows:
    """A page of the list as shown: headings and traces."""
    answer = answer_from(library, request.run)
    wanted = _filter(answer, request)
    listed = answer.view.trace_list(wanted, collapse=request.collapse)
    folding = answer.view.folding(wanted) if request.collapse else None
    positions = answer.view.positions(wanted)
    begin, end = cut_page(request.begin, request.end, listed.num_rows)

    def row(is_heading: bool, index: int) -> GraphExecutionRow:
        if is_heading:
            return GraphExecutionRow(_heading(answer, index), None, None)
        passes = None if folding is None else folding.passes(index)
        return GraphExecutionRow(
            call=None,
            graph_execution=_graph_execution(answer, index),
            passes=None
            if passes is None
            else Passes(
                passes.num_passes, passes.num_bad, passes.first_bad_index, passes.last_index
            ),
        )

    return GraphExecutionRows(
        begin,
        end,
        listed.num_rows,
        len(answer.snapshot.traces) if positions is None else len(positions),
        [row(is_heading, index) for is_heading, index in listed.slice(begin, end)],
    )


def position(library: RunLibrary, request: requests.GraphExecutionAt) -> GraphExecutionPosition:
    """The row of a trace in the list as shown."""
    answer = answer_from(library, request.run)
    answer.trace_row(request.index)
    wanted = _filter(answer, request)
    positions = answer.view.positions(wanted)
    index: int | None = request.index
    if positions is not None:
        place = int(np.searchsorted(positions, request.index))
        index = int(positions[place]) if place < len(positions) else None
    exact = index == request.index
    if request.collapse and index is not None:
        index = answer.view.first_pass(wanted, index)
    listed = answer.view.trace_list(wanted, collapse=request.collapse)
    row = None if index is None else int(listed.row_of[np.searchsorted(listed.positions, index)])
    return GraphExecutionPosition(
        row=row if exact else None, nearest_row=row, num_rows=listed.num_rows
    )


def facets(library: RunLibrary, request: requests.OfRun) -> Facets:
    """What there is to filter by."""
    answer = answer_from(library, request.run)
    return facets_payload(answer, answer.view.trace_facets)


def inputs(library: RunLibrary, request: requests.AtIndex) -> GraphExecutionInputs:
    """What made the inputs of a trace's op at that call."""
    answer = answer_from(library, request.run)
    row = answer.trace_row(request.index)
    producers, snapshot = answer.view.producers, answer.snapshot
    call = producers.call_of_trace(row)
    op = OpKey(int(snapshot.traces.op[row]))
    found = []
    for slot, tensor in enumerate(answer.view.functions.inputs(op)):
        argument = producers.argument_index(tensor.op)
        found.append(
            GraphExecutionInput(
                input_slot=slot,
                op_name=snapshot.names.op_name(tensor.op),
                op_type=snapshot.op_type(tensor.op),
                output_slot=tensor.slot,
                argument_index=argument,
                producer=answer.producer(producers.origin(tensor, call)),
            )
        )
    own_argument = producers.argument_index(op)
    if own_argument is not None:
        found.append(
            GraphExecutionInput(
                input_slot=0,
                op_name=snapshot.names.op_name(op),
                op_type=snapshot.op_type(op),
                output_slot=0,
                argument_index=own_argument,
                producer=answer.producer(producers.argument_origin(op, call)),
            )
        )
    return GraphExecutionInputs(request.index, found)


def _filter(answer: RunAnswer, request: requests.GraphExecutionFilter) -> TraceFilter:
    graph = None if request.graph_id is None else answer.find_graph(request.graph_id)
    op = None
    if request.op_name is not None:
        if request.graph_id is None:
            raise InvalidArgument("parameter 'op_name' needs 'graph_id' beside it")
        op = answer.find_op(request.graph_id, request.op_name)
    return TraceFilter(
        text=search_text(request.text, is_regex=request.regex),
        is_regex=request.regex,
        values=ValueFilter(request.inf_nan, request.all_zero, dtype_number(request.dtype)),
        device=request.device,
        graph=graph,
        op=op,
        execution_row=None
        if request.execution_index is None
        else answer.execution_row(request.execution_index),
        begin_time=request.begin_time,
        end_time=request.end_time,
    )


def _page(
    answer: RunAnswer, request: requests.GraphExecutionsPage
) -> tuple[int, int, int, list[int]]:
    positions = answer.view.positions(_filter(answer, request))
    total = len(answer.snapshot.traces) if positions is None else len(positions)
    begin, end = cut_page(request.begin, request.end, total)
    indices = list(range(begin, end)) if positions is None else positions[begin:end].tolist()
    return begin, end, total, indices


def _digest(answer: RunAnswer, index: int) -> GraphExecutionDigest:
    row = answer.trace_row(index)
    snapshot = answer.snapshot
    traces = snapshot.traces
    op = int(traces.op[row])
    return GraphExecutionDigest(
        index=index,
        wall_time=float(traces.wall_time[row]),
        op_type=snapshot.op_type(op) or "",
        op_name=snapshot.names.op_name(op),
        output_slot=int(traces.output_slot[row]),
        graph_id=answer.graph_id(snapshot.names.graph_of(op)),
    )


def _graph_execution(answer: RunAnswer, index: int) -> GraphExecution:
    digest = _digest(answer, index)
    snapshot = answer.snapshot
    traces = snapshot.traces
    row = answer.trace_row(index)
    graph = snapshot.names.graph_of(int(traces.op[row]))
    execution_row = int(answer.view.calls[row])
    alert = int(answer.view.alert_of_trace[row])
    return GraphExecution(
        index=digest.index,
        wall_time=digest.wall_time,
        op_type=digest.op_type,
        op_name=digest.op_name,
        output_slot=digest.output_slot,
        graph_id=digest.graph_id,
        graph_ids=[answer.graph_id(key) for key in snapshot.graph_path(graph)],
        graph_name=answer.graph_name(graph),
        tensor_debug_mode=int(traces.mode[row]),
        debug_tensor_value=trace_debug_value(snapshot, row),
        device_name=answer.string(int(traces.device[row])),
        host_name=snapshot.host_of_file[int(traces.file[row])],
        health=trace_health(snapshot, row),
        execution_index=None if execution_row < 0 else answer.execution_index(execution_row),
        alert_index=None if alert < 0 else alert,
    )


def _heading(answer: RunAnswer, index: int) -> CallHeader:
    snapshot = answer.snapshot
    row = answer.trace_row(index)
    graph = snapshot.names.graph_of(int(snapshot.traces.op[row]))
    execution_row = int(answer.view.calls[row])
    op_type = (
        None
        if execution_row < 0
        else answer.string(int(snapshot.executions.op_type[execution_row]))
    )
    function = None if op_type is None else parse_function_name(op_type)
    return CallHeader(
        graph_id=answer.graph_id(graph),
        graph_name=answer.graph_name(graph),
        execution_index=None if execution_row < 0 else answer.execution_index(execution_row),
        execution_op_type=op_type,
        execution_function_name=function.python_name if function else None,
    )
