"""Which patterns a rule takes, and what is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.mutes import Mute
from tb_debugger_plugin.analyses.patterns import pattern
from tb_debugger_plugin.analyses.patterns.muted import without_muted
from tb_debugger_plugin.analyses.patterns.pattern import PatternKind, PatternsOfKind
from tb_debugger_plugin.analyses.view import View
from tests.analyses.patterns.told import F
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def left(view: View, kind: PatternKind, *mutes: Mute) -> PatternsOfKind:
    return without_muted(view.patterns, mutes, view.snapshot, view.code)[kind]


def dead_relus(directory: Path, *ops: str, zero: int = 10) -> LogdirBuilder:
    """Relus in ``f``, of which as many of ten elements are zero in each of five calls."""
    built = logdir(directory).graph("").graph("f", outer="").op("Placeholder", "x")
    for op in ops:
        built.op("Relu", op, inputs=["x:0"])
    for _ in range(5):
        for op in ops:
            built.trace(op, value=Values(10, zero=zero))
        built.execution(F, graph="f")
    return built


def names(view: View, found: PatternsOfKind) -> list[str]:
    return [view.snapshot.names.op_name(each.op) for each in found.listed if each.op is not None]


@pytest.mark.parametrize(
    ("mute", "is_muted"),
    [
        (Mute("op_type", F), True),
        (Mute("op", F), True),
        (Mute("text", "INFERENCE_F"), True),
        (Mute("regex", "_f_1$"), True),
        (Mute("function", "f"), True),
        (Mute("function", F), True),
        (Mute("function", "main"), True),
        (Mute("line", "/home/a/train.py", 3), True),
        (Mute("op_type", "f"), False),
        (Mute("text", "MatMul"), False),
        (Mute("function", "inference"), False),
    ],
    ids=str,
)
def test_a_rule_takes_the_alert_of_a_call_and_its_pattern_alike(
    tmp_path: Path, mute: Mute, *, is_muted: bool
) -> None:
    built = logdir(tmp_path).source("/home/a/train.py")
    built.frame("main", "/home/a/train.py", line=3, function="main")
    built.graph("").graph("seen", outer="").op("Mul", "mul").trace("mul").execution("Seen")
    built.graph("f", outer="").op("MatMul", "matmul")
    view = Program(built.execution(F, graph="f", nan=1, stack=["main"])).view
    assert view.muting((mute,)).num_muted == is_muted
    assert left(view, "unobserved_function", mute).total == (not is_muted)


def test_a_function_that_was_never_called_has_no_op_type(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("seen", outer="").op("Mul", "mul").trace("mul")
    view = Program(built.graph("f", outer="").op("MatMul", "matmul")).view
    assert left(view, "unobserved_function", Mute("regex", ".")).total == 1
    assert left(view, "unobserved_function", Mute("function", "f")).total == 0


def test_patterns_beyond_those_that_are_listed_come_up_when_these_are_muted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern, "MOST_LISTED", 2)
    view = Program(dead_relus(tmp_path, "a", "b", "c")).view
    before = left(view, "dead_activation")
    after = left(view, "dead_activation", Mute("op", "a"), Mute("op", "b"))
    assert (names(view, before), before.total) == (["a", "b"], 3)
    assert (names(view, after), after.total) == (["c"], 1)


def test_all_patterns_of_an_op_type_are_muted_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pattern, "MOST_LISTED", 2)
    view = Program(dead_relus(tmp_path, "a", "b", "c")).view
    assert left(view, "dead_activation", Mute("op_type", "Relu")).total == 0


def test_usual_patterns_that_are_muted_are_no_longer_counted_as_usual(tmp_path: Path) -> None:
    view = Program(dead_relus(tmp_path, "a", "b", "c", zero=6)).view
    found = left(view, "dead_activation", Mute("op", "b"))
    assert (names(view, found), found.total, found.num_usual) == (["a", "c"], 0, 2)
