from __future__ import annotations

import numpy as np
import pytest

from tb_debugger_plugin.events.framing import (
    FRAME_BYTES,
    HEADER_BYTES,
    MAX_PAYLOAD_BYTES,
    Damage,
    Records,
    expected_frame_bytes,
    split_records,
)
from tests.builders.wire import record, record_with_length

FIRST, SECOND, THIRD = b"first payload", b"", b"the third one"
FRAMES = [record(payload) for payload in (FIRST, SECOND, THIRD)]
WHOLE = b"".join(FRAMES)
ENDS = np.cumsum([len(frame) for frame in FRAMES]).tolist()


def split(data: bytes, *, resyncing: bool = False) -> Records:
    return split_records(memoryview(data), resyncing=resyncing)


def payloads(data: bytes, records: Records) -> list[bytes]:
    return [
        data[start : start + length]
        for start, length in zip(records.starts, records.lengths, strict=True)
    ]


def flipped(data: bytes, offset: int, bit: int = 0) -> bytes:
    changed = bytearray(data)
    changed[offset] ^= 1 << bit
    return bytes(changed)


def test_an_empty_file_has_no_records() -> None:
    assert split(b"") == Records([], [], 0, [], False)


def test_records_are_found_one_after_another_empty_ones_too() -> None:
    records = split(WHOLE)
    assert payloads(WHOLE, records) == [FIRST, SECOND, THIRD]
    assert (records.consumed, records.damages) == (len(WHOLE), [])


@pytest.mark.parametrize("size", range(len(WHOLE)))
def test_a_file_cut_anywhere_yields_the_whole_records_and_no_damage(size: int) -> None:
    records = split(WHOLE[:size])
    whole = [end for end in ENDS if end <= size]
    assert len(records.starts) == len(whole)
    assert records.consumed == max(whole, default=0)
    assert (records.damages, records.resyncing) == ([], False)


@pytest.mark.parametrize("offset", range(HEADER_BYTES))
def test_a_damaged_length_costs_its_own_record_only(offset: int) -> None:
    data = flipped(WHOLE, offset)
    records = split(data)
    assert payloads(data, records) == [SECOND, THIRD]
    assert records.damages == [Damage("bad_length", 0, len(FRAMES[0]))]


@pytest.mark.parametrize("offset", range(HEADER_BYTES, len(FRAMES[0])))
def test_a_damaged_payload_or_checksum_costs_its_own_record_only(offset: int) -> None:
    data = flipped(WHOLE, offset)
    records = split(data)
    assert payloads(data, records) == [SECOND, THIRD]
    assert records.damages == [Damage("bad_payload", 0, len(FRAMES[0]))]


def test_a_damaged_length_of_the_last_record_is_searched_to_the_end_but_for_a_header() -> None:
    data = flipped(WHOLE, ENDS[1])
    records = split(data)
    assert payloads(data, records) == [FIRST, SECOND]
    assert records.resyncing
    assert len(data) - records.consumed == HEADER_BYTES - 1
    assert records.damages == [Damage("bad_length", ENDS[1], records.consumed - ENDS[1])]


def test_reading_resumes_in_the_next_piece_of_the_file() -> None:
    data = flipped(WHOLE, 0)
    for size in range(HEADER_BYTES, ENDS[0] + HEADER_BYTES):
        before = split(data[:size])
        assert before.resyncing
        after = split(data[before.consumed :], resyncing=True)
        assert payloads(data[before.consumed :], after) == [SECOND, THIRD]
        lost = sum(damage.num_bytes for damage in before.damages + after.damages)
        assert lost == len(FRAMES[0])


def test_garbage_between_records_costs_no_record() -> None:
    garbage = b"garbage that is longer than a header"
    for size in range(1, len(garbage)):
        data = FRAMES[0] + garbage[:size] + FRAMES[2]
        records = split(data)
        assert payloads(data, records) == [FIRST, THIRD]
        assert records.damages == [Damage("bad_length", len(FRAMES[0]), size)]


@pytest.mark.parametrize("length", [MAX_PAYLOAD_BYTES + 1, 1 << 62, 1 << 63, (1 << 64) - 1])
def test_a_length_that_no_message_can_have_is_damage_although_its_checksum_is_right(
    length: int,
) -> None:
    bomb = record_with_length(length, b"x")
    data = FRAMES[0] + bomb + FRAMES[2]
    records = split(data)
    assert payloads(data, records) == [FIRST, THIRD]
    assert records.damages == [Damage("bad_length", len(FRAMES[0]), len(bomb))]


def test_a_run_of_zeros_such_as_a_full_disk_leaves_is_damage_and_not_empty_records() -> None:
    data = FRAMES[0] + bytes(1000) + FRAMES[2]
    records = split(data)
    assert payloads(data, records) == [FIRST, THIRD]
    assert records.damages == [Damage("bad_length", len(FRAMES[0]), 1000)]


def test_every_damaged_record_of_many_is_reported_and_the_others_are_kept() -> None:
    frames = [record(b"payload %d" % i) for i in range(400)]
    data = b"".join(flipped(f, 3) if i % 2 else f for i, f in enumerate(frames))
    records = split(data + FRAMES[0])
    assert len(records.starts) == 201
    assert len(records.damages) == 200
    assert {damage.kind for damage in records.damages} == {"bad_length"}


def test_the_frame_size_is_known_once_the_length_is_there() -> None:
    frame = record(bytes(1000))
    assert expected_frame_bytes(memoryview(frame[: HEADER_BYTES - 1])) is None
    assert expected_frame_bytes(memoryview(frame[:HEADER_BYTES])) == 1000 + FRAME_BYTES
