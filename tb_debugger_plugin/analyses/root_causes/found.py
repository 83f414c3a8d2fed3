"""The root causes of one snapshot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.function_names import is_backward_graph, parse_function_name
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance import Provenance
from tb_debugger_plugin.analyses.root_causes.advice import advice_for
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent, CauseKind, RootCause
from tb_debugger_plugin.analyses.root_causes.events import bad_event, location_of_op
from tb_debugger_plugin.analyses.root_causes.evidence import Evidence
from tb_debugger_plugin.analyses.root_causes.origins import OriginGroup, group_origins
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.index.snapshot import Snapshot

MOST_CAUSES = 50
MOST_LINKS = 24
_BYTES_A_LINK = 300
_MOST_STEPS = 2000
"""How far a chain is walked: loops pass values on for as long as they like."""
_FROM_PIPELINE = frozenset(
    {"IteratorGetNext", "IteratorGetNextSync", "OptionalGetValue", "ParseExampleV2", "DecodeRaw"}
)
_FROM_CHECKPOINT = frozenset({"Restore", "RestoreSlice", "RestoreV2"})
_GRADIENTS = ("gradient_tape/", "gradients/")


@dataclass(frozen=True)
class RootCauses:
    """The likeliest first; ``num_explained`` alerts descend from those that are listed.

    Muted causes and alerts are not counted, except in ``num_muted``, which is of causes.
    """

    listed: list[RootCause]
    total: int
    num_muted: int
    num_alerts: int
    num_explained: int

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
    ) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._provenance = provenance
        self._functions = functions
        self._code = code
        self._evidence = Evidence(snapshot, code, producers)

    def find(self, muted: Mask | None = None) -> RootCauses:
        """Those that are worth listing, with their evidence.

        Args:
          muted: Whether each alert is muted; ``None`` for none.
        """
        groups = group_origins(self._snapshot, self._alerts, self._provenance, MOST_CAUSES, muted)
        num_muted_alerts = 0 if muted is None else int(np.count_nonzero(muted))
        return RootCauses(
            listed=[self._cause(group) for group in groups.listed],
            total=groups.total,
            num_muted=groups.num_muted,
            num_alerts=len(self._alerts) - num_muted_alerts,
            num_explained=sum(group.num_alerts for group in groups.listed),
        )

    def _cause(self, group: OriginGroup) -> RootCause:
        first = bad_event(self._snapshot, self._alerts, group.first)
        inputs = self._provenance.inputs(group.first)
        kind = self._kind(first)
        is_doubtful = group.is_harmless or group.is_incomplete
        return RootCause(
            kind=kind,
            first=first,
            call_number=self._call_number(first),
            forward_location=self._forward_location(first),
            num_origins=group.num_origins,
            num_alerts=group.num_alerts,
            chain=self._chain(group.first),
            evidence=self._evidence.tell(kind, first, inputs),
            advice=advice_for(
                kind,
                first.op_type,
                self._evidence.value(first).dtype,
                is_harmless=group.is_harmless,
            ),
            confidence="low" if is_doubtful else self._evidence.confidence(kind, inputs),
            is_harmless=group.is_harmless,
        )

    def _kind(self, event: BadEvent) -> CauseKind:
        if event.op_type in READS:
            return "variable"
        if event.op_type in PLACEHOLDERS or event.op_type in _FROM_PIPELINE:
            return "input_data"
        if event.op_type in _FROM_CHECKPOINT:
            return "checkpoint"
        if event.op_type == "Const":
            return "constant"
        if event.op is None and parse_function_name(event.op_type) is not None:
            return "function"
        return "operation"

    def _call_number(self, event: BadEvent) -> int | None:
        row = event.execution_row
        if event.trace_row is not None:
            row = self._provenance.call_of_trace(event.trace_row)
        if row is None or row < 0:
            return None
        op_types = self._snapshot.executions.op_type
        index = self._snapshot.execution_index_of_row
        same = op_types == op_types[row]
        earlier = same[: row + 1] if index is None else same & (index <= index[row])
        return int(np.count_nonzero(earlier))

    def _forward_location(self, event: BadEvent) -> int | None:
        """Where the forward op was made whose gradient an op computes: the first input's."""
        if event.op is None or event.graph is None:
            return None
        name = self._snapshot.names.op_name(event.op)
        graph = self._snapshot.graphs.get(event.graph)
        is_backward = graph is not None and is_backward_graph(graph.name)
        if not is_backward and not name.startswith(_GRADIENTS):
            return None
        for tensor in self._functions.inputs(event.op):
            op_type = self._snapshot.op_type(tensor.op)
            is_forward = not self._snapshot.names.op_name(tensor.op).startswith(_GRADIENTS)
            if is_forward and op_type not in PLACEHOLDERS and op_type not in (None, "Const"):
                return location_of_op(self._snapshot, tensor.op)
        return None

    def _chain(self, origin: int) -> list[BadEvent]:
        """From an origin to the first execution that it made bad, else to its last descendant."""
        descendants = np.flatnonzero(self._provenance.roots == origin)
        returned = descendants[self._provenance.is_execution[descendants]]
        number = int(returned[0] if len(returned) else descendants[:_MOST_STEPS][-1])
        path = [number]
        while number != origin and len(path) < _MOST_STEPS:
            number = int(self._provenance.parents[number])
            path.append(number)
        # What is near the cause tells more than what is near the damage, which stays the last.
        links = path[::-1]
        if links[0] != origin:
            links = [origin, *links[1 - MOST_LINKS :]]
        elif len(links) > MOST_LINKS:
            links = links[: MOST_LINKS - 1] + links[-1:]
        return [bad_event(self._snapshot, self._alerts, link) for link in links]
