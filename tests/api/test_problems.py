"""What was lost, what cannot be shown, and what to do: as the page is told of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.events import debug_modes
from tests.analyses.observations.seen import call, whole_program
from tests.api.serving import Server
from tests.builders.logdir import LogdirBuilder, logdir

Serve = Callable[[Path], Server]


def ended(built: LogdirBuilder) -> LogdirBuilder:
    """As if its last write was an hour ago."""
    for path in built.directory.iterdir():
        modified = path.stat().st_mtime - 3600
        os.utime(path, (modified, modified))
    return built


def summary(server: Server) -> dict[str, Any]:
    run: dict[str, Any]
    (run,) = server.answer("/runs").values()
    return run


def test_a_run_of_which_nothing_is_lost_has_no_problem(serve: Serve, tmp_path: Path) -> None:
    server = serve(ended(whole_program(logdir(tmp_path))).directory).load()
    run = summary(server)
    assert (run["status"], run["num_problems"], run["problem_kinds"]) == ("complete", 0, [])
    assert server.answer("/gaps", run=".") == {"executions": [], "graph_executions": []}


def test_a_problem_says_what_was_seen_what_it_means_and_what_to_do(
    serve: Serve, tmp_path: Path
) -> None:
    built = whole_program(logdir(tmp_path, mode=debug_modes.CONCISE_HEALTH), num_calls=0)
    call(built, ops=())
    server = serve(ended(call(built)).directory).load()
    run = summary(server)
    assert (run["status"], run["num_problems"], run["num_notes"]) == ("damaged", 1, 0)
    assert run["problem_kinds"] == ["graph_executions_dropped"]
    (problem,) = server.answer("/problems", run=".")["problems"]
    assert (problem["severity"], problem["is_loss"]) == ("loss", True)
    assert problem["title"] == "Graph executions were dropped"
    assert "1 call of f" in problem["message"]
    assert "circular buffer" in problem["meaning"]
    assert problem["file"] == str(built.path("graph_execution_traces"))
    assert problem["remedy_code"].splitlines() == [
        "tf.debugging.experimental.enable_dump_debug_info(",
        f'    "{tmp_path}",',
        '    tensor_debug_mode="CONCISE_HEALTH",',
        "    circular_buffer_size=-1,",
        ")",
    ]
    path, _, anchor = problem["docs"].partition("#")
    assert (path, anchor) == (
        "docs/problems.md",
        "graph-executions-were-dropped-graph_executions_dropped",
    )
    assert (problem["num_graphs"], [graph["name"] for graph in problem["graphs"]]) == (1, ["f"])
    assert server.answer("/gaps", run=".") == {
        "executions": [],
        "graph_executions": [{"index": 0, "cause": "dropped", "is_certain": True}],
    }


def test_damage_is_said_as_before_with_what_to_do(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log").execution("Exp")
    offset = built.record_offsets("execution")[1]
    built.flip_bit("execution", offset + 20)
    server = serve(ended(built).directory).load()
    (problem,) = server.answer("/problems", run=".")["problems"]
    assert (problem["kind"], problem["offset"]) == ("bad_payload", offset)
    assert problem["records_affected"] == 1
    assert problem["severity"] == "loss"
    assert "copy them again" in problem["remedy"]
    assert problem["remedy_code"] is None
    assert (problem["num_graphs"], problem["graphs"]) == (0, [])
    assert server.answer("/gaps", run=".")["executions"] == [
        {"index": 1, "cause": "damaged", "is_certain": True}
    ]


def test_the_gravest_problems_come_first(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path, mode=debug_modes.NO_TENSOR).source("<stdin>")
    built.frame("f1", "<stdin>").execution("Mul", stack=["f1", "gone"])
    server = serve(ended(built).directory).load()
    answer = server.answer("/problems", run=".")
    assert [problem["kind"] for problem in answer["problems"]] == [
        "missing_stack_frames",
        "no_values",
        "source_not_captured",
    ]
    assert [problem["severity"] for problem in answer["problems"]] == ["loss", "limit", "note"]
    second = server.answer("/problems", run=".", begin=1, end=2)["problems"]
    assert second == answer["problems"][1:2]
    assert summary(server)["num_notes"] == 1


def test_what_explains_other_losses_comes_before_them(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x = 1"]).source("more.py", lines=["y = 2"])
    server = serve(ended(built.truncate("source_files", 5)).directory).load()
    kinds = [problem["kind"] for problem in server.answer("/problems", run=".")["problems"]]
    assert kinds == ["events_not_written", "cut_record"]


def test_one_kind_of_damage_leaves_room_for_others(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for _ in range(100):
        built.execution("Mul")
    for offset in built.record_offsets("execution")[:-1]:
        built.flip_bit("execution", offset + 20)
    built.append("stack_frames", b"\1\0\0")
    server = serve(ended(built).directory).load()
    kinds = [p["kind"] for p in server.answer("/problems", run=".", end=60)["problems"]]
    assert kinds[:50] == ["bad_payload"] * 50
    assert "cut_record" in kinds


def test_what_may_only_be_late_is_said_when_the_program_has_ended(
    serve: Serve, tmp_path: Path
) -> None:
    built = whole_program(logdir(tmp_path, mode=debug_modes.CURT_HEALTH)).trace("late")
    built.execution("Mul", stack=["late"])
    running = serve(built.directory).load()
    run = summary(running)
    assert (run["status"], run["problem_kinds"]) == ("live", ["no_counts"])
    ended(built)
    server = serve(built.directory).load()
    run = summary(server)
    assert (run["status"], run["num_problems"], run["num_notes"]) == ("damaged", 3, 1)
    assert run["problem_kinds"] == ["missing_ops", "missing_stack_frames", "no_counts"]


def test_a_running_program_that_has_written_a_thousand_events_has_dropped_none(
    serve: Serve, tmp_path: Path
) -> None:
    built = logdir(tmp_path).graph("").op("Sqrt", "Sqrt").trace("Sqrt")
    built.append("graph_execution_traces", built.path("graph_execution_traces").read_bytes() * 999)
    running = serve(built.directory).load()
    assert summary(running)["problem_kinds"] == []
    assert running.answer("/gaps", run=".")["graph_executions"] == []
    server = serve(ended(built).directory).load()
    assert summary(server)["problem_kinds"] == ["graph_executions_dropped"]
    assert server.answer("/gaps", run=".")["graph_executions"] == [
        {"index": 0, "cause": "dropped", "is_certain": False}
    ]
    (problem,) = server.answer("/problems", run=".")["problems"]
    assert (problem["severity"], summary(server)["status"]) == ("limit", "complete")


@pytest.mark.parametrize(("stack", "misses"), [(["top"], False), (["top", "gone"], True), ([], 0)])
def test_an_execution_tells_whether_its_stack_is_whole(
    serve: Serve, tmp_path: Path, stack: list[str], misses: bool
) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x"]).frame("top", "train.py")
    server = serve(built.execution("Mul", stack=stack).directory).load()
    (digest,) = server.answer("/execution/digests", run=".")["execution_digests"]
    (execution,) = server.answer("/execution/data", run=".")["executions"]
    assert digest["misses_frames"] == execution["misses_frames"] == bool(misses)


def test_a_step_of_the_way_to_an_op_tells_how_much_of_that_graph_was_observed(
    serve: Serve, tmp_path: Path
) -> None:
    built = whole_program(logdir(tmp_path), num_calls=2)
    server = serve(built.directory).load()
    graphs = server.answer("/graphs/neighborhood", run=".", graph_id="f-id", op_name="mul")
    assert graphs["graph_path"] == [
        {"graph_id": "outermost-id", "name": None, "num_graph_executions": 0},
        {"graph_id": "f-id", "name": "f", "num_graph_executions": 4},
    ]
