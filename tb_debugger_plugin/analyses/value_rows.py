"""Which tensors' values pass a filter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.time_order import Mask, Rows
from tb_debugger_plugin.events.batches import COUNT_IN_RECORD, HAS_INF_NAN
from tb_debugger_plugin.index.tables import ValueTable


@dataclass(frozen=True)
class ValueFilter:
    """What a value has to fulfil; a field that is ``None`` or false asks nothing.

    ``all_zero`` asks for elements, and that all of them are known to be zero. ``dtype`` is a
    DataType number.
    """

    inf_nan: bool = False
    all_zero: bool = False
    dtype: int | None = None

    def mask(self, values: ValueTable, rows: Rows) -> Mask:
        """Whether each of the rows passes."""
        bad = values.bad[rows]
        mask: Mask = np.ones(len(bad), dtype=np.bool_)
        if self.inf_nan:
            mask &= bad == HAS_INF_NAN
        if self.dtype is not None:
            mask &= values.dtype[rows] == self.dtype
        if self.all_zero:
            mask &= _all_zero(values, rows)
        return mask


ANY_VALUE = ValueFilter()


def _all_zero(values: ValueTable, rows: Rows) -> Mask:
    size, num_zero = values.size[rows], values.num_zero[rows]
    zero: Mask = (num_zero == size) & (size > 0)
    # Too many zeros for the column: they are all there is where nothing else was counted.
    many = np.flatnonzero(num_zero == COUNT_IN_RECORD)
    if len(many):
        others = (
            values.num_neg_inf,
            values.num_pos_inf,
            values.num_nan,
            values.num_negative,
            values.num_positive,
        )
        zero[many] = np.all([counts[rows][many] == 0 for counts in others], axis=0)
    return zero
