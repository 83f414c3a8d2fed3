"""What calls were given: eager tensors, and where executions recorded these."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance.source_columns import SourceColumn
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.tables import GraphKey

UNSEEN = -1
"""The record of a value that was not recorded."""
_MOST_INPUTS = 64


class CallArguments:
    """Answers for one snapshot, for many calls at once; a call is the row of an execution.

    A *record* is a place of a value: a position in trace order, or the number of traces and a row
    of the executions' values.
    """

    def __init__(self, traces: JoinedTraces, producers: Producers) -> None:
        self._snapshot = traces.snapshot
        self._traces = traces
        self._producers = producers
        self._num_traces = len(traces)
        self._function_graphs: dict[int, GraphKey | None] = {}

    def graph_of(self, execution_rows: Int32s | Int64s) -> Int64s:
        """The graph of the function that each execution ran; -1 for an op, or if not known."""
        executions = self._snapshot.executions
        graphs = executions.graph[execution_rows].astype(np.int64)
        op_types = executions.op_type[execution_rows]
        unknown = np.flatnonzero(graphs < 0)
        for op_type in np.flatnonzero(np.bincount(op_types[unknown])).tolist():
            alike = unknown[op_types[unknown] == op_type]
            if op_type not in self._function_graphs:
                row = int(execution_rows[alike[0]])
                self._function_graphs[op_type] = self._producers.function_graph(row)
            graph = self._function_graphs[op_type]
            if graph is not None:
                graphs[alike] = graph
        return graphs

    def is_of(self, arguments: SourceColumn, calls: Int64s) -> Mask:
        """Whether each call ran the very function that an argument is of."""
        executions = self._snapshot.executions
        known: Mask = calls >= 0
        if not len(executions):
            return known
        rows = np.maximum(calls, 0)
        num_inputs = executions.input_end[rows + 1] - executions.input_end[rows]
        fits: Mask = known & (num_inputs == arguments.num_parameters)
        fits[fits] = self.graph_of(rows[fits]) == arguments.graph[fits]
        return fits

    def inputs(self, execution_rows: Int64s) -> Iterator[tuple[int, Int64s]]:
        """Input by input, where the values were recorded."""
        executions = self._snapshot.executions
        begins = executions.input_end[execution_rows].astype(np.int64)
        counts = executions.input_end[execution_rows + 1] - begins
        most = min(int(counts.max(initial=0)), _MOST_INPUTS)
        for argument in range(most):
            records = np.full(len(execution_rows), UNSEEN, dtype=np.int64)
            has = counts > argument
            ids = executions.input_tensor_id[begins[has] + argument].astype(np.int64)
            records[has] = self._records(ids, execution_rows[has])
            yield argument, records

    def passed(self, arguments: SourceColumn, calls: Int64s) -> Int64s:
        """Where what was passed for an argument of each call was recorded."""
        records = np.full(len(calls), UNSEEN, dtype=np.int64)
        fits = self.is_of(arguments, calls)
        executions = self._snapshot.executions
        inputs = executions.input_end[calls[fits]] + arguments.argument[fits]
        ids = executions.input_tensor_id[inputs].astype(np.int64)
        records[fits] = self._records(ids, calls[fits])
        return records

    def brought(self, place: int, execution_row: Int64s) -> int | None:
        """The id at a place among the inputs of all executions, if none made that tensor."""
        tensor = self._snapshot.executions.input_tensor_id[place : place + 1].astype(np.int64)
        made_by, _ = self._traces.eager_tensors.values(tensor, execution_row)
        return int(tensor[0]) if made_by[0] < 0 else None

    def _records(self, tensor_ids: Int64s, before_rows: Int64s) -> Int64s:
        _, values = self._traces.eager_tensors.values(tensor_ids, before_rows)
        return np.where(values < 0, UNSEEN, values + self._num_traces)
