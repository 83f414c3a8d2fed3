"""Where the bad values of each alert came from: the alert of an input, or none.

An alert's *parent* is the alert of the value that made it bad: of an input of the op at that very
call, of the argument that was passed, of the tensor in a function that became its output, of the
value that a variable was last updated by. An alert without a parent is an *origin*: nothing bad is
known to have gone in.

Nothing loops over alerts: the graphs are asked once an op (``RecordedSources``), and the calls of
an op are looked at together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import may_pass_on, only_passes_on
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions, OpInput
from tb_debugger_plugin.analyses.grouping import stable_order
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.parents import Parents
from tb_debugger_plugin.analyses.producers import Producers
from tb_debugger_plugin.analyses.recorded_sources import (
    ArgumentSource,
    RecordedSources,
    Source,
    TracedSource,
    UnseenSource,
)
from tb_debugger_plugin.analyses.source_columns import (
    PlainOp,
    SourceColumn,
    argument_column,
    source_columns,
)
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask, blocks
from tb_debugger_plugin.analyses.variables import HANDLES, READS, BadUpdates, is_update
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.tables import GraphKey, OpKey

UNSEEN = -1
_NOT_ASKED = -2
_MOST_EAGER_INPUTS = 64
_MOST_INPUTS = 4096
"""Of a graph op, those behind are not looked at: AddN may have any number."""
_FEW_ALERTS = 4096
_FEW_INPUTS = 16
"""Up to here ops are looked at together, so that a graph of many ops costs little Python."""
_MOST_TOGETHER = 1 << 16
"""Alerts."""
_MOST_WORK = 100_000
"""Inputs of all ops; ops behind them are not looked at. Each takes some ten microseconds."""
_WORK_OF_ONE = 60
"""What an op takes that cannot be looked at with others, in inputs of those that can."""
_WORK_OF_ITS_INPUT = 12
_WORK_OF_RESULT = 20
"""What an output of a function or an eager op takes, for all of its alerts, likewise."""
_MOST_UPDATES = 10_000
"""Ops in graphs that update variables; those behind are not looked at."""
_MOST_OFFERS = 1 << 22
"""Of inputs of an op, for all of its alerts."""
_DATASET = "Dataset_"
_OPTIONAL = "OptionalGetValue"
_FROM_DATASET = frozenset(
    {"IteratorGetNext", "IteratorGetNextSync", "ReduceDataset", "DatasetToSingleElement", _OPTIONAL}
)
_ACROSS_REPLICAS = ("Collective", "NcclAllReduce")
"""What reduces values of several replicas, of which a graph names its own only."""
_FROM_LISTS = ("TensorList", "TensorArray", "StackPop")
"""What reads lists of tensors, which leave no traces."""
_RESTORES = frozenset({"Restore", "RestoreSlice", "RestoreV2"})


@dataclass(frozen=True)
class Moments:
    """Where values are asked for: before a position in trace order, in the call of an execution."""

    positions: Int64s
    calls: Int64s

    def __getitem__(self, which: Any) -> Moments:
        return Moments(self.positions[which], self.calls[which])


@dataclass(frozen=True)
class SeenInput:
    """An input of an event.

    ``tensor`` names it in its graph, and ``argument`` is its number among an execution's inputs:
    one of the two is set. ``record`` is where its value is (see ``Provenance``), ``UNSEEN`` if
    nowhere; ``can_be_bad`` is false for shapes and other integers, which leave no traces.
    ``brought`` is set for what the program itself brought in, and tells one such tensor from
    another: the id of an eager tensor that no recorded op made, as of an array, or a number below
    -1 for the argument of a function that something unrecorded called.
    """

    tensor: OpInput | None
    argument: int | None
    record: int
    can_be_bad: bool
    brought: int | None


@dataclass(frozen=True)
class _Links:
    parents: Int32s
    guessed: Mask
    lost: Mask
    not_looked_at: Mask
    others: tuple[Int32s, Int32s]


class Provenance:
    """Answers for one snapshot.

    A *record* is a place of a value: a position in trace order, or the number of traces and a row
    of the executions' values.
    """

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
        self._num_traces = len(traces)
        self._function_graphs: dict[int, GraphKey | None] = {}

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

    @part
    def _links(self) -> _Links:
        parents = np.full(len(self._alerts), -1, dtype=np.int32)
        guessed: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        lost: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        not_looked_at: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        others = [np.zeros((2, 0), dtype=np.int32)]
        if len(parents):
            for found in chain(self._parents_of_traces(), self._parents_of_values()):
                parents[found.own] = found.parents
                guessed[found.own] = found.guessed
                lost[found.own] = found.lost
                not_looked_at[found.own] = found.not_looked_at
                others += found.others()
        inputs, of_alerts = np.concatenate(others, axis=1)
        _ = self.leaves_call  # It takes what is forgotten next.
        self._forget_what_links_took()
        return _Links(parents, guessed, lost, not_looked_at, (inputs, of_alerts))

    def _forget_what_links_took(self) -> None:
        # All that is as large as the alerts are many. Of a few alerts it is seldom asked again.
        kind = type(self)
        kind._number_of_value.forget(self)
        kind._updates.forget(self)
        kind._bad_updates.forget(self)
        kind._bad_updates_by_size.forget(self)
        kind._bad_outputs.forget(self)
        kind._bad_arguments.forget(self)
        kind._sizes.forget(self)
        kind._members_by_op.forget(self)
        kind._restored.forget(self)
        kind._eager_update_rows.forget(self)

    @part
    def roots(self) -> Int32s:
        """The origin that each alert descends from; an origin is its own."""
        parents = self.parents
        roots = np.where(parents < 0, np.arange(len(parents), dtype=np.int32), parents)
        # A parent is earlier, so each round doubles how far a root is known.
        while not np.array_equal(further := roots[roots], roots):
            roots = further
        return roots

    @part
    def has_nan(self) -> Mask:
        """Whether each alert's tensor holds a NaN, as far as its counts tell."""
        found: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        indices, numbers = self._alerts.traces
        traces = self._snapshot.traces.values
        found[numbers] = traces.num_nan[self._rows(indices)] != 0
        values, _, numbers = self._alerts.values
        found[numbers] = self._snapshot.executions.values.num_nan[values] != 0
        return found

    @part
    def is_execution(self) -> Mask:
        """Whether each alert is of an execution."""
        found: Mask = np.ones(len(self._alerts), dtype=np.bool_)
        found[self._alerts.traces[1]] = False
        return found

    @part
    def is_constant(self) -> Mask:
        """Whether each alert is of a constant in a graph."""
        found: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        indices, numbers = self._alerts.traces
        op_rows = self._snapshot.op_row[self._snapshot.traces.op[self._rows(indices)]]
        constant = self._snapshot.names.strings.find("Const")
        if constant is not None and len(self._snapshot.ops):
            found[numbers] = (op_rows >= 0) & (self._snapshot.ops.op_type[op_rows] == constant)
        return found

    @part
    def leaves_call(self) -> Mask:
        """Whether each alert's values may have had effects that no further alert shows.

        Those that updated a variable, and those of calls that are not recorded.
        """
        found: Mask = np.zeros(len(self._alerts), dtype=np.bool_)
        indices, numbers = self._alerts.traces
        found[numbers] = self._traces.calls[self._rows(indices)] < 0
        found[self._updates[1]] = True
        return found

    def is_unused(self, numbers: Int64s) -> Mask:
        """Whether the tensor of each of some alerts of executions went into no execution.

        Of what cannot be told apart that is taken for so.
        """
        values, indices, of_values = self._alerts.values
        places = np.searchsorted(of_values, numbers)
        executions, rows = self._snapshot.executions, self._execution_rows(indices[places])
        outputs = executions.output_end[rows] + values[places] - executions.value_end[rows]
        told_apart = np.diff(executions.value_end)[rows] == np.diff(executions.output_end)[rows]
        unused: Mask = ~told_apart
        ids = executions.output_tensor_id[outputs[told_apart]]
        unused[told_apart] = ~np.isin(ids, executions.input_tensor_id)
        return unused

    def last_alert_of(self, op: OpKey, number: int) -> int:
        """The alert of an op's last trace before that of an alert, in its call; -1 for none."""
        row = self._alerts[number].trace_row
        if row is None:
            return -1
        moment = self._moments(np.array([self._traces.order.index(row)]))
        last = self._last_of_ops(np.array([op], dtype=np.int64), moment)
        return int(self._numbers(last)[0])

    def unrecorded_update(self, number: int) -> int | None:
        """The execution that last updated a variable before a read, with a value of no record.

        Args:
          number: An alert of what was read.

        """
        alert, executions = self._alerts[number], self._snapshot.executions
        if alert.trace_row is not None:
            moment = self._moments(np.array([self._traces.order.index(alert.trace_row)]))
            before = int(moment.calls[0])
            handle = self._sources.of_inputs(OpKey(int(self._snapshot.traces.op[alert.trace_row])))
            variable = int(self._variables(handle[0][1], moment)[0]) if handle else -1
        else:
            assert alert.execution_row is not None
            before = alert.execution_row
            begin, end = executions.input_end[before : before + 2].tolist()
            variable = int(executions.input_tensor_id[begin]) if end > begin else -1
        if before < 0 or variable < 0:
            return None
        rows = self._eager_update_rows
        rows = rows[: np.searchsorted(rows, before)]
        of_variable = executions.input_tensor_id[executions.input_end[rows]] == variable
        if not of_variable.any():
            return None
        last = rows[np.flatnonzero(of_variable)[-1:]]
        is_recorded = any(
            argument and records[0] != UNSEEN for argument, records in self._eager_inputs(last)
        )
        return None if is_recorded else int(last[0])

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
        results = self._positions_in_call(op, slot, call)
        nth = int(np.searchsorted(results, position))
        for tensor, _ in self._inputs_of_op(op)[:_FEW_INPUTS]:
            given = self._positions_in_call(tensor.op, tensor.slot, call)
            # One of the two may lack the last time, where the record ends.
            if abs(len(given) - len(results)) > 1 or nth >= len(given) or given[nth] < position:
                continue
            if self._alerts.of_traces(given[nth : nth + 1])[0] >= 0:
                return True
        return False

    def _positions_in_call(self, op: OpKey, slot: int, call: int) -> Int64s:
        positions = self._positions(op, slot).astype(np.int64)
        of_call: Int64s = positions[self._traces.calls[self._rows(positions)] == call]
        return of_call

    def call_of_trace(self, row: int) -> int:
        """The execution row of a trace row; -1 for none."""
        return int(self._traces.calls[row])

    def inputs(self, number: int) -> list[SeenInput]:
        """What went into the event of an alert, in order of its inputs."""
        alert = self._alerts[number]
        if alert.trace_row is not None:
            row = alert.trace_row
            moment = self._moments(np.array([self._traces.order.index(row)]))
            return [
                self._seen(tensor, sources, moment)
                for tensor, sources in self._inputs_of_op(OpKey(int(self._snapshot.traces.op[row])))
            ]
        assert alert.execution_row is not None
        execution = np.array([alert.execution_row])
        if self._graph_of_call(execution)[0] >= 0:
            return []
        begin = int(self._snapshot.executions.input_end[alert.execution_row])
        return [
            SeenInput(
                None,
                argument,
                record=int(records[0]),
                can_be_bad=True,
                brought=self._brought(begin + argument, execution),
            )
            for argument, records in self._eager_inputs(execution)
        ]

    def _seen(self, tensor: OpInput, sources: list[Source], moment: Moments) -> SeenInput:
        is_unrecorded = moment.calls[0] < 0 or self.is_of_dataset(tensor.op)
        brought = None
        if is_unrecorded and self._snapshot.op_type(tensor.op) in PLACEHOLDERS:
            brought = -2 - int(tensor.op)
        for source in sources:
            if (
                isinstance(source, ArgumentSource)
                and self._is_call_of(argument_column(source, 1), moment.calls)[0]
            ):
                begin = int(self._snapshot.executions.input_end[moment.calls[0]])
                brought = self._brought(begin + source.argument, moment.calls)
        return SeenInput(
            tensor,
            None,
            record=int(self._records(sources, moment)[0]),
            can_be_bad=bool(sources),
            brought=brought,
        )

    def _brought(self, place: int, execution_row: Int64s) -> int | None:
        """The id at a place among the inputs of all executions, if none made that tensor."""
        tensor = self._snapshot.executions.input_tensor_id[place : place + 1].astype(np.int64)
        made_by, _ = self._traces.eager_tensors.values(tensor, execution_row)
        return int(tensor[0]) if made_by[0] < 0 else None

    # Traces.

    @part
    def _sources(self) -> RecordedSources:
        return RecordedSources(self._traces, self._functions)

    def _rows(self, positions: Any) -> Any:
        return self._traces.order.rows(positions)

    def _moments(self, positions: Int64s) -> Moments:
        return Moments(positions, self._traces.calls[self._rows(positions)].astype(np.int64))

    def _inputs_of_op(self, op: OpKey) -> list[tuple[OpInput, list[Source]]]:
        """The inputs of an op that hold values, not handles."""
        inputs = self._sources.of_inputs(op)
        op_type = self._snapshot.op_type(op) or ""
        if op_type in READS or is_update(op_type) or op_type in _FROM_DATASET:
            return inputs[1:_MOST_INPUTS]
        return inputs[:_MOST_INPUTS]

    def _parents_of_traces(self) -> Iterator[Parents]:
        _, numbers = self._alerts.traces
        order, ops, begins = self._members_by_op
        together: list[PlainOp] = []
        num_left, num_known, num_together = _MOST_WORK, 0, 0
        for number, op in enumerate(map(OpKey, ops.tolist())):
            members = order[begins[number] : begins[number + 1]].astype(np.int64)
            num_inputs = min(self._functions.num_inputs(op), _MOST_INPUTS)
            num_left -= 1 + num_inputs
            if num_left < 0:
                break
            num_known += len(members)
            plain = self._as_plain(op, members) if len(members) <= _FEW_ALERTS else None
            if plain is None:
                num_left -= _WORK_OF_ONE + _WORK_OF_ITS_INPUT * num_inputs
                yield self._parents_of_op(op, members, numbers[members].astype(np.int64))
                continue
            together.append(plain)
            num_together += len(members)
            if num_together > _MOST_TOGETHER:
                yield self._parents_of_plain_ops(together)
                together, num_together = [], 0
        if together:
            yield self._parents_of_plain_ops(together)
        if num_known < len(order):
            yield self._not_looked_at(numbers[order[num_known:]])

    def _not_looked_at(self, numbers: Int32s) -> Parents:
        unknown = Parents(numbers.astype(np.int64), self.has_nan)
        unknown.lost[:] = True
        unknown.not_looked_at[:] = True
        return unknown

    def _as_plain(self, op: OpKey, members: Int64s) -> PlainOp | None:
        """An op that can be looked at together with others; ``None`` if it cannot."""
        op_type = self._snapshot.op_type(op) or ""
        if op_type in _FROM_DATASET or self.is_of_dataset(op):
            return None
        inputs = [sources for _, sources in self._inputs_of_op(op)]
        if len(inputs) > _FEW_INPUTS:
            return None
        for source in chain.from_iterable(inputs):
            if isinstance(source, TracedSource) and (
                source.slot or not self._has_one_output(source.op)
            ):
                return None
        handle = self._sources.of_inputs(op)[:1] if op_type in READS else []
        plain = PlainOp(op, op_type, members, inputs, handle[0][1] if handle else [])
        return plain if plain.num_sources <= _FEW_INPUTS else None

    def _parents_of_plain_ops(self, ops: list[PlainOp]) -> Parents:
        """As ``_parents_of_op``, for many ops of few alerts each."""
        members = np.concatenate([each.members for each in ops])
        of_member = np.repeat(np.arange(len(ops)), [len(each.members) for each in ops])
        moments = self._moments(self._alerts.traces[0][members].astype(np.int64))
        own = self._alerts.traces[1][members].astype(np.int64)
        found = Parents(own, self.has_nan)

        def where(is_so: Callable[[PlainOp], bool]) -> Mask:
            chosen: Mask = np.array([is_so(each) for each in ops], dtype=np.bool_)[of_member]
            return chosen

        found.lost |= where(lambda each: self._snapshot.row_of_op(each.op) is None)
        may_be_of_call = where(
            lambda each: (
                each.op_type in PLACEHOLDERS
                or each.op_type.startswith(_ACROSS_REPLICAS + _FROM_LISTS)
            )
        )
        for number in range(max(len(each.inputs) for each in ops)):
            records, is_traced, is_hidden = self._records_of(
                [each.inputs[number] if number < len(each.inputs) else [] for each in ops],
                of_member,
                moments,
            )
            found.offer(self._numbers(records))
            may_be_of_call |= is_hidden
            found.lost |= is_traced & (records == UNSEEN)
        is_read = where(lambda each: each.op_type in READS)
        if is_read.any():
            variables = self._variables_of([each.handle for each in ops], of_member, moments)
            self._offer_updates(found, variables, is_read)
            found.offer_rest(is_read, lambda rest: self._last_update_of_that_size(own[rest]))
        found.offer_rest(
            may_be_of_call,
            lambda rest: self._one_before(members[rest]),
            lambda rest: self._bad_argument_of(moments.calls[rest]),
        )
        found.offer_rest(
            may_be_of_call & where(lambda each: may_pass_on(each.op_type)),
            lambda rest: self._last_of_dataset(moments.positions[rest]),
        )
        return found

    def _records_of(
        self, inputs: list[list[Source]], of_member: Int64s, moments: Moments
    ) -> tuple[Int64s, Mask, Mask]:
        """An input of each op at each of its moments.

        Args:
          inputs: The sources of the input, by op.
          of_member: The op of each moment.
          moments: When it is asked for.

        Returns:
          The records as of ``_records``; whether the tensor leaves traces; and whether it came over
          the border of a function that the graph called.

        """
        traced = np.full(len(of_member), UNSEEN, dtype=np.int64)
        passed = traced.copy()
        is_traced: Mask = np.zeros(len(of_member), dtype=np.bool_)
        is_hidden = is_traced.copy()
        for sources in source_columns(inputs):
            here = sources.take(of_member)
            at = np.flatnonzero(here.is_traced)
            traced[at] = np.maximum(traced[at], self._last_of_ops(here.op[at], moments[at]))
            is_traced[at] = True
            is_hidden[at] |= self._is_placeholder[here.op[at]]
            at = np.flatnonzero(here.argument >= 0)
            passed[at] = np.maximum(passed[at], self._passed(here.take(at), moments.calls[at]))
            is_hidden[at] |= ~self._is_call_of(here.take(at), moments.calls[at])
            is_hidden |= here.is_call
        records = np.where(traced == UNSEEN, passed, traced)
        return records, is_traced, is_hidden & (records == UNSEEN)

    def _variables_of(
        self, handles: list[list[Source]], of_member: Int64s, moments: Moments
    ) -> Int64s:
        """The variable that a handle of each op is of at each of its moments: see ``variables``."""
        variables = np.full(len(of_member), -1, dtype=np.int64)
        for sources in source_columns(handles):
            here = sources.take(of_member)
            at = np.flatnonzero(here.argument >= 0)
            of_call, calls = here.take(at), moments.calls[at]
            variables[at] = np.where(variables[at] == -1, -2 - of_call.op, variables[at])
            fits = self._is_call_of(of_call, calls)
            executions = self._snapshot.executions
            inputs = executions.input_end[calls[fits]] + of_call.argument[fits]
            variables[at[fits]] = executions.input_tensor_id[inputs]
            at = np.flatnonzero(here.is_unseen)
            at = at[self._is_handle[here.op[at]]]
            variables[at] = -2 - here.op[at]
        return variables

    @part
    def _is_placeholder(self) -> Mask:
        return self._ops_of_types(PLACEHOLDERS)

    @part
    def _is_handle(self) -> Mask:
        return self._ops_of_types(HANDLES)

    def _ops_of_types(self, op_types: frozenset[str]) -> Mask:
        """Whether each op is of one of some types, by key."""
        snapshot = self._snapshot
        found: Mask = np.zeros(len(snapshot.names.op_refs), dtype=np.bool_)
        rows = _rows_of(snapshot.ops.op_type, snapshot.names.strings.values, op_types.__contains__)
        found[snapshot.ops.op[rows]] = True
        return found

    def _last_of_ops(self, ops: Int64s, moments: Moments) -> Int64s:
        last = self._producers.last_trace_positions(ops, moments.positions)
        same_call = self._traces.calls[self._rows(np.maximum(last, 0))] == moments.calls
        return np.where((last >= 0) & same_call, last, UNSEEN)

    def _parents_of_op(self, op: OpKey, members: Int64s, own: Int64s) -> Parents:
        """The parents of an op's alerts.

        Args:
          op: All the alerts are of its traces.
          members: Places among the alerts of traces.
          own: The alerts.

        """
        moments = self._moments(self._alerts.traces[0][members].astype(np.int64))
        op_type = self._snapshot.op_type(op) or ""
        found = Parents(own, self.has_nan)
        found.lost[:] = self._snapshot.row_of_op(op) is None
        may_be_of_call: Mask = np.zeros(len(own), dtype=np.bool_)
        most = max(_FEW_INPUTS, _MOST_OFFERS // len(own))
        for _, sources in self._inputs_of_op(op)[:most]:
            records = self._records(sources, moments)
            found.offer(self._numbers(records))
            may_be_of_call |= self._hides_a_call(sources, records, moments)
            if any(isinstance(source, TracedSource) for source in sources):
                found.lost |= records == UNSEEN
        if op_type in READS:
            handle = self._sources.of_inputs(op)[:1]
            if handle:
                self._offer_updates(found, self._variables(handle[0][1], moments))
            found.offer_rest(None, lambda rest: self._last_update_of_that_size(own[rest]))
        if op_type in PLACEHOLDERS or op_type.startswith(_ACROSS_REPLICAS + _FROM_LISTS):
            may_be_of_call[:] = True
        found.offer_rest(
            may_be_of_call,
            lambda rest: self._one_before(members[rest]),
            lambda rest: self._bad_argument_of(moments.calls[rest]),
        )
        if op_type in _FROM_DATASET:
            may_be_of_call[:] = True
        elif self.is_of_dataset(op):
            if only_passes_on(op_type, is_nan=True) and self._is_given_arguments(op):
                # An argument's trace may come after that of what was computed of it.
                may_be_of_call |= self.has_nan[own]
        elif not may_pass_on(op_type):
            return found
        found.offer_rest(
            may_be_of_call, lambda rest: self._last_of_dataset(moments.positions[rest])
        )
        return found

    def _is_given_arguments(self, op: OpKey) -> bool:
        inputs = self._functions.inputs(op, range(_FEW_INPUTS))
        return any(self._snapshot.op_type(tensor.op) in PLACEHOLDERS for tensor in inputs)

    def _hides_a_call(self, sources: list[Source], records: Int64s, moments: Moments) -> Mask:
        """Where a value came over the border of a function that the graph called."""
        hidden: Mask = np.zeros(len(records), dtype=np.bool_)
        for source in sources:
            if isinstance(source, UnseenSource):
                hidden |= source.is_call
            elif isinstance(source, ArgumentSource):
                hidden |= ~self._is_call_of(argument_column(source, len(hidden)), moments.calls)
            else:
                hidden |= self._snapshot.op_type(source.op) in PLACEHOLDERS
        hidden &= records == UNSEEN
        return hidden

    def _one_before(self, members: Int64s) -> Int64s:
        """The alert of the bad trace before each one, if both are of one call."""
        indices, numbers = self._alerts.traces
        before = members - 1
        calls = self._traces.calls
        same = (before >= 0) & (calls[self._rows(indices[members])] >= 0)
        same &= calls[self._rows(indices[before])] == calls[self._rows(indices[members])]
        return np.where(same, numbers[before], -1)

    def _bad_argument_of(self, calls: Int64s) -> Int64s:
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
        """What ``_bad_argument_of`` found, by row of the executions.

        All ops of a function's graph and all its results may ask for those of the same calls.
        """
        return np.full(len(self._snapshot.executions), _NOT_ASKED, dtype=np.int32)

    def _find_bad_arguments(self, calls: Int64s) -> Int64s:
        found = np.full(len(calls), -1, dtype=np.int64)
        for _, records in self._eager_inputs(calls):
            found = np.where(found < 0, self._numbers(records), found)
        return found

    def is_of_dataset(self, op: OpKey) -> bool:
        """Whether an op is in a function of an input pipeline, whose calls are not recorded."""
        return bool(self._of_dataset[self._snapshot.names.graph_of(op)])

    @part
    def _of_dataset(self) -> Mask:
        """Whether each graph is a function of an input pipeline."""
        found: Mask = np.zeros(len(self._snapshot.names.graph_ids) + 1, dtype=np.bool_)
        for graph in self._snapshot.graphs.values():
            found[graph.key] = (graph.name or "").startswith(_DATASET)
        return found

    @part
    def _alerts_of_dataset(self) -> Int64s:
        """The alerts in functions of input pipelines, as places among those of traces."""
        indices, _ = self._alerts.traces
        ops = self._snapshot.traces.op[self._rows(indices)]
        return np.flatnonzero(self._of_dataset[self._snapshot.names.op_graph.view().take(ops)])

    def _last_of_dataset(self, positions: Int64s) -> Int64s:
        """The last alert in a function of an input pipeline before some positions."""
        inside = self._alerts_of_dataset
        if not len(inside):
            return np.full(len(positions), -1, dtype=np.int64)
        indices, numbers = self._alerts.traces
        places = np.searchsorted(indices[inside], positions) - 1
        return np.where(places >= 0, numbers[inside[np.maximum(places, 0)]], -1)

    @part
    def _sizes(self) -> Int64s:
        """The number of elements of each alert's tensor; -1 where not recorded."""
        of_traces = self._snapshot.traces.values.size
        of_executions = self._snapshot.executions.values.size
        dtype = np.promote_types(of_traces.dtype, of_executions.dtype)
        sizes = np.full(len(self._alerts), -1, dtype=dtype)
        indices, numbers = self._alerts.traces
        sizes[numbers] = of_traces[self._rows(indices)]
        values, _, numbers = self._alerts.values
        sizes[numbers] = of_executions[values]
        return sizes

    def _last_update_of_that_size(self, own: Int64s) -> Int64s:
        """The last update by a bad value of any variable of a size.

        For variables that a function captured which is called in a graph: TensorFlow does not
        record which ones those are.
        """
        return self._bad_updates_by_size.last_before(self._sizes[own], own)

    def _records(self, sources: list[Source], moments: Moments) -> Int64s:
        """Where a tensor's values were recorded last, of all the places it can have come from."""
        records = np.full(len(moments.positions), UNSEEN, dtype=np.int64)
        passed = records.copy()
        for source in sources:
            if isinstance(source, TracedSource):
                np.maximum(records, self._last_traces(source, moments), out=records)
            elif isinstance(source, ArgumentSource):
                column = argument_column(source, len(passed))
                np.maximum(passed, self._passed(column, moments.calls), out=passed)
        return np.where(records == UNSEEN, passed, records)

    def _last_traces(self, source: TracedSource, moments: Moments) -> Int64s:
        positions = self._positions(source.op, source.slot)
        if not len(positions):
            return np.full(len(moments.positions), UNSEEN, dtype=np.int64)
        places = np.searchsorted(positions, moments.positions.astype(positions.dtype)) - 1
        last = positions[np.maximum(places, 0)].astype(np.int64)
        same_call = self._traces.calls[self._rows(last)] == moments.calls
        return np.where((places >= 0) & same_call, last, UNSEEN)

    def _positions(self, op: OpKey, slot: int) -> Int32s:
        positions = self._producers.trace_positions(op)
        if slot == 0 and self._has_one_output(op):
            return positions
        of_slot: Mask = self._snapshot.traces.output_slot[self._rows(positions)] == slot
        chosen: Int32s = positions[of_slot]
        return chosen

    def _has_one_output(self, op: OpKey) -> bool:
        row = self._snapshot.row_of_op(op)
        ends = self._snapshot.ops.output_end
        return row is not None and bool(ends[row + 1] - ends[row] == 1)

    # Calls and their arguments.

    def _graph_of_call(self, execution_rows: Int32s | Int64s) -> Int64s:
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

    def _is_call_of(self, arguments: SourceColumn, calls: Int64s) -> Mask:
        """Whether each call ran the very function that an argument is of."""
        executions = self._snapshot.executions
        known: Mask = calls >= 0
        if not len(executions):
            return known
        rows = np.maximum(calls, 0)
        num_inputs = executions.input_end[rows + 1] - executions.input_end[rows]
        fits: Mask = known & (num_inputs == arguments.num_parameters)
        fits[fits] = self._graph_of_call(rows[fits]) == arguments.graph[fits]
        return fits

    def _passed(self, arguments: SourceColumn, calls: Int64s) -> Int64s:
        records = np.full(len(calls), UNSEEN, dtype=np.int64)
        fits = self._is_call_of(arguments, calls)
        executions = self._snapshot.executions
        inputs = executions.input_end[calls[fits]] + arguments.argument[fits]
        ids = executions.input_tensor_id[inputs].astype(np.int64)
        records[fits] = self._eager_records(ids, calls[fits])
        return records

    def _eager_records(self, tensor_ids: Int64s, before_rows: Int64s) -> Int64s:
        _, values = self._traces.eager_tensors.values(tensor_ids, before_rows)
        return np.where(values < 0, UNSEEN, values + self._num_traces)

    def _eager_inputs(self, execution_rows: Int64s) -> Iterator[tuple[int, Int64s]]:
        """Input by input, where the values were recorded."""
        executions = self._snapshot.executions
        begins = executions.input_end[execution_rows].astype(np.int64)
        counts = executions.input_end[execution_rows + 1] - begins
        most = min(int(counts.max(initial=0)), _MOST_EAGER_INPUTS)
        for argument in range(most):
            records = np.full(len(execution_rows), UNSEEN, dtype=np.int64)
            has = counts > argument
            ids = executions.input_tensor_id[begins[has] + argument].astype(np.int64)
            records[has] = self._eager_records(ids, execution_rows[has])
            yield argument, records

    # Executions.

    def _parents_of_values(self) -> Iterator[Parents]:
        value_rows, indices, numbers = self._alerts.values
        if not len(value_rows):
            return
        executions = self._snapshot.executions
        rows_by_alert = self._execution_rows(indices).astype(np.int32)
        by_result, begins = self._grouped_by_result(value_rows, rows_by_alert)
        num_known = len(by_result)
        if len(begins) > (most := _MOST_WORK // _WORK_OF_RESULT):
            num_known, begins = int(begins[most]), begins[:most]
            yield self._not_looked_at(numbers[by_result[num_known:]])
        for members in np.split(by_result[:num_known], begins[1:]):
            own = numbers[members].astype(np.int64)
            rows = rows_by_alert[members].astype(np.int64)
            found = Parents(own, self.has_nan)
            if self._graph_of_call(rows[:1])[0] >= 0:
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
            slots[block][self._graph_of_call(execution_rows[block]) < 0] = 0
        keys = executions.op_type[execution_rows] * (np.int64(slots.max()) + 1)
        keys += slots
        order = stable_order(keys)
        begins = np.flatnonzero(np.diff(keys[order], prepend=-1))
        return order.astype(np.int32), begins

    def _ends_of_calls(self, execution_rows: Int64s) -> Int64s:
        """The positions in trace order behind the last traces of executions."""
        order = self._traces.order
        times = order.wall_time[order.rows(EVERY_ROW)]
        ended = self._snapshot.executions.wall_time[execution_rows]
        return np.searchsorted(times, ended, side="right")

    def _execution_rows(self, indices: Int32s) -> Int64s:
        order = self._snapshot.execution_order
        return indices.astype(np.int64) if order is None else order[indices]

    def _find_in_function(self, found: Parents, rows: Int64s, slot: int) -> None:
        moments = Moments(self._ends_of_calls(rows), rows)
        tensor = self._producers.function_result(int(rows[0]), slot)
        # Values can only be told apart where each output has one.
        if tensor is not None and self._num_values(rows[0]) == self._num_outputs(rows[0]):
            found.offer(self._numbers(self._records(self._sources.of_tensor(tensor), moments)))
        # Else the last thing that went bad before the function returned, or what it was given.
        found.offer_rest(
            None,
            lambda rest: self._last_in_call(moments[rest]),
            lambda rest: self._bad_argument_of(rows[rest]),
        )

    def _num_values(self, execution_row: int) -> int:
        ends = self._snapshot.executions.value_end
        return int(ends[execution_row + 1] - ends[execution_row])

    def _num_outputs(self, execution_row: int) -> int:
        ends = self._snapshot.executions.output_end
        return int(ends[execution_row + 1] - ends[execution_row])

    def _last_in_call(self, moments: Moments) -> Int64s:
        indices, numbers = self._alerts.traces
        if not len(indices):
            return np.full(len(moments.calls), -1, dtype=np.int64)
        places = np.searchsorted(indices, moments.positions.astype(indices.dtype)) - 1
        last = np.maximum(places, 0)
        same = (places >= 0) & (self._traces.calls[self._rows(indices[last])] == moments.calls)
        return np.where(same, numbers[last], -1)

    def _find_in_eager_inputs(
        self, found: Parents, rows: Int64s, own: Int64s, op_type: int
    ) -> None:
        name = self._snapshot.names.strings.values[op_type]
        for argument, records in self._eager_inputs(rows):
            if name in READS and argument == 0:
                executions = self._snapshot.executions
                has_handle = executions.input_end[rows + 1] > executions.input_end[rows]
                handles = np.full(len(rows), -1, dtype=np.int64)
                handles[has_handle] = executions.input_tensor_id[
                    executions.input_end[rows[has_handle]]
                ]
                self._offer_updates(found, handles)
                found.offer_rest(has_handle, lambda rest: self._last_update_of_that_size(own[rest]))
            else:
                found.offer(self._numbers(records))
        if only_passes_on(name, is_nan=True):
            found.offer_rest(
                None if only_passes_on(name, is_nan=False) else self.has_nan[own],
                lambda rest: self._last_copied(rows[rest], own[rest]),
            )
        if name == _OPTIONAL:
            # What a function packed in, which ran just before.
            found.offer_rest(None, lambda rest: own[rest] - 1)
        elif name in _FROM_DATASET:
            found.offer_rest(
                None, lambda rest: self._last_of_dataset(self._ends_of_calls(rows[rest]))
            )

    def _last_copied(self, execution_rows: Int64s, own: Int64s) -> Int64s:
        """The bad eager tensor that an input of each execution may be a copy of; -1 for none.

        Copies (Identity) are not recorded: an input that no execution made is taken for one of the
        last bad tensor that has as many elements as what came of it.
        """
        executions = self._snapshot.executions
        may_be_copy: Mask = np.zeros(len(own), dtype=np.bool_)
        for argument, records in self._eager_inputs(execution_rows):
            places = executions.input_end[execution_rows] + argument
            asked = np.flatnonzero(
                (records == UNSEEN) & (places < executions.input_end[execution_rows + 1])
            )
            ids = executions.input_tensor_id[places[asked]].astype(np.int64)
            made_by, _ = self._traces.eager_tensors.values(ids, execution_rows[asked])
            may_be_copy[asked] |= made_by < 0
        return np.where(may_be_copy, self._bad_outputs.last_before(self._sizes[own], own), -1)

    @part
    def _bad_outputs(self) -> BadUpdates:
        """The bad outputs of executions, by number of elements."""
        numbers = self._alerts.values[2].astype(np.int64)
        return BadUpdates(self._sizes[numbers], numbers, len(self._alerts))

    # Alerts and variables.

    @part
    def _number_of_value(self) -> tuple[Int32s, Int32s]:
        """Rows of the executions' values with an alert, ascending, and their alerts."""
        value_rows, _, numbers = self._alerts.values
        if self._snapshot.execution_order is None:
            return value_rows, numbers
        order = np.argsort(value_rows, kind="stable")
        return value_rows[order], numbers[order]

    def _numbers(self, records: Int64s) -> Int64s:
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

    def _variables(self, handle: list[Source], moments: Moments) -> Int64s:
        """The variable that a handle is of at each moment: see ``variables``."""
        of_member = np.zeros(len(moments.calls), dtype=np.int64)
        return self._variables_of([handle], of_member, moments)

    @part
    def _updates(self) -> tuple[Int64s, Int64s]:
        """The variables that were updated by bad values, and the alerts of these."""
        found = [*self._updates_in_graphs(), *self._eager_updates(), *self._restored_updates()]
        nothing = np.zeros(0, dtype=np.int64)
        return (
            np.concatenate([nothing, *(variables for variables, _ in found)]),
            np.concatenate([nothing, *(numbers for _, numbers in found)]),
        )

    @part
    def _bad_updates(self) -> BadUpdates:
        return BadUpdates(*self._updates, len(self._alerts))

    def _offer_updates(self, found: Parents, variables: Int64s, which: Mask | None = None) -> None:
        """What variables were last updated by, -1 for none, of which some are guesses."""
        updates = self._bad_updates.last_before(variables, found.own)
        updates[variables == -1] = -1
        if which is not None:
            updates[~which] = -1
        found.offer(updates)
        taken = np.flatnonzero((updates >= 0) & (found.parents == updates))
        found.guessed[taken] |= np.isin(updates[taken], self._restored[1])

    @part
    def _bad_updates_by_size(self) -> BadUpdates:
        numbers = self._updates[1]
        return BadUpdates(self._sizes[numbers], numbers, len(self._alerts))

    def _updates_in_graphs(self) -> Iterator[tuple[Int64s, Int64s]]:
        snapshot = self._snapshot
        strings = snapshot.names.strings.values
        handles: list[list[Source]] = []
        bad: list[Int32s] = []
        for row in _rows_of(snapshot.ops.op_type, strings, is_update)[:_MOST_UPDATES]:
            inputs = self._sources.of_inputs(OpKey(int(snapshot.ops.op[row])))
            for _, sources in inputs[1:_FEW_INPUTS]:
                for source in sources:
                    members = self._bad_members(source)
                    if len(members):
                        handles.append(inputs[0][1])
                        bad.append(members)
        if bad:
            members = np.concatenate(bad)
            indices, numbers = self._alerts.traces
            of_member = np.repeat(np.arange(len(bad)), [len(each) for each in bad])
            moments = self._moments(indices[members].astype(np.int64))
            yield self._variables_of(handles, of_member, moments), numbers[members].astype(np.int64)

    @part
    def _members_by_op(self) -> tuple[Int32s, Int32s, Int64s]:
        """The alerts of traces, as places among those, by op; the ops; and where each begins."""
        ops = self._snapshot.traces.op[self._rows(self._alerts.traces[0])]
        order = stable_order(ops)
        by_op = ops[order]
        begins = np.flatnonzero(np.diff(by_op, prepend=-1))
        return order.astype(np.int32), by_op[begins], np.append(begins, len(order))

    def _bad_members(self, source: Source) -> Int32s:
        """The alerts of what was recorded of a tensor, as places among those of traces."""
        order, ops, begins = self._members_by_op
        if not isinstance(source, TracedSource):
            return order[:0]
        number = int(np.searchsorted(ops, source.op))
        if number == len(ops) or ops[number] != source.op:
            return order[:0]
        members = order[begins[number] : begins[number + 1]]
        if self._has_one_output(source.op):
            return members
        rows = self._rows(self._alerts.traces[0][members])
        of_slot: Int32s = members[self._snapshot.traces.output_slot[rows] == source.slot]
        return of_slot

    @part
    def _eager_update_rows(self) -> Int64s:
        """The executions that update variables, whose handles are their first inputs."""
        executions = self._snapshot.executions
        rows = _rows_of(executions.op_type, self._snapshot.names.strings.values, is_update)
        return rows[executions.input_end[rows + 1] > executions.input_end[rows]]

    def _eager_updates(self) -> Iterator[tuple[Int64s, Int64s]]:
        executions, rows = self._snapshot.executions, self._eager_update_rows
        if not len(rows):
            return
        handles = executions.input_tensor_id[executions.input_end[rows]].astype(np.int64)
        for argument, records in self._eager_inputs(rows):
            numbers = self._numbers(records)
            bad = numbers >= 0
            if argument:
                yield handles[bad], numbers[bad]

    def _restored_updates(self) -> Iterator[tuple[Int64s, Int64s]]:
        rows, numbers = self._restored
        executions = self._snapshot.executions
        yield executions.input_tensor_id[executions.input_end[rows]].astype(np.int64), numbers

    @part
    def _restored(self) -> tuple[Int64s, Int64s]:
        """Eager updates right after a bad tensor was restored, and the alert of that.

        They were given a copy of it, or of another one that was restored with it; copies are not
        recorded. Only a variable that is bad when it is read asks.
        """
        executions, rows = self._snapshot.executions, self._eager_update_rows
        strings = self._snapshot.names.strings.values
        _, indices, numbers = self._alerts.values
        bad = self._execution_rows(indices)
        chosen = np.isin(bad, _rows_of(executions.op_type, strings, _RESTORES.__contains__))
        if not chosen.any() or not len(rows):
            return rows[:0], numbers[:0].astype(np.int64)
        for argument, records in self._eager_inputs(rows):
            if argument == 1:
                rows = rows[records == UNSEEN]
                break
        others = _rows_of(executions.op_type, strings, lambda name: not is_update(name))
        before = np.searchsorted(others, rows) - 1
        last = np.where(before < 0, -1, others[np.maximum(before, 0)])
        order = np.argsort(bad[chosen], kind="stable")
        bad, numbers = bad[chosen][order], numbers[chosen][order].astype(np.int64)
        places = np.minimum(np.searchsorted(bad, last), len(bad) - 1)
        known = bad[places] == last
        return rows[known], numbers[places[known]]


def _rows_of(column: Any, strings: Any, wanted: Callable[[str], bool]) -> Int64s:
    """Rows whose string, by its id in a column, is a wanted one."""
    ids = np.flatnonzero(np.bincount(column)).tolist()
    chosen = [string for string in ids if wanted(strings[string])]
    return np.flatnonzero(np.isin(column, chosen))
