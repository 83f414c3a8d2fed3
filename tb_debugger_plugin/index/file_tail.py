"""Reads one file from where it was left, piece by piece, into a decoder."""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader, RawIOBase
from typing import Any, BinaryIO, Generic, TypeVar, cast

from tb_debugger_plugin.events.decoders import DECODERS, Decoder, MakeDecoder
from tb_debugger_plugin.events.framing import expected_frame_bytes
from tb_debugger_plugin.events.reference import Fed
from tb_debugger_plugin.files.choose import file_system_of
from tb_debugger_plugin.files.file_system import FileStatus
from tb_debugger_plugin.index.state import TailState

BatchT = TypeVar("BatchT")


BATCH_BYTES = 1 << 23
"""Records are handed over in batches of so many bytes; the pieces in them fit the cache."""


class FileReplaced(Exception):
    """The file is another one than before, or has shrunk: what was read of it no longer holds."""


class FileTail(Generic[BatchT]):
    """A file that may grow. Holds no open handle between reads.

    ``ahead`` is how many times as much as the last batch is still to be read; 0 after a small one.
    ``is_at_end`` tells that all was read that was there when the file was last looked at.
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
        self.ahead = 0.0
        self._status: FileStatus | None = None
        self._seam = b""
        self._size_ahead = 0
        self.is_at_end = True
        if state is None:
            self.decoder = make_decoder()
        else:
            self._recognise(state)
            self.decoder = make_decoder(state.offset, resyncing=state.resyncing)

    @property
    def offset(self) -> int:
        """The end of what was decoded, in bytes."""
        return self.decoder.offset

    @property
    def size(self) -> int:
        """What the file measured when it was last looked at, in bytes."""
        return self._status.size if self._status else self._size_ahead

    @property
    def modified(self) -> float:
        """When the file was last written to, in seconds since the epoch."""
        return self._status.modified if self._status else 0.0

    def look(self) -> None:
        """Learns the size of a file whose turn to be read has not come yet."""
        if self._status is None:
            with suppress(OSError):
                self._size_ahead = file_system_of(self.path).status(self.path).size

    def state(self) -> TailState | None:
        """What it takes to go on later; ``None`` before the file was found.

        Raises:
          OSError: The file cannot be read.
        """
        if self._status is None:
            return None
        head, seam = _fingerprint(self.path, self.offset)
        return TailState(
            offset=self.offset,
            resyncing=self.decoder.resyncing,
            status=self._status,
            head_crc=head,
            seam_crc=seam,
        )

    def _recognise(self, state: TailState) -> None:
        status, known = file_system_of(self.path).status(self.path), state.status
        if (
            _is_another(status, known)
            or _is_changed(status, known)
            or not 0 <= state.offset <= known.size
            or _fingerprint(self.path, state.offset) != (state.head_crc, state.seam_crc)
        ):
            raise FileReplaced(self.path)
        self._status = known
        with file_system_of(self.path).open(self.path) as file:
            self._seam = _bytes_before(file, state.offset, _SEAM_BYTES)

    def read_new(self) -> Iterator[Fed[BatchT]]:
        """Decodes what was appended since the last call, a batch at a time.

        Whoever lets go of a batch before the next one lets it have the same memory: fresh memory
        costs more than what is written to it.

        Raises:
          FileReplaced: See there.
          OSError: The file cannot be opened or read.

        """
        files = file_system_of(self.path)
        status, known = files.status(self.path), self._status
        if known and (
            _is_another(status, known) or (files.are_replaced_whole and _is_changed(status, known))
        ):
            raise FileReplaced(self.path)
        if known == status and self.is_at_end:
            return
        self._status = status
        self.is_at_end = False
        with files.open(self.path) as file:
            # Opened anew and written from its begin, a file may soon be longer than it was.
            if _bytes_before(file, self.offset, len(self._seam)) != self._seam:
                raise FileReplaced(self.path)
            pieces = _Pieces(file, files.piece_bytes, self.size, self.decoder)
            while pieces.absorb_batch():
                self._seam = pieces.seam
                fed = self.decoder.take()
                is_typical = fed.consumed >= BATCH_BYTES // 2
                self.ahead = (self.size - self.offset) / fed.consumed if is_typical else 0
                yield fed
                del fed  # Else its memory could not serve the next batch.
        self.is_at_end = True

    @property
    def unread_bytes(self) -> int:
        """Bytes at the end that are no whole record yet; 0 while the file is being read."""
        return self.size - self.offset if self.is_at_end else 0


def _is_another(status: FileStatus, known: FileStatus) -> bool:
    """Whether what is at a path now is not what was there, grown or not."""
    return status.identity != known.identity or status.size < known.size


def _is_changed(status: FileStatus, known: FileStatus) -> bool:
    """Whether something other than growth has happened; or, on a disk, is about to grow."""
    return status.size == known.size and status.version != known.version


_FINGERPRINT_BYTES = 1 << 16
_SEAM_BYTES = 64
"""The end of a record: its checksum is among them."""


def _bytes_before(file: BinaryIO, offset: int, num_bytes: int) -> bytes:
    begin = max(0, offset - num_bytes)
    file.seek(begin)
    read = b""
    while len(read) < offset - begin and (more := file.read(offset - begin - len(read))):
        read += more
    return read


def _fingerprint(path: str, offset: int) -> tuple[int, int]:
    """CRCs of a file's first bytes and of those before an offset."""
    with file_system_of(path).open(path) as raw:
        file = BufferedReader(cast(RawIOBase, raw))
        head = file.read(min(_FINGERPRINT_BYTES, offset))
        file.seek(max(0, offset - _FINGERPRINT_BYTES))
        seam = file.read(min(_FINGERPRINT_BYTES, offset))
    return DECODERS.crc32c(head), DECODERS.crc32c(seam)


class _Pieces:
    """Has a decoder absorb a file, piece by piece."""

    def __init__(self, file: BinaryIO, piece_bytes: int, size: int, decoder: Decoder[Any]) -> None:
        self._file = file
        self._piece_bytes = piece_bytes
        self._size = size
        self._decoder = decoder
        self._buffer = _Buffer(min(piece_bytes, size - decoder.offset))
        self.seam = b""
        """The last bytes that were absorbed."""

    def absorb_batch(self) -> int:
        """Has the decoder absorb a batch; tells how many bytes it is, 0 at the end.

        Raises:
          OSError: Nothing more can be read. What was absorbed before is handed over first.
        """
        absorbed = 0
        try:
            while absorbed < BATCH_BYTES and (consumed := self._absorb_piece()):
                absorbed += consumed
        except OSError:
            if not absorbed:
                raise
        return absorbed

    def _absorb_piece(self) -> int:
        wanted = self._piece_bytes
        while (rest := self._size - self._decoder.offset) > 0:
            wanted = min(wanted, rest)
            piece = self._buffer.read(self._file, self._decoder.offset, wanted)
            if piece and (consumed := self._decoder.absorb(piece)):
                self.seam = bytes(piece[max(0, consumed - _SEAM_BYTES) : consumed])
                return consumed
            if self._buffer.error:
                raise self._buffer.error
            frame = expected_frame_bytes(piece) or 0
            # Shorter than wanted: it ends before it should, and is another file at the next look.
            if len(piece) < wanted or len(piece) == rest or frame > rest:
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
        self.error: OSError | None = None
        """Why the last read gave less than it was asked for, if not for want of bytes."""

    def read(self, file: BinaryIO, offset: int, num_bytes: int) -> memoryview:
        """Bytes of a file from ``offset`` on; fewer at its end, and before an ``error``.

        They are valid until the next call.
        """
        begin = offset % mmap.PAGESIZE
        if begin + num_bytes > len(self._memory):
            self._memory = mmap.mmap(-1, num_bytes + mmap.PAGESIZE)
        space = memoryview(self._memory)[begin : begin + num_bytes]
        filled = 0
        self.error = None
        try:
            file.seek(offset)
            while filled < num_bytes:
                count = cast(RawIOBase, file).readinto(space[filled:])
                if not count:
                    break
                filled += count
        except OSError as error:
            self.error = error
        return space[:filled]
