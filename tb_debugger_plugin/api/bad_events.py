"""How events that are part of a root cause, or lead to one, are named in an answer."""

from __future__ import annotations

from typing import Any

from tb_debugger_plugin.analyses.root_causes.cause import BadEvent
from tb_debugger_plugin.api.answers import RunAnswer


def link_fields(answer: RunAnswer, event: BadEvent) -> dict[str, Any]:
    """The fields of a ``CauseLink``."""
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
