"""Shapes that change after many calls in which they did not."""

from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.analyses.patterns.thresholds import SAME_SHAPE_CALLS
from tb_debugger_plugin.events import debug_modes
from tests.analyses.patterns.told import F, kinds, patterns
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def program(directory: Path, mode: int = debug_modes.SHAPE) -> LogdirBuilder:
    """``f(x)``: ``first`` of ``x``, and ``second`` of ``first``."""
    built = logdir(directory, mode=mode).graph("").graph("f", outer="").op("Placeholder", "x")
    return built.op("Mul", "first", inputs=["x:0"]).op("Transpose", "second", inputs=["first:0"])


def call(built: LogdirBuilder, *shapes: tuple[int, ...], times: int = 1) -> LogdirBuilder:
    for _ in range(times):
        for name, shape in zip(("first", "second"), shapes, strict=False):
            size = 1
            for dim in shape:
                size *= dim
            built.trace(name, value=Values(size, shape=shape))
        built.execution(F, graph="f")
    return built


def test_a_shape_that_was_the_same_and_changes(tmp_path: Path) -> None:
    built = call(call(program(tmp_path), (8, 3), times=5), (8, 4), times=2)
    (found,) = patterns(built, "shape_change")
    assert (found.trace_row, found.evidence) == (5, "[8, 3] in 5 calls, then [8, 4].")


def test_a_shape_that_changes_early_was_never_the_same(tmp_path: Path) -> None:
    built = call(program(tmp_path), (8, 3), times=SAME_SHAPE_CALLS - 1)
    assert kinds(call(built, (8, 4), times=9)) == []


def test_the_last_and_smaller_batch_is_usual(tmp_path: Path) -> None:
    assert kinds(call(call(program(tmp_path), (8, 3), times=9), (5, 3))) == []


def test_a_batch_that_is_transposed_is_one_all_the_same(tmp_path: Path) -> None:
    built = call(program(tmp_path), (8, 3), (3, 8), times=9)
    assert kinds(call(built, (5, 3), (3, 5))) == []


def test_an_argument_that_is_transposed_at_once_is_a_batch_too(tmp_path: Path) -> None:
    built = logdir(tmp_path, mode=debug_modes.SHAPE).graph("").graph("f", outer="")
    built.op("Placeholder", "x").op("Transpose", "first", inputs=["x:0"])
    for number, batch in enumerate([8] * 9 + [5], 1):
        value = Values(3 * batch, shape=(batch, 3))
        built.execution("IteratorGetNext", outputs=[number], values=[value])
        built.trace("first", value=Values(3 * batch, shape=(3, batch)))
        built.execution(F, graph="f", inputs=[number])
    assert kinds(built) == []


def test_what_is_transposed_later_is_no_batch(tmp_path: Path) -> None:
    built = call(program(tmp_path), (8, 3), (3, 8), times=9)
    (found,) = patterns(call(built, (8, 4), (4, 8)), "shape_change")
    assert found.op_type == "Mul"


def test_of_tensors_that_follow_from_one_another_the_first_is_told(tmp_path: Path) -> None:
    built = call(call(program(tmp_path), (8, 3), (8, 3), times=9), (8, 4), (8, 4))
    assert [found.op_type for found in patterns(built, "shape_change")] == ["Mul"]


def test_full_health_shows_a_change_of_rank(tmp_path: Path) -> None:
    built = call(program(tmp_path, debug_modes.FULL_HEALTH), (8, 3), times=5)
    (found,) = patterns(call(built, (24,)), "shape_change")
    assert found.evidence == "Rank 2 in 5 calls, then Rank 1."


def test_sizes_alone_tell_nothing(tmp_path: Path) -> None:
    built = call(program(tmp_path, debug_modes.CONCISE_HEALTH), (8, 3), times=9)
    assert kinds(call(built, (8, 4))) == []


def test_passes_of_a_loop_in_one_call_are_one(tmp_path: Path) -> None:
    built = program(tmp_path)
    for _ in range(9):
        built.trace("first", value=Values(24, shape=(8, 3)))
    assert kinds(call(built, (8, 4))) == []
