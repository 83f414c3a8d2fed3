"""A snapshot with everything that is derived from it, each part made once and on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.calls import join_traces_to_executions, span_of_call
from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter, matching_executions
from tb_debugger_plugin.analyses.facets import Facets, execution_facets, trace_facets
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.passes import Folding, first_pass, fold_passes
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.time_order import TimeOrder
from tb_debugger_plugin.analyses.trace_rows import (
    TraceFilter,
    TraceList,
    list_under_headings,
    matching_positions,
)
from tb_debugger_plugin.analyses.traced_tensors import TracedTensors
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot

_MOST_LISTS_KEPT = 8

PartT = TypeVar("PartT")


class part(Generic[PartT]):
    """A property that is made at the first use, once, whoever asks meanwhile."""

    def __init__(self, make: Callable[[Any], PartT]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, view: None, owner: type) -> part[PartT]: ...
    @overload
    def __get__(self, view: View, owner: type) -> PartT: ...
    def __get__(self, view: View | None, owner: type) -> PartT | part[PartT]:
        if view is None:
            return self
        with view.lock:
            if self._name not in view.__dict__:
                view.__dict__[self._name] = self._make(view)
            made: PartT = view.__dict__[self._name]
            return made


class View:
    """All answers that are given from a view are consistent with its one snapshot.

    Request threads share a view; a part that two of them ask for at once is made once.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._kept: dict[Any, Any] = {}
        self.lock = threading.RLock()

    @part
    def alerts(self) -> AlertTable:
        """Alerts by time."""
        return AlertTable(self.snapshot)

    @part
    def calls(self) -> Int32s:
        """The execution row of each trace row; -1 for none."""
        return join_traces_to_executions(self.snapshot)

    @part
    def tensors(self) -> TracedTensors:
        """The distinct tensors that traces hold values of."""
        return TracedTensors(self.snapshot.traces)

    @part
    def trace_facets(self) -> Facets:
        """What traces can be filtered by."""
        return trace_facets(self.snapshot, self.traces_per_graph)

    @part
    def execution_facets(self) -> Facets:
        """What executions can be filtered by."""
        return execution_facets(self.snapshot)

    @part
    def traces_per_graph(self) -> Int64s:
        """How many traces each graph has, by ``GraphKey``."""
        names = self.snapshot.names
        per_op = np.bincount(self.snapshot.traces.op)
        graphs = names.op_graph.view()[: len(per_op)]
        per_graph = np.bincount(graphs, weights=per_op, minlength=len(names.graph_ids))
        return per_graph.astype(np.int64)

    @part
    def functions(self) -> GraphFunctions:
        """Graphs as functions."""
        return GraphFunctions(self.snapshot)

    @part
    def producers(self) -> Producers:
        """What made a value."""
        return Producers(self.snapshot, self.functions, self.calls)

    @part
    def code(self) -> Code:
        """Where in the user's code events were made."""
        return Code(self.snapshot)

    def traces_of_call(self, execution_row: int) -> Int64s:
        """Positions in trace order of the traces that belong to an execution, ascending."""
        span = span_of_call(self.snapshot, execution_row)
        rows = TimeOrder.of_traces(self.snapshot).rows(slice(span.start, span.stop))
        return np.flatnonzero(self.calls[rows] == execution_row) + span.start

    def output_slot_of_value(self, execution_row: int, value_row: int) -> int | None:
        """The output that a value belongs to; ``None`` where values are fewer than outputs."""
        executions = self.snapshot.executions
        first = int(executions.value_end[execution_row])
        num_values = int(executions.value_end[execution_row + 1]) - first
        ends = executions.output_end
        num_outputs = int(ends[execution_row + 1] - ends[execution_row])
        return value_row - first if num_values == num_outputs else None

    def execution_indices(self, wanted: ExecutionFilter) -> Int32s | None:
        """Indices of the executions that pass a filter; ``None`` for all."""
        return self._keep(wanted, lambda: matching_executions(self.snapshot, wanted))

    def positions(self, wanted: TraceFilter) -> Int32s | None:
        """Positions in trace order of the traces that pass a filter; ``None`` for all."""
        return self._keep(
            wanted,
            lambda: matching_positions(self.snapshot, self.calls, self.tensors, wanted),
        )

    def folding(self, wanted: TraceFilter) -> Folding:
        """The traces that pass a filter, those of one tensor in one call as one."""
        return self._keep(
            ("folding", wanted),
            lambda: fold_passes(self.snapshot, self.calls, self.tensors, self.positions(wanted)),
        )

    def first_pass(self, wanted: TraceFilter, position: int) -> int:
        """Where the folded list has a trace that passes a filter."""
        return first_pass(self.snapshot, self.calls, self.positions(wanted), position)

    def trace_list(self, wanted: TraceFilter, *, collapse: bool = False) -> TraceList:
        """The traces that pass a filter, under headings."""

        def make() -> TraceList:
            positions = self.folding(wanted).positions if collapse else self.positions(wanted)
            return list_under_headings(self.snapshot, self.calls, positions)

        return self._keep(("list", collapse, wanted), make)

    def _keep(self, key: Any, make: Callable[[], PartT]) -> PartT:
        """What was made for a key, if it is one of the last that were asked for."""
        with self.lock:
            if key not in self._kept:
                made = make()
                while len(self._kept) >= _MOST_LISTS_KEPT:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[key] = made
            kept: PartT = self._kept[key]
            return kept
