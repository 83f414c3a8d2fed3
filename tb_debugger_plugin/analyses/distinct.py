"""Distinct integers among millions: what is known of each is told once, then of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import Int64s

_ENTRIES_A_VALUE = 4
_ENTRIES_ALWAYS = 1 << 16


class Distinct:
    """The distinct ones of many integers >= 0, numbered in ascending order.

    Where they are bounded closely enough each has its entry in a table; else, which takes several
    times as long, they are sorted and searched.
    """

    def __init__(self, integers: Int64s) -> None:
        bound = int(integers.max()) + 1 if len(integers) else 0
        self._number_of: npt.NDArray[Any] | None = None
        if bound <= max(_ENTRIES_A_VALUE * len(integers), _ENTRIES_ALWAYS):
            occurs = np.zeros(bound, dtype=np.bool_)
            occurs[integers] = True
            self.values: Int64s = np.flatnonzero(occurs)
            numbers = np.cumsum(occurs, dtype=np.int64) - 1
            self._number_of = numbers.astype(np.min_scalar_type(len(self.values)))
        else:
            self.values = np.unique(integers)

    def __len__(self) -> int:
        return len(self.values)

    def numbers(self, integers: Int64s) -> npt.NDArray[Any]:
        """The number of each; all have to be known. Unsigned, as narrow as the numbers allow."""
        if self._number_of is None:
            return np.searchsorted(self.values, integers)
        return self._number_of.take(integers)

    def spread(self, told: npt.NDArray[Any], integers: Int64s) -> npt.NDArray[Any]:
        """What is told of each distinct one, by number, for each of ``integers``."""
        if self._number_of is None:
            return told.take(self.numbers(integers))
        of_integer = np.zeros(len(self._number_of), dtype=told.dtype)
        of_integer[self.values] = told
        return of_integer.take(integers)
