"""Finds runs below a logdir, one directory at a time, within bounds.

A run is named as TensorBoard names runs: its directory relative to the logdir, "." for the logdir
itself; where one directory holds several run ids, "#<run id>" is appended.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tb_debugger_plugin.files.choose import file_system_of
from tb_debugger_plugin.index.file_sets import FileSet, find_file_sets, split_file_name

MAX_DIRECTORIES = 20_000
MAX_DEPTH = 24

_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_URI = re.compile(r"[a-zA-Z][0-9a-zA-Z.]*://.*")


@dataclass(frozen=True)
class Root:
    """A directory to search; ``name`` prefixes its runs' names, "" for none."""

    name: str
    path: str


@dataclass(frozen=True)
class FoundRun:
    """A run's name and file sets. ``full_name`` is ``<directory name>#<run id>``."""

    name: str
    full_name: str
    file_sets: tuple[FileSet, ...]


@dataclass(frozen=True)
class SearchedDirectory:
    """A directory that was looked into; ``note`` says in words what was there."""

    path: str
    runs: tuple[FoundRun, ...]
    note: str


def printable(text: str) -> str:
    r"""A file name as text that can be sent and typed: bytes that are not UTF-8 as ``\xe4``."""
    return _NOT_UTF8.sub(lambda found: rf"\x{ord(found[0]) & 0xFF:02x}", text)


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


def search(roots: list[Root]) -> Iterator[SearchedDirectory]:
    """Visits the roots and all directories below, shallow ones first, each once.

    Symbolic links are followed; a directory that was visited is not visited again, so that loops
    end.
    """
    seen: set[str] = set()
    names: set[str] = set()
    level = [(printable(root.name) or ".", root.path) for root in roots]
    visited = 0
    for _ in range(MAX_DEPTH):
        below: list[tuple[str, str]] = []
        for name, path in level:
            if visited >= MAX_DIRECTORIES:
                yield SearchedDirectory(
                    path, (), f"not searched: {MAX_DIRECTORIES} directories were searched before it"
                )
                return
            visited += 1
            result = _look_into(name, path, seen)
            if result is not None:
                found, directories = result
                yield replace(found, runs=tuple(_named_apart(run, names) for run in found.runs))
                below += [(_join(name, d), file_system_of(path).join(path, d)) for d in directories]
        level = below
        if not level:
            return


def _join(name: str, directory: str) -> str:
    directory = printable(directory)
    return directory if name == "." else f"{name}/{directory}"


def _look_into(name: str, path: str, seen: set[str]) -> tuple[SearchedDirectory, list[str]] | None:
    """What a directory holds, and its sub-directories by name; ``None`` if it was seen before."""
    try:
        place = file_system_of(path)
        if place.is_linked:
            identity = place.status(path).identity
            if identity in seen:
                return None
            seen.add(identity)
        files: list[str] = []
        directories: list[str] = []
        for entry in place.entries(path):
            if entry.is_directory:
                directories.append(entry.name)
            elif entry.is_file:  # Opening a pipe would wait for its other end.
                files.append(entry.name)
    except FileNotFoundError:
        return SearchedDirectory(path, (), "does not exist"), []
    except (OSError, ValueError) as error:  # ValueError: no path can be like that.
        reason = getattr(error, "strerror", None) or error
        return SearchedDirectory(path, (), f"cannot be read: {reason}"), []
    runs = _runs_in(name, path, files)
    return SearchedDirectory(path, tuple(runs), _note(runs, files)), sorted(directories)


def _runs_in(name: str, path: str, files: list[str]) -> list[FoundRun]:
    by_id: dict[str, list[FileSet]] = {}
    for file_set in find_file_sets(path, files):
        by_id.setdefault(file_set.run_id, []).append(file_set)
    return [
        FoundRun(
            name=name if len(by_id) == 1 else f"{name}#{run_id}",
            full_name=f"{name}#{run_id}",
            file_sets=tuple(file_sets),
        )
        for run_id, file_sets in by_id.items()
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


def _note(runs: list[FoundRun], files: list[str]) -> str:
    if runs:
        return f"{len(runs)} run{'s' if len(runs) > 1 else ''}"
    tfdbg = [name for name in files if split_file_name(name)]
    if tfdbg:
        return f"{len(tfdbg)} tfdbg files, none of them readable"
    others = f"{len(files)} other file{'' if len(files) == 1 else 's'}" if files else "no files"
    return f"no tfdbg_events.* files ({others})"
