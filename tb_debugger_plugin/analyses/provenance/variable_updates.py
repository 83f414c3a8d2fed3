"""Which bad value each variable was last updated by."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.op_types import rows_of_types
from tb_debugger_plugin.analyses.provenance import limits
from tb_debugger_plugin.analyses.provenance.alerts_by_key import AlertsByKey
from tb_debugger_plugin.analyses.provenance.bad_values import BadValues
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN
from tb_debugger_plugin.analyses.provenance.parents import Parents
from tb_debugger_plugin.analyses.provenance.recorded_sources import Source
from tb_debugger_plugin.analyses.provenance.records import Records
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import RESTORES, is_update
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

_MOST_UPDATES = 10_000
"""Ops in graphs that update variables; those behind are not looked at."""


class VariableUpdates:
    """Answers for one snapshot.

    Updates have no output, and so leave no trace: one is known to have been bad by the value that
    it was given. A variable goes by the eager id of its handle where the call tells it, else by the
    Placeholder that stands for it in a graph, which captures one variable for good: see
    ``Records.variables_of``.
    """

    def __init__(
        self, snapshot: Snapshot, alerts: AlertTable, records: Records, bad: BadValues
    ) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._records = records
        self._bad = bad

    def offer(self, found: Parents, variables: Int64s, which: Mask | None = None) -> None:
        """What variables were last updated by, -1 for none, of which some are guesses."""
        updates = self._by_variable.last_before(variables, found.own)
        updates[variables == -1] = -1
        if which is not None:
            updates[~which] = -1
        found.offer(updates)
        taken = np.flatnonzero((updates >= 0) & (found.parents == updates))
        found.guessed[taken] |= np.isin(updates[taken], self._restored[1])

    def last_of_that_size(self, own: Int64s) -> Int64s:
        """The last update by a bad value of any variable of a size.

        For variables that a function captured which is called in a graph: TensorFlow does not
        record which ones those are.
        """
        return self._by_size.last_before(self._bad.sizes[own], own)

    def last_unrecorded(self, number: int) -> int | None:
        """The execution that last updated a variable before a read, with a value of no record.

        Args:
          number: An alert of what was read.

        """
        alert, executions = self._alerts[number], self._snapshot.executions
        if alert.trace_row is not None:
            moment = self._records.moment_of_trace(alert.trace_row)
            before = int(moment.calls[0])
            op = OpKey(int(self._snapshot.traces.op[alert.trace_row]))
            handle = self._records.sources.of_inputs(op)
            variable = int(self._records.variables(handle[0][1], moment)[0]) if handle else -1
        else:
            assert alert.execution_row is not None
            before = alert.execution_row
            begin, end = executions.input_end[before : before + 2].tolist()
            variable = int(executions.input_tensor_id[begin]) if end > begin else -1
        if before < 0 or variable < 0:
            return None
        rows = self.eager_rows
        rows = rows[: np.searchsorted(rows, before)]
        of_variable = executions.input_tensor_id[executions.input_end[rows]] == variable
        if not of_variable.any():
            return None
        last = rows[np.flatnonzero(of_variable)[-1:]]
        is_recorded = any(
            argument and records[0] != UNSEEN
            for argument, records in self._records.calls.inputs(last)
        )
        return None if is_recorded else int(last[0])

    @part
    def updates(self) -> tuple[Int64s, Int64s]:
        """The variables that were updated by bad values, and the alerts of these."""
        found = [*self._in_graphs(), *self._eager(), *self._restored_ones()]
        nothing = np.zeros(0, dtype=np.int64)
        return (
            np.concatenate([nothing, *(variables for variables, _ in found)]),
            np.concatenate([nothing, *(numbers for _, numbers in found)]),
        )

    @part
    def _by_variable(self) -> AlertsByKey:
        return AlertsByKey(*self.updates, len(self._alerts))

    @part
    def _by_size(self) -> AlertsByKey:
        numbers = self.updates[1]
        return AlertsByKey(self._bad.sizes[numbers], numbers, len(self._alerts))

    def _in_graphs(self) -> Iterator[tuple[Int64s, Int64s]]:
        snapshot = self._snapshot
        strings = snapshot.names.strings.values
        handles: list[list[Source]] = []
        bad: list[Int32s] = []
        for row in rows_of_types(snapshot.ops.op_type, strings, is_update)[:_MOST_UPDATES]:
            inputs = self._records.sources.of_inputs(OpKey(int(snapshot.ops.op[row])))
            for _, sources in inputs[1 : limits.FEW_INPUTS]:
                for source in sources:
                    members = self._bad.of_source(source)
                    if len(members):
                        handles.append(inputs[0][1])
                        bad.append(members)
        if bad:
            members = np.concatenate(bad)
            indices, numbers = self._alerts.traces
            of_member = np.repeat(np.arange(len(bad)), [len(each) for each in bad])
            moments = self._records.moments(indices[members].astype(np.int64))
            yield (
                self._records.variables_of(handles, of_member, moments),
                numbers[members].astype(np.int64),
            )

    @part
    def eager_rows(self) -> Int64s:
        """The executions that update variables, whose handles are their first inputs."""
        executions = self._snapshot.executions
        rows = rows_of_types(executions.op_type, self._snapshot.names.strings.values, is_update)
        return rows[executions.input_end[rows + 1] > executions.input_end[rows]]

    def _eager(self) -> Iterator[tuple[Int64s, Int64s]]:
        executions, rows = self._snapshot.executions, self.eager_rows
        if not len(rows):
            return
        handles = executions.input_tensor_id[executions.input_end[rows]].astype(np.int64)
        for argument, records in self._records.calls.inputs(rows):
            numbers = self._bad.numbers(records)
            bad = numbers >= 0
            if argument:
                yield handles[bad], numbers[bad]

    def _restored_ones(self) -> Iterator[tuple[Int64s, Int64s]]:
        rows, numbers = self._restored
        executions = self._snapshot.executions
        yield executions.input_tensor_id[executions.input_end[rows]].astype(np.int64), numbers

    @part
    def _restored(self) -> tuple[Int64s, Int64s]:
        """Eager updates right after a bad tensor was restored, and the alert of that.

        They were given a copy of it, or of another one that was restored with it; copies are not
        recorded. Only a variable that is bad when it is read asks.
        """
        executions, rows = self._snapshot.executions, self.eager_rows
        strings = self._snapshot.names.strings
        _, indices, numbers = self._alerts.values
        bad = self._records.execution_rows(indices)
        chosen = np.isin(executions.op_type[bad], strings.find_all(RESTORES))
        if not chosen.any() or not len(rows):
            return rows[:0], numbers[:0].astype(np.int64)
        for argument, records in self._records.calls.inputs(rows):
            if argument == 1:
                rows = rows[records == UNSEEN]
                break
        others = rows_of_types(executions.op_type, strings.values, lambda name: not is_update(name))
        before = np.searchsorted(others, rows) - 1
        last = np.where(before < 0, -1, others[np.maximum(before, 0)])
        order = np.argsort(bad[chosen], kind="stable")
        bad, numbers = bad[chosen][order], numbers[chosen][order].astype(np.int64)
        places = np.minimum(np.searchsorted(bad, last), len(bad) - 1)
        known = bad[places] == last
        return rows[known], numbers[places[known]]
