"""What kinds of program leave behind: TF1, threads, notebooks, two dump roots, ring buffers."""

from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.events import debug_modes
from tests.builders.logdir import logdir
from tests.builders.tensors import Values
from tests.logdirs.shown import Shown, serving, shown, shown_run


def test_a_program_of_no_step_at_all(tmp_path: Path) -> None:
    logdir(tmp_path)
    assert shown(tmp_path) == {".": Shown(problems=["nothing_recorded"])}


def test_a_program_that_only_built_its_graphs(tmp_path: Path) -> None:
    run = logdir(tmp_path).source("a.py", lines=["f()"]).frame("f1", "a.py")
    run.graph("f").op("Placeholder", "x").op("Log", "log", inputs=["x:0"], stack=["f1"])
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(problems=["events_not_written"])
        (run_shown,) = server.answer("/runs").values()
        assert (run_shown["num_graphs"], run_shown["num_ops"]) == (1, 2)


def test_a_tf1_session_has_one_unnamed_graph_and_no_execution(tmp_path: Path) -> None:
    run = logdir(tmp_path).graph("").op("Placeholder", "x").op("Switch", "cond/Switch")
    run.op("Log", "log", inputs=["cond/Switch:1"])
    for _ in range(2):  # Session.run, twice.
        run.trace("x").trace("log", neg_inf=1)
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(traces=["x:0", "log:0"] * 2, alerts=["Log"] * 2)
        info = server.answer("/graphs/graph_info", run=".", graph_id="outermost-id")
        assert info["name"] is None


def test_a_function_that_other_threads_run_has_traces_without_executions(tmp_path: Path) -> None:
    run = logdir(tmp_path).graph("").graph("step", outer="").op("Log", "log")
    for _ in range(3):
        run.trace("log", nan=1)
    run.execution("__inference_step_1", graph="step").trace("log")
    assert shown(tmp_path) == {
        ".": Shown(
            problems=["calls_without_execution"],
            executions=["__inference_step_1"],
            traces=["log:0"] * 4,
            alerts=["Log"] * 3,
        )
    }


def test_a_function_that_another_thread_traced_has_a_graph_without_ops(tmp_path: Path) -> None:
    logdir(tmp_path).graph("").graph("elsewhere", outer="").execution("Add")
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(problems=["graphs_without_ops"], executions=["Add"])
        assert server.answer("/runs")["."]["num_graphs"] == 2


def test_several_threads_that_enabled_the_debugger_recorded_files_twice(tmp_path: Path) -> None:
    run = logdir(tmp_path).source("a.py", lines=["a"]).source("b.py", lines=["b"])
    run.source("a.py", lines=["a"]).source("c.py", lines=["c"]).frame("f", "c.py")
    run.execution("Add", stack=["f"])
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(executions=["Add"])
        assert server.answer("/runs")["."]["num_source_files"] == 3
        trace = server.answer("/stack_frames/stack_trace", run=".", execution_index=0)
        (frame,) = trace["frames"]
        assert frame["source"]["file_path"] == "/home/dev/project/c.py"


def test_a_notebook_cell_is_a_file_without_text(tmp_path: Path) -> None:
    cell = "/tmp/ipykernel_7/1234.py"
    run = logdir(tmp_path).source(cell).frame("f", cell, line=3, function="<cell line: 1>")
    run.execution("Log", nan=1, stack=["f"])
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(
            problems=["source_not_captured"], executions=["Log"], alerts=["Log"]
        )
        (alert,) = server.answer("/alerts", run=".")["alerts"]
        assert (alert["source"]["file_path"], alert["source"]["lineno"]) == (cell, 3)
        assert server.answer("/source_files/file", run=".", index=0)["lines"] == []


def test_a_program_that_switched_its_dump_root_leaves_two_runs_of_one_id(tmp_path: Path) -> None:
    first = logdir(tmp_path / "first", run_id="aaaa").source("a.py", lines=["x"] * 9)
    first.frame("f1", "a.py").graph("").graph("step", outer="").op("Log", "log", stack=["f1"])
    first.trace("log").trace("log", nan=1)
    first.execution("__inference_step_1", graph="step")
    # No source file is recorded again, and functions that are compiled go on to write to the first.
    second = logdir(tmp_path / "second", run_id="aaaa", started=1_700_000_005)
    second.frame("f2", 7).frame("f3", 18)
    second.graph("late", outer="outermost-id-of-the-first").op("Exp", "exp", stack=["f2"])
    second.trace("exp", pos_inf=1).execution("__inference_late_2", graph="late", stack=["f3"])
    second.execution("__inference_step_1", graph="step-id", nan=1)
    with serving(tmp_path) as server:
        assert shown_run(server, "first") == Shown(
            problems=["calls_without_execution"],
            executions=["__inference_step_1"],
            traces=["log:0"] * 2,
            alerts=["Log"],
        )
        assert shown_run(server, "second") == Shown(
            "damaged",
            ["switched_dump_root"],
            executions=["__inference_late_2", "__inference_step_1"],
            traces=["exp:0"],
            alerts=["Exp", "__inference_step_1"],
        )
        trace = server.answer("/stack_frames/stack_trace", run="second", execution_index=0)
        assert trace["innermost_user_frame"] is None


def test_a_full_ring_buffer_keeps_the_last_events_of_each_kind(tmp_path: Path) -> None:
    """Executions and traces reach back to different times."""
    run = logdir(tmp_path).graph("step").op("Log", "log")
    run.trace("log", at=990.0).trace("log", at=998.0, nan=1)
    run.execution("Add", at=500.0).execution("__inference_step_1", graph="step", at=999.0)
    assert shown(tmp_path) == {
        ".": Shown(
            problems=["calls_without_execution"],
            executions=["Add", "__inference_step_1"],
            traces=["log:0"] * 2,
            alerts=["Log"],
        )
    }


def test_a_ring_buffer_that_was_flushed_twice_has_a_gap(tmp_path: Path) -> None:
    run = logdir(tmp_path).graph("step").op("Log", "log")
    for time in (1.0, 2.0, 1001.0, 1002.0):
        run.trace("log", at=time).execution("__inference_step_1", graph="step", at=time + 0.5)
    assert shown(tmp_path) == {
        ".": Shown(executions=["__inference_step_1"] * 4, traces=["log:0"] * 4)
    }


def test_executions_whose_graphs_are_not_on_disk_are_shown(tmp_path: Path) -> None:
    logdir(tmp_path).execution("__inference_step_1", graph="no-such-graph", nan=1)
    assert shown(tmp_path) == {
        ".": Shown(
            "damaged",
            ["missing_graphs"],
            executions=["__inference_step_1"],
            alerts=["__inference_step_1"],
        )
    }


def test_resource_outputs_leave_fewer_values_than_outputs(tmp_path: Path) -> None:
    run = logdir(tmp_path).execution("VarHandleOp", values=[], outputs=[1])
    run.execution("IteratorGetNext", outputs=[2, 3, 4], values=[Values(1, nan=1), Values(2)])
    assert shown(tmp_path) == {
        ".": Shown(executions=["VarHandleOp", "IteratorGetNext"], alerts=["IteratorGetNext"])
    }


def test_modes_may_be_mixed_and_even_unknown(tmp_path: Path) -> None:
    run = logdir(tmp_path).graph("f").op("Log", "log")
    for mode in (*range(1, 6), debug_modes.FULL_TENSOR):
        run.trace("log", mode=mode, nan=1).execution("Add", mode=mode, nan=1)
    run.trace("log", mode=99, value=b"").execution("Add", mode=99, values=[b""])
    with serving(tmp_path) as server:
        run_shown = shown_run(server, ".")
        assert run_shown.status == "complete"
        assert run_shown.problems == ["no_values", "shapes_only", "no_counts"]
        assert (len(run_shown.executions), len(run_shown.traces)) == (7, 7)
        # NO_TENSOR, SHAPE and the unknown mode tell nothing of values.
        assert run_shown.alerts == ["Log", "Add"] * 4


def test_an_empty_graph_id_is_none_and_an_absent_slot_is_the_first(tmp_path: Path) -> None:
    logdir(tmp_path).in_graph("").trace("log").execution("Add")
    assert shown(tmp_path) == {
        ".": Shown("damaged", ["missing_graphs"], executions=["Add"], traces=["log:0"])
    }


def test_graphs_that_contain_each_other_end_somewhere(tmp_path: Path) -> None:
    run = logdir(tmp_path).graph("a", outer="b-id").op("Log", "log")
    run.graph("b", outer="a-id").op("Exp", "exp")
    run.in_graph("a").trace("log", nan=1).execution("__inference_a_1", graph="a")
    assert shown(tmp_path) == {
        ".": Shown(executions=["__inference_a_1"], traces=["log:0"], alerts=["Log"])
    }


def test_an_op_that_is_created_twice_counts_as_the_first(tmp_path: Path) -> None:
    run = logdir(tmp_path).graph("f").op("Log", "op").op("Exp", "op").trace("op", nan=1)
    del run
    assert shown(tmp_path) == {".": Shown(traces=["op:0"], alerts=["Log"])}


def test_a_record_whose_time_is_none_is_left_out(tmp_path: Path) -> None:
    run = logdir(tmp_path)
    for number, time in enumerate((float("nan"), float("inf"), -1.0, 1e300, 5.0)):
        run.execution(f"Op{number}", at=time)
    assert shown(tmp_path) == {".": Shown("damaged", ["undecodable"] * 4, executions=["Op4"])}
