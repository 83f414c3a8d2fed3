"""Writes TensorProtos: summaries of the health modes, and whole tensors in any encoding."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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


_FLOAT_VAL, _DOUBLE_VAL, _INT_VAL, _SCOMPLEX_VAL, _INT64_VAL, _BOOL_VAL = 5, 6, 7, 9, 10, 11
_DCOMPLEX_VAL, _HALF_VAL, _UINT32_VAL, _UINT64_VAL, _FLOAT8_VAL = 12, 13, 16, 17, 18
_INTEGER_FIELDS = {9: _INT64_VAL, 10: _BOOL_VAL, 22: _UINT32_VAL, 23: _UINT64_VAL}


def value_list(dtype: int, values: npt.NDArray[Any], *, packed: bool = True) -> bytes:
    """The ``*_val`` field that lists values, as TensorFlow's Python writer picks it by dtype."""
    values = values.ravel()
    if dtype in (1, 8):
        number = _FLOAT_VAL if dtype == 1 else _SCOMPLEX_VAL
        return _fixed(number, wire.FIXED32, values.view("<f4"), packed=packed)
    if dtype in (2, 18):
        number = _DOUBLE_VAL if dtype == 2 else _DCOMPLEX_VAL
        return _fixed(number, wire.FIXED64, values.view("<f8"), packed=packed)
    if dtype in (14, 19):
        return wire.integers(_HALF_VAL, values.view(np.uint16).tolist(), packed=packed)
    if 24 <= dtype <= 28:
        return wire.message(_FLOAT8_VAL, values.tobytes())
    number = _INTEGER_FIELDS.get(dtype, _INT_VAL)
    return wire.integers(number, [int(value) for value in values], packed=packed)


def _fixed(number: int, wire_type: int, values: npt.NDArray[Any], *, packed: bool) -> bytes:
    if packed:
        return wire.message(number, values.tobytes())
    return b"".join(wire.tag(number, wire_type) + value.tobytes() for value in values)
