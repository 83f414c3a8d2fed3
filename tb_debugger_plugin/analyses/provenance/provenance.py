"""Which alert each alert came from, and what else the root causes ask of a run."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.provenance import limits
from tb_debugger_plugin.analyses.provenance.bad_values import BadValues
from tb_debugger_plugin.analyses.provenance.guesses import Guesses
from tb_debugger_plugin.analyses.provenance.parents_of_executions import ParentsOfExecutions
from tb_debugger_plugin.analyses.provenance.parents_of_traces import ParentsOfTraces
from tb_debugger_plugin.analyses.provenance.records import Records
from tb_debugger_plugin.analyses.provenance.seen_inputs import SeenInput, SeenInputs
from tb_debugger_plugin.analyses.provenance.variable_updates import VariableUpdates
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.tables import OpKey


@dataclass(frozen=True)
class _Links:
    parents: Int32s
    guessed: Mask
    lost: Mask
    not_looked_at: Mask
    others: tuple[Int32s, Int32s]
    updates_variable: Mask


class Provenance:
    """Answers for one snapshot. An alert goes by its place in the list of all."""

    def __init__(
        self,
        alerts: AlertTable,
        traces: JoinedTraces,
        functions: GraphFunctions,
        producers: Producers,
    ) -> None:
        self._alerts = alerts
        self._traces = traces
        self._snapshot = traces.snapshot
        self._functions = functions
        self._producers = producers
        self._records = Records(traces, functions, producers)
        self._bad = BadValues(self._snapshot, alerts, self._records)
        self._updates = VariableUpdates(self._snapshot, alerts, self._records, self._bad)

    @property
    def parents(self) -> Int32s:
        """The alert that each alert's bad values came from; -1 for an origin."""
        return self._links.parents

    @property
    def guessed(self) -> Mask:
        """Whether each alert's parent is a guess, for want of a record of what went in."""
        return self._links.guessed

    @property
    def lost_input(self) -> Mask:
        """Whether a record is missing that other calls have, of what went into each alert's event.

        That is an input of a graph op, or its creation; of a function, whatever happened inside.
        """
        return self._links.lost

    @property
    def not_looked_at(self) -> Mask:
        """Whether each alert is of an op behind the most that are looked at: no origin is meant."""
        return self._links.not_looked_at

    @property
    def other_inputs(self) -> tuple[Int32s, Int32s]:
        """The bad inputs of alerts that are not their parents: these, and whose inputs they are."""
        return self._links.others

    @property
    def updates_variable(self) -> Mask:
        """Whether each alert's value is known to have updated a variable."""
        return self._links.updates_variable

    @part
    def is_unrecorded(self) -> Mask:
        """Whether each alert is of a call that is not recorded, so that what it led to is not.

        Of an input pipeline it is: what comes out is recorded where it is taken from it.
        """
        found: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        indices, numbers = self._alerts.traces
        found[numbers] = self._traces.calls[self._records.rows(indices)] < 0
        if self._records.has_iterators:
            found[numbers] &= ~self._bad.is_in_pipeline
        return found

    @part
    def _links(self) -> _Links:
        # What the search remembers is as large as the alerts are many, and goes with it.
        snapshot, alerts, records = self._snapshot, self._alerts, self._records
        bad = BadValues(snapshot, alerts, records)
        updates = VariableUpdates(snapshot, alerts, records, bad)
        guesses = Guesses(self._traces, alerts, records, bad)
        of_traces = ParentsOfTraces(
            snapshot, alerts, self._functions, records, bad, updates, guesses
        )
        of_executions = ParentsOfExecutions(
            snapshot, alerts, self._producers, records, bad, updates, guesses
        )
        parents = np.full(len(alerts), -1, dtype=np.int32)
        guessed: Mask = np.zeros(len(alerts), dtype=np.bool_)
        lost: Mask = np.zeros(len(alerts), dtype=np.bool_)
        not_looked_at: Mask = np.zeros(len(alerts), dtype=np.bool_)
        others = [np.zeros((2, 0), dtype=np.int32)]
        if len(parents):
            for found in chain(of_traces.find(), of_executions.find()):
                parents[found.own] = found.parents
                guessed[found.own] = found.guessed
                lost[found.own] = found.lost
                not_looked_at[found.own] = found.not_looked_at
                others += found.others()
        inputs, of_alerts = np.concatenate(others, axis=1)
        updates_variable: Mask = np.zeros(len(alerts), dtype=np.bool_)
        updates_variable[updates.updates[1]] = True
        return _Links(parents, guessed, lost, not_looked_at, (inputs, of_alerts), updates_variable)

    @part
    def roots(self) -> Int32s:
        """The origin that each alert descends from; an origin is its own."""
        parents = self.parents
        roots = np.where(parents < 0, np.arange(len(parents), dtype=np.int32), parents)
        # A parent is earlier, so each round doubles how far a root is known.
        while not np.array_equal(further := roots[roots], roots):
            roots = further
        return roots

    @property
    def has_nan(self) -> Mask:
        """Whether each alert's tensor holds a NaN, as far as its counts tell."""
        return self._bad.has_nan

    @part
    def is_execution(self) -> Mask:
        """Whether each alert is of an execution."""
        found: Mask = np.ones(len(self._alerts), dtype=np.bool_)
        found[self._alerts.traces[1]] = False
        return found

    def last_alert_of(self, op: OpKey, number: int) -> int:
        """The alert of an op's last trace before that of an alert, in its call; -1 for none."""
        row = self._alerts[number].trace_row
        if row is None:
            return -1
        moment = self._records.moment_of_trace(row)
        last = self._records.last_of_ops(np.array([op], dtype=np.int64), moment)
        return int(self._bad.numbers(last)[0])

    def was_given_bad(self, number: int) -> bool:
        """Whether a graph op of an alert without a parent was given a bad value nevertheless.

        TensorFlow records the body of a loop that runs as one op (of a ``Defun``, as in
        ``tf.nn.ctc_loss``) backwards: an op's input behind the op, which is then compared with the
        pass before. At the n-th time in a call the op was given what was recorded the n-th time.
        """
        row = self._alerts[number].trace_row
        if row is None:
            return False
        traces = self._snapshot.traces
        op, slot = OpKey(int(traces.op[row])), int(traces.output_slot[row])
        position, call = self._traces.order.index(row), self.call_of_trace(row)
        results = self._records.positions_in_call(op, slot, call)
        nth = int(np.searchsorted(results, position))
        for tensor, _ in self._records.inputs_of_op(op)[: limits.FEW_INPUTS]:
            given = self._records.positions_in_call(tensor.op, tensor.slot, call)
            # One of the two may lack the last time, where the record ends.
            if abs(len(given) - len(results)) > 1 or nth >= len(given) or given[nth] < position:
                continue
            if self._alerts.of_traces(given[nth : nth + 1])[0] >= 0:
                return True
        return False

    def is_good_in_the_end(self, number: int) -> bool:
        """Whether the last that was recorded of a graph op's output, that has an alert, is good."""
        row = self._alerts[number].trace_row
        return row is not None and bool(self._alerts.of_traces(self._positions_like(row)[-1:]) < 0)

    def is_bad_from_the_start(self, number: int) -> bool:
        """Whether the first that was recorded of an alert's op is bad, or of a line's reads."""
        alert = self._alerts[number]
        if alert.trace_row is not None:
            return bool(self._alerts.of_traces(self._positions_like(alert.trace_row)[:1]) >= 0)
        row = alert.execution_row
        return bool(self._first_reads[self._snapshot.executions.location[row]] == row)

    @part
    def _first_reads(self) -> Int64s:
        """The first execution that read a variable at each code location; -1 for none."""
        executions, names = self._snapshot.executions, self._snapshot.names
        reads = np.flatnonzero(np.isin(executions.op_type, names.strings.find_all(READS)))
        # The last entry is for -1, which stands for no location.
        first = np.full(len(names.locations) + 1, -1, dtype=np.int64)
        # Reversed, so that of a location's reads the first counts.
        first[executions.location[reads[::-1]]] = reads[::-1]
        return first

    def _positions_like(self, row: int) -> Int64s:
        """Where the traces of the same output stand in trace order."""
        traces = self._snapshot.traces
        op, slot = OpKey(int(traces.op[row])), int(traces.output_slot[row])
        return self._records.positions(op, slot).astype(np.int64)

    def call_of_trace(self, row: int) -> int:
        """The execution row of a trace row; -1 for none."""
        return int(self._traces.calls[row])

    def inputs(self, number: int) -> list[SeenInput]:
        """What went into the event of an alert, in order of its inputs."""
        return SeenInputs(self._snapshot, self._alerts, self._records).of(number)

    def unrecorded_update(self, number: int) -> int | None:
        """The execution that last updated a variable before a read, with a value of no record.

        Args:
          number: An alert of what was read.

        """
        return self._updates.last_unrecorded(number)

    def is_of_dataset(self, op: OpKey) -> bool:
        """Whether an op is in a function of an input pipeline, whose calls are not recorded."""
        return self._records.is_of_dataset(op)
