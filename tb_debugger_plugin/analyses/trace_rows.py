"""Which graph execution traces pass a filter, and how they are listed under headings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class TraceFilter:
    """What a trace has to fulfil; a field that is ``None`` or false asks nothing.

    ``text`` is part of ``op name:slot``, op type or graph name, in any case. ``graph``, ``op`` and
    ``execution_row`` are exact.
    """

    text: str | None = None
    inf_nan: bool = False
    graph: GraphKey | None = None
    op: OpKey | None = None
    execution_row: int | None = None


NO_FILTER = TraceFilter()


def matching_positions(snapshot: Snapshot, calls: Int64s, wanted: TraceFilter) -> Int64s | None:
    """Positions in trace order of the traces that pass, ascending; ``None`` if all do.

    Args:
      snapshot: The run.
      calls: The execution row of each trace row (``join_traces_to_executions``).
      wanted: The filter.
    """
    if wanted == NO_FILTER:
        return None
    traces = snapshot.traces
    mask: Mask = np.ones(len(traces), dtype=np.bool_)
    if wanted.inf_nan:
        mask &= traces.values.bad == HAS_INF_NAN
    if wanted.op is not None:
        mask &= traces.op == wanted.op
    if wanted.graph is not None:
        mask &= (snapshot.names.op_graph.view() == wanted.graph)[traces.op]
    if wanted.execution_row is not None:
        mask &= calls == wanted.execution_row
    if wanted.text:
        mask &= _matches_text(snapshot, wanted.text)
    rows = np.flatnonzero(mask)
    index = snapshot.trace_index_of_row
    return rows if index is None else np.sort(index[rows])


def _matches_text(snapshot: Snapshot, text: str) -> Mask:
    """Matches once for each op and once for each slot, then spreads over the traces."""
    folded = text.casefold()
    # What reaches into the slot does so over the last colon.
    end_of_name, colon, start_of_slot = folded.rpartition(":")
    names, ops = snapshot.names, snapshot.ops
    strings = names.strings.values
    type_matches = [folded in strings[i].casefold() for i in range(len(names.strings))]
    graph_matches = {
        key for key, graph in snapshot.graphs.items() if folded in (graph.name or "").casefold()
    }
    num_ops = len(names.op_graph)
    matches: Mask = np.zeros(num_ops, dtype=np.bool_)
    ends_match: Mask = np.zeros(num_ops, dtype=np.bool_)
    op_row = snapshot.op_row
    for op, (graph, name) in enumerate(names.op_refs.values[:num_ops]):
        lowered = name.casefold()
        row = int(op_row[op]) if op < len(op_row) else -1
        matches[op] = (
            folded in lowered
            or graph in graph_matches
            or (row >= 0 and type_matches[ops.op_type[row]])
        )
        ends_match[op] = bool(colon) and lowered.endswith(end_of_name)
    traces = snapshot.traces
    if not colon:
        return matches[traces.op]
    slots, slot_of_trace = np.unique(traces.output_slot, return_inverse=True)
    slot_matches = np.array([str(slot).startswith(start_of_slot) for slot in slots], np.bool_)
    return matches[traces.op] | (ends_match[traces.op] & slot_matches[slot_of_trace])


@dataclass(frozen=True)
class TraceList:
    """Traces under headings: a heading stands where the call or the graph changes.

    ``positions`` are positions in trace order; ``row_of`` is the row at which each of them is
    listed, headings counted. ``num_rows`` counts both.
    """

    positions: Int64s
    row_of: Int64s
    num_rows: int

    def __len__(self) -> int:
        return len(self.positions)

    def slice(self, begin: int, end: int) -> list[tuple[bool, int]]:
        """The rows ``[begin, end)``, each as (is heading, position of the trace it is or heads)."""
        first = int(np.searchsorted(self.row_of, begin))
        last = int(np.searchsorted(self.row_of, end))
        rows = dict(
            zip(self.row_of[first:last].tolist(), self.positions[first:last].tolist(), strict=True)
        )
        listed = []
        following = int(self.positions[last]) if last < len(self.positions) else -1
        for row in range(min(end, self.num_rows) - 1, begin - 1, -1):
            is_heading = row not in rows
            following = rows.get(row, following)
            listed.append((is_heading, following))
        return listed[::-1]


def list_under_headings(snapshot: Snapshot, calls: Int64s, positions: Int64s | None) -> TraceList:
    """Lists traces (all of them for ``None``) with a heading before each change."""
    order = snapshot.trace_order
    if positions is None:
        positions = np.arange(len(snapshot.traces), dtype=np.int64)
    if not len(positions):
        return TraceList(positions, positions, 0)
    rows = positions if order is None else order[positions]
    graphs = snapshot.names.op_graph.view()[snapshot.traces.op[rows]]
    calls_of = calls[rows]
    changes = np.ones(len(rows), dtype=np.int64)
    changes[1:] = (graphs[1:] != graphs[:-1]) | (calls_of[1:] != calls_of[:-1])
    row_of = np.arange(len(rows), dtype=np.int64) + np.cumsum(changes)
    return TraceList(positions, row_of, int(row_of[-1]) + 1)
