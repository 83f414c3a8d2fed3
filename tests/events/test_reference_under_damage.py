"""What a decoder answers does not depend on how a stream is cut, and damage stays local."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tb_debugger_plugin.events.framing import HEADER_BYTES
from tb_debugger_plugin.events.reference import Loss
from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tests.builders.wire import record
from tests.events.decoding import Decoded, Row, Stream, decode
from tests.events.streams import frames, record_ends, streams

MANY = settings(deadline=None, max_examples=30)
each_kind = pytest.mark.parametrize("kind", FILE_KINDS)


def rows_without(kind: FileKind, lost: int) -> list[Row]:
    """The undamaged stream's rows without those of one record."""
    stream = Stream(kind)
    rows: list[Row] = []
    for number, frame in enumerate(frames(streams()[kind])):
        before = len(stream.decoded.rows)
        stream.append(frame)
        if number != lost:
            rows += stream.decoded.rows[before:]
    return rows


@each_kind
def test_the_streams_have_no_losses(kind: FileKind) -> None:
    data = streams()[kind]
    decoded = decode(kind, data)
    assert decoded.rows
    assert len(decoded.rows) == len(frames(data))
    assert (decoded.losses, decoded.consumed) == ([], len(data))


@each_kind
@MANY
@given(data=st.data())
def test_a_stream_in_pieces_yields_what_it_yields_whole(
    kind: FileKind, data: st.DataObject
) -> None:
    whole = streams()[kind]
    cuts = data.draw(st.lists(st.integers(0, len(whole)), max_size=6))
    assert comparable(decode(kind, whole, cuts)) == comparable(decode(kind, whole))


@each_kind
@MANY
@given(data=st.data())
def test_a_damaged_stream_in_pieces_loses_what_it_loses_whole(
    kind: FileKind, data: st.DataObject
) -> None:
    whole = bytearray(streams()[kind])
    for at in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=5)):
        whole[at] ^= 0x10
    cuts = data.draw(st.lists(st.integers(0, len(whole)), max_size=6))
    in_pieces, at_once = decode(kind, bytes(whole), cuts), decode(kind, bytes(whole))
    assert comparable(in_pieces) == comparable(at_once)


@each_kind
@MANY
@given(data=st.data())
def test_a_stream_cut_anywhere_keeps_what_is_before_and_goes_on_when_it_grows(
    kind: FileKind, data: st.DataObject
) -> None:
    whole = streams()[kind]
    size = data.draw(st.integers(0, len(whole)))
    ends = record_ends(whole)
    stream = Stream(kind)
    stream.append(whole[:size])
    assert stream.decoded.consumed == max((end for end in ends if end <= size), default=0)
    assert len(stream.decoded.rows) == sum(end <= size for end in ends)
    assert stream.decoded.losses == []
    stream.append(whole[size:])
    assert comparable(stream.decoded) == comparable(decode(kind, whole))


@each_kind
@MANY
@given(data=st.data())
def test_a_flipped_bit_costs_the_record_that_it_is_in_and_no_other(
    kind: FileKind, data: st.DataObject
) -> None:
    whole = streams()[kind]
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = bytearray(whole)
    damaged[at] ^= 1 << data.draw(st.integers(0, 7))
    decoded = decode(kind, bytes(damaged))
    ends = record_ends(whole)
    lost = sum(end <= at for end in ends)
    begin, end = [0, *ends][lost], ends[lost]
    in_header = at - begin < HEADER_BYTES
    if in_header and end == len(whole):
        # No header follows at which reading could resume; one might still be written.
        assert len(whole) - decoded.consumed < HEADER_BYTES
        end = decoded.consumed
    else:
        assert decoded.consumed == len(whole)
    (loss,) = decoded.losses
    assert loss.kind == ("bad_length" if in_header else "bad_payload")
    assert (loss.offset, loss.offset + loss.num_bytes) == (begin, end)
    assert sorted(decoded.rows, key=str) == sorted(rows_without(kind, lost), key=str)


@each_kind
@MANY
@given(data=st.data(), garbage=st.binary(min_size=1, max_size=300))
def test_bytes_between_records_cost_no_record(
    kind: FileKind, data: st.DataObject, garbage: bytes
) -> None:
    parts = frames(streams()[kind])
    before = data.draw(st.integers(0, len(parts) - 1))
    head, tail = b"".join(parts[:before]), b"".join(parts[before:])
    decoded = decode(kind, head + garbage + tail)
    assert len(decoded.rows) == len(parts)
    (loss,) = decoded.losses
    assert (loss.kind, loss.offset, loss.num_bytes) == ("bad_length", len(head), len(garbage))


@each_kind
@MANY
@given(payload=st.binary(max_size=300))
def test_a_payload_of_any_bytes_costs_itself_at_most(kind: FileKind, payload: bytes) -> None:
    check_among_others(kind, payload)


@each_kind
@MANY
@given(data=st.data())
def test_a_record_whose_bytes_were_changed_before_its_checksum_costs_itself_at_most(
    kind: FileKind, data: st.DataObject
) -> None:
    parts = frames(streams()[kind])
    payload = bytearray(data.draw(st.sampled_from(parts))[12:-4])
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(payload)))
        change = data.draw(st.sampled_from(["set", "insert", "delete", "repeat"]))
        if change == "set" and at < len(payload):
            payload[at] = data.draw(st.integers(0, 255))
        elif change == "insert":
            payload[at:at] = data.draw(st.binary(max_size=12))
        elif change == "delete":
            del payload[at : at + data.draw(st.integers(1, 12))]
        else:
            payload[at:at] = payload[max(at - 20, 0) : at]
    check_among_others(kind, bytes(payload))


def check_among_others(kind: FileKind, payload: bytes) -> None:
    first, second, *_ = [*frames(streams()[kind]), *frames(streams()[kind])]
    hostile = record(payload)
    decoded = decode(kind, first + hostile + second)
    assert decoded.consumed == len(first + hostile + second)
    kept = {str(row) for row in decoded.rows}
    assert {str(row) for row in decode(kind, first).rows} <= kept
    assert len(decoded.rows) in (2, 3)
    for loss in decoded.losses:
        assert (loss.kind, loss.offset) == ("undecodable", len(first))
        assert loss.num_bytes == len(hostile)
        assert len(decoded.rows) == 2


def comparable(decoded: Decoded) -> tuple[list[str], list[Loss], int]:
    """Rows, losses and end, where the order of what has no offset does not count."""
    losses = sorted(decoded.losses, key=lambda loss: loss.offset)
    return sorted(map(str, decoded.rows)), losses, decoded.consumed
