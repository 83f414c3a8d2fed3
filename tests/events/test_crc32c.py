from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tb_debugger_plugin.events.crc32c import (
    crc32c,
    crc32c_many,
    mask,
    masked_crc32c_at,
    masked_crc32c_at_each_offset,
)

RFC_3720_READ_PDU = bytes.fromhex(
    "01c00000 00000000 00000000 00000000 14000000 00000400"
    "00000014 00000018 28000000 00000000 02000000 00000000"
)


def one_bit_at_a_time(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


@pytest.mark.parametrize(
    ("data", "crc"),
    [
        pytest.param(bytes(32), 0x8A9136AA, id="zeros"),
        pytest.param(b"\xff" * 32, 0x62A8AB43, id="ones"),
        pytest.param(bytes(range(32)), 0x46DD794E, id="ascending"),
        pytest.param(bytes(reversed(range(32))), 0x113FDB5C, id="descending"),
        pytest.param(RFC_3720_READ_PDU, 0xD9963A56, id="read PDU"),
    ],
)
def test_vectors_of_rfc_3720(data: bytes, crc: int) -> None:
    assert crc32c(data) == crc


def test_the_check_value_of_the_catalogue() -> None:
    assert crc32c(b"123456789") == 0xE3069283


def test_nothing_has_crc_0() -> None:
    assert crc32c(b"") == 0


def test_the_mask_is_that_of_tfrecord() -> None:
    # The header of a record of five bytes, as TensorFlow's TFRecordWriter writes it.
    assert mask(crc32c((5).to_bytes(8, "little"))).to_bytes(4, "little").hex() == "eab2043e"


@settings(deadline=None)
@given(data=st.binary(max_size=1200))
def test_any_data_has_the_crc_that_the_definition_gives(data: bytes) -> None:
    assert crc32c(data) == one_bit_at_a_time(data)


@pytest.mark.parametrize("length", [0, 1, 2, 3, 4, 5, 255, 256, 257, 511, 512, 513])
def test_lengths_about_a_row(length: int) -> None:
    data = bytes((7 * i + 1) & 0xFF for i in range(length))
    assert crc32c(data) == one_bit_at_a_time(data)


def test_data_of_many_groups_of_rows() -> None:
    data = np.random.default_rng(0).bytes(256 * 4096 * 2 + 77)
    pieces = [(0, 300_000), (300_000, 1), (5, len(data) - 5), (7, 0), (9, 900_000)]
    crcs = crc32c_many(data, [start for start, _ in pieces], [length for _, length in pieces])
    assert crcs == [crc32c(data[start : start + length]) for start, length in pieces]


@settings(deadline=None)
@given(data=st.binary(max_size=40))
def test_the_crc_at_each_offset_is_that_of_the_eight_bytes_there(data: bytes) -> None:
    at_each = masked_crc32c_at_each_offset(data).tolist()
    expected = [mask(one_bit_at_a_time(data[at : at + 8])) for at in range(len(data) - 7)]
    assert at_each == expected
    offsets = list(range(len(data) - 8, -1, -3))
    assert masked_crc32c_at(data, offsets).tolist() == [expected[at] for at in offsets]
