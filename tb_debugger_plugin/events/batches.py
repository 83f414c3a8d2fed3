"""What a decoder hands over: columns of the records in one piece of one file.

Ids are positions in the decoder's ``Vocabulary`` and mean something for that file only; the index
makes them global. ``-1`` stands for "none" in every id column. All columns of a batch have one
entry a record, in file order, unless they say otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
UInt8s = npt.NDArray[np.uint8]
Float64s = npt.NDArray[np.float64]

COUNT_UNKNOWN = -1
"""The debug mode does not record this count."""

COUNT_IN_RECORD = -2
"""The count does not fit 32 bits; it has to be read from the record."""

FINITE, HAS_INF_NAN, NOT_OBSERVED = 0, 1, -1


@dataclass
class Vocabulary:
    """The distinct things that a file's records name, in order of first appearance."""

    strings: list[str] = field(default_factory=list)
    """Op types, device, host, graph and function names."""
    graph_ids: list[str] = field(default_factory=list)
    op_refs: list[tuple[int, str]] = field(default_factory=list)
    """(graph id's id, op name)."""
    locations: list[bytes] = field(default_factory=list)
    """CodeLocation messages, not parsed: there are few distinct ones and each is long."""
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    """Dimensions. SHAPE mode records the last six only: the rank column tells the rest."""


@dataclass(frozen=True)
class TensorValues:
    """What the records tell of tensors' values, a row a tensor."""

    dtype: UInt8s
    """DataType number; 0 where not recorded."""
    rank: Int16s
    """-1 where not recorded."""
    size: Int64s
    """Element count; -1 where not recorded."""
    shape: Int32s
    """Id of a shape; -1 where not recorded."""
    counts: tuple[Int32s, ...]
    """Six columns: elements that are -inf, +inf, NaN, finite < 0, 0 (-0.0 too), finite > 0.
    ``COUNT_UNKNOWN`` where not recorded, ``COUNT_IN_RECORD`` where too large."""
    bad: Int8s
    """``HAS_INF_NAN``, ``FINITE`` or ``NOT_OBSERVED``."""


@dataclass(frozen=True)
class ExecutionBatch:
    """Execution records."""

    offset: Int64s
    """Where the record's frame starts in the file."""
    wall_time: Float64s
    op_type: Int32s
    graph: Int32s
    """Graph id; -1 for an eager op and for functions that record none."""
    location: Int32s
    mode: UInt8s
    num_inputs: Int32s
    num_outputs: Int32s
    num_values: Int32s
    """Values recorded; where this differs from ``num_outputs`` their slots are not known."""
    input_tensor_id: Int64s
    """All records' inputs, one after another."""
    output_tensor_id: Int64s
    """All records' outputs, one after another."""
    output_device_id: Int32s
    """Beside ``output_tensor_id``; 0 where not recorded."""
    values: TensorValues
    """All records' values, one after another."""


@dataclass(frozen=True)
class TraceBatch:
    """Graph execution trace records."""

    offset: Int64s
    wall_time: Float64s
    op: Int32s
    """Id of an op reference."""
    output_slot: Int32s
    mode: UInt8s
    device: Int32s
    tensor_id: Int64s
    """Symbolic tensor id; -1 where not recorded."""
    values: TensorValues


@dataclass(frozen=True)
class GraphRecord:
    """A DebuggedGraph. ``name`` is "" for an outermost graph; ``outer`` is a graph id's id."""

    offset: int
    wall_time: float
    graph: int
    name: str
    outer: int


@dataclass(frozen=True)
class DeviceRecord:
    """A DebuggedDevice."""

    device_id: int
    device_name: str


@dataclass(frozen=True)
class GraphsBatch:
    """Records of a .graphs file: op creations as columns, the few others as records."""

    offset: Int64s
    wall_time: Float64s
    op: Int32s
    op_type: Int32s
    location: Int32s
    num_inputs: Int32s
    num_outputs: Int32s
    input_op: Int32s
    """All ops' inputs, one after another: the producer's op reference, in the same graph."""
    input_slot: Int32s
    """Beside ``input_op``: the producer's output slot."""
    output_tensor_id: Int64s
    """All ops' outputs, one after another: symbolic tensor ids."""
    graphs: list[GraphRecord]
    devices: list[DeviceRecord]


@dataclass(frozen=True)
class SourceFileRecord:
    """A SourceFile without its lines, which are read again when they are shown."""

    offset: int
    host_name: str
    file_path: str
    num_lines: int


@dataclass(frozen=True)
class StackFrameRecord:
    """A StackFrameWithId. ``file_index`` counts the distinct files of the same file set."""

    frame_id: str
    file_index: int
    lineno: int
    function: str


@dataclass(frozen=True)
class MetadataRecord:
    """The one DebugMetadata of a file set."""

    wall_time: float
    tensorflow_version: str
    file_version: str
    run_id: str
