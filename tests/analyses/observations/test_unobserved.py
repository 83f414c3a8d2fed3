"""What ran, or may have, without anybody watching."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.events import debug_modes
from tests.analyses.observations.seen import call, kinds, only, whole_program
from tests.builders.logdir import LogdirBuilder, logdir


def compiled(built: LogdirBuilder) -> LogdirBuilder:
    """A function of the program that leaves no trace."""
    return whole_program(built).graph("compiled", outer="").op("Exp", "Exp")


def test_calls_that_gave_floats_and_left_no_trace(tmp_path: Path) -> None:
    built = compiled(logdir(tmp_path))
    built.execution("__inference_compiled_1", graph="compiled")
    observation = only(built.execution("__inference_compiled_1", graph="compiled"))
    assert (observation.kind, observation.is_loss) == ("unobserved_calls", False)
    assert observation.message.startswith("2 calls of compiled gave values")
    assert observation.num_records == 2


def test_a_loaded_function_calls_another_one_and_nothing_inside_is_watched(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("restored", outer="")
    built.op("Identity", "out", inputs=["StatefulPartitionedCall:0"])
    assert kinds(built.execution("__inference_restored_1", graph="restored")) == [
        "unobserved_calls"
    ]


def test_initial_values_of_variables_are_not_made_inside(tmp_path: Path) -> None:
    """Of TensorFlow's ``initialize_variables`` the initialisers are not recorded as ops."""
    built = whole_program(logdir(tmp_path)).graph("initialize_variables", outer="")
    built.op("Placeholder", "resource")
    built.op("AssignVariableOp", "assign", inputs=["resource:0", "bias/zeros:0"], outputs=0)
    built.execution(
        "__inference_initialize_variables_1",
        graph="initialize_variables",
        mode=debug_modes.NO_TENSOR,
    )
    assert "unobserved_calls" not in kinds(built)


def test_a_function_of_integers_leaves_no_trace_in_health_modes(tmp_path: Path) -> None:
    built = compiled(logdir(tmp_path))
    built.execution("__inference_compiled_1", graph="compiled", values=[b""])
    assert kinds(built) == []


def test_a_mode_that_traces_every_dtype_excuses_nothing(tmp_path: Path) -> None:
    built = compiled(logdir(tmp_path))
    built.execution("__inference_compiled_1", graph="compiled", mode=debug_modes.NO_TENSOR)
    assert kinds(built) == ["no_values", "unobserved_calls"]


def test_a_function_that_only_passes_its_argument_on_computes_nothing(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("same", outer="")
    built.op("Placeholder", "x").op("Identity", "Identity", inputs=["x:0"])
    assert kinds(built.execution("__inference_same_1", graph="same")) == []


def test_a_function_is_observed_in_the_functions_that_it_calls(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("train", outer="").op("Exp", "Exp")
    built.graph("inner", outer="train").op("Log", "Log").trace("Log")
    assert kinds(built.execution("__inference_train_1", graph="train")) == []


def test_calls_whose_traces_were_dropped_are_not_called_unobserved(tmp_path: Path) -> None:
    built = compiled(logdir(tmp_path))
    built.execution("__inference_compiled_1", graph="compiled")
    call(built.in_graph("f"), ops=())
    assert kinds(call(built)) == ["graph_executions_dropped"]


def test_a_function_of_floats_that_was_built_and_never_seen(tmp_path: Path) -> None:
    observation = only(compiled(logdir(tmp_path)))
    assert (observation.kind, observation.is_loss) == ("unobserved_functions", False)
    assert observation.message.startswith("compiled was built")


def test_a_version_that_another_one_replaced_need_not_run(tmp_path: Path) -> None:
    """TensorFlow traces a function once to make its variables, and anew without that."""
    built = whole_program(logdir(tmp_path)).graph("steps", outer="").op("NoOp", "NoOp")
    built.graph("train", graph_id="first", outer="steps").op("Exp", "Exp")
    built.graph("scratch", outer="first").op("Log", "Log")
    assert kinds(built) == ["unobserved_functions"]
    built.graph("train", graph_id="second", outer="steps").op("Exp", "Exp").trace("Exp")
    assert kinds(built.execution("__inference_steps_1", graph="steps")) == []


def test_a_method_is_not_seen_by_that_of_another_class(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("call", graph_id="first", outer="")
    built.op("Exp", "Exp").graph("call", graph_id="second", outer="").op("Log", "Log")
    built.trace("Log").execution("__inference_call_1", graph="second")
    assert kinds(built) == ["unobserved_functions"]


@pytest.mark.parametrize(
    "name",
    [
        "__backward_f_12",
        "cond_true_12",
        "while_body_3",
        "while_body_3_grad_9",
        "Dataset_map_scale",
        "",
    ],
)
def test_gradients_branches_and_datasets_may_not_run(tmp_path: Path, name: str) -> None:
    built = whole_program(logdir(tmp_path)).graph(name, graph_id="other").op("Exp", "Exp")
    assert kinds(built) == []


def test_a_function_of_ops_that_may_be_integers_is_not_reproached(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("count", outer="").op("AddV2", "add")
    assert kinds(built) == []


@pytest.mark.parametrize("is_there", [True, False])
def test_where_graph_executions_are_lost_nobody_says_that_calls_were_not_observed(
    tmp_path: Path, is_there: bool
) -> None:
    built = compiled(logdir(tmp_path)).execution("__inference_compiled_1", graph="compiled")
    if is_there:
        built.flip_bit("graph_execution_traces", -20)
    else:
        built.remove("graph_execution_traces")
    assert kinds(built) == []
