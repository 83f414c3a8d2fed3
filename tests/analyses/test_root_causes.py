"""What is taken for a cause, and what is not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.provenance import limits
from tb_debugger_plugin.analyses.root_causes.cause import RootCause
from tb_debugger_plugin.analyses.root_causes.limits import RECORD_ALL, limits_of
from tb_debugger_plugin.events import debug_modes
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values

F = "__inference_f_1"


def causes(built: LogdirBuilder) -> list[RootCause]:
    return Program(built).view.root_causes.listed


def told(built: LogdirBuilder) -> list[tuple[str, str, int]]:
    """Each cause's kind, op type and number of alerts."""
    return [(cause.kind, cause.first.op_type, cause.num_alerts) for cause in causes(built)]


def function(directory: Path) -> LogdirBuilder:
    """A function ``f(x)`` that returns ``log(x) * 2``."""
    built = logdir(directory).graph("").graph("f", outer="").op("Placeholder", "x")
    built.op("Log", "log", inputs=["x:0"]).op("Mul", "mul", inputs=["log:0", "log:0"])
    return built.op("Identity", "Identity", inputs=["mul:0"])


def test_a_program_without_bad_values_has_no_cause(tmp_path: Path) -> None:
    assert causes(function(tmp_path).trace("log").trace("mul").execution(F, graph="f")) == []


def test_the_logarithm_of_zero_explains_all_that_follows_in_its_call(tmp_path: Path) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7])
    built.trace("log", neg_inf=1).trace("mul", nan=1).execution(F, graph="f", inputs=[7], nan=1)
    (cause,) = causes(built)
    assert (cause.kind, cause.first.op_type, cause.num_alerts) == ("operation", "Log", 3)
    assert [link.event.op_type for link in cause.chain] == ["Log", "Mul", F]
    assert cause.confidence == "high"


def test_what_was_not_seen_to_go_in_is_said(tmp_path: Path) -> None:
    built = function(tmp_path).trace("log", nan=1).execution(F, graph="f", inputs=[99], nan=1)
    (cause,) = causes(built)
    assert (
        "Its input x:0 was not recorded: an origin unless that was bad already." in cause.evidence
    )
    assert cause.confidence == "medium"


def test_a_bad_argument_leads_to_the_eager_op_that_made_it(tmp_path: Path) -> None:
    built = function(tmp_path).execution("RealDiv", inputs=[91, 92], outputs=[7], nan=1)
    built.trace("log", nan=1).trace("mul", nan=1).execution(F, graph="f", inputs=[7], nan=1)
    assert told(built) == [("operation", "RealDiv", 4)]


def test_a_bad_output_of_a_call_leads_into_it(tmp_path: Path) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7])
    built.trace("log", nan=1).trace("mul", nan=1)
    built.execution(F, graph="f", inputs=[7], outputs=[8], nan=1)
    built.execution("Neg", inputs=[8], nan=1)
    assert told(built) == [("operation", "Log", 4)]


def test_the_same_op_at_several_calls_is_one_cause(tmp_path: Path) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7])
    for _ in range(3):
        built.trace("log", nan=1).trace("mul", nan=1).execution(F, graph="f", inputs=[7], nan=1)
    (cause,) = causes(built)
    assert (cause.num_origins, cause.num_alerts, cause.call_number) == (3, 9, 1)


def test_the_first_in_time_comes_first(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Sqrt", inputs=[91], nan=1)
    for _ in range(3):
        built.execution("RealDiv", inputs=[91, 92], nan=1)
    assert [op_type for _, op_type, _ in told(built)] == ["Sqrt", "RealDiv"]


def test_a_value_goes_round_a_loop(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Exp", "exp")
    built.op("While", "while", inputs=["exp:0"])
    built.graph("while_body_3", outer="f").op("Placeholder", "p")
    built.op("Sqrt", "sqrt", inputs=["p:0"]).op("Identity", "Identity", inputs=["sqrt:0"])
    built.in_graph("f").trace("exp").in_graph("while_body_3")
    built.trace("sqrt").trace("sqrt", nan=1).trace("sqrt", nan=1).trace("sqrt", nan=1)
    (cause,) = causes(built.execution(F, graph="f", nan=1))
    assert (cause.first.trace_row, cause.num_origins, cause.num_alerts) == (2, 1, 4)


def test_a_variable_that_is_bad_leads_to_the_gradient_that_updated_it(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Placeholder", "handle")
    built.op("ReadVariableOp", "read", inputs=["handle:0"]).op("Sqrt", "sqrt", inputs=["read:0"])
    built.execution("RealDiv", inputs=[91, 92], outputs=[7], nan=1)
    built.execution("AssignSubVariableOp", inputs=[50, 7], values=[], outputs=[])
    built.trace("read", nan=1).trace("sqrt", nan=1).execution(F, graph="f", inputs=[50], nan=1)
    assert told(built) == [("operation", "RealDiv", 4)]


def test_an_optimizer_inside_the_function_updates_its_variable(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Placeholder", "handle")
    built.op("ReadVariableOp", "read", inputs=["handle:0"]).op("Sqrt", "grad", inputs=["read:0"])
    built.op("ResourceApplyGradientDescent", "apply", inputs=["handle:0", "grad:0"], outputs=0)
    built.trace("read").trace("grad", nan=1).execution(F, graph="f", inputs=[50])
    built.trace("read", nan=1).trace("grad", nan=1).execution(F, graph="f", inputs=[50])
    assert told(built) == [("operation", "Sqrt", 3)]


def test_a_variable_that_nothing_bad_updated_is_a_cause_itself(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("ReadVariableOp", inputs=[50], outputs=[7], nan=1)
    assert told(built.execution("Neg", inputs=[7], nan=1)) == [("variable", "ReadVariableOp", 2)]


def test_a_variable_read_behind_dropped_events_does_not_come_before_an_earlier_alert(
    tmp_path: Path,
) -> None:
    """As with TensorFlow's default buffer: the step that made the loss bad left no trace."""
    built = function(tmp_path).op("ReadVariableOp", "read", inputs=["x:0"])
    built.execution(F, graph="f", inputs=[50], nan=1)
    for _ in range(1000):
        built.trace("read", nan=1)
    first, second = causes(built.execution(F, graph="f", inputs=[50]))
    assert (first.kind, second.kind, second.confidence) == ("function", "variable", "low")
    assert second.evidence.endswith("given a bad value before, but events before were dropped.")
    assert second.advice.startswith("What updated this variable before was not kept")


def test_data_that_is_bad_from_the_start(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("IteratorGetNext", inputs=[5], outputs=[7], nan=1)
    (cause,) = causes(built.execution("MatMul", inputs=[7, 7], nan=1))
    assert (cause.kind, cause.num_alerts) == ("input_data", 2)
    assert "input pipeline" in cause.advice


def test_a_checkpoint_that_held_a_bad_variable(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("RestoreV2", inputs=[91], outputs=[7], nan=1)
    built.execution("AssignVariableOp", inputs=[50, 7], values=[], outputs=[])
    built.execution("ReadVariableOp", inputs=[50], outputs=[8], nan=1)
    (cause,) = causes(built)
    assert (cause.kind, cause.num_alerts) == ("checkpoint", 2)
    assert "restore an earlier one" in cause.advice


def masked(directory: Path) -> LogdirBuilder:
    built = logdir(directory).graph("").graph("f", outer="").op("Const", "mask")
    built.op("SelectV2", "select", inputs=["mask:0"])
    return built.op("Softmax", "softmax", inputs=["select:0"])


def test_an_infinite_mask_before_a_finite_softmax_is_harmless(tmp_path: Path) -> None:
    built = masked(tmp_path).trace("mask", neg_inf=1).trace("select", neg_inf=1).trace("softmax")
    (cause,) = causes(built.execution(F, graph="f"))
    assert (cause.is_harmless, cause.confidence) == (True, "low")
    assert cause.advice.startswith("Nothing to repair")


def test_a_mask_that_leads_to_nan_is_not_harmless(tmp_path: Path) -> None:
    built = masked(tmp_path).trace("mask", neg_inf=1).trace("select", neg_inf=1)
    (cause,) = causes(built.trace("softmax", nan=1).execution(F, graph="f", nan=1))
    assert (cause.kind, cause.is_harmless) == ("constant", False)


def test_a_constant_nan_that_is_only_selected_away_is_harmless(tmp_path: Path) -> None:
    built = masked(tmp_path).trace("mask", nan=1).trace("select").execution(F, graph="f")
    assert [cause.is_harmless for cause in causes(built)] == [True]


def test_what_is_harmless_comes_last(tmp_path: Path) -> None:
    built = masked(tmp_path).trace("mask", neg_inf=1).trace("select", neg_inf=1).trace("softmax")
    built.execution(F, graph="f").execution("Log", inputs=[91], nan=1)
    assert [op_type for _, op_type, _ in told(built)] == ["Log", "Const"]


def test_a_call_of_which_nothing_was_recorded_is_a_cause_of_low_confidence(tmp_path: Path) -> None:
    (cause,) = causes(function(tmp_path).execution(F, graph="f", inputs=[99], nan=1))
    assert (cause.kind, cause.confidence) == ("function", "low")


def test_evidence_tells_what_the_inputs_held(tmp_path: Path) -> None:
    built = logdir(tmp_path, mode=debug_modes.FULL_HEALTH)
    built.execution("Sub", outputs=[7], values=[Values(4, zero=1)])
    (cause,) = causes(built.execution("Log", inputs=[7], size=4, neg_inf=1))
    assert cause.evidence == (
        "Eager Log made 1 −∞ among 4 elements. "
        "Input 0, from eager Sub, had 1 zero, 3 positive among 4 elements."
    )


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (debug_modes.SHAPE, "SHAPE mode records no NaN"),
        (debug_modes.NO_TENSOR, "NO_TENSOR mode records no NaN"),
        (debug_modes.CURT_HEALTH, "CURT_HEALTH mode counts no elements"),
        (debug_modes.CONCISE_HEALTH, "CONCISE_HEALTH mode counts no zeros"),
    ],
)
def test_a_mode_that_leaves_questions_open_is_told_with_the_call_that_answers_them(
    tmp_path: Path, mode: int, words: str
) -> None:
    program = Program(logdir(tmp_path, mode=mode).execution("Log"))
    (limit,) = limits_of(program.snapshot, ())
    assert limit.startswith(words)
    assert limit.endswith(RECORD_ALL)


def test_full_health_leaves_no_question_open(tmp_path: Path) -> None:
    program = Program(logdir(tmp_path, mode=debug_modes.FULL_HEALTH).execution("Log"))
    assert list(limits_of(program.snapshot, ())) == []


def test_one_of_several_bad_inputs_of_what_does_harm_is_not_harmless(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Const", "a").op("Const", "b")
    built.op("AddN", "sum", inputs=["a:0", "b:0"]).op("Identity", "Identity", inputs=["sum:0"])
    built.trace("a", pos_inf=1).trace("b", pos_inf=1).trace("sum", pos_inf=1)
    found = causes(built.execution(F, graph="f", pos_inf=1))
    assert [(cause.num_alerts, cause.is_harmless) for cause in found] == [(3, False), (1, False)]


def nested(directory: Path) -> LogdirBuilder:
    """``f`` makes ``log``, and calls ``g``, which computes ``exp`` of its argument."""
    built = logdir(directory).graph("").graph("f", outer="").op("Log", "log")
    built.graph("g", outer="f").op("Placeholder", "y").op("Exp", "exp", inputs=["y:0"])
    return built.op("Identity", "Identity", inputs=["exp:0"])


def test_an_argument_of_a_function_called_in_a_graph_is_what_went_bad_before(
    tmp_path: Path,
) -> None:
    built = nested(tmp_path).in_graph("f").trace("log", nan=1).in_graph("g").trace("exp", nan=1)
    assert told(built.execution(F, graph="f", nan=1)) == [("operation", "Log", 3)]


def test_what_went_bad_in_another_call_is_no_argument(tmp_path: Path) -> None:
    built = nested(tmp_path).in_graph("f").trace("log", nan=1).execution(F, graph="f")
    built.in_graph("g").trace("exp", nan=1).execution(F, graph="f")
    assert [op_type for _, op_type, _ in told(built)] == ["Log", "Exp"]


def test_the_result_of_a_function_called_in_a_graph_leads_into_it(tmp_path: Path) -> None:
    built = nested(tmp_path).in_graph("f")
    built.op("Neg", "neg", inputs=["PartitionedCall:0"])
    built.trace("log").in_graph("g").trace("exp", nan=1).in_graph("f").trace("neg", nan=1)
    assert told(built.execution(F, graph="f")) == [("operation", "Exp", 2)]


def test_a_variable_that_a_nested_function_captured_has_the_last_bad_update_of_its_size(
    tmp_path: Path,
) -> None:
    built = nested(tmp_path).op("Placeholder", "handle")
    built.op("ReadVariableOp", "read", inputs=["handle:0"])
    for size, tensor in ((3, 70), (4, 71), (5, 72)):
        built.execution("RealDiv", outputs=[tensor], size=size, nan=1)
        built.execution("AssignVariableOp", inputs=[50 + size, tensor], values=[], outputs=[])
    built.trace("read", size=4, nan=1).execution(F, graph="f", inputs=[])
    program = Program(built)
    assert program.view.provenance.parents.tolist() == [-1, -1, -1, 1]


def test_an_iterator_brings_what_its_pipeline_made(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("Dataset_map_parse", outer="")
    built.op("RealDiv", "div").trace("div", nan=1)
    built.execution("IteratorGetNext", inputs=[5], outputs=[7], nan=1)
    assert told(built.execution("Neg", inputs=[7], nan=1)) == [("operation", "RealDiv", 3)]


def test_a_nan_among_the_inputs_counts_more_than_an_earlier_infinity(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Exp", outputs=[70], pos_inf=1)
    built.execution("Sqrt", outputs=[71], nan=1)
    program = Program(built.execution("Mul", inputs=[70, 71], nan=1))
    assert program.view.provenance.parents.tolist() == [-1, -1, 1]


def test_a_long_chain_is_cut_before_the_damage(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Log", "op0").trace("op0", nan=1)
    for number in range(1, 40):
        built.op("Neg", f"op{number}", inputs=[f"op{number - 1}:0"]).trace(f"op{number}", nan=1)
    (cause,) = causes(built.execution(F, graph="f", nan=1))
    assert len(cause.chain) == 24
    assert [link.event.alert for link in cause.chain][-2:] == [22, 40]


def test_the_gradient_of_an_op_names_the_line_of_the_op(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("f1", "train.py", line=13)
    built.frame("f2", "train.py", line=15).graph("").graph("f", outer="")
    built.op("Sqrt", "norm", stack=["f1"])
    built.op("SqrtGrad", "gradient_tape/norm/SqrtGrad", inputs=["norm:0"], stack=["f2"])
    built.trace("norm").trace("gradient_tape/norm/SqrtGrad", pos_inf=1)
    program = Program(built.execution(F, graph="f", pos_inf=1))
    (cause,) = program.view.root_causes.listed
    assert cause.forward_location is not None
    frame = program.view.code.innermost_user_frame(cause.forward_location)
    assert frame is not None
    assert frame.lineno == 13


def test_float16_is_told_of_its_range(tmp_path: Path) -> None:
    overflow = Values(2, pos_inf=1, dtype=19)
    (cause,) = causes(logdir(tmp_path).execution("Mul", inputs=[91], values=[overflow]))
    assert cause.advice.startswith("float16 ends at 65504")


def test_an_op_whose_inputs_record_is_missing_comes_behind_one_that_is_known(
    tmp_path: Path,
) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7])
    built.trace("mul", nan=1).execution(F, graph="f", inputs=[7], nan=1)
    built.trace("log", nan=1).trace("mul", nan=1).execution(F, graph="f", inputs=[7], nan=1)
    found = causes(built)
    assert [(cause.first.op_type, cause.confidence) for cause in found] == [
        ("Log", "high"),
        ("Mul", "low"),
    ]


def test_inputs_that_were_not_recorded_are_named_once(tmp_path: Path) -> None:
    built = function(tmp_path).in_graph("f").op("Mul", "square", inputs=["x:0", "x:0"])
    (cause,) = causes(built.trace("square", pos_inf=1).execution(F, graph="f", inputs=[99]))
    assert cause.evidence.endswith(
        "Its input x:0 was not recorded: an origin unless that was bad already."
    )
    (cause,) = causes(logdir(tmp_path / "eager").execution("Div", inputs=[91, 92], nan=1))
    assert cause.evidence.endswith(
        "Its inputs 0, 1 were not recorded: an origin unless one was bad already."
    )


# What the files do not hold, or should not.


def test_an_op_whose_creation_is_missing_is_a_cause_of_low_confidence(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").trace("log", nan=1)
    (cause,) = causes(built.execution(F, graph="f"))
    assert (cause.first.op_type, cause.confidence) == ("", "low")
    assert cause.evidence.startswith("Op log:0 of f() made 1 NaN")


def test_ops_that_are_each_others_inputs_end_the_walk(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Identity", "a", inputs=["b:0"])
    built.op("Identity", "b", inputs=["a:0"]).op("Log", "log", inputs=["a:0", "log:0"])
    built.trace("log", nan=1).trace("log", nan=1).execution(F, graph="f")
    assert told(built) == [("operation", "Log", 2)]


def test_a_read_without_inputs_is_an_origin_like_any(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Log", inputs=[91], outputs=[5], nan=1)
    built.execution("AssignVariableOp", inputs=[7, 5], values=[], outputs=[])
    built.execution("ReadVariableOp", inputs=[7], nan=1).execution("ReadVariableOp", nan=1)
    assert told(built) == [("operation", "Log", 2), ("variable", "ReadVariableOp", 1)]
    assert told(built.execution("Add", inputs=[7])) == told(built)


def test_ops_behind_the_most_that_are_looked_at_are_no_causes_and_the_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_WORK", 10)
    built = logdir(tmp_path).graph("f").op("Placeholder", "x").op("Log", "log", inputs=["x:0"])
    for number in range(20):
        built.op("Neg", f"neg{number}", inputs=["log:0"])
    built.trace("log", nan=1)
    for number in range(20):
        built.trace(f"neg{number}", nan=1)
    program = Program(built)
    found = program.view.root_causes
    assert [cause.first.op_type for cause in found.listed] == ["Log"]
    assert found.total == 1
    assert found.num_explained + found.num_not_looked_at == found.num_alerts == 21
    (limit,) = limits_of(program.snapshot, (), found.num_not_looked_at)
    assert f"what made {found.num_not_looked_at} of the alerts bad was not looked for" in limit


def test_functions_behind_the_most_that_are_looked_at_are_no_causes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_WORK", 3 * limits.WORK_OF_RESULT)
    built = logdir(tmp_path)
    for number in range(10):
        built.execution(f"__inference_f{number}_1", graph=f"f{number}", nan=1)
    assert Program(built).view.root_causes.total == 3


def test_a_long_chain_of_copies_without_traces_leads_to_what_made_the_first(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Placeholder", "x").op("Log", "log", inputs=["x:0"])
    built.op("Identity", "i0", inputs=["log:0"])
    for number in range(1, 600):
        built.op("Identity", f"i{number}", inputs=[f"i{number - 1}:0"])
    built.op("Neg", "neg", inputs=["i599:0"]).trace("log", nan=1).trace("neg", nan=1)
    assert told(built) == [("operation", "Log", 2)]


def test_an_execution_that_is_its_own_input_is_an_origin(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Div", inputs=[70, 70], outputs=[70], nan=1)
    assert told(built) == [("operation", "Div", 1)]


def test_a_graph_that_nobody_knows_has_causes_too(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f", outer="f").op("Placeholder", "x").op("Log", "log")
    built.trace("x", nan=1).trace("log", nan=1).op("ReadVariableOp", "read").trace("read", nan=1)
    built.execution("AssignVariableOp", outputs=[], values=[])
    assert {kind for kind, _, _ in told(built)} == {"input_data", "operation", "variable"}


def test_values_that_are_fewer_than_outputs_are_of_no_output_in_particular(
    tmp_path: Path,
) -> None:
    built = function(tmp_path).trace("log").trace("mul")
    built.execution(F, graph="f", inputs=[7], outputs=[80, 81], nan=1)
    (cause,) = causes(built)
    assert (cause.kind, cause.first.slot) == ("function", None)


# One bug, one cause.


def versions(directory: Path, *names: str, op_types: Sequence[str] = ()) -> LogdirBuilder:
    """Functions, or versions of one, each with a loop whose body has an op of one line."""
    built = logdir(directory).source("model.py").frame("line", "model.py", function="loss")
    for number, name in enumerate(names):
        built.graph("").graph(name, graph_id=f"id{number}", outer="")
        built.graph(f"{name}_while_body_{number}", outer=f"id{number}")
        built.op(op_types[number] if op_types else "Log", "op", stack=["line"])
        built.trace("op", nan=1).execution(F, graph=f"id{number}", nan=1)
    return built


def test_an_op_in_all_versions_of_a_function_is_one_bug(tmp_path: Path) -> None:
    (cause,) = causes(versions(tmp_path, "f", "f", "f"))
    assert (cause.first.op_type, cause.num_alerts) == ("Log", 6)
    assert cause.evidence.endswith("It did so in 2 more versions of the function, too.")


def test_one_line_in_two_functions_is_a_bug_of_each(tmp_path: Path) -> None:
    assert [cause.num_alerts for cause in causes(versions(tmp_path, "f", "g"))] == [2, 2]


def test_ops_of_two_types_are_two_bugs_in_versions_too(tmp_path: Path) -> None:
    found = causes(versions(tmp_path, "f", "f", op_types=["Log", "Sqrt"]))
    assert [cause.first.op_type for cause in found] == ["Log", "Sqrt"]


def test_many_versions_of_one_bug_leave_room_for_another_one(tmp_path: Path) -> None:
    built = versions(tmp_path, *["f"] * 120).execution("Sqrt", inputs=[9999], nan=1)
    found = Program(built).view.root_causes
    assert [cause.first.op_type for cause in found.listed] == ["Log", "Sqrt"]
    assert found.total == 2


@pytest.mark.parametrize("is_nested", [True, False])
def test_a_helper_that_two_functions_call_is_a_bug_of_each(tmp_path: Path, is_nested: bool) -> None:
    built = logdir(tmp_path).source("train.py").frame("helper", "train.py", function="safe_log")
    built.graph("").graph("train", outer="")
    for number, name in enumerate(["generator", "discriminator"] if is_nested else ["loss"] * 2):
        built.frame(f"caller{number}", "train.py", line=10 + number, function=name)
        outer = "train" if is_nested else ""
        built.graph(name, graph_id=f"id{number}", outer=outer)
        built.op("Log", "Log", stack=[f"caller{number}", "helper"]).trace("Log", nan=1)
        if not is_nested:
            built.execution(F, graph=f"id{number}", nan=1)
    if is_nested:
        built.execution(F, graph="train", nan=1)
    assert [cause.first.op_type for cause in causes(built)] == ["Log", "Log"]


@pytest.mark.parametrize("is_first_given", [True, False])
def test_an_argument_that_the_program_gave_is_a_bug_of_its_own(
    tmp_path: Path, is_first_given: bool
) -> None:
    built = logdir(tmp_path).source("train.py").frame("arg", "train.py")
    for number, is_given in enumerate([is_first_given, not is_first_given]):
        built.graph("").graph("f", graph_id=f"id{number}", outer="")
        built.op("Placeholder", "x", stack=["arg"]).trace("x", nan=1)
        built.execution(F, graph="f", inputs=[70] if is_given else [], nan=1)
    assert [cause.num_alerts for cause in causes(built)] == [2, 2]


def test_arguments_of_two_versions_are_told_each_with_its_call(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("arg", "train.py")
    for number in range(2):
        built.frame(f"call{number}", "train.py", line=number + 5).graph("")
        built.graph("f", graph_id=f"id{number}", outer="").op("Placeholder", "x", stack=["arg"])
        built.trace("x", nan=1)
        built.execution(F, graph="f", inputs=[70 + number], nan=1, stack=[f"call{number}"])
    assert [cause.kind for cause in causes(built)] == ["input_data", "input_data"]


def gradient(directory: Path) -> LogdirBuilder:
    """``f(x)`` with ``log(x)`` and its gradient, ``1 / x``."""
    built = logdir(directory).source("math_grad.py")
    built.frame("grad", "math_grad.py", function="_LogGrad").graph("").graph("f", outer="")
    built.op("Neg", "x").op("Log", "log", inputs=["x:0"])
    built.op("Reciprocal", "gradient_tape/Reciprocal", inputs=["x:0"], stack=["grad"])
    return built.op("Identity", "Identity", inputs=["gradient_tape/Reciprocal:0"])


def test_a_gradient_that_went_bad_with_its_forward_op_is_the_same_bug(tmp_path: Path) -> None:
    built = gradient(tmp_path).trace("x").trace("log", nan=1)
    built.trace("gradient_tape/Reciprocal", nan=1).execution(F, graph="f", nan=1)
    (cause,) = causes(built)
    assert (cause.first.op_type, cause.num_alerts) == ("Log", 3)
    assert "went bad in forward op and gradient: also in Reciprocal" in cause.evidence


def test_where_the_forward_op_did_no_harm_its_gradient_is_the_cause(tmp_path: Path) -> None:
    built = gradient(tmp_path).trace("x").trace("log", neg_inf=1)
    built.trace("gradient_tape/Reciprocal", pos_inf=1).execution(F, graph="f", nan=1)
    (cause,) = causes(built)
    assert (cause.first.op_type, cause.num_alerts, cause.is_harmless) == ("Reciprocal", 3, False)
    assert "It is part of the gradient of Log log:0 of f()." in cause.evidence
    assert "double-where" in cause.advice


def test_two_forward_ops_over_the_same_zero_are_two_bugs(tmp_path: Path) -> None:
    built = gradient(tmp_path).op("Rsqrt", "rsqrt", inputs=["x:0"])
    built.trace("x").trace("log", nan=1).trace("rsqrt", nan=1).execution(F, graph="f")
    assert [op_type for _, op_type, _ in told(built)] == ["Log", "Rsqrt"]


def test_a_symbolic_gradient_names_its_forward_op(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("f1", "train.py", line=13).graph("")
    built.graph("f", outer="").op("Neg", "x").op("Sqrt", "cell/root", inputs=["x:0"], stack=["f1"])
    built.op("RealDiv", "gradients/cell/root_grad/div", inputs=["y:0", "x:0"])
    built.trace("x").trace("gradients/cell/root_grad/div", nan=1).execution(F, graph="f", nan=1)
    program = Program(built)
    (cause,) = program.view.root_causes.listed
    assert cause.forward_location == program.snapshot.ops.location[1]


def test_one_bad_array_that_two_ops_were_given_is_one_cause(tmp_path: Path) -> None:
    built = function(tmp_path).in_graph("f").op("Neg", "neg", inputs=["x:0"])
    built.op("Abs", "abs", inputs=["x:0"]).trace("neg", nan=1).trace("abs", nan=1)
    (cause,) = causes(built.execution(F, graph="f", inputs=[99]))
    assert (cause.kind, cause.first.op_type, cause.num_alerts) == ("input_data", "Neg", 2)
    assert "so its input x:0 was bad" in cause.evidence


def test_data_that_a_call_brought_in_is_blamed_on_the_line_of_the_call(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("op", "train.py", line=13)
    built.frame("call", "train.py", line=40).graph("").graph("f", outer="").op("Placeholder", "x")
    built.op("Sum", "sum", inputs=["x:0"], stack=["op"]).trace("sum", nan=1)
    program = Program(built.execution(F, graph="f", inputs=[99], stack=["call"]))
    (cause,) = program.view.root_causes.listed
    frame = program.view.code.innermost_user_frame(cause.location)
    assert frame is not None
    assert (cause.kind, frame.lineno) == ("input_data", 40)


def test_a_sum_that_is_infinite_may_have_overflowed(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Sum", inputs=[91], pos_inf=1)
    assert told(built) == [("operation", "Sum", 1)]


def test_what_is_too_large_after_many_calls_has_grown_and_is_one_cause(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Neg", "x")
    built.op("Square", "loss", inputs=["x:0"]).op("Mul", "step", inputs=["x:0"])
    for call in range(8):
        built.trace("x").trace("loss", pos_inf=call >= 4).trace("step", pos_inf=call >= 6)
        built.execution(F, graph="f")
    (cause,) = causes(built)
    assert (cause.first.op_type, cause.call_number, cause.called) == ("Square", 5, "f")
    assert (cause.num_alerts, cause.is_harmless) == (6, False)
    assert "lower the learning rate" in cause.advice


def test_calls_of_a_function_are_counted_whatever_it_was_traced_for(tmp_path: Path) -> None:
    built = function(tmp_path).execution("Rand", outputs=[7])
    built.execution("__inference_f_9", inputs=[7]).execution("__forward_f_12", inputs=[7])
    built.execution("__inference___backward_f_9_11", inputs=[7])
    built.trace("log", nan=1).execution(F, graph="f", inputs=[7], nan=1)
    (cause,) = causes(built)
    assert (cause.call_number, cause.called) == (3, "f")


def test_of_two_at_the_same_time_the_one_that_explains_more_comes_first(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Sqrt", inputs=[91], nan=1, at=100.0)
    built.execution("RealDiv", inputs=[91, 92], outputs=[7], nan=1, at=100.0)
    built.execution("Neg", inputs=[7], nan=1, at=101.0)
    assert [op_type for _, op_type, _ in told(built)] == ["RealDiv", "Sqrt"]


# Holes in the record.


def test_a_restored_variable_got_a_copy_that_was_not_recorded(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("RestoreV2", inputs=[91], outputs=[7], nan=1)
    built.execution("AssignVariableOp", inputs=[50, 8], values=[], outputs=[])
    built.execution("ReadVariableOp", inputs=[50], outputs=[9], nan=1)
    (cause,) = causes(built)
    assert (cause.kind, cause.num_alerts) == ("checkpoint", 2)
    assert [link.is_guess for link in cause.chain] == [False, True]


def test_a_variable_set_long_after_a_restore_was_not_restored(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("RestoreV2", inputs=[91], outputs=[7], nan=1)
    built.execution("Rand").execution("AssignVariableOp", inputs=[50, 8], values=[], outputs=[])
    built.execution("ReadVariableOp", inputs=[50], outputs=[9], nan=1)
    assert [kind for kind, _, _ in told(built)] == ["checkpoint", "variable"]


def test_a_variable_that_was_set_from_an_array_is_blamed_on_that_line(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("set", "train.py", line=5)
    built.frame("read", "train.py", line=9)
    built.execution("AssignVariableOp", inputs=[50, 8], values=[], outputs=[], stack=["set"])
    built.execution("ReadVariableOp", inputs=[50], outputs=[9], nan=1, stack=["read"])
    program = Program(built)
    (cause,) = program.view.root_causes.listed
    frame = program.view.code.innermost_user_frame(cause.location)
    assert frame is not None
    assert (cause.kind, frame.lineno) == ("variable", 5)


def test_a_list_of_tensors_holds_what_went_bad_before(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Log", "log")
    built.op("TensorListStack", "stack", inputs=["list:0"]).op("Identity", "Identity", inputs=[])
    built.trace("log", nan=1).trace("stack", nan=1).execution(F, graph="f")
    (cause,) = causes(built)
    assert [(link.event.op_type, link.is_guess) for link in cause.chain] == [
        ("Log", False),
        ("TensorListStack", True),
    ]
    assert cause.confidence == "medium"


def test_a_long_chain_says_how_many_steps_are_left_out(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Log", "op0").trace("op0", nan=1)
    for number in range(1, 40):
        built.op("Neg", f"op{number}", inputs=[f"op{number - 1}:0"]).trace(f"op{number}", nan=1)
    (cause,) = causes(built.execution(F, graph="f", nan=1))
    assert [link.num_skipped for link in cause.chain][-2:] == [0, 17]


def test_an_eager_copy_that_was_not_recorded_is_of_the_last_bad_tensor_of_its_size(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).execution("Log", inputs=[91], outputs=[70], size=3, nan=1)
    built.execution("Log", inputs=[92], outputs=[71], size=4, nan=1)
    built.execution("Relu", inputs=[73], size=3, nan=1)
    program = Program(built)
    assert program.view.provenance.parents.tolist() == [-1, -1, 0]
    assert program.view.provenance.guessed.tolist() == [False, False, True]


def test_a_logarithm_of_an_unrecorded_tensor_is_no_copy_of_an_earlier_bad_one(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).execution("Sqrt", inputs=[91], nan=1)
    assert len(told(built.execution("Log", inputs=[73], nan=1))) == 2


def test_a_case_that_leaves_a_trace_leads_into_its_branch(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Case", "case", inputs=["i:0"])
    built.op("Identity", "Identity", inputs=["case:0"]).graph("case_branch1_7", outer="f")
    built.op("Log", "log").op("Identity", "Identity", inputs=["log:0"])
    built.trace("log", nan=1).in_graph("f").trace("case", nan=1)
    assert told(built.execution(F, graph="f", nan=1)) == [("operation", "Log", 3)]


def test_reads_of_a_variable_that_one_line_set_are_one_cause(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("AssignVariableOp", inputs=[50, 8], values=[], outputs=[])
    built.source("a.py").frame("f1", "a.py").execution("ReadVariableOp", inputs=[50], nan=1)
    built.execution("ReadVariableOp", inputs=[50], nan=1, stack=["f1"])
    assert told(built) == [("variable", "ReadVariableOp", 2)]


def test_an_eager_mask_that_went_into_a_finite_softmax_is_harmless(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("SelectV2", inputs=[91, 92], outputs=[7], neg_inf=1)
    (cause,) = causes(built.execution("Softmax", inputs=[7]))
    assert cause.is_harmless


def test_an_infinite_loss_that_went_nowhere_is_not_harmless(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Log", inputs=[91], outputs=[7], neg_inf=1)
    (cause,) = causes(built.execution("Neg", inputs=[7], pos_inf=1))
    assert (cause.num_alerts, cause.is_harmless) == (2, False)


def test_a_float16_product_that_reaches_nothing_is_left_to_the_loss_scale(tmp_path: Path) -> None:
    for name, dtype in (("float16", 19), ("float32", 1)):
        built = logdir(tmp_path / name).graph("").graph("f", outer="").op("Neg", "x")
        built.op("MatMul", "gradient_tape/dense/MatMul", inputs=["x:0"]).trace("x")
        too_large = Values(2, pos_inf=1, dtype=dtype)
        built.trace("gradient_tape/dense/MatMul", value=too_large).execution(F, graph="f")
        built.trace("x").trace("gradient_tape/dense/MatMul").execution(F, graph="f")
        (cause,) = causes(built)
        assert cause.is_harmless == (name == "float16")


def test_a_loss_scale_that_drops_all_steps_is_no_reason_to_call_a_gradient_harmless(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Neg", "x")
    built.op("MatMul", "gradient_tape/dense/MatMul", inputs=["x:0"]).trace("x")
    too_large = Values(2, pos_inf=1, dtype=19)
    built.trace("gradient_tape/dense/MatMul", value=too_large).execution(F, graph="f")
    (cause,) = causes(built)
    assert not cause.is_harmless
