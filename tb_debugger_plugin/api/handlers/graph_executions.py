"""Graph execution traces."""

from __future__ import annotations

from tb_debugger_plugin.analyses import passes as passes_of_loop
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.trace_selection import TraceSelection
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.analyses.values import trace_values
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.errors import InvalidArgument
from tb_debugger_plugin.api.filters import (
    dtype_number,
    facets_payload,
    nearest,
    page_of,
    place_of,
    search_text,
)
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
from tb_debugger_plugin.api.values import debug_tensor_value, health
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.tables import GraphKey, OpKey
from tb_debugger_plugin.runs.library import RunLibrary

_MOST_INPUTS_LISTED = 500


def digests(library: RunLibrary, request: requests.GraphExecutionsPage) -> GraphExecutionDigests:
    """A page of traces in brief."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return GraphExecutionDigests(begin, end, total, _digests(answer, indices))


def data(library: RunLibrary, request: requests.GraphExecutionsPage) -> GraphExecutions:
    """A page of traces in full."""
    answer = answer_from(library, request.run)
    begin, end, total, indices = _page(answer, request)
    return GraphExecutions(begin, end, total, _graph_executions(answer, indices))


def rows(library: RunLibrary, request: requests.GraphExecutionRowsPage) -> GraphExecutionRows:
    """A page of the list as shown: headings and traces."""
    answer = answer_from(library, request.run)
    selected = _select(answer, request)
    listed = selected.folded_rows if request.collapse else selected.rows
    folding = selected.folding if request.collapse else None
    begin, end = cut_page(request.begin, request.end, listed.num_rows)
    is_heading, indices = listed.slice(begin, end)
    headings = iter(_headings(answer, indices[is_heading]))
    traces = iter(_graph_executions(answer, indices[~is_heading]))
    page = []
    for heads, index in zip(is_heading.tolist(), indices.tolist(), strict=True):
        if heads:
            page.append(GraphExecutionRow(next(headings), None, None))
        else:
            passes = None if folding is None else folding.passes(index)
            page.append(GraphExecutionRow(None, next(traces), _passes(passes)))
    return GraphExecutionRows(begin, end, listed.num_rows, len(selected), page)


def position(library: RunLibrary, request: requests.GraphExecutionAt) -> GraphExecutionPosition:
    """The row of a trace in the list as shown."""
    answer = answer_from(library, request.run)
    answer.trace_row(request.index)
    selected = _select(answer, request)
    found = nearest(selected.positions, request.index)
    exact = found == request.index
    listed = selected.folded_rows if request.collapse else selected.rows
    row = None
    if found is not None:
        shown = selected.first_pass(found) if request.collapse else found
        row = listed.row_of(place_of(listed.positions, shown))
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
    for slot, tensor in enumerate(answer.view.functions.inputs(op, range(_MOST_INPUTS_LISTED))):
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


def _select(answer: RunAnswer, request: requests.GraphExecutionFilter) -> TraceSelection:
    graph = None if request.graph_id is None else answer.find_graph(request.graph_id)
    op = None
    if request.op_name is not None:
        if request.graph_id is None:
            raise InvalidArgument("parameter 'op_name' needs 'graph_id' beside it")
        op = answer.find_op(request.graph_id, request.op_name)
    wanted = TraceFilter(
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
    return answer.view.select_traces(wanted)


def _page(answer: RunAnswer, request: requests.GraphExecutionsPage) -> tuple[int, int, int, Int64s]:
    selected = _select(answer, request)
    begin, end = cut_page(request.begin, request.end, len(selected))
    return begin, end, len(selected), page_of(selected.positions, begin, end)


def _digests(answer: RunAnswer, indices: Int64s) -> list[GraphExecutionDigest]:
    snapshot = answer.snapshot
    traces, names = snapshot.traces, snapshot.names
    rows = answer.traces.rows(indices)
    return [
        GraphExecutionDigest(
            index=index,
            wall_time=wall_time,
            op_type=snapshot.op_type(op) or "",
            op_name=names.op_name(op),
            output_slot=slot,
            graph_id=answer.graph_id(names.graph_of(op)),
        )
        for index, wall_time, op, slot in zip(
            indices.tolist(),
            traces.wall_time[rows].tolist(),
            traces.op[rows].tolist(),
            traces.output_slot[rows].tolist(),
            strict=True,
        )
    ]


def _graph_executions(answer: RunAnswer, indices: Int64s) -> list[GraphExecution]:
    snapshot = answer.snapshot
    traces, strings = snapshot.traces, snapshot.names.strings.values
    rows = answer.traces.rows(indices)
    graphs: dict[GraphKey, tuple[list[str], str | None]] = {}
    page = []
    for digest, op, device, file, execution_row, alert, value in zip(
        _digests(answer, indices),
        traces.op[rows].tolist(),
        traces.device[rows].tolist(),
        traces.file[rows].tolist(),
        answer.view.calls[rows].tolist(),
        answer.view.alerts.of_traces(indices).tolist(),
        trace_values(snapshot, rows),
        strict=True,
    ):
        graph = snapshot.names.graph_of(op)
        if graph not in graphs:
            path = [answer.graph_id(key) for key in snapshot.graph_path(graph)]
            graphs[graph] = path, answer.graph_name(graph)
        graph_ids, graph_name = graphs[graph]
        page.append(
            GraphExecution(
                index=digest.index,
                wall_time=digest.wall_time,
                op_type=digest.op_type,
                op_name=digest.op_name,
                output_slot=digest.output_slot,
                graph_id=digest.graph_id,
                graph_ids=graph_ids,
                graph_name=graph_name,
                tensor_debug_mode=value.mode,
                debug_tensor_value=debug_tensor_value(snapshot, value),
                device_name=None if device < 0 else strings[device],
                host_name=snapshot.host_of_file[file],
                health=health(snapshot, value),
                execution_index=None
                if execution_row < 0
                else answer.execution_index(execution_row),
                alert_index=None if alert < 0 else alert,
            )
        )
    return page


def _headings(answer: RunAnswer, indices: Int64s) -> list[CallHeader]:
    """The headings of traces, which are the first of their calls or graphs."""
    snapshot = answer.snapshot
    rows = answer.traces.rows(indices)
    ops, calls = snapshot.traces.op[rows].tolist(), answer.view.calls[rows].tolist()
    page = []
    for op, execution_row in zip(ops, calls, strict=True):
        graph = snapshot.names.graph_of(op)
        called = execution_row >= 0
        op_type = answer.string(int(snapshot.executions.op_type[execution_row])) if called else None
        function = None if op_type is None else parse_function_name(op_type)
        page.append(
            CallHeader(
                graph_id=answer.graph_id(graph),
                graph_name=answer.graph_name(graph),
                execution_index=answer.execution_index(execution_row) if called else None,
                execution_op_type=op_type,
                execution_function_name=function.python_name if function else None,
            )
        )
    return page


def _passes(passes: passes_of_loop.Passes | None) -> Passes | None:
    if passes is None:
        return None
    return Passes(passes.num_passes, passes.num_bad, passes.first_bad_index, passes.last_index)
