"""Graph execution traces with what is known of each: its call and its tensor."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.calls import join_traces_to_executions, span_of_call
from tb_debugger_plugin.analyses.eager_tensors import EagerTensors
from tb_debugger_plugin.analyses.time_order import TimeOrder
from tb_debugger_plugin.analyses.traced_tensors import TracedTensors
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot


class JoinedTraces:
    """The traces of a snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.order = TimeOrder.of_traces(snapshot)

    def __len__(self) -> int:
        return len(self.order)

    @part
    def calls(self) -> Int32s:
        """The execution row of each trace row; -1 for none."""
        return join_traces_to_executions(self.snapshot)

    @part
    def eager_tensors(self) -> EagerTensors:
        """What executions made of the tensors that are handed on outside of graphs."""
        return EagerTensors(self.snapshot)

    @part
    def tensors(self) -> TracedTensors:
        """The distinct tensors that traces hold values of."""
        return TracedTensors(self.snapshot.traces)

    @part
    def per_op(self) -> Int64s:
        """How many traces each op has, by ``OpKey``; ends with the last op that has any."""
        return np.bincount(self.snapshot.traces.op)

    @part
    def per_graph(self) -> Int64s:
        """How many traces each graph has, by ``GraphKey``."""
        names = self.snapshot.names
        graphs = names.op_graph.view()[: len(self.per_op)]
        per_graph = np.bincount(graphs, weights=self.per_op, minlength=len(names.graph_ids))
        return per_graph.astype(np.int64)

    def of_call(self, execution_row: int) -> Int64s:
        """Positions in trace order of the traces that belong to an execution, ascending."""
        span = span_of_call(self.snapshot, execution_row)
        rows = self.order.rows(slice(span.start, span.stop))
        return np.flatnonzero(self.calls[rows] == execution_row) + span.start
