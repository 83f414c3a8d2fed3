"""The decoders in use: native ones where they could be built, else the reference.

Both give the same answers; the reference takes fifty to a hundred times as long.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from tb_debugger_plugin.events import reference
from tb_debugger_plugin.events.batches import (
    ExecutionBatch,
    GraphsBatch,
    SourceFileRecord,
    StackFrameRecord,
    TraceBatch,
    Vocabulary,
)
from tb_debugger_plugin.events.crc32c import crc32c
from tb_debugger_plugin.events.reference import Fed, Piece

_log = logging.getLogger(__name__)

BatchT = TypeVar("BatchT")

REFERENCE_VARIABLE = "TB_DEBUGGER_REFERENCE_DECODER"
"""An environment variable: "1" asks for the reference decoder."""


class Decoder(Protocol[BatchT]):
    """Decodes one file, piece by piece. It owns the file's vocabulary."""

    vocabulary: Vocabulary

    @property
    def offset(self) -> int:
        """The end of what was decoded, in bytes."""

    @property
    def resyncing(self) -> bool:
        """Whether ``offset`` is inside damage, not at a record."""

    def absorb(self, piece: Piece) -> int:
        """Decodes the whole records at the start of ``piece``, and tells how many bytes they are.

        The next piece has to begin that much further on in the file. Nothing of the piece's memory
        is kept.
        """

    def take(self) -> Fed[BatchT]:
        """What the pieces since the last call gave; the vocabulary is as it was behind them."""


class MakeDecoder(Protocol[BatchT]):
    """Makes a decoder for a file, to go on where another one stopped."""

    def __call__(self, offset: int = 0, *, resyncing: bool = False) -> Decoder[BatchT]:
        """A decoder whose first piece begins at ``offset``."""


@dataclass(frozen=True)
class Decoders:
    """A decoder for each kind of file, and the checksum that goes with them."""

    kind: Literal["native", "reference"]
    crc32c: Callable[[Piece], int]
    executions: MakeDecoder[ExecutionBatch]
    traces: MakeDecoder[TraceBatch]
    graphs: MakeDecoder[GraphsBatch]
    source_files: MakeDecoder[list[SourceFileRecord]]
    stack_frames: MakeDecoder[list[StackFrameRecord]]


REFERENCE = Decoders(
    "reference",
    crc32c,
    reference.ExecutionDecoder,
    reference.TraceDecoder,
    reference.GraphsDecoder,
    reference.SourceFilesDecoder,
    reference.StackFramesDecoder,
)


def _load() -> Decoders:
    if os.environ.get(REFERENCE_VARIABLE) == "1":
        return REFERENCE
    try:
        from tb_debugger_plugin.events import native_decoder as native
    except ImportError as error:
        _log.warning(
            "tb_debugger: the native decoder cannot be loaded (%s); reading works, but takes "
            "fifty times as long. Reinstall the plugin on a machine with a C++ compiler.",
            error,
        )
        return REFERENCE
    return Decoders(
        "native",
        native.crc32c,
        native.ExecutionDecoder,
        native.TraceDecoder,
        native.GraphsDecoder,
        native.SourceFilesDecoder,
        native.StackFramesDecoder,
    )


DECODERS = _load()
