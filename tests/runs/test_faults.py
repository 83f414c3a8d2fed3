"""A file system that fails for a while: runs stay as they are known, and go on when it is over."""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import Root
from tests.api.serving import impatient_clock, wait_until
from tests.builders.logdir import LogdirBuilder, logdir
from tests.files.faulty import FaultyFiles, faulty

__all__ = ["faulty"]

Start = Callable[..., RunLibrary]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Makes libraries of ``tmp_path`` by whose clock every interval is over, and ends them."""
    started: list[RunLibrary] = []

    def make(
        cache: IndexCache | None = None, clock: Callable[[], float] | None = None
    ) -> RunLibrary:
        roots = [Root("", str(tmp_path))]
        started.append(RunLibrary(roots, cache, clock or impatient_clock()))
        return started[-1]

    yield make
    for library in started:
        library.close()


def run_on(built: LogdirBuilder, steps: int) -> LogdirBuilder:
    for step in range(steps):
        built.execution(f"Op{step % 7}", nan=step % 2).trace("Log", nan=step % 3)
    return built


def until(library: RunLibrary, is_so: Callable[[], bool]) -> None:
    """Waits as a page that polls."""

    def is_so_now() -> bool:
        library.wake()
        return is_so()

    wait_until(is_so_now)


def number_of_executions(run: Run | None) -> int:
    return -1 if run is None else run.num_executions


def read(library: RunLibrary, name: str, num_executions: int) -> Run:
    """The run, once it has so many executions."""
    until(library, lambda: number_of_executions(library.find(name)) == num_executions)
    return library.runs()[name]


def test_a_run_whose_directory_cannot_be_listed_for_a_while_stays(
    faulty: FaultyFiles, start: Start, tmp_path: Path
) -> None:
    built = run_on(logdir(tmp_path / "a"), 5)
    library = start()
    run = read(library, "a", 5)
    faulty.rate = 1.0
    until(library, lambda: any("cannot" in directory.note for directory in library.directories))
    assert library.find("a") is run
    assert run.num_executions == 5
    faulty.rate = 0.0
    run_on(built, 1)
    assert read(library, "a", 6) is run
    until(library, lambda: all("cannot" not in d.note for d in library.directories))


def test_metadata_that_cannot_be_read_for_a_while_leaves_a_run_its_name(
    faulty: FaultyFiles, start: Start, tmp_path: Path
) -> None:
    built = run_on(logdir(tmp_path / "a", run_id="aaaa"), 5)
    run_on(logdir(tmp_path / "a", run_id="bbbb", started=1_700_000_009), 3)
    library = start()
    run, other = read(library, "a#aaaa", 5), read(library, "a#bbbb", 3)
    faulty.bad_from[str(built.path("metadata"))] = 0
    logdir(tmp_path / "a" / "below")  # The directory is listed anew.
    until(library, lambda: len(library.found()) == 3)
    assert set(library.found()) == {"a#aaaa", "a#bbbb", "a/below"}
    assert library.find("a#aaaa") is run
    assert library.find("a#bbbb") is other
    assert run.num_executions == 5


@pytest.mark.parametrize("seed", range(3))
def test_errors_at_random_leave_nothing_behind(
    faulty: FaultyFiles, start: Start, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    many = [run_on(logdir(tmp_path / name), 20) for name in "abc"]
    library = start()
    until(library, lambda: len(library.found()) == 3)
    numbers = [20, 20, 20]
    faulty.rate = 0.3
    end = time.monotonic() + 1.0
    while time.monotonic() < end:
        library.wake()
        which = chance.randrange(3)
        run_on(many[which], 2)
        numbers[which] += 2
        library.find("abc"[which])
        time.sleep(0.005)
    assert faulty.num_faults > 20
    faulty.rate = 0.0
    for name, number in zip("abc", numbers, strict=True):
        run = read(library, name, number)
        until_it_has_no_problem(library, run)


def until_it_has_no_problem(library: RunLibrary, run: Run) -> None:
    until(library, lambda: run.status == "live" and run.problems == [])


def test_a_directory_that_goes_and_comes_back_is_there_again(start: Start, tmp_path: Path) -> None:
    run_on(logdir(tmp_path / "a" / "run"), 5)
    library = start()
    read(library, "a/run", 5)
    (tmp_path / "a").rename(tmp_path.parent / f"{tmp_path.name}-elsewhere")
    until(library, lambda: library.find("a/run") is None)
    (tmp_path.parent / f"{tmp_path.name}-elsewhere").rename(tmp_path / "a")
    read(library, "a/run", 5)


def test_a_file_that_is_cut_and_written_anew_meanwhile(start: Start, tmp_path: Path) -> None:
    built = run_on(logdir(tmp_path), 50)
    library = start()
    read(library, ".", 50)
    offsets = built.record_offsets("execution")
    built.truncate("execution", offsets[-1] - offsets[20] - 7)
    read(library, ".", 20)
    run_on(logdir(tmp_path), 7)
    read(library, ".", 7)


class TestCache:
    def test_a_run_that_was_read_in_part_is_not_kept_as_if_it_were_whole(
        self, faulty: FaultyFiles, start: Start, tmp_path: Path
    ) -> None:
        built = run_on(logdir(tmp_path / "a"), 50)
        cache = IndexCache(tmp_path.parent / f"{tmp_path.name}-cache", smallest_run=0)
        faulty.bad_from[str(built.path("execution"))] = built.record_offsets("execution")[20]
        first = start(cache)
        run = read(first, "a", 20)
        until(first, lambda: run.status == "damaged")
        first.close()
        faulty.bad_from.clear()
        read(start(cache), "a", 50)


class TestClocks:
    def test_a_clock_that_goes_back_stops_nothing(self, start: Start, tmp_path: Path) -> None:
        built = run_on(logdir(tmp_path / "a"), 5)
        times = itertools.chain([1e9, 1e9 + 1000, 1e9 + 2000], itertools.count(0.0, 1000.0))
        library = start(clock=times.__next__)
        read(library, "a", 5)
        run_on(built, 2)
        read(library, "a", 7)
        run_on(logdir(tmp_path / "b"), 1)
        read(library, "b", 1)

    def test_a_day_forward_and_back_again_is_seen_in_the_status_only(
        self, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        built = run_on(logdir(tmp_path / "a"), 5)
        library = start()
        run = read(library, "a", 5)
        until(library, lambda: run.status == "live")
        now = time.time
        for written, (days, is_live) in enumerate(((1, False), (-1, False), (0, True)), start=6):
            monkeypatch.setattr(time, "time", lambda days=days: now() + days * 86_400)
            run_on(built, 1)
            read(library, "a", written)
            assert run.moment.is_live == is_live
