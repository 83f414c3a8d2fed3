"""Root causes."""

from __future__ import annotations

from tb_debugger_plugin.analyses.root_causes import cause
from tb_debugger_plugin.analyses.root_causes.limits import limits_of
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.bad_events import link_fields
from tb_debugger_plugin.api.mutes import muting, parse_mutes
from tb_debugger_plugin.api.payloads import ChainLink, RootCause, RootCauses
from tb_debugger_plugin.runs.library import RunLibrary


def root_causes(library: RunLibrary, request: requests.RootCausesOf) -> RootCauses:
    """What made values bad in the first place, of the alerts that are not muted."""
    answer = answer_from(library, request.run)
    mutes = parse_mutes(request.mute)
    num_muted = muting(answer, mutes).num_muted
    found = answer.view.root_causes_without(mutes)
    observations = answer.view.observations
    return RootCauses(
        causes=[_cause(answer, each) for each in found.listed],
        num_causes=found.total,
        num_muted_causes=found.num_muted,
        num_alerts=found.num_alerts,
        num_muted=num_muted,
        num_explained=found.num_explained,
        limits=list(
            limits_of(
                answer.snapshot,
                observations.standing + observations.passing,
                found.num_not_looked_at,
            )
        ),
    )


def _cause(answer: RunAnswer, found: cause.RootCause) -> RootCause:
    first, forward = found.first, found.forward_location
    return RootCause(
        **link_fields(answer, first),
        kind=found.kind,
        graph_name=None if first.graph is None else answer.graph_name(first.graph),
        call_number=found.call_number,
        called=found.called,
        source=answer.user_source(found.location),
        forward_source=None if forward is None else answer.user_source(forward),
        evidence=found.evidence,
        advice=found.advice,
        confidence=found.confidence,
        is_harmless=found.is_harmless,
        num_origins=found.num_origins,
        num_alerts=found.num_alerts,
        chain=[
            ChainLink(
                **link_fields(answer, link.event),
                is_guess=link.is_guess,
                num_skipped=link.num_skipped,
            )
            for link in found.chain
        ],
    )
