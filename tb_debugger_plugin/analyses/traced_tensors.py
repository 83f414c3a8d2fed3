"""The distinct tensors that graph execution traces hold values of."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.distinct import Distinct
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask, Rows
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.tables import TraceTable


class TracedTensors:
    """(Op, output slot) of each distinct tensor, numbered by op and then by slot.

    There are few of them beside the traces, so that what can be told from a tensor's name is told
    once for each.
    """

    def __init__(self, traces: TraceTable) -> None:
        self._traces = traces
        self._num_slots = int(traces.output_slot.max()) + 1 if len(traces) else 1
        self._distinct = Distinct(self._keys(EVERY_ROW))
        self.op: Int64s = self._distinct.values // self._num_slots
        self.output_slot: Int64s = self._distinct.values % self._num_slots

    def __len__(self) -> int:
        return len(self._distinct)

    def numbers(self, rows: Rows = EVERY_ROW) -> npt.NDArray[Any]:
        """The tensor of each trace row; unsigned, as narrow as the numbers allow."""
        return self._distinct.numbers(self._keys(rows))

    def spread(self, told: Mask, rows: Rows = EVERY_ROW) -> Mask:
        """What is told of each tensor, told of each trace row."""
        return self._distinct.spread(told, self._keys(rows))

    def _keys(self, rows: Rows) -> Int64s:
        keys = self._traces.op[rows].astype(np.int64)
        if self._num_slots > 1:
            keys *= self._num_slots
            keys += self._traces.output_slot[rows]
        return keys
