"""Distinct keys of millions of rows: what is known of each key is told once, then of all rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.time_order import Rows, blocks
from tb_debugger_plugin.events.batches import Int64s

_ENTRIES_A_ROW = 4
_ENTRIES_ALWAYS = 1 << 16


class DistinctKeys:
    """The distinct keys, integers >= 0, numbered in ascending order.

    Where they are bounded closely enough each has its entry in a table; else, which takes several
    times as long, they are sorted and searched.
    """

    def __init__(self, keys: Callable[[Rows], Int64s], num_rows: int, bound: int) -> None:
        """Finds them.

        Args:
          keys: The keys of some rows.
          num_rows: How many rows there are.
          bound: All keys are less.
        """
        self._keys = keys
        self._bound = bound
        self._number_of: npt.NDArray[Any] | None = None
        parts = (keys(block) for block in blocks(range(num_rows)))
        if bound <= max(_ENTRIES_A_ROW * num_rows, _ENTRIES_ALWAYS):
            occurs = np.zeros(bound, dtype=np.bool_)
            for part in parts:
                occurs[part] = True
            self.values: Int64s = np.flatnonzero(occurs)
            self._number_of = self._table(np.arange(len(self), dtype=self._narrow))
        else:
            found = [np.empty(0, dtype=np.int64), *map(np.unique, parts)]
            self.values = np.unique(np.concatenate(found))

    def __len__(self) -> int:
        return len(self.values)

    def numbers(self, rows: Rows) -> npt.NDArray[Any]:
        """The number of each row's key: unsigned, as narrow as the numbers allow."""
        keys = self._keys(rows)
        if self._number_of is None:
            return np.searchsorted(self.values, keys).astype(self._narrow)
        return self._number_of.take(keys)

    def spreading(self, told: npt.NDArray[Any]) -> Callable[[Rows], npt.NDArray[Any]]:
        """What is told of each key, by number, as a function that tells it of rows."""
        if self._number_of is None:
            return lambda rows: told.take(self.numbers(rows))
        table = self._table(told)
        return lambda rows: table.take(self._keys(rows))

    @property
    def _narrow(self) -> np.dtype[Any]:
        return np.min_scalar_type(len(self))

    def _table(self, told: npt.NDArray[Any]) -> npt.NDArray[Any]:
        table = np.zeros(self._bound, dtype=told.dtype)
        table[self.values] = told
        return table
