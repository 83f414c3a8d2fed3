"""Calls of functions as both lists show them: by executions, and by graph executions.

A function's ops run once in each of its calls, so that any one of them that is traced, its
*witness*, counts the calls; and an execution is written when the call has returned, so that its
witness stands before it. Where the two do not pair up, one of them is missing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask, TimeOrder, blocks
from tb_debugger_plugin.events.batches import Float64s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey

_MOST_FUNCTIONS = 200
"""Of the functions whose calls do not pair up, so many are looked at: those called most."""

_LOOP_OPS = ("Enter", "RefEnter")
"""TensorFlow 1 runs the body of a loop in the graph itself; elsewhere it is a graph of its own."""


@dataclass(frozen=True)
class UnpairedCalls:
    """Of one function, the calls that only one of the two lists shows.

    ``unobserved`` are indices of executions that no witness stands before, ascending.
    ``num_unreturned`` counts the witnesses that no execution stands behind.
    """

    graph: GraphKey
    unobserved: Int64s
    num_unreturned: int


def unpaired_calls(traces: JoinedTraces) -> list[UnpairedCalls]:
    """The functions of which some calls are in one list only.

    What came behind the last trace or the last execution is left out: files are written in blocks,
    so that the end of either may lag behind. Runs of several file sets are left out: clocks differ.
    """
    snapshot = traces.snapshot
    executions = snapshot.executions
    if len(snapshot.file_sets) != 1 or not len(traces) or not len(executions):
        return []
    graph_of_execution = executions.graph
    num_graphs = len(snapshot.names.graph_ids)
    num_calls = np.bincount(
        graph_of_execution[graph_of_execution >= 0].astype(np.int64), minlength=num_graphs
    )[:num_graphs]
    witness, num_witnessed = _witnesses(traces, num_graphs)
    unequal = np.flatnonzero((num_calls > 0) & (num_witnessed > 0) & (num_calls != num_witnessed))
    unequal = unequal[np.argsort(-num_calls[unequal], kind="stable")][:_MOST_FUNCTIONS]
    if not len(unequal):
        return []
    in_order = TimeOrder.of_executions(snapshot)
    execution_rows = in_order.rows(EVERY_ROW)
    ended, called = executions.wall_time[execution_rows], graph_of_execution[execution_rows]
    begun_by_graph = _times_of_witnesses(traces, witness[unequal])
    last_trace = float(snapshot.traces.wall_time.max())
    # A call of another thread may be under way at the end, with its witness and no execution.
    is_one_thread = _num_threads(snapshot, np.flatnonzero(num_calls)) == 1
    with_loops = _graphs_with_loops(snapshot)
    found = []
    for graph in unequal.tolist():
        indices = np.flatnonzero(called == graph)
        is_unobserved, num_left_over = _pair(begun_by_graph[graph], ended[indices])
        is_unobserved &= ended[indices] <= last_trace
        is_told = is_one_thread and graph not in with_loops
        found.append(
            UnpairedCalls(
                GraphKey(graph),
                unobserved=indices[is_unobserved],
                num_unreturned=num_left_over if is_told else 0,
            )
        )
    return [calls for calls in found if len(calls.unobserved) or calls.num_unreturned]


def _witnesses(traces: JoinedTraces, num_graphs: int) -> tuple[Int64s, Int64s]:
    """Of each graph the tensor that was traced most, and how often; 0 and 0 for none."""
    tensors = traces.tensors
    counts = np.zeros(len(tensors), dtype=np.int64)
    for block in blocks(range(len(traces))):
        counts += np.bincount(tensors.numbers(block), minlength=len(tensors))
    graph_of_tensor = traces.snapshot.names.op_graph.view().take(tensors.op)
    ascending = np.argsort(counts, kind="stable")
    witness = np.zeros(num_graphs, dtype=np.int64)
    num_witnessed = np.zeros(num_graphs, dtype=np.int64)
    # The last of a graph is the one that stays.
    witness[graph_of_tensor[ascending]] = ascending
    num_witnessed[graph_of_tensor[ascending]] = counts[ascending]
    return witness, num_witnessed


def _times_of_witnesses(traces: JoinedTraces, witnesses: Int64s) -> dict[int, Float64s]:
    """By graph, the ascending times of its witness."""
    is_witness = np.zeros(len(traces.tensors), dtype=np.bool_)
    is_witness[witnesses] = True
    snapshot = traces.snapshot
    rows = np.flatnonzero(traces.tensors.spreading(is_witness)(EVERY_ROW))
    graphs = snapshot.names.op_graph.view().take(snapshot.traces.op[rows])
    times = snapshot.traces.wall_time[rows]
    by_graph = np.lexsort((times, graphs))
    keys, begins = np.unique(graphs[by_graph], return_index=True)
    parts = np.split(times[by_graph], begins[1:])
    return dict(zip(keys.tolist(), parts, strict=True))


def _num_threads(snapshot: Snapshot, graphs: Int64s) -> int:
    """How many outermost graphs the functions are in: every thread has one of its own."""
    return len({snapshot.graph_path(GraphKey(graph))[0] for graph in graphs.tolist()})


def _graphs_with_loops(snapshot: Snapshot) -> set[int]:
    """Graphs whose ops may run more than once in a call."""
    op_types = snapshot.names.strings.find_all(_LOOP_OPS)
    ops = snapshot.ops.op[np.isin(snapshot.ops.op_type, op_types)]
    return set(snapshot.names.op_graph.view().take(ops).tolist())


def _pair(begun: Float64s, ended: Float64s) -> tuple[Mask, int]:
    """Whether each execution lacks a witness, and how many witnesses before the last one are over.

    Calls of several threads overlap, so that no witness is anyone's own; but at no time may more
    calls have ended than have begun.

    Args:
      begun: Times of the witness, ascending.
      ended: Times of the executions, ascending.
    """
    begun_by_then = np.searchsorted(begun, ended, side="right")
    under_way = begun_by_then - np.arange(1, len(ended) + 1)
    fewest = np.minimum(np.minimum.accumulate(under_way), 0)
    lacks: Mask = np.diff(fewest, prepend=0) < 0
    return lacks, int(begun_by_then[-1]) - len(ended) + int(lacks.sum())
