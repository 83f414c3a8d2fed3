"""Variables: which ops read and update them, and which update left a bad value in one.

Updates have no output, and so leave no trace: one is known to have been bad by the value that it
was given. A variable goes by the eager id of its handle where the call tells it, else by the
Placeholder that stands for it in a graph, which captures one variable for good.
"""

from __future__ import annotations

import re

import numpy as np

from tb_debugger_plugin.events.batches import Int64s

READS = frozenset({"ReadVariableOp", "ResourceGather", "ResourceGatherNd"})
HANDLES = frozenset({"VarHandleOp", "VariableV2", "Variable"})
_UPDATES = re.compile(r"Assign\w*VariableOp|Resource(Sparse)?Apply\w+|ResourceScatter\w+|Assign\w*")


def is_update(op_type: str) -> bool:
    """Whether an op updates the variable whose handle is its first input.

    >>> is_update("AssignSubVariableOp"), is_update("ResourceApplyAdam"), is_update("Sub")
    (True, True, False)
    """
    return _UPDATES.fullmatch(op_type) is not None


class BadUpdates:
    """Updates of variables by bad values, each with the alert of the value."""

    def __init__(self, variables: Int64s, alerts: Int64s, num_alerts: int) -> None:
        self._stride = num_alerts + 1
        self._variables, ranks = np.unique(variables, return_inverse=True)
        self._keys = np.sort(ranks.astype(np.int64) * self._stride + alerts)

    def last_before(self, variables: Int64s, alerts: Int64s) -> Int64s:
        """The alert of the value that each variable was last updated by before an alert, or -1."""
        if not len(self._variables):
            return np.full(len(variables), -1, dtype=np.int64)
        ranks = np.searchsorted(self._variables, variables)
        ranks[ranks == len(self._variables)] = 0
        places = np.searchsorted(self._keys, ranks * self._stride + alerts) - 1
        keys = self._keys[np.maximum(places, 0)]
        found = (
            (places >= 0) & (keys // self._stride == ranks) & (self._variables[ranks] == variables)
        )
        return np.where(found, keys % self._stride, -1)
