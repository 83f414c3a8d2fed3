"""CRC32C as TFRecord uses it, for many records at once, without a native extension.

A Python loop over bytes reads about 3 MB/s, and a logdir has hundreds of megabytes. CRC is linear
over GF(2), so the bytes are laid out as rows of equal length and all rows advance together:
one NumPy step handles four bytes of every row. Rows of one record are then joined by the linear
map that "append ``_ROW`` zero bytes" is.

The polynomial, the initial value and the mask are those of TFRecord
(RFC 3720 section B.4; the mask is ``rotate_right(crc, 15) + 0xa282ead8``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Uint32s = npt.NDArray[np.uint32]

_POLYNOMIAL = 0x82F63B78
_ROW = 256
_ROWS_AT_ONCE = 4096
_FEW_BYTES = 2048
"""So few are done by a Python loop in less time than NumPy's steps take."""
_MASK_DELTA = 0xA282EAD8


def _byte_table() -> list[int]:
    table = []
    for byte in range(256):
        crc = byte
        for _ in range(8):
            crc = (crc >> 1) ^ (_POLYNOMIAL if crc & 1 else 0)
        table.append(crc)
    return table


_T0 = _byte_table()


def _after_zero_byte(crc: int) -> int:
    return _T0[crc & 0xFF] ^ (crc >> 8)


def _advanced(table: list[int]) -> list[int]:
    return [_after_zero_byte(crc) for crc in table]


_T1 = _advanced(_T0)
_T2 = _advanced(_T1)
_T3 = _advanced(_T2)
_WORD_TABLES = tuple(np.array(t, dtype=np.uint32) for t in (_T3, _T2, _T1, _T0))


def _row_shift_tables() -> tuple[list[int], ...]:
    """Four tables, one a register byte, that advance a register by ``_ROW`` zero bytes."""
    basis = [1 << bit for bit in range(32)]
    for _ in range(_ROW):
        basis = [_after_zero_byte(crc) for crc in basis]
    tables = []
    for byte_position in range(4):
        table = []
        for value in range(256):
            crc = 0
            for bit in range(8):
                if value >> bit & 1:
                    crc ^= basis[byte_position * 8 + bit]
            table.append(crc)
        tables.append(table)
    return tuple(tables)


_S0, _S1, _S2, _S3 = _row_shift_tables()


def mask(crc: int) -> int:
    """The masked form in which TFRecord stores a CRC."""
    return (((crc >> 15) | (crc << 17)) + _MASK_DELTA) & 0xFFFFFFFF


def crc32c(data: bytes | bytearray | memoryview) -> int:
    """The CRC32C of one piece of data."""
    return crc32c_many(memoryview(data), [0], [len(data)])[0]


def crc32c_many(
    buffer: bytes | bytearray | memoryview, starts: Sequence[int], lengths: Sequence[int]
) -> list[int]:
    """The CRC32C of each ``buffer[start : start + length]``.

    Args:
      buffer: The bytes.
      starts: Where each piece starts.
      lengths: How long each piece is; the pieces lie inside the buffer.

    """
    view = memoryview(buffer)
    crcs: list[int] = []
    first = 0
    while first < len(starts):
        last = first
        rows = 0
        while last < len(starts) and (last == first or rows < _ROWS_AT_ONCE):
            rows += -(-lengths[last] // _ROW)
            last += 1
        group_starts, group_lengths = starts[first:last], lengths[first:last]
        if sum(group_lengths) <= _FEW_BYTES:
            pieces = zip(group_starts, group_lengths, strict=True)
            crcs.extend(_crc_of_few(view[start : start + length]) for start, length in pieces)
        else:
            crcs.extend(_crc_of_group(view, group_starts, group_lengths))
        first = last
    return crcs


def _crc_of_few(piece: memoryview) -> int:
    crc = 0xFFFFFFFF
    for octet in piece:
        crc = _T0[(crc ^ octet) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def _crc_of_group(view: memoryview, starts: Sequence[int], lengths: Sequence[int]) -> list[int]:
    """Like ``crc32c_many``, for pieces that together fit into memory once more.

    A piece is right-aligned in its rows: leading zeros leave a zero register at zero. The
    register's initial value of all ones is the same as flipping the piece's first four bytes.
    """
    row_counts = [-(-length // _ROW) for length in lengths]
    padded = bytearray(sum(row_counts) * _ROW)
    end = 0
    for start, length, count in zip(starts, lengths, row_counts, strict=True):
        end += count * _ROW
        padded[end - length : end] = view[start : start + length]
        for position in range(end - length, min(end - length + 4, end)):
            padded[position] ^= 0xFF
    registers = _row_registers(padded)
    crcs = []
    row = 0
    for length, count in zip(lengths, row_counts, strict=True):
        crc = 0
        for register in registers[row : row + count]:
            crc = (
                _S0[crc & 0xFF]
                ^ _S1[crc >> 8 & 0xFF]
                ^ _S2[crc >> 16 & 0xFF]
                ^ _S3[crc >> 24]
                ^ register
            )
        row += count
        # The initial ones that a piece of under four bytes had no byte to carry.
        crcs.append(crc ^ (0xFFFFFFFF >> 8 * length if length < 4 else 0) ^ 0xFFFFFFFF)
    return crcs


def _row_registers(padded: bytearray) -> list[int]:
    """The CRC register after each ``_ROW`` bytes, started from zero."""
    words = np.frombuffer(padded, dtype="<u4").reshape(-1, _ROW // 4)
    columns = np.ascontiguousarray(words.T)
    t3, t2, t1, t0 = _WORD_TABLES
    register: Uint32s = np.zeros(len(words), dtype=np.uint32)
    for column in columns:
        register = register ^ column
        register = (
            t3[register & 0xFF] ^ t2[register >> 8 & 0xFF] ^ t1[register >> 16 & 0xFF]
        ) ^ t0[register >> 24]
    return [int(crc) for crc in register]


def masked_crc32c_at_each_offset(buffer: bytes | bytearray | memoryview) -> Uint32s:
    """The masked CRC32C of the eight bytes at every offset; shape ``[len(buffer) - 7]``.

    This is how a reader finds the next record header behind damage.
    """
    octets = np.frombuffer(buffer, dtype=np.uint8)
    count = max(len(octets) - 7, 0)
    return _masked_crc32c_of_eight([octets[at : at + count] for at in range(8)])


def masked_crc32c_at(buffer: bytes | bytearray | memoryview, offsets: Sequence[int]) -> Uint32s:
    """The masked CRC32C of the eight bytes at each of the offsets."""
    if 8 * len(offsets) <= _FEW_BYTES:
        view = memoryview(buffer)
        few = [mask(_crc_of_few(view[start : start + 8])) for start in offsets]
        return np.array(few, dtype=np.uint32)
    octets = np.frombuffer(buffer, dtype=np.uint8)
    starts = np.array(offsets, dtype=np.int64)
    return _masked_crc32c_of_eight([octets[starts + at] for at in range(8)])


def _masked_crc32c_of_eight(columns: Sequence[npt.NDArray[np.uint8]]) -> Uint32s:
    table = _WORD_TABLES[3]
    register: Uint32s = np.full(len(columns[0]), 0xFFFFFFFF, dtype=np.uint32)
    for column in columns:
        register = table[(register ^ column) & 0xFF] ^ (register >> 8)
    crc: Uint32s = register ^ np.uint32(0xFFFFFFFF)
    masked: Uint32s = (crc >> 15 | crc << 17) + np.uint32(_MASK_DELTA)
    return masked
