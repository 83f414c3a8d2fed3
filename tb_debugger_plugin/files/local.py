"""Files of this machine."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from typing import BinaryIO, cast

from tb_debugger_plugin.files.file_system import Entry, FileStatus

PIECE_BYTES = 1 << 20


class LocalFiles:
    """Paths as the operating system knows them."""

    piece_bytes = PIECE_BYTES
    are_replaced_whole = False
    is_linked = True
    dates_directories = True

    def status(self, path: str) -> FileStatus:
        """``stat``; device and inode are the identity."""
        status = os.stat(path)
        return FileStatus(
            identity=f"{status.st_dev}:{status.st_ino}",
            version=str(status.st_mtime_ns),
            size=status.st_size,
            modified=status.st_mtime,
        )

    def open(self, path: str) -> BinaryIO:
        """Not buffered: whoever reads has a buffer of their own. Files only: a pipe would wait."""
        return cast(BinaryIO, open(path, "rb", buffering=0, opener=_open_file))

    def entries(self, path: str) -> Iterator[Entry]:
        """``scandir``; links count as what they lead to."""
        with os.scandir(path) as entries:
            for entry in entries:
                is_directory = _is(entry.is_dir)
                yield Entry(entry.name, is_directory, not is_directory and _is(entry.is_file))

    def join(self, directory: str, name: str) -> str:
        """``os.path.join``."""
        return os.path.join(directory, name)


def _open_file(path: str, flags: int) -> int:
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise OSError(errno.EINVAL, "Not a file", path)


def _is(kind: Callable[[], bool]) -> bool:
    try:
        return kind()
    except OSError:
        return False
