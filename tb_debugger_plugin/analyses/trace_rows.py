"""Which graph execution traces pass a filter, and how they are listed under headings."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.calls import span_of_call
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.analyses.time_order import Mask, Rows, blocks
from tb_debugger_plugin.analyses.value_rows import ANY_VALUE, ValueFilter
from tb_debugger_plugin.events.batches import Int32s, Int64s
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


def matching_positions(joined: JoinedTraces, wanted: TraceFilter) -> Int32s | None:
    """Positions in trace order of the traces that pass, ascending; ``None`` if all do.

    Raises:
      BadPattern: The text is no regular expression.
    """
    if wanted == TraceFilter():
        return None
    span = joined.order.span(wanted.begin_time, wanted.end_time)
    if wanted.execution_row is not None:
        call = span_of_call(joined.snapshot, wanted.execution_row)
        span = range(max(span.start, call.start), min(span.stop, call.stop))
    tests = _tests(joined, wanted)
    found = [np.empty(0, dtype=np.int32)]
    for block in blocks(span):
        rows = joined.order.rows(block)
        mask: Mask = np.ones(block.stop - block.start, dtype=np.bool_)
        for test in tests:
            mask &= test(rows)
        found.append((np.flatnonzero(mask) + block.start).astype(np.int32))
    return np.concatenate(found)


def _tests(joined: JoinedTraces, wanted: TraceFilter) -> list[Callable[[Rows], Mask]]:
    """What is asked of each row, beside when it was made."""
    snapshot = joined.snapshot
    traces = snapshot.traces
    tests: list[Callable[[Rows], Mask]] = []
    if wanted.values != ANY_VALUE:
        tests.append(lambda rows: wanted.values.mask(traces.values, rows))
    if wanted.device is not None:
        device = snapshot.names.strings.find(wanted.device)
        # No string has the id -2; -1 is that of none.
        tests.append(lambda rows: traces.device[rows] == (-2 if device is None else device))
    if wanted.op is not None:
        tests.append(lambda rows: traces.op[rows] == wanted.op)
    if wanted.graph is not None:
        in_graph = snapshot.names.op_graph.view() == wanted.graph
        tests.append(lambda rows: in_graph.take(traces.op[rows]))
    if wanted.execution_row is not None:
        tests.append(lambda rows: joined.calls[rows] == wanted.execution_row)
    if wanted.text:
        found = _matches_text(joined, wanted.text, wanted.is_regex)
        tests.append(joined.tensors.spreading(found))
    return tests


def _matches_text(joined: JoinedTraces, text: str, is_regex: bool) -> Mask:
    """Whether each traced tensor is one that the text finds."""
    snapshot, tensors = joined.snapshot, joined.tensors
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
            type_matches[op_type]
            or graph_matches.get(graph, False)
            or matches(f"{name}:{slot}")
            or (is_regex and matches(name))  # "Log$" means the op.
        )
    return found


@dataclass(frozen=True)
class TraceList:
    """Traces under headings: a heading stands where the call or the graph changes.

    ``positions`` are those in trace order, ascending; ``None`` for all traces. ``heading_rows`` are
    the rows of the list at which a heading stands, ascending.
    """

    positions: Int32s | None
    num_traces: int
    heading_rows: Int32s

    @property
    def nbytes(self) -> int:
        """Bytes beside the positions."""
        return self.heading_rows.nbytes

    @property
    def num_rows(self) -> int:
        """Headings and traces."""
        return self.num_traces + len(self.heading_rows)

    def slice(self, begin: int, end: int) -> tuple[Mask, Int64s]:
        """The rows ``[begin, end)``: which are headings, and the traces they are or head."""
        rows = np.arange(begin, max(begin, min(end, self.num_rows)), dtype=np.int32)
        headings = np.searchsorted(self.heading_rows, rows, side="right")
        is_heading = self.heading_rows[headings - 1] == rows
        # A heading counts itself, and stands before its first trace.
        places = rows - headings + is_heading
        positions = places if self.positions is None else self.positions[places]
        return is_heading, positions.astype(np.int64)

    def row_of(self, place: int) -> int:
        """The row of the trace that is number ``place`` of those listed."""
        headings = range(len(self.heading_rows))
        # Number n + 1 stands before trace ``heading_rows[n] - n``.
        before = bisect_right(headings, place, key=lambda n: int(self.heading_rows[n]) - n)
        return place + before


def list_under_headings(joined: JoinedTraces, positions: Int32s | None) -> TraceList:
    """Lists traces (all of them for ``None``) with a heading before each change."""
    num_traces = len(joined) if positions is None else len(positions)
    graph_of_op = joined.snapshot.names.op_graph.view()
    found = [np.arange(min(num_traces, 1))]
    for block in blocks(range(num_traces)):
        # Beginning with the last one of the block before, to which the first one is compared.
        within = slice(max(block.start - 1, 0), block.stop)
        rows = joined.order.rows(within if positions is None else positions[within])
        graphs = graph_of_op.take(joined.snapshot.traces.op[rows])
        calls = joined.calls[rows]
        changes = (graphs[1:] != graphs[:-1]) | (calls[1:] != calls[:-1])
        found.append(np.flatnonzero(changes) + (within.start + 1))
    heading_rows = np.concatenate(found).astype(np.int32)
    # Each one moves those behind it on.
    heading_rows += np.arange(len(heading_rows), dtype=np.int32)
    return TraceList(positions, num_traces, heading_rows)
