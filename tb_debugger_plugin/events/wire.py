"""The protocol-buffer wire format, read where it lies.

Parsing by hand keeps the reader free of generated code (whose version would have to fit three
TensorBoards' protobuf), and is the readable statement of what the native decoder does.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import ClassVar, Literal

VARINT = 0
FIXED64 = 1
LENGTH_DELIMITED = 2
FIXED32 = 5

_FIXED64 = struct.Struct("<Q")
_FIXED32 = struct.Struct("<I")
_FLOAT64 = struct.Struct("<d")

Field = tuple[int, int, int, int]
"""(field number, wire type, value, end).

``value`` is the number for the numeric wire types (fixed ones as unsigned bits), and the start of
the bytes for LENGTH_DELIMITED; ``end`` is where those bytes end, and 0 otherwise.
"""


class WireError(ValueError):
    """The bytes are not a message."""

    kind: ClassVar[Literal["undecodable", "too_large", "too_many_names"]] = "undecodable"


class TooLarge(WireError):
    """The message holds more than any that TensorFlow writes (``limits.py``)."""

    kind = "too_large"


class TooManyNames(WireError):
    """The message names something new, and no further name is kept (``limits.py``)."""

    kind = "too_many_names"


def read_varint(buffer: bytes, position: int, end: int) -> tuple[int, int]:
    """An unsigned varint of at most 64 bits, and the position behind it."""
    value = 0
    shift = 0
    while position < end:
        byte = buffer[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFFFFFFFFFFFFFF, position
        shift += 7
        if shift > 63:
            break
    raise WireError("varint is cut or too long")


def fields(buffer: bytes, position: int, end: int) -> Iterator[Field]:
    """The fields of the message ``buffer[position:end]``, unknown ones included.

    Raises:
      WireError: A length passes the end, or a tag is none.

    """
    while position < end:
        tag = buffer[position]
        if tag < 0x80:
            position += 1
        else:
            tag, position = read_varint(buffer, position, end)
        number, wire_type = tag >> 3, tag & 7
        if number == 0:
            raise WireError("field number 0")
        if wire_type == LENGTH_DELIMITED:
            length, position = read_varint(buffer, position, end)
            stop = position + length
            if stop > end:
                raise WireError("length passes the end of the message")
            yield number, wire_type, position, stop
            position = stop
        elif wire_type == VARINT:
            value, position = read_varint(buffer, position, end)
            yield number, wire_type, value, 0
        elif wire_type == FIXED64:
            if position + 8 > end:
                raise WireError("fixed64 is cut")
            yield number, wire_type, _FIXED64.unpack_from(buffer, position)[0], 0
            position += 8
        elif wire_type == FIXED32:
            if position + 4 > end:
                raise WireError("fixed32 is cut")
            yield number, wire_type, _FIXED32.unpack_from(buffer, position)[0], 0
            position += 4
        else:
            raise WireError(f"wire type {wire_type}")


def varints(buffer: bytes, field: Field, most: int) -> list[int]:
    """The elements of one occurrence of a repeated varint field, packed or not.

    Raises:
      WireError: They are not integers.
      TooLarge: They are more than ``most``.
    """
    _, wire_type, value, end = field
    if wire_type not in (VARINT, LENGTH_DELIMITED):
        raise WireError("repeated integer has another wire type")
    if (1 if wire_type == VARINT else count_varints(buffer, value, end)) > most:
        raise TooLarge("more elements than any event has")
    if wire_type == VARINT:
        return [value]
    numbers = []
    while value < end:
        number, value = read_varint(buffer, value, end)
        numbers.append(number)
    return numbers


def count_varints(buffer: bytes, start: int, end: int) -> int:
    """How many varints end in ``buffer[start:end]``."""
    return len(buffer[start:end].translate(None, _CONTINUED))


_CONTINUED = bytes(range(0x80, 0x100))


def payload(buffer: bytes, field: Field) -> bytes:
    """The bytes of a LENGTH_DELIMITED field."""
    _, wire_type, start, end = field
    if wire_type != LENGTH_DELIMITED:
        raise WireError("bytes field has another wire type")
    return buffer[start:end]


def span(field: Field) -> tuple[int, int]:
    """Start and end of a nested message."""
    _, wire_type, start, end = field
    if wire_type != LENGTH_DELIMITED:
        raise WireError("nested message has another wire type")
    return start, end


def integer(field: Field) -> int:
    """The unsigned value of a varint field."""
    _, wire_type, value, _ = field
    if wire_type != VARINT:
        raise WireError("integer field has another wire type")
    return value


def float64(field: Field) -> float:
    """The value of a double field."""
    _, wire_type, value, _ = field
    if wire_type != FIXED64:
        raise WireError("double field has another wire type")
    return float(_FLOAT64.unpack(_FIXED64.pack(value))[0])


def int32(value: int) -> int:
    """A varint's value as the int32 that it encodes."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value >= 1 << 31 else value


def int64(value: int) -> int:
    """A varint's value as the int64 that it encodes."""
    return value - (1 << 64) if value >= 1 << 63 else value
