"""Patterns that only the values of FULL_TENSOR mode show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tb_debugger_plugin.analyses.patterns import read_values
from tb_debugger_plugin.events import debug_modes
from tests.analyses.patterns.told import F, kinds, patterns
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import FLOAT32, tensor_proto


def program(directory: Path, *, update: str | None = "AssignSubVariableOp") -> LogdirBuilder:
    """A step that reads a variable, and updates it unless told otherwise."""
    built = logdir(directory, mode=debug_modes.FULL_TENSOR).graph("").graph("f", outer="")
    built.op("Placeholder", "handle").op("ReadVariableOp", "read", inputs=["handle:0"])
    if update:
        built.op(update, "update", inputs=["handle:0", "read:0"], outputs=0)
    return built


def call(built: LogdirBuilder, *values: float) -> LogdirBuilder:
    """Calls in which the variable is [value, 0.5]."""
    for value in values:
        content = np.array([value, 0.5], dtype="<f4").tobytes()
        built.trace("read", value=tensor_proto(FLOAT32, (2,), content=content))
        built.execution(F, graph="f", values=[])
    return built


def test_a_variable_that_no_update_changes(tmp_path: Path) -> None:
    (found,) = patterns(call(program(tmp_path), 1, 1, 1, 1, 1), "unchanged")
    assert found.evidence == "All 2 elements are the same, bit by bit, in the last 5 calls."


def test_a_variable_that_changes_at_all_is_updated(tmp_path: Path) -> None:
    assert kinds(call(program(tmp_path), 1, 1, 1, 1, 1.0000001)) == []


def test_a_variable_that_is_not_updated_need_not_change(tmp_path: Path) -> None:
    assert kinds(call(program(tmp_path, update=None), 1, 1, 1, 1, 1, 1)) == []


def test_values_that_grow_towards_overflow(tmp_path: Path) -> None:
    (found,) = patterns(call(program(tmp_path), 1, -10, 100, -1e3, 1e4), "magnitude_growth")
    assert "from 1 to 1e+04 in the last 5 calls" in found.evidence
    assert "beyond float32 in about 35 more" in found.evidence


def test_of_what_grows_the_first_is_told(tmp_path: Path) -> None:
    built = program(tmp_path).op("Square", "square", inputs=["read:0"])
    for value in (1, 10, 100, 1e3, 1e4):
        content = np.array([value], dtype="<f4").tobytes()
        built.trace("square", value=tensor_proto(FLOAT32, (1,), content=content))
        call(built, value)
    assert [found.op_type for found in patterns(built, "magnitude_growth")] == ["ReadVariableOp"]


@pytest.mark.parametrize(
    "values", [(1, 2, 3, 4, 5), (1, 10, 100, 99, 1e4), (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)]
)
def test_values_that_do_not(tmp_path: Path, values: tuple[float, ...]) -> None:
    assert kinds(call(program(tmp_path), *values)) == []


def test_values_are_read_up_to_a_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_values, "MOST_BYTES_READ", 100)
    assert kinds(call(program(tmp_path), 1, 1, 1, 1, 1)) == []


def test_a_file_that_is_gone_tells_nothing(tmp_path: Path) -> None:
    built = call(program(tmp_path), 1, 1, 1, 1, 1)
    view = Program(built).view
    built.path("graph_execution_traces").unlink()
    assert view.patterns["unchanged"].total == 0
