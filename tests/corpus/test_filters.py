"""Filters, headings and passes of real runs, against loops over their events."""

from __future__ import annotations

import pytest

from tb_debugger_plugin import open_run
from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.tables import GraphKey, OpKey
from tests.analyses import naive
from tests.corpus.logdirs import absence
from tests.corpus.truth import RunTruth, runs

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

MOST_EVENTS = 3000
"""A loop over the filters of a longer run would take minutes."""

RUNS = [] if ABSENCE else [r for r in runs() if r.counts["traces"] <= MOST_EVENTS]

TEXTS = ("mul", "read", ":1", "while_body", "loss")
EXPRESSIONS = ("^[a-z/_]+:0$", "mul|add", "_[0-9]+:", "^(Const|ReadVariableOp)$", "(a+)+$")
VALUES = (
    ValueFilter(inf_nan=True),
    ValueFilter(all_zero=True),
    ValueFilter(dtype=1),
    ValueFilter(dtype=9),
    ValueFilter(inf_nan=True, dtype=1),
)


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: run.name)
def view(request: pytest.FixtureRequest) -> View:
    run: RunTruth = request.param
    return open_run(run.path, run=f".#{run.run_id}", cache=False).view


def trace_filters(view: View) -> list[TraceFilter]:
    snapshot = view.snapshot
    traces = snapshot.traces
    wanted = [TraceFilter()]
    wanted += [TraceFilter(text=text) for text in TEXTS]
    wanted += [TraceFilter(text=text, is_regex=True) for text in EXPRESSIONS]
    wanted += [TraceFilter(values=values) for values in VALUES]
    if len(traces):
        row = len(traces) // 2
        time = float(traces.wall_time[row])
        op = OpKey(int(traces.op[row]))
        graph = GraphKey(snapshot.names.graph_of(op))
        wanted += [
            TraceFilter(op=op),
            TraceFilter(graph=graph),
            TraceFilter(graph=graph, begin_time=time),
            TraceFilter(end_time=time),
            TraceFilter(begin_time=time, end_time=time + 0.1, values=ValueFilter(dtype=1)),
            TraceFilter(device=snapshot.names.strings.values[traces.device[row]]),
        ]
        if view.calls[row] >= 0:
            wanted.append(TraceFilter(execution_row=int(view.calls[row])))
    return wanted


def test_the_traces_that_pass_a_filter_and_their_list(view: View) -> None:
    for wanted in trace_filters(view):
        selected = view.select_traces(wanted)
        positions = naive.trace_positions(view, wanted)
        assert len(selected) == len(positions), wanted
        assert selected.positions is None or selected.positions.tolist() == positions, wanted
        is_heading, listed = selected.rows.slice(0, selected.rows.num_rows)
        rows = list(zip(is_heading.tolist(), listed.tolist(), strict=True))
        assert rows == naive.under_headings(view, positions), wanted


def test_the_folded_list(view: View) -> None:
    for wanted in trace_filters(view):
        selected = view.select_traces(wanted)
        expected = naive.fold(view, naive.trace_positions(view, wanted))
        folded = selected.folded_rows
        is_heading, listed = folded.slice(0, folded.num_rows)
        rows = list(zip(is_heading.tolist(), listed.tolist(), strict=True))
        assert rows == naive.under_headings(view, list(expected)), wanted
        assert {p: selected.folding.passes(p) for p in expected} == expected, wanted


def test_the_executions_that_pass_a_filter(view: View) -> None:
    executions = view.snapshot.executions
    wanted = [ExecutionFilter(text=text) for text in TEXTS]
    wanted += [ExecutionFilter(text=text, is_regex=True) for text in EXPRESSIONS]
    wanted += [ExecutionFilter(values=values) for values in VALUES]
    wanted += [ExecutionFilter(device=name) for name in set(view.snapshot.devices.values())]
    if len(executions):
        row = len(executions) // 2
        time = float(executions.wall_time[row])
        wanted += [
            ExecutionFilter(begin_time=time),
            ExecutionFilter(end_time=time, values=ValueFilter(inf_nan=True)),
            ExecutionFilter(graph=GraphKey(int(executions.graph[row]))),
        ]
    for filter_ in wanted:
        indices = view.select_executions(filter_).indices
        assert indices is not None
        assert indices.tolist() == naive.execution_indices(view, filter_), filter_


def test_facets_count_what_a_filter_by_them_leaves(view: View) -> None:
    facets = view.trace_facets
    for dtype, count in facets.dtypes.items():
        assert len(view.select_traces(TraceFilter(values=ValueFilter(dtype=dtype)))) == count
    for device, count in facets.devices.items():
        assert len(view.select_traces(TraceFilter(device=device))) == count
    for graph, count in facets.graphs.items():
        assert len(view.select_traces(TraceFilter(graph=GraphKey(graph)))) == count
    facets = view.execution_facets
    for dtype, count in facets.dtypes.items():
        wanted = ExecutionFilter(values=ValueFilter(dtype=dtype))
        assert len(view.select_executions(wanted)) == count
    for device, count in facets.devices.items():
        assert len(view.select_executions(ExecutionFilter(device=device))) == count
    for graph, count in facets.graphs.items():
        assert len(view.select_executions(ExecutionFilter(graph=GraphKey(graph)))) == count
