"""What the files do not say, joined from what they do, against what they say elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from tb_debugger_plugin import open_run
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.graph_functions import OpInput
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.tables import GraphKey, OpKey, ValueTable
from tests.corpus.logdirs import absence
from tests.corpus.truth import RunTruth, runs
from tests.index.reading import value_counts

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

RUNS = [] if ABSENCE else runs()

WITHOUT_CALLS = {"tf1_session"}
"""Programs that call sessions and no functions."""

LOST_CALLS = {
    "flush_live/live": 3,
    "multi_thread_enabled": 3,
    "sigkill_nobuf": 10,
    "switch_root/first": 3,
}
"""Traces of calls whose execution is not in the files: of a thread that nobody watched, of a
program that was killed, of a file set that another one took the place of."""

ASYNCHRONOUS = ("Dataset_", "_next_func")
"""Functions that an input pipeline runs."""

MOST_OUTPUTS = 3000


@pytest.fixture(scope="module", params=RUNS, ids=lambda run: run.name)
def run(request: pytest.FixtureRequest) -> RunTruth:
    truth: RunTruth = request.param
    return truth


@pytest.fixture(scope="module")
def view(run: RunTruth) -> View:
    return read(run)


def read(run: RunTruth) -> View:
    return open_run(run.path, run=f".#{run.run_id}", cache=False).view


def summary(values: ValueTable, row: int) -> tuple[int, ...]:
    known = (int(values.dtype[row]), int(values.rank[row]), int(values.size[row]))
    return (*known, *value_counts(values, row))


def test_a_functions_output_is_what_the_op_said_to_compute_it_computed(
    run: RunTruth, view: View
) -> None:
    snapshot = view.snapshot
    executions, traces = snapshot.executions, snapshot.traces
    strings = snapshot.names.strings.values
    num_joined = 0
    for row in range(min(len(executions), MOST_OUTPUTS)):
        if parse_function_name(strings[executions.op_type[row]]) is None:
            continue
        for value_row in range(executions.value_end[row], executions.value_end[row + 1]):
            slot = view.output_slot_of_value(row, value_row)
            if slot is None:
                continue
            origin = view.producers.execution_output(row, slot)
            if origin.trace_row is None:
                continue
            num_joined += 1
            assert summary(traces.values, origin.trace_row) == summary(executions.values, value_row)
    if run.case in ("mlp_log0_FULL_HEALTH", "while_cond_CONCISE_HEALTH", "long_run"):
        assert num_joined > 0


def test_traces_without_a_call_are_those_of_pipelines_sessions_and_lost_calls(
    run: RunTruth, view: View
) -> None:
    snapshot = view.snapshot
    alone = np.flatnonzero(view.calls < 0)
    if run.case in WITHOUT_CALLS:
        assert len(alone) == len(snapshot.traces)
        return
    graphs = [snapshot.names.graph_of(int(op)) for op in snapshot.traces.op[alone]]
    lost = [graph for graph in graphs if not is_asynchronous(view, graph)]
    folder = "" if run.folder == "." else f"/{run.folder}"
    assert len(lost) == LOST_CALLS.get(f"{run.case}{folder}", 0)


def is_asynchronous(view: View, graph: GraphKey) -> bool:
    known = (view.snapshot.graphs.get(key) for key in view.snapshot.graph_path(graph))
    return any((each.name or "").startswith(ASYNCHRONOUS) for each in known if each)


def test_traces_are_not_behind_the_execution_of_their_call(view: View) -> None:
    snapshot = view.snapshot
    joined = np.flatnonzero(view.calls >= 0)
    calls = view.calls[joined]
    assert np.all(snapshot.traces.wall_time[joined] <= snapshot.executions.wall_time[calls])


def test_every_input_leads_somewhere_or_says_why_not(view: View) -> None:
    snapshot, producers = view.snapshot, view.producers
    for row in range(0, len(snapshot.traces), max(len(snapshot.traces) // 50, 1)):
        call = producers.call_of_trace(row)
        for tensor in view.functions.inputs(OpKey(int(snapshot.traces.op[row])))[:8]:
            origin = producers.origin(tensor, call)
            known = (origin.trace_row, origin.execution_row) != (None, None)
            assert known == (origin.reason is None)
            if origin.trace_row is not None and origin.execution_row is None:
                assert (
                    snapshot.traces.wall_time[origin.trace_row] <= (snapshot.traces.wall_time[row])
                )
                assert view.calls[origin.trace_row] == view.calls[row]


def test_the_log_of_zero_leads_to_the_softmax() -> None:
    (run,) = (run for run in RUNS if run.case == "mlp_log0_FULL_HEALTH")
    view = read(run)
    snapshot = view.snapshot
    log = OpKey(int(snapshot.traces.op[71]))
    assert snapshot.op_type(log) == "Log"
    assert view.alerts[0].trace_row == 71
    (probs,) = view.functions.inputs(log)
    origin = view.producers.origin(probs, view.producers.call_of_trace(71))
    assert origin.trace_row == 69
    assert snapshot.op_type(int(snapshot.traces.op[69])) == "Softmax"
    assert isinstance(probs, OpInput)
