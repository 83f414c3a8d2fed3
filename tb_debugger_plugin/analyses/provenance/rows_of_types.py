"""Which rows are of ops of some types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import Int64s


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
