"""A snapshot with everything that is derived from it, each part made once and on demand."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter, ExecutionSelection
from tb_debugger_plugin.analyses.facets import Facets, execution_facets, trace_facets
from tb_debugger_plugin.analyses.freed_memory import returning_memory
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.mutes import Mute, MuteRules, Muting
from tb_debugger_plugin.analyses.observations.found import Observations
from tb_debugger_plugin.analyses.patterns.found import find_patterns
from tb_debugger_plugin.analyses.patterns.pattern import PatternKind, PatternsOfKind
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance.provenance import Provenance
from tb_debugger_plugin.analyses.recent import Recent
from tb_debugger_plugin.analyses.root_causes.found import RootCauseFinder, RootCauses
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.trace_selection import TraceSelection
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot

_BYTES_KEPT_AN_EVENT = 8
_BYTES_KEPT_ALWAYS = 1 << 22


class View:
    """All answers that are given from a view are consistent with its one snapshot.

    Request threads share a view; a part that two of them ask for at once is made once.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.traces = JoinedTraces(snapshot)
        self._trace_selections: Recent[TraceSelection] = _recent(len(snapshot.traces))
        self._execution_selections: Recent[ExecutionSelection] = _recent(len(snapshot.executions))
        self._mutings: Recent[Muting] = _recent(len(snapshot.traces) + len(snapshot.executions))
        self._root_causes: Recent[RootCauses] = _recent(0)
        self._functions_between: Recent[Int64s] = _recent(0)

    @part
    def alerts(self) -> AlertTable:
        """Alerts by time."""
        return AlertTable(self.snapshot)

    @property
    def calls(self) -> Int32s:
        """The execution row of each trace row; -1 for none."""
        return self.traces.calls

    @part
    @returning_memory
    def trace_facets(self) -> Facets:
        """What traces can be filtered by."""
        return trace_facets(self.snapshot, self.traces_per_graph)

    @part
    @returning_memory
    def execution_facets(self) -> Facets:
        """What executions can be filtered by."""
        return execution_facets(self.snapshot)

    def functions_between(self, begins: Int64s) -> Int64s:
        """How many executions of functions each stretch of executions in time order has.

        Args:
          begins: Where the stretches begin, ascending; each ends where the next one begins.
        """
        return self._functions_between.get(begins.tobytes(), lambda: self._count_functions(begins))

    def _count_functions(self, begins: Int64s) -> Int64s:
        if not len(begins):
            return np.zeros(0, dtype=np.int64)
        op_types, order = self.snapshot.executions.op_type, self.snapshot.execution_order
        counts = []
        for begin, end in pairwise([*begins.tolist(), len(op_types)]):
            # Of so few at a time that what it takes is not worth mentioning.
            rows = slice(begin, end) if order is None else order[begin:end]
            counts.append(np.count_nonzero(self._is_function_name[op_types[rows]]))
        return np.array(counts, dtype=np.int64)

    @part
    @returning_memory
    def _is_function_name(self) -> Mask:
        # Whether an op type of executions is the name of a function, by id.
        op_types = np.flatnonzero(np.bincount(self.snapshot.executions.op_type)).tolist()
        names = self.snapshot.names.strings.values
        found: Mask = np.zeros(max(op_types, default=-1) + 1, dtype=np.bool_)
        found[[i for i in op_types if parse_function_name(names[i]) is not None]] = True
        return found

    @property
    def traces_per_graph(self) -> Int64s:
        """How many traces each graph has, by ``GraphKey``."""
        return self.traces.per_graph

    @part
    def observations(self) -> Observations:
        """What the run shows of how it was recorded."""
        return Observations(self.traces)

    @part
    def functions(self) -> GraphFunctions:
        """Graphs as functions."""
        return GraphFunctions(self.snapshot)

    @part
    def producers(self) -> Producers:
        """What made a value."""
        return Producers(self.traces, self.functions)

    @part
    def provenance(self) -> Provenance:
        """Where bad values came from."""
        return Provenance(self.alerts, self.traces, self.functions, self.producers)

    @part
    @returning_memory
    def root_causes(self) -> RootCauses:
        """What made values bad in the first place."""
        return self._root_cause_finder.find()

    @part
    def _root_cause_finder(self) -> RootCauseFinder:
        return RootCauseFinder(
            self.snapshot,
            self.alerts,
            self.provenance,
            self.functions,
            self.producers,
            self.code,
            has_lost_events=self.observations.gaps.any_dropped,
        )

    @part
    def _mute_rules(self) -> MuteRules:
        return MuteRules(self.snapshot, self.alerts, self.code)

    def muting(self, mutes: tuple[Mute, ...]) -> Muting:
        """The alerts that are left under rules.

        Raises:
          BadPattern: A text is no regular expression.
        """
        return self._mutings.get(mutes, lambda: self._mute_rules.muting(mutes))

    def root_causes_without(self, mutes: tuple[Mute, ...]) -> RootCauses:
        """What made values bad in the first place, of the alerts that are left under rules.

        Raises:
          BadPattern: A text is no regular expression.
        """
        muted = self.muting(mutes).muted
        if muted is None:
            return self.root_causes
        return self._root_causes.get(mutes, lambda: self._root_cause_finder.find(muted))

    @part
    @returning_memory
    def patterns(self) -> Mapping[PatternKind, PatternsOfKind]:
        """What is amiss over many events, by kind."""
        return find_patterns(self.traces, self.functions, self.code, self.observations)

    @part
    def code(self) -> Code:
        """Where in the user's code events were made."""
        return Code(self.snapshot)

    def output_slot_of_value(self, execution_row: int, value_row: int) -> int | None:
        """The output that a value belongs to; ``None`` where values are fewer than outputs."""
        executions = self.snapshot.executions
        first = int(executions.value_end[execution_row])
        num_values = int(executions.value_end[execution_row + 1]) - first
        ends = executions.output_end
        num_outputs = int(ends[execution_row + 1] - ends[execution_row])
        return value_row - first if num_values == num_outputs else None

    def select_traces(self, wanted: TraceFilter) -> TraceSelection:
        """The traces that pass a filter."""
        return self._trace_selections.get(wanted, lambda: TraceSelection(self.traces, wanted))

    def select_executions(self, wanted: ExecutionFilter) -> ExecutionSelection:
        """The executions that pass a filter."""
        return self._execution_selections.get(
            wanted, lambda: ExecutionSelection(self.snapshot, wanted)
        )


def _recent(num_events: int) -> Recent[Any]:
    return Recent(max(_BYTES_KEPT_ALWAYS, _BYTES_KEPT_AN_EVENT * num_events))
