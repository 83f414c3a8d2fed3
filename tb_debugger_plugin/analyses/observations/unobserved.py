"""Functions that ran, or may have, without any of their tensors being observed.

What was not observed is not known to be healthy. TensorFlow watches ops by adding others beside
them; where it cannot, as in what XLA compiles, or was told not to, nothing says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from tb_debugger_plugin.analyses.execution_rows import any_of_row
from tb_debugger_plugin.analyses.function_names import is_backward_graph
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, is_call_name
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.analyses.observations.words import count_of, graph_names
from tb_debugger_plugin.analyses.op_types import rows_of_types
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import is_update
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.events.batches import NOT_OBSERVED, Int32s, Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import Graph, GraphKey

_FLOATING = re.compile(
    r"(?:Batch)?MatMul(?:V\d)?|BiasAdd|(?:DepthwiseConv2dNative|Conv[123]D)(?:Backprop\w+)?"
    r"|FusedBatchNorm(?:V\d)?|(?:Log)?Softmax|(?:Sparse)?SoftmaxCrossEntropyWithLogits"
    r"|(?:Elu|Relu|Relu6|Rsqrt|Selu|Sigmoid|Softplus|Sqrt|Tanh)(?:Grad)?"
    r"|Cos|Erfc?|Exp|Expm1|Lgamma|Log|Log1p|Reciprocal|Sin|Tan|Xdivy|Xlog1py|Xlogy"
    r"|(?:Stateless)?(?:RandomStandardNormal|RandomNormal|RandomUniform|TruncatedNormal)(?:V\d)?"
)
"""Types of ops whose output is nearly always a float: every mode that traces would trace it."""

_LEAVE_NO_TRACE = PLACEHOLDERS | {
    *("Const", "Enter", "Exit", "Identity", "If", "LoopCond", "Merge", "NextIteration"),
    *("NoOp", "StatelessIf", "Switch", "While"),
}

_MODES_OF_EVERY_DTYPE = [debug_modes.NO_TENSOR, debug_modes.SHAPE, debug_modes.FULL_TENSOR]

_PART_OF_FUNCTION = re.compile(
    r".+_(?:cond|body|true|false|branch\d+)_\d+(?:_(?:grad|rewritten).*)?|Dataset_.*", re.DOTALL
)
"""Branches may not be taken; of datasets' functions TensorFlow runs others than it was given."""


def unobserved_functions(snapshot: Snapshot, traces_per_graph: Int64s) -> Iterator[Observation]:
    """Functions that were executed, and functions that were only built, without any trace.

    Args:
      snapshot: A run of which no traces were lost: else that would be why there are none.
      traces_per_graph: By ``GraphKey``.
    """
    graph = snapshot.executions.graph
    num_calls = np.bincount(graph[graph >= 0].astype(np.int64), minlength=len(traces_per_graph))
    observed = _with_outer_graphs(snapshot, traces_per_graph > 0)
    unobserved = ~observed
    called = np.flatnonzero(unobserved & (num_calls > 0))
    found = [GraphKey(key) for key in _that_gave_values(snapshot, called)]
    if found:
        number = int(num_calls[found].sum())
        yield Observation(
            "unobserved_calls",
            f"{count_of(number, 'call')} of {graph_names(snapshot, found)} gave values and left "
            "no graph execution: nothing that went on inside was observed.",
            num_records=number,
            graphs=tuple(found),
        )
    built = _built_for_floats(snapshot, unobserved & (num_calls == 0))
    built = _without_replaced(snapshot, built, observed)
    if built and len(snapshot.traces):
        yield Observation(
            "unobserved_functions",
            f"{graph_names(snapshot, built)} {'was' if len(built) == 1 else 'were'} built, and "
            "neither a call nor a graph execution is on disk.",
            graphs=tuple(built),
        )


def _with_outer_graphs(snapshot: Snapshot, graphs: Mask) -> Mask:
    """The graphs and all that are around one of them."""
    found: Mask = graphs.copy()
    for key in np.flatnonzero(graphs).tolist():
        known = snapshot.graphs.get(key)
        while known and known.outer is not None and not found[known.outer]:
            found[known.outer] = True
            known = snapshot.graphs.get(known.outer)
    return found


def _without_replaced(snapshot: Snapshot, graphs: list[GraphKey], observed: Mask) -> list[GraphKey]:
    """Those that are neither a version of a function that was observed in another, nor in one.

    TensorFlow traces a function that makes variables twice, and runs the second version only.
    Two functions of one name are taken for versions within another function, not side by side:
    there they are methods of two classes as likely.
    """
    known = snapshot.graphs
    seen = {
        (graph.name, graph.outer)
        for key, graph in known.items()
        if observed[key] and graph.outer is not None and _is_function(known.get(graph.outer))
    }

    def is_replaced(key: GraphKey) -> bool:
        graph = known.get(key)
        return bool(
            graph and graph.name and not observed[key] and (graph.name, graph.outer) in seen
        )

    return [graph for graph in graphs if not any(map(is_replaced, snapshot.graph_path(graph)))]


def _is_function(graph: Graph | None) -> bool:
    return graph is not None and bool(graph.name)


def _that_gave_values(snapshot: Snapshot, graphs: Int64s) -> list[int]:
    """Those that computed something which the mode of their calls would have traced."""
    executions = snapshot.executions
    rows = np.flatnonzero(np.isin(executions.graph, graphs)) if len(graphs) else graphs
    if not len(rows):
        return []
    gave_float = any_of_row(executions.values.bad != NOT_OBSERVED, executions.value_end)[rows]
    gave = gave_float | np.isin(executions.mode[rows], _MODES_OF_EVERY_DTYPE)
    found: list[int] = np.intersect1d(
        executions.graph[rows[gave]], _that_compute(snapshot)
    ).tolist()
    return found


def _that_compute(snapshot: Snapshot) -> Int64s:
    """Graphs with an op that leaves a trace when it runs, or one that calls a function."""
    names, ops = snapshot.names, snapshot.ops
    computing = _ops_of_types(
        snapshot, lambda name: name not in _LEAVE_NO_TRACE and not is_update(name)
    )
    unknown = np.unique(ops.input_op[snapshot.op_row[ops.input_op] < 0]).tolist()
    calls = [op for op in unknown if is_call_name(names.op_name(op))]
    return np.unique(names.op_graph.view().take([*computing.tolist(), *calls]))


def _built_for_floats(snapshot: Snapshot, graphs: Mask) -> list[GraphKey]:
    names = snapshot.names
    floating = _ops_of_types(snapshot, lambda name: _FLOATING.fullmatch(name) is not None)
    candidates = np.unique(names.op_graph.view().take(floating))
    return [
        GraphKey(key)
        for key in candidates[graphs[candidates]].tolist()
        if (known := snapshot.graphs.get(key))
        and known.name
        and not is_backward_graph(known.name)
        and not _PART_OF_FUNCTION.fullmatch(known.name)
    ]


def _ops_of_types(snapshot: Snapshot, is_wanted: Callable[[str], bool]) -> Int32s:
    ops = snapshot.ops
    return ops.op[rows_of_types(ops.op_type, snapshot.names.strings.values, is_wanted)]
