"""Files behind a URL: ``s3://``, ``gs://``, ``hdfs://`` and whatever else fsspec has a package for.

Nothing is downloaded whole: each read is a request for a range. Listings are not remembered, since
a program may be writing. Objects of a store have no inode; one that has become shorter, or has
changed without growing, is taken for another one by whoever reads it.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, BinaryIO, TypeVar, cast

from tb_debugger_plugin.files.file_system import Entry, FileStatus

AnswerT = TypeVar("AnswerT")

_EXTRAS = {"s3": "s3", "s3a": "s3", "gs": "gcs", "gcs": "gcs", "hdfs": "hdfs"}
"""Extras of this project that bring what a scheme needs."""

_READ_AHEAD_BYTES = 1 << 16


class MissingPackage(OSError):
    """The package that reads URLs of a scheme is not installed; the message says which."""


class RemoteFiles:
    """URLs of one scheme."""

    piece_bytes = 1 << 23
    are_replaced_whole = True
    is_linked = False
    dates_directories = False

    def __init__(self, scheme: str) -> None:
        """Makes the connection.

        Raises:
          MissingPackage: Nothing that is installed reads such URLs.
          OSError: The connection cannot be made.
        """
        self._scheme = scheme
        self._files = _connect(scheme)

    def status(self, path: str) -> FileStatus:
        """The object's size, and its ETag or time as version."""
        found = self._fresh(lambda: self._files.info(path), path)
        modified = _modified(found)
        version = found.get("ETag") or found.get("etag") or found.get("generation") or modified
        return FileStatus(
            identity=self._scheme,
            version=str(version),
            size=int(found.get("size") or 0),
            modified=modified,
        )

    def open(self, path: str) -> BinaryIO:
        """A file whose reads are requests for ranges."""
        size = self.status(path).size
        raw = _RangeFile(lambda begin, end: self._range(path, begin, end), size)
        return cast(BinaryIO, raw)

    def entries(self, path: str) -> Iterator[Entry]:
        """One listing."""
        found = self._fresh(lambda: self._files.ls(path, detail=True), path)
        own = path.split("://", 1)[-1].strip("/")
        for entry in found:
            whole = str(entry["name"]).split("://", 1)[-1].strip("/")
            if whole != own:
                kind = entry.get("type")
                yield Entry(whole.rpartition("/")[2], kind == "directory", kind == "file")

    def join(self, directory: str, name: str) -> str:
        """With a slash."""
        return f"{directory.rstrip('/')}/{name}"

    def _fresh(self, ask: Callable[[], AnswerT], path: str) -> AnswerT:
        def answer() -> AnswerT:
            self._files.invalidate_cache()
            return ask()

        return _answer(answer, path)

    def _range(self, path: str, begin: int, end: int) -> bytes:
        content: bytes = _answer(lambda: self._files.cat_file(path, start=begin, end=end), path)
        return content


class _RangeFile(io.RawIOBase):
    """A file of known size of which a function reads ranges.

    A read of a few bytes fetches some more, so that a small record is one request.
    """

    def __init__(self, read: Callable[[int, int], bytes], size: int) -> None:
        super().__init__()
        self._read = read
        self._size = size
        self._place = 0
        self._kept_from = 0
        self._kept = b""

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._size}[whence]
        self._place = max(0, base + offset)
        return self._place

    def tell(self) -> int:
        return self._place

    def readinto(self, space: Any) -> int:
        view = memoryview(space).cast("B")
        end = min(self._place + len(view), self._size)
        if end <= self._place:
            return 0
        if not (self._kept_from <= self._place and end <= self._kept_from + len(self._kept)):
            fetched_end = min(max(end, self._place + _READ_AHEAD_BYTES), self._size)
            self._kept = self._read(self._place, fetched_end)
            self._kept_from = self._place
        begin = self._place - self._kept_from
        content = self._kept[begin : begin + end - self._place]
        view[: len(content)] = content
        self._place += len(content)
        return len(content)


def _connect(scheme: str) -> Any:
    needed = f"tb-debugger-plugin[{_EXTRAS.get(scheme, 'remote')}]"
    try:
        import fsspec
    except ImportError:
        raise MissingPackage(
            f"reading {scheme}:// needs the package fsspec: pip install '{needed}'"
        ) from None
    try:
        return fsspec.filesystem(scheme, use_listings_cache=False)
    except ImportError as error:
        raise MissingPackage(
            f"reading {scheme}:// needs one more package ({error}): pip install '{needed}'"
        ) from None
    except ValueError:
        raise MissingPackage(f"fsspec does not know {scheme}:// URLs") from None
    except Exception as error:
        raise OSError(f"no connection to {scheme}://: {error}") from error


def _answer(ask: Callable[[], AnswerT], path: str) -> AnswerT:
    """Packages raise what they like: whatever it is, the reader of a file gets an ``OSError``."""
    try:
        return ask()
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {error} ({path})") from error


def _modified(found: dict[str, Any]) -> float:
    for key in ("LastModified", "mtime", "updated", "last_modified", "modified", "created"):
        value = found.get(key)
        if isinstance(value, datetime):
            return value.timestamp()
        if isinstance(value, int | float):
            return float(value)
        if isinstance(value, str):
            with contextlib.suppress(ValueError):
                return datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp()
    return 0.0
