"""Root causes."""

from __future__ import annotations

from typing import Any

from tb_debugger_plugin.analyses.root_causes import cause
from tb_debugger_plugin.analyses.root_causes.limits import limits_of
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.payloads import CauseLink, RootCause, RootCauses
from tb_debugger_plugin.runs.library import RunLibrary


def root_causes(library: RunLibrary, request: requests.OfRun) -> RootCauses:
    """What made values bad in the first place."""
    answer = answer_from(library, request.run)
    found = answer.view.root_causes
    observations = answer.view.observations
    return RootCauses(
        causes=[_cause(answer, each) for each in found.listed],
        num_causes=found.total,
        num_alerts=found.num_alerts,
        num_explained=found.num_explained,
        limits=list(limits_of(answer.snapshot, observations.standing + observations.passing)),
    )


def _cause(answer: RunAnswer, found: cause.RootCause) -> RootCause:
    first, forward = found.first, found.forward_location
    return RootCause(
        **_names(answer, first),
        kind=found.kind,
        graph_name=None if first.graph is None else answer.graph_name(first.graph),
        call_number=found.call_number,
        source=answer.user_source(first.location),
        forward_source=None if forward is None else answer.user_source(forward),
        evidence=found.evidence,
        advice=found.advice,
        confidence=found.confidence,
        is_harmless=found.is_harmless,
        num_origins=found.num_origins,
        num_alerts=found.num_alerts,
        chain=[CauseLink(**_names(answer, link)) for link in found.chain],
    )


def _names(answer: RunAnswer, event: cause.BadEvent) -> dict[str, Any]:
    trace, execution = event.trace_row, event.execution_row
    return {
        "alert_index": event.alert,
        "op_type": event.op_type,
        "op_name": None if event.op is None else answer.snapshot.names.op_name(event.op),
        "graph_id": None if event.graph is None else answer.graph_id(event.graph),
        "execution_index": None if execution is None else answer.execution_index(execution),
        "graph_execution_trace_index": None if trace is None else answer.trace_index(trace),
        "output_slot": event.slot,
    }
