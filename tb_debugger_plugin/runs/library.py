"""The runs below a logdir: a list of all, and in memory those that were asked for.

The work is done by threads that sleep until a request wakes them, bring everything up to date once,
and sleep again. A page that polls therefore keeps its runs fresh, and a page that is hidden or
closed costs nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.runs.listing import RunListing
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import FoundRun, Root, SearchedDirectory
from tb_debugger_plugin.runs.worker import Worker

_log = logging.getLogger(__name__)

REFRESH_SECONDS = 1.0
"""A run's files are looked at again no sooner than this."""

MOST_BYTES_KEPT = 1 << 30
"""About as much memory runs take together; those not asked for longest go first."""
MOST_RUNS_KEPT = 64
LEAST_RUNS_KEPT = 2
"""So many stay, whatever they take: two pages, or one that compares, would read in turns."""


class RunLibrary:
    """The runs of a logdir. Its methods answer at once; the work is the threads'."""

    def __init__(
        self,
        roots: list[Root],
        cache: IndexCache | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.roots = roots
        self._cache = cache
        self._clock = clock
        self._listing = RunListing(roots, clock)
        self._reader = Worker("reading of runs", self._refresh_all)
        self._lock = threading.Lock()
        self._runs: OrderedDict[str, Run] = OrderedDict()  # The last one was asked for last.
        self._last_refresh = -float("inf")

    @property
    def searching(self) -> bool:
        """Whether the first search is still going on."""
        return self._listing.searching

    @property
    def directories(self) -> list[SearchedDirectory]:
        """What the last search looked into."""
        return self._listing.directories

    @property
    def num_found(self) -> int:
        """How many runs were found so far."""
        return self._listing.num_found

    def found(self) -> dict[str, FoundRun]:
        """All runs found so far, by name, in the order of names."""
        return self._listing.runs()

    def runs(self) -> dict[str, Run]:
        """Those in memory: asked for not long ago, and read by now or next."""
        with self._lock:
            return dict(self._runs)

    def find(self, name: str) -> Run | None:
        """The run of that name (``<directory>#<run id>`` always works); it is read next."""
        found = self._listing.find(name)
        if found is None:
            return None
        with self._lock:
            if found.name not in self._runs:
                self._runs[found.name] = Run(found.name, found.file_sets, self._cache)
            self._runs.move_to_end(found.name)
            return self._runs[found.name]

    def wake(self) -> None:
        """Asks for everything to be brought up to date."""
        self._listing.wake()
        self._reader.wake()

    def close(self) -> None:
        """Ends the threads after the piece and the directory that they are at."""
        self._reader.close()
        self._listing.close()

    def _refresh_all(self) -> None:
        """Refreshes every run once; one that is asked for in between goes first."""
        wait = self._last_refresh + REFRESH_SECONDS - self._clock()
        self._reader.rest(min(wait, REFRESH_SECONDS))  # More, if the clock went back.
        done: set[str] = set()
        while not self._reader.closing and (name := self._next(done)) is not None:
            done.add(name)
            try:
                if not self._refresh(name, done):
                    done.discard(name)
            except Exception:  # Of this run only: the others are read all the same.
                _log.exception("tb_debugger: reading run %r failed; it is tried again", name)
            self._forget_some()
        self._last_refresh = self._clock()

    def _next(self, done: set[str]) -> str | None:
        with self._lock:
            return next((name for name in reversed(self._runs) if name not in done), None)

    def _refresh(self, name: str, done: set[str]) -> bool:
        """Refreshes a run; the answer is false if it was left for another one."""
        run, found = self.runs().get(name), self._listing.find(name)
        if run is None or found is None:
            self._forget(name)
            return True
        run.set_file_sets(found.file_sets)
        for directory in {file_set.directory for file_set in found.file_sets}:
            self._listing.look_at(directory)
        for _ in run.refresh_by_piece():
            if self._reader.closing or self._next(done - {name}) != name:
                return False
        return True

    def _forget_some(self) -> None:
        """Keeps memory within bounds."""
        num_bytes = 0
        for num_kept, (name, run) in enumerate(reversed(self.runs().items()), 1):
            num_bytes += run.num_bytes
            if num_kept > MOST_RUNS_KEPT or (
                num_kept > LEAST_RUNS_KEPT and num_bytes > MOST_BYTES_KEPT
            ):
                self._forget(name)

    def _forget(self, name: str) -> None:
        with self._lock:
            run = self._runs.pop(name, None)
        if run is not None:
            run.close()
