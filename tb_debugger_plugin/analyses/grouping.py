"""Rows grouped by a number that each of them has."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.time_order import blocks
from tb_debugger_plugin.events.batches import Int32s, Int64s


class Grouping:
    """Rows by their key, an integer >= 0: 4 bytes a row and 8 a key."""

    def __init__(self, keys: npt.NDArray[Any]) -> None:
        counts = np.bincount(keys)
        self._ends: Int64s = np.cumsum(counts)
        self._rows: Int32s = np.empty(len(keys), dtype=np.int32)
        # Where the next row of each key goes.
        following = self._ends - counts
        for block in blocks(range(len(keys))):
            within = keys[block]
            order = stable_order(within)
            counts = np.bincount(within, minlength=len(following))
            # The rows of a key stand together, in the block as in the whole.
            moved = following - (np.cumsum(counts) - counts)
            places = np.repeat(moved, counts) + np.arange(len(order))
            self._rows[places] = order + block.start
            following += counts

    def rows(self, key: int) -> Int32s:
        """The rows with a key, ascending; empty for a key that no row has."""
        if key >= len(self._ends):
            return self._rows[:0]
        return self._rows[self._ends[key - 1] if key else 0 : self._ends[key]]

    def last_below(self, keys: Int64s, bounds: Int64s) -> Int64s:
        """The last row with each key that is below a bound of its own; -1 for none."""
        if not len(self._rows):
            return np.full(len(keys), -1, dtype=np.int64)
        known = np.minimum(keys, len(self._ends) - 1)
        begins = np.where(known > 0, self._ends[known - 1], 0)
        low, high = begins, np.where(keys == known, self._ends[known], begins)
        # All are halved together, as often as the greatest group asks for.
        while (is_open := low < high).any():
            middle = (low + high) // 2
            is_below = self._rows[np.minimum(middle, len(self._rows) - 1)] < bounds
            low = np.where(is_open & is_below, middle + 1, low)
            high = np.where(is_open & ~is_below, middle, high)
        return np.where(low > begins, self._rows[low - 1], -1)

    def count(self, key: int) -> int:
        """How many rows have a key."""
        return len(self.rows(key))


def stable_order(keys: npt.NDArray[Any], order: Int64s | None = None) -> Int64s:
    """What sorts by integers >= 0, and keeps the order of those that are equal.

    Several times as fast as ``np.argsort`` of wider integers: NumPy counts keys of 16 bits.

    Args:
      keys: By row.
      order: An order of the rows that is to be sorted further; that of the rows unless given.
    """
    greatest = int(keys.max()) if len(keys) else 0
    for shift in range(0, max(greatest.bit_length(), 1), 16):
        digits = (keys >> shift).astype(np.uint16)
        if order is None:
            order = np.argsort(digits, kind="stable")
        else:
            order = order[np.argsort(digits[order], kind="stable")]
    assert order is not None
    return order
