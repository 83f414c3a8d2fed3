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
