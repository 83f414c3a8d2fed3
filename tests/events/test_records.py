from __future__ import annotations

import io
from pathlib import Path

import pytest

from tb_debugger_plugin.events import debug_modes, wire
from tb_debugger_plugin.events.records import (
    RecordTooLarge,
    parse_code_location,
    read_record,
    source_lines,
    tensor_counts,
)
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values
from tests.builders.wire import record, record_with_length, text, texts


def payload_at(built: LogdirBuilder, number: int) -> bytes | None:
    offset = built.record_offsets("execution")[number]
    with built.path("execution").open("rb") as file:
        return read_record(file, offset)


def test_a_record_is_read_again_by_its_offset(tmp_path: Path) -> None:
    large = Values(size=5000).tensor_proto(debug_modes.FULL_TENSOR, -1)
    built = logdir(tmp_path).execution("Mul").execution("Big", values=[large]).execution("Log")
    payloads = [payload_at(built, number) for number in range(3)]
    frames = [record(payload) for payload in payloads if payload is not None]
    assert b"".join(frames) == built.path("execution").read_bytes()


@pytest.mark.parametrize("at", [0, 9, 30, -1])
def test_a_record_that_is_damaged_is_gone(tmp_path: Path, at: int) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log").flip_bit("execution", at)
    lost = 1 if at == -1 else 0
    offset = 0 if lost == 0 else built.record_offsets("execution")[1]
    with built.path("execution").open("rb") as file:
        assert read_record(file, offset) is None


def test_a_record_behind_the_end_is_gone(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul")
    with built.path("execution").open("rb") as file:
        assert read_record(file, built.size("execution")) is None
    built.truncate("execution", 1)
    with built.path("execution").open("rb") as file:
        assert read_record(file, 0) is None


def test_a_place_inside_a_record_is_none(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log")
    with built.path("execution").open("rb") as file:
        assert read_record(file, 5) is None


class Counting(io.BytesIO):
    """Notes how many bytes a read asks for, which is what it takes of memory."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        self.most = max(self.most, size or 0)
        return super().read(size)


def test_a_length_that_the_file_does_not_have_takes_no_memory() -> None:
    file = Counting(record_with_length((1 << 31) - 1, b"x" * 10_000))
    assert read_record(file, 0) is None
    assert file.most < 20_000


def test_a_record_larger_than_its_reader_wants_is_refused_unread() -> None:
    file = Counting(record(b"x" * 100_000))
    with pytest.raises(RecordTooLarge, match="100,016 bytes"):
        read_record(file, 0, most_bytes=99_999)
    assert file.most < 20_000
    assert read_record(file, 0, most_bytes=100_000) == b"x" * 100_000


def test_the_counts_of_all_values_of_an_execution_are_read(tmp_path: Path) -> None:
    huge = Values(size=1 << 40, nan=1 << 33)
    built = logdir(tmp_path).execution("Mul", values=[Values(zero=1), b"", huge])
    payload = payload_at(built, 0)
    assert payload is not None
    assert tensor_counts(payload) == [
        (0, 0, 0, 0, 1, 0),
        (-1, -1, -1, -1, -1, -1),
        (0, 0, 1 << 33, 0, 0, (1 << 40) - (1 << 33)),
    ]


def test_source_lines_may_be_empty_and_need_not_be_utf8(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("a.py", lines=["x = 1", "", "ü"])
    with built.path("source_files").open("rb") as file:
        payload = read_record(file, 0)
    assert payload is not None
    assert source_lines(payload) == ["x = 1", "", "ü"]


def test_a_code_location_is_a_host_and_frames() -> None:
    location = text(1, "host") + texts(2, ["outer", "inner"])
    assert parse_code_location(location) == ("host", ["outer", "inner"])
    assert parse_code_location(b"") == ("", [])
    with pytest.raises(wire.WireError):
        parse_code_location(b"\x0a\x05x")


@pytest.mark.parametrize(
    "host",
    ["vm", "höst", "h" * 200, ""],
    ids=["as TensorFlow writes it", "not ASCII", "long", "without host"],
)
@pytest.mark.parametrize("num_ids", [0, 1, 40])
def test_a_code_location_of_uuids_is_read_like_any_other(host: str, num_ids: int) -> None:
    ids = [f"{number:08x}-0000-4000-8000-000000000000" for number in range(num_ids)]
    location = text(1, host) + texts(2, ids)
    assert parse_code_location(location) == (host, ids)
    assert parse_code_location(location + text(2, "short")) == (host, [*ids, "short"])


def test_a_code_location_that_ends_within_its_host_is_none() -> None:
    with pytest.raises(wire.WireError):
        parse_code_location(b"\x0a\x28" + b"h" * 2)
