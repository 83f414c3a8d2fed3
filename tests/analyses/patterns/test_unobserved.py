"""Functions that nothing was recorded of."""

from __future__ import annotations

from pathlib import Path

from tests.analyses.patterns.told import kinds, patterns
from tests.builders.logdir import LogdirBuilder, logdir


def program(directory: Path) -> LogdirBuilder:
    """``seen`` ran and was observed; ``f`` was built."""
    built = logdir(directory).graph("").graph("seen", outer="").op("Mul", "mul")
    built.trace("mul").execution("__inference_seen_1", graph="seen")
    return built.graph("f", outer="").op("MatMul", "matmul")


def test_calls_that_left_no_tensor(tmp_path: Path) -> None:
    built = program(tmp_path)
    for _ in range(3):
        built.execution("__inference_f_2", graph="f")
    (found,) = patterns(built, "unobserved_function")
    assert (found.execution_row, found.num_events) == (3, 3)
    assert found.evidence == "3 calls; none of its 1 op left a tensor."


def test_a_function_that_was_only_built(tmp_path: Path) -> None:
    (found,) = patterns(program(tmp_path), "unobserved_function")
    assert (found.execution_row, found.num_events) == (None, 0)


def test_a_version_that_was_thrown_away_is_no_harm(tmp_path: Path) -> None:
    built = program(tmp_path).graph("f", graph_id="second", outer="").op("MatMul", "matmul")
    assert kinds(built.trace("matmul").execution("__inference_f_3", graph="second")) == []
