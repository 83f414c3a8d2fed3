"""The distinct tensors that graph execution traces hold values of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.distinct import DistinctKeys
from tb_debugger_plugin.analyses.time_order import Mask, Rows
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.tables import TraceTable


class TracedTensors:
    """(Op, output slot) of each distinct tensor, numbered by op and then by slot.

    There are few of them beside the traces, so that what can be told from a tensor's name is told
    once for each.
    """

    def __init__(self, traces: TraceTable) -> None:
        self._traces = traces
        num_ops = int(traces.op.max()) + 1 if len(traces) else 0
        self._num_slots = int(traces.output_slot.max()) + 1 if len(traces) else 1
        self._distinct = DistinctKeys(self._keys, len(traces), num_ops * self._num_slots)
        self.op: Int64s = self._distinct.values // self._num_slots
        self.output_slot: Int64s = self._distinct.values % self._num_slots

    def __len__(self) -> int:
        return len(self._distinct)

    def numbers(self, rows: Rows) -> npt.NDArray[Any]:
        """The tensor of each trace row: unsigned, as narrow as the numbers allow."""
        return self._distinct.numbers(rows)

    def spreading(self, told: Mask) -> Callable[[Rows], Mask]:
        """What is told of each tensor, as a function that tells it of trace rows."""
        return self._distinct.spreading(told)

    def _keys(self, rows: Rows) -> Int64s:
        keys = self._traces.op[rows].astype(np.int64)
        if self._num_slots > 1:
            keys *= self._num_slots
            keys += self._traces.output_slot[rows]
        return keys
