"""The graph execution traces that pass one filter, in the forms in which they are asked for."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.passes import Folding, first_pass, fold_passes
from tb_debugger_plugin.analyses.trace_rows import (
    TraceFilter,
    TraceList,
    list_under_headings,
    matching_positions,
)
from tb_debugger_plugin.events.batches import Int32s
from tb_debugger_plugin.index.parts import part


class TraceSelection:
    """Nothing is derived before it is asked for."""

    def __init__(self, traces: JoinedTraces, wanted: TraceFilter) -> None:
        self._traces = traces
        self._wanted = wanted

    def __len__(self) -> int:
        return len(self._traces) if self.positions is None else len(self.positions)

    @property
    def nbytes(self) -> int:
        """Bytes of what was derived by now."""
        made = list(self.__dict__.values())  # A copy: another thread may be making more.
        arrays = [a for a in made if isinstance(a, np.ndarray)]
        lists = [a for a in made if isinstance(a, TraceList | Folding)]
        return sum(array.nbytes for array in arrays) + sum(made.nbytes for made in lists)

    @part
    def positions(self) -> Int32s | None:
        """Positions in trace order, ascending; ``None`` if all traces pass.

        Raises:
          BadPattern: The text is no regular expression.
        """
        return matching_positions(self._traces, self._wanted)

    @part
    def folding(self) -> Folding:
        """Those of one tensor in one call as one."""
        return fold_passes(self._traces, self.positions)

    @part
    def rows(self) -> TraceList:
        """All under headings."""
        return list_under_headings(self._traces, self.positions)

    @part
    def folded_rows(self) -> TraceList:
        """Those of one tensor in one call as one, under headings."""
        return list_under_headings(self._traces, self.folding.positions)

    def first_pass(self, position: int) -> int:
        """Where one of these traces stands among the folded ones."""
        return first_pass(self._traces, self.positions, position)
