"""The parents of alerts of graph execution traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import may_pass_on, only_passes_on
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions
from tb_debugger_plugin.analyses.provenance import limits
from tb_debugger_plugin.analyses.provenance.bad_values import BadValues
from tb_debugger_plugin.analyses.provenance.call_arguments import UNSEEN
from tb_debugger_plugin.analyses.provenance.guesses import Guesses
from tb_debugger_plugin.analyses.provenance.parents import Parents
from tb_debugger_plugin.analyses.provenance.recorded_sources import TracedSource
from tb_debugger_plugin.analyses.provenance.records import FROM_DATASET, Records
from tb_debugger_plugin.analyses.provenance.source_columns import PlainOp
from tb_debugger_plugin.analyses.provenance.variable_updates import VariableUpdates
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

_FEW_ALERTS = 4096
_MOST_TOGETHER = 1 << 16
"""Alerts."""
_MOST_OFFERS = 1 << 22
"""Of inputs of an op, for all of its alerts."""
_ACROSS_REPLICAS = ("Collective", "NcclAllReduce")
"""What reduces values of several replicas, of which a graph names its own only."""
_FROM_LISTS = ("TensorList", "TensorArray", "StackPop")
"""What reads lists of tensors, which leave no traces."""


class ParentsOfTraces:
    """Looks at ops, and at those of few alerts together."""

    def __init__(
        self,
        snapshot: Snapshot,
        alerts: AlertTable,
        functions: GraphFunctions,
        records: Records,
        bad: BadValues,
        updates: VariableUpdates,
        guesses: Guesses,
    ) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._functions = functions
        self._records = records
        self._bad = bad
        self._updates = updates
        self._guesses = guesses

    def find(self) -> Iterator[Parents]:
        """The parents of all such alerts, some alerts at a time."""
        _, numbers = self._alerts.traces
        order, ops, begins = self._bad.members_by_op
        together: list[PlainOp] = []
        num_left, num_known, num_together = limits.MOST_WORK, 0, 0
        for number, op in enumerate(map(OpKey, ops.tolist())):
            members = order[begins[number] : begins[number + 1]].astype(np.int64)
            num_inputs = min(self._functions.num_inputs(op), limits.MOST_INPUTS)
            num_left -= 1 + num_inputs
            if num_left < 0:
                break
            num_known += len(members)
            plain = self._as_plain(op, members) if len(members) <= _FEW_ALERTS else None
            if plain is None:
                num_left -= limits.WORK_OF_ONE + limits.WORK_OF_ITS_INPUT * num_inputs
                yield self._of_op(op, members, numbers[members].astype(np.int64))
                continue
            together.append(plain)
            num_together += len(members)
            if num_together > _MOST_TOGETHER:
                yield self._of_plain_ops(together)
                together, num_together = [], 0
        if together:
            yield self._of_plain_ops(together)
        if num_known < len(order):
            yield Parents.not_known(numbers[order[num_known:]].astype(np.int64), self._bad.has_nan)

    def _as_plain(self, op: OpKey, members: Int64s) -> PlainOp | None:
        """An op that can be looked at together with others; ``None`` if it cannot."""
        op_type = self._snapshot.op_type(op) or ""
        if op_type in FROM_DATASET or self._records.is_of_dataset(op):
            return None
        inputs = [sources for _, sources in self._records.inputs_of_op(op)]
        if len(inputs) > limits.FEW_INPUTS:
            return None
        for source in chain.from_iterable(inputs):
            if isinstance(source, TracedSource) and (
                source.slot or not self._records.has_one_output(source.op)
            ):
                return None
        handle = self._records.sources.of_inputs(op)[:1] if op_type in READS else []
        plain = PlainOp(op, op_type, members, inputs, handle[0][1] if handle else [])
        return plain if plain.num_sources <= limits.FEW_INPUTS else None

    def _of_plain_ops(self, ops: list[PlainOp]) -> Parents:
        """As ``_of_op``, for many ops of few alerts each."""
        members = np.concatenate([each.members for each in ops])
        of_member = np.repeat(np.arange(len(ops)), [len(each.members) for each in ops])
        moments = self._records.moments(self._alerts.traces[0][members].astype(np.int64))
        own = self._alerts.traces[1][members].astype(np.int64)
        found = Parents(own, self._bad.has_nan)

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
            records, is_traced, is_hidden = self._records.of_inputs(
                [each.inputs[number] if number < len(each.inputs) else [] for each in ops],
                of_member,
                moments,
            )
            found.offer(self._bad.numbers(records))
            may_be_of_call |= is_hidden
            found.lost |= is_traced & (records == UNSEEN)
        is_read = where(lambda each: each.op_type in READS)
        if is_read.any():
            variables = self._records.variables_of(
                [each.handle for each in ops], of_member, moments
            )
            self._updates.offer(found, variables, is_read)
            found.offer_rest(is_read, lambda rest: self._updates.last_of_that_size(own[rest]))
        self._guess_call(
            found,
            may_be_of_call,
            members,
            moments.calls,
            may_make=where(lambda each: _may_make(each.op_type)),
        )
        found.offer_rest(
            may_be_of_call & where(lambda each: may_pass_on(each.op_type)),
            lambda rest: self._guesses.last_of_dataset(moments.positions[rest]),
        )
        return found

    def _of_op(self, op: OpKey, members: Int64s, own: Int64s) -> Parents:
        """The parents of an op's alerts.

        Args:
          op: All the alerts are of its traces.
          members: Places among the alerts of traces.
          own: The alerts.

        """
        moments = self._records.moments(self._alerts.traces[0][members].astype(np.int64))
        op_type = self._snapshot.op_type(op) or ""
        found = Parents(own, self._bad.has_nan)
        found.lost[:] = self._snapshot.row_of_op(op) is None
        may_be_of_call: Mask = np.zeros(len(own), dtype=np.bool_)
        most = max(limits.FEW_INPUTS, _MOST_OFFERS // len(own))
        for _, sources in self._records.inputs_of_op(op)[:most]:
            records = self._records.of_sources(sources, moments)
            found.offer(self._bad.numbers(records))
            may_be_of_call |= self._records.hides_a_call(sources, records, moments)
            if any(isinstance(source, TracedSource) for source in sources):
                found.lost |= records == UNSEEN
        if op_type in READS:
            handle = self._records.sources.of_inputs(op)[:1]
            if handle:
                self._updates.offer(found, self._records.variables(handle[0][1], moments))
            found.offer_rest(None, lambda rest: self._updates.last_of_that_size(own[rest]))
        if op_type in PLACEHOLDERS or op_type.startswith(_ACROSS_REPLICAS + _FROM_LISTS):
            may_be_of_call[:] = True
        may_make: Mask = np.full(len(own), _may_make(op_type), dtype=np.bool_)
        self._guess_call(found, may_be_of_call, members, moments.calls, may_make)
        if op_type in FROM_DATASET:
            may_be_of_call[:] = True
        elif self._records.is_of_dataset(op):
            if only_passes_on(op_type, is_nan=True) and self._is_given_arguments(op):
                # An argument's trace may come after that of what was computed of it.
                may_be_of_call |= self._bad.has_nan[own]
        elif not may_pass_on(op_type):
            return found
        found.offer_rest(
            may_be_of_call, lambda rest: self._guesses.last_of_dataset(moments.positions[rest])
        )
        return found

    def _guess_call(
        self, found: Parents, which: Mask, members: Int64s, calls: Int64s, may_make: Mask
    ) -> None:
        """Guesses what came over the border of a function that the graph called.

        Args:
          found: Takes the guesses.
          which: Of which alerts.
          members: The alerts, as places among those of traces.
          calls: Of which executions they are.
          may_make: Of which the op may have made the bad values itself: what it gave is taken for
            passed on only where that is NaN, and so was what went before.

        """

        def likely(rest: Int64s, numbers: Int64s) -> Int64s:
            both_nan = self._bad.has_nan[found.own[rest]] & self._bad.has_nan[numbers]
            return np.where(may_make[rest] & ~both_nan, -1, numbers)

        found.offer_rest(
            which,
            lambda rest: likely(rest, self._guesses.one_before(members[rest])),
            lambda rest: likely(rest, self._guesses.bad_argument_of(calls[rest])),
        )

    def _is_given_arguments(self, op: OpKey) -> bool:
        inputs = self._functions.inputs(op, range(limits.FEW_INPUTS))
        return any(self._snapshot.op_type(tensor.op) in PLACEHOLDERS for tensor in inputs)


def _may_make(op_type: str) -> bool:
    """Whether an op is likelier to make bad values than to pass them on."""
    passes_on = op_type in PLACEHOLDERS or op_type.startswith(_ACROSS_REPLICAS + _FROM_LISTS)
    return not (passes_on or may_pass_on(op_type))
