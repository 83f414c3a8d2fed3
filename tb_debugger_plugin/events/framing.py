"""TFRecord framing: where the records of a piece of a file are, and where it is damaged.

A record is a little-endian u64 length, the masked CRC32C of those eight bytes, the payload, and
the masked CRC32C of the payload. There is no index and no end mark: a file that is still being
written ends anywhere inside a record.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tb_debugger_plugin.events.crc32c import (
    crc32c_many,
    mask,
    masked_crc32c_at,
    masked_crc32c_at_each_offset,
)

HEADER_BYTES = 12
FOOTER_BYTES = 4
FRAME_BYTES = HEADER_BYTES + FOOTER_BYTES
MAX_PAYLOAD_BYTES = 1 << 31
"""TensorFlow cannot write a larger message; a longer length is damage, whatever its CRC says."""

_FIRST_WALK = 64
_FIRST_WINDOW = 1 << 12

_HEADER = struct.Struct("<QI")
_CRC = struct.Struct("<I")

DamageKind = Literal["bad_length", "bad_payload"]


@dataclass(frozen=True)
class Damage:
    """Bytes that hold no readable record; ``offset`` is relative to the buffer."""

    kind: DamageKind
    offset: int
    num_bytes: int


@dataclass(frozen=True)
class Records:
    """The whole records of a buffer, in file order.

    ``starts`` and ``lengths`` are those of the payloads. ``consumed`` is where the next buffer
    has to begin; the bytes behind it may become a record when more of the file is there.
    ``resyncing`` tells that those bytes follow damage, and no record header has been found yet.
    """

    starts: list[int]
    lengths: list[int]
    consumed: int
    damages: list[Damage]
    resyncing: bool


def split_records(buffer: memoryview, *, resyncing: bool = False) -> Records:
    """Finds the records of a buffer that begins at a record, checking every CRC.

    A payload whose CRC is wrong is passed over. A length whose CRC is wrong cannot be trusted:
    reading goes on at the next offset where a header's CRC fits.

    Args:
      buffer: A part of a file.
      resyncing: The buffer does not begin at a record but behind damage (the previous answer's
        ``resyncing``).

    """
    starts: list[int] = []
    lengths: list[int] = []
    damages: list[Damage] = []
    position = 0
    if resyncing:
        found = _next_header(buffer, 0)
        position = found if found is not None else _end_of_search(buffer, 0)
        if position:
            damages.append(Damage("bad_length", 0, position))
        if found is None:
            return Records(starts, lengths, position, damages, True)
    most = _FIRST_WALK
    while True:
        walked, position, end = _walk(buffer, position, most)
        good = _check_payloads(buffer, walked, damages)
        starts += [start for start, _ in good]
        lengths += [length for _, length in good]
        if end == "buffer":
            return Records(starts, lengths, position, damages, False)
        if end == "most":
            most *= 4
            continue
        most = _FIRST_WALK
        found = _next_header(buffer, position + 1)
        next_position = found if found is not None else _end_of_search(buffer, position + 1)
        damages.append(Damage("bad_length", position, next_position - position))
        position = next_position
        if found is None:
            return Records(starts, lengths, position, damages, True)


def expected_frame_bytes(buffer: memoryview) -> int | None:
    """The size of the frame that the buffer begins with; ``None`` if its length is not there."""
    if len(buffer) < HEADER_BYTES:
        return None
    return int(_HEADER.unpack_from(buffer, 0)[0]) + FRAME_BYTES


def _walk(
    buffer: memoryview, position: int, most: int
) -> tuple[list[tuple[int, int]], int, Literal["buffer", "most", "bad_header"]]:
    """Follows lengths from ``position`` on, ``most`` times at most.

    Returns the payloads passed, where the walk ended, and at what: for want of bytes, because of
    ``most``, or at a header that cannot be trusted. Checksums are only looked at when the walk has
    ended, all at once, so ``most`` bounds what is walked in vain behind damage.
    """
    headers: list[int] = []
    walked: list[tuple[int, int]] = []
    crcs: list[int] = []
    size = len(buffer)
    at = position
    while at + HEADER_BYTES <= size and len(headers) < most:
        length, crc = _HEADER.unpack_from(buffer, at)
        headers.append(at)
        walked.append((at + HEADER_BYTES, length))
        crcs.append(crc)
        if at + FRAME_BYTES + length > size:
            break
        at += FRAME_BYTES + length
    for row, crc in enumerate(masked_crc32c_at(buffer, headers).tolist()):
        if crc != crcs[row] or walked[row][1] > MAX_PAYLOAD_BYTES:
            return walked[:row], headers[row], "bad_header"
    if walked and at == headers[-1]:
        walked.pop()
        return walked, at, "buffer"
    return walked, at, "most" if len(headers) == most else "buffer"


def _check_payloads(
    buffer: memoryview, walked: list[tuple[int, int]], damages: list[Damage]
) -> list[tuple[int, int]]:
    """The payloads whose CRC is right; the others become damages."""
    crcs = crc32c_many(buffer, [start for start, _ in walked], [length for _, length in walked])
    good = []
    for (start, length), crc in zip(walked, crcs, strict=True):
        if mask(crc) == _CRC.unpack_from(buffer, start + length)[0]:
            good.append((start, length))
        else:
            damages.append(Damage("bad_payload", start - HEADER_BYTES, length + FRAME_BYTES))
    return good


def _next_header(buffer: memoryview, begin: int) -> int | None:
    """The first offset from ``begin`` on where a record's header, CRC included, fits.

    It is near as a rule, so the search goes by windows that grow.
    """
    window = _FIRST_WINDOW
    while begin + HEADER_BYTES <= len(buffer):
        end = min(begin + window, len(buffer) - HEADER_BYTES + 1)
        found = _next_header_between(buffer, begin, end)
        if found is not None:
            return found
        begin = end
        window *= 2
    return None


def _next_header_between(buffer: memoryview, begin: int, end: int) -> int | None:
    octets = np.frombuffer(buffer[begin : end + HEADER_BYTES - 1], dtype=np.uint8)
    wanted = masked_crc32c_at_each_offset(octets[:-4].data)
    stored = np.ascontiguousarray(np.lib.stride_tricks.sliding_window_view(octets[8:], 4))
    for candidate in np.flatnonzero(wanted == stored.view("<u4")[:, 0]):
        length = _HEADER.unpack_from(buffer, begin + int(candidate))[0]
        if length <= MAX_PAYLOAD_BYTES:
            return begin + int(candidate)
    return None


def _end_of_search(buffer: memoryview, begin: int) -> int:
    """Behind the offsets at which a whole header was looked for in vain."""
    return max(begin, len(buffer) - HEADER_BYTES + 1)
