"""Which execution made an eager tensor, for many at once."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


class EagerTensors:
    """Eager tensor ids -> rows of the values that executions recorded of them."""

    def __init__(self, snapshot: Snapshot) -> None:
        executions = snapshot.executions
        self._executions = executions
        self._order = np.argsort(executions.output_tensor_id, kind="stable").astype(np.int32)
        ids = executions.output_tensor_id[self._order]
        begins = np.ones(len(ids), dtype=np.bool_)
        begins[1:] = ids[1:] != ids[:-1]
        self._ids: Int64s = ids[begins].astype(np.int64)
        num_outputs = np.diff(executions.output_end)
        self._row_of_output = np.repeat(np.arange(len(executions), dtype=np.int32), num_outputs)
        # An id that several executions output stands in order of these.
        ranks = np.cumsum(begins) - 1
        self._keys: Int64s = ranks * (len(ids) + 1) + self._order

    def values(self, tensor_ids: Int64s, before_rows: Int64s) -> tuple[Int64s, Int64s]:
        """What executions before some rows recorded of tensors.

        Args:
          tensor_ids: By question.
          before_rows: Rows of executions: only what executions of lower rows output counts.

        Returns:
          The execution that made each tensor and the row of its value, -1 where not known.

        """
        executions = self._executions
        made_by = np.full(len(tensor_ids), -1, dtype=np.int64)
        values = np.full(len(tensor_ids), -1, dtype=np.int64)
        if not len(self._ids) or not len(tensor_ids):
            return made_by, values
        ranks = np.searchsorted(self._ids, tensor_ids)
        ranks[ranks == len(self._ids)] = 0
        before = executions.output_end[before_rows]
        places = np.searchsorted(self._keys, ranks * (len(self._order) + 1) + before) - 1
        outputs = self._order[np.maximum(places, 0)].astype(np.int64)
        found = (
            (places >= 0)
            & (self._ids[ranks] == tensor_ids)
            & (executions.output_tensor_id[outputs] == tensor_ids)
        )
        rows = self._row_of_output[outputs]
        made_by[found] = rows[found]
        begins, ends = executions.value_end[rows], executions.value_end[rows + 1]
        first = executions.output_end[rows]
        # Values can only be told apart where each output has one.
        found &= ends - begins == executions.output_end[rows + 1] - first
        values[found] = (begins + outputs - first)[found]
        return made_by, values
