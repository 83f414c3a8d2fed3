from __future__ import annotations

from pathlib import Path

from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir

F, G = "__inference_f_1", "__inference_g_2"


def program(directory: Path) -> LogdirBuilder:
    """Functions ``f`` and ``g`` with a Log each."""
    built = logdir(directory).graph("")
    built.graph("f", outer="").op("Log", "f_log")
    return built.graph("g", outer="").op("Log", "g_log")


def test_traces_belong_to_the_execution_that_ends_behind_them(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f")
    built.trace("f_log").execution(F, graph="f").execution("Add")
    built.trace("f_log").trace("f_log").execution(F, graph="f")
    calls = Program(built).view.calls
    assert calls.tolist() == [0, 2, 2]


def test_a_trace_of_the_executions_own_time_belongs_to_it(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f")
    built.trace("f_log", at=5.0).execution(F, graph="f", at=5.0).execution(F, graph="f", at=6.0)
    assert Program(built).view.calls.tolist() == [0]


def test_traces_are_joined_whatever_order_the_files_have(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f")
    built.trace("f_log", at=3.0).trace("f_log", at=1.0)
    built.execution(F, graph="f", at=4.0).execution(F, graph="f", at=2.0)
    assert Program(built).view.calls.tolist() == [0, 1]


def test_ops_have_no_traces(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f").trace("f_log").execution("Log").execution("f")
    assert Program(built).view.calls.tolist() == [-1]


def test_another_functions_execution_takes_no_traces(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f").trace("f_log").execution(G, graph="g")
    assert Program(built).calls() == [("f_log", None)]


def test_graphs_inside_the_function_belong_to_the_call(tmp_path: Path) -> None:
    built = program(tmp_path).graph("while_body_1", outer="f").op("Exp", "exp").trace("exp")
    built.graph("cond_true_2", outer="while_body_1").op("Log", "log").trace("log")
    built.execution(F, graph="f")
    assert Program(built).view.calls.tolist() == [0, 0]


def test_retraced_functions_of_one_name_are_told_by_their_graph_id(tmp_path: Path) -> None:
    built = program(tmp_path)
    built.graph("f", graph_id="f-second", outer="").op("Log", "second_log")
    built.trace("second_log").execution("__inference_f_1", graph="f-id")
    built.trace("second_log").execution("__inference_f_3", graph="f-second")
    assert Program(built).view.calls.tolist() == [-1, 1]


def test_forward_and_backward_functions_are_told_by_name(tmp_path: Path) -> None:
    built = program(tmp_path)
    built.graph("__backward_f_7", outer="").op("Mul", "gradients/mul")
    built.in_graph("f").trace("f_log").execution("__forward_f_9")
    built.in_graph("__backward_f_7").trace("gradients/mul")
    built.execution("__inference___backward_f_7_10")
    assert Program(built).calls() == [
        ("f_log", "__forward_f_9"),
        ("gradients/mul", "__inference___backward_f_7_10"),
    ]


def test_a_forward_function_ran_no_gradient_and_the_other_way_round(tmp_path: Path) -> None:
    built = program(tmp_path)
    built.graph("__backward_f_7", outer="f").op("Mul", "gradients/mul")
    built.in_graph("__backward_f_7").trace("gradients/mul").execution("__forward_f_9")
    built.in_graph("f").trace("f_log").execution("__inference___backward_f_7_10")
    assert Program(built).view.calls.tolist() == [-1, -1]


def test_the_gradient_of_a_function_that_the_function_called_is_its_gradients(
    tmp_path: Path,
) -> None:
    built = program(tmp_path).graph("inner", outer="f")
    built.graph("__backward_inner_5", outer="f").op("Mul", "gradients/mul").trace("gradients/mul")
    built.execution("__inference___backward_f_7_10")
    assert Program(built).view.calls.tolist() == [0]


def test_tf_data_runs_whenever_it_likes(tmp_path: Path) -> None:
    built = program(tmp_path).graph("Dataset_map_lambda", outer="").op("Mul", "mul")
    built.trace("mul").in_graph("f").trace("f_log").execution(F, graph="f")
    built.in_graph("Dataset_map_lambda").trace("mul").execution("IteratorGetNext")
    assert Program(built).calls() == [("mul", None), ("f_log", F), ("mul", None)]


def test_a_call_whose_execution_is_lost_leaves_its_traces_alone(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f").trace("f_log").execution("Add")
    built.trace("f_log").execution(F, graph="f").trace("f_log")
    assert Program(built).view.calls.tolist() == [-1, 1, -1]


def test_without_threads_only_the_next_execution_is_looked_at(tmp_path: Path) -> None:
    built = program(tmp_path).in_graph("f").trace("f_log").execution("Add").execution(F, graph="f")
    assert Program(built).view.calls.tolist() == [-1]


def test_with_threads_executions_of_others_may_come_between(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("", graph_id="thread-2")
    built.graph("f", outer="outermost-id").op("Log", "f_log")
    built.trace("f_log", at=1.0)
    for number in range(7):
        built.execution("Add", at=2.0 + number)
    built.execution(F, graph="f", at=20.0)
    assert Program(built).view.calls.tolist() == [7]


def test_with_threads_the_search_for_the_execution_ends(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("", graph_id="thread-2")
    built.graph("f", outer="outermost-id").op("Log", "f_log").trace("f_log", at=1.0)
    for number in range(8):
        built.execution("Add", at=2.0 + number)
    built.execution(F, graph="f", at=20.0)
    assert Program(built).view.calls.tolist() == [-1]


def test_two_threads_calls_that_overlap_are_told_apart_by_their_graphs(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Log", "f_log")
    built.graph("", graph_id="thread-2").graph("g", outer="thread-2").op("Log", "g_log")
    built.trace("g_log", at=1.0).in_graph("f").trace("f_log", at=1.1)
    built.execution(F, graph="f", at=2.0).execution(G, graph="g", at=2.1)
    assert Program(built).calls() == [("g_log", G), ("f_log", F)]


def test_traces_of_a_worker_belong_to_the_clients_execution(tmp_path: Path) -> None:
    client = program(tmp_path).in_graph("f")
    worker = client.add_host("worker").in_graph("f")
    worker.trace("f_log", at=1.0)
    client.trace("f_log", at=1.1).execution(F, graph="f", at=2.0)
    worker.trace("f_log", at=2.5)
    client.execution(F, graph="f", at=3.0)
    program_read = Program(client)
    calls = zip(program_read.snapshot.traces.wall_time, program_read.view.calls, strict=True)
    assert sorted(calls) == [(1.0, 0), (1.1, 0), (2.5, 1)]


def test_a_workers_clock_that_is_ahead_joins_no_wrong_function(tmp_path: Path) -> None:
    client = program(tmp_path).in_graph("f")
    worker = client.add_host("worker").in_graph("f")
    worker.trace("f_log", at=2.5)
    client.execution(F, graph="f", at=2.0).execution(G, graph="g", at=3.0)
    assert Program(client).calls() == [("f_log", None)]


def test_traces_of_graphs_not_on_disk_belong_to_their_own_function_only(tmp_path: Path) -> None:
    built = program(tmp_path)
    built.trace("g_log").execution(G, graph="g").trace("g_log").execution(F, graph="f")
    built.path("graphs").write_bytes(b"")
    calls = Program(built).view.calls
    assert calls.tolist() == [0, -1]


def test_graphs_that_are_around_each_other_do_not_hang(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("a", outer="b-id").graph("b", outer="a-id").op("Log", "log")
    built.trace("log").execution("__inference_a_1", graph="a").trace("log")
    built.execution("__forward_nothing_1")
    assert Program(built).view.calls.tolist() == [0, -1]


def test_nothing_joins_nothing(tmp_path: Path) -> None:
    assert Program(logdir(tmp_path / "a")).view.calls.tolist() == []
    built = program(tmp_path / "b").trace("g_log")
    assert Program(built).view.calls.tolist() == [-1]
