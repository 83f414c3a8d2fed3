"""Functions that are compiled again and again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tb_debugger_plugin.events import debug_modes
from tests.analyses.patterns.told import kinds, patterns
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def program(directory: Path, mode: int = debug_modes.SHAPE) -> LogdirBuilder:
    """A script that calls ``f`` of lines 10 and 11, at line 20; ``g`` is a library's."""
    built = logdir(directory, mode=mode).source("train.py")
    built.source("/usr/lib/python3/site-packages/keras/src/g.py").graph("")
    built.frame("call", "train.py", line=20).frame("f10", "train.py", line=10, function="f")
    built.frame("f11", "train.py", line=11, function="f")
    built.frame("f30", "train.py", line=30, function="f")
    return built.frame("g", 1, line=5, function="g")


def compile_f(
    built: LogdirBuilder,
    number: int,
    *,
    name: str = "f",
    lines: Sequence[str] = ("f10", "f11"),
    arguments: Sequence[str] = ("x",),
) -> LogdirBuilder:
    """A concrete function."""
    built.graph(name, graph_id=f"{name}-{number}", outer="")
    for argument in arguments:
        built.op("Placeholder", argument, stack=["call"])
    for line in lines:
        built.op("Mul", f"mul_{line}", inputs=["x:0"], stack=["call", line])
    return built.op("Mul", "result", stack=["call", lines[-1]])


def call(
    built: LogdirBuilder, number: int, *shape: int, name: str = "f", times: int = 1
) -> LogdirBuilder:
    for _ in range(times):
        tensor = 1000 + built._run.next_eager_tensor_id
        size = 1
        for dim in shape:
            size *= dim
        if shape:
            built.execution("Fill", outputs=[tensor], values=[Values(size, shape=shape)])
        built.in_graph(f"{name}-{number}").trace("result", value=Values())
        built.execution(
            f"__inference_{name}_{number}",
            graph=f"{name}-{number}",
            inputs=[tensor],
            stack=["call"],
        )
    return built


def test_a_version_for_each_shape(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(1, 4):
        call(compile_f(built, number), number, number, 2)
    (found,) = patterns(built, "retracing")
    assert found.evidence == (
        "3 of 3 calls compiled a new version. "
        "x was given as float32 [1, 2], float32 [2, 2] and float32 [3, 2]."
    )
    assert [version.num_calls for version in found.versions] == [1, 1, 1]
    assert [version.first_call for version in found.versions] == [1, 3, 5]
    assert found.execution_row == 5


def test_a_version_for_each_python_value(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(3):
        call(compile_f(built, number), number, 2, 2)
    (found,) = patterns(built, "retracing")
    assert found.evidence.endswith(
        "They differ in what was not recorded: a Python value, or another object or tf.function."
    )


def test_what_is_not_known_of_arguments_is_not_said_to_be_the_same(tmp_path: Path) -> None:
    built = program(tmp_path, debug_modes.CONCISE_HEALTH)
    for number in range(3):
        call(compile_f(built, number), number, 2, 2)
    (found,) = patterns(built, "retracing")
    assert "not recorded: a Python value perhaps, or a dtype or shape." in found.evidence


def test_other_numbers_of_arguments(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(3):
        call(compile_f(built, number, arguments=["x", "y", "z"][: number + 1]), number, 2)
    (found,) = patterns(built, "retracing")
    assert "They take 1, 2 and 3 tensors." in found.evidence


def test_versions_that_are_used_again_are_no_harm(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(3):
        call(compile_f(built, number), number, 4, times=2)
    assert kinds(built) == []


def test_five_of_ten_calls_as_tensorflow_warns(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(5):
        call(compile_f(built, number), number, 4, times=2)
    assert kinds(built) == ["retracing"]


def test_a_version_now_and_then_is_no_harm(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(9):
        call(compile_f(built, number), number, 4, times=5)
    assert kinds(built) == []


def test_another_function_of_the_same_name_is_another(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(4):
        call(compile_f(built, number, lines=["f10"] if number % 2 else ["f30"]), number, 4)
    assert kinds(built) == []


def test_functions_of_a_library_are_left_out(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(9):
        call(compile_f(built, number, name="g", lines=["g"]), number, 4, name="g")
    assert kinds(built) == []


def test_functions_within_others_are_compiled_with_these(tmp_path: Path) -> None:
    built = program(tmp_path).graph("outer", outer="")
    for number in range(5):
        built.graph("f", graph_id=f"f-{number}", outer="outer")
        built.op("Mul", "mul", stack=["call", "f10"])
    assert kinds(built.execution("__inference_outer_9", graph="outer")) == []


def test_a_call_for_gradients_is_of_the_version_made_before_it(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(3):
        compile_f(built, number).execution(f"__forward_f_{number + 50}", stack=["call"])
    (found,) = patterns(built, "retracing")
    assert [version.first_call for version in found.versions] == [0, 1, 2]


def test_captures_are_no_arguments(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(3):
        arguments = ["x", "mul/ReadVariableOp/resource"]
        call(compile_f(built, number, arguments=arguments), number, 2)
    (found,) = patterns(built, "retracing")
    assert [each.name for each in found.versions[0].arguments] == ["x"]
