from __future__ import annotations

import itertools
import shutil
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.index.file_sets import FileSet
from tb_debugger_plugin.index.run_index import RunIndex
from tb_debugger_plugin.runs import library as libraries
from tb_debugger_plugin.runs import listing as listings
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import Root, SearchedDirectory, parse_roots
from tests.builders.logdir import logdir

Library = Callable[..., RunLibrary]


def wait_until(is_so: Callable[[], bool]) -> None:
    """Waits, within bounds, for the library's thread."""
    pause = threading.Event()
    for _ in range(4_000):
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
    """Waits until all runs are found, and has all of them read."""
    library.wake()
    wait_until(lambda: not library.searching)
    for name in library.found():
        assert read(library, name).snapshot.is_whole
    return library


def read(library: RunLibrary, name: str) -> Run:
    """Asks for a run, and waits until it is read."""
    run = library.find(name)
    assert run is not None
    library.wake()
    wait_until(lambda: run.snapshot.is_whole)
    return run


def num_executions(library: RunLibrary) -> dict[str, int]:
    """Of the runs in memory, which are brought up to date."""
    library.wake()
    return {name: run.num_executions for name, run in sorted(library.runs().items())}


def test_nothing_is_looked_at_before_somebody_asks(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path)
    threads = threading.active_count()
    lazy = library(tmp_path)
    assert (lazy.found(), lazy.directories, lazy.searching) == ({}, [], True)
    assert lazy.find(".") is None
    assert threading.active_count() == threads
    load(lazy)
    assert list(lazy.found()) == ["."]
    assert [directory.note for directory in lazy.directories] == ["1 run"]


def test_a_run_is_read_when_it_is_asked_for(library: Library, tmp_path: Path) -> None:
    for name in "abc":
        logdir(tmp_path / name).execution("Add")
    lazy = library(tmp_path)
    lazy.wake()
    wait_until(lambda: lazy.num_found == 3)
    assert lazy.runs() == {}
    assert lazy.find("b") is not None
    wait_until(lambda: num_executions(lazy) == {"b": 1})


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
    assert list(load(library(tmp_path)).found()) == ["a", "b", "c/d"]


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
    wait_until(lambda: loaded.find("b") is not None)
    wait_until(lambda: num_executions(loaded) == {"a": 2, "b": 1})
    assert loaded.find("a") is run


def test_a_second_run_in_a_directory_gives_both_their_ids(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path, run_id="aaaa").execution("Add")
    loaded = load(library(tmp_path))
    logdir(tmp_path, run_id="bbbb", started=1_700_000_100).execution("Add").execution("Add")
    loaded.wake()
    wait_until(lambda: list(loaded.found()) == [".#aaaa", ".#bbbb"])
    load(loaded)
    assert num_executions(loaded) == {".#aaaa": 1, ".#bbbb": 2}
    assert loaded.find(".") is None


def test_a_directory_that_is_deleted_takes_its_runs_along(library: Library, tmp_path: Path) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    loaded = load(library(tmp_path))
    shutil.rmtree(tmp_path / "a")
    loaded.wake()
    wait_until(lambda: list(loaded.found()) == ["b"])
    assert loaded.find("a") is loaded.find("a#0123abcd") is None
    shutil.rmtree(tmp_path)
    loaded.wake()
    wait_until(lambda: loaded.found() == {})
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
    wait_until(lambda: loaded.found()["a"].file_sets[0].run_id == "bbbb")
    loaded.wake()
    wait_until(lambda: loaded.runs()["a"].run_id == "bbbb" and num_executions(loaded) == {"a": 1})
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
        assert num_executions(loaded) == {f"{tmp_path}/b": 2, "x": 1}


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


def found_in(library: RunLibrary, num_runs: int) -> RunLibrary:
    """Waits until the search is over, without having a run read."""
    library.wake()
    wait_until(lambda: not library.searching and library.num_found == num_runs)
    return library


def test_a_run_that_is_asked_for_goes_first(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        logdir(tmp_path / name).execution("Add").graph("f")
    wanted = found_in(library(tmp_path), 4)
    reading = Reading(monkeypatch)
    first = wanted.find("a")
    wanted.wake()
    assert reading.begun.wait(60)
    wanted.find("b")
    wanted.find("c")
    reading.go_on.set()
    wait_until(lambda: first is not None and first.snapshot.is_whole)
    assert reading.order == ["a", "c", "b", "a"]


def test_a_run_whose_turn_has_come_is_not_left_for_one_that_has_been_read(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two pages ask for their runs again and again, while the first is still read."""
    for name in "ab":
        logdir(tmp_path / name).execution("Add").graph("f")
    wanted = found_in(library(tmp_path), 2)
    load(wanted)
    reading = Reading(monkeypatch)
    wanted.find("a")
    wanted.find("b")
    wanted.wake()
    assert reading.begun.wait(60)
    wait_until(lambda: reading.order == ["b", "a"])
    wanted.find("b")
    reading.go_on.set()
    wait_until(lambda: wanted.runs()["a"].snapshot.is_whole)
    assert reading.order == ["b", "a"]


def in_memory(library: RunLibrary) -> list[str]:
    library.wake()
    return sorted(library.runs())


def test_the_runs_that_were_asked_for_last_stay_in_memory(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "MOST_RUNS_KEPT", 3)
    for name in "abcdef":
        logdir(tmp_path / name).execution("Add")
    some = load(library(tmp_path))
    wait_until(lambda: in_memory(some) == ["d", "e", "f"])
    assert some.find("d") is not None
    assert some.find("a") is not None
    wait_until(lambda: in_memory(some) == ["a", "d", "f"])
    wait_until(lambda: num_executions(some) == {"a": 1, "d": 1, "f": 1})


def test_large_runs_are_let_go_of_but_for_the_last_two(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        logdir(tmp_path / name).execution("Add")
    some = load(library(tmp_path))
    assert in_memory(some) == ["a", "b", "c", "d"]
    size = some.runs()["a"].num_bytes
    monkeypatch.setattr(libraries, "MOST_BYTES_KEPT", 3 * size)
    wait_until(lambda: in_memory(some) == ["b", "c", "d"])
    monkeypatch.setattr(libraries, "MOST_BYTES_KEPT", 0)
    wait_until(lambda: in_memory(some) == ["c", "d"])


def test_a_run_that_was_let_go_of_takes_no_memory(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "MOST_RUNS_KEPT", 1)
    logdir(tmp_path / "a").execution("Add", nan=1).graph("f").op("Log", "log").trace("log")
    logdir(tmp_path / "b")
    some = found_in(library(tmp_path), 2)
    run = read(some, "a")
    assert len(run.alerts()) == 1
    gone = weakref.ref(run), weakref.ref(run.snapshot), weakref.ref(run.view)
    del run
    assert some.find("b") is not None
    wait_until(lambda: in_memory(some) == ["b"])
    # No cycle has to be found first.
    wait_until(lambda: [reference() for reference in gone] == [None] * 3)


def test_a_run_that_was_let_go_of_and_is_asked_for_again_is_read_from_the_kept_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "MOST_RUNS_KEPT", 1)
    monkeypatch.setattr(libraries, "REFRESH_SECONDS", 0.0)
    for name in "ab":
        logdir(tmp_path / "logs" / name).execution("Add")
    roots = [Root("", str(tmp_path / "logs"))]
    some = found_in(RunLibrary(roots, IndexCache(tmp_path / "cache", smallest_run=0)), 2)
    loads: list[bool] = []
    load_index = IndexCache.load

    def noting(cache: IndexCache, file_sets: Sequence[FileSet]) -> RunIndex | None:
        index = load_index(cache, file_sets)
        loads.append(index is not None)
        return index

    monkeypatch.setattr(IndexCache, "load", noting)
    for name in "aba":
        assert some.find(name) is not None
        wait_until(lambda name=name: num_executions(some) == {name: 1})  # type: ignore[misc]
    assert loads == [False, False, True]
    some.close()


def test_a_surprise_does_not_end_the_thread(
    library: Library,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    logdir(tmp_path).execution("Add")
    surprised = library(tmp_path)
    failed = threading.Event()

    def failing(roots: list[Root], memory: object) -> Iterator[SearchedDirectory]:
        failed.set()
        raise RuntimeError("a surprise")

    with monkeypatch.context() as patched:
        patched.setattr(listings, "search", failing)
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
        if run.name == "b":
            raise RuntimeError("a surprise in b")
        return read(run)

    monkeypatch.setattr(Run, "refresh_by_piece", failing)
    others = found_in(library(tmp_path), 3)
    for name in "abc":
        others.find(name)
    wait_until(lambda: num_executions(others) == {"a": 1, "b": 0, "c": 1})
    assert "a surprise in b" in caplog.text


def test_close_ends_the_threads_and_nothing_starts_them_again(
    library: Library, tmp_path: Path
) -> None:
    logdir(tmp_path).execution("Add")
    threads = threading.active_count()
    loaded = load(library(tmp_path))
    assert threading.active_count() == threads + 2
    loaded.close()
    assert threading.active_count() == threads
    loaded.wake()
    loaded.close()
    assert threading.active_count() == threads
    assert loaded.runs()["."].num_executions == 1


def test_close_does_not_wait_for_a_long_run(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        logdir(tmp_path / name).execution("Add").graph("f")
    busy = found_in(library(tmp_path), 2)
    reading = Reading(monkeypatch)
    busy.find("b")
    busy.find("a")
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
    assert unused.found() == {}
