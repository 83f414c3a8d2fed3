"""What is taken for the source of a bad value where TensorFlow recorded none.

The holes in the record, and what is taken in each, are listed in docs/root-causes.md.
"""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.provenance.alerts_by_key import AlertsByKey
from tb_debugger_plugin.analyses.provenance.bad_values import BadValues
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN
from tb_debugger_plugin.analyses.provenance.records import Moments, Records
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part

_NOT_ASKED = -2


class Guesses:
    """Answers for one snapshot; -1 stands for no alert."""

    def __init__(
        self, traces: JoinedTraces, alerts: AlertTable, records: Records, bad: BadValues
    ) -> None:
        self._snapshot = traces.snapshot
        self._traces = traces
        self._alerts = alerts
        self._records = records
        self._bad = bad

    def one_before(self, members: Int64s) -> Int64s:
        """The alert of the bad trace before each one, if both are of one call."""
        indices, numbers = self._alerts.traces
        before = members - 1
        calls = self._traces.calls[self._records.rows(indices[members])]
        calls_before = self._traces.calls[self._records.rows(indices[before])]
        same = (before >= 0) & (calls >= 0) & (calls_before == calls)
        return np.where(same, numbers[before], -1)

    def last_in_call(self, moments: Moments) -> Int64s:
        """The alert of the last bad trace in each call, before a moment."""
        indices, numbers = self._alerts.traces
        if not len(indices):
            return np.full(len(moments.calls), -1, dtype=np.int64)
        places = np.searchsorted(indices, moments.positions.astype(indices.dtype)) - 1
        last = np.maximum(places, 0)
        calls = self._traces.calls[self._records.rows(indices[last])]
        return np.where((places >= 0) & (calls == moments.calls), numbers[last], -1)

    def bad_argument_of(self, calls: Int64s) -> Int64s:
        """The alert of a bad value that each call was given; -1 for none."""
        found = np.full(len(calls), -1, dtype=np.int64)
        known = np.flatnonzero(calls >= 0)
        if len(known):
            table = self._bad_arguments
            asked = np.unique(calls[known][table[calls[known]] == _NOT_ASKED])
            table[asked] = self._find_bad_arguments(asked)
            found[known] = table[calls[known]]
        return found

    @part
    def _bad_arguments(self) -> Int32s:
        """What ``bad_argument_of`` found, by row of the executions.

        All ops of a function's graph and all its results may ask for those of the same calls.
        """
        return np.full(len(self._snapshot.executions), _NOT_ASKED, dtype=np.int32)

    def _find_bad_arguments(self, calls: Int64s) -> Int64s:
        found = np.full(len(calls), -1, dtype=np.int64)
        for _, records in self._records.calls.inputs(calls):
            found = np.where(found < 0, self._bad.numbers(records), found)
        return found

    def last_of_dataset(self, positions: Int64s) -> Int64s:
        """The last alert in a function of an input pipeline before some positions."""
        inside = self._alerts_of_dataset
        if not len(inside):
            return np.full(len(positions), -1, dtype=np.int64)
        indices, numbers = self._alerts.traces
        places = np.searchsorted(indices[inside], positions) - 1
        return np.where(places >= 0, numbers[inside[np.maximum(places, 0)]], -1)

    @part
    def _alerts_of_dataset(self) -> Int64s:
        """The alerts in functions of input pipelines, as places among those of traces."""
        return np.flatnonzero(self._bad.is_in_pipeline)

    def last_copied(self, execution_rows: Int64s, own: Int64s) -> Int64s:
        """The bad eager tensor that an input of each execution may be a copy of; -1 for none.

        Copies (Identity) are not recorded: an input that no execution made is taken for one of the
        last bad tensor that has as many elements as what came of it.
        """
        executions = self._snapshot.executions
        may_be_copy: Mask = np.zeros(len(own), dtype=np.bool_)
        for argument, records in self._records.calls.inputs(execution_rows):
            places = executions.input_end[execution_rows] + argument
            asked = np.flatnonzero(
                (records == UNSEEN) & (places < executions.input_end[execution_rows + 1])
            )
            ids = executions.input_tensor_id[places[asked]].astype(np.int64)
            made_by, _ = self._traces.eager_tensors.values(ids, execution_rows[asked])
            may_be_copy[asked] |= made_by < 0
        return np.where(may_be_copy, self._bad_outputs.last_before(self._bad.sizes[own], own), -1)

    @part
    def _bad_outputs(self) -> AlertsByKey:
        """The bad outputs of executions, by number of elements."""
        numbers = self._alerts.values[2].astype(np.int64)
        return AlertsByKey(self._bad.sizes[numbers], numbers, len(self._alerts))
