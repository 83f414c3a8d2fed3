"""Where the values of tensors were recorded last, before many moments at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions, OpInput
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.op_types import is_op_of_types
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN, CallArguments
from tb_debugger_plugin.analyses.provenance.limits import MOST_INPUTS
from tb_debugger_plugin.analyses.provenance.recorded_sources import (
    ArgumentSource,
    RecordedSources,
    Source,
    TracedSource,
    UnseenSource,
)
from tb_debugger_plugin.analyses.provenance.source_columns import argument_column, source_columns
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask
from tb_debugger_plugin.analyses.variables import HANDLES, READS, is_update
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.tables import OpKey

OPTIONAL = "OptionalGetValue"
FROM_DATASET = frozenset(
    {"IteratorGetNext", "IteratorGetNextSync", "ReduceDataset", "DatasetToSingleElement", OPTIONAL}
)
_DATASET = "Dataset_"


@dataclass(frozen=True)
class Moments:
    """Where values are asked for: before a position in trace order, in the call of an execution."""

    positions: Int64s
    calls: Int64s

    def __getitem__(self, which: Any) -> Moments:
        return Moments(self.positions[which], self.calls[which])


class Records:
    """Answers for one snapshot. For what a *record* is see ``CallArguments``."""

    def __init__(
        self, traces: JoinedTraces, functions: GraphFunctions, producers: Producers
    ) -> None:
        self._snapshot = traces.snapshot
        self._traces = traces
        self._producers = producers
        self.calls = CallArguments(traces, producers)
        self.sources = RecordedSources(traces, functions)

    def rows(self, positions: Any) -> Any:
        """The rows of the traces at some positions in trace order."""
        return self._traces.order.rows(positions)

    def moment_of_trace(self, row: int) -> Moments:
        """When a trace was recorded."""
        return self.moments(np.array([self._traces.order.index(row)]))

    def moments(self, positions: Int64s) -> Moments:
        """When the traces at some positions in trace order were recorded."""
        return Moments(positions, self._traces.calls[self.rows(positions)].astype(np.int64))

    def execution_rows(self, indices: Int32s) -> Int64s:
        """The rows of executions by their indices in time order."""
        order = self._snapshot.execution_order
        return indices.astype(np.int64) if order is None else order[indices]

    def ends_of_calls(self, execution_rows: Int64s) -> Int64s:
        """The positions in trace order behind the last traces of executions."""
        order = self._traces.order
        times = order.wall_time[order.rows(EVERY_ROW)]
        ended = self._snapshot.executions.wall_time[execution_rows]
        return np.searchsorted(times, ended, side="right")

    def inputs_of_op(self, op: OpKey) -> list[tuple[OpInput, list[Source]]]:
        """The inputs of an op that hold values, not handles."""
        inputs = self.sources.of_inputs(op)
        op_type = self._snapshot.op_type(op) or ""
        if op_type in READS or is_update(op_type) or op_type in FROM_DATASET:
            return inputs[1:MOST_INPUTS]
        return inputs[:MOST_INPUTS]

    def of_sources(self, sources: list[Source], moments: Moments) -> Int64s:
        """Where a tensor's values were recorded last, of all the places it can have come from."""
        records = np.full(len(moments.positions), UNSEEN, dtype=np.int64)
        initial, passed = records.copy(), records.copy()
        for source in sources:
            if isinstance(source, TracedSource):
                last = initial if source.is_initial else records
                np.maximum(last, self._last_traces(source, moments), out=last)
            elif isinstance(source, ArgumentSource):
                column = argument_column(source, len(passed))
                np.maximum(passed, self.calls.passed(column, moments.calls), out=passed)
        records = np.where(records == UNSEEN, initial, records)
        return np.where(records == UNSEEN, passed, records)

    def _last_traces(self, source: TracedSource, moments: Moments) -> Int64s:
        positions = self.positions(source.op, source.slot)
        if not len(positions):
            return np.full(len(moments.positions), UNSEEN, dtype=np.int64)
        places = np.searchsorted(positions, moments.positions.astype(positions.dtype)) - 1
        last = positions[np.maximum(places, 0)].astype(np.int64)
        same_call = self._traces.calls[self.rows(last)] == moments.calls
        return np.where((places >= 0) & same_call, last, UNSEEN)

    def positions(self, op: OpKey, slot: int) -> Int32s:
        """Where the traces of an op's output stand in trace order, ascending."""
        positions = self._producers.trace_positions(op)
        if slot == 0 and self.has_one_output(op):
            return positions
        of_slot: Mask = self._snapshot.traces.output_slot[self.rows(positions)] == slot
        chosen: Int32s = positions[of_slot]
        return chosen

    def positions_in_call(self, op: OpKey, slot: int, call: int) -> Int64s:
        """As ``positions``, of the traces that belong to an execution."""
        positions = self.positions(op, slot).astype(np.int64)
        of_call: Int64s = positions[self._traces.calls[self.rows(positions)] == call]
        return of_call

    def has_one_output(self, op: OpKey) -> bool:
        """Whether an op is known to have one output only."""
        row = self._snapshot.row_of_op(op)
        ends = self._snapshot.ops.output_end
        return row is not None and bool(ends[row + 1] - ends[row] == 1)

    def of_inputs(
        self, inputs: list[list[Source]], of_member: Int64s, moments: Moments
    ) -> tuple[Int64s, Mask, Mask]:
        """An input of each op at each of its moments.

        Args:
          inputs: The sources of the input, by op.
          of_member: The op of each moment.
          moments: When it is asked for.

        Returns:
          The records, as ``of_sources`` tells them; whether the tensor leaves traces; and whether
          it came over the border of a function that the graph called.

        """
        traced = np.full(len(of_member), UNSEEN, dtype=np.int64)
        initial, passed = traced.copy(), traced.copy()
        is_traced: Mask = np.zeros(len(of_member), dtype=np.bool_)
        is_hidden = is_traced.copy()
        for sources in source_columns(inputs):
            here = sources.take(of_member)
            for last, which in ((traced, ~here.is_initial), (initial, here.is_initial)):
                at = np.flatnonzero(here.is_traced & which)
                last[at] = np.maximum(last[at], self.last_of_ops(here.op[at], moments[at]))
            at = np.flatnonzero(here.is_traced)
            is_traced[at] = True
            is_hidden[at] |= self._is_placeholder[here.op[at]]
            at = np.flatnonzero(here.argument >= 0)
            arguments, calls = here.take(at), moments.calls[at]
            passed[at] = np.maximum(passed[at], self.calls.passed(arguments, calls))
            is_hidden[at] |= ~self.calls.is_of(arguments, calls)
            is_hidden |= here.is_call
        records = np.where(traced == UNSEEN, initial, traced)
        records = np.where(records == UNSEEN, passed, records)
        return records, is_traced, is_hidden & (records == UNSEEN)

    def last_of_ops(self, ops: Int64s, moments: Moments) -> Int64s:
        """The last trace of each op before a moment, in its call."""
        last = self._producers.last_trace_positions(ops, moments.positions)
        same_call = self._traces.calls[self.rows(np.maximum(last, 0))] == moments.calls
        return np.where((last >= 0) & same_call, last, UNSEEN)

    def hides_a_call(self, sources: list[Source], records: Int64s, moments: Moments) -> Mask:
        """Where a value came over the border of a function that the graph called."""
        hidden: Mask = np.zeros(len(records), dtype=np.bool_)
        for source in sources:
            if isinstance(source, UnseenSource):
                hidden |= source.is_call
            elif isinstance(source, ArgumentSource):
                hidden |= ~self.calls.is_of(argument_column(source, len(hidden)), moments.calls)
            else:
                hidden |= self._snapshot.op_type(source.op) in PLACEHOLDERS
        hidden &= records == UNSEEN
        return hidden

    def variables(self, handle: list[Source], moments: Moments) -> Int64s:
        """The variable that a handle is of at each moment, as ``variables_of`` tells them."""
        of_member = np.zeros(len(moments.calls), dtype=np.int64)
        return self.variables_of([handle], of_member, moments)

    def variables_of(
        self, handles: list[list[Source]], of_member: Int64s, moments: Moments
    ) -> Int64s:
        """The variable that a handle of each op is of at each of its moments.

        Returns:
          The eager id of the handle where the call tells it, else a number below -1 of the
          Placeholder that stands for it in the graph, which captures one variable for good; -1
          where neither is known.

        """
        variables = np.full(len(of_member), -1, dtype=np.int64)
        for sources in source_columns(handles):
            here = sources.take(of_member)
            at = np.flatnonzero(here.argument >= 0)
            of_call, calls = here.take(at), moments.calls[at]
            variables[at] = np.where(variables[at] == -1, -2 - of_call.op, variables[at])
            fits = self.calls.is_of(of_call, calls)
            executions = self._snapshot.executions
            inputs = executions.input_end[calls[fits]] + of_call.argument[fits]
            variables[at[fits]] = executions.input_tensor_id[inputs]
            at = np.flatnonzero(here.is_unseen)
            at = at[self._is_handle[here.op[at]]]
            variables[at] = -2 - here.op[at]
        return variables

    @part
    def _is_placeholder(self) -> Mask:
        return is_op_of_types(self._snapshot, PLACEHOLDERS)

    @part
    def _is_handle(self) -> Mask:
        return is_op_of_types(self._snapshot, HANDLES)

    def is_of_dataset(self, op: OpKey) -> bool:
        """Whether an op is in a function of an input pipeline, whose calls are not recorded."""
        return bool(self.of_dataset[self._snapshot.names.graph_of(op)])

    @part
    def of_dataset(self) -> Mask:
        """Whether each graph is a function of an input pipeline."""
        found: Mask = np.zeros(len(self._snapshot.names.graph_ids) + 1, dtype=np.bool_)
        for graph in self._snapshot.graphs.values():
            found[graph.key] = (graph.name or "").startswith(_DATASET)
        return found

    @part
    def has_iterators(self) -> bool:
        """Whether what was taken from input pipelines is recorded."""
        snapshot, per_op = self._snapshot, self._traces.per_op
        op_types = snapshot.names.strings.find_all(FROM_DATASET)
        if np.isin(snapshot.executions.op_type, op_types).any():
            return True
        ops = snapshot.ops.op[np.isin(snapshot.ops.op_type, op_types)]
        return bool((per_op[ops[ops < len(per_op)]] > 0).any())
