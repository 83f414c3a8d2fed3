"""The parents of alerts of executions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import only_passes_on
from tb_debugger_plugin.analyses.grouping import stable_order
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance import limits
from tb_debugger_plugin.analyses.provenance.bad_values import BadValues
from tb_debugger_plugin.analyses.provenance.guesses import Guesses
from tb_debugger_plugin.analyses.provenance.parents import Parents
from tb_debugger_plugin.analyses.provenance.records import FROM_DATASET, OPTIONAL, Moments, Records
from tb_debugger_plugin.analyses.provenance.variable_updates import VariableUpdates
from tb_debugger_plugin.analyses.time_order import blocks
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


class ParentsOfExecutions:
    """Looks at functions and eager ops, at all bad values of a result together."""

    def __init__(
        self,
        snapshot: Snapshot,
        alerts: AlertTable,
        producers: Producers,
        records: Records,
        bad: BadValues,
        updates: VariableUpdates,
        guesses: Guesses,
    ) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._producers = producers
        self._records = records
        self._bad = bad
        self._updates = updates
        self._guesses = guesses

    def find(self) -> Iterator[Parents]:
        """The parents of all such alerts, some alerts at a time."""
        value_rows, indices, numbers = self._alerts.values
        if not len(value_rows):
            return
        executions = self._snapshot.executions
        rows_by_alert = self._records.execution_rows(indices).astype(np.int32)
        by_result, begins = self._grouped_by_result(value_rows, rows_by_alert)
        num_known = len(by_result)
        if len(begins) > (most := limits.MOST_WORK // limits.WORK_OF_RESULT):
            num_known, begins = int(begins[most]), begins[:most]
            left = numbers[by_result[num_known:]].astype(np.int64)
            yield Parents.not_known(left, self._bad.has_nan)
        for members in np.split(by_result[:num_known], begins[1:]):
            own = numbers[members].astype(np.int64)
            rows = rows_by_alert[members].astype(np.int64)
            found = Parents(own, self._bad.has_nan)
            if self._records.calls.graph_of(rows[:1])[0] >= 0:
                found.lost[:] = True
                slot = int(value_rows[members[0]] - executions.value_end[rows[0]])
                self._find_in_function(found, rows, slot)
            else:
                self._find_in_eager_inputs(found, rows, own, int(executions.op_type[rows[0]]))
            yield found

    def _grouped_by_result(
        self, value_rows: Int32s, execution_rows: Int32s
    ) -> tuple[Int32s, Int64s]:
        """Groups bad values by what they are a result of.

        Outputs of a function come from different ops in it, those of an op from all its inputs.

        Returns:
          The places of the values, group by group, and where each group begins.

        """
        executions = self._snapshot.executions
        slots = value_rows - executions.value_end[execution_rows] + 1
        for block in blocks(range(len(slots))):
            slots[block][self._records.calls.graph_of(execution_rows[block]) < 0] = 0
        keys = executions.op_type[execution_rows] * (np.int64(slots.max()) + 1)
        keys += slots
        order = stable_order(keys)
        begins = np.flatnonzero(np.diff(keys[order], prepend=-1))
        return order.astype(np.int32), begins

    def _find_in_function(self, found: Parents, rows: Int64s, slot: int) -> None:
        moments = Moments(self._records.ends_of_calls(rows), rows)
        tensor = self._producers.function_result(int(rows[0]), slot)
        # Values can only be told apart where each output has one.
        if tensor is not None and self._num_values(rows[0]) == self._num_outputs(rows[0]):
            found.offer(
                self._bad.numbers(
                    self._records.of_sources(self._records.sources.of_tensor(tensor), moments)
                )
            )
        # Else the last thing that went bad before the function returned, or what it was given.
        found.offer_rest(
            None,
            lambda rest: self._guesses.last_in_call(moments[rest]),
            lambda rest: self._guesses.bad_argument_of(rows[rest]),
        )

    def _num_values(self, execution_row: int) -> int:
        ends = self._snapshot.executions.value_end
        return int(ends[execution_row + 1] - ends[execution_row])

    def _num_outputs(self, execution_row: int) -> int:
        ends = self._snapshot.executions.output_end
        return int(ends[execution_row + 1] - ends[execution_row])

    def _find_in_eager_inputs(
        self, found: Parents, rows: Int64s, own: Int64s, op_type: int
    ) -> None:
        name = self._snapshot.names.strings.values[op_type]
        for argument, records in self._records.calls.inputs(rows):
            if name in READS and argument == 0:
                executions = self._snapshot.executions
                has_handle = executions.input_end[rows + 1] > executions.input_end[rows]
                handles = np.full(len(rows), -1, dtype=np.int64)
                handles[has_handle] = executions.input_tensor_id[
                    executions.input_end[rows[has_handle]]
                ]
                self._updates.offer(found, handles)
                found.offer_rest(
                    has_handle, lambda rest: self._updates.last_of_that_size(own[rest])
                )
            else:
                found.offer(self._bad.numbers(records))
        if only_passes_on(name, is_nan=True):
            found.offer_rest(
                None if only_passes_on(name, is_nan=False) else self._bad.has_nan[own],
                lambda rest: self._guesses.last_copied(rows[rest], own[rest]),
            )
        if name == OPTIONAL:
            # What a function packed in, which ran just before.
            found.offer_rest(None, lambda rest: own[rest] - 1)
        elif name in FROM_DATASET:
            found.offer_rest(
                None,
                lambda rest: self._guesses.last_of_dataset(self._records.ends_of_calls(rows[rest])),
            )
