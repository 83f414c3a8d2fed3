"""The distinct tensors that graph execution traces hold values of."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import TraceTable

Mask = npt.NDArray[np.bool_]

_MOST_KEYS_A_TRACE = 4


class TracedTensors:
    """(Op, output slot) of each distinct tensor, numbered by op and then by slot.

    There are few of them beside the traces, so that what can be told from a tensor's name is told
    once for each.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._traces: TraceTable = snapshot.traces
        traces = self._traces
        self._num_slots = int(traces.output_slot.max()) + 1 if len(traces) else 1
        num_keys = (int(traces.op.max()) + 1 if len(traces) else 0) * self._num_slots
        self._number_of_key: npt.NDArray[Any] | None = None
        if num_keys <= max(_MOST_KEYS_A_TRACE * len(traces), 1 << 16):
            occurs = np.zeros(num_keys, dtype=np.bool_)
            occurs[self._keys(None)] = True
            self._distinct: Int64s = np.flatnonzero(occurs)
            numbers = np.cumsum(occurs, dtype=np.int32) - 1
            self._number_of_key = numbers.astype(np.min_scalar_type(len(self._distinct)))
        else:
            self._distinct = np.unique(self._keys(None))
        self.op: Int64s = self._distinct // self._num_slots
        self.output_slot: Int64s = self._distinct % self._num_slots

    def __len__(self) -> int:
        return len(self._distinct)

    def numbers(self, rows: npt.NDArray[Any] | None = None) -> npt.NDArray[Any]:
        """The tensor of each trace row, of all of them for ``None``; as narrow as they allow."""
        keys = self._keys(rows)
        if self._number_of_key is None:
            return np.searchsorted(self._distinct, keys)
        return self._number_of_key[keys]

    def spread(self, flags: Mask) -> Mask:
        """What is told of each tensor, told of each trace row."""
        if self._number_of_key is None:
            return np.asarray(flags[self.numbers()])
        of_key: Mask = np.zeros(len(self._number_of_key), dtype=np.bool_)
        of_key[self._distinct] = flags
        return np.asarray(of_key[self._keys(None)])

    def _keys(self, rows: npt.NDArray[Any] | None) -> Int64s:
        op, slot = self._traces.op, self._traces.output_slot
        if rows is not None:
            op, slot = op[rows], slot[rows]
        keys = op.astype(np.int64)
        if self._num_slots > 1:
            keys *= self._num_slots
            keys += slot
        return keys
