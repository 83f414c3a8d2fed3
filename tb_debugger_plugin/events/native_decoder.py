"""The decoders of ``reference.py``, natively: the same answers from one pass in C++.

``native/`` holds the C++; this file gives its tuples the names of ``batches.py``.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from tb_debugger_plugin.events import _native, limits
from tb_debugger_plugin.events.batches import (
    DeviceRecord,
    ExecutionBatch,
    GraphRecord,
    GraphsBatch,
    SourceFileRecord,
    StackFrameRecord,
    TensorValues,
    TraceBatch,
    Vocabulary,
)
from tb_debugger_plugin.events.reference import Fed, Loss, Piece

BatchT = TypeVar("BatchT")

crc32c = _native.crc32c


class NativeDecoder(Generic[BatchT]):
    """Decodes one file, piece by piece; see ``reference.Decoder``."""

    _native_type: type[_native.Decoder]

    def __init__(self, offset: int = 0, *, resyncing: bool = False) -> None:
        self.vocabulary = Vocabulary()
        self._native = self._native_type(offset, resyncing)
        self._native.set_room(limits.MOST_VOCABULARY_BYTES)
        self._consumed = 0
        self._is_taken = False

    @property
    def offset(self) -> int:
        """The end of what was decoded, in bytes."""
        return self._native.offset

    @property
    def resyncing(self) -> bool:
        """Whether ``offset`` is inside damage, not at a record."""
        return self._native.resyncing

    def feed(self, piece: Piece) -> Fed[BatchT]:
        """``absorb`` and ``take``."""
        self.absorb(piece)
        return self.take()

    def absorb(self, piece: Piece) -> int:
        """Decodes the whole records at the start of ``piece``, and tells how many bytes they are.

        The GIL is released meanwhile.
        """
        self._leave_taken()
        consumed = self._native.feed(piece)
        self._consumed += consumed
        return consumed

    def take(self) -> Fed[BatchT]:
        """What the pieces since the last call gave."""
        self._leave_taken()
        words = self.vocabulary
        strings, graph_ids, op_refs, locations, shapes = self._native.new_names(
            len(words.strings),
            len(words.graph_ids),
            len(words.op_refs),
            len(words.locations),
            len(words.shapes),
        )
        words.strings += strings
        words.graph_ids += graph_ids
        words.op_refs += op_refs
        words.locations += locations
        words.shapes += shapes
        losses = [Loss(*loss) for loss in self._native.losses()]
        fed = Fed(self._batch(self._native.rows()), self._consumed, losses)
        self._consumed = 0
        self._is_taken = True
        return fed

    def _leave_taken(self) -> None:
        # Not in ``take``: there the batch is held still. Whoever took it may have let go of it by
        # now, and its memory is what the next one is to be written to.
        if self._is_taken:
            self._native.start_batch()
            self._is_taken = False

    def _batch(self, rows: Any) -> BatchT:
        raise NotImplementedError


def _values(columns: Any) -> TensorValues:
    return TensorValues(*columns)


class ExecutionDecoder(NativeDecoder[ExecutionBatch]):
    """Decodes ``.execution``."""

    _native_type = _native.ExecutionDecoder

    def _batch(self, rows: Any) -> ExecutionBatch:
        return ExecutionBatch(*[*rows[:-1], _values(rows[-1])])


class TraceDecoder(NativeDecoder[TraceBatch]):
    """Decodes ``.graph_execution_traces``."""

    _native_type = _native.TraceDecoder

    def _batch(self, rows: Any) -> TraceBatch:
        return TraceBatch(*[*rows[:-1], _values(rows[-1])])


class GraphsDecoder(NativeDecoder[GraphsBatch]):
    """Decodes ``.graphs``."""

    _native_type = _native.GraphsDecoder

    def _batch(self, rows: Any) -> GraphsBatch:
        *columns, graphs, devices = rows
        records = [GraphRecord(*graph) for graph in graphs]
        return GraphsBatch(*[*columns, records, [DeviceRecord(*device) for device in devices]])


class SourceFilesDecoder(NativeDecoder[list[SourceFileRecord]]):
    """Decodes ``.source_files``, without the lines."""

    _native_type = _native.SourceFilesDecoder

    def _batch(self, rows: Any) -> list[SourceFileRecord]:
        return [SourceFileRecord(*row) for row in rows]


class StackFramesDecoder(NativeDecoder[list[StackFrameRecord]]):
    """Decodes ``.stack_frames``."""

    _native_type = _native.StackFramesDecoder

    def _batch(self, rows: Any) -> list[StackFrameRecord]:
        return [StackFrameRecord(*row) for row in rows]
