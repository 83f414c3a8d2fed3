"""What became of bad values: computed with, written out, left out by a choice, or asked about."""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag

import numpy as np

from tb_debugger_plugin.analyses.graph_functions import COND_OPS, IDENTITIES, GraphFunctions
from tb_debugger_plugin.analyses.provenance.records import FROM_DATASET
from tb_debugger_plugin.analyses.root_causes.alert_columns import AlertColumns
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

_CHOICES = frozenset(
    {"Select", "SelectV2", "MulNoNan", "DivNoNan", "Xdivy", "Xlogy", "Xlog1py"}
    | {"GatherV2", "GatherNd", "Slice", "StridedSlice"}
    | COND_OPS
)
"""Ops of which a good output may be meant though an input is bad: a branch may not be taken.

What a comparison or ArgMax makes of NaN is finite too, but wrong.
"""
_QUESTIONS = frozenset(
    {"IsNan", "IsInf", "IsFinite", "Shape", "Size", "Rank", "ZerosLike", "OnesLike"}
)
_WRITERS = frozenset(
    {"AsString", "StringFormat", "PrintV2", "Print", "PyFunc", "PyFuncStateless", "EagerPyFunc"}
    | {"WriteScalarSummary", "WriteHistogramSummary", "WriteSummary", "WriteFile", "SaveV2"}
    | {"LookupTableFindV2", "LookupTableInsertV2", "SerializeTensor", "NumpyFunction"}
    | {"Quantize", "QuantizeV2", "QuantizeAndDequantizeV4", "FakeQuantWithMinMaxVars"}
)
"""Ops that make of an infinity what is no tensor of numbers, or none that it is seen in."""
_MOST_CONSUMERS = 64


class Use(Flag):
    """What was done with a value. ``OTHER`` is also what nobody knows."""

    NONE = 0
    PASSED_ON = 1
    CHOICE = 2
    QUESTION = 4
    WRITING = 8
    OTHER = 16


_KINDS = ((_CHOICES, Use.CHOICE), (_QUESTIONS, Use.QUESTION), (_WRITERS, Use.WRITING))


class Uses:
    """Answers for one snapshot. What an op with an alert was given is passed on."""

    def __init__(
        self,
        snapshot: Snapshot,
        columns: AlertColumns,
        functions: GraphFunctions,
        is_of_dataset: Callable[[OpKey], bool],
    ) -> None:
        """Takes the run.

        Args:
          snapshot: The run.
          columns: What is known of its alerts.
          functions: Its graphs as functions.
          is_of_dataset: Whether an op is in a function of an input pipeline: what that returns is
            recorded where it is taken from the pipeline.
        """
        self._is_of_dataset = is_of_dataset
        self._snapshot = snapshot
        self._columns = columns
        self._functions = functions
        self._known: dict[OpKey, Use] = {}

    def of_op(self, op: OpKey) -> Use:
        """The uses of an op's outputs in its graph, or of what only passes them on."""
        if op not in self._known:
            self._known[op] = self._find(op)
        return self._known[op]

    def _find(self, op: OpKey) -> Use:
        found, todo, seen = Use.NONE, [op], {op}
        while todo:
            consumers = self._functions.consumers(todo.pop(), _MOST_CONSUMERS, _MOST_CONSUMERS)
            for uses in consumers.values():
                if uses.number > len(uses.first) or len(seen) > _MOST_CONSUMERS:
                    return found | Use.OTHER
                for consumer, _ in uses.first:
                    op_type = self._snapshot.op_type(consumer)
                    if op_type not in IDENTITIES or self._has_alert[consumer]:
                        found |= self._use_by(consumer, op_type)
                    elif self._is_result_within(consumer):
                        found |= Use.OTHER
                    elif consumer not in seen:
                        seen.add(consumer)
                        todo.append(consumer)
        if len(self._functions.uses(op)):
            return found
        # What a pipeline returns, or hands to a function that the graph calls, is seen there.
        is_handed_on = self._is_of_dataset(op) or self._snapshot.op_type(op) in FROM_DATASET
        return Use.PASSED_ON if is_handed_on else Use.OTHER

    def _use_by(self, consumer: OpKey, op_type: str | None) -> Use:
        if self._has_alert[consumer]:
            return Use.PASSED_ON
        return next((kind for names, kind in _KINDS if op_type in names), Use.OTHER)

    def _is_result_within(self, op: OpKey) -> bool:
        """Whether an op is a result of a graph that another one runs, which goes on unrecorded."""
        if len(self._functions.uses(op)) or self._is_of_dataset(op):
            return False
        graph = self._snapshot.graphs.get(self._snapshot.names.graph_of(op))
        return graph is None or graph.outer is not None

    @part
    def _has_alert(self) -> Mask:
        """Whether each op has a trace with an alert, by ``OpKey``."""
        found: Mask = np.zeros(len(self._snapshot.names.op_refs), dtype=np.bool_)
        found[self._snapshot.traces.op[self._columns.trace_rows]] = True
        return found

    def eager_ids(self, ids: Int64s, use: Use) -> Int64s:
        """The eager tensors among some that executions used in one of some ways."""
        executions = self._snapshot.executions
        places = np.flatnonzero(np.isin(executions.input_tensor_id, ids))
        consumers = np.searchsorted(executions.input_end, places, side="right") - 1
        op_types = executions.op_type[consumers]
        uses = np.full(len(places), Use.OTHER.value, dtype=np.uint8)
        for names, kind in _KINDS:
            uses[np.isin(op_types, self._snapshot.names.strings.find_all(names))] = kind.value
        uses[np.isin(consumers, self._columns.execution_rows)] = Use.PASSED_ON.value
        found: Int64s = executions.input_tensor_id[places[(uses & use.value) != 0]]
        return found
