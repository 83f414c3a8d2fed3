"""Alerts."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.alerts import Alert as AlertOfTable
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.values import Value, execution_values, trace_values
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.errors import InvalidArgument
from tb_debugger_plugin.api.mutes import muting, parse_mutes
from tb_debugger_plugin.api.pages import check_index, cut_page
from tb_debugger_plugin.api.payloads import Alert, Alerts, AlertsAround, NumAlertsOfType
from tb_debugger_plugin.api.values import health
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.runs.library import RunLibrary


def alerts(library: RunLibrary, request: requests.AlertsPage) -> Alerts:
    """A page of the alerts that are not muted, in time order."""
    answer = answer_from(library, request.run)
    left = muting(answer, parse_mutes(request.mute))
    total = left.num_left
    begin, end = cut_page(request.begin, request.end, total)
    return Alerts(
        begin=begin,
        end=end,
        alert_type=request.alert_type,
        num_alerts=total,
        alerts_breakdown={"InfNanAlert": total} if total else {},
        num_muted=left.num_muted,
        num_muted_by=left.num_by_rule,
        op_types=[NumAlertsOfType(*each) for each in left.op_types],
        per_type_alert_limit=None,
        alerts=_page(answer, left.numbers(begin, end)),
    )


def around(library: RunLibrary, request: requests.AlertsAroundEvent) -> AlertsAround:
    """The alerts before, at and after an event, without those that are muted."""
    answer = answer_from(library, request.run)
    left = muting(answer, parse_mutes(request.mute))
    at = left.places(_alerts_of(answer, request))
    return AlertsAround(
        previous=at.start - 1 if at.start else None,
        at=at.start if at else None,
        next=at.stop if at.stop < left.num_left else None,
        num_alerts=left.num_left,
    )


def _alerts_of(answer: RunAnswer, request: requests.AlertsAroundEvent) -> range:
    """The alerts of an event; an empty range in its place if there are none."""
    execution, trace = request.execution_index, request.graph_execution_trace_index
    if sum(given is not None for given in (execution, trace, request.alert_index)) != 1:
        raise InvalidArgument(
            "give 'execution_index', 'graph_execution_trace_index' or 'alert_index', one of these"
        )
    table = answer.view.alerts
    if execution is not None:
        answer.execution_row(execution)
        return table.around_execution(execution)
    if trace is not None:
        answer.trace_row(trace)
        return table.around_trace(trace)
    assert request.alert_index is not None
    number = check_index(request.alert_index, len(table), "alert")
    return range(number, number + 1)


def _page(answer: RunAnswer, numbers: list[int]) -> list[Alert]:
    table, snapshot = answer.view.alerts, answer.snapshot
    listed = [table[number] for number in numbers]
    of_traces = [alert.trace_row for alert in listed if alert.trace_row is not None]
    of_executions = [
        (alert.execution_row, alert.value_row) for alert in listed if alert.trace_row is None
    ]
    executions, value_rows = np.array(of_executions, dtype=np.int64).reshape(-1, 2).T
    values_of_traces = iter(trace_values(snapshot, np.array(of_traces, dtype=np.int64)))
    values_of_executions = iter(execution_values(snapshot, executions, value_rows))
    page = []
    for number, alert in zip(numbers, listed, strict=True):
        if alert.trace_row is not None:
            page.append(_trace_alert(answer, number, alert.trace_row, next(values_of_traces)))
        else:
            page.append(_execution_alert(answer, number, alert, next(values_of_executions)))
    return page


def _trace_alert(answer: RunAnswer, index: int, row: int, value: Value) -> Alert:
    snapshot = answer.snapshot
    traces = snapshot.traces
    op = int(traces.op[row])
    graph = snapshot.names.graph_of(op)
    size, neg_inf, pos_inf, nan = _counts(snapshot, value)
    graph_name = answer.graph_name(graph)
    function = None if graph_name is None else parse_function_name(graph_name)
    return Alert(
        alert_type="InfNanAlert",
        index=index,
        op_type=snapshot.op_type(op) or "",
        function_name=function.python_name if function else graph_name,
        function_kind=function.kind if function else None,
        op_name=snapshot.names.op_name(op),
        graph_id=answer.graph_id(graph),
        graph_name=graph_name,
        output_slot=int(traces.output_slot[row]),
        size=size,
        num_neg_inf=neg_inf,
        num_pos_inf=pos_inf,
        num_nan=nan,
        execution_index=None,
        graph_execution_trace_index=answer.trace_index(row),
        wall_time=float(traces.wall_time[row]),
        host_name=snapshot.host_of_file[int(traces.file[row])],
        source=answer.user_source(answer.location_of_op(op)),
    )


def _execution_alert(answer: RunAnswer, index: int, alert: AlertOfTable, value: Value) -> Alert:
    row, value_row = alert.execution_row, alert.value_row
    assert row is not None
    snapshot = answer.snapshot
    executions = snapshot.executions
    graph = int(executions.graph[row])
    size, neg_inf, pos_inf, nan = _counts(snapshot, value)
    op_type = snapshot.names.strings.values[executions.op_type[row]]
    function = parse_function_name(op_type)
    return Alert(
        alert_type="InfNanAlert",
        index=index,
        op_type=op_type,
        function_name=function.python_name if function else None,
        function_kind=function.kind if function else None,
        op_name=None,
        graph_id=answer.graph_id(graph) if graph >= 0 else None,
        graph_name=answer.graph_name(graph) if graph >= 0 else None,
        output_slot=answer.view.output_slot_of_value(row, value_row),
        size=size,
        num_neg_inf=neg_inf,
        num_pos_inf=pos_inf,
        num_nan=nan,
        execution_index=answer.execution_index(row),
        graph_execution_trace_index=None,
        wall_time=float(executions.wall_time[row]),
        host_name=snapshot.host_of_file[int(executions.file[row])],
        source=answer.user_source(int(executions.location[row])),
    )


def _counts(
    snapshot: Snapshot, value: Value
) -> tuple[int | None, int | None, int | None, int | None]:
    known = health(snapshot, value)
    if known is None:
        return None, None, None, None
    return known.size, known.num_neg_inf, known.num_pos_inf, known.num_nan
