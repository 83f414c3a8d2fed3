"""Indexes kept on disk, so that a large run that was read before is there at once.

One file a run: a head that tells what follows, then the columns as they lie in memory. It is used
only if nothing speaks against it: made by this version, whole to the last bit (CRC32C), of the same
files (device, inode, size, time of change, their first and last bytes). A file that has only grown
is read on. Anything else is as if there were no index, and a new one takes its place.

Nothing here is ever an error for the reader of a run: a full disk costs the next start a second.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import stat
import struct
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.metadata import version
from io import BufferedReader
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import platformdirs

from tb_debugger_plugin.events.decoders import DECODERS
from tb_debugger_plugin.index.file_sets import FileSet
from tb_debugger_plugin.index.file_tail import FileReplaced
from tb_debugger_plugin.index.run_index import RunIndex
from tb_debugger_plugin.index.state import Arrays, BadState, IndexState, StoredColumns

_log = logging.getLogger(__name__)

FOLDER_VARIABLE = "TB_DEBUGGER_CACHE"
"""An environment variable: a folder to keep indexes in, by its absolute path, or "off"."""
_OFF = ("off", "0", "no", "false")

SMALLEST_RUN = 16 << 20
"""Bytes: an index of less is made anew as fast as it is read."""
MOST_BYTES = 4 << 30
"""Bytes that all indexes take on disk; those that were not used for longest go."""
_GROWTH = 1.25
"""A run that grows is stored again when it has grown by this factor."""

_MAGIC = b"tbdebug1"
_HEAD = struct.Struct("<8sIQ")
_MOST_HEAD_BYTES = 1 << 30
_DTYPES = ("int8", "int16", "int32", "int64", "uint8", "float64")


class _Column(msgspec.Struct, frozen=True, array_like=True):
    table: str
    name: str
    dtype: str
    length: int
    crc: int


class _Stored(msgspec.Struct, frozen=True):
    format: str
    state: IndexState
    columns: list[_Column]


@lru_cache
def _format() -> str:
    """Changes with the plugin's version and with what is stored."""
    schema = msgspec.json.encode(msgspec.json.schema(_Stored))
    return f"{version('tb-debugger-plugin')} {hashlib.sha256(schema).hexdigest()[:16]}"


class IndexCache:
    """A folder of indexes."""

    def __init__(self, folder: Path, *, smallest_run: int = SMALLEST_RUN) -> None:
        self.folder = folder
        self._smallest_run = smallest_run
        self._warned = False

    @staticmethod
    def of_user() -> IndexCache | None:
        """The user's folder, or the one that ``TB_DEBUGGER_CACHE`` names.

        ``None`` for "off" or the like, and for a relative path, which would name a folder wherever
        the program happens to run.
        """
        named = os.environ.get(FOLDER_VARIABLE, "").strip()
        if named.lower() in _OFF:
            return None
        if named and not os.path.isabs(named):
            _warn_of_relative(named)
            return None
        return IndexCache(Path(named or platformdirs.user_cache_dir("tb-debugger-plugin", False)))

    def load(self, file_sets: Sequence[FileSet]) -> RunIndex | None:
        """The index of these files as it was stored; ``None`` if there is none that holds."""
        path = self._path(file_sets)
        try:
            self._check_folder()
            with path.open("rb") as file:
                state, columns = _read(file)
            index = RunIndex(file_sets, state, columns)
            os.utime(path)
        except FileNotFoundError:
            return None
        except (OSError, BadState, FileReplaced, msgspec.DecodeError, MemoryError) as error:
            _log.info("tb_debugger: a stored index is not used: %s", error)
            return None
        return index

    def store(self, index: RunIndex) -> None:
        """Keeps an index that is read to the end, if it is worth it."""
        if not index.is_at_end:
            return
        num_bytes = sum(progress.bytes_read for progress in index.snapshot.progress)
        if num_bytes < max(self._smallest_run, index.num_bytes_stored * _GROWTH):
            return
        # Whatever comes of it: a folder that cannot be written to is not tried at every refresh.
        index.num_bytes_stored = num_bytes
        try:
            path = self._path(index.file_sets)
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._check_folder()
            self._write(path, *index.stored())
            self._forget_oldest(path)
        except (OSError, ValueError) as error:
            if not self._warned:
                self._warned = True
                _log.warning(
                    "tb_debugger: no index is kept in %s (%s); large runs are read anew each "
                    "time. %s names another folder, or is 'off'.",
                    self.folder,
                    error,
                    FOLDER_VARIABLE,
                )

    def _path(self, file_sets: Sequence[FileSet]) -> Path:
        key = hashlib.sha256()
        for file_set in file_sets:
            key.update(os.fsencode(_absolute(file_set.prefix)) + b"\0")
            key.update(repr(file_set.metadata).encode(errors="surrogateescape") + b"\0")
        return self.folder / f"{key.hexdigest()}.index"

    def _check_folder(self) -> None:
        status = self.folder.stat()
        if hasattr(os, "getuid") and (
            status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        ):
            raise PermissionError("others may write to it")

    def _write(self, path: Path, state: IndexState, columns: StoredColumns) -> None:
        arrays = list(_arrays(columns))
        described = [
            _Column(table, name, str(rows.dtype), len(rows), DECODERS.crc32c(_bytes(rows)))
            for table, name, rows in arrays
        ]
        head = msgspec.msgpack.encode(_Stored(_format(), state, described))
        handle, temporary = tempfile.mkstemp(suffix=".part", dir=self.folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_HEAD.pack(_MAGIC, DECODERS.crc32c(head), len(head)))
                file.write(head)
                for _, _, rows in arrays:
                    file.write(_bytes(rows))
            os.replace(temporary, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise

    def _forget_oldest(self, kept: Path) -> None:
        files = [(file.stat(), file) for file in self.folder.iterdir() if _is_ours(file)]
        total = sum(status.st_size for status, _ in files)
        for status, file in sorted(files, key=lambda entry: entry[0].st_mtime):
            if total <= MOST_BYTES:
                return
            if file != kept:
                file.unlink(missing_ok=True)
                total -= status.st_size


@lru_cache
def _warn_of_relative(named: str) -> None:
    """Once for each."""
    _log.warning(
        "tb_debugger: %s=%s is neither the absolute path of a folder nor 'off'; no index is kept, "
        "and large runs are read anew each time.",
        FOLDER_VARIABLE,
        named,
    )


def _absolute(path: str) -> str:
    return path if "://" in path else os.path.abspath(path)


def _is_ours(file: Path) -> bool:
    return file.suffix in (".index", ".part")


def _arrays(columns: StoredColumns) -> Iterator[tuple[str, str, npt.NDArray[Any]]]:
    for table in ("executions", "traces", "ops"):
        arrays: Arrays = getattr(columns, table)
        for name, rows in arrays.items():
            yield table, name, rows


def _bytes(rows: npt.NDArray[Any]) -> memoryview:
    return rows.view(np.uint8).data


def _read(file: BufferedReader) -> tuple[IndexState, StoredColumns]:
    size = os.fstat(file.fileno()).st_size
    magic, crc, num_head_bytes = _HEAD.unpack(_exactly(_HEAD.size, file.read))
    if magic != _MAGIC or num_head_bytes > min(size, _MOST_HEAD_BYTES):
        raise BadState("it is no index")
    head = _exactly(num_head_bytes, file.read)
    if DECODERS.crc32c(head) != crc:
        raise BadState("its head is damaged")
    stored = msgspec.msgpack.decode(head, type=_Stored)
    if stored.format != _format():
        raise BadState("another version made it")
    tables: dict[str, dict[str, npt.NDArray[Any]]] = {"executions": {}, "traces": {}, "ops": {}}
    for column in stored.columns:
        is_column = column.dtype in _DTYPES and column.table in tables
        if not is_column or not 0 <= column.length <= size:
            raise BadState(f"{column.name} is no column")
        rows = np.empty(column.length, dtype=column.dtype)
        if (
            file.readinto(_bytes(rows)) != rows.nbytes
            or DECODERS.crc32c(_bytes(rows)) != column.crc
        ):
            raise BadState(f"column {column.name} is damaged")
        tables[column.table][column.name] = rows
    return stored.state, StoredColumns(**tables)


def _exactly(num_bytes: int, read: Callable[[int], bytes]) -> bytes:
    answer = read(num_bytes)
    if len(answer) != num_bytes:
        raise BadState("it is cut short")
    return answer
