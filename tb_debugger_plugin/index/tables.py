"""The tables of a run, as a reader sees them.

Every field is a NumPy column, and all columns of a table have one entry a row unless they say
otherwise. Rows stand in the order in which they were read: a *row* is a place in storage, while an
*index* (``ExecutionIndex``, ``TraceIndex``) is a place in time order, as users and routes count.
``Snapshot`` converts between the two. Ids refer to the run's ``Names``; -1 is "none".

An integer column's type is its widest: it is stored as narrowly as its values allow, so widen
before arithmetic that may leave the range.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, NewType

import numpy.typing as npt

from tb_debugger_plugin.events.batches import (
    Float64s,
    Int8s,
    Int16s,
    Int32s,
    Int64s,
    UInt8s,
)

ExecutionIndex = NewType("ExecutionIndex", int)
TraceIndex = NewType("TraceIndex", int)
AlertIndex = NewType("AlertIndex", int)
GraphKey = NewType("GraphKey", int)
"""Position of a graph id in ``Names.graph_ids``; the graph itself may not be on disk."""
OpKey = NewType("OpKey", int)
"""Position of an op in ``Names``; its creation may not be on disk."""


@dataclass(frozen=True)
class ValueTable:
    """What is known of tensors' values. See ``events.batches.TensorValues`` for the encoding.

    The six ``num_*`` are its ``counts``, each a column as narrow as its own numbers.
    """

    dtype: UInt8s
    rank: Int16s
    size: Int64s
    shape: Int32s
    num_neg_inf: Int32s
    num_pos_inf: Int32s
    num_nan: Int32s
    num_negative: Int32s
    num_zero: Int32s
    num_positive: Int32s
    bad: Int8s


@dataclass(frozen=True)
class ExecutionTable:
    """Executions.

    The three ``*_end`` columns have one entry more than rows, the first one 0: row ``r`` owns
    ``[end[r], end[r + 1])`` of the columns beside them.
    """

    wall_time: Float64s
    op_type: Int32s
    graph: Int32s
    location: Int32s
    mode: UInt8s
    file: Int16s
    offset: Int64s
    input_end: Int64s
    input_tensor_id: Int64s
    output_end: Int64s
    output_tensor_id: Int64s
    output_device_id: Int32s
    value_end: Int64s
    values: ValueTable

    def __len__(self) -> int:
        return len(self.wall_time)


@dataclass(frozen=True)
class TraceTable:
    """Graph execution traces. ``op`` is an ``OpKey``."""

    wall_time: Float64s
    op: Int32s
    output_slot: Int32s
    mode: UInt8s
    device: Int32s
    tensor_id: Int64s
    file: Int16s
    offset: Int64s
    values: ValueTable

    def __len__(self) -> int:
        return len(self.wall_time)


@dataclass(frozen=True)
class OpTable:
    """Graph op creations. ``input_end`` and ``output_end`` as in ``ExecutionTable``.

    ``input_op`` is the ``OpKey`` of an input's producer, in the same graph.
    """

    wall_time: Float64s
    op: Int32s
    op_type: Int32s
    location: Int32s
    input_end: Int64s
    input_op: Int32s
    input_slot: Int32s
    output_end: Int64s
    output_tensor_id: Int64s

    def __len__(self) -> int:
        return len(self.wall_time)


def columns_of(table: ExecutionTable | TraceTable | OpTable) -> dict[str, npt.NDArray[Any]]:
    """A table's columns by name; those of its values as ``values.*``."""
    columns: dict[str, npt.NDArray[Any]] = {}
    for field in fields(table):
        column = getattr(table, field.name)
        if isinstance(column, ValueTable):
            for part in fields(column):
                columns[f"values.{part.name}"] = getattr(column, part.name)
        else:
            columns[field.name] = column
    return columns


@dataclass(frozen=True)
class Graph:
    """A graph. Outer graphs need not precede inner ones, nor be on disk at all."""

    key: GraphKey
    graph_id: str
    name: str | None
    outer: GraphKey | None
    wall_time: float


@dataclass(frozen=True)
class DeviceKey:
    """A device id of one file set; every writer counts from 1."""

    set_prefix: str
    device_id: int


@dataclass(frozen=True)
class Source:
    """A recorded file, once per (host, path). ``file`` and ``offset`` find its text."""

    host_name: str
    file_path: str
    num_lines: int
    file: int
    offset: int


@dataclass(frozen=True)
class Frame:
    """A stack frame; ``source`` is a position in the run's sources, ``None`` if not on disk."""

    frame_id: str
    source: int | None
    lineno: int
    function: str
