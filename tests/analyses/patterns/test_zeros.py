"""Activations, gradients and other tensors that are zero call after call."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.patterns.thresholds import FEWEST_CALLS, LAST_CALLS
from tb_debugger_plugin.events import debug_modes
from tests.analyses.patterns.told import F, kinds, patterns
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values

DEAD = Values(10, zero=10)
ALIVE = Values(10, zero=8)


def program(directory: Path, op_type: str = "Relu", *, mode: int = 4) -> LogdirBuilder:
    """``f(x)``: an op ``op`` of ``x``, and a MatMul of it."""
    built = logdir(directory, mode=mode).graph("").graph("f", outer="").op("Placeholder", "x")
    return built.op(op_type, "op", inputs=["x:0"]).op("MatMul", "matmul", inputs=["op:0"])


def call(built: LogdirBuilder, value: Values, *, op: str = "op", times: int = 1) -> LogdirBuilder:
    for _ in range(times):
        built.trace(op, value=value).execution(F, graph="f")
    return built


def test_an_activation_that_is_dead_in_every_call(tmp_path: Path) -> None:
    (found,) = patterns(call(program(tmp_path), DEAD, times=LAST_CALLS), "dead_activation")
    assert (found.op_type, found.slot, found.num_events) == ("Relu", 0, LAST_CALLS)
    assert found.evidence == "All of 10 elements were zero in all 5 calls."


def test_what_is_nearly_all_zero_is_told_with_its_share(tmp_path: Path) -> None:
    built = call(program(tmp_path), Values(1000, zero=900), times=4)
    (found,) = patterns(call(built, Values(1000, zero=999)), "dead_activation")
    assert found.evidence == "90% to 99% of 1,000 elements were zero in all 5 calls."


def test_what_is_nearly_all_zero_is_not_usual(tmp_path: Path) -> None:
    (found,) = patterns(call(program(tmp_path), Values(10, zero=9), times=5), "dead_activation")
    assert not found.is_usual


def test_many_zeros_are_usual_and_count_as_no_alert(tmp_path: Path) -> None:
    built = call(program(tmp_path), ALIVE, times=20)
    assert kinds(built) == []
    (found,) = patterns(built, "dead_activation")
    assert found.is_usual
    assert found.evidence == "80% of 10 elements were zero in all 20 calls."
    of_kind = Program(built).view.patterns["dead_activation"]
    assert (of_kind.total, of_kind.num_usual) == (0, 1)


@pytest.mark.parametrize(("num_zero", "is_listed"), [(5, False), (6, True)])
def test_half_zero_is_not_listed_and_more_is(
    tmp_path: Path, num_zero: int, *, is_listed: bool
) -> None:
    built = call(program(tmp_path), Values(10, zero=num_zero), times=5)
    assert bool(patterns(built, "dead_activation")) == is_listed


def test_half_zero_in_one_of_the_last_calls_is_not_listed(tmp_path: Path) -> None:
    built = call(call(program(tmp_path), ALIVE, times=9), Values(10, zero=5))
    assert patterns(call(built, ALIVE, times=LAST_CALLS - 1), "dead_activation") == ()


def test_the_greatest_share_of_zeros_comes_first(tmp_path: Path) -> None:
    built = program(tmp_path)
    shares = {"a": 7, "b": 10, "c": 9, "d": 8}
    for op in shares:
        built.op("Relu", op, inputs=["x:0"])
    for _ in range(LAST_CALLS):
        for op, num_zero in shares.items():
            built.trace(op, value=Values(10, zero=num_zero))
        built.execution(F, graph="f")
    found = patterns(built, "dead_activation")
    assert [each.evidence.split()[0] for each in found] == ["All", "90%", "80%", "70%"]
    assert [each.is_usual for each in found] == [False, False, True, True]
    assert kinds(built) == ["dead_activation"]


def test_many_zeros_of_an_op_that_is_no_relu_are_not_listed(tmp_path: Path) -> None:
    assert patterns(call(program(tmp_path, "Elu"), ALIVE, times=9), "dead_activation") == ()


def test_one_call_in_which_it_was_alive_begins_anew(tmp_path: Path) -> None:
    built = call(call(program(tmp_path), DEAD, times=20), ALIVE)
    assert kinds(call(built, DEAD, times=LAST_CALLS - 1)) == []
    (found,) = patterns(call(built, DEAD), "dead_activation")
    assert not found.is_usual
    assert found.evidence == "All of 10 elements were zero in each of the last 5 calls."


@pytest.mark.parametrize(("times", "is_told"), [(FEWEST_CALLS - 1, False), (FEWEST_CALLS, True)])
def test_a_short_program_has_to_show_it_in_each_call(
    tmp_path: Path, times: int, *, is_told: bool
) -> None:
    assert bool(kinds(call(program(tmp_path), DEAD, times=times))) == is_told


def test_passes_of_a_loop_in_one_call_are_one(tmp_path: Path) -> None:
    built = program(tmp_path)
    for _ in range(20):
        built.trace("op", value=DEAD)
    assert kinds(built.execution(F, graph="f")) == []


@pytest.mark.parametrize("op_type", ["Const", "Fill", "ZerosLike"])
def test_what_makes_zeros_is_meant_to(tmp_path: Path, op_type: str) -> None:
    assert kinds(call(program(tmp_path, op_type), DEAD, times=9)) == []


def test_what_is_computed_from_zeros_that_are_meant_is_meant_too(tmp_path: Path) -> None:
    """As in the first step of an LSTM, whose state begins with zeros."""
    built = program(tmp_path, "Fill")
    for _ in range(5):
        built.trace("op", value=DEAD).trace("matmul", value=DEAD).execution(F, graph="f")
    assert kinds(built) == []


def test_a_scalar_zero_is_nothing_special(tmp_path: Path) -> None:
    assert kinds(call(program(tmp_path, "Mean"), Values(1, zero=1), times=9)) == []


def test_integers_are_left_out(tmp_path: Path) -> None:
    assert kinds(call(program(tmp_path, "Mul"), Values(10, zero=10, dtype=3), times=9)) == []


def test_without_counts_nothing_is_said(tmp_path: Path) -> None:
    built = program(tmp_path, mode=debug_modes.CONCISE_HEALTH)
    assert kinds(call(built, DEAD, times=9)) == []


def test_a_tensor_that_is_all_zero(tmp_path: Path) -> None:
    assert kinds(call(program(tmp_path, "Mul"), DEAD, times=9)) == ["all_zero"]


def test_what_is_computed_from_zeros_is_not_told_again(tmp_path: Path) -> None:
    built = program(tmp_path)
    for _ in range(5):
        built.trace("op", value=DEAD).trace("matmul", value=DEAD).execution(F, graph="f")
    assert kinds(built) == ["dead_activation"]
    (found,) = patterns(built, "dead_activation")
    assert found.evidence.endswith(" 1 tensor computed from it is zero too.")


def test_all_that_follows_from_zeros_is_counted_once(tmp_path: Path) -> None:
    ops = ["op", "matmul", "a", "b", "c"]
    built = program(tmp_path).op("Mul", "a", inputs=["matmul:0", "op:0"])
    built.op("Mul", "b", inputs=["a:0"]).op("Mul", "c", inputs=["a:0"])
    for _ in range(5):
        for op in ops:
            built.trace(op, value=DEAD)
        built.execution(F, graph="f")
    (found,) = patterns(built, "dead_activation")
    assert found.evidence.endswith(" 4 tensors computed from it are zero too.")


def test_zeros_computed_from_what_is_not_all_zero_are_told(tmp_path: Path) -> None:
    built = program(tmp_path)
    for _ in range(5):
        built.trace("op", value=Values(10, zero=9)).trace("matmul", value=DEAD)
        built.execution(F, graph="f")
    assert kinds(built) == ["dead_activation", "all_zero"]


@pytest.mark.parametrize(("updates", "found"), [(False, []), (True, ["all_zero"])])
def test_a_variable_that_is_not_updated_may_stay_zero(
    tmp_path: Path, *, updates: bool, found: list[str]
) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Placeholder", "bias")
    built.op("ReadVariableOp", "read", inputs=["bias:0"])
    if updates:
        built.op("AssignSubVariableOp", "update", inputs=["bias:0", "read:0"], outputs=0)
    assert kinds(call(built, DEAD, op="read", times=5)) == found


def test_zero_gradients_are_told_from_the_first_on(tmp_path: Path) -> None:
    built = program(tmp_path).op("ReluGrad", "gradient_tape/ReluGrad", inputs=["op:0"])
    built.op("MatMul", "gradient_tape/MatMul", inputs=["gradient_tape/ReluGrad:0"])
    for _ in range(5):
        built.trace("op", value=ALIVE).trace("gradient_tape/ReluGrad", value=DEAD)
        built.trace("gradient_tape/MatMul", value=DEAD).execution(F, graph="f")
    assert kinds(built) == ["zero_gradient"]
    (found,) = patterns(built, "zero_gradient")
    assert found.op_type == "ReluGrad"


def test_a_backward_function_computes_gradients(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("__backward_f_7", outer="").op("Mul", "mul")
    for _ in range(5):
        built.trace("mul", value=DEAD).execution("__inference___backward_f_7_9")
    assert kinds(built) == ["zero_gradient"]


def test_zeros_that_lead_in_a_circle_end(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="")
    built.op("Mul", "a", inputs=["b:0"]).op("Mul", "b", inputs=["a:0"])
    for _ in range(5):
        built.trace("a", value=DEAD).trace("b", value=DEAD).execution(F, graph="f")
    assert kinds(built) == []


def test_the_example_is_the_last_event(tmp_path: Path) -> None:
    built = call(program(tmp_path), DEAD, times=7)
    (found,) = Program(built).view.patterns["dead_activation"].listed
    assert found.trace_row == 6
