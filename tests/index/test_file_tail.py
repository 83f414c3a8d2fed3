from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tb_debugger_plugin.events.batches import SourceFileRecord, TraceBatch
from tb_debugger_plugin.events.reference import SourceFilesDecoder, TraceDecoder
from tb_debugger_plugin.files.local import PIECE_BYTES
from tb_debugger_plugin.index.file_tail import FileReplaced, FileTail
from tests.builders.logdir import logdir
from tests.events.streams import record_ends, streams

TRACES = streams()["graph_execution_traces"]


def trace_tail(path: Path) -> FileTail[TraceBatch]:
    return FileTail(str(path), TraceDecoder)


def offsets_read(tail: FileTail[TraceBatch]) -> list[int]:
    return [int(offset) for fed in tail.read_new() for offset in fed.batch.offset]


@settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(sizes=st.lists(st.integers(0, len(TRACES)), max_size=8).map(sorted))
def test_a_file_that_grows_by_any_steps_is_read_as_if_it_had_been_whole(
    tmp_path: Path, sizes: list[int]
) -> None:
    path = tmp_path / "growing"
    path.write_bytes(b"")
    tail = trace_tail(path)
    ends = record_ends(TRACES)
    offsets = []
    for size in [*sizes, len(TRACES)]:
        with path.open("ab") as file:
            file.write(TRACES[file.tell() : size])
        offsets += offsets_read(tail)
        whole = [end for end in ends if end <= size]
        assert (tail.offset, tail.size) == (max(whole, default=0), size)
        assert tail.unread_bytes == size - tail.offset
    assert offsets == [0, *ends[:-1]]
    path.unlink()


def test_nothing_is_read_of_a_file_that_has_not_grown(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(TRACES)
    tail = trace_tail(path)
    assert offsets_read(tail)
    assert list(tail.read_new()) == []


def test_no_handle_stays_open_between_reads(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(TRACES)
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    tail = trace_tail(path)
    offsets_read(tail)
    after = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    assert after == before


def source_tail(path: Path) -> FileTail[list[SourceFileRecord]]:
    return FileTail(str(path), SourceFilesDecoder)


def test_records_larger_than_a_piece_are_read_among_small_ones(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    lines = ["x" * 999] * 8400
    built.source("small.py", lines=["1"]).source("large.py", lines=lines).source("last.py")
    assert built.size("source_files") > 4 * PIECE_BYTES
    tail = source_tail(built.path("source_files"))
    files = [record for fed in tail.read_new() for record in fed.batch]
    assert [record.num_lines for record in files] == [1, 8400, 0]
    assert tail.unread_bytes == 0


def test_a_large_record_that_is_still_being_written_is_read_when_it_is_whole(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).source("large.py", lines=["x" * 999] * 4400)
    path = built.path("source_files")
    content = path.read_bytes()
    path.write_bytes(b"")
    tail = source_tail(path)
    for size in (5, 12, PIECE_BYTES - 1, PIECE_BYTES + 1, 2 * PIECE_BYTES, len(content) - 1):
        with path.open("ab") as file:
            file.write(content[file.tell() : size])
        assert list(tail.read_new()) == []
        assert (tail.offset, tail.unread_bytes) == (0, size)
    with path.open("ab") as file:
        file.write(content[-1:])
    (fed,) = tail.read_new()
    assert (len(fed.batch), tail.unread_bytes) == (1, 0)


def test_a_file_of_many_pieces_may_be_left_at_any_and_taken_up_again(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for number in range(5):
        built.source(f"{number}.py", lines=["x" * 999] * 700)
    tail = source_tail(built.path("source_files"))
    seen: list[str] = []
    while True:
        fed = next(iter(tail.read_new()), None)
        if fed is None:
            break
        seen += [record.file_path[-4:] for record in fed.batch]
    assert seen == [f"{number}.py" for number in range(5)]
    assert (tail.offset, tail.unread_bytes) == (tail.size, 0)


def test_in_the_middle_of_a_file_the_rest_is_no_cut_record(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for number in range(5):
        built.source(f"{number}.py", lines=["x" * 999] * 700)
    tail = source_tail(built.path("source_files"))
    for _ in tail.read_new():
        assert 0 < tail.offset <= tail.size == built.size("source_files")
        assert tail.unread_bytes == 0


def test_a_file_that_shrinks_is_another_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(TRACES)
    tail = trace_tail(path)
    offsets_read(tail)
    os.truncate(path, len(TRACES) - 1)
    with pytest.raises(FileReplaced):
        list(tail.read_new())


def test_a_file_that_shrinks_while_it_is_read_is_another_file(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for number in range(5):
        built.source(f"{number}.py", lines=["x" * 999] * 700)
    tail = source_tail(built.path("source_files"))
    next(iter(tail.read_new()))
    os.truncate(tail.path, 0)
    with pytest.raises(FileReplaced):
        list(tail.read_new())


def test_a_file_that_another_takes_the_place_of_is_another_file(tmp_path: Path) -> None:
    path, successor = tmp_path / "file", tmp_path / "successor"
    path.write_bytes(TRACES)
    tail = trace_tail(path)
    offsets_read(tail)
    successor.write_bytes(TRACES + TRACES)
    os.replace(successor, path)
    with pytest.raises(FileReplaced):
        list(tail.read_new())


@pytest.mark.parametrize("num_records", [2, 3, 50])
def test_a_file_that_is_written_again_from_its_begin_is_another_file(
    tmp_path: Path, num_records: int
) -> None:
    """A program that is started twice in a second: the same inode, and soon more bytes."""
    built = logdir(tmp_path).graph("f").trace("Add").trace("Add")
    tail = trace_tail(built.path("graph_execution_traces"))
    assert len(offsets_read(tail)) == 2
    again = logdir(tmp_path).graph("f")
    for _ in range(num_records):
        again.trace("Mul")
    with pytest.raises(FileReplaced):
        offsets_read(tail)


def test_a_file_that_is_only_touched_is_the_same_file(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").trace("Add")
    path = built.path("graph_execution_traces")
    tail = trace_tail(path)
    assert len(offsets_read(tail)) == 1
    os.utime(path, (5, 5))
    assert offsets_read(tail) == []


def test_bytes_that_arrive_after_the_size_are_read(tmp_path: Path) -> None:
    """As a file server may show them: zeros first."""
    built = logdir(tmp_path).graph("f").trace("Add").trace("Mul")
    path = built.path("graph_execution_traces")
    content, (_, second, _) = path.read_bytes(), built.record_offsets("graph_execution_traces")
    path.write_bytes(content[: second + 20] + bytes(len(content) - second - 20))
    os.utime(path, (5, 5))
    tail = trace_tail(path)
    offsets = offsets_read(tail)
    path.write_bytes(content)
    try:
        offsets += offsets_read(tail)
    except FileReplaced:
        offsets = offsets_read(trace_tail(path))
    assert offsets == [0, second]


def test_a_file_that_is_not_there_yet_is_an_error_until_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    tail = trace_tail(path)
    with pytest.raises(FileNotFoundError):
        list(tail.read_new())
    path.write_bytes(TRACES)
    assert offsets_read(tail)
