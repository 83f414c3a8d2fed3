"""The growing side of the run's tables: decoded batches in, read-only tables out.

A column's name is that of the table's field that it becomes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import (
    ExecutionBatch,
    GraphsBatch,
    Int32s,
    TensorValues,
    TraceBatch,
)
from tb_debugger_plugin.index.columns import AscendingColumn, GrowingColumn, NarrowColumn, narrowest
from tb_debugger_plugin.index.names import Translation
from tb_debugger_plugin.index.state import Arrays, BadState
from tb_debugger_plugin.index.tables import ExecutionTable, OpTable, TraceTable, ValueTable


@dataclass(frozen=True)
class FromFile:
    """Which file a batch is from.

    ``ids`` translates its ids, ``number`` is what rows name the file by. ``ahead`` is how many
    times as much as the batch the file still holds: rows are expected in proportion.
    """

    ids: Translation
    number: int
    ahead: float

    def column(self, num_rows: int) -> npt.NDArray[Any]:
        """The number for each of the batch's rows."""
        return np.full(num_rows, self.number, dtype=narrowest(self.number))


def _named(arrays: Arrays, name: str) -> npt.NDArray[Any]:
    if name not in arrays:
        raise BadState(f"there is no column {name}")
    return arrays[name]


class _Columns:
    """Columns that grow together."""

    def __init__(self, **columns: GrowingColumn[Any]) -> None:
        self._columns = columns

    def append(self, ahead: float, **rows: npt.NDArray[Any]) -> None:
        """Adds rows to each column; ``ahead`` as in ``GrowingColumn.append``."""
        for name, column in self._columns.items():
            column.append(rows[name], ahead)

    def views(self) -> dict[str, npt.NDArray[Any]]:
        """The rows so far."""
        return {name: column.view() for name, column in self._columns.items()}

    def restore(self, arrays: Arrays, num_rows: int, prefix: str = "") -> None:
        """Takes over the arrays that ``columns_of`` names like its columns."""
        for name, column in self._columns.items():
            rows = _named(arrays, prefix + name)
            if len(rows) != num_rows:
                raise BadState(f"{len(rows)} rows of {prefix}{name}, not {num_rows}")
            column.restore(rows)


class _Ends:
    """Where the parts of each row end in the columns of the parts: one entry more than rows."""

    def __init__(self) -> None:
        self._column = AscendingColumn(np.int64)
        self._column.append(np.zeros(1, dtype=np.int64))

    def append(self, lengths: Int32s, num_parts: int, ahead: float) -> None:
        self._column.append_ends(lengths, num_parts, ahead)

    def view(self) -> npt.NDArray[Any]:
        return self._column.view()

    def copy(self) -> _Ends:
        copied = _Ends()
        copied._column.restore(self.view().copy())
        return copied

    def restore(self, arrays: Arrays, name: str, num_rows: int) -> int:
        """Takes over the array of that name; tells how many parts all rows have together."""
        ends = _named(arrays, name)
        if len(ends) != num_rows + 1 or ends[0] != 0 or np.any(ends[1:] < ends[:-1]):
            raise BadState(f"{name} has no ends of {num_rows} rows")
        self._column.restore(ends)
        return int(ends[-1])


_NUMBERS = ("num_neg_inf", "num_pos_inf", "num_nan", "num_negative", "num_zero", "num_positive")


class _ValueRows:
    def __init__(self) -> None:
        self._columns = _Columns(
            dtype=GrowingColumn(np.uint8),
            rank=NarrowColumn(np.int16),
            size=NarrowColumn(np.int64),
            shape=NarrowColumn(np.int32),
            **{name: NarrowColumn(np.int32) for name in _NUMBERS},
            bad=GrowingColumn(np.int8),
        )

    def append(self, values: TensorValues, ids: Translation, ahead: float) -> None:
        self._columns.append(
            ahead,
            dtype=values.dtype,
            rank=values.rank,
            size=values.size,
            shape=ids.shapes(values.shape),
            **dict(zip(_NUMBERS, values.counts, strict=True)),
            bad=values.bad,
        )

    def view(self) -> ValueTable:
        return ValueTable(**self._columns.views())

    def restore(self, arrays: Arrays, num_rows: int) -> None:
        self._columns.restore(arrays, num_rows, prefix="values.")


class ExecutionRows:
    """Executions that grow."""

    def __init__(self) -> None:
        self._executions = _Columns(
            wall_time=GrowingColumn(np.float64),
            op_type=NarrowColumn(np.int32),
            graph=NarrowColumn(np.int32),
            location=NarrowColumn(np.int32),
            mode=GrowingColumn(np.uint8),
            file=NarrowColumn(np.int16),
            offset=AscendingColumn(np.int64),
        )
        self._inputs = _Columns(input_tensor_id=NarrowColumn(np.int64))
        self._outputs = _Columns(
            output_tensor_id=NarrowColumn(np.int64), output_device_id=NarrowColumn(np.int32)
        )
        self._values = _ValueRows()
        self._input_end = _Ends()
        self._output_end = _Ends()
        # Nearly always each output has its value: then one column tells the ends of both.
        self._value_end = self._output_end

    def append(self, batch: ExecutionBatch, source: FromFile) -> None:
        """Adds a decoded batch."""
        ids, ahead = source.ids, source.ahead
        self._executions.append(
            ahead,
            wall_time=batch.wall_time,
            op_type=ids.strings(batch.op_type),
            graph=ids.graph_ids(batch.graph),
            location=ids.locations(batch.location),
            mode=batch.mode,
            file=source.column(len(batch.offset)),
            offset=batch.offset,
        )
        self._inputs.append(ahead, input_tensor_id=batch.input_tensor_id)
        self._outputs.append(
            ahead,
            output_tensor_id=batch.output_tensor_id,
            output_device_id=batch.output_device_id,
        )
        self._values.append(batch.values, ids, ahead)
        if self._value_end is self._output_end and np.any(batch.num_values != batch.num_outputs):
            self._value_end = self._output_end.copy()
        self._input_end.append(batch.num_inputs, len(batch.input_tensor_id), ahead)
        self._output_end.append(batch.num_outputs, len(batch.output_tensor_id), ahead)
        if self._value_end is not self._output_end:
            self._value_end.append(batch.num_values, len(batch.values.bad), ahead)

    def view(self) -> ExecutionTable:
        """The rows so far."""
        return ExecutionTable(
            **self._executions.views(),
            **self._inputs.views(),
            **self._outputs.views(),
            input_end=self._input_end.view(),
            output_end=self._output_end.view(),
            value_end=self._value_end.view(),
            values=self._values.view(),
        )

    def restore(self, arrays: Arrays) -> None:
        """Takes over the columns of a table; ``BadState`` if they do not fit together."""
        num_rows = len(_named(arrays, "wall_time"))
        self._executions.restore(arrays, num_rows)
        self._inputs.restore(arrays, self._input_end.restore(arrays, "input_end", num_rows))
        self._outputs.restore(arrays, self._output_end.restore(arrays, "output_end", num_rows))
        if not np.array_equal(_named(arrays, "value_end"), self._output_end.view()):
            self._value_end = _Ends()
        self._values.restore(arrays, self._value_end.restore(arrays, "value_end", num_rows))


class TraceRows:
    """Graph execution traces that grow."""

    def __init__(self) -> None:
        self._traces = _Columns(
            wall_time=GrowingColumn(np.float64),
            op=NarrowColumn(np.int32),
            output_slot=NarrowColumn(np.int32),
            mode=GrowingColumn(np.uint8),
            device=NarrowColumn(np.int32),
            tensor_id=NarrowColumn(np.int64),
            file=NarrowColumn(np.int16),
            offset=AscendingColumn(np.int64),
        )
        self._values = _ValueRows()

    def append(self, batch: TraceBatch, source: FromFile) -> None:
        """Adds a decoded batch."""
        ids, ahead = source.ids, source.ahead
        self._traces.append(
            ahead,
            wall_time=batch.wall_time,
            op=ids.op_refs(batch.op),
            output_slot=batch.output_slot,
            mode=batch.mode,
            device=ids.strings(batch.device),
            tensor_id=batch.tensor_id,
            file=source.column(len(batch.offset)),
            offset=batch.offset,
        )
        self._values.append(batch.values, ids, ahead)

    def view(self) -> TraceTable:
        """The rows so far."""
        return TraceTable(**self._traces.views(), values=self._values.view())

    def restore(self, arrays: Arrays) -> None:
        """Takes over the columns of a table; ``BadState`` if they do not fit together."""
        num_rows = len(_named(arrays, "wall_time"))
        self._traces.restore(arrays, num_rows)
        self._values.restore(arrays, num_rows)


class OpRows:
    """Graph op creations that grow."""

    def __init__(self) -> None:
        self._ops = _Columns(
            wall_time=GrowingColumn(np.float64),
            op=NarrowColumn(np.int32),
            op_type=NarrowColumn(np.int32),
            location=NarrowColumn(np.int32),
        )
        self._inputs = _Columns(input_op=NarrowColumn(np.int32), input_slot=NarrowColumn(np.int32))
        self._outputs = _Columns(output_tensor_id=NarrowColumn(np.int64))
        self._input_end = _Ends()
        self._output_end = _Ends()

    def append(self, batch: GraphsBatch, source: FromFile) -> None:
        """Adds a decoded batch."""
        ids, ahead = source.ids, source.ahead
        self._ops.append(
            ahead,
            wall_time=batch.wall_time,
            op=ids.op_refs(batch.op),
            op_type=ids.strings(batch.op_type),
            location=ids.locations(batch.location),
        )
        self._inputs.append(
            ahead, input_op=ids.op_refs(batch.input_op), input_slot=batch.input_slot
        )
        self._outputs.append(ahead, output_tensor_id=batch.output_tensor_id)
        self._input_end.append(batch.num_inputs, len(batch.input_op), ahead)
        self._output_end.append(batch.num_outputs, len(batch.output_tensor_id), ahead)

    def view(self) -> OpTable:
        """The rows so far."""
        return OpTable(
            **self._ops.views(),
            **self._inputs.views(),
            **self._outputs.views(),
            input_end=self._input_end.view(),
            output_end=self._output_end.view(),
        )

    def restore(self, arrays: Arrays) -> None:
        """Takes over the columns of a table; ``BadState`` if they do not fit together."""
        num_rows = len(_named(arrays, "wall_time"))
        self._ops.restore(arrays, num_rows)
        self._inputs.restore(arrays, self._input_end.restore(arrays, "input_end", num_rows))
        self._outputs.restore(arrays, self._output_end.restore(arrays, "output_end", num_rows))
