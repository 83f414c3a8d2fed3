"""Opening a run from Python."""

from __future__ import annotations

import os

from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import FoundRun, Root, SearchedDirectory, search

MOST_NAMED = 10
"""An error names no more runs than this: there may be thousands."""


class NoSuchRun(LookupError):
    """There is no run of that name; the message names those that there are, or says why none is."""


class SeveralRuns(NoSuchRun):
    """There are several runs, and none is named; ``found`` says which, without what to do."""

    def __init__(self, found: str) -> None:
        super().__init__(f"{found}; name one with run=")
        self.found = found


def open_run(path: str | os.PathLike[str], *, run: str | None = None, cache: bool = True) -> Run:
    """Opens a tfdbg run and indexes all of it.

    Args:
      path: A directory that holds a run, itself or below.
      run: Which run, named as on the page ("." for the directory itself, ``sub/dir``,
        ``sub/dir#<run id>``). Needed where there are several.
      cache: Whether an index in the user's cache folder may be used, and is written there.

    Raises:
      NoSuchRun: No run is there, be it that the path does not exist or a package that reads such
        URLs is not installed; or none of that name; or there are several and none is named.
    """
    searched = list(search([Root("", os.fspath(path))]))
    chosen = _choose(os.fspath(path), searched, run)
    opened = Run(chosen.name, chosen.file_sets, IndexCache.of_user() if cache else None)
    opened.refresh()
    return opened


def _choose(path: str, searched: list[SearchedDirectory], name: str | None) -> FoundRun:
    found = [run for directory in searched for run in directory.runs]
    if not found:
        raise NoSuchRun(f"no tfdbg run at or below {path!r}: {_why_none(searched)}")
    for candidate in found:
        if name in (candidate.name, candidate.full_name):
            return candidate
    if name is not None:
        raise NoSuchRun(f"no run {name!r} at or below {path!r}; there are: {_names(found)}")
    if len(found) > 1:
        raise SeveralRuns(f"several runs at or below {path!r}: {_names(found)}")
    return found[0]


def _why_none(searched: list[SearchedDirectory]) -> str:
    odd = next((directory for directory in searched if directory.is_odd), None)
    if odd is None:
        return (
            "expected files named tfdbg_events.*; "
            "was enable_dump_debug_info() called with this directory?"
        )
    return odd.note if odd is searched[0] else f"{odd.path!r}: {odd.note}"


def _names(found: list[FoundRun]) -> str:
    names = ", ".join(repr(run.name) for run in found[:MOST_NAMED])
    return names if len(found) <= MOST_NAMED else f"{names} and {len(found) - MOST_NAMED:,} more"
