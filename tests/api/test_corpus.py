"""The routes over real logdirs, against what their bytes and TensorFlow's reader say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.serving import Server, checked, error_message
from tests.api.test_http import RUN_PATHS, VALID, valid_query
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.corpus.test_observations import SHOWN, place
from tests.corpus.truth import RunTruth, runs

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

CASES = [] if ABSENCE else sorted({run.case for run in runs()})


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[tuple[Server, list[RunTruth]]]:
    server = Server(unpacked_corpus() / request.param).load()
    yield server, [run for run in runs() if run.case == request.param]
    server.library.close()


Case = tuple[Server, list[RunTruth]]


def test_the_runs_are_those_of_the_folders(case: Case) -> None:
    server, truths = case
    served = server.answer("/runs")
    assert len(served) == len(truths)
    for truth in truths:
        full_name = f"{truth.folder}#{truth.run_id}"
        assert server.answer("/devices", run=full_name) is not None
        run = served.get(truth.folder) or served[full_name]
        assert run["run_id"] == truth.run_id
        for field, counted in (
            ("num_executions", "executions"),
            ("num_graph_executions", "traces"),
            ("num_graphs", "graphs"),
            ("num_ops", "ops"),
            ("num_source_files", "source_files"),
            ("num_stack_frames", "stack_frames"),
            ("num_alerts", "alerts"),
        ):
            if truth.is_damaged:
                assert run[field] >= truth.counts[counted], field
            else:
                assert run[field] == truth.counts[counted], field


def test_the_state_of_a_run_is_that_of_its_files(case: Case) -> None:
    server, truths = case
    served = server.answer("/runs")
    for truth in truths:
        full_name = f"{truth.folder}#{truth.run_id}"
        run = served.get(truth.folder) or served[full_name]
        problems = server.answer("/problems", run=full_name)["problems"]
        expected = {
            *SHOWN.get(place(truth), set()),
            *(["cut_record"] if truth.trailing_bytes and not truth.is_damaged else []),
            *(["bad_length"] if truth.is_damaged else []),
        }
        assert {problem["kind"] for problem in problems} == set(run["problem_kinds"]) == expected
        is_damaged = any(problem["is_loss"] for problem in problems)
        assert run["status"] == ("damaged" if is_damaged else "complete")
        assert is_damaged or not (truth.trailing_bytes or truth.is_damaged)
        assert run["num_problems"] == len(problems)
        if not truth.is_damaged:
            cut = [p["bytes_affected"] for p in problems if p["kind"] == "cut_record"]
            assert run["bytes_indexed"] + sum(cut) == run["bytes_total"]


def test_the_first_alerts_are_the_first_in_time(case: Case) -> None:
    server, truths = case
    for truth in truths:
        run = f"{truth.folder}#{truth.run_id}"
        count = len(truth.first_alerts)
        alerts = server.answer("/alerts", run=run, begin=0, end=count)["alerts"]
        for alert, expected in zip(alerts, truth.first_alerts, strict=True):
            is_trace = alert["execution_index"] is None
            assert is_trace == (expected.kind == "trace")
            assert alert["op_type"] == expected.op_type
            assert alert["wall_time"] == expected.wall_time
            assert alert["output_slot"] in (None, expected.slot)
            counts = (alert["num_neg_inf"], alert["num_pos_inf"], alert["num_nan"])
            assert counts == (expected.counts or (None, None, None))
            if expected.user_frame:
                source = alert["source"]
                place = (source["file_path"], source["lineno"], source["function"])
                assert place == tuple(vars(expected.user_frame).values())


def test_every_route_keeps_to_its_type(case: Case) -> None:
    server, truths = case
    for truth in truths:
        run = f"{truth.folder}#{truth.run_id}"
        for path in RUN_PATHS:
            response = server.ask(path, **{**valid_query(path), "run": run})
            if response.status_code == 200:
                checked(path, response)
            else:
                assert path in VALID
                error_message(response)


def test_every_graph_op_and_stack_of_the_first_traces_is_found(case: Case) -> None:
    server, truths = case
    for truth in truths:
        run = f"{truth.folder}#{truth.run_id}"
        data = server.answer("/graph_execution/data", run=run, begin=0, end=-1)
        for trace in data["graph_executions"][:40]:
            place = {"run": run, "graph_id": trace["graph_id"], "op_name": trace["op_name"]}
            node = server.answer(
                "/graphs/neighborhood", graph_execution_trace_index=trace["index"], **place
            )
            output = node["op"]["outputs"][trace["output_slot"]]
            assert output["health"] == trace["health"]
            server.answer("/graph_execution/inputs", run=run, index=trace["index"])
            if not trace["op_type"]:
                continue
            op = server.answer("/graphs/op_info", **place)
            assert op["op_type"] == trace["op_type"]
            assert op["graph_ids"] == trace["graph_ids"]
            stack = server.answer("/stack_frames/stack_trace", **place)["frames"]
            assert [frame["stack_frame_id"] for frame in stack] == op["stack_frame_ids"]


def test_the_summaries_are_those_that_tensorflow_wrote(case: Case) -> None:
    server, truths = case
    for truth in truths:
        run = f"{truth.folder}#{truth.run_id}"
        data = server.answer("/execution/data", run=run)
        for execution in data["executions"]:
            check_values(execution)
        for trace in server.answer("/graph_execution/data", run=run)["graph_executions"]:
            if trace["debug_tensor_value"] is not None:
                assert trace["debug_tensor_value"][0] >= 1


LENGTHS = {2: 2, 3: 5, 4: 11, 5: 10}


def check_values(execution: dict[str, Any]) -> None:
    values = execution["debug_tensor_values"]
    if values is not None:
        assert len(values) == len(execution["output_tensor_ids"])
    for value in [*(values or []), *(execution["unaligned_debug_tensor_values"] or [])]:
        if value is not None:
            assert value[0] == -1
            assert len(value) == LENGTHS[execution["tensor_debug_mode"]]


def test_runs_in_folders_are_named_after_them() -> None:
    server = Server(unpacked_corpus() / "nested_runs").load()
    assert set(server.answer("/runs")) == {"run with spaces ü/x", "runA", "runB/sub"}
    server.library.close()
