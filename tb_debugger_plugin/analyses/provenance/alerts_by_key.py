"""The last alert with a key before another one, for many at once."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.events.batches import Int64s


class AlertsByKey:
    """Alerts, each with a key: the variable that its value updated, or how large its tensor is."""

    def __init__(self, keys: Int64s, alerts: Int64s, num_alerts: int) -> None:
        self._stride = num_alerts + 1
        self._keys, ranks = np.unique(keys, return_inverse=True)
        self._places = np.sort(ranks.astype(np.int64) * self._stride + alerts)

    def last_before(self, keys: Int64s, alerts: Int64s) -> Int64s:
        """The last alert with each key before another alert; -1 for none."""
        if not len(self._keys):
            return np.full(len(keys), -1, dtype=np.int64)
        ranks = np.searchsorted(self._keys, keys)
        ranks[ranks == len(self._keys)] = 0
        before = np.searchsorted(self._places, ranks * self._stride + alerts) - 1
        places = self._places[np.maximum(before, 0)]
        found = (before >= 0) & (places // self._stride == ranks) & (self._keys[ranks] == keys)
        return np.where(found, places % self._stride, -1)
