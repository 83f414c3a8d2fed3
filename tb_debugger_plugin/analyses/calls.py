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
import numpy.typing as npt

from tb_debugger_plugin.analyses.function_names import is_backward_graph, parse_function_name
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey

_EXECUTIONS_AHEAD_OF_THREADS = 8
"""How many executions of other threads may be written while a call runs."""


def join_traces_to_executions(snapshot: Snapshot) -> Int64s:
    """The row of the execution that each trace (by row) belongs to; -1 for none."""
    traces, executions = snapshot.traces, snapshot.executions
    calls = np.full(len(traces), -1, dtype=np.int64)
    if not len(traces) or not len(executions):
        return calls
    order = snapshot.execution_order
    sorted_times = executions.wall_time if order is None else executions.wall_time[order]
    graph_of_trace = snapshot.names.op_graph.view()[traces.op]
    function_of_execution, functions = _functions(snapshot)
    matches = _Matches(snapshot, functions)
    next_execution = np.searchsorted(sorted_times, traces.wall_time, side="left")
    open_rows = np.arange(len(traces))
    # The first execution at or behind a trace is its call, unless other threads wrote theirs in
    # between: then it is the next one that fits. Each thread has an outermost graph of its own.
    threads = sum(graph.outer is None for graph in snapshot.graphs.values())
    for ahead in range(_EXECUTIONS_AHEAD_OF_THREADS if threads > 1 else 1):
        position = next_execution[open_rows] + ahead
        inside = position < len(executions)
        open_rows, position = open_rows[inside], position[inside]
        if not len(open_rows):
            break
        row = position if order is None else order[position]
        fits = matches.check(function_of_execution[row], graph_of_trace[open_rows])
        calls[open_rows[fits]] = row[fits]
        open_rows = open_rows[~fits]
    return calls


def _functions(snapshot: Snapshot) -> tuple[Int64s, list[tuple[str, GraphKey]]]:
    """Numbers the distinct (op type, graph) pairs of executions; -1 for ops."""
    executions = snapshot.executions
    pairs = np.stack([executions.op_type, executions.graph], axis=1).astype(np.int64)
    distinct, numbers = np.unique(pairs, axis=0, return_inverse=True)
    functions: list[tuple[str, GraphKey]] = []
    renumbered = np.full(len(distinct), -1, dtype=np.int64)
    for position, (op_type, graph) in enumerate(distinct.tolist()):
        name = snapshot.names.strings.values[op_type]
        if graph >= 0 or parse_function_name(name) is not None:
            renumbered[position] = len(functions)
            functions.append((name, GraphKey(graph)))
    return renumbered[numbers.reshape(-1)], functions


class _Matches:
    """Whether a function can have run a graph, remembered for each pair."""

    def __init__(self, snapshot: Snapshot, functions: list[tuple[str, GraphKey]]) -> None:
        self._snapshot = snapshot
        self._functions = functions
        self._num_graphs = len(snapshot.names.graph_ids)
        self._known: dict[int, bool] = {}

    def check(self, functions: Int64s, graphs: Int32s) -> npt.NDArray[np.bool_]:
        """Element by element; no op (-1) has run a graph."""
        pairs = functions * self._num_graphs + graphs
        distinct, inverse = np.unique(pairs, return_inverse=True)
        answers = [pair >= 0 and self._matches(pair) for pair in distinct.tolist()]
        return np.array(answers, dtype=np.bool_)[inverse]

    def _matches(self, pair: int) -> bool:
        if pair not in self._known:
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
