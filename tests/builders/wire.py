"""Writes protocol-buffer wire format and TFRecord frames."""

from __future__ import annotations

import struct
from collections.abc import Iterable

from tb_debugger_plugin.events.crc32c import crc32c, mask

VARINT, FIXED64, BYTES, START_GROUP, END_GROUP, FIXED32 = range(6)


def varint(number: int) -> bytes:
    """A varint; negative numbers as the ten bytes that protobuf writes for them."""
    number &= (1 << 64) - 1
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)


def tag(number: int, wire_type: int) -> bytes:
    """The key before a field's value."""
    return varint(number << 3 | wire_type)


def integer(number: int, value: int) -> bytes:
    """A varint field."""
    return tag(number, VARINT) + varint(value)


def integers(number: int, values: Iterable[int], *, packed: bool = True) -> bytes:
    """A repeated varint field."""
    if packed:
        return message(number, b"".join(varint(value) for value in values))
    return b"".join(integer(number, value) for value in values)


def double(number: int, value: float) -> bytes:
    """A double field."""
    return tag(number, FIXED64) + struct.pack("<d", value)


def message(number: int, payload: bytes) -> bytes:
    """A bytes field or a nested message."""
    return tag(number, BYTES) + varint(len(payload)) + payload


def text(number: int, value: str) -> bytes:
    """A string field; absent where empty, as proto3 has it."""
    return message(number, value.encode()) if value else b""


def texts(number: int, values: Iterable[str]) -> bytes:
    """A repeated string field."""
    return b"".join(message(number, value.encode()) for value in values)


def record(payload: bytes) -> bytes:
    """A TFRecord frame."""
    return record_with_length(len(payload), payload)


def record_with_length(length: int, payload: bytes) -> bytes:
    """A TFRecord frame that claims a length, with the right checksum for the claim."""
    header = struct.pack("<Q", length)
    return b"".join(
        (
            header,
            struct.pack("<I", mask(crc32c(header))),
            payload,
            struct.pack("<I", mask(crc32c(payload))),
        )
    )


def event(wall_time: float, member: int, payload: bytes) -> bytes:
    """A DebugEvent with one member of its oneof."""
    return double(1, wall_time) + message(member, payload)
