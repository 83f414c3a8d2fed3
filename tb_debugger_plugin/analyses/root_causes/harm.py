"""Which bad values do harm, and which are meant: masks, what is selected away, skipped steps."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import GROWING, HALF
from tb_debugger_plugin.analyses.graph_functions import IDENTITIES, GraphFunctions
from tb_debugger_plugin.analyses.provenance.provenance import Provenance
from tb_debugger_plugin.analyses.root_causes.alert_columns import AlertColumns
from tb_debugger_plugin.analyses.root_causes.gradients import is_gradient_name
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

_LEAVING_OUT = frozenset(
    {"Select", "SelectV2", "MulNoNan", "DivNoNan", "Xdivy", "Xlogy", "Xlog1py"}
    | {"GatherV2", "GatherNd", "Slice", "StridedSlice"}
    | {"IsNan", "IsInf", "IsFinite", "Shape", "Size", "Rank", "ZerosLike", "OnesLike"}
)
"""Ops of which a good output may be meant though an input is bad.

What a comparison or ArgMax makes of NaN is finite too, but wrong.
"""
_CONSTANTS = frozenset({"Const", "Fill"})
_MOST_OPS = 1000
"""That are looked at for each reason; those behind do harm."""
_MOST_CONSUMERS = 64
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
        """
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
        not recorded, a NaN that anything but a choice is given, and a sum or product that is too
        large. Whatever went into something harmful does harm too.
        """
        provenance = self._provenance
        is_given = self._is_given()
        meant = is_given[self._group_of_alert] & ~provenance.has_nan
        stored = provenance.updates_variable & ~meant
        harmless = self._without(provenance.is_unrecorded | stored)
        is_scaled = self._is_scaled(harmless)
        harmless &= is_scaled | ~self._is_too_large(harmless)
        harmless &= is_scaled | self._without(self._is_nan_in_use(harmless & ~is_scaled))
        may_be_result = provenance.is_execution & ~(meant & self._are_reads())
        results = np.flatnonzero(harmless[self._group_of_alert] & may_be_result)
        harmless[self._group_of_alert[results[provenance.is_unused(results)]]] = False
        harmless |= self._are_lone_constants()
        self._unmark_inputs_of_harm(harmless)
        return harmless

    def _without(self, harms: Mask) -> Mask:
        """The groups without an alert of some."""
        without: Mask = np.ones(len(self._firsts), dtype=np.bool_)
        without[self._group_of_alert[harms]] = False
        return without

    def _are_of(self, op_types: frozenset[str]) -> Mask:
        """The groups whose first origin is of an op of one of some types."""
        return np.isin(self._op_types, self._ids_of(op_types))

    def _ids_of(self, op_types: frozenset[str]) -> list[int]:
        find = self._snapshot.names.strings.find
        return [number for name in op_types if (number := find(name)) is not None]

    @part
    def _op_types(self) -> Int32s:
        return self._columns.op_types[self._firsts]

    @part
    def _ops(self) -> Int64s:
        """The ``OpKey`` of each group's first origin; below zero for eager ones."""
        return self._columns.sites[self._firsts]

    def _are_lone_constants(self) -> Mask:
        """The groups of constants from which nothing descends: a NaN that is selected away."""
        has_more = np.ones(len(self._group_of_alert), dtype=np.bool_)
        has_more[self._provenance.parents < 0] = False
        return self._provenance.is_constant[self._firsts] & self._without(has_more)

    def _is_given(self) -> Mask:
        """The groups that begin with a constant, or with what a variable held from the start.

        The least value so far begins with an infinity, and is one until there is another.
        """
        given = self._are_of(_CONSTANTS)
        for group in np.flatnonzero(self._are_of(READS) & ~given)[:_MOST_OPS]:
            given[group] = self._provenance.is_bad_from_the_start(int(self._firsts[group]))
        return given

    def _are_reads(self) -> Mask:
        """The alerts of reads of variables."""
        return np.isin(self._columns.op_types, self._ids_of(READS))

    def _is_scaled(self, groups: Mask) -> Mask:
        """Of some groups, those of float16 gradients that are infinite and of no use.

        A loss scale looks for the end of the range, and drops the step. But not all steps: some
        such gradient of the graph has to be good in the end.
        """
        scaled: Mask = np.zeros(len(groups), dtype=np.bool_)
        wanted = groups & ~self._provenance.has_nan[self._firsts] & (self._ops >= 0)
        wanted &= self._without(self._provenance.is_execution)
        dtypes = self._columns.dtypes[self._firsts]
        groups_of_graph: dict[int, list[int]] = {}
        names = self._snapshot.names
        for group in np.flatnonzero(wanted & ((dtypes == HALF) | (dtypes == 0)))[:_MOST_OPS]:
            op = OpKey(int(self._ops[group]))
            is_half = dtypes[group] == HALF or self._is_beside_cast(op)
            if is_half and is_gradient_name(names.op_name(op)):
                groups_of_graph.setdefault(names.graph_of(op), []).append(int(group))
        for alike in groups_of_graph.values():
            firsts = self._firsts[alike].tolist()
            scaled[alike] = any(map(self._provenance.is_good_in_the_end, firsts))
        return scaled

    def _is_beside_cast(self, op: OpKey) -> bool:
        """Whether an op, an input or a consumer is a Cast: where no dtype is recorded."""
        around = [op, *(given.op for given in self._functions.inputs(op, range(_MOST_CONSUMERS)))]
        for uses in self._functions.consumers(op, _MOST_CONSUMERS, _MOST_CONSUMERS).values():
            around += [consumer for consumer, _ in uses.first]
        return any(self._snapshot.op_type(each) == "Cast" for each in around)

    def _is_too_large(self, groups: Mask) -> Mask:
        """Of some groups, those of infinite sums and products of finite numbers: not meant."""
        too_large = self._are_of(GROWING) & ~self._provenance.has_nan[self._firsts]
        for group in np.flatnonzero(groups & too_large)[:_MOST_OPS]:
            too_large[group] = not self._provenance.was_given_bad(int(self._firsts[group]))
        return too_large

    def _is_nan_in_use(self, groups: Mask) -> Mask:
        """The alerts of some groups that hold NaN and went into anything but a choice."""
        wanted = groups[self._group_of_alert] & self._provenance.has_nan
        in_use: Mask = np.zeros(len(wanted), dtype=np.bool_)
        # What comes out of a pipeline is seen where it is taken from it.
        numbers = self._alerts.traces[1]
        asked = wanted[numbers] & ~self._provenance.is_in_pipeline[numbers]
        in_use[numbers[asked]] = self._are_ops_in_use(
            self._snapshot.traces.op[self._columns.trace_rows[asked]]
        )
        values, _, numbers = self._alerts.values
        asked = wanted[numbers]
        in_use[numbers[asked]] = self._are_outputs_in_use(
            values[asked], self._columns.execution_rows[asked]
        )
        return in_use

    def _are_ops_in_use(self, ops: Int32s) -> Mask:
        distinct, number_of = np.unique(ops, return_inverse=True)
        in_use: Mask = np.ones(len(distinct), dtype=np.bool_)
        for number, op in enumerate(distinct[:_MOST_OPS].tolist()):
            in_use[number] = self._is_op_in_use(OpKey(op))
        found: Mask = in_use[number_of.reshape(-1)]
        return found

    def _is_op_in_use(self, op: OpKey) -> bool:
        """Whether an op's output went on to anything but choices, and ops with alerts too.

        Or nobody knows whereto: a graph's file may be damaged.
        """
        todo, seen = [op], {op}
        while todo:
            consumers = self._functions.consumers(todo.pop(), _MOST_CONSUMERS, _MOST_CONSUMERS)
            for uses in consumers.values():
                if uses.number > len(uses.first) or len(seen) > _MOST_CONSUMERS:
                    return True
                for consumer, _ in uses.first:
                    op_type = self._snapshot.op_type(consumer)
                    if self._has_alert[consumer] or op_type in _LEAVING_OUT:
                        continue
                    if op_type not in IDENTITIES or self._is_result_within(consumer):
                        return True
                    if consumer not in seen and len(self._functions.uses(consumer)):
                        seen.add(consumer)
                        todo.append(consumer)
        return not len(self._functions.uses(op))

    def _is_result_within(self, op: OpKey) -> bool:
        """Whether an op is a result of a graph that another one runs, which goes on unrecorded."""
        key = self._snapshot.names.graph_of(op)
        graph = self._snapshot.graphs.get(key)
        return (graph is None or graph.outer is not None) and not len(self._functions.uses(op))

    @part
    def _has_alert(self) -> Mask:
        """Whether each op has a trace with an alert, by ``OpKey``."""
        found: Mask = np.zeros(len(self._snapshot.names.op_refs), dtype=np.bool_)
        found[self._snapshot.traces.op[self._columns.trace_rows]] = True
        return found

    def _are_outputs_in_use(self, values: Int32s, rows: Int64s) -> Mask:
        """As of ops in graphs, of outputs of executions: rows of values, and of executions."""
        executions = self._snapshot.executions
        num_values = executions.value_end[rows + 1] - executions.value_end[rows]
        num_outputs = executions.output_end[rows + 1] - executions.output_end[rows]
        # Values can only be told apart where each output has one.
        in_use: Mask = num_values != num_outputs
        if len(rows):
            outputs = executions.output_end[rows] + values - executions.value_end[rows]
            ids = executions.output_tensor_id[np.where(in_use, 0, outputs)]
            in_use |= np.isin(ids, self._ids_in_use(ids))
        return in_use

    def _ids_in_use(self, ids: Int64s) -> Int64s:
        """The eager tensors among some that went into anything but a choice, or what is bad too."""
        executions = self._snapshot.executions
        places = np.flatnonzero(np.isin(executions.input_tensor_id, ids))
        consumers = np.searchsorted(executions.input_end, places, side="right") - 1
        may_be_meant = np.isin(executions.op_type[consumers], self._ids_of(_LEAVING_OUT))
        may_be_meant |= np.isin(consumers, self._columns.execution_rows)
        in_use: Int64s = executions.input_tensor_id[places[~may_be_meant]]
        return in_use

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
