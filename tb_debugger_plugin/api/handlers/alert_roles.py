"""What alerts are to others."""

from __future__ import annotations

from tb_debugger_plugin.analyses import alert_roles
from tb_debugger_plugin.analyses.root_causes.events import bad_event
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.bad_events import link_fields
from tb_debugger_plugin.api.errors import InvalidArgument
from tb_debugger_plugin.api.mutes import muting, parse_mutes
from tb_debugger_plugin.api.pages import MAX_PAGE, check_index
from tb_debugger_plugin.api.payloads import AlertRole, AlertRoles, CauseLink
from tb_debugger_plugin.index.tables import ExecutionIndex, TraceIndex
from tb_debugger_plugin.runs.library import RunLibrary


def roles(library: RunLibrary, request: requests.AlertRolesOf) -> AlertRoles:
    """What the alerts of some events are to others."""
    answer = answer_from(library, request.run)
    executions = _indices("execution", request.execution_indices, len(answer.executions))
    traces = _indices(
        "graph_execution_trace", request.graph_execution_trace_indices, len(answer.traces)
    )
    mutes = parse_mutes(request.mute)
    muting(answer, mutes)
    found = alert_roles.AlertRoles(answer.view, mutes)
    of_executions = [found.of_execution(ExecutionIndex(index)) for index in executions]
    of_traces = [found.of_trace(TraceIndex(index)) for index in traces]
    return AlertRoles([_role(answer, role) for role in of_executions + of_traces if role])


def _indices(of: str, text: str, total: int) -> list[int]:
    if text.endswith("\n"):  # As far as "$" is concerned that is the end.
        raise InvalidArgument(f"parameter '{of}_indices' ends with a line break")
    indices = text.split(",", MAX_PAGE) if text else []
    if len(indices) > MAX_PAGE:
        raise InvalidArgument(f"parameter '{of}_indices' names more than {MAX_PAGE} events")
    return [check_index(int(index), total, of) for index in indices]


def _role(answer: RunAnswer, found: alert_roles.AlertRole) -> AlertRole:
    event = bad_event(answer.snapshot, answer.view.alerts, found.alert)
    fields = link_fields(answer, event)
    parent = found.parent
    return AlertRole(
        alert_index=found.alert,
        execution_index=fields["execution_index"],
        graph_execution_trace_index=fields["graph_execution_trace_index"],
        role=found.role,
        is_muted=found.is_muted,
        parent=None
        if parent is None
        else CauseLink(
            **link_fields(answer, bad_event(answer.snapshot, answer.view.alerts, parent))
        ),
    )
