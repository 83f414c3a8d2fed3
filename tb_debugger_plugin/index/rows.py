"""The growing side of the run's tables: decoded batches in, read-only tables out."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.events.batches import (
    ExecutionBatch,
    GraphsBatch,
    TensorValues,
    TraceBatch,
)
from tb_debugger_plugin.index.columns import GrowingColumn, NarrowColumn
from tb_debugger_plugin.index.names import Translation
from tb_debugger_plugin.index.tables import ExecutionTable, OpTable, TraceTable, ValueTable


class _ValueRows:
    def __init__(self) -> None:
        self._dtype = GrowingColumn(np.uint8)
        self._rank = NarrowColumn(np.int16)
        self._size = NarrowColumn(np.int64)
        self._shape = NarrowColumn(np.int32)
        self._counts = NarrowColumn(np.int32, width=6)
        self._bad = GrowingColumn(np.int8)

    def append(self, values: TensorValues, ids: Translation) -> None:
        self._dtype.append(values.dtype)
        self._rank.append(values.rank)
        self._size.append(values.size)
        self._shape.append(ids.shapes(values.shape))
        self._counts.append(values.counts)
        self._bad.append(values.bad)

    def view(self) -> ValueTable:
        return ValueTable(
            dtype=self._dtype.view(),
            rank=self._rank.view(),
            size=self._size.view(),
            shape=self._shape.view(),
            counts=self._counts.view(),
            bad=self._bad.view(),
        )


def _ends() -> NarrowColumn[np.int64]:
    column = NarrowColumn(np.int64)
    column.append(np.zeros(1, dtype=np.int64))
    return column


class ExecutionRows:
    """Executions that grow."""

    def __init__(self) -> None:
        self._wall_time = GrowingColumn(np.float64)
        self._op_type = NarrowColumn(np.int32)
        self._graph = NarrowColumn(np.int32)
        self._location = NarrowColumn(np.int32)
        self._mode = GrowingColumn(np.uint8)
        self._file = NarrowColumn(np.int16)
        self._offset = NarrowColumn(np.int64)
        self._input_end = _ends()
        self._input_tensor_id = NarrowColumn(np.int64)
        self._output_end = _ends()
        self._output_tensor_id = NarrowColumn(np.int64)
        self._output_device_id = NarrowColumn(np.int32)
        self._value_end = _ends()
        self._values = _ValueRows()

    def append(self, batch: ExecutionBatch, ids: Translation, file: int) -> None:
        """Adds a decoded batch."""
        self._wall_time.append(batch.wall_time)
        self._op_type.append(ids.strings(batch.op_type))
        self._graph.append(ids.graph_ids(batch.graph))
        self._location.append(ids.locations(batch.location))
        self._mode.append(batch.mode)
        self._file.append(np.full(len(batch.offset), file, dtype=np.int16))
        self._offset.append(batch.offset)
        self._input_end.append_ends(batch.num_inputs)
        self._input_tensor_id.append(batch.input_tensor_id)
        self._output_end.append_ends(batch.num_outputs)
        self._output_tensor_id.append(batch.output_tensor_id)
        self._output_device_id.append(batch.output_device_id)
        self._value_end.append_ends(batch.num_values)
        self._values.append(batch.values, ids)

    def view(self) -> ExecutionTable:
        """The rows so far."""
        return ExecutionTable(
            wall_time=self._wall_time.view(),
            op_type=self._op_type.view(),
            graph=self._graph.view(),
            location=self._location.view(),
            mode=self._mode.view(),
            file=self._file.view(),
            offset=self._offset.view(),
            input_end=self._input_end.view(),
            input_tensor_id=self._input_tensor_id.view(),
            output_end=self._output_end.view(),
            output_tensor_id=self._output_tensor_id.view(),
            output_device_id=self._output_device_id.view(),
            value_end=self._value_end.view(),
            values=self._values.view(),
        )


class TraceRows:
    """Graph execution traces that grow."""

    def __init__(self) -> None:
        self._wall_time = GrowingColumn(np.float64)
        self._op = NarrowColumn(np.int32)
        self._output_slot = NarrowColumn(np.int32)
        self._mode = GrowingColumn(np.uint8)
        self._device = NarrowColumn(np.int32)
        self._tensor_id = NarrowColumn(np.int64)
        self._file = NarrowColumn(np.int16)
        self._offset = NarrowColumn(np.int64)
        self._values = _ValueRows()

    def append(self, batch: TraceBatch, ids: Translation, file: int) -> None:
        """Adds a decoded batch."""
        self._wall_time.append(batch.wall_time)
        self._op.append(ids.op_refs(batch.op))
        self._output_slot.append(batch.output_slot)
        self._mode.append(batch.mode)
        self._device.append(ids.strings(batch.device))
        self._tensor_id.append(batch.tensor_id)
        self._file.append(np.full(len(batch.offset), file, dtype=np.int16))
        self._offset.append(batch.offset)
        self._values.append(batch.values, ids)

    def view(self) -> TraceTable:
        """The rows so far."""
        return TraceTable(
            wall_time=self._wall_time.view(),
            op=self._op.view(),
            output_slot=self._output_slot.view(),
            mode=self._mode.view(),
            device=self._device.view(),
            tensor_id=self._tensor_id.view(),
            file=self._file.view(),
            offset=self._offset.view(),
            values=self._values.view(),
        )


class OpRows:
    """Graph op creations that grow."""

    def __init__(self) -> None:
        self._wall_time = GrowingColumn(np.float64)
        self._op = NarrowColumn(np.int32)
        self._op_type = NarrowColumn(np.int32)
        self._location = NarrowColumn(np.int32)
        self._input_end = _ends()
        self._input_op = NarrowColumn(np.int32)
        self._input_slot = NarrowColumn(np.int32)
        self._output_end = _ends()
        self._output_tensor_id = NarrowColumn(np.int64)

    def append(self, batch: GraphsBatch, ids: Translation) -> None:
        """Adds a decoded batch."""
        self._wall_time.append(batch.wall_time)
        self._op.append(ids.op_refs(batch.op))
        self._op_type.append(ids.strings(batch.op_type))
        self._location.append(ids.locations(batch.location))
        self._input_end.append_ends(batch.num_inputs)
        self._input_op.append(ids.op_refs(batch.input_op))
        self._input_slot.append(batch.input_slot)
        self._output_end.append_ends(batch.num_outputs)
        self._output_tensor_id.append(batch.output_tensor_id)

    def view(self) -> OpTable:
        """The rows so far."""
        return OpTable(
            wall_time=self._wall_time.view(),
            op=self._op.view(),
            op_type=self._op_type.view(),
            location=self._location.view(),
            input_end=self._input_end.view(),
            input_op=self._input_op.view(),
            input_slot=self._input_slot.view(),
            output_end=self._output_end.view(),
            output_tensor_id=self._output_tensor_id.view(),
        )
