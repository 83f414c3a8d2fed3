"""Patterns: alerts that are seen over many events."""

from __future__ import annotations

from tb_debugger_plugin.analyses.patterns import pattern
from tb_debugger_plugin.analyses.patterns.given import GivenValues
from tb_debugger_plugin.analyses.patterns.guide import anchor
from tb_debugger_plugin.analyses.patterns.kinds import EXPLANATIONS
from tb_debugger_plugin.analyses.patterns.muted import without_muted
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.mutes import parse_mutes, refusing_bad_expressions
from tb_debugger_plugin.api.payloads import (
    FunctionVersion,
    GivenArgument,
    KindOfPattern,
    Pattern,
    Patterns,
)
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.runs.library import RunLibrary


def patterns(library: RunLibrary, request: requests.PatternsOf) -> Patterns:
    """What is amiss over many events and not muted, by kind."""
    answer = answer_from(library, request.run)
    view, mutes = answer.view, parse_mutes(request.mute)
    with refusing_bad_expressions():
        found = dict(without_muted(view.patterns, mutes, view.snapshot, view.code))
    if answer.moment.is_live or not answer.snapshot.is_whole:
        # What was not observed yet may only be late.
        found["unobserved_function"] = pattern.PatternsOfKind()
    return Patterns(
        kinds=[_kind(answer, kind, of_kind) for kind, of_kind in found.items()],
        alerts=[_alert(answer, each) for of_kind in found.values() for each in of_kind.listed],
    )


def _kind(
    answer: RunAnswer, kind: pattern.PatternKind, found: pattern.PatternsOfKind
) -> KindOfPattern:
    words = EXPLANATIONS[kind]
    is_recorded = not words.modes or bool(answer.snapshot.debug_modes & set(words.modes))
    return KindOfPattern(
        kind=kind,
        title=words.title,
        rule=words.rule,
        advice=words.advice,
        docs=anchor(kind),
        num_alerts=found.total,
        num_usual=found.num_usual,
        usual=words.usual,
        needs=[] if is_recorded else [debug_modes.name(mode) for mode in words.modes],
    )


def _alert(answer: RunAnswer, found: pattern.Pattern) -> Pattern:
    execution, trace, graph = found.execution_row, found.trace_row, found.graph
    return Pattern(
        kind=found.kind,
        op_type=found.op_type,
        op_name=None if found.op is None else answer.snapshot.names.op_name(found.op),
        graph_id=None if graph is None else answer.graph_id(graph),
        graph_name=None if graph is None else answer.graph_name(graph),
        output_slot=found.slot,
        execution_index=None if execution is None else answer.execution_index(execution),
        graph_execution_trace_index=None if trace is None else answer.trace_index(trace),
        source=answer.user_source(found.location),
        evidence=found.evidence,
        num_events=found.num_events,
        versions=[_version(answer, version) for version in found.versions],
        num_versions=found.num_versions,
        is_usual=found.is_usual,
    )


def _version(answer: RunAnswer, version: pattern.Version) -> FunctionVersion:
    call = version.first_call
    location = -1 if call is None else int(answer.snapshot.executions.location[call])
    return FunctionVersion(
        graph_id=answer.graph_id(version.graph),
        first_execution_index=None if call is None else answer.execution_index(call),
        num_calls=version.num_calls,
        source=answer.user_source(location),
        arguments=[_argument(answer, argument) for argument in version.arguments],
    )


def _argument(answer: RunAnswer, argument: pattern.Argument) -> GivenArgument:
    form = GivenValues(answer.snapshot).form(argument)
    if form is None:
        return GivenArgument(argument.name, None, None, None, None)
    shape = None if form.shape is None else list(form.shape)
    return GivenArgument(argument.name, form.dtype, form.rank, shape, form.size)
