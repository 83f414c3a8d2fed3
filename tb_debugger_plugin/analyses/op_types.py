"""Which ops and rows are of some op types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot


def is_op_of_types(snapshot: Snapshot, op_types: Iterable[str]) -> Mask:
    """Whether each op is of one of some types, by ``OpKey``."""
    ids = snapshot.names.strings.find_all(op_types)
    found: Mask = np.zeros(len(snapshot.names.op_refs), dtype=np.bool_)
    found[snapshot.ops.op[np.isin(snapshot.ops.op_type, ids)]] = True
    return found


def rows_of_types(
    op_types: npt.NDArray[Any], strings: Sequence[str], is_wanted: Callable[[str], bool]
) -> Int64s:
    """Rows of wanted op types, ascending.

    Args:
      op_types: By row, as ids of strings.
      strings: By id.
      is_wanted: Which types; asked once for each that occurs.
    """
    ids = np.flatnonzero(np.bincount(op_types)).tolist()
    return np.flatnonzero(np.isin(op_types, [each for each in ids if is_wanted(strings[each])]))
