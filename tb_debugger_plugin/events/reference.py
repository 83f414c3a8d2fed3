"""The readable decoder: records of one file -> columns.

A decoder is fed pieces of one file in order and answers a batch a piece. It owns the file's
``Vocabulary``. The decoders of the six kinds share the loop over records in ``Decoder.feed``; each
adds what one record means. Values, problems and end offsets that it yields are the definition of
what any faster decoder has to yield.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Sized
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events import limits, texts, wire
from tb_debugger_plugin.events.batches import (
    COUNT_IN_RECORD,
    DeviceRecord,
    ExecutionBatch,
    GraphRecord,
    GraphsBatch,
    MetadataRecord,
    SourceFileRecord,
    StackFrameRecord,
    TensorValues,
    TraceBatch,
    Vocabulary,
)
from tb_debugger_plugin.events.framing import FRAME_BYTES, HEADER_BYTES, split_records
from tb_debugger_plugin.events.tensors import TensorSummary, parse_tensor, summarize

BatchT = TypeVar("BatchT")
KeyT = TypeVar("KeyT", bound=Hashable)

Piece = bytes | bytearray | memoryview
"""A part of a file; a decoder keeps nothing of its memory."""

LossKind = Literal[
    "bad_length", "bad_payload", "undecodable", "too_large", "too_many_names", "long_name"
]
"""Of a "long_name" nothing but the middle of the name is lost."""

# DebugEvent's oneof (tensorflow/core/protobuf/debug_event.proto).
_WALL_TIME = 1
_METADATA, _SOURCE_FILE, _STACK_FRAME, _OP_CREATION = 3, 4, 6, 7
_GRAPH, _EXECUTION, _TRACE, _DEVICE = 8, 9, 10, 12
_MEMBERS = range(3, 13)


@dataclass(frozen=True)
class Loss:
    """Bytes of the file that yield no row, or not all that they hold."""

    kind: LossKind
    offset: int
    num_bytes: int


@dataclass(frozen=True)
class Fed(Generic[BatchT]):
    """The answer to a piece: its rows, the bytes used, what was lost in them."""

    batch: BatchT
    consumed: int
    losses: list[Loss]


class _Room:
    """What a file's distinct names may still take. Once one does not fit, no other is added."""

    def __init__(self) -> None:
        self.num_bytes = limits.MOST_VOCABULARY_BYTES

    def take(self, num_bytes: int) -> None:
        cost = limits.name_cost(num_bytes)
        if cost > self.num_bytes:
            self.num_bytes = 0
            raise wire.TooManyNames("the file's names take too much")
        self.num_bytes -= cost


class _Interner(Generic[KeyT]):
    """Gives equal things the same id, and lists them in a vocabulary's list.

    ``octets`` are the bytes of a thing that make it what it is. Python's hash of bytes is a secret,
    that of numbers is not: whoever knew it could have all of them looked at for each of them.
    """

    def __init__(
        self, names: list[KeyT], room: _Room, octets: Callable[[KeyT], bytes] | None = None
    ) -> None:
        self._names = names
        self._room = room
        self._octets = octets
        self._ids: dict[Hashable, int] = {}

    def __call__(self, name: KeyT) -> int:
        key = name if self._octets is None else self._octets(name)
        found = self._ids.get(key)
        if found is None:
            self._room.take(_num_bytes(key))
            found = self._ids[key] = len(self._names)
            self._names.append(name)
        return found


def _octets_of_shape(shape: tuple[int, ...]) -> bytes:
    return array("q", shape).tobytes()


def _num_bytes(key: Hashable) -> int:
    if isinstance(key, bytes):
        return len(key)
    return len((key[1] if isinstance(key, tuple) else str(key)).encode())


class Decoder(Generic[BatchT]):
    """Decodes one file, piece by piece.

    ``offset`` is the end of what was decoded. ``resyncing`` tells that this is inside damage, not
    at a record. A decoder may go on where another one stopped.
    """

    def __init__(self, offset: int = 0, *, resyncing: bool = False) -> None:
        self.vocabulary = Vocabulary()
        self._room = room = _Room()
        self._string = _Interner(self.vocabulary.strings, room)
        self._graph_id = _Interner(self.vocabulary.graph_ids, room)
        self._op_ref = _Interner(self.vocabulary.op_refs, room)
        self._location = _Interner(self.vocabulary.locations, room)
        self._shape = _Interner(self.vocabulary.shapes, room, octets=_octets_of_shape)
        self._has_long_name = False
        self.offset = offset
        self.resyncing = resyncing
        self._consumed = 0
        self._losses: list[Loss] = []
        self._reset()

    def feed(self, piece: Piece) -> Fed[BatchT]:
        """``absorb`` and ``take``."""
        self.absorb(piece)
        return self.take()

    def absorb(self, piece: Piece) -> int:
        """Decodes the whole records at the start of ``piece``, and tells how many bytes they are.

        The next piece has to begin that much further on in the file.
        """
        piece = bytes(piece)
        records = split_records(memoryview(piece), resyncing=self.resyncing)
        self._losses += [
            Loss(damage.kind, self.offset + damage.offset, damage.num_bytes)
            for damage in records.damages
        ]
        for start, length in zip(records.starts, records.lengths, strict=True):
            offset = self.offset + start - HEADER_BYTES
            kind: LossKind | None = None
            self._has_long_name = False
            try:
                self._decode_event(piece, start, start + length, offset)
                kind = "long_name" if self._has_long_name else None
            except wire.WireError as error:
                kind = error.kind
            if kind is not None:
                self._losses.append(Loss(kind, offset, length + FRAME_BYTES))
        self.offset += records.consumed
        self.resyncing = records.resyncing
        self._consumed += records.consumed
        return records.consumed

    def take(self) -> Fed[BatchT]:
        """What the pieces since the last call gave."""
        fed = Fed(self._take(), self._consumed, self._losses)
        self._consumed = 0
        self._losses = []
        self._reset()
        return fed

    def _decode_event(self, buffer: bytes, start: int, end: int, offset: int) -> None:
        wall_time = 0.0
        members: list[wire.Field] = []
        for entry in wire.fields(buffer, start, end):
            if entry[0] == _WALL_TIME:
                wall_time = wire.float64(entry)
            elif entry[0] in _MEMBERS and entry[1] == wire.LENGTH_DELIMITED:
                members.append(entry)
        if not (0 <= wall_time < 1e12):
            raise wire.WireError("wall time is no time")
        for member in members[-1:]:
            self._decode_member(buffer, member, wall_time, offset)

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        raise NotImplementedError

    def _clean(self, octets: bytes) -> str:
        self._has_long_name |= len(octets) > limits.MOST_NAME_BYTES
        return texts.clean(octets)

    def _shape_id(self, summary: TensorSummary) -> int:
        return -1 if summary.shape is None else self._shape(summary.shape)

    def _kept(self, *octets: bytes) -> list[str]:
        """The names that a record is kept with, which are in no vocabulary."""
        names = [self._clean(name) for name in octets]
        self._room.take(sum(len(name.encode()) for name in names))
        return names

    def _reset(self) -> None:
        """Starts an empty batch."""
        raise NotImplementedError

    def _take(self) -> BatchT:
        """The batch decoded since ``_reset``."""
        raise NotImplementedError


class _ValueRows:
    """Collects ``TensorValues`` rows."""

    def __init__(self) -> None:
        self._dtype = array("B")
        self._rank = array("h")
        self._size = array("q")
        self._shape = array("i")
        self._counts = [array("i") for _ in range(6)]
        self._bad = array("b")

    def append(self, summary: TensorSummary, shape_id: int) -> None:
        self._dtype.append(summary.dtype)
        self._rank.append(summary.rank)
        self._size.append(summary.size)
        self._shape.append(shape_id)
        for column, count in zip(self._counts, summary.counts, strict=True):
            column.append(count if count < 1 << 31 else COUNT_IN_RECORD)
        self._bad.append(summary.bad)

    def take(self) -> TensorValues:
        return TensorValues(
            dtype=_column(self._dtype, np.uint8),
            rank=_column(self._rank, np.int16),
            size=_column(self._size, np.int64),
            shape=_column(self._shape, np.int32),
            counts=tuple(_column(column, np.int32) for column in self._counts),
            bad=_column(self._bad, np.int8),
        )


ScalarT = TypeVar("ScalarT", bound=np.generic)


def _column(values: array[int] | array[float], dtype: type[ScalarT]) -> npt.NDArray[ScalarT]:
    return np.frombuffer(values, dtype=dtype) if len(values) else np.empty(0, dtype=dtype)


class ExecutionDecoder(Decoder[ExecutionBatch]):
    """Decodes ``.execution``."""

    def _reset(self) -> None:
        self.offsets = array("q")
        self._wall_times = array("d")
        self._op_types = array("i")
        self._graphs = array("i")
        self._locations = array("i")
        self._modes = array("B")
        self._num_inputs = array("i")
        self._num_outputs = array("i")
        self._num_values = array("i")
        self._inputs = array("q")
        self._outputs = array("q")
        self._devices = array("i")
        self._values = _ValueRows()

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        if member[0] != _EXECUTION:
            return
        op_type, graph_id, mode = b"", b"", 0
        location: bytes | None = None
        inputs: list[int] = []
        outputs: list[int] = []
        devices: list[int] = []
        tensors: list[tuple[int, int]] = []
        for entry in wire.fields(buffer, *wire.span(member)):
            number = entry[0]
            if number == 1:
                op_type = wire.payload(buffer, entry)
            elif number == 3:
                graph_id = wire.payload(buffer, entry)
            elif number == 4:
                inputs += wire.varints(buffer, entry, limits.MOST_PARTS - len(inputs))
            elif number == 5:
                outputs += wire.varints(buffer, entry, limits.MOST_PARTS - len(outputs))
            elif number == 6:
                mode = wire.integer(entry)
            elif number == 7:
                tensors.append(wire.span(entry))
                _check_number(tensors)
            elif number == 8:
                location = _location(buffer, entry)
            elif number == 9:
                devices += wire.varints(buffer, entry, limits.MOST_PARTS - len(devices))
        mode = mode if mode <= 255 else 0
        summaries = [
            summarize(buffer, parse_tensor(buffer, start, end), mode) for start, end in tensors
        ]
        op_type_id = self._string(self._clean(op_type))
        graph = self._graph_id(self._clean(graph_id)) if graph_id else -1
        location_id = -1 if location is None else self._location(location)
        shapes = [self._shape_id(summary) for summary in summaries]
        # From here on nothing raises: a record adds a row to every column or to none.
        self.offsets.append(offset)
        self._wall_times.append(wall_time)
        self._op_types.append(op_type_id)
        self._graphs.append(graph)
        self._locations.append(location_id)
        self._modes.append(mode)
        self._num_inputs.append(len(inputs))
        self._num_outputs.append(len(outputs))
        self._num_values.append(len(summaries))
        self._inputs.extend(wire.int64(n) for n in inputs)
        self._outputs.extend(wire.int64(n) for n in outputs)
        padding = [0] * (len(outputs) - len(devices))
        self._devices.extend(wire.int32(n) for n in [*devices, *padding][: len(outputs)])
        for summary, shape in zip(summaries, shapes, strict=True):
            self._values.append(summary, shape)

    def _take(self) -> ExecutionBatch:
        return ExecutionBatch(
            offset=_column(self.offsets, np.int64),
            wall_time=_column(self._wall_times, np.float64),
            op_type=_column(self._op_types, np.int32),
            graph=_column(self._graphs, np.int32),
            location=_column(self._locations, np.int32),
            mode=_column(self._modes, np.uint8),
            num_inputs=_column(self._num_inputs, np.int32),
            num_outputs=_column(self._num_outputs, np.int32),
            num_values=_column(self._num_values, np.int32),
            input_tensor_id=_column(self._inputs, np.int64),
            output_tensor_id=_column(self._outputs, np.int64),
            output_device_id=_column(self._devices, np.int32),
            values=self._values.take(),
        )


class TraceDecoder(Decoder[TraceBatch]):
    """Decodes ``.graph_execution_traces``."""

    def _reset(self) -> None:
        self.offsets = array("q")
        self._wall_times = array("d")
        self._ops = array("i")
        self._slots = array("i")
        self._modes = array("B")
        self._devices = array("i")
        self._tensor_ids = array("q")
        self._values = _ValueRows()

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        if member[0] != _TRACE:
            return
        graph_id, op_name, slot, mode, device = b"", b"", 0, 0, b""
        tensor: tuple[int, int] | None = None
        for entry in wire.fields(buffer, *wire.span(member)):
            number = entry[0]
            if number == 1:
                graph_id = wire.payload(buffer, entry)
            elif number == 2:
                op_name = wire.payload(buffer, entry)
            elif number == 3:
                slot = wire.int32(wire.integer(entry))
                if slot < 0:
                    raise wire.WireError("no op has such an output")
            elif number == 4:
                mode = wire.integer(entry)
            elif number == 5:
                tensor = wire.span(entry)
            elif number == 6:
                device = wire.payload(buffer, entry)
        mode = mode if mode <= 255 else 0
        message = parse_tensor(buffer, *tensor) if tensor else parse_tensor(buffer, 0, 0)
        summary = summarize(buffer, message, mode)
        op = self._op_ref((self._graph_id(self._clean(graph_id)), self._clean(op_name)))
        device_id = self._string(self._clean(device)) if device else -1
        shape = self._shape_id(summary)
        self.offsets.append(offset)
        self._wall_times.append(wall_time)
        self._ops.append(op)
        self._slots.append(slot)
        self._modes.append(mode)
        self._devices.append(device_id)
        self._tensor_ids.append(summary.tensor_id)
        self._values.append(summary, shape)

    def _take(self) -> TraceBatch:
        return TraceBatch(
            offset=_column(self.offsets, np.int64),
            wall_time=_column(self._wall_times, np.float64),
            op=_column(self._ops, np.int32),
            output_slot=_column(self._slots, np.int32),
            mode=_column(self._modes, np.uint8),
            device=_column(self._devices, np.int32),
            tensor_id=_column(self._tensor_ids, np.int64),
            values=self._values.take(),
        )


class GraphsDecoder(Decoder[GraphsBatch]):
    """Decodes ``.graphs``."""

    def _reset(self) -> None:
        self.offsets = array("q")
        self._wall_times = array("d")
        self._ops = array("i")
        self._op_types = array("i")
        self._locations = array("i")
        self._num_inputs = array("i")
        self._num_outputs = array("i")
        self._input_ops = array("i")
        self._input_slots = array("i")
        self._outputs = array("q")
        self._graphs: list[GraphRecord] = []
        self._devices: list[DeviceRecord] = []

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        start, end = wire.span(member)
        if member[0] == _OP_CREATION:
            self._decode_op(buffer, start, end, wall_time, offset)
        elif member[0] == _GRAPH:
            self._decode_graph(buffer, start, end, wall_time, offset)
        elif member[0] == _DEVICE:
            self._decode_device(buffer, start, end)

    def _decode_op(
        self, buffer: bytes, start: int, end: int, wall_time: float, offset: int
    ) -> None:
        op_type, op_name, graph_id = b"", b"", b""
        location: bytes | None = None
        inputs: list[bytes] = []
        outputs: list[int] = []
        for entry in wire.fields(buffer, start, end):
            number = entry[0]
            if number == 1:
                op_type = wire.payload(buffer, entry)
            elif number == 2:
                op_name = wire.payload(buffer, entry)
            elif number == 4:
                graph_id = wire.payload(buffer, entry)
            elif number == 6:
                inputs.append(wire.payload(buffer, entry))
                _check_number(inputs)
            elif number == 8:
                location = _location(buffer, entry)
            elif number == 9:
                outputs += wire.varints(buffer, entry, limits.MOST_PARTS - len(outputs))
        graph = self._graph_id(self._clean(graph_id))
        op = self._op_ref((graph, self._clean(op_name)))
        op_type_id = self._string(self._clean(op_type))
        location_id = -1 if location is None else self._location(location)
        producers = [split_tensor_name(name) for name in inputs]
        input_ops = [self._op_ref((graph, self._clean(producer))) for producer, _ in producers]
        self.offsets.append(offset)
        self._wall_times.append(wall_time)
        self._ops.append(op)
        self._op_types.append(op_type_id)
        self._locations.append(location_id)
        self._num_inputs.append(len(inputs))
        self._num_outputs.append(len(outputs))
        self._input_ops.extend(input_ops)
        self._input_slots.extend(slot for _, slot in producers)
        self._outputs.extend(wire.int64(n) for n in outputs)

    def _decode_graph(
        self, buffer: bytes, start: int, end: int, wall_time: float, offset: int
    ) -> None:
        graph_id, name, outer = b"", b"", b""
        for entry in wire.fields(buffer, start, end):
            if entry[0] == 1:
                graph_id = wire.payload(buffer, entry)
            elif entry[0] == 2:
                name = wire.payload(buffer, entry)
            elif entry[0] == 6:
                outer = wire.payload(buffer, entry)
        graph = self._graph_id(self._clean(graph_id))
        around = self._graph_id(self._clean(outer)) if outer else -1
        (kept,) = self._kept(name)
        self._graphs.append(GraphRecord(offset, wall_time, graph, kept, around))

    def _decode_device(self, buffer: bytes, start: int, end: int) -> None:
        name, device_id = b"", 0
        for entry in wire.fields(buffer, start, end):
            if entry[0] == 1:
                name = wire.payload(buffer, entry)
            elif entry[0] == 2:
                device_id = wire.int32(wire.integer(entry))
        (kept,) = self._kept(name)
        self._devices.append(DeviceRecord(device_id, kept))

    def _take(self) -> GraphsBatch:
        return GraphsBatch(
            offset=_column(self.offsets, np.int64),
            wall_time=_column(self._wall_times, np.float64),
            op=_column(self._ops, np.int32),
            op_type=_column(self._op_types, np.int32),
            location=_column(self._locations, np.int32),
            num_inputs=_column(self._num_inputs, np.int32),
            num_outputs=_column(self._num_outputs, np.int32),
            input_op=_column(self._input_ops, np.int32),
            input_slot=_column(self._input_slots, np.int32),
            output_tensor_id=_column(self._outputs, np.int64),
            graphs=self._graphs,
            devices=self._devices,
        )


class SourceFilesDecoder(Decoder[list[SourceFileRecord]]):
    """Decodes ``.source_files``, without the lines."""

    def _reset(self) -> None:
        self._files: list[SourceFileRecord] = []

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        if member[0] != _SOURCE_FILE:
            return
        host_name, file_path, num_lines = b"", b"", 0
        for entry in wire.fields(buffer, *wire.span(member)):
            if entry[0] == 1:
                file_path = wire.payload(buffer, entry)
            elif entry[0] == 2:
                host_name = wire.payload(buffer, entry)
            elif entry[0] == 3:
                num_lines += 1
        host, path = self._kept(host_name, file_path)
        self._files.append(SourceFileRecord(offset, host, path, num_lines))

    def _take(self) -> list[SourceFileRecord]:
        return self._files


class StackFramesDecoder(Decoder[list[StackFrameRecord]]):
    """Decodes ``.stack_frames``."""

    def _reset(self) -> None:
        self._frames: list[StackFrameRecord] = []

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        if member[0] != _STACK_FRAME:
            return
        frame_id, file_index, lineno, function = b"", 0, 0, b""
        for entry in wire.fields(buffer, *wire.span(member)):
            if entry[0] == 1:
                frame_id = wire.payload(buffer, entry)
            elif entry[0] == 2:
                for inner in wire.fields(buffer, *wire.span(entry)):
                    if inner[0] == 1:
                        file_index = wire.int32(wire.integer(inner))
                    elif inner[0] == 2:
                        lineno = wire.int32(wire.integer(inner))
                    elif inner[0] == 4:
                        function = wire.payload(buffer, inner)
        kept_id, kept_function = self._kept(frame_id, function)
        self._frames.append(StackFrameRecord(kept_id, file_index, lineno, kept_function))

    def _take(self) -> list[StackFrameRecord]:
        return self._frames


class MetadataDecoder(Decoder[list[MetadataRecord]]):
    """Decodes ``.metadata``."""

    def _reset(self) -> None:
        self._records: list[MetadataRecord] = []

    def _decode_member(
        self, buffer: bytes, member: wire.Field, wall_time: float, offset: int
    ) -> None:
        if member[0] != _METADATA:
            return
        tensorflow_version, file_version, run_id = b"", b"", b""
        for entry in wire.fields(buffer, *wire.span(member)):
            if entry[0] == 1:
                tensorflow_version = wire.payload(buffer, entry)
            elif entry[0] == 2:
                file_version = wire.payload(buffer, entry)
            elif entry[0] == 3:
                run_id = wire.payload(buffer, entry)
        names = self._kept(tensorflow_version, file_version, run_id)
        self._records.append(MetadataRecord(wall_time, *names))

    def _take(self) -> list[MetadataRecord]:
        return self._records


def _location(buffer: bytes, entry: wire.Field) -> bytes:
    location = wire.payload(buffer, entry)
    if len(location) > limits.MOST_LOCATION_BYTES:
        raise wire.TooLarge("a stack deeper than any")
    return location


def _check_number(parts: Sized) -> None:
    if len(parts) > limits.MOST_PARTS:
        raise wire.TooLarge("more parts than any event has")


def split_tensor_name(name: bytes) -> tuple[bytes, int]:
    """``b"Add:1"`` -> ``(b"Add", 1)``; a name without a slot has slot 0.

    >>> split_tensor_name(b"while/Add_2:0")
    (b'while/Add_2', 0)
    """
    op_name, colon, slot = name.rpartition(b":")
    if colon and slot.isdigit() and len(slot) <= 9:
        return op_name, int(slot)
    return name, 0
