from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tb_debugger_plugin.runs import listing as listings
from tb_debugger_plugin.runs.directories import Directories
from tb_debugger_plugin.runs.listing import RunListing
from tb_debugger_plugin.runs.search import Root, SearchedDirectory, search
from tests.api.serving import wait_until
from tests.builders.logdir import logdir


class Clock:
    """A clock that stands, and the searches that were begun at its times."""

    def __init__(self) -> None:
        self.now = 0.0
        self.searches: list[float] = []

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()

    def noting(roots: list[Root], memory: Directories) -> Iterator[SearchedDirectory]:
        clock.searches.append(clock.now)
        return search(roots, memory)

    monkeypatch.setattr(listings, "search", noting)
    monkeypatch.setattr(time, "perf_counter", lambda: 0.0)
    return clock


@pytest.fixture
def listing(tmp_path: Path, clock: Clock) -> Iterator[RunListing]:
    made = RunListing([Root("", str(tmp_path))], clock)
    yield made
    made.close()


def found(listing: RunListing, names: list[str]) -> Callable[[], bool]:
    return lambda: not listing.searching and list(listing.runs()) == names


def test_the_search_is_repeated_when_somebody_asks_and_not_too_soon(
    listing: RunListing, clock: Clock, tmp_path: Path
) -> None:
    logdir(tmp_path / "a")
    listing.wake()
    wait_until(found(listing, ["a"]))
    logdir(tmp_path / "b")
    for seconds in (1.0, 4.9, 5.0):
        clock.now = seconds
        listing.wake()
    wait_until(found(listing, ["a", "b"]))
    assert clock.searches == [0.0, 5.0]


@pytest.mark.parametrize(("taken", "pause"), [(2.0, 20.0), (9.0, 30.0), (100.0, 100.0)])
def test_a_long_search_is_repeated_less_often(
    listing: RunListing,
    clock: Clock,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    taken: float,
    pause: float,
) -> None:
    ticks = iter([0.0, taken, taken, taken])
    monkeypatch.setattr(time, "perf_counter", lambda: next(ticks))
    listing.wake()
    wait_until(lambda: not listing.searching)
    logdir(tmp_path / "a")
    clock.now = pause - 0.1
    listing.wake()
    clock.now = pause
    listing.wake()
    wait_until(found(listing, ["a"]))
    assert clock.searches == [0.0, pause]


def test_a_directory_that_has_changed_is_searched_a_second_later(
    listing: RunListing, clock: Clock, tmp_path: Path
) -> None:
    logdir(tmp_path / "a")
    listing.wake()
    wait_until(found(listing, ["a"]))
    clock.now = 1.0
    shutil.rmtree(tmp_path / "a")
    listing.look_at(str(tmp_path / "a"))
    wait_until(found(listing, []))
    assert clock.searches == [0.0, 1.0]


def test_one_that_has_not_changed_changes_nothing(
    listing: RunListing, clock: Clock, tmp_path: Path
) -> None:
    logdir(tmp_path / "a")
    os.utime(tmp_path / "a", (5, 5))
    listing.wake()
    wait_until(found(listing, ["a"]))
    clock.now = 4.0
    listing.look_at(str(tmp_path / "a"))
    listing.close()
    assert clock.searches == [0.0]


def test_runs_are_listed_while_the_first_search_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    seen: list[list[str]] = []
    listing = RunListing([Root("", str(tmp_path))])
    look = Directories.look

    def noting(memory: Directories, path: str) -> object:
        seen.append(list(listing.runs()))
        return look(memory, path)

    monkeypatch.setattr(Directories, "look", noting)
    listing.wake()
    wait_until(lambda: not listing.searching)
    assert seen == [[], [], ["a"]]
    assert listing.num_found == 2
    listing.close()


def test_a_run_that_has_not_changed_stays_the_object_that_it_was(
    listing: RunListing, clock: Clock, tmp_path: Path
) -> None:
    """What is derived of ten thousand runs is not made again after each search."""
    logdir(tmp_path / "a")
    changing = logdir(tmp_path / "b")
    listing.wake()
    wait_until(found(listing, ["a", "b"]))
    before = listing.runs()
    changing.add_host("another").execution("Add")
    clock.now += 1000.0
    listing.wake()
    wait_until(lambda: len(listing.runs()["b"].file_sets) == 2)
    assert listing.runs()["a"] is before["a"]
    assert listing.runs()["b"].origin.hosts == ("another", "host")
