from __future__ import annotations

import itertools
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tb_debugger_plugin.runs import library as libraries
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import Root, SearchedDirectory, parse_roots
from tests.builders.logdir import logdir

Library = Callable[..., RunLibrary]


def wait_until(is_so: Callable[[], bool]) -> None:
    """Waits, within bounds, for the library's thread."""
    pause = threading.Event()
    for _ in range(12_000):
        if is_so():
            return
        pause.wait(0.005)
    raise AssertionError("waited in vain")


@pytest.fixture
def library() -> Iterator[Library]:
    """Makes libraries by whose clock every interval is over, and ends them."""
    made: list[RunLibrary] = []

    def make(*directories: Path, roots: list[Root] | None = None) -> RunLibrary:
        roots = roots or [Root("", str(directory)) for directory in directories]
        made.append(RunLibrary(roots, clock=itertools.count(0.0, 1000.0).__next__))
        return made[-1]

    yield make
    for each in made:
        each.close()


def load(library: RunLibrary) -> RunLibrary:
    library.wake()
    wait_until(
        lambda: not library.searching and all(r.snapshot.is_whole for r in library.runs().values())
    )
    return library


def test_nothing_is_looked_at_before_somebody_asks(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path)
    threads = threading.active_count()
    lazy = library(tmp_path)
    assert (lazy.runs(), lazy.directories, lazy.searching) == ({}, [], True)
    assert lazy.find(".") is None
    assert threading.active_count() == threads
    load(lazy)
    assert list(lazy.runs()) == ["."]
    assert [directory.note for directory in lazy.directories] == ["1 run"]


def test_a_library_that_is_not_asked_rests(library: Library, tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add")
    loaded = load(library(tmp_path))
    built.execution("Add")
    assert loaded.runs()["."].num_executions == 1
    loaded.wake()
    wait_until(lambda: loaded.runs()["."].num_executions == 2)


def test_runs_are_listed_by_name(library: Library, tmp_path: Path) -> None:
    for name in ("b", "a", "c/d"):
        logdir(tmp_path / name)
    assert list(load(library(tmp_path)).runs()) == ["a", "b", "c/d"]


def test_a_run_is_found_by_name_and_by_directory_and_id(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path / "a", run_id="aaaa")
    loaded = load(library(tmp_path))
    run = loaded.runs()["a"]
    assert loaded.find("a") is loaded.find("a#aaaa") is run
    assert loaded.find("a#bbbb") is loaded.find("") is loaded.find("A") is None


def test_a_new_run_and_growth_are_picked_up(library: Library, tmp_path: Path) -> None:
    built = logdir(tmp_path / "a").execution("Add")
    loaded = load(library(tmp_path))
    run = loaded.find("a")
    built.execution("Add")
    logdir(tmp_path / "b").execution("Add")
    loaded.wake()
    wait_until(lambda: [r.num_executions for r in loaded.runs().values()] == [2, 1])
    assert loaded.find("a") is run


def test_a_second_run_in_a_directory_gives_both_their_ids(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path, run_id="aaaa").execution("Add")
    loaded = load(library(tmp_path))
    logdir(tmp_path, run_id="bbbb", started=1_700_000_100).execution("Add").execution("Add")
    loaded.wake()
    wait_until(lambda: [r.num_executions for r in loaded.runs().values()] == [1, 2])
    assert list(loaded.runs()) == [".#aaaa", ".#bbbb"]
    assert loaded.find(".") is None


def test_a_directory_that_is_deleted_takes_its_runs_along(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    loaded = load(library(tmp_path))
    shutil.rmtree(tmp_path / "a")
    loaded.wake()
    wait_until(lambda: list(loaded.runs()) == ["b"])
    assert loaded.find("a") is loaded.find("a#0123abcd") is None
    shutil.rmtree(tmp_path)
    loaded.wake()
    wait_until(lambda: loaded.runs() == {})
    assert [directory.note for directory in loaded.directories] == ["does not exist"]


def test_a_directory_that_is_used_again_holds_the_new_run_only(
    library: Library, tmp_path: Path
) -> None:
    logdir(tmp_path / "a", run_id="aaaa").execution("Add", nan=1)
    loaded = load(library(tmp_path))
    shutil.rmtree(tmp_path / "a")
    logdir(tmp_path / "a", run_id="bbbb", started=1_700_000_100).execution("Mul")
    loaded.wake()
    wait_until(lambda: loaded.runs()["a"].run_id == "bbbb" and loaded.runs()["a"].view is not None)
    wait_until(lambda: loaded.runs()["a"].num_executions == 1)
    assert loaded.runs()["a"].alerts() == []
    assert loaded.find("a#bbbb") is loaded.runs()["a"]
    assert loaded.find("a#aaaa") is None


def test_files_written_anew_under_the_same_names_are_read_anew(
    library: Library, tmp_path: Path
) -> None:
    logdir(tmp_path).execution("Add").execution("Add").execution("Add")
    loaded = load(library(tmp_path))
    logdir(tmp_path).execution("Mul")
    loaded.wake()
    wait_until(lambda: loaded.runs()["."].num_executions == 1)


def test_two_roots_of_one_name_are_two_runs(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path / "a").execution("Add")
    logdir(tmp_path / "b").execution("Add").execution("Add")
    roots = parse_roots("", f"x:{tmp_path}/a,x:{tmp_path}/b")
    loaded = load(library(roots=roots))
    for _ in range(3):
        loaded.wake()
    assert {name: run.num_executions for name, run in loaded.runs().items()} == {
        f"{tmp_path}/b": 2,
        "x": 1,
    }


class Reading:
    """Holds up the reading of runs, and notes its order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.order: list[str] = []
        self.begun = threading.Event()
        self.go_on = threading.Event()
        read = Run.refresh_by_piece

        def noting(run: Run) -> Iterator[None]:
            self.order.append(run.name)
            self.begun.set()
            for step in read(run):
                assert self.go_on.wait(60)
                yield step

        monkeypatch.setattr(Run, "refresh_by_piece", noting)


def test_a_run_that_is_asked_for_goes_first(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(monkeypatch)
    for name in "abcd":
        logdir(tmp_path / name).execution("Add").graph("f")
    wanted = library(tmp_path)
    wanted.wake()
    assert reading.begun.wait(60)
    assert reading.order == ["a"]
    assert wanted.find("b") is not None
    assert wanted.find("c") is not None
    reading.go_on.set()
    load(wanted)
    assert reading.order == ["a", "c", "b", "a", "d"]


def test_runs_nobody_asked_for_are_read_up_to_a_number(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "MOST_RUNS_LOADED_UNASKED", 2)
    for name in "abcd":
        logdir(tmp_path / name).execution("Add")
    some = library(tmp_path)
    some.wake()
    wait_until(lambda: [r.num_executions for r in some.runs().values()] == [1, 1, 0, 0])
    assert some.find("d") is not None
    some.wake()
    wait_until(lambda: [r.num_executions for r in some.runs().values()] == [1, 1, 0, 1])


def test_a_surprise_does_not_end_the_thread(
    library: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    logdir(tmp_path).execution("Add")
    surprised = library(tmp_path)
    failed = threading.Event()

    def failing(roots: list[Root]) -> Iterator[SearchedDirectory]:
        failed.set()
        raise RuntimeError("a surprise")

    with monkeypatch.context() as patched:
        patched.setattr(libraries, "search", failing)
        surprised.wake()
        assert failed.wait(60)
    load(surprised)
    assert surprised.runs()["."].num_executions == 1
    assert "a surprise" in caplog.text


def test_a_run_that_cannot_be_read_stops_no_other(
    library: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for name in "abc":
        logdir(tmp_path / name).execution("Add")
    read = Run.refresh_by_piece

    def failing(run: Run) -> Iterator[None]:
        if run.name == "a":
            raise RuntimeError("a surprise in a")
        return read(run)

    monkeypatch.setattr(Run, "refresh_by_piece", failing)
    others = library(tmp_path)
    others.wake()
    wait_until(lambda: [r.num_executions for r in others.runs().values()] == [0, 1, 1])
    assert "a surprise in a" in caplog.text


def test_close_ends_the_thread_and_nothing_starts_it_again(
    library: Library, tmp_path: Path
) -> None:
    logdir(tmp_path).execution("Add")
    loaded = load(library(tmp_path))
    threads = threading.active_count()
    loaded.close()
    assert threading.active_count() == threads - 1
    loaded.wake()
    loaded.close()
    assert threading.active_count() == threads - 1
    assert loaded.runs()["."].num_executions == 1


def test_close_does_not_wait_for_a_long_run(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = Reading(monkeypatch)
    for name in "abcd":
        logdir(tmp_path / name).execution("Add").graph("f")
    busy = library(tmp_path)
    busy.wake()
    assert reading.begun.wait(60)
    closing = threading.Thread(target=busy.close)
    closing.start()
    reading.go_on.set()
    closing.join(60)
    assert not closing.is_alive()
    assert reading.order == ["a"]


def test_close_before_the_first_wake_is_fine(library: Library, tmp_path: Path) -> None:
    unused = library(tmp_path)
    unused.close()
    unused.wake()
    assert unused.runs() == {}
