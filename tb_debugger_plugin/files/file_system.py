"""What the rest of the plugin asks of a place that holds files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Protocol


@dataclass(frozen=True)
class FileStatus:
    """A file or directory at one moment.

    ``identity`` is another one when something else has taken the path. ``version`` changes with the
    contents, be it that they grow. ``modified`` is in seconds since the epoch, 0 where unknown.
    """

    identity: str
    version: str
    size: int
    modified: float


@dataclass(frozen=True)
class Entry:
    """Something in a directory. Neither a directory nor a file: a pipe, a broken link."""

    name: str
    is_directory: bool
    is_file: bool


class FileSystem(Protocol):
    """Files by path. Every method raises ``OSError`` when it cannot answer, and nothing else."""

    piece_bytes: int
    """How much to read at once: what one request is worth."""
    are_replaced_whole: bool
    """Whether a file that changes is another one. Where files grow in place, one may be seen with a
    new time and its old size."""
    is_linked: bool
    """Whether one directory may be found under several paths."""
    dates_directories: bool
    """Whether the status of a directory changes when something in it comes or goes."""

    def status(self, path: str) -> FileStatus:
        """What is at a path; follows links."""

    def open(self, path: str) -> BinaryIO:
        """A file to seek and read in. A read may fall short; it is empty at the end only."""

    def entries(self, path: str) -> Iterator[Entry]:
        """What is in a directory, in any order."""

    def join(self, directory: str, name: str) -> str:
        """The path of an entry."""
