"""Finds runs below a logdir, one directory at a time, within bounds.

A run is named as TensorBoard names runs: its directory relative to the logdir, "." for the logdir
itself; where one directory holds several run ids, "#<run id>" is appended. A file set without run
id is a run of its own; "#<seconds>.<host>" tells it apart.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.files.choose import file_system_of
from tb_debugger_plugin.index.file_sets import (
    FileSet,
    host_names,
    run_id,
    start_time,
    tensorflow_version,
)
from tb_debugger_plugin.runs.directories import Contents, Directories

MAX_DIRECTORIES = 20_000
MAX_DEPTH = 24

_URI = re.compile(r"[a-zA-Z][0-9a-zA-Z.]*://.*")


@dataclass(frozen=True)
class Root:
    """A directory to search; ``name`` prefixes its runs' names, "" for none."""

    name: str
    path: str


class Origin(NamedTuple):
    """What metadata and file names tell of a run; ``start_time`` in seconds since the epoch."""

    run_id: str
    start_time: float | None
    tensorflow_version: str | None
    hosts: tuple[str, ...]


@dataclass(frozen=True)
class FoundRun:
    """A run's name and file sets. ``full_name`` has the run id, be it needed or not."""

    name: str
    full_name: str
    file_sets: tuple[FileSet, ...]

    @cached_property
    def origin(self) -> Origin:
        """What wrote it."""
        return Origin(
            run_id=run_id(self.file_sets),
            start_time=start_time(self.file_sets),
            tensorflow_version=tensorflow_version(self.file_sets),
            hosts=tuple(host_names(self.file_sets)),
        )


@dataclass(frozen=True)
class SearchedDirectory:
    """A directory that was looked into; ``note`` says in words what was there.

    ``is_odd``: it cannot be read, or holds something of a debugger that is not read.
    """

    path: str
    runs: tuple[FoundRun, ...]
    note: str
    is_odd: bool = False


def parse_roots(logdir: str, logdir_spec: str) -> list[Root]:
    """Where TensorBoard was told to look, from its flags.

    >>> parse_roots("", "train:/data/a,/data/b")
    [Root(name='train', path='/data/a'), Root(name='/data/b', path='/data/b')]
    """
    if logdir:
        return [Root("", os.path.expanduser(logdir))]
    roots: list[Root] = []
    for entry in filter(None, logdir_spec.split(",")):
        name, path = entry, entry
        if ":" in entry and entry[0] != "/" and not _URI.match(entry):
            name, _, path = entry.partition(":")
        root = Root(name, os.path.expanduser(path))
        known = any(root.name == other.name for other in roots)
        roots.append(Root(root.path, root.path) if known else root)
    return roots


def search(
    roots: list[Root], directories: Directories | None = None
) -> Iterator[SearchedDirectory]:
    """Visits the roots and all directories below, shallow ones first, each once.

    Symbolic links are followed; a directory that was visited is not visited again, so that loops
    end.

    Args:
      roots: Where to begin.
      directories: What an earlier search has seen; only what has changed is read again.
    """
    directories = directories or Directories()
    seen: set[str] = set()
    names: set[str] = set()
    level = [(printable(root.name) or ".", root.path) for root in roots]
    visited: list[str] = []
    for _ in range(MAX_DEPTH):
        below: list[tuple[str, str]] = []
        for name, path in level:
            if len(visited) >= MAX_DIRECTORIES:
                note = f"not searched: {MAX_DIRECTORIES} directories were searched before it"
                yield SearchedDirectory(path, (), note, is_odd=True)
                directories.keep_only(visited)
                return
            visited.append(path)
            contents = directories.look(path)
            if contents.identity in seen:
                continue
            if contents.identity:
                seen.add(contents.identity)
            runs = tuple(_named_apart(run, names) for run in _runs_in(name, contents))
            is_odd = bool(contents.failure) or contents.others.is_odd
            yield SearchedDirectory(path, runs, _note(contents, len(runs)), is_odd)
            if contents.directories:
                join = file_system_of(path).join
                below += [(_join(name, d), join(path, d)) for d in contents.directories]
        level = below
    directories.keep_only(visited)


def _join(name: str, directory: str) -> str:
    directory = printable(directory)
    return directory if name == "." else f"{name}/{directory}"


def _runs_in(name: str, contents: Contents) -> list[FoundRun]:
    by_key: dict[str, list[FileSet]] = {}
    for file_set in contents.file_sets:
        by_key.setdefault(file_set.run_key, []).append(file_set)
    return [
        FoundRun(
            name=name if len(by_key) == 1 else f"{name}#{printable(key)}",
            full_name=f"{name}#{printable(key)}",
            file_sets=tuple(file_sets),
        )
        for key, file_sets in by_key.items()
    ]


def _named_apart(run: FoundRun, names: set[str]) -> FoundRun:
    """Numbers a run whose name another has: of two roots, or of a directory named with a "#"."""
    number, renamed = 1, run
    while {renamed.name, renamed.full_name} & names:
        number += 1
        suffix = f" ({number})"
        renamed = replace(run, name=run.name + suffix, full_name=run.full_name + suffix)
    names.update((renamed.name, renamed.full_name))
    return renamed


def _note(contents: Contents, num_runs: int) -> str:
    if contents.failure:
        return contents.failure
    odd = printable(contents.others.note)
    if num_runs:
        runs = f"{num_runs} run{'s' if num_runs > 1 else ''}"
        return f"{runs}; {odd}" if odd else runs
    return odd or f"no tfdbg_events.* files ({contents.others.counts})"
