"""All runs below a logdir, searched for and indexed by one background thread.

The thread works only after somebody has asked: a request wakes it, it brings everything up to
date once, and sleeps again. A page that polls therefore keeps its runs fresh, and a page that is
hidden or closed costs nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import FoundRun, Root, SearchedDirectory, search

_log = logging.getLogger(__name__)

SEARCH_SECONDS = 5.0
"""The search for runs is repeated no sooner than this."""
REFRESH_SECONDS = 1.0
"""A run's files are looked at again no sooner than this."""
MOST_RUNS_LOADED_UNASKED = 32
"""Runs that nobody has named are indexed only up to this many: their counts serve the picker."""


class RunLibrary:
    """The runs of a logdir. Its methods answer at once; the work is the thread's."""

    def __init__(
        self,
        roots: list[Root],
        cache: IndexCache | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.roots = roots
        self._cache = cache
        self._clock = clock
        self._runs: dict[str, Run] = {}
        self._full_names: dict[str, str] = {}
        self._directories: list[SearchedDirectory] = []
        self._searched_once = False
        self._wanted: list[str] = []
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def searching(self) -> bool:
        """Whether the first search is still going on."""
        return not self._searched_once

    @property
    def directories(self) -> list[SearchedDirectory]:
        """What the last search looked into."""
        return list(self._directories)

    def runs(self) -> dict[str, Run]:
        """All runs found so far, by name."""
        with self._lock:
            return dict(sorted(self._runs.items()))

    def find(self, name: str) -> Run | None:
        """The run of that name (``<directory>#<run id>`` always works); it is loaded next."""
        with self._lock:
            known = name if name in self._runs else self._full_names.get(name)
            if known is None:
                return None
            if not self._wanted or self._wanted[0] != known:
                self._wanted = [known, *(n for n in self._wanted if n != known)]
            return self._runs[known]

    def wake(self) -> None:
        """Asks for everything to be brought up to date."""
        with self._lock:
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(
                    target=self._work, name="tb_debugger-loader", daemon=True
                )
                self._thread.start()
        self._wake.set()

    def close(self) -> None:
        """Ends the thread after the piece it is reading."""
        self._closing.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        last_search = last_refresh = -float("inf")
        while not self._closing.is_set():
            self._wake.wait()
            self._wake.clear()
            if self._closing.is_set():
                return
            try:
                if self._clock() - last_search >= SEARCH_SECONDS:
                    self._search()
                    last_search = self._clock()
                wait = REFRESH_SECONDS - (self._clock() - last_refresh)
                if wait > 0 and self._closing.wait(wait):
                    return
                self._refresh_all()
                last_refresh = self._clock()
            except Exception:  # The thread must outlive any surprise; the next request tries again.
                _log.exception("tb_debugger: reading the logdir failed; it is tried again")

    def _search(self) -> None:
        directories = []
        found: dict[str, FoundRun] = {}
        for directory in search(self.roots):
            if self._closing.is_set():
                return
            directories.append(directory)
            for run in directory.runs:
                found[run.name] = run
                self._add(run)
        with self._lock:
            for name in set(self._runs) - set(found):
                del self._runs[name]
            self._full_names = {run.full_name: run.name for run in found.values()}
        self._directories = directories
        self._searched_once = True

    def _add(self, found: FoundRun) -> None:
        with self._lock:
            run = self._runs.get(found.name)
            if run is None:
                self._runs[found.name] = Run(found.name, found.file_sets, self._cache)
                self._full_names[found.full_name] = found.name
                return
        run.set_file_sets(found.file_sets)

    def _refresh_all(self) -> None:
        """Refreshes every run once; one that is asked for in between goes first."""
        done: set[str] = set()
        while not self._closing.is_set():
            name = self._next(done)
            if name is None:
                return
            done.add(name)
            try:
                if not self._refresh(name, done):
                    done.discard(name)
            except Exception:  # Of this run only: the others are read all the same.
                _log.exception("tb_debugger: reading run %r failed; it is tried again", name)

    def _refresh(self, name: str, done: set[str]) -> bool:
        """Refreshes a run; the answer is false if it was left for another one."""
        run = self.runs().get(name)
        for _ in run.refresh_by_piece() if run else ():
            urgent = self._next(done)
            if self._closing.is_set() or (
                urgent is not None and self._is_wanted_before(urgent, name)
            ):
                return False
        return True

    def _next(self, done: set[str]) -> str | None:
        with self._lock:
            for name in self._wanted:
                if name in self._runs and name not in done:
                    return name
            for name in sorted(self._runs)[:MOST_RUNS_LOADED_UNASKED]:
                if name not in done:
                    return name
        return None

    def _is_wanted_before(self, name: str, other: str) -> bool:
        with self._lock:
            order = {wanted: place for place, wanted in enumerate(self._wanted)}
        last = len(order)
        return order.get(name, last) < order.get(other, last)
