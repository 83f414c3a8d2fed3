"""Opening a run from Python."""

from __future__ import annotations

import os

from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import FoundRun, Root, search


class NoSuchRun(LookupError):
    """There is no run of that name; the message lists those that there are."""


def open_run(path: str | os.PathLike[str], *, run: str | None = None, cache: bool = True) -> Run:
    """Opens a tfdbg run and indexes all of it.

    Args:
      path: A directory that holds a run, itself or below.
      run: Which run, named as on the page ("." for the directory itself, ``sub/dir``,
        ``sub/dir#<run id>``). Needed where there are several.
      cache: Whether an index in the user's cache folder may be used, and is written there.

    Raises:
      NoSuchRun: No run is there, or none of that name, or there are several and none is named.
    """
    found = [r for d in search([Root("", os.fspath(path))]) for r in d.runs]
    chosen = _choose(os.fspath(path), found, run)
    opened = Run(chosen.name, chosen.file_sets, IndexCache.of_user() if cache else None)
    opened.refresh()
    return opened


def _choose(path: str, found: list[FoundRun], name: str | None) -> FoundRun:
    if not found:
        raise NoSuchRun(
            f"no tfdbg run at or below {path!r}: expected files named tfdbg_events.*; "
            "was enable_dump_debug_info() called with this directory?"
        )
    names = ", ".join(repr(r.name) for r in found)
    if name is None:
        if len(found) > 1:
            raise NoSuchRun(f"several runs at or below {path!r}; name one with run=: {names}")
        return found[0]
    for candidate in found:
        if name in (candidate.name, candidate.full_name):
            return candidate
    raise NoSuchRun(f"no run {name!r} at or below {path!r}; there are: {names}")
