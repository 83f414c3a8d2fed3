"""Which execution each graph execution trace belongs to.

The files hold no link. An execution is written when its op or function has returned, so the traces
of a call lie in time between the execution before and its own; and the graph tells the function:
it, or one around it, is the execution's ``graph_id``. Functions made for gradients record none,
and are told by name (``FORMAT.md`` section 3 of the format notes has the counts).

A trace joins no execution where another function's graph ran in the window: tf.data functions run
whenever the pipeline likes, and functions called from a thread that the debugger does not watch
leave no execution at all.
"""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.distinct import DistinctKeys
from tb_debugger_plugin.analyses.function_names import is_backward_graph, parse_function_name
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask, Rows, TimeOrder, blocks
from tb_debugger_plugin.events.batches import Float64s, Int32s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey

_MOST_PAIRS = 1 << 18
"""Of an execution's function and a graph: each is looked at once, which takes seconds for all."""

_EXECUTIONS_AHEAD_OF_THREADS = 8
"""How many executions of other threads may be written while a call runs."""


def join_traces_to_executions(snapshot: Snapshot) -> Int32s:
    """The row of the execution that each trace (by row) belongs to; -1 for none."""
    traces, executions = snapshot.traces, snapshot.executions
    calls = np.full(len(traces), -1, dtype=np.int32)
    if not len(traces) or not len(executions):
        return calls
    traces_in_order = TimeOrder.of_traces(snapshot)
    executions_in_order = TimeOrder.of_executions(snapshot)
    ended = executions.wall_time[executions_in_order.rows(EVERY_ROW)]
    graph_of_op = snapshot.names.op_graph.view()
    functions = _Functions(snapshot)
    # The first execution at or behind a trace is its call, unless other threads wrote theirs in
    # between: then it is the next one that fits. Each thread has an outermost graph of its own.
    threads = sum(graph.outer is None for graph in snapshot.graphs.values())
    for block in blocks(range(len(traces))):
        rows = traces_in_order.rows(block)
        graphs = graph_of_op.take(traces.op[rows])
        next_execution = _places_among(ended, traces.wall_time[rows])
        found = np.full(len(graphs), -1, dtype=np.int32)
        still_open = np.arange(len(graphs))
        for ahead in range(_EXECUTIONS_AHEAD_OF_THREADS if threads > 1 else 1):
            position = next_execution[still_open] + ahead
            inside = position < len(executions)
            still_open, position = still_open[inside], position[inside]
            if not len(still_open):
                break
            execution = executions_in_order.rows(position)
            fits = functions.have_run(execution, graphs[still_open])
            found[still_open[fits]] = execution[fits]
            still_open = still_open[~fits]
        calls[rows] = found
    return calls


def _places_among(ended: Float64s, times: Float64s) -> Int64s:
    """How many of the ascending ``ended`` are before each of the ascending ``times``.

    As ``np.searchsorted``, which would look for each of the many, instead of each of the few.
    """
    first, last = np.searchsorted(ended, times[[0, -1]])
    begins = np.searchsorted(times, ended[first:last], side="right")
    lengths = np.diff(begins, prepend=0, append=len(times))
    return np.repeat(np.arange(first, last + 1), lengths)


def span_of_call(snapshot: Snapshot, execution_row: int) -> range:
    """Positions in trace order that hold all traces of a call; others may stand among them."""
    executions = TimeOrder.of_executions(snapshot)
    traces = TimeOrder.of_traces(snapshot)
    index = executions.index(execution_row)
    before = index - _EXECUTIONS_AHEAD_OF_THREADS
    ended = float(executions.wall_time[execution_row])
    begin = 0
    if before >= 0:
        begin = traces.place(float(executions.wall_time[executions.row(before)]), "right")
    return range(begin, traces.place(ended, "right"))


class _Functions:
    """Which graphs the executions' functions can have run, remembered for each pair."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        executions = snapshot.executions
        self._num_graphs = len(snapshot.names.graph_ids) + 1
        num_op_types = int(executions.op_type.max()) + 1
        distinct = DistinctKeys(self._keys, len(executions), num_op_types * self._num_graphs)
        self._number_of = distinct.numbers
        names = snapshot.names.strings.values
        self._functions: list[tuple[str, GraphKey]] = []
        for key in distinct.values.tolist():
            op_type, graph = divmod(key, self._num_graphs)
            self._functions.append((names[op_type], GraphKey(graph - 1)))
        self._known: dict[int, bool] = {}

    def have_run(self, execution_rows: Int64s, graphs: Int32s) -> Mask:
        """Element by element; no eager op has run a graph."""
        pairs = self._number_of(execution_rows).astype(np.int64)
        pairs *= self._num_graphs
        pairs += graphs
        distinct = DistinctKeys(
            lambda rows: pairs[rows], len(pairs), len(self._functions) * self._num_graphs
        )
        answers = [self._has_run(pair) for pair in distinct.values.tolist()]
        return distinct.spreading(np.array(answers, dtype=np.bool_))(EVERY_ROW)

    def _keys(self, rows: Rows) -> Int64s:
        executions = self._snapshot.executions
        keys = executions.op_type[rows].astype(np.int64)
        keys *= self._num_graphs
        keys += executions.graph[rows]
        keys += 1
        return keys

    def _has_run(self, pair: int) -> bool:
        if pair not in self._known:
            if len(self._known) == _MOST_PAIRS:
                return False
            function, graph = divmod(pair, self._num_graphs)
            op_type, function_graph = self._functions[function]
            self._known[pair] = _has_run(self._snapshot, op_type, function_graph, GraphKey(graph))
        return self._known[pair]


def _has_run(snapshot: Snapshot, op_type: str, function_graph: GraphKey, graph: GraphKey) -> bool:
    path = snapshot.graph_path(graph)
    if function_graph >= 0:
        return function_graph in path
    function = parse_function_name(op_type)
    names = [known.name if (known := snapshot.graphs.get(key)) else None for key in path]
    if function is None:
        return False
    backward = any(is_backward_graph(name) for name in names)
    if function.kind != "backward":
        return not backward and function.python_name in names
    # The graph of the gradient itself, or the gradient of a function that it called.
    own = op_type.removeprefix("__inference_").rpartition("_")[0]
    return own in names or (backward and function.python_name in names)
