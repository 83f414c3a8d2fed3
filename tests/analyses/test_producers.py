from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses import producers
from tb_debugger_plugin.analyses.graph_functions import OpInput
from tb_debugger_plugin.analyses.producers import (
    ARGUMENTS_DIFFER,
    CALL_UNKNOWN,
    CALLER_UNKNOWN,
    EAGER_UNKNOWN,
    NESTED_CALL,
    NOT_RECORDED,
    TOO_FAR,
    Call,
    Origin,
)
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir

F = "__inference_f_1"


def function(directory: Path) -> LogdirBuilder:
    """A function ``f(x, y)`` in which ``log = Log(x)``."""
    built = logdir(directory).graph("").graph("f", outer="").op("Placeholder", "x")
    return built.op("Placeholder", "y").op("Log", "log", inputs=["x:0"])


def traced(program: Program, origin: Origin) -> str:
    """The op of the trace that an origin names."""
    assert origin.trace_row is not None, origin.reason
    assert origin.op is not None
    assert program.op_of_trace(origin.trace_row) == program.op_name(origin.op)
    return program.op_name(origin.op)


# Inside one graph.


def test_an_input_is_the_trace_of_its_op_in_the_same_call(tmp_path: Path) -> None:
    built = function(tmp_path).op("Exp", "exp", inputs=["log:0"])
    for _ in range(3):
        built.trace("log").trace("exp").execution(F, graph="f", inputs=[1, 2])
    program = Program(built)
    rows = [program.inputs_of_trace(row)[0].trace_row for row in (1, 3, 5)]
    assert rows == [0, 2, 4]


def test_an_input_of_another_call_is_not_taken(tmp_path: Path) -> None:
    built = function(tmp_path).op("Exp", "exp", inputs=["log:0"])
    built.trace("log").execution(F, graph="f").trace("exp").execution(F, graph="f")
    (origin,) = Program(built).inputs_of_trace(1)
    assert (origin.trace_row, origin.reason) == (None, NOT_RECORDED)


def test_each_output_slot_has_its_own_trace(tmp_path: Path) -> None:
    built = function(tmp_path).op("Split", "split", outputs=2)
    built.op("Exp", "exp", inputs=["split:1"]).trace("split", slot=1).trace("split").trace("exp")
    (origin,) = Program(built.execution(F, graph="f")).inputs_of_trace(2)
    assert (origin.trace_row, origin.slot) == (0, 1)


def test_identities_are_walked_through(tmp_path: Path) -> None:
    built = function(tmp_path).op("Identity", "a", inputs=["log:0"])
    built.op("Identity", "b", inputs=["a:0"]).op("Exp", "exp", inputs=["b:0"])
    program = Program(built.trace("log").trace("exp").execution(F, graph="f"))
    assert traced(program, program.inputs_of_trace(1)[0]) == "log"


def test_an_identity_of_nothing_is_not_recorded(tmp_path: Path) -> None:
    program = Program(function(tmp_path).op("Identity", "a").execution(F, graph="f"))
    assert program.origin("f", "a", 0).reason == NOT_RECORDED


def test_an_op_that_was_filtered_out_is_not_recorded(tmp_path: Path) -> None:
    program = Program(function(tmp_path).execution(F, graph="f"))
    assert program.origin("f", "log", 0).reason == NOT_RECORDED


# Arguments.


def test_an_argument_is_the_execution_that_made_the_tensor(tmp_path: Path) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7, 8]).execution("Rand", outputs=[9])
    built.trace("log").execution(F, graph="f", inputs=[8, 9])
    program = Program(built)
    assert program.inputs_of_trace(0) == [Origin(execution_row=0, execution_slot=1)]
    y = program.producers.argument_origin(program.op("f", "y"), program.call(2))
    assert (y.execution_row, y.execution_slot) == (1, 0)
    assert program.producers.argument_index(program.op("f", "y")) == 1
    assert program.producers.argument_index(program.op("f", "log")) is None


def test_the_last_execution_before_the_call_that_made_the_tensor_counts(tmp_path: Path) -> None:
    built = function(tmp_path).execution("A", outputs=[7]).execution("B", outputs=[7])
    built.trace("log").execution(F, graph="f", inputs=[7, 7]).execution("C", outputs=[7])
    (origin,) = Program(built).inputs_of_trace(0)
    assert origin.execution_row == 1


def test_an_argument_that_an_earlier_call_returned_is_the_op_that_computed_it(
    tmp_path: Path,
) -> None:
    built = function(tmp_path).op("Identity", "Identity", inputs=["log:0"])
    built.trace("log").execution(F, graph="f", inputs=[1, 2], outputs=[7])
    built.trace("log").execution(F, graph="f", inputs=[7, 2], outputs=[8])
    program = Program(built)
    (origin,) = program.inputs_of_trace(1)
    assert (origin.trace_row, origin.execution_row, origin.execution_slot) == (0, 0, 0)
    assert traced(program, origin) == "log"


def test_a_call_that_returns_its_argument_leads_on_to_who_made_that(tmp_path: Path) -> None:
    built = function(tmp_path).op("Identity", "Identity", inputs=["x:0"])
    built.execution("Rand", outputs=[7]).execution(F, graph="f", inputs=[7, 7], outputs=[8])
    origin = Program(built).producers.execution_output(1, 0)
    assert (origin.execution_row, origin.execution_slot) == (0, 0)


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [([99, 98], EAGER_UNKNOWN), ([7], ARGUMENTS_DIFFER), ([7, 7, 7], ARGUMENTS_DIFFER)],
)
def test_an_argument_nobody_is_known_to_have_made(
    tmp_path: Path, inputs: list[int], reason: str
) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7])
    built.trace("log").execution(F, graph="f", inputs=inputs)
    (origin,) = Program(built).inputs_of_trace(0)
    assert (origin.reason, origin.execution_row) == (reason, None)


def test_an_argument_of_a_call_that_is_not_recorded(tmp_path: Path) -> None:
    (origin,) = Program(function(tmp_path).trace("log")).inputs_of_trace(0)
    assert origin.reason == CALLER_UNKNOWN


def test_an_argument_of_a_function_called_in_a_graph(tmp_path: Path) -> None:
    built = function(tmp_path).graph("inner", outer="f").op("Placeholder", "z")
    built.op("Exp", "exp", inputs=["z:0"]).trace("exp").execution(F, graph="f", inputs=[1, 2])
    (origin,) = Program(built).inputs_of_trace(0)
    assert origin.reason == NESTED_CALL


def test_a_placeholder_that_left_a_trace_has_that_where_the_caller_is_unknown(
    tmp_path: Path,
) -> None:
    built = function(tmp_path).trace("x").trace("log").execution(F, graph="f", inputs=[5, 6])
    program = Program(built)
    assert traced(program, program.inputs_of_trace(1)[0]) == "x"
    passed = program.producers.argument_origin(program.op("f", "x"), program.call(0))
    assert passed.reason == EAGER_UNKNOWN


def test_a_placeholder_of_the_outermost_graph_is_fed_and_no_argument(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").op("Placeholder", "x").op("Log", "log", inputs=["x:0"])
    program = Program(built.trace("x").trace("log"))
    assert program.producers.argument_index(program.op("", "x")) is None
    assert traced(program, program.inputs_of_trace(1)[0]) == "x"


# Functions made for gradients, known by name.


def test_a_forward_function_is_known_by_name_and_number_of_inputs(tmp_path: Path) -> None:
    built = function(tmp_path).graph("f", graph_id="other", outer="").op("Placeholder", "x")
    built.execution("Rand", outputs=[7]).in_graph("f-id").trace("log")
    program = Program(built.execution("__forward_f_9", inputs=[7, 7]))
    assert program.producers.function_graph(1) == program.snapshot.find_graph("f-id")
    assert program.inputs_of_trace(0)[0].execution_row == 0


def test_of_retraced_functions_the_one_that_left_traces_ran(tmp_path: Path) -> None:
    built = function(tmp_path)
    built.graph("f", graph_id="second", outer="").op("Placeholder", "x").op("Placeholder", "y")
    built.in_graph("f-id").trace("log").execution("__forward_f_9", inputs=[7, 7])
    program = Program(built)
    assert program.producers.function_graph(0) == program.snapshot.find_graph("f-id")


def test_a_function_that_is_not_on_disk_has_no_graph(tmp_path: Path) -> None:
    built = function(tmp_path).execution("__forward_other_9").execution("Log")
    program = Program(built)
    assert program.producers.function_graph(0) is None
    assert program.producers.function_graph(1) is None
    output = program.producers.execution_output(0, 0)
    assert output == Origin(execution_row=0, execution_slot=0)


def test_an_output_saved_for_the_gradient_is_the_op_that_the_gradient_names(
    tmp_path: Path,
) -> None:
    built = function(tmp_path).op("Identity", "Identity", inputs=["log:0"])
    built.graph("__backward_f_7", outer="").op("Placeholder", "grad_ys_0")
    built.op("Placeholder", "gradients/mul_grad/log").op("Mul", "mul", inputs=["grad_ys_0:0"])
    built.in_graph("f").trace("log").execution("__forward_f_9", inputs=[1, 2], outputs=[7, 8])
    program = Program(built)
    saved = program.producers.execution_output(0, 1)
    assert traced(program, saved) == "log"
    assert (saved.execution_row, saved.execution_slot) == (0, 1)
    assert traced(program, program.producers.execution_output(0, 0)) == "log"


# Control flow.


def branch(built: LogdirBuilder, name: str, outer: str, result: str) -> None:
    """A branch of two parameters that returns one of its tensors."""
    built.graph(name, outer=outer).op("Placeholder", "p").op("Placeholder", "q")
    built.op("Exp", "exp", inputs=["p:0"]).op("Identity", "Identity", inputs=[result])


def conditional(directory: Path, results: tuple[str, str]) -> LogdirBuilder:
    built = function(directory).op("Sqrt", "sqrt", inputs=["y:0"])
    built.op("StatelessIf", "cond", inputs=["y:0", "log:0", "sqrt:0"])
    built.op("Identity", "cond/Identity", inputs=["cond:0"])
    built.op("Neg", "neg", inputs=["cond/Identity:0"])
    branch(built, "cond_true_3", "f", results[0])
    branch(built, "cond_false_4", "f", results[1])
    return built.in_graph("f").trace("log").trace("sqrt")


def test_an_argument_of_a_branch_is_the_input_behind_the_condition(tmp_path: Path) -> None:
    built = conditional(tmp_path, ("exp:0", "exp:0")).in_graph("cond_false_4").trace("exp")
    program = Program(built.execution(F, graph="f", inputs=[1, 2]))
    assert traced(program, program.inputs_of_trace(2)[0]) == "log"
    q = program.producers.argument_origin(program.op("cond_false_4", "q"), program.call(0))
    assert traced(program, q) == "sqrt"


def test_the_result_of_a_conditional_is_that_of_the_branch_that_ran(tmp_path: Path) -> None:
    built = conditional(tmp_path, ("exp:0", "exp:0")).in_graph("cond_false_4").trace("exp")
    built.in_graph("f").trace("neg").execution(F, graph="f", inputs=[1, 2])
    (origin,) = Program(built).inputs_of_trace(3)
    assert origin.trace_row == 2


def test_a_branch_that_passes_a_value_on_returns_that(tmp_path: Path) -> None:
    built = conditional(tmp_path, ("exp:0", "q:0")).trace("neg")
    program = Program(built.execution(F, graph="f", inputs=[1, 2]))
    assert traced(program, program.inputs_of_trace(2)[0]) == "sqrt"


def test_arguments_that_do_not_match_the_op_are_not_guessed(tmp_path: Path) -> None:
    built = conditional(tmp_path, ("exp:0", "exp:0")).in_graph("cond_true_3")
    program = Program(built.op("Placeholder", "extra").trace("exp").execution(F, graph="f"))
    assert program.inputs_of_trace(2)[0].reason == ARGUMENTS_DIFFER


def loop(directory: Path) -> LogdirBuilder:
    """``while_loop(cond, body, [log])``, whose body takes the square."""
    built = function(directory).op("StatelessWhile", "while", inputs=["log:0", "y:0"])
    built.op("Neg", "neg", inputs=["while:0"]).op("Abs", "abs", inputs=["while:1"])
    built.graph("while_cond_5", outer="f").op("Placeholder", "v").op("Placeholder", "k")
    built.op("Less", "less", inputs=["v:0"]).op("Identity", "Identity", inputs=["less:0"])
    built.graph("while_body_6", outer="f").op("Placeholder", "v").op("Placeholder", "k")
    built.op("Square", "square", inputs=["v:0"]).op("Add", "add", inputs=["square:0", "k:0"])
    built.op("Identity", "Identity", inputs=["square:0"])
    return built.op("Identity", "Identity_1", inputs=["k:0"])


def looped(directory: Path, iterations: int) -> LogdirBuilder:
    built = loop(directory).execution("Rand", outputs=[7]).in_graph("f").trace("log")
    for _ in range(iterations):
        built.in_graph("while_cond_5").trace("less")
        built.in_graph("while_body_6").trace("square").trace("add")
    built.in_graph("while_cond_5").trace("less").in_graph("f").trace("neg").trace("abs")
    return built.execution(F, graph="f", inputs=[7, 7])


def test_a_loop_carried_value_is_that_of_the_iteration_before(tmp_path: Path) -> None:
    program = Program(looped(tmp_path, 3))
    # log | less square add | less square add | less square add | less | neg abs
    made = {row: program.inputs_of_trace(row)[0].trace_row for row in range(1, 13)}
    assert made == {
        1: 0, 2: 0, 3: 2, 4: 2, 5: 2, 6: 5, 7: 5, 8: 5, 9: 8, 10: 8, 11: 8, 12: None,
    }  # fmt: skip


def test_a_loop_invariant_is_what_was_given_to_the_loop(tmp_path: Path) -> None:
    program = Program(looped(tmp_path, 3))
    assert [program.inputs_of_trace(row)[1].execution_row for row in (3, 6, 9)] == [0, 0, 0]
    assert program.inputs_of_trace(12)[0].execution_row == 0


def test_a_loop_that_never_ran_returns_what_it_was_given(tmp_path: Path) -> None:
    program = Program(looped(tmp_path, 0))
    # log | less | neg abs
    assert program.inputs_of_trace(2)[0].trace_row == 0
    assert program.inputs_of_trace(3)[0].execution_row == 0


def test_a_loops_value_of_an_earlier_call_is_not_taken(tmp_path: Path) -> None:
    built = looped(tmp_path, 1)
    built.in_graph("f").trace("log").in_graph("while_cond_5").trace("less")
    built.in_graph("f").trace("neg").trace("abs").execution(F, graph="f", inputs=[7, 7])
    program = Program(built)
    rows = [r for r in range(len(program.view.calls)) if program.op_of_trace(r) == "neg"]
    assert program.inputs_of_trace(rows[-1])[0].trace_row == rows[-1] - 2


def test_a_call_in_a_graph_leads_to_the_function_traced_for_it(tmp_path: Path) -> None:
    built = function(tmp_path).op("Neg", "neg", inputs=["PartitionedCall:0"])
    built.graph("g", outer="f").op("Exp", "exp").op("Identity", "Identity", inputs=["exp:0"])
    built.trace("exp").in_graph("f").trace("neg").execution(F, graph="f", inputs=[1, 2])
    program = Program(built)
    assert traced(program, program.inputs_of_trace(1)[0]) == "exp"
    unknown = program.origin("f", "PartitionedCall", 0, slot=5)
    assert unknown.reason == CALL_UNKNOWN


def test_a_call_of_nobody_knows_which_function(tmp_path: Path) -> None:
    built = function(tmp_path).op("Neg", "neg", inputs=["PartitionedCall:0"]).trace("neg")
    (origin,) = Program(built.execution(F, graph="f", inputs=[1, 2])).inputs_of_trace(0)
    assert origin.reason == CALL_UNKNOWN


# Cycles and absurd depth.


def test_identities_in_a_circle_end(tmp_path: Path) -> None:
    built = function(tmp_path).op("Identity", "a", inputs=["b:0"])
    program = Program(built.op("Identity", "b", inputs=["a:0"]).execution(F, graph="f"))
    assert program.origin("f", "a", 0).reason == TOO_FAR


def test_a_chain_of_many_identities_ends(tmp_path: Path) -> None:
    built = function(tmp_path).op("Identity", "i0", inputs=["log:0"]).trace("log")
    for number in range(1, 200):
        built.op("Identity", f"i{number}", inputs=[f"i{number - 1}:0"])
    program = Program(built.execution(F, graph="f"))
    assert traced(program, program.origin("f", "i40", 0)) == "log"
    assert program.origin("f", "i199", 0).reason == TOO_FAR


def test_calls_that_hand_a_tensor_on_and_on_end(tmp_path: Path) -> None:
    built = function(tmp_path).op("Identity", "Identity", inputs=["x:0"])
    for number in range(100):
        built.execution(F, graph="f", inputs=[number, 0], outputs=[number + 1])
    origin = Program(built).producers.execution_output(99, 0)
    assert origin.execution_row is not None


def conditionals(directory: Path, count: int) -> LogdirBuilder:
    """``x`` handed through many conditionals, neither branch of which does anything to it."""
    built = function(directory)
    previous = "log"
    for number in range(count):
        name = f"cond_{number}"
        built.in_graph("f").op("If", name, inputs=["y:0", f"{previous}:0"])
        for role in ("true", "false"):
            built.graph(f"{name}_{role}_{number}", outer="f").op("Placeholder", "p")
            built.op("Identity", "Identity", inputs=["p:0"])
        previous = name
    return built.in_graph("f").op("Neg", "neg", inputs=[f"{previous}:0"]).trace("log").trace("neg")


def test_a_value_handed_through_many_conditionals_is_looked_up_once_in_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program(conditionals(tmp_path, 15).execution(F, graph="f", inputs=[1, 2]))
    looked_up = 0
    look_up = producers.Producers.value_in_call

    def counting(
        self: producers.Producers, op: object, slot: int, call: Call, later: str = "never"
    ) -> int | None:
        nonlocal looked_up
        looked_up += 1
        return look_up(self, op, slot, call, later)  # type: ignore[arg-type]

    monkeypatch.setattr(producers.Producers, "value_in_call", counting)
    assert traced(program, program.inputs_of_trace(1)[0]) == "log"
    assert looked_up < 15 * 10


def test_nested_loops_that_do_nothing_end(tmp_path: Path) -> None:
    built = function(tmp_path).op("While", "while", inputs=["y:0", "y:0"])
    outer = "f"
    for depth in range(12):
        body = f"while_body_{depth}"
        built.graph(body, outer=outer).op("Placeholder", "p").op("Placeholder", "q")
        built.op("While", "while", inputs=["q:0", "p:0"])
        built.op("Identity", "Identity", inputs=["while:1"])
        built.op("Identity", "Identity_1", inputs=["while:0"])
        outer = body
    program = Program(built.in_graph("f").op("Neg", "neg", inputs=["while:0"]).trace("neg"))
    tensor = OpInput(program.op("f", "while"), 0)
    origin = program.producers.origin(tensor, program.call(-1))
    assert origin.reason is not None
