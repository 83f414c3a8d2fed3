"""Reads one file from where it was left, piece by piece, into a decoder."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from io import RawIOBase
from typing import Generic, TypeVar

from tb_debugger_plugin.events.decoders import Decoder
from tb_debugger_plugin.events.framing import expected_frame_bytes
from tb_debugger_plugin.events.reference import Fed

BatchT = TypeVar("BatchT")

PIECE_BYTES = 1 << 21


class FileReplaced(Exception):
    """The file is another one than before, or has shrunk: what was read of it no longer holds."""


class FileTail(Generic[BatchT]):
    """A file that may grow. Holds no open handle between reads.

    ``offset`` is the end of what was decoded, ``size`` what the file measured when it was last
    looked at, ``modified`` when it was last written to, in seconds since the epoch. ``ahead`` is
    how many times as much as the last piece is still to be read; 0 after a small piece.
    """

    def __init__(self, path: str, decoder: Decoder[BatchT]) -> None:
        self.path = path
        self.decoder = decoder
        self.offset = 0
        self.size = 0
        self.modified = 0.0
        self.ahead = 0.0
        self._identity: tuple[int, int] | None = None
        self._at_end = True

    def read_new(self) -> Iterator[Fed[BatchT]]:
        """Decodes what was appended since the last call, a piece at a time.

        Raises:
          FileReplaced: See there.
          OSError: The file cannot be opened or read.

        """
        status = os.stat(self.path)
        identity = (status.st_dev, status.st_ino)
        if self._identity not in (None, identity) or status.st_size < self.size:
            raise FileReplaced(self.path)
        self._identity = identity
        self.modified = status.st_mtime
        if status.st_size == self.size and self._at_end:
            return
        self.size = status.st_size
        self._at_end = False
        with open(self.path, "rb", buffering=0) as file:
            buffer = _Buffer(min(PIECE_BYTES, status.st_size - self.offset))
            wanted = PIECE_BYTES
            while self.offset < status.st_size:
                wanted = min(wanted, status.st_size - self.offset)
                piece = buffer.read(file, self.offset, wanted)
                if not piece:
                    break
                fed = self.decoder.feed(piece)
                self.offset += fed.consumed
                if fed.consumed:
                    is_typical = fed.consumed >= PIECE_BYTES // 2
                    self.ahead = (status.st_size - self.offset) / fed.consumed if is_typical else 0
                    yield fed
                    wanted = PIECE_BYTES
                elif len(piece) == status.st_size - self.offset:
                    break
                else:
                    frame = expected_frame_bytes(piece) or 0
                    if frame > status.st_size - self.offset:
                        break
                    wanted = max(frame, 2 * len(piece))
        self._at_end = True

    @property
    def unread_bytes(self) -> int:
        """Bytes at the end that are no whole record yet; 0 while the file is being read."""
        return self.size - self.offset if self._at_end else 0


class _Buffer:
    """One buffer for all pieces: fresh memory costs more than decoding what is in it.

    A byte lies as far into a page of memory as into one of the file. The kernel copies other ways
    too, but on some processors at a third of the speed.
    """

    def __init__(self, num_bytes: int) -> None:
        self._memory = mmap.mmap(-1, num_bytes + mmap.PAGESIZE)

    def read(self, file: RawIOBase, offset: int, num_bytes: int) -> memoryview:
        """Bytes of a file from ``offset`` on, fewer at its end only. Valid until the next call."""
        begin = offset % mmap.PAGESIZE
        if begin + num_bytes > len(self._memory):
            self._memory = mmap.mmap(-1, num_bytes + mmap.PAGESIZE)
        space = memoryview(self._memory)[begin : begin + num_bytes]
        file.seek(offset)
        filled = 0
        while filled < num_bytes:
            count = file.readinto(space[filled:])
            if not count:
                break
            filled += count
        return space[:filled]
