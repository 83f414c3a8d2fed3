"""What is told of more than anybody would look at."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.patterns import found, pattern, shapes, streaks
from tests.analyses.patterns.told import F
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def program(directory: Path) -> LogdirBuilder:
    """Three dead Relus in six calls, whose rank is another one in the last call."""
    built = logdir(directory).graph("").graph("f", outer="").op("Placeholder", "x")
    for op in "abc":
        built.op("Relu", op, inputs=["x:0"])
    for shape in [(10,)] * 5 + [(5, 2)]:
        for op in "abc":
            built.trace(op, value=Values(10, zero=10, shape=shape))
        built.execution(F, graph="f")
    return built


def test_what_is_not_listed_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "MOST_LISTED", 1)
    of_kind = Program(program(tmp_path)).view.patterns["shape_change"]
    assert (len(of_kind.listed), of_kind.total) == (1, 3)


def test_what_is_not_kept_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(found, "MOST_KEPT", 1)
    of_kind = Program(program(tmp_path)).view.patterns["dead_activation"]
    assert (len(of_kind.kept), of_kind.total) == (1, 3)


def test_no_more_tensors_are_told_than_are_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streaks, "MOST_TENSORS", 2)
    monkeypatch.setattr(shapes, "MOST_TENSORS", 1)
    patterns = Program(program(tmp_path)).view.patterns
    totals = [patterns[kind].total for kind in ("dead_activation", "shape_change")]
    assert totals == [2, 1]
