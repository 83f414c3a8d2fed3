"""A file system on which anything may fail, for as long as it is told to."""

from __future__ import annotations

import errno
import io
import os
import random
from collections.abc import Iterator
from typing import Any, BinaryIO, cast

import pytest

from tb_debugger_plugin.files import choose
from tb_debugger_plugin.files.file_system import Entry, FileStatus
from tb_debugger_plugin.files.local import LocalFiles

ERRORS = (errno.EIO, errno.ESTALE, errno.EACCES, errno.ETIMEDOUT)


class FaultyFiles(LocalFiles):
    """Local files of which a part of what is asked, ``rate``, fails; then reads fall short, too.

    ``bad_from`` tells of paths from which offset on they cannot be read.
    """

    def __init__(self, seed: int = 1) -> None:
        self.rate = 0.0
        self.bad_from: dict[str, int] = {}
        self.num_faults = 0
        self._chance = random.Random(seed)

    def status(self, path: str) -> FileStatus:
        self.stumble(path)
        return super().status(path)

    def open(self, path: str) -> BinaryIO:
        self.stumble(path)
        return cast(BinaryIO, _FaultyFile(path, self))

    def entries(self, path: str) -> Iterator[Entry]:
        self.stumble(path)
        for entry in super().entries(path):
            self.stumble(path)
            yield entry

    def stumble(self, path: str) -> None:
        """Raises, now and then."""
        if self._chance.random() < self.rate:
            self.num_faults += 1
            code = self._chance.choice(ERRORS)
            raise OSError(code, os.strerror(code), path)

    def readable(self, path: str, offset: int, wanted: int) -> int:
        """How much of what is wanted a read gives, if it does not fail."""
        self.stumble(path)
        until_bad = self.bad_from.get(path, offset + wanted + 1) - offset
        if until_bad <= 0:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)
        wanted = min(wanted, until_bad)
        return self._chance.randint(1, wanted) if wanted and self.rate else wanted


class _FaultyFile(io.FileIO):
    def __init__(self, path: str, files: FaultyFiles) -> None:
        super().__init__(path)
        self._path = path
        self._files = files

    def readinto(self, space: Any) -> int:
        view = memoryview(space).cast("B")
        return super().readinto(view[: self._files.readable(self._path, self.tell(), len(view))])

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return super().read(size)
        return super().read(self._files.readable(self._path, self.tell(), size))


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> FaultyFiles:
    """What local paths are read from; nothing fails yet."""
    files = FaultyFiles()
    monkeypatch.setattr(choose, "LOCAL", files)
    return files
