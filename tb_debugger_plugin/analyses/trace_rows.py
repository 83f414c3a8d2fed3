"""Which graph execution traces pass a filter, and how they are listed under headings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.analyses.traced_tensors import TracedTensors
from tb_debugger_plugin.analyses.value_rows import ANY_VALUE, Mask, ValueFilter
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey


@dataclass(frozen=True)
class TraceFilter:
    """What a trace has to fulfil; a field that is ``None`` or false asks nothing.

    ``text`` is part of ``op name:slot``, op type or graph name, in any case, or a regular
    expression that matches in one of them. Times are a half-open range in seconds.
    """

    text: str | None = None
    is_regex: bool = False
    values: ValueFilter = ANY_VALUE
    device: str | None = None
    graph: GraphKey | None = None
    op: OpKey | None = None
    execution_row: int | None = None
    begin_time: float | None = None
    end_time: float | None = None


def matching_positions(
    snapshot: Snapshot, calls: Int64s, tensors: TracedTensors, wanted: TraceFilter
) -> Int64s | None:
    """Positions in trace order of the traces that pass, ascending; ``None`` if all do.

    Args:
      snapshot: The run.
      calls: The execution row of each trace row (``join_traces_to_executions``).
      tensors: The run's traced tensors.
      wanted: The filter.

    Raises:
      BadPattern: The text is no regular expression.
    """
    if wanted == TraceFilter():
        return None
    traces = snapshot.traces
    mask: Mask = np.ones(len(traces), dtype=np.bool_)
    if wanted.values != ANY_VALUE:
        mask &= wanted.values.mask(traces.values)
    if wanted.device is not None:
        device = snapshot.names.strings.find(wanted.device)
        mask &= traces.device == (-1 if device is None else device)
    if wanted.begin_time is not None:
        mask &= traces.wall_time >= wanted.begin_time
    if wanted.end_time is not None:
        mask &= traces.wall_time < wanted.end_time
    if wanted.op is not None:
        mask &= traces.op == wanted.op
    if wanted.graph is not None:
        mask &= (snapshot.names.op_graph.view() == wanted.graph)[traces.op]
    if wanted.execution_row is not None:
        mask &= calls == wanted.execution_row
    if wanted.text:
        mask &= tensors.spread(_matches_text(snapshot, tensors, wanted.text, wanted.is_regex))
    rows = np.flatnonzero(mask)
    index = snapshot.trace_index_of_row
    return rows if index is None else np.sort(index[rows])


def _matches_text(snapshot: Snapshot, tensors: TracedTensors, text: str, is_regex: bool) -> Mask:
    """Whether each traced tensor is one that the text finds."""
    matches = matcher(text, is_regex=is_regex)
    strings, op_refs = snapshot.names.strings.values, snapshot.names.op_refs.values
    graph_matches = {
        key: graph.name is not None and matches(graph.name)
        for key, graph in snapshot.graphs.items()
    }
    ops = tensors.op
    rows = snapshot.op_row[ops]
    type_matches: dict[int, bool] = {-1: False}
    found: Mask = np.zeros(len(tensors), dtype=np.bool_)
    types = np.where(rows < 0, -1, snapshot.ops.op_type[rows]) if len(snapshot.ops) else rows
    for number, (op, slot, op_type) in enumerate(
        zip(ops.tolist(), tensors.output_slot.tolist(), types.tolist(), strict=True)
    ):
        graph, name = op_refs[op]
        if op_type not in type_matches:
            type_matches[op_type] = matches(strings[op_type])
        found[number] = (
            type_matches[op_type] or graph_matches.get(graph, False) or matches(f"{name}:{slot}")
        )
    return found


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
