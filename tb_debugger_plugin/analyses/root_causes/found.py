"""The root causes of one snapshot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import GROWING, only_passes_on
from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN
from tb_debugger_plugin.analyses.provenance.provenance import Provenance
from tb_debugger_plugin.analyses.provenance.seen_inputs import SeenInput
from tb_debugger_plugin.analyses.root_causes.advice import Symptom, advice_for
from tb_debugger_plugin.analyses.root_causes.calls import MANY_CALLS, CallNumbers
from tb_debugger_plugin.analyses.root_causes.cause import (
    BadEvent,
    CauseKind,
    ChainLink,
    Confidence,
    RootCause,
)
from tb_debugger_plugin.analyses.root_causes.events import bad_event, location_of_op
from tb_debugger_plugin.analyses.root_causes.evidence import Evidence
from tb_debugger_plugin.analyses.root_causes.folding import Bug, Suspect, fold
from tb_debugger_plugin.analyses.root_causes.gradients import ForwardOps
from tb_debugger_plugin.analyses.root_causes.origins import OriginGroup, group_origins
from tb_debugger_plugin.analyses.root_causes.sites import Site, Sites
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS, RESTORES
from tb_debugger_plugin.index.snapshot import Snapshot

MOST_CAUSES = 50
MOST_LINKS = 24
_MOST_PLACES = 2 * MOST_CAUSES
"""How many places of origins are looked at: some are one bug with others."""
_MOST_SUSPECTS = 1000
"""How many groups of origins are looked at: versions of a function are in one place."""
_BYTES_A_LINK = 300
_MOST_STEPS = 2000
"""How far a chain is walked: loops pass values on for as long as they like."""
_FROM_PIPELINE = frozenset(
    {"IteratorGetNext", "IteratorGetNextSync", "OptionalGetValue", "ParseExampleV2", "DecodeRaw"}
)
_PYTHON = frozenset({"PyFunc", "PyFuncStateless", "EagerPyFunc"})
"""Functions in Python; in an input pipeline, generators too."""


@dataclass(frozen=True)
class RootCauses:
    """The likeliest first; ``num_explained`` alerts descend from those that are listed.

    Muted causes and alerts are not counted, except in ``num_muted``, which is of causes.
    ``num_not_looked_at`` alerts are of more ops than are looked at; none of these is a cause.
    """

    listed: list[RootCause]
    total: int
    num_muted: int
    num_alerts: int
    num_explained: int
    num_not_looked_at: int

    @property
    def nbytes(self) -> int:
        """Bytes, about."""
        return _BYTES_A_LINK * sum(2 + len(cause.chain) for cause in self.listed)


class RootCauseFinder:
    """Looks for the root causes of one snapshot."""

    def __init__(
        self,
        snapshot: Snapshot,
        alerts: AlertTable,
        provenance: Provenance,
        functions: GraphFunctions,
        producers: Producers,
        code: Code,
        *,
        has_lost_events: bool,
    ) -> None:
        """Prepares to look.

        Args:
          snapshot: The run.
          alerts: Its alerts.
          provenance: Where these came from.
          functions: Its graphs as functions.
          producers: What made the outputs of executions.
          code: Where in the user's code events were made.
          has_lost_events: Whether events before those on disk were dropped.

        """
        self._has_lost_events = has_lost_events
        self._snapshot = snapshot
        self._alerts = alerts
        self._provenance = provenance
        self._functions = functions
        self._code = code
        self._evidence = Evidence(snapshot, code, producers)
        self._forward_ops = ForwardOps(snapshot, functions, producers)
        self._call_numbers = CallNumbers(snapshot)
        self._sites = Sites(snapshot, code)

    def find(self, muted: Mask | None = None) -> RootCauses:
        """Those that are worth listing, with their evidence.

        Args:
          muted: Whether each alert is muted; ``None`` for none.
        """
        groups = group_origins(
            self._snapshot,
            self._alerts,
            self._provenance,
            self._functions,
            _MOST_SUSPECTS,
            muted,
            has_lost_events=self._has_lost_events,
        )
        bugs = self._fold(groups.listed)
        muted_bugs = self._fold(groups.muted)
        listed = bugs[:MOST_CAUSES]
        num_muted_alerts = 0 if muted is None else int(np.count_nonzero(muted))
        return RootCauses(
            listed=[self._cause(bug) for bug in listed],
            total=groups.total - sum(len(bug.folded) for bug in bugs),
            num_muted=groups.num_muted - sum(len(bug.folded) for bug in muted_bugs),
            num_alerts=len(self._alerts) - num_muted_alerts,
            num_explained=sum(bug.num_alerts for bug in listed),
            num_not_looked_at=int(np.count_nonzero(self._provenance.not_looked_at)),
        )

    def _fold(self, groups: list[OriginGroup]) -> list[Bug]:
        suspects: list[Suspect] = []
        places: set[Site] = set()
        for group in groups:
            suspect = self._suspect(group)
            places.add(suspect.site)
            if len(places) > _MOST_PLACES:
                break
            suspects.append(suspect)
        return fold(suspects, self._origin_of_forward)

    def _suspect(self, group: OriginGroup) -> Suspect:
        first = bad_event(self._snapshot, self._alerts, group.first)
        inputs = self._provenance.inputs(group.first)
        records = {given.record for given in inputs if not self._is_constant(given)} - {UNSEEN}
        brought, grew_in = self._brought(first, inputs), None
        call = self._call_of(first)
        if not brought and call is not None and first.op_type in GROWING:
            number, called = self._call_numbers.of(call)
            grew_in = called if number >= MANY_CALLS else None
        forward = self._forward_ops.of(first)
        set_by = None
        if first.op_type in READS:
            set_by = self._provenance.unrecorded_update(group.first)
        return Suspect(
            group=group,
            first=first,
            site=self._sites.of(first),
            inputs=inputs,
            records=frozenset(records),
            forward=forward,
            forward_site=None if forward is None else self._sites.of(forward),
            brought=brought,
            grew_in=grew_in,
            set_by=set_by,
        )

    def _brought(self, first: BadEvent, inputs: Sequence[SeenInput]) -> list[SeenInput]:
        """The inputs of which one must have been bad when the program brought it in; may be none.

        That is not certain where a further input was not recorded.
        """
        is_nan = self._evidence.value(first).num_nan > 0
        passes_on = only_passes_on(first.op_type, is_nan=is_nan)
        if not passes_on and first.op_type not in PLACEHOLDERS:
            return []
        brought = [given for given in inputs if given.brought is not None]
        is_certain = not any(
            given.record == UNSEEN and given.can_be_bad and given.brought is None
            for given in inputs
        )
        return brought if is_certain else []

    def _is_constant(self, given: SeenInput) -> bool:
        return given.tensor is not None and self._snapshot.op_type(given.tensor.op) == "Const"

    def _origin_of_forward(self, suspect: Suspect) -> Site | None:
        if suspect.forward is None or suspect.forward.op is None:
            return None
        number = self._provenance.last_alert_of(suspect.forward.op, suspect.group.first)
        if number < 0:
            return None
        root = int(self._provenance.roots[number])
        return self._sites.of(bad_event(self._snapshot, self._alerts, root))

    def _cause(self, bug: Bug) -> RootCause:
        suspect = bug.suspect
        first, forward, group = suspect.first, suspect.forward, suspect.group
        value = self._evidence.value(first)
        kind = "input_data" if suspect.brought else self._kind(first)
        call = self._call_of(first)
        call_number, called = (None, None) if call is None else self._call_numbers.of(call)
        chain = self._chain(group.first)
        made_nan = self._turned_to_nan([link.event for link in chain])
        symptom = Symptom(
            kind=kind,
            op_type=first.op_type,
            dtype=value.dtype,
            made_nan=value.num_nan > 0,
            forward_type=None if forward is None else forward.op_type,
            has_grown=suspect.grew_in is not None,
            is_incomplete=group.is_incomplete,
            led_to_nan=made_nan is not None,
        )
        return RootCause(
            kind=kind,
            first=first,
            location=self._location(suspect),
            forward_location=None if forward is None else forward.location,
            call_number=call_number,
            called=called,
            num_origins=group.num_origins,
            num_alerts=bug.num_alerts,
            chain=chain,
            evidence=self._evidence.tell(kind, bug, made_nan),
            advice=advice_for(symptom, is_harmless=group.is_harmless),
            confidence=self._confidence(kind, suspect, chain),
            is_harmless=group.is_harmless,
        )

    def _turned_to_nan(self, events: Sequence[BadEvent]) -> BadEvent | None:
        """The first NaN that came of infinities; ``None`` if there is none."""
        for number, event in enumerate(events):
            if self._evidence.value(event).num_nan > 0:
                return event if number else None
        return None

    def _confidence(self, kind: CauseKind, suspect: Suspect, chain: list[ChainLink]) -> Confidence:
        """High where all that went in was seen, and finite, and its harm is recorded link by link.

        Low of what may be meant, and where a record is missing that other calls have, or must be,
        as the op makes no NaN of finite numbers.
        """
        if suspect.group.is_harmless or suspect.group.is_incomplete:
            return "low"
        is_nan = self._evidence.value(suspect.first).num_nan > 0
        if kind == "operation" and is_nan and only_passes_on(suspect.first.op_type, is_nan=True):
            return "low"
        all_seen = all(given.record != UNSEEN for given in suspect.inputs if given.can_be_bad)
        is_guess = any(link.is_guess for link in chain)
        if kind in ("variable", "input_data", "checkpoint") or not all_seen or is_guess:
            return "medium"
        return "high"

    def _location(self, suspect: Suspect) -> int:
        """The line to blame.

        Of data, the call that brought it in, or where the program takes it in; of a variable, what
        set it to a value without a record.
        """
        first, locations = suspect.first, self._snapshot.executions.location
        if suspect.set_by is not None:
            return int(locations[suspect.set_by])
        if not suspect.brought:
            return first.location
        tensor, call = suspect.brought[0].tensor, self._call_of(first)
        if tensor is not None and (call is None or self._provenance.is_of_dataset(tensor.op)):
            return location_of_op(self._snapshot, tensor.op)
        assert call is not None
        return int(locations[call])

    def _kind(self, event: BadEvent) -> CauseKind:
        if event.op_type in READS:
            return "variable"
        if event.op_type in PLACEHOLDERS or event.op_type in _FROM_PIPELINE:
            return "input_data"
        if event.op_type in _PYTHON and event.op and self._provenance.is_of_dataset(event.op):
            return "input_data"
        if event.op_type in RESTORES:
            return "checkpoint"
        if event.op_type == "Const":
            return "constant"
        if event.op is None and parse_function_name(event.op_type) is not None:
            return "function"
        return "operation"

    def _call_of(self, event: BadEvent) -> int | None:
        """The execution that an event is, or happened in; ``None`` where it is not recorded."""
        if event.trace_row is None:
            return event.execution_row
        row = self._provenance.call_of_trace(event.trace_row)
        return None if row < 0 else row

    def _chain(self, origin: int) -> list[ChainLink]:
        """From an origin to the first execution that it made bad, else to its last descendant.

        All that an eager op makes bad can be seen: a few of these are shown.
        """
        descendants = np.flatnonzero(self._provenance.roots == origin)
        returned = descendants[self._provenance.is_execution[descendants]]
        if len(returned) and returned[0] == origin:
            number = int(descendants[:MOST_LINKS][-1])
        else:
            number = int(returned[0] if len(returned) else descendants[:_MOST_STEPS][-1])
        path = [number]
        while number != origin and len(path) < _MOST_STEPS:
            number = int(self._provenance.parents[number])
            path.append(number)
        path.reverse()
        # What is near the cause tells more than what is near the damage, which stays the last.
        num_first, num_last = MOST_LINKS - 1, 1
        if path[0] != origin:
            path, num_first, num_last = [origin, *path], 1, MOST_LINKS - 1
        num_skipped = max(len(path) - MOST_LINKS, 0)
        places = [*range(len(path))]
        if num_skipped:
            places = places[:num_first] + places[-num_last:]
        return [
            ChainLink(
                bad_event(self._snapshot, self._alerts, path[place]),
                is_guess=bool(self._provenance.guessed[path[place]]),
                num_skipped=num_skipped if place == len(path) - num_last else 0,
            )
            for place in places
        ]
