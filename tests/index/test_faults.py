"""The file system fails for a while, and then it does not: the index is as if it never had."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.files.file_system import FileStatus
from tb_debugger_plugin.index.columns import GrowingColumn
from tb_debugger_plugin.index.file_tail import FileReplaced
from tb_debugger_plugin.index.run_index import RunIndex
from tests.builders.logdir import LogdirBuilder, logdir
from tests.files.faulty import FaultyFiles, faulty
from tests.index.reading import index_of, op_types, problem_kinds, traced_ops

__all__ = ["faulty"]


def program(directory: Path, steps: int = 400) -> LogdirBuilder:
    """Files of several pieces each, once pieces are small."""
    built = logdir(directory).source("a.py", lines=["x = 1"]).frame("f1", "a.py").device()
    built.graph("f").op("Log", "Log", stack=["f1"])
    return run_on(built, steps)


def run_on(built: LogdirBuilder, steps: int) -> LogdirBuilder:
    for step in range(steps):
        built.execution(f"Op{step % 7}", nan=step % 2, stack=["f1"]).trace("Log", nan=step % 3)
    return built


def seen(index: RunIndex) -> object:
    """What a reader sees of an index."""
    snapshot = index.snapshot
    return (
        op_types(snapshot),
        traced_ops(snapshot),
        snapshot.executions.values.num_nan.tolist(),
        snapshot.traces.values.num_nan.tolist(),
        list(snapshot.frames.values()),
        snapshot.sources,
        problem_kinds(snapshot),
    )


def undisturbed(directory: Path) -> object:
    index = index_of(directory)
    index.refresh()
    return seen(index)


@pytest.fixture
def small_pieces(faulty: FaultyFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faulty, "piece_bytes", 4096)
    monkeypatch.setattr("tb_debugger_plugin.index.file_tail.BATCH_BYTES", 16_384)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("rate", [0.05, 0.2, 0.7])
def test_errors_and_short_reads_leave_nothing_behind(
    faulty: FaultyFiles, tmp_path: Path, rate: float
) -> None:
    built = program(tmp_path)
    whole = built.path("execution").read_bytes()
    index = index_of(tmp_path)
    faulty.rate = rate
    for step in range(40):
        index.refresh()
        if step % 10 == 0:
            run_on(built, 20)
    assert faulty.num_faults > 5
    built.append("execution", whole[:20])  # A record that is still being written.
    index.refresh()
    faulty.rate = 0.0
    index.refresh()
    assert seen(index) == undisturbed(tmp_path)


def test_a_file_that_fails_is_told_and_no_longer_once_it_is_read(
    faulty: FaultyFiles, tmp_path: Path
) -> None:
    program(tmp_path, steps=3)
    index = index_of(tmp_path)
    index.refresh()
    assert problem_kinds(index.snapshot) == []
    faulty.rate = 1.0
    index.refresh()
    assert problem_kinds(index.snapshot) == ["unreadable_file"] * 5
    assert op_types(index.snapshot) == ["Op0", "Op1", "Op2"]
    faulty.rate = 0.0
    index.refresh()
    assert problem_kinds(index.snapshot) == []


def test_what_was_read_before_an_error_is_shown(faulty: FaultyFiles, tmp_path: Path) -> None:
    built = program(tmp_path, steps=50)
    path = built.path("execution")
    faulty.bad_from[str(path)] = built.size("execution")
    built.append("execution", path.read_bytes()[:20])  # A record that is still being written.
    index = index_of(tmp_path)
    index.refresh()
    assert len(index.snapshot.executions) == 50
    assert problem_kinds(index.snapshot) == ["unreadable_file"]
    faulty.bad_from.clear()
    index.refresh()
    assert seen(index) == undisturbed(tmp_path)


def test_a_file_that_became_shorter_than_it_was_said_to_be_ends_the_reading(
    faulty: FaultyFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = program(tmp_path, steps=3)
    built.truncate("execution", 7)
    status = FaultyFiles.status

    def as_it_was(files: FaultyFiles, path: str) -> FileStatus:
        found = status(files, path)
        return FileStatus(found.identity, found.version, found.size + 10_000, found.modified)

    index = index_of(tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(FaultyFiles, "status", as_it_was)
        index.refresh()
    assert op_types(index.snapshot) == ["Op0", "Op1"]
    with pytest.raises(FileReplaced):
        index.refresh()


def test_a_directory_that_goes_and_comes_back(tmp_path: Path) -> None:
    program(tmp_path / "run", steps=3)
    index = index_of(tmp_path / "run")
    index.refresh()
    before = seen(index)
    (tmp_path / "run").rename(tmp_path / "elsewhere")
    index.refresh()
    assert op_types(index.snapshot) == ["Op0", "Op1", "Op2"]
    (tmp_path / "elsewhere").rename(tmp_path / "run")
    index.refresh()
    assert seen(index) == before


class TestMemory:
    def test_a_run_too_large_for_memory_is_shown_as_far_as_it_was_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        built = program(tmp_path, steps=3)
        index = index_of(tmp_path)
        index.refresh()
        before = seen(index)
        run_on(built, 3)
        append, calls = GrowingColumn.append, [0]

        def failing(*arguments: object, **more: object) -> None:
            calls[0] += 1
            if calls[0] > 9:
                raise MemoryError
            append(*arguments, **more)  # type: ignore[arg-type]

        with monkeypatch.context() as patched:
            patched.setattr(GrowingColumn, "append", failing)
            index.refresh()
        for _ in range(2):
            index.refresh()
            assert seen(index)[:-1] == before[:-1]  # type: ignore[index]
            assert problem_kinds(index.snapshot) == ["out_of_memory"]
            assert index.snapshot.is_whole
