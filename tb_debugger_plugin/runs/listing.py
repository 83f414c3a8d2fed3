"""Which runs there are below a logdir, kept up to date by a thread of its own.

Searching and reading do not wait for each other: a logdir of ten thousand directories takes seconds
to search, a long run takes longer to read.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tb_debugger_plugin.runs.directories import Directories
from tb_debugger_plugin.runs.search import FoundRun, Root, SearchedDirectory, search
from tb_debugger_plugin.runs.worker import Worker

SEARCH_SECONDS = 5.0
"""A search begins no sooner than this after the last one."""
HURRIED_SECONDS = 1.0
"""The same, where a directory is known to have changed."""
REST = 10.0
"""For each second that a search took, so many seconds pass before the next one; but no more than
``LONGEST_REST_SECONDS``, or than it took: the first search of all takes far longer than others."""
LONGEST_REST_SECONDS = 30.0


class RunListing:
    """The runs that were found. Its methods answer at once; the work is the thread's."""

    def __init__(self, roots: list[Root], clock: Callable[[], float] = time.monotonic) -> None:
        self.roots = roots
        self._clock = clock
        self._worker = Worker("search", self._search_if_due)
        self._lock = threading.Lock()
        self._runs: dict[str, FoundRun] = {}
        self._full_names: dict[str, str] = {}
        self._directories: list[SearchedDirectory] = []
        self._memory = Directories()
        self._searched_once = False
        self._is_hurried = False
        self._last_search = -float("inf")
        self._seconds_taken = 0.0

    @property
    def searching(self) -> bool:
        """Whether the first search is still going on."""
        return not self._searched_once

    @property
    def directories(self) -> list[SearchedDirectory]:
        """What the last search looked into."""
        return list(self._directories)

    def runs(self) -> dict[str, FoundRun]:
        """All runs found so far, by name, in the order of names."""
        with self._lock:
            return dict(sorted(self._runs.items()))

    @property
    def num_found(self) -> int:
        """How many runs were found so far."""
        return len(self._runs)

    def find(self, name: str) -> FoundRun | None:
        """The run of that name; one with its run id (``<directory>#<run id>``) always works."""
        with self._lock:
            return self._runs.get(name) or self._runs.get(self._full_names.get(name, ""))

    def wake(self) -> None:
        """Has the directories searched again, unless they were a moment ago."""
        self._worker.wake()

    def look_at(self, directory: str) -> None:
        """Has them searched sooner if this directory has changed."""
        if self._memory.has_changed(directory):
            self._is_hurried = True
            self._worker.wake()

    def close(self) -> None:
        """Ends the thread."""
        self._worker.close()

    def _search_if_due(self) -> None:
        is_hurried, self._is_hurried = self._is_hurried, False
        taken = self._seconds_taken
        rest = max(taken, min(REST * taken, LONGEST_REST_SECONDS))
        pause = max(rest, HURRIED_SECONDS if is_hurried else SEARCH_SECONDS)
        wait = self._last_search + pause - self._clock()
        # More than the pause: the clock went back.
        if pause >= wait > 0 and not is_hurried:
            return
        self._worker.rest(min(wait, pause))
        began = time.perf_counter()
        try:
            self._search()
        finally:
            self._seconds_taken = time.perf_counter() - began
            self._last_search = self._clock()
        self._searched_once = not self._worker.closing

    def _search(self) -> None:
        directories = []
        found: dict[str, FoundRun] = {}
        for directory in search(self.roots, self._memory):
            if self._worker.closing:
                return
            directories.append(directory)
            for seen in directory.runs:
                # One that is as it was stays the object that it was, with what is derived of it.
                known = self._runs.get(seen.name)
                run = known if known == seen else seen
                _ = run.origin  # So that the answer that lists them all need not look for it.
                found[run.name] = run
                with self._lock:
                    self._runs[run.name] = run
                    self._full_names[run.full_name] = run.name
        with self._lock:
            # By name, so that it is not sorted for each answer.
            self._runs = dict(sorted(found.items()))
            self._full_names = {run.full_name: run.name for run in found.values()}
        self._directories = directories
