"""Which bad values do harm, and which are meant: masks, what is selected away, skipped steps."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import GROWING, HALF
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.provenance.provenance import Provenance
from tb_debugger_plugin.analyses.root_causes.alert_columns import AlertColumns
from tb_debugger_plugin.analyses.root_causes.gradients import is_gradient_name
from tb_debugger_plugin.analyses.root_causes.uses import Use, Uses
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS, RESTORES
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey

_CONSTANTS = frozenset({"Const", "Fill"}) | RESTORES
"""What holds an infinity that somebody put there."""
_SELECTS = frozenset({"Select", "SelectV2"})
_HELD = READS | RESTORES
"""Whoever looks at such a value in Python has not computed it."""
_SCALED = GROWING | {"Cast", "BiasAddGrad"}
"""Gradients that are infinite only where numbers are beyond the range."""
_COMPUTING = GROWING - {"Add", "AddV2", "Sub", "BiasAdd"} | {"RealDiv"}
"""No mask or least value so far is an input of these."""
_MOST_OPS = 1000
"""That are looked at for each reason; those behind do harm."""
_MOST_ROUNDS = 64
"""How many causes on from each other harm is followed back."""


class Harm:
    """Answers for one snapshot, of groups of alerts that descend from the same origins."""

    def __init__(
        self,
        snapshot: Snapshot,
        alerts: AlertTable,
        columns: AlertColumns,
        provenance: Provenance,
        functions: GraphFunctions,
        firsts: Int64s,
        group_of_alert: Int32s,
        *,
        has_lost_events: bool,
    ) -> None:
        """Takes the groups.

        Args:
          snapshot: The run.
          alerts: Its alerts.
          columns: What is known of these.
          provenance: Where these came from.
          functions: Its graphs as functions.
          firsts: The first origin of each group, an alert.
          group_of_alert: The group of each alert.
          has_lost_events: Whether events before those on disk were dropped.
        """
        self._has_lost_events = has_lost_events
        self._uses = Uses(snapshot, columns, functions, provenance.is_of_dataset)
        self._snapshot = snapshot
        self._alerts = alerts
        self._columns = columns
        self._provenance = provenance
        self._functions = functions
        self._firsts = firsts
        self._group_of_alert = group_of_alert

    def harmless_groups(self) -> Mask:
        """Whether each group does no harm, as far as the record tells.

        Harm does what becomes a result or the value of a variable, what happens in calls that are
        not recorded or of ops that are not known, a NaN that anything but a choice is given, an
        infinity that is written out, a sum or product that is too large, and a gradient for which
        a step is skipped. Whatever went into something harmful does harm too.
        """
        provenance = self._provenance
        is_given = self._is_given()
        meant = is_given[self._group_of_alert] & ~provenance.has_nan
        lost = (provenance.is_unrecorded | provenance.updates_variable) & ~meant
        unknown = self._columns.op_types < 0
        harmless = self._without(lost | unknown)
        is_scaled = self._is_scaled(harmless)
        harmless &= is_scaled | is_given | ~self._is_too_large(harmless)
        harmless &= is_scaled | self._without(self._is_in_use(harmless & ~is_scaled))
        is_held = self._is_alert_of(_HELD) | self._is_chosen()
        may_be_result = provenance.is_execution & ~(meant & is_held)
        results = np.flatnonzero(harmless[self._group_of_alert] & may_be_result)
        harmless[self._group_of_alert[results[self._are_unused(results)]]] = False
        self._unmark_inputs_of_harm(harmless)
        return harmless

    def _without(self, harms: Mask) -> Mask:
        """The groups without an alert of some."""
        without: Mask = np.ones(len(self._firsts), dtype=np.bool_)
        without[self._group_of_alert[harms]] = False
        return without

    def _is_alert_of(self, op_types: frozenset[str]) -> Mask:
        """The alerts of ops of some types."""
        return np.isin(self._columns.op_types, self._snapshot.names.strings.find_all(op_types))

    def _are_of(self, op_types: frozenset[str]) -> Mask:
        """The groups whose first origin is of an op of one of some types."""
        found = self._snapshot.names.strings.find_all(op_types)
        return np.isin(self._columns.op_types[self._firsts], found)

    @part
    def _ops(self) -> Int64s:
        """The ``OpKey`` of each group's first origin; below zero for eager ones."""
        return self._columns.sites[self._firsts]

    def _is_given(self) -> Mask:
        """The groups that begin with an infinity that the program put there and only compares.

        With a constant, with what a variable held from the start, or with what came of an array
        that was brought in, as an initial value does.
        """
        given = self._are_of(_CONSTANTS)
        if not self._has_lost_events:
            for group in np.flatnonzero(self._are_of(READS) & ~given)[:_MOST_OPS]:
                given[group] = self._provenance.is_bad_from_the_start(int(self._firsts[group]))
        computes = self._is_alert_of(_COMPUTING)
        for group in np.flatnonzero(self._are_of(GROWING | _SELECTS) & (self._ops < 0))[:_MOST_OPS]:
            first = int(self._firsts[group])
            given[group] = any(each.brought is not None for each in self._provenance.inputs(first))
            computes[first] &= not given[group]
        return given & self._without(computes)

    def _is_chosen(self) -> Mask:
        """The alerts of constants and what was masked by them: results may hold these.

        But not where nothing was left: the greatest of a row that is masked wholly.
        """
        is_eager = self._ops < 0
        chosen = self._are_of(_CONSTANTS) & ~is_eager | self._are_of(_SELECTS) & is_eager
        chosen &= self._without(self._is_alert_of(frozenset({"Max", "Min"})))
        return chosen[self._group_of_alert]

    def _is_scaled(self, groups: Mask) -> Mask:
        """Of some groups, those of float16 gradients that are infinite and of no use.

        A loss scale looks for the end of the range, and drops the step. But not all steps: some
        such gradient of the graph has to be good in the end.
        """
        scaled: Mask = np.zeros(len(groups), dtype=np.bool_)
        wanted = groups & ~self._provenance.has_nan[self._firsts] & (self._ops >= 0)
        wanted &= self._without(self._provenance.is_execution)
        dtypes = self._columns.dtypes[self._firsts]
        groups_of_graph: dict[GraphKey, list[int]] = {}
        names = self._snapshot.names
        for group in np.flatnonzero(wanted & ((dtypes == HALF) | (dtypes == 0)))[:_MOST_OPS]:
            op = OpKey(int(self._ops[group]))
            if self._snapshot.op_type(op) in _SCALED and is_gradient_name(names.op_name(op)):
                groups_of_graph.setdefault(names.graph_of(op), []).append(int(group))
        for graph, alike in groups_of_graph.items():
            if not dtypes[alike].all() and not self._has_cast_gradients(graph):
                continue
            firsts = self._firsts[alike].tolist()
            scaled[alike] = any(map(self._provenance.is_good_in_the_end, firsts))
        return scaled

    def _has_cast_gradients(self, graph: GraphKey) -> bool:
        """Whether a graph computes gradients in two precisions: where no dtype is recorded."""
        ops, names = self._snapshot.ops, self._snapshot.names
        rows = self._functions.op_rows(graph)
        casts = rows[np.isin(ops.op_type[rows], names.strings.find_all(("Cast",)))]
        return any(
            is_gradient_name(names.op_name(OpKey(op))) for op in ops.op[casts[:_MOST_OPS]].tolist()
        )

    def _is_too_large(self, groups: Mask) -> Mask:
        """Of some groups, those of infinite sums and products of finite numbers: not meant."""
        too_large = self._are_of(GROWING) & ~self._provenance.has_nan[self._firsts]
        for group in np.flatnonzero(groups & too_large)[:_MOST_OPS]:
            too_large[group] = not self._provenance.was_given_bad(int(self._firsts[group]))
        return too_large

    def _is_in_use(self, groups: Mask) -> Mask:
        """The alerts of some groups that went where it shows that they are bad, or nobody knows."""
        wanted = groups[self._group_of_alert]
        in_use: Mask = np.zeros(len(wanted), dtype=np.bool_)
        numbers = self._alerts.traces[1]
        asked = wanted[numbers]
        in_use[numbers[asked]] = self._are_traces_in_use(
            self._snapshot.traces.op[self._columns.trace_rows[asked]],
            self._provenance.has_nan[numbers[asked]],
            self._are_of_gradients(groups)[self._group_of_alert[numbers[asked]]],
        )
        values, _, numbers = self._alerts.values
        asked = wanted[numbers]
        in_use[numbers[asked]] = self._are_outputs_in_use(
            self._output_ids(values[asked], self._columns.execution_rows[asked]),
            self._provenance.has_nan[numbers[asked]],
        )
        return in_use

    def _are_of_gradients(self, groups: Mask) -> Mask:
        """Of some groups, those that begin in a gradient."""
        found: Mask = np.zeros(len(groups), dtype=np.bool_)
        for group in np.flatnonzero(groups & (self._ops >= 0))[:_MOST_OPS]:
            name = self._snapshot.names.op_name(OpKey(int(self._ops[group])))
            found[group] = is_gradient_name(name)
        return found

    def _are_traces_in_use(self, ops: Int32s, has_nan: Mask, of_gradient: Mask) -> Mask:
        """Of traces of ops, some of which descend from a gradient."""
        keys = ops.astype(np.int64) * 4 + has_nan * 2 + of_gradient
        keys, number_of = np.unique(keys, return_inverse=True)
        in_use: Mask = np.ones(len(keys), dtype=np.bool_)
        for number, key in enumerate(keys[:_MOST_OPS].tolist()):
            op, flags = divmod(key, 4)
            in_use[number] = self._is_op_in_use(
                OpKey(op), has_nan=flags & 2 != 0, of_gradient=flags & 1 != 0
            )
        found: Mask = in_use[number_of.reshape(-1)]
        return found

    def _is_op_in_use(self, op: OpKey, *, has_nan: bool, of_gradient: bool) -> bool:
        uses = self._uses.of_op(op)
        of_gradient = of_gradient or is_gradient_name(self._snapshot.names.op_name(op))
        if of_gradient and Use.QUESTION in uses:
            return True  # The step is skipped.
        if not has_nan:
            return Use.WRITING in uses
        if uses & (Use.WRITING | Use.OTHER):
            return True
        # A question alone, in a pipeline, is what drops an element.
        return not uses & (Use.PASSED_ON | Use.CHOICE) and not self._provenance.is_of_dataset(op)

    def _are_outputs_in_use(self, ids: Int64s, has_nan: Mask) -> Mask:
        """As of traces, of outputs of executions, by eager ids; -1 for one that cannot be told."""
        written = np.isin(ids, self._uses.eager_ids(ids, Use.WRITING))
        nan_ids = ids[has_nan]
        used = np.isin(ids, self._uses.eager_ids(nan_ids, Use.OTHER))
        left_out = np.isin(ids, self._uses.eager_ids(nan_ids, Use.CHOICE | Use.PASSED_ON))
        return written | (has_nan & (used | ~left_out | (ids < 0)))

    def _output_ids(self, values: Int32s, rows: Int64s) -> Int64s:
        """The eager ids of outputs, by rows of their values and of executions.

        Values can only be told apart where each output has one: -1 else.
        """
        executions = self._snapshot.executions
        num_values = executions.value_end[rows + 1] - executions.value_end[rows]
        num_outputs = executions.output_end[rows + 1] - executions.output_end[rows]
        ids = np.full(len(rows), -1, dtype=np.int64)
        told = np.flatnonzero(num_values == num_outputs)
        outputs = executions.output_end[rows] + values - executions.value_end[rows]
        ids[told] = executions.output_tensor_id[outputs[told]]
        return ids

    def _are_unused(self, results: Int64s) -> Mask:
        """Whether the tensor of each of some alerts of executions went into none but questions.

        Of what cannot be told apart that is taken for so.
        """
        values, _, numbers = self._alerts.values
        places = np.searchsorted(numbers, results)
        ids = self._output_ids(values[places], self._columns.execution_rows[places])
        used = self._uses.eager_ids(ids, ~Use.QUESTION)
        return (ids < 0) | ~np.isin(ids, used)

    def _unmark_inputs_of_harm(self, harmless: Mask) -> None:
        """What is an input of something harmful does harm, though that descends from another."""
        inputs, of_alerts = (self._group_of_alert[each] for each in self._provenance.other_inputs)
        keys = np.unique(inputs.astype(np.int64) * len(harmless) + of_alerts)
        groups, of_groups = np.divmod(keys, len(harmless))
        for _ in range(_MOST_ROUNDS):
            wrong = harmless[groups] & ~harmless[of_groups]
            if not wrong.any():
                return
            harmless[groups[wrong]] = False
