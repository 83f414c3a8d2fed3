"""Which execution made an eager tensor, for many at once."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.time_order import blocks
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


class EagerTensors:
    """Eager tensor ids -> the executions that made them, and rows of the values they recorded.

    An output's *key* has its tensor's id in front and its place among all outputs behind, so that
    the last output of a tensor before an execution is found by one search in the sorted keys: eight
    bytes an output are all that is kept.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        executions = snapshot.executions
        self._executions = executions
        ids = executions.output_tensor_id
        # Bits, as shifting is much faster than dividing.
        self._place_bits = len(ids).bit_length()
        least, greatest = (int(ids.min()), int(ids.max())) if len(ids) else (0, 0)
        # No program counts that far; a damaged or made-up file may.
        self._distinct = None
        if least < 0 or greatest > self._greatest_number:
            self._distinct = np.unique(ids).astype(np.int64)
        self._keys: Int64s = np.empty(len(ids), dtype=np.int64)
        for block in blocks(range(len(ids))):
            places = np.arange(block.start, block.stop)
            self._keys[block] = self._first_key(self._numbers(ids[block].astype(np.int64))) + places
        # TensorFlow counts up, so one thread's outputs are in order as they are.
        if not bool(np.all(self._keys[1:] > self._keys[:-1])):
            self._keys.sort()

    def makers(self, tensor_ids: Int64s, before_rows: Int64s) -> tuple[Int64s, Int64s]:
        """The last executions before some rows that output tensors.

        Args:
          tensor_ids: By question.
          before_rows: Rows of executions: only what executions of lower rows output counts.

        Returns:
          The row of each tensor's execution and the slot of its output, -1 where not known.

        """
        rows = np.full(len(tensor_ids), -1, dtype=np.int64)
        slots = np.full(len(tensor_ids), -1, dtype=np.int64)
        if not len(self._keys):
            return rows, slots
        ends = self._executions.output_end
        for block in blocks(range(len(tensor_ids))):
            numbers = self._numbers(tensor_ids[block])
            first = self._first_key(numbers)
            places = np.searchsorted(self._keys, first + ends[before_rows[block]]) - 1
            keys = self._keys[np.maximum(places, 0)]
            found = np.flatnonzero((places >= 0) & (numbers >= 0) & (keys >= first))
            # As narrow as the column, which would be copied else.
            outputs = (keys[found] - first[found]).astype(ends.dtype)
            made_by = np.searchsorted(ends, outputs, side="right") - 1
            rows[found + block.start] = made_by
            slots[found + block.start] = outputs - ends[made_by]
        return rows, slots

    def maker(self, tensor_id: int, before_row: int) -> tuple[int, int] | None:
        """Row and output slot of the last execution before a row that output a tensor."""
        rows, slots = self.makers(np.array([tensor_id]), np.array([before_row]))
        return (int(rows[0]), int(slots[0])) if rows[0] >= 0 else None

    def values(self, tensor_ids: Int64s, before_rows: Int64s) -> tuple[Int64s, Int64s]:
        """What executions before some rows recorded of tensors.

        Args:
          tensor_ids: By question.
          before_rows: Rows of executions: only what executions of lower rows output counts.

        Returns:
          The execution that made each tensor and the row of its value, -1 where not known.

        """
        executions = self._executions
        rows, slots = self.makers(tensor_ids, before_rows)
        begins, ends = executions.value_end[rows], executions.value_end[rows + 1]
        num_outputs = executions.output_end[rows + 1] - executions.output_end[rows]
        # Values can only be told apart where each output has one.
        found = (rows >= 0) & (ends - begins == num_outputs)
        return rows, np.where(found, begins + slots, -1)

    def _numbers(self, ids: Int64s) -> Int64s:
        """Numbers for ids, in the same order, small enough for a key; -1 for an unknown id."""
        if self._distinct is None:
            return np.where((ids >= 0) & (ids <= self._greatest_number), ids, -1)
        places = np.minimum(np.searchsorted(self._distinct, ids), len(self._distinct) - 1)
        return np.where(self._distinct[places] == ids, places, -1)

    def _first_key(self, numbers: Int64s) -> Int64s:
        return numbers << self._place_bits

    @property
    def _greatest_number(self) -> int:
        return int(np.iinfo(np.int64).max) >> self._place_bits
