"""Columns that grow while readers look at them.

The writer appends behind the rows that any reader knows, or copies to a larger buffer; rows that
were handed out never change. A reader therefore holds a consistent view for as long as it likes.
"""

from __future__ import annotations

from typing import Any, Generic, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.index.state import BadState

ScalarT = TypeVar("ScalarT", bound=np.generic)


_HEADROOM = 1.125
"""Growth beyond what is expected: appending to a run of any size is seldom a move of all rows."""

_MOST_EXPECTED = 1 << 26
"""Rows to make room for at once, whatever a file's size promises: it may be a sparse file's."""


class GrowingColumn(Generic[ScalarT]):
    """An append-only array of shape ``[rows]`` or ``[rows, width]``."""

    def __init__(self, dtype: type[ScalarT]) -> None:
        self._buffer: npt.NDArray[ScalarT] = np.empty(0, dtype=dtype)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def append(self, rows: npt.NDArray[Any], ahead: float = 0.0) -> None:
        """Adds rows; values are cast to the column's dtype.

        Args:
          rows: The values.
          ahead: How many times as many rows are expected to follow. Room is made for them at once:
            what is never written to takes no memory, while moving to a larger buffer takes both.
        """
        self._add(len(rows), ahead)[:] = rows

    def _add(self, num_rows: int, ahead: float) -> npt.NDArray[Any]:
        """Rows that are to be written to."""
        begin, end = self._size, self._size + num_rows
        if end > len(self._buffer):
            expected = min(int(ahead * num_rows), _MOST_EXPECTED)
            self._move(self._buffer.dtype, int((end + expected) * _HEADROOM) + 64)
        self._size = end
        return self._buffer[begin:end]

    def restore(self, rows: npt.NDArray[Any]) -> None:
        """Takes over the array as its rows.

        Raises:
          BadState: The column cannot hold them.
        """
        if rows.dtype != self._buffer.dtype:
            raise BadState(f"{rows.dtype} rows for a column of {self._buffer.dtype}")
        self._buffer, self._size = rows, len(rows)

    def view(self) -> npt.NDArray[ScalarT]:
        """The rows so far, read-only; not changed by later appends."""
        view = self._buffer[: self._size]
        view.flags.writeable = False
        return view

    def _move(self, dtype: np.dtype[ScalarT], capacity: int) -> None:
        moved: npt.NDArray[ScalarT] = np.empty(capacity, dtype=dtype)
        moved[: self._size] = self._buffer[: self._size]
        self._buffer = moved


class NarrowColumn(GrowingColumn[ScalarT]):
    """A column of integers that is stored as narrowly as its values allow.

    ``dtype`` is the widest that it becomes. Millions of small numbers are the rule, and one large
    one must not be wrong.
    """

    def __init__(self, dtype: type[ScalarT]) -> None:
        super().__init__(dtype)
        self._widest = self._buffer.dtype
        self._buffer = self._buffer.astype(np.int8)

    def append(self, rows: npt.NDArray[Any], ahead: float = 0.0) -> None:
        """Adds rows, and widens the column first if they do not fit."""
        if len(rows) and rows.dtype.itemsize > self._buffer.dtype.itemsize:
            self._fit(int(rows.min()), int(rows.max()))
        super().append(rows, ahead)

    def restore(self, rows: npt.NDArray[Any]) -> None:
        """Takes over the array, of any width up to the widest, as its rows.

        Raises:
          BadState: The column cannot hold them.
        """
        if rows.dtype not in _BOUNDS or rows.dtype.itemsize > self._widest.itemsize:
            raise BadState(f"{rows.dtype} rows for a column of {self._widest} at most")
        self._buffer, self._size = rows, len(rows)

    def _fit(self, least: int, greatest: int) -> None:
        low, high = _BOUNDS[self._buffer.dtype]
        if least < low or greatest > high:
            wider = max(narrowest(least), narrowest(greatest), self._buffer.dtype)
            self._move(min(wider, self._widest), len(self._buffer))


class AscendingColumn(NarrowColumn[ScalarT]):
    """A ``NarrowColumn`` whose rows ascend within each append: its bounds need no search."""

    def append(self, rows: npt.NDArray[Any], ahead: float = 0.0) -> None:
        """Adds ascending rows, and widens the column first if they do not fit."""
        if len(rows):
            self._fit(int(rows[0]), int(rows[-1]))
        GrowingColumn.append(self, rows, ahead)

    def append_ends(self, lengths: npt.NDArray[Any], total: int, ahead: float = 0.0) -> None:
        """Adds running totals of ``lengths``, ``total`` in all, going on from the last row."""
        before = int(self._buffer[self._size - 1]) if self._size else 0
        self._fit(0, before + total)
        ends = self._add(len(lengths), ahead)
        np.cumsum(lengths, dtype=ends.dtype, out=ends)
        ends += ends.dtype.type(before)


_BOUNDS: dict[np.dtype[Any], tuple[int, int]] = {
    np.dtype(dtype): (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    for dtype in (np.int8, np.int16, np.int32, np.int64)
}


def narrowest(value: int) -> np.dtype[Any]:
    """The narrowest signed integer type that holds a value."""
    return next(dtype for dtype, (low, high) in _BOUNDS.items() if low <= value <= high)


def place_in(ascending: npt.NDArray[Any], value: int, side: Literal["left", "right"]) -> int:
    """``np.searchsorted`` for one integer, without a wider copy of a narrow column."""
    low, high = _BOUNDS[ascending.dtype]
    if value > high:
        return len(ascending)
    if value < low:
        return 0
    return int(np.searchsorted(ascending, ascending.dtype.type(value), side=side))
