"""What went into the event of an alert, as far as it was recorded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, OpInput
from tb_debugger_plugin.analyses.provenance.recorded_sources import ArgumentSource, Source
from tb_debugger_plugin.analyses.provenance.records import Moments, Records
from tb_debugger_plugin.analyses.provenance.source_columns import argument_column
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey


@dataclass(frozen=True)
class SeenInput:
    """An input of an event.

    ``tensor`` names it in its graph, and ``argument`` is its number among an execution's inputs:
    one of the two is set. ``record`` is where its value is (see ``CallArguments``), ``UNSEEN`` if
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


class SeenInputs:
    """Answers for one snapshot."""

    def __init__(self, snapshot: Snapshot, alerts: AlertTable, records: Records) -> None:
        self._snapshot = snapshot
        self._alerts = alerts
        self._records = records

    def of(self, number: int) -> list[SeenInput]:
        """What went into the event of an alert, in order of its inputs."""
        alert = self._alerts[number]
        if alert.trace_row is not None:
            moment = self._records.moment_of_trace(alert.trace_row)
            op = OpKey(int(self._snapshot.traces.op[alert.trace_row]))
            return [
                self._seen(tensor, sources, moment)
                for tensor, sources in self._records.inputs_of_op(op)
            ]
        assert alert.execution_row is not None
        execution = np.array([alert.execution_row])
        if self._records.calls.graph_of(execution)[0] >= 0:
            return []
        begin = int(self._snapshot.executions.input_end[alert.execution_row])
        return [
            SeenInput(
                None,
                argument,
                record=int(records[0]),
                can_be_bad=True,
                brought=self._records.calls.brought(begin + argument, execution),
            )
            for argument, records in self._records.calls.inputs(execution)
        ]

    def _seen(self, tensor: OpInput, sources: list[Source], moment: Moments) -> SeenInput:
        is_unrecorded = moment.calls[0] < 0 or self._records.is_of_dataset(tensor.op)
        brought = None
        if is_unrecorded and self._snapshot.op_type(tensor.op) in PLACEHOLDERS:
            brought = -2 - int(tensor.op)
        for source in sources:
            if (
                isinstance(source, ArgumentSource)
                and self._records.calls.is_of(argument_column(source, 1), moment.calls)[0]
            ):
                begin = int(self._snapshot.executions.input_end[moment.calls[0]])
                brought = self._records.calls.brought(begin + source.argument, moment.calls)
        return SeenInput(
            tensor,
            None,
            record=int(self._records.of_sources(sources, moment)[0]),
            can_be_bad=bool(sources),
            brought=brought,
        )
