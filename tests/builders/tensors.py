"""Writes TensorProtos: summaries of the health modes, and whole tensors in any encoding."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events import debug_modes
from tests.builders import wire

FLOAT32, FLOAT64 = 1, 2


@dataclass(frozen=True)
class Values:
    """What a debug op counts in one tensor. Elements not counted as anything are positive."""

    size: int = 1
    neg_inf: int = 0
    pos_inf: int = 0
    nan: int = 0
    negative: int = 0
    zero: int = 0
    dtype: int = FLOAT32
    shape: tuple[int, ...] | None = None
    """``(size,)`` where not given."""

    @property
    def dims(self) -> tuple[int, ...]:
        return (self.size,) if self.shape is None else self.shape

    @property
    def positive(self) -> int:
        counted = self.neg_inf + self.pos_inf + self.nan + self.negative + self.zero
        return self.size - counted

    def summary(self, mode: int, tensor_id: int) -> list[float]:
        """The float64 vector that stands for the tensor in a health mode or SHAPE mode."""
        bad = (self.neg_inf, self.pos_inf, self.nan)
        if mode == debug_modes.CURT_HEALTH:
            return [tensor_id, float(any(bad))]
        if mode == debug_modes.CONCISE_HEALTH:
            return [tensor_id, self.size, *bad]
        if mode == debug_modes.FULL_HEALTH:
            kinds = (*bad, self.negative, self.zero, self.positive)
            return [tensor_id, -1, self.dtype, len(self.dims), self.size, *kinds]
        if mode == debug_modes.SHAPE:
            dims = [*self.dims[-6:], *[0] * 6][:6]
            return [tensor_id, self.dtype, len(self.dims), self.size, *dims]
        raise ValueError(f"mode {mode} has no summary")

    def elements(self) -> npt.NDArray[np.float32]:
        """A float32 tensor with these counts."""
        parts = (
            [-np.inf] * self.neg_inf,
            [np.inf] * self.pos_inf,
            [np.nan] * self.nan,
            [-1.0] * self.negative,
            [0.0] * self.zero,
            [1.0] * self.positive,
        )
        flat = [element for part in parts for element in part]
        return np.array(flat, dtype=np.float32).reshape(self.dims)

    def tensor_proto(self, mode: int, tensor_id: int) -> bytes:
        """What TensorFlow writes for the tensor in a mode."""
        if mode == debug_modes.NO_TENSOR:
            return tensor_proto(FLOAT32, (0,))
        if mode == debug_modes.FULL_TENSOR:
            content = self.elements().astype("<f4").tobytes()
            return tensor_proto(FLOAT32, self.dims, content=content)
        return float64_vector(self.summary(mode, tensor_id))


def float64_vector(numbers: Sequence[float]) -> bytes:
    """A summary's TensorProto."""
    content = struct.pack(f"<{len(numbers)}d", *numbers)
    return tensor_proto(FLOAT64, (len(numbers),), content=content)


def shape_proto(dims: Sequence[int]) -> bytes:
    """A TensorShapeProto."""
    return b"".join(wire.message(2, wire.integer(1, dim) if dim else b"") for dim in dims)


def tensor_proto(
    dtype: int, dims: Sequence[int], *, content: bytes = b"", values: bytes = b""
) -> bytes:
    """A TensorProto.

    Args:
      dtype: DataType number.
      dims: The shape.
      content: ``tensor_content``.
      values: ``*_val`` fields, already encoded.

    """
    parts = [wire.integer(1, dtype), wire.message(2, shape_proto(dims))]
    if content:
        parts.append(wire.message(4, content))
    return b"".join([*parts, values])
