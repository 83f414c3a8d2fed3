from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.graph_functions import Consumers, find_by_suffix
from tests.analyses.program import Program
from tests.builders.logdir import logdir


def test_placeholders_are_the_parameters_in_order(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Placeholder", "x").op("Mul", "mul", inputs=["x:0"])
    built.op("PlaceholderWithDefault", "y").op("Placeholder", "capture")
    built.graph("g").op("Placeholder", "z")
    program = Program(built)
    functions = program.view.functions
    names = [program.op_name(op) for op in functions.parameters(program.graph("f"))]
    assert names == ["x", "y", "capture"]
    assert functions.num_ops(program.graph("f")) == 4


def test_identities_that_nothing_consumes_are_the_results(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Placeholder", "x")
    built.op("Identity", "passed", inputs=["x:0"]).op("Identity", "Identity", inputs=["passed:0"])
    built.op("Identity", "Identity_1", inputs=["x:0"]).op("NoOp", "no_op", outputs=0)
    program = Program(built)
    results = program.view.functions.results(program.graph("f"))
    assert [program.op_name(op) for op in results] == ["Identity", "Identity_1"]


def test_consumers_are_told_by_output_slot(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Split", "split", outputs=3)
    built.op("Mul", "mul", inputs=["split:1", "split:0"]).op("Log", "log", inputs=["split:1"])
    program = Program(built)
    functions, split = program.view.functions, program.op("f", "split")
    mul, log = program.op("f", "mul"), program.op("f", "log")
    assert functions.consumers(split, most=9, most_slots=9) == {
        0: Consumers(1, [(mul, 1)]),
        1: Consumers(2, [(mul, 0), (log, 0)]),
    }
    assert functions.consumers(log, most=9, most_slots=9) == {}


def test_of_many_consumers_the_first_are_told_and_all_are_counted(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Split", "split", outputs=3)
    for slot in (2, 1, 2, 2, 0):
        built.op("Log", f"log_{built.now}", inputs=[f"split:{slot}"])
    program = Program(built)
    found = program.view.functions.consumers(program.op("f", "split"), most=2, most_slots=2)
    assert {slot: (each.number, len(each.first)) for slot, each in found.items()} == {
        0: (1, 1),
        1: (1, 1),
    }
    found = program.view.functions.consumers(program.op("f", "split"), most=3, most_slots=3)
    assert (found[2].number, len(found[2].first)) == (3, 1)


def test_a_call_of_a_number_that_no_function_has_runs_none(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log", inputs=["PartitionedCall:0"])
    built.trace("PartitionedCall_7").graph("g", outer="f")
    program = Program(built)
    assert program.view.functions.called_function(program.op("f", "PartitionedCall_7")) is None


def test_inputs_may_be_ops_that_are_not_on_disk(tmp_path: Path) -> None:
    program = Program(logdir(tmp_path).graph("f").op("Log", "log", inputs=["PartitionedCall:2"]))
    functions = program.view.functions
    (call,) = functions.inputs(program.op("f", "log"))
    assert (program.op_name(call.op), call.slot) == ("PartitionedCall", 2)
    assert functions.inputs(call.op) == []
    assert len(functions.uses(call.op)) == 1


@pytest.mark.parametrize(
    ("op_type", "op_name", "graph_name", "first_input", "is_loop"),
    [
        ("While", "while", "while_body_15", 0, True),
        ("StatelessWhile", "while", "while_cond_14", 0, True),
        ("While", "scope/while_1", "scope_while_1_body_15", 0, True),
        ("If", "cond", "cond_true_3", 1, False),
        ("StatelessIf", "cond/inner", "cond_inner_false_4", 1, False),
        ("Case", "switch_case/indexed_case", "switch_case_indexed_case_branch12_5", 1, False),
    ],
)
def test_a_body_or_branch_knows_the_op_that_runs_it(
    tmp_path: Path, op_type: str, op_name: str, graph_name: str, first_input: int, is_loop: bool
) -> None:
    built = logdir(tmp_path).graph("f").op(op_type, op_name).graph(graph_name, outer="f")
    program = Program(built)
    flow = program.view.functions.control_flow(program.graph(graph_name))
    assert flow is not None
    assert flow.op == program.op("f", op_name)
    assert (flow.first_input, flow.is_loop) == (first_input, is_loop)


@pytest.mark.parametrize(
    ("graph_name", "outer"),
    [
        ("while_body_15", "g"),
        ("while_body_15", None),
        ("while_body", "f"),
        ("other_body_15", "f"),
        ("cond_true_15", "f"),
        ("f", "f"),
        ("Dataset_map_lambda", "f"),
    ],
)
def test_other_graphs_are_run_by_no_op(tmp_path: Path, graph_name: str, outer: str | None) -> None:
    built = logdir(tmp_path).graph("g").graph("f").op("While", "while").op("Log", "cond")
    built.graph(graph_name, graph_id="inner", outer=outer)
    program = Program(built)
    assert program.view.functions.control_flow(program.graph(graph_name)) is None


def test_the_branches_of_an_op_are_its_graphs_without_conditions(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("While", "while").op("If", "if").op("Log", "log")
    for name in ("while_cond_1", "while_body_2", "if_true_3", "if_false_4", "other"):
        built.graph(name, outer="f")
    program = Program(built)

    def branches(op: str) -> list[str | None]:
        keys = program.view.functions.branches(program.op("f", op))
        return [program.snapshot.graphs[key].name for key in keys]

    assert branches("while") == ["while_body_2"]
    assert branches("if") == ["if_true_3", "if_false_4"]
    assert branches("log") == []


def test_a_call_op_is_the_function_traced_at_its_turn(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f")
    built.op("Add", "add", inputs=["StatefulPartitionedCall:0", "StatefulPartitionedCall_1:0"])
    built.graph("first", outer="f").graph("second", outer="f").graph("__backward_x_1", outer="f")
    program = Program(built)
    functions = program.view.functions
    for call, callee in (("", "first"), ("_1", "second")):
        op = program.op("f", f"StatefulPartitionedCall{call}")
        assert functions.called_function(op) == program.graph(callee)
    assert functions.called_function(program.op("f", "add")) is None


def test_calls_that_outnumber_the_functions_are_not_guessed(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Add", "add", inputs=["PartitionedCall:0"])
    built.op("Add", "add_1", inputs=["PartitionedCall_1:0"]).graph("only", outer="f")
    program = Program(built)
    call = program.op("f", "PartitionedCall")
    assert program.view.functions.called_function(call) is None


def test_a_call_that_nothing_consumes_is_counted_by_its_number(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Add", "add", inputs=["PartitionedCall_1:0"])
    built.graph("unused", outer="f").graph("used", outer="f")
    program = Program(built)
    call = program.op("f", "PartitionedCall_1")
    assert program.view.functions.called_function(call) == program.graph("used")


@pytest.mark.parametrize(
    ("names", "wanted", "found"),
    [
        (["Log", "probs"], "gradients/mul_grad/Mul/Log", 0),
        (["a/Log", "Log"], "gradients/a/Log", 0),
        (["Log", "a/Log"], "gradients/a/Log", 1),
        (["og"], "gradients/Log", None),
        ([], "gradients/Log", None),
        (["gradients/Log"], "gradients/Log", 0),
    ],
)
def test_the_longest_path_that_ends_a_name_is_found(
    names: list[str], wanted: str, found: int | None
) -> None:
    places = {name: place for place, name in enumerate(names)}
    assert find_by_suffix(places, wanted) == found
