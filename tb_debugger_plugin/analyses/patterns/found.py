"""All patterns of one snapshot, each kind looked for when it is asked for, and once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice

import numpy as np

from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.observations.found import Observations
from tb_debugger_plugin.analyses.observations.words import count_of
from tb_debugger_plugin.analyses.patterns.kinds import EXPLANATIONS
from tb_debugger_plugin.analyses.patterns.pattern import Pattern, PatternKind, PatternsOfKind
from tb_debugger_plugin.analyses.patterns.read_values import find_in_values
from tb_debugger_plugin.analyses.patterns.retracing import Retracing
from tb_debugger_plugin.analyses.patterns.shapes import find_shape_changes
from tb_debugger_plugin.analyses.patterns.thresholds import MOST_KEPT
from tb_debugger_plugin.analyses.patterns.zeros import find_zeros
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey


def find_patterns(
    joined: JoinedTraces, functions: GraphFunctions, code: Code, observations: Observations
) -> Mapping[PatternKind, PatternsOfKind]:
    """The patterns of each kind, in the order in which kinds are listed."""
    in_values: dict[PatternKind, list[Pattern]] = {}
    for pattern in find_in_values(joined, functions):
        in_values.setdefault(pattern.kind, []).append(pattern)
    found: dict[PatternKind, Iterable[Pattern]] = {
        **find_zeros(joined, functions),
        **in_values,
        "retracing": Retracing(joined, functions, code).patterns(),
        "shape_change": find_shape_changes(joined, functions),
        "unobserved_function": _unobserved(joined, functions, observations),
    }
    return {kind: _first(found.get(kind, ())) for kind in EXPLANATIONS}


def _first(patterns: Iterable[Pattern]) -> PatternsOfKind:
    each_one = iter(patterns)
    kept = tuple(islice(each_one, MOST_KEPT))
    usual = Counter(each.is_usual for each in chain(kept, each_one))
    return PatternsOfKind(kept, usual[False], usual[True])


def _unobserved(
    joined: JoinedTraces, functions: GraphFunctions, observations: Observations
) -> Iterator[Pattern]:
    """One a graph, as the observations of the run tell them.

    What was built and never ran is left out if another version of it was observed: TensorFlow
    compiles a function that makes variables twice, and Keras throws a version away.
    """
    graphs = joined.snapshot.graphs
    observed = {
        graphs[key].name for key in np.flatnonzero(joined.per_graph).tolist() if key in graphs
    }
    found = _Unobserved(joined.snapshot, functions)
    return (
        found.pattern(graph)
        for observation in observations.passing
        if observation.kind in ("unobserved_calls", "unobserved_functions")
        for graph in observation.graphs
        if observation.kind == "unobserved_calls" or graphs[graph].name not in observed
    )


class _Unobserved:
    def __init__(self, snapshot: Snapshot, functions: GraphFunctions) -> None:
        self._snapshot = snapshot
        self._functions = functions
        # The last entry is for -1, which stands for no graph.
        called = snapshot.executions.graph
        num_graphs = len(snapshot.names.graph_ids)
        self._num_calls = np.bincount(called[called >= 0], minlength=num_graphs)
        self._last_calls = np.full(num_graphs + 1, -1, dtype=np.int64)
        self._last_calls[called] = np.arange(len(called))

    def pattern(self, graph: GraphKey) -> Pattern:
        last, num_calls = int(self._last_calls[graph]), int(self._num_calls[graph])
        ops = self._functions.op_rows(graph)
        num_ops = count_of(len(ops), "op")
        if last >= 0:
            location = int(self._snapshot.executions.location[last])
            evidence = f"{count_of(num_calls, 'call')}; none of its {num_ops} left a tensor."
        else:
            location = int(self._snapshot.ops.location[ops[-1]]) if len(ops) else -1
            evidence = f"Built with {num_ops}; neither a call nor a tensor is on disk."
        return Pattern(
            kind="unobserved_function",
            op_type="",
            op=None,
            graph=graph,
            slot=None,
            execution_row=last if last >= 0 else None,
            trace_row=None,
            location=location,
            evidence=evidence,
            num_events=num_calls,
        )
