"""What directories hold of file sets and sub-directories; listed again where something has changed.

A logdir of thousands of directories is looked at every few seconds, and hardly ever has one of them
changed. A directory's own time tells of what came and went, and the state of the metadata files in
it whether they are those that were read. What neither tells is looked at anew each time: links that
lead nowhere yet, metadata that could not be read, a directory that changed so recently that its
time may not move at the next change. No listing is trusted for longer than a minute.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tb_debugger_plugin.events.batches import MetadataRecord
from tb_debugger_plugin.files.choose import file_system_of
from tb_debugger_plugin.files.file_system import FileStatus
from tb_debugger_plugin.index.file_sets import (
    FileSet,
    find_file_sets,
    read_metadata,
    split_file_name,
)
from tb_debugger_plugin.runs.other_files import OtherFiles

TRUSTED_SECONDS = 60.0
"""How long a listing may hold."""
_TICK_SECONDS = 2.0
"""The coarsest clock by which a file system dates directories."""


@dataclass(frozen=True)
class Contents:
    """What a directory holds, or held when it could be read.

    ``identity`` is the same by whatever path a directory is found; "" where there is one path only.
    ``failure`` says why it cannot be read.
    """

    identity: str = ""
    file_sets: tuple[FileSet, ...] = ()
    directories: tuple[str, ...] = ()
    others: OtherFiles = field(default_factory=OtherFiles)
    failure: str = ""


@dataclass
class _Listing:
    """A directory's contents with what they were read from, ``at`` seconds since the epoch."""

    status: FileStatus | None
    at: float
    contents: Contents = field(default_factory=Contents)
    metadata: dict[str, tuple[FileStatus, MetadataRecord]] = field(default_factory=dict)
    is_telling: bool = True


class Directories:
    """Looks into directories, and remembers."""

    def __init__(self) -> None:
        self._listings: dict[str, _Listing] = {}

    def look(self, path: str) -> Contents:
        """What a directory holds now."""
        known = self._listings.get(path)
        try:
            if known and self._holds(known, path):
                return known.contents
            listing = _list(path, known)
        except FileNotFoundError:
            self._listings.pop(path, None)
            return Contents(failure="does not exist")
        except (OSError, ValueError) as error:  # ValueError: no path can be like that.
            reason = getattr(error, "strerror", None) or error
            # What is known of it may be there all the same: a file server that is gone comes back.
            contents = known.contents if known else Contents()
            return replace(contents, failure=f"cannot be read: {reason}")
        self._listings[path] = listing
        return listing.contents

    def has_changed(self, path: str) -> bool:
        """Whether a directory is known to have changed since it was listed."""
        known = self._listings.get(path)
        if known is None or known.status is None:
            return known is None
        try:
            return not self._is_as_listed(known, path)
        except (OSError, ValueError):
            return True

    def keep_only(self, paths: Iterable[str]) -> None:
        """Forgets all other directories."""
        listings = self._listings
        self._listings = {path: listings[path] for path in paths if path in listings}

    def _holds(self, known: _Listing, path: str) -> bool:
        is_recent = 0 <= time.time() - known.at < TRUSTED_SECONDS
        return known.is_telling and is_recent and self._is_as_listed(known, path)

    @staticmethod
    def _is_as_listed(known: _Listing, path: str) -> bool:
        place = file_system_of(path)
        return place.status(path) == known.status and all(
            place.status(file) == status for file, (status, _) in known.metadata.items()
        )


def _list(path: str, known: _Listing | None) -> _Listing:
    place = file_system_of(path)
    # Before the contents: what is added meanwhile changes it once more.
    status = place.status(path) if place.dates_directories else None
    listing = _Listing(status, time.time())
    names: list[str] = []
    directories: list[str] = []
    others = OtherFiles()
    for entry in place.entries(path):
        if entry.is_directory:
            directories.append(entry.name)
            others.add_directory(entry.name)
        elif not entry.is_file:
            listing.is_telling = False
        elif split_file_name(entry.name):
            names.append(entry.name)
        else:
            others.add_file(entry.name)

    def read(file: str) -> MetadataRecord | None:
        before = known.metadata.get(file) if known else None
        try:
            now = place.status(file)
            record = before[1] if before and before[0] == now else read_metadata(file)
            if record:
                listing.metadata[file] = (now, record)
        except OSError:
            listing.is_telling = False
            # Without it the run would have another name.
            record = before[1] if before else None
            if before:
                listing.metadata[file] = before
        listing.is_telling &= record is not None
        return record

    file_sets = find_file_sets(path, names, read)
    # A host that joins makes empty files first: they are no run of their own among others.
    begun = [file_set for file_set in file_sets if file_set.metadata or not _is_empty(file_set)]
    listing.is_telling &= len(begun) == len(file_sets)
    listing.contents = Contents(
        identity=status.identity if status else "",
        file_sets=tuple(begun or file_sets),
        directories=tuple(sorted(directories)),
        others=others,
    )
    listing.is_telling &= status is not None and listing.at - status.modified > _TICK_SECONDS
    return listing


def _is_empty(file_set: FileSet) -> bool:
    place = file_system_of(file_set.directory)
    try:
        return not any(place.status(file_set.path(kind)).size for kind in file_set.kinds)
    except OSError:
        return False
