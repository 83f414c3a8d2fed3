"""References to what is not on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analyses.observations.seen import kinds, only, seen, whole_program
from tests.builders.logdir import logdir


def test_executions_whose_frames_were_not_written(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x"]).frame("top", "train.py")
    built.execution("Add", stack=["top"])
    for _ in range(3):
        built.execution("Mul", stack=["top", "gone"])
    built.graph("").op("Sqrt", "Sqrt", stack=["gone too"]).trace("Sqrt")
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("missing_stack_frames", True)
    assert observation.message.startswith("The stack traces of 3 executions and 1 op name frames")
    assert (observation.num_records, observation.file) == (4, str(built.path("stack_frames")))


def test_frames_whose_file_was_not_written(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x"]).frame("f1", "train.py").frame("f2", 1)
    observation = only(built.execution("Add", stack=["f1", "f2"]))
    assert (observation.kind, observation.is_loss) == ("missing_source_files", True)
    assert observation.message.startswith("1 stack frame of 2 names a source file")


def test_graphs_that_are_named_and_not_declared(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f", outer="gone").op("Sqrt", "Sqrt").trace("Sqrt")
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("missing_graphs", True)
    assert observation.num_records == 1


def test_traces_whose_op_is_not_on_disk(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path), num_calls=0)
    for _ in range(3):
        built.trace("Sqrt").trace("gone").trace("mul")
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("missing_ops", True)
    assert observation.message == "1 op of f has 3 graph executions and is not on disk."
    assert len(observation.graphs) == 1


def test_functions_built_in_a_thread_without_the_debugger_have_no_ops(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("", graph_id="of thread").graph("g", outer="")
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("graphs_without_ops", False)
    assert observation.message == "No op of g was recorded."
    built.trace("Exp").trace("Exp")
    assert "2 graph executions of them" in only(built).message


def test_threads_declare_each_other_s_functions_again_without_ops(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("f", graph_id="again")
    assert kinds(built) == []


def test_graphs_whose_file_is_cut_have_lost_their_ops(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path)).graph("g").trace("Exp").op("Exp", "Exp")
    built.truncate("graphs", 3)
    assert kinds(built) == ["missing_ops"]


@pytest.mark.parametrize(
    ("name", "is_odd"),
    [
        ("gone", True),
        ("StatefulPartitionedCall", False),
        ("scope/PartitionedCall_12", False),
        ("adam/kernel_momentum/Initializer/zeros", False),
        ("scale/Initializer/mul", False),
        ("gradients/zeros_3", False),
    ],
)
def test_inputs_that_no_recorded_op_makes(tmp_path: Path, name: str, is_odd: bool) -> None:
    built = whole_program(logdir(tmp_path)).op("Mul", "last", inputs=["mul:0", f"{name}:0"])
    found = seen(built)
    assert [observation.kind for observation in found] == ["dangling_inputs"] * is_odd
    if is_odd:
        assert found[0].message == (
            "1 input of ops in f comes from ops that are not on disk: gone."
        )
        assert not found[0].is_loss
