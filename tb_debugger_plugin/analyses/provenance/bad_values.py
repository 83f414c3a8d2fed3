"""The alerts of recorded values, and what is known of these."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.grouping import stable_order
from tb_debugger_plugin.analyses.provenance.recorded_sources import Source, TracedSource
from tb_debugger_plugin.analyses.provenance.records import Records
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot


class BadValues:
    """Answers for one snapshot. An alert goes by its place in the list of all."""

    def __init__(self, snapshot: Snapshot, alerts: AlertTable, records: Records) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._records = records
        self._num_traces = len(snapshot.traces)

    def numbers(self, records: Int64s) -> Int64s:
        """The alerts of records; -1 for a value that is not bad or not seen."""
        numbers = np.full(len(records), -1, dtype=np.int64)
        is_trace = (records >= 0) & (records < self._num_traces)
        numbers[is_trace] = self._alerts.of_traces(records[is_trace])
        rows, of_rows = self._number_of_value
        if len(rows):
            of_value = np.flatnonzero(records >= self._num_traces)
            wanted = (records[of_value] - self._num_traces).astype(rows.dtype)
            places = np.searchsorted(rows, wanted)
            places[places == len(rows)] = 0
            numbers[of_value] = np.where(rows[places] == wanted, of_rows[places], -1)
        return numbers

    @part
    def _number_of_value(self) -> tuple[Int32s, Int32s]:
        """Rows of the executions' values with an alert, ascending, and their alerts."""
        value_rows, _, numbers = self._alerts.values
        if self._snapshot.execution_order is None:
            return value_rows, numbers
        order = np.argsort(value_rows, kind="stable")
        return value_rows[order], numbers[order]

    @part
    def has_nan(self) -> Mask:
        """Whether each alert's tensor holds a NaN, as far as its counts tell."""
        found: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        indices, numbers = self._alerts.traces
        traces = self._snapshot.traces.values
        found[numbers] = traces.num_nan[self._records.rows(indices)] != 0
        values, _, numbers = self._alerts.values
        found[numbers] = self._snapshot.executions.values.num_nan[values] != 0
        return found

    @part
    def sizes(self) -> Int64s:
        """The number of elements of each alert's tensor; -1 where not recorded."""
        of_traces = self._snapshot.traces.values.size
        of_executions = self._snapshot.executions.values.size
        dtype = np.promote_types(of_traces.dtype, of_executions.dtype)
        sizes = np.full(len(self._alerts), -1, dtype=dtype)
        indices, numbers = self._alerts.traces
        sizes[numbers] = of_traces[self._records.rows(indices)]
        values, _, numbers = self._alerts.values
        sizes[numbers] = of_executions[values]
        return sizes

    def of_source(self, source: Source) -> Int32s:
        """The alerts of what was recorded of a tensor, as places among those of traces."""
        order, ops, begins = self.members_by_op
        if not isinstance(source, TracedSource):
            return order[:0]
        number = int(np.searchsorted(ops, source.op))
        if number == len(ops) or ops[number] != source.op:
            return order[:0]
        members = order[begins[number] : begins[number + 1]]
        if self._records.has_one_output(source.op):
            return members
        rows = self._records.rows(self._alerts.traces[0][members])
        of_slot: Int32s = members[self._snapshot.traces.output_slot[rows] == source.slot]
        return of_slot

    @part
    def is_in_pipeline(self) -> Mask:
        """Whether each alert of a trace is of an op in a function of an input pipeline."""
        ops = self._snapshot.traces.op[self._records.rows(self._alerts.traces[0])]
        graphs = self._snapshot.names.op_graph.view().take(ops)
        found: Mask = self._records.of_dataset[graphs]
        return found

    @part
    def members_by_op(self) -> tuple[Int32s, Int32s, Int64s]:
        """The alerts of traces, as places among those, by op; the ops; and where each begins."""
        ops = self._snapshot.traces.op[self._records.rows(self._alerts.traces[0])]
        order = stable_order(ops)
        by_op = ops[order]
        begins = np.flatnonzero(np.diff(by_op, prepend=-1))
        return order.astype(np.int32), by_op[begins], np.append(begins, len(order))
