"""TensorProto -> what is known of the tensor's values.

Accepts every encoding that TensorFlow's two writers use (raw ``tensor_content``, packed and
unpacked ``*_val`` lists, fewer values than elements) and never allocates what a shape merely
claims.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events import debug_modes, dtypes, wire
from tb_debugger_plugin.events.batches import FINITE, HAS_INF_NAN, NOT_OBSERVED

_FLOAT64 = 2
_MAX_DIMS = 254
_MAX_SIZE = 1 << 62
_MAX_EXACT = float(1 << 53)

Counts = tuple[int, int, int, int, int, int]
UNKNOWN_COUNTS: Counts = (-1, -1, -1, -1, -1, -1)


@dataclass
class TensorMessage:
    """A TensorProto's fields as they stand on disk."""

    start: int
    end: int
    dtype: int = 0
    dims: list[int] = field(default_factory=list)
    content: bytes = b""


@dataclass(frozen=True)
class TensorSummary:
    """One row of ``TensorValues``, shapes not yet interned; counts may exceed 32 bits."""

    dtype: int = 0
    rank: int = -1
    size: int = -1
    shape: tuple[int, ...] | None = None
    counts: Counts = UNKNOWN_COUNTS
    bad: int = NOT_OBSERVED
    tensor_id: int = -1


NOTHING_KNOWN = TensorSummary()

_NUMPY: dict[int, str] = {
    1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 8: "<c8", 9: "<i8", 10: "?",
    11: "i1", 12: "u1", 13: "<i4", 15: "<i2", 16: "<u2", 17: "<u2", 18: "<c16", 19: "<f2",
    22: "<u4", 23: "<u8",
}  # fmt: skip
"""NumPy's dtype of ``tensor_content``; bfloat16 (14) and float8 (24-28) are counted by bits."""

_BFLOAT16 = 14
_INT_VAL, _HALF_VAL, _FLOAT8_VAL = 7, 13, 18
_VALUE_FIELDS: dict[int, int] = {
    1: 5, 2: 6, 3: _INT_VAL, 4: _INT_VAL, 5: _INT_VAL, 6: _INT_VAL, 8: 9, 9: 10, 10: 11,
    11: _INT_VAL, 12: _INT_VAL, 13: _INT_VAL, 14: _HALF_VAL, 15: _INT_VAL, 16: _INT_VAL,
    17: _INT_VAL, 18: 12, 19: _HALF_VAL, 22: 16, 23: 17,
    24: _FLOAT8_VAL, 25: _FLOAT8_VAL, 26: _FLOAT8_VAL, 27: _FLOAT8_VAL, 28: _FLOAT8_VAL,
}  # fmt: skip
"""DataType -> number of the TensorProto field that lists its values."""

_NEG_INF, _POS_INF, _NAN, _NEGATIVE, _ZERO, _POSITIVE = range(6)


def _float8_classes(dtype: int) -> npt.NDArray[np.uint8]:
    """Bit pattern -> class. Where each float8 keeps its NaN and infinity: ml_dtypes' README."""
    classes = np.empty(256, dtype=np.uint8)
    for bits in range(256):
        negative, magnitude = bits >= 0x80, bits & 0x7F
        if dtype == 24 and magnitude > 0x7C:
            kind = _NAN
        elif dtype == 24 and magnitude == 0x7C:
            kind = _NEG_INF if negative else _POS_INF
        elif (dtype == 25 and magnitude == 0x7F) or (dtype in (26, 27, 28) and bits == 0x80):
            kind = _NAN
        elif magnitude == 0:
            kind = _ZERO
        else:
            kind = _NEGATIVE if negative else _POSITIVE
        classes[bits] = kind
    return classes


_FLOAT8_CLASSES = {dtype: _float8_classes(dtype) for dtype in (24, 25, 26, 27, 28)}


def parse_tensor(buffer: bytes, start: int, end: int) -> TensorMessage:
    """Reads a TensorProto's fields.

    Raises:
      wire.WireError: The bytes are not a TensorProto.

    """
    message = TensorMessage(start, end)
    for entry in wire.fields(buffer, start, end):
        number = entry[0]
        if number == 1:
            message.dtype = wire.int32(wire.integer(entry))
        elif number == 2:
            message.dims = _parse_dims(buffer, *wire.span(entry))
        elif number == 4:
            message.content = wire.payload(buffer, entry)
    return message


def _parse_dims(buffer: bytes, start: int, end: int) -> list[int]:
    dims = []
    for entry in wire.fields(buffer, start, end):
        if entry[0] == 2:
            size = 0
            for inner in wire.fields(buffer, *wire.span(entry)):
                if inner[0] == 1:
                    size = wire.int64(wire.integer(inner))
            dims.append(size)
            if len(dims) > _MAX_DIMS:
                raise wire.WireError(f"a shape of more than {_MAX_DIMS} dimensions")
    return dims


def summarize(buffer: bytes, message: TensorMessage, mode: int) -> TensorSummary:
    """What a tensor's record tells in the debug mode that wrote it.

    Args:
      buffer: The bytes that ``message`` was parsed from.
      message: The TensorProto.
      mode: A TensorDebugMode number.

    """
    length = debug_modes.SUMMARY_LENGTHS.get(mode)
    if length is not None:
        numbers = _summary_numbers(buffer, message)
        return NOTHING_KNOWN if len(numbers) != length else _SUMMARIES[mode](numbers)
    if mode == debug_modes.FULL_TENSOR and message.dtype:
        return _full_tensor(buffer, message)
    return NOTHING_KNOWN


def _summary_numbers(buffer: bytes, message: TensorMessage) -> list[float]:
    if message.dtype != _FLOAT64:
        return []
    if message.content:
        if len(message.content) > 88 or len(message.content) % 8:
            return []
        return np.frombuffer(message.content, dtype="<f8").tolist()  # type: ignore[no-any-return]
    return next(_listed_values(buffer, message))[:11].tolist()  # type: ignore[no-any-return]


def _integer(number: float, otherwise: int = -1) -> int:
    """A count from a float64, ``otherwise`` if it is none."""
    if number >= 0 and number <= _MAX_EXACT and number == math.floor(number):
        return int(number)
    return otherwise


def _byte(number: float) -> int:
    value = _integer(number, 0)
    return value if value <= 255 else 0


def _rank(number: float) -> int:
    value = _integer(number)
    return value if value <= _MAX_DIMS else -1


def _curt(n: list[float]) -> TensorSummary:
    return TensorSummary(bad=HAS_INF_NAN if n[1] else FINITE, tensor_id=_integer(n[0]))


def _concise(n: list[float]) -> TensorSummary:
    counts = (_integer(n[2]), _integer(n[3]), _integer(n[4]), -1, -1, -1)
    return TensorSummary(
        size=_integer(n[1]), counts=counts, bad=_badness(counts), tensor_id=_integer(n[0])
    )


def _full_health(n: list[float]) -> TensorSummary:
    counts = (
        _integer(n[5]), _integer(n[6]), _integer(n[7]),
        _integer(n[8]), _integer(n[9]), _integer(n[10]),
    )  # fmt: skip
    return TensorSummary(
        dtype=_byte(n[2]),
        rank=_rank(n[3]),
        size=_integer(n[4]),
        shape=() if n[3] == 0 else None,
        counts=counts,
        bad=_badness(counts),
        tensor_id=_integer(n[0]),
    )


def _shape(n: list[float]) -> TensorSummary:
    rank = _rank(n[2])
    dims = tuple(_integer(d) for d in n[4 : 4 + min(rank, 6)]) if rank >= 0 else None
    return TensorSummary(
        dtype=_byte(n[1]), rank=rank, size=_integer(n[3]), shape=dims, tensor_id=_integer(n[0])
    )


_SUMMARIES = {
    debug_modes.CURT_HEALTH: _curt,
    debug_modes.CONCISE_HEALTH: _concise,
    debug_modes.FULL_HEALTH: _full_health,
    debug_modes.SHAPE: _shape,
}


def _badness(counts: Counts) -> int:
    bad = counts[:3]
    if any(count > 0 for count in bad):
        return HAS_INF_NAN
    return FINITE if all(count == 0 for count in bad) else NOT_OBSERVED


def _full_tensor(buffer: bytes, message: TensorMessage) -> TensorSummary:
    shape = tuple(message.dims)
    size = _element_count(shape)
    dtype = message.dtype if 0 < message.dtype <= 255 else 0
    if size < 0:
        return TensorSummary(dtype=dtype, rank=len(shape), shape=shape)
    counts = _count_elements(buffer, message, size)
    cannot_be_bad = dtype in dtypes.NAMES and dtype not in _FLOAT_DTYPES
    return TensorSummary(
        dtype=dtype,
        rank=len(shape),
        size=size,
        shape=shape,
        counts=counts,
        bad=FINITE if cannot_be_bad else _badness(counts),
    )


_COMPLEX_DTYPES = frozenset({8, 18})
_FLOAT_DTYPES = frozenset({1, 2, 14, 19}) | _COMPLEX_DTYPES | frozenset(_FLOAT8_CLASSES)


def _element_count(shape: tuple[int, ...]) -> int:
    """-1 if a dimension is negative or the count is beyond any real tensor's."""
    if any(dim < 0 for dim in shape):
        return -1
    if 0 in shape:
        return 0
    size = 1
    for dim in shape:
        size *= dim
        if size > _MAX_SIZE:
            return -1
    return size


def _count_elements(buffer: bytes, message: TensorMessage, size: int) -> Counts:
    if message.dtype not in _VALUE_FIELDS:
        return UNKNOWN_COUNTS
    if size == 0:
        return (0, 0, 0, 0, 0, 0)
    if message.content:
        values = _content_values(message)
        if values is None or len(values) != size:
            return UNKNOWN_COUNTS
        return _count_classes(values, message.dtype)
    counts: Counts = (0, 0, 0, 0, 0, 0)
    last: Counts = (0, 0, 0, -1, 1, -1) if message.dtype in _COMPLEX_DTYPES else (0, 0, 0, 0, 1, 0)
    num_listed = 0
    for values in _listed_values(buffer, message):
        within = values[: size - num_listed]
        if len(within):
            counts = _sum(counts, _count_classes(within, message.dtype))
            last = _count_classes(within[-1:], message.dtype)
            num_listed += len(within)
    # TensorProto's rule: the last value repeats for the elements that are not listed, and with
    # none listed all are zero.
    return _sum(counts, last, size - num_listed)


def _sum(counts: Counts, more: Counts, times: int = 1) -> Counts:
    summed = [c + times * m if c >= 0 and m >= 0 else -1 for c, m in zip(counts, more, strict=True)]
    return (summed[0], summed[1], summed[2], summed[3], summed[4], summed[5])


def content_elements(message: TensorMessage) -> npt.NDArray[Any] | None:
    """The elements that ``tensor_content`` holds; ``None`` where there are none, or no numbers."""
    if not message.content or message.dtype not in _VALUE_FIELDS:
        return None
    return _content_values(message)


def _content_values(message: TensorMessage) -> npt.NDArray[Any] | None:
    """The elements; bfloat16 widened to float32, float8 as its bits."""
    content, dtype = message.content, message.dtype
    if dtype in _FLOAT8_CLASSES:
        return np.frombuffer(content, dtype=np.uint8)
    item = np.dtype("<u2" if dtype == _BFLOAT16 else _NUMPY[dtype])
    if len(content) % item.itemsize:
        return None
    values = np.frombuffer(content, dtype=item)
    return _widen_bfloat16(values) if dtype == _BFLOAT16 else values


def _widen_bfloat16(bits: npt.NDArray[Any]) -> npt.NDArray[Any]:
    widened: npt.NDArray[Any] = (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return widened


def _listed_values(buffer: bytes, message: TensorMessage) -> Iterator[npt.NDArray[Any]]:
    """The values of the dtype's ``*_val`` field, some at a time: they may be millions."""
    dtype = message.dtype
    number = _VALUE_FIELDS[dtype]
    listed = wire.fields(buffer, message.start, message.end)
    entries = (entry for entry in listed if entry[0] == number)
    if dtype in (1, 2, 8, 18):
        yield _listed_floats(buffer, entries, dtype)
    elif number == _FLOAT8_VAL:
        raw = bytearray()
        for entry in entries:
            raw += wire.payload(buffer, entry)
        yield np.frombuffer(raw, dtype=np.uint8)
    else:
        for numbers in _varints(buffer, entries):
            yield _as_dtype(numbers, dtype)


def _listed_floats(buffer: bytes, entries: Iterable[wire.Field], dtype: int) -> npt.NDArray[Any]:
    width, item = (4, "<f4") if dtype in (1, 8) else (8, "<f8")
    octets = bytearray()
    for entry in entries:
        octets += _fixed_bytes(buffer, entry, width)
    floats = np.frombuffer(octets, dtype=item, count=len(octets) // width)
    if dtype in _COMPLEX_DTYPES:
        pairs = floats[: len(floats) - len(floats) % 2]
        return pairs.view("<c8" if dtype == 8 else "<c16")
    return floats


def _as_dtype(numbers: npt.NDArray[np.uint64], dtype: int) -> npt.NDArray[Any]:
    if _VALUE_FIELDS[dtype] == _HALF_VAL:
        bits = numbers.astype(np.uint16)
        return _widen_bfloat16(bits) if dtype == _BFLOAT16 else bits.view(np.float16)
    return numbers if dtype in (22, 23) else numbers.view(np.int64)


_BLOCK = 1 << 16
_MOST_VARINT_BYTES = 10


def _varints(buffer: bytes, entries: Iterable[wire.Field]) -> Iterator[npt.NDArray[np.uint64]]:
    """The elements of a repeated varint field, packed or not, a block of them at a time."""
    single: list[int] = []
    for _, wire_type, start, end in entries:
        if wire_type == wire.VARINT:
            single.append(start)
        elif wire_type != wire.LENGTH_DELIMITED:
            raise wire.WireError("repeated integer has another wire type")
        if single and (wire_type != wire.VARINT or len(single) == _BLOCK):
            yield np.array(single, dtype=np.uint64)
            single = []
        if wire_type == wire.LENGTH_DELIMITED:
            yield from _packed_varints(buffer, start, end)
    yield np.array(single, dtype=np.uint64)


def _packed_varints(buffer: bytes, start: int, end: int) -> Iterator[npt.NDArray[np.uint64]]:
    while start < end:
        octets = np.frombuffer(buffer, np.uint8, min(_BLOCK, end - start), start)
        lasts = np.flatnonzero(octets < 0x80)
        firsts = np.append(0, lasts[:-1] + 1)
        lengths = lasts - firsts[: len(lasts)] + 1
        if not len(lasts) or lengths.max() > _MOST_VARINT_BYTES:
            raise wire.WireError("varint is cut or too long")
        numbers = np.zeros(len(lasts), dtype=np.uint64)
        for place in range(int(lengths.max())):
            longer = np.flatnonzero(lengths > place)
            digits = (octets[firsts[longer] + place] & 0x7F).astype(np.uint64)
            numbers[longer] |= digits << np.uint64(7 * place)
        yield numbers
        start += int(lasts[-1]) + 1


def _fixed_bytes(buffer: bytes, entry: wire.Field, width: int) -> bytes:
    wire_type, value = entry[1], entry[2]
    if wire_type == wire.LENGTH_DELIMITED:
        return wire.payload(buffer, entry)
    if wire_type == (wire.FIXED32 if width == 4 else wire.FIXED64):
        return value.to_bytes(width, "little")
    raise wire.WireError("repeated float has another wire type")


def _count_classes(values: npt.NDArray[Any], dtype: int) -> Counts:
    if dtype in _FLOAT8_CLASSES:
        per_class = np.bincount(_FLOAT8_CLASSES[dtype][values.astype(np.uint8)], minlength=6)
        c = [int(n) for n in per_class]
        return (c[0], c[1], c[2], c[3], c[4], c[5])
    if dtype in _COMPLEX_DTYPES:
        return _count_complex(values)
    if dtype in _FLOAT_DTYPES:
        nan = int(np.count_nonzero(np.isnan(values)))
        neg_inf = int(np.count_nonzero(np.isneginf(values)))
        pos_inf = int(np.count_nonzero(np.isposinf(values)))
    else:
        nan = neg_inf = pos_inf = 0
    zero = len(values) - int(np.count_nonzero(values))
    with np.errstate(invalid="ignore"):
        negative = 0 if values.dtype.kind in "ub" else int(np.count_nonzero(values < 0)) - neg_inf
    positive = len(values) - nan - neg_inf - pos_inf - zero - negative
    return (neg_inf, pos_inf, nan, negative, zero, positive)


def _count_complex(values: npt.NDArray[Any]) -> Counts:
    """NaN if a part is; else infinite by the sign of the infinite part. There is no order."""
    real, imaginary = np.real(values), np.imag(values)
    nan = np.isnan(real) | np.isnan(imaginary)
    pos_inf = (np.isposinf(real) | np.isposinf(imaginary)) & ~nan
    neg_inf = (np.isneginf(real) | np.isneginf(imaginary)) & ~nan & ~pos_inf
    zero = len(values) - int(np.count_nonzero(values))
    return (
        int(np.count_nonzero(neg_inf)),
        int(np.count_nonzero(pos_inf)),
        int(np.count_nonzero(nan)),
        -1,
        zero,
        -1,
    )
