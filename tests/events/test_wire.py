from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tb_debugger_plugin.events import wire
from tests.builders import wire as write


def fields(message: bytes) -> list[wire.Field]:
    return list(wire.fields(message, 0, len(message)))


@given(number=st.integers(0, (1 << 64) - 1))
def test_a_varint_is_read_back(number: int) -> None:
    encoded = write.varint(number)
    assert wire.read_varint(encoded, 0, len(encoded)) == (number, len(encoded))


@given(number=st.integers(-(1 << 63), (1 << 63) - 1))
def test_a_negative_int64_takes_ten_bytes_and_is_read_back(number: int) -> None:
    (entry,) = fields(write.integer(1, number))
    assert wire.int64(wire.integer(entry)) == number


@given(number=st.integers(-(1 << 31), (1 << 31) - 1))
def test_an_int32_is_the_low_half_of_its_varint(number: int) -> None:
    (entry,) = fields(write.integer(1, number))
    assert wire.int32(wire.integer(entry)) == number


def test_a_varint_that_is_longer_than_needed_is_read() -> None:
    assert wire.read_varint(b"\x81\x80\x80\x00", 0, 4) == (1, 4)


def test_a_varint_beyond_64_bits_keeps_its_low_64() -> None:
    assert wire.read_varint(b"\xff" * 9 + b"\x7f", 0, 10) == ((1 << 64) - 1, 10)


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        pytest.param(b"\x80", "varint is cut", id="cut tag"),
        pytest.param(b"\x08\xff", "varint is cut", id="cut varint"),
        pytest.param(b"\x08" + b"\x80" * 10 + b"\x01", "too long", id="varint of 11 bytes"),
        pytest.param(b"\x09\x00\x00", "fixed64 is cut", id="cut fixed64"),
        pytest.param(b"\x0d\x00\x00", "fixed32 is cut", id="cut fixed32"),
        pytest.param(b"\x0a\x05ab", "passes the end", id="length beyond the end"),
        pytest.param(b"\x0a" + b"\xff" * 9 + b"\x01", "passes the end", id="length of 2^64 - 1"),
        pytest.param(b"\x00\x01", "field number 0", id="field number 0"),
        pytest.param(b"\x0b\x0c", "wire type 3", id="group"),
        pytest.param(b"\x0c", "wire type 4", id="end of a group"),
        pytest.param(b"\x0e", "wire type 6", id="wire type 6"),
        pytest.param(b"\x0f", "wire type 7", id="wire type 7"),
    ],
)
def test_bytes_that_are_no_message_are_refused(message: bytes, reason: str) -> None:
    with pytest.raises(wire.WireError, match=reason):
        fields(message)


def test_fields_are_found_in_their_order_whatever_their_types() -> None:
    message = b"".join(
        (
            write.integer(1, 300),
            write.double(2, -0.5),
            write.message(1000, b"abc"),
            write.tag(3, write.FIXED32) + b"\x01\x02\x00\x00",
            write.integer(1, 5),
        )
    )
    found = fields(message)
    assert [entry[0] for entry in found] == [1, 2, 1000, 3, 1]
    assert wire.integer(found[0]) == 300
    assert wire.float64(found[1]) == -0.5
    assert wire.payload(message, found[2]) == b"abc"
    assert found[3][2] == 0x0201


def test_only_the_part_of_the_buffer_that_is_the_message_is_read() -> None:
    buffer = b"\xff\xff" + write.integer(1, 7) + b"\xff"
    assert [wire.integer(entry) for entry in wire.fields(buffer, 2, 4)] == [7]


@pytest.mark.parametrize("packed", [True, False])
def test_repeated_integers_are_read_packed_and_unpacked(packed: bool) -> None:
    message = write.integers(4, [0, 1, 300, -1], packed=packed)
    numbers = [n for entry in fields(message) for n in wire.varints(message, entry, most=4)]
    assert [wire.int64(n) for n in numbers] == [0, 1, 300, -1]


def test_packed_integers_that_are_cut_are_refused() -> None:
    message = write.message(4, b"\x01\x80")
    (entry,) = fields(message)
    with pytest.raises(wire.WireError):
        wire.varints(message, entry, most=4)


@pytest.mark.parametrize("packed", [True, False])
def test_more_integers_than_any_event_has_are_refused_before_they_are_read(packed: bool) -> None:
    message = write.integers(4, [1 << 40] * 5, packed=packed)
    with pytest.raises(wire.TooLarge):
        [wire.varints(message, entry, most=4 if packed else 0) for entry in fields(message)]


def test_a_double_keeps_infinity_and_nan() -> None:
    (infinity, nan) = fields(write.double(1, -math.inf) + write.double(1, math.nan))
    assert wire.float64(infinity) == -math.inf
    assert math.isnan(wire.float64(nan))


def test_a_field_of_another_wire_type_than_its_own_is_refused() -> None:
    as_integer, as_bytes = fields(write.integer(1, 3) + write.message(1, b"\x03"))
    for read in (wire.span, wire.float64):
        with pytest.raises(wire.WireError):
            read(as_integer)
    with pytest.raises(wire.WireError):
        wire.payload(b"", as_integer)
    with pytest.raises(wire.WireError):
        wire.integer(as_bytes)
    with pytest.raises(wire.WireError):
        wire.varints(b"", (1, write.FIXED32, 0, 0), most=4)
