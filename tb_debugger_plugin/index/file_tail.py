"""Reads one file from where it was left, piece by piece, into a decoder."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import RawIOBase
from typing import Any, Generic, TypeVar

from tb_debugger_plugin.events.decoders import DECODERS, Decoder, MakeDecoder
from tb_debugger_plugin.events.framing import expected_frame_bytes
from tb_debugger_plugin.events.reference import Fed
from tb_debugger_plugin.index.state import TailState

BatchT = TypeVar("BatchT")

PIECE_BYTES = 1 << 21


class FileReplaced(Exception):
    """The file is another one than before, or has shrunk: what was read of it no longer holds."""


class FileTail(Generic[BatchT]):
    """A file that may grow. Holds no open handle between reads.

    ``offset`` is the end of what was handed over, ``size`` what the file measured when it was last
    looked at. ``ahead`` is how many times as much as the last piece is still to be read; 0 after a
    small piece.
    """

    def __init__(
        self, path: str, make_decoder: MakeDecoder[BatchT], state: TailState | None = None
    ) -> None:
        """Begins at the file's begin, or where ``state`` was taken.

        Raises:
          FileReplaced: The file is not the one that ``state`` was taken of.
          OSError: It cannot be read.
        """
        self.path = path
        self.size = 0
        self.modified_ns = 0
        self.ahead = 0.0
        self._identity: tuple[int, int] | None = None
        self._at_end = True
        self._num_absorbed = 0
        if state is None:
            self.decoder = make_decoder()
        else:
            self._recognise(state)
            self.decoder = make_decoder(state.offset, resyncing=state.resyncing)
        self.offset = self.decoder.offset

    @property
    def modified(self) -> float:
        """When the file was last written to, in seconds since the epoch."""
        return self.modified_ns / 1e9

    def state(self) -> TailState | None:
        """What it takes to go on later; ``None`` before the file was found.

        Raises:
          OSError: The file cannot be read.
        """
        if self._identity is None:
            return None
        device, inode = self._identity
        head, seam = _fingerprint(self.path, self.offset)
        return TailState(
            offset=self.offset,
            resyncing=self.decoder.resyncing,
            size=self.size,
            modified_ns=self.modified_ns,
            device=device,
            inode=inode,
            head_crc=head,
            seam_crc=seam,
        )

    def _recognise(self, state: TailState) -> None:
        status = os.stat(self.path)
        is_same = (status.st_dev, status.st_ino) == (state.device, state.inode) and (
            status.st_size > state.size
            or (status.st_size, status.st_mtime_ns) == (state.size, state.modified_ns)
        )
        if (
            not is_same
            or not 0 <= state.offset <= state.size
            or _fingerprint(self.path, state.offset) != (state.head_crc, state.seam_crc)
        ):
            raise FileReplaced(self.path)
        self._identity = (state.device, state.inode)
        self.size = state.size
        self.modified_ns = state.modified_ns

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
        self.modified_ns = status.st_mtime_ns
        if status.st_size == self.size and self._at_end:
            return
        self.size = status.st_size
        self._at_end = False
        with open(self.path, "rb", buffering=0) as file, ThreadPoolExecutor(1) as worker:
            pieces = _Pieces(file, self.size, self.decoder)
            self._num_absorbed = self._num_absorbed or pieces.absorb_next()
            while self._num_absorbed:
                fed = self.decoder.take()
                self.offset += fed.consumed
                self._num_absorbed = 0
                is_typical = fed.consumed >= PIECE_BYTES // 2
                self.ahead = (self.size - self.offset) / fed.consumed if is_typical else 0
                if not is_typical:
                    yield fed
                    self._num_absorbed = pieces.absorb_next()
                    continue
                # The next piece is read and decoded while this one is worked on.
                following = worker.submit(pieces.absorb_next)
                try:
                    yield fed
                finally:
                    self._num_absorbed = following.result()
        self._at_end = True

    @property
    def unread_bytes(self) -> int:
        """Bytes at the end that are no whole record yet; 0 while the file is being read."""
        return self.size - self.offset if self._at_end else 0


_FINGERPRINT_BYTES = 1 << 16


def _fingerprint(path: str, offset: int) -> tuple[int, int]:
    """CRCs of a file's first bytes and of those before an offset."""
    with open(path, "rb") as file:
        head = file.read(min(_FINGERPRINT_BYTES, offset))
        file.seek(max(0, offset - _FINGERPRINT_BYTES))
        seam = file.read(min(_FINGERPRINT_BYTES, offset))
    return DECODERS.crc32c(head), DECODERS.crc32c(seam)


class _Pieces:
    """Hands a file to a decoder, piece by piece."""

    def __init__(self, file: RawIOBase, size: int, decoder: Decoder[Any]) -> None:
        self._file = file
        self._size = size
        self._decoder = decoder
        self._buffer = _Buffer(min(PIECE_BYTES, size - decoder.offset))

    def absorb_next(self) -> int:
        """Has the decoder absorb some records; tells how many bytes they are, 0 at the end."""
        wanted = PIECE_BYTES
        while (rest := self._size - self._decoder.offset) > 0:
            piece = self._buffer.read(self._file, self._decoder.offset, min(wanted, rest))
            if not piece:
                break
            if consumed := self._decoder.absorb(piece):
                return consumed
            frame = expected_frame_bytes(piece) or 0
            if len(piece) == rest or frame > rest:
                break
            wanted = max(frame, 2 * len(piece))
        return 0


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
