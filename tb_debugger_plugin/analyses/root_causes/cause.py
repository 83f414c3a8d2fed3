"""A root cause, and how an event is named in one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tb_debugger_plugin.index.tables import GraphKey, OpKey

CauseKind = Literal["operation", "function", "input_data", "checkpoint", "variable", "constant"]
Confidence = Literal["high", "medium", "low"]


@dataclass(frozen=True)
class BadEvent:
    """The event of an alert.

    ``op`` is set for a graph execution trace and ``None`` for an execution; one of ``trace_row``
    and ``execution_row`` is set. ``location`` is the code location that made the op or execution,
    -1 for none, and ``slot`` is ``None`` where it is not known which output is bad.
    """

    alert: int
    op_type: str
    op: OpKey | None
    graph: GraphKey | None
    trace_row: int | None
    execution_row: int | None
    value_row: int
    slot: int | None
    location: int


@dataclass(frozen=True)
class ChainLink:
    """A bad event on the way from a cause to the damage.

    ``is_guess``: that it comes from the event before it in its descent is not recorded, but taken
    for likely. ``num_skipped`` events of its descent are left out before it.
    """

    event: BadEvent
    is_guess: bool
    num_skipped: int


@dataclass(frozen=True)
class RootCause:
    """An op in a graph, or an eager call site, at which bad values came up.

    ``first`` is its first origin, and ``location`` the line to blame: that of the op, or for data
    that a call brought in, of the call. ``forward_location`` is that of the op whose gradient it
    computes. ``call_number`` counts the calls of ``called``, a function by its name in Python or
    an eager op, up to that time, from 1; both are ``None`` where the call is not recorded.
    ``chain`` leads from it to the first visible damage. ``num_origins`` counts how often it made
    bad values of good ones, and ``num_alerts`` the alerts that descend from these, and from
    gradients that are one bug with it. A ``is_harmless`` cause makes values that are meant to be
    bad, as far as the run shows.
    """

    kind: CauseKind
    first: BadEvent
    location: int
    forward_location: int | None
    call_number: int | None
    called: str | None
    num_origins: int
    num_alerts: int
    chain: list[ChainLink]
    evidence: str
    advice: str
    confidence: Confidence
    is_harmless: bool
