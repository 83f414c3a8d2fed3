"""The rows of a table in time order: a position in it is the index that users and routes count."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import Float64s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot

Mask = npt.NDArray[np.bool_]
Rows = slice | npt.NDArray[Any]
"""What indexes a column: a range or any rows."""

EVERY_ROW = slice(None)

_BLOCK = 1 << 18


def blocks(whole: range) -> Iterator[slice]:
    """Cuts millions of rows into parts, so that what is made of one on the way stays small."""
    for begin in range(whole.start, whole.stop, _BLOCK):
        yield slice(begin, min(begin + _BLOCK, whole.stop))


@dataclass(frozen=True)
class TimeOrder:
    """One table's. ``rows_in_order`` and its inverse are ``None`` where rows stand in time order.

    That is the rule, and nothing is copied then.
    """

    wall_time: Float64s
    rows_in_order: Int64s | None
    index_of_row: Int64s | None

    @staticmethod
    def of_traces(snapshot: Snapshot) -> TimeOrder:
        """That of the graph execution traces."""
        return TimeOrder(
            snapshot.traces.wall_time, snapshot.trace_order, snapshot.trace_index_of_row
        )

    @staticmethod
    def of_executions(snapshot: Snapshot) -> TimeOrder:
        """That of the executions."""
        return TimeOrder(
            snapshot.executions.wall_time,
            snapshot.execution_order,
            snapshot.execution_index_of_row,
        )

    def __len__(self) -> int:
        return len(self.wall_time)

    def row(self, index: int) -> int:
        """The row at an index."""
        return index if self.rows_in_order is None else int(self.rows_in_order[index])

    def index(self, row: int) -> int:
        """The index of a row."""
        return row if self.index_of_row is None else int(self.index_of_row[row])

    @overload
    def rows(self, indices: Int64s) -> Int64s: ...
    @overload
    def rows(self, indices: Rows) -> Rows: ...
    def rows(self, indices: Rows) -> Rows:
        """The rows at several indices."""
        return indices if self.rows_in_order is None else self.rows_in_order[indices]

    def indices(self, rows: Int64s) -> Int64s:
        """The indices of rows, ascending."""
        return rows if self.index_of_row is None else np.sort(self.index_of_row[rows])

    def place(self, time: float, side: Literal["left", "right"]) -> int:
        """How many rows are before a time; with "right", those of that very time too."""
        order, times = self.rows_in_order, self.wall_time
        if order is None:
            return int(np.searchsorted(times, time, side=side))
        bisect = bisect_left if side == "left" else bisect_right
        return bisect(range(len(times)), time, key=lambda index: float(times[order[index]]))

    def span(self, begin_time: float | None, end_time: float | None) -> range:
        """The indices of the rows in a half-open range of time; ``None`` leaves it open."""
        begin = 0 if begin_time is None else self.place(begin_time, "left")
        end = len(self) if end_time is None else self.place(end_time, "left")
        return range(begin, max(begin, end))
