"""Which alerts a rule takes, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tb_debugger_plugin.analyses.function_names import all_names
from tb_debugger_plugin.analyses.mutes import MOST_MUTES, Mute
from tb_debugger_plugin.analyses.text_search import BadPattern, matcher
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir

LOSS = "__inference_loss_fn_12"


def program(directory: Path) -> LogdirBuilder:
    """Alerts in ``loss_fn``, of its call, of an eager Log, and of an op that is not on disk."""
    built = logdir(directory).source("/home/a/train.py").source("/home/a/model.py")
    built.frame("main", "/home/a/train.py", line=3, function="main")
    built.frame("loss", "/home/a/model.py", line=24, function="compute_loss")
    built.graph("").graph("loss_fn", outer="").op("Placeholder", "x")
    built.op("Log", "model/Log", inputs=["x:0"], stack=["main", "loss"])
    built.op("Mul", "model/Log_1/mul", inputs=["model/Log:0"], stack=["main"])
    built.trace("model/Log", neg_inf=1).trace("model/Log_1/mul", nan=1).trace("model/Log", nan=1)
    built.execution(LOSS, graph="loss_fn", nan=1, stack=["main"])
    built.execution("Log", nan=1, stack=["loss"])
    return built.trace("gone", nan=1)


def muted(built: LogdirBuilder, *mutes: Mute) -> list[int]:
    """The alerts that are muted, in time order."""
    found = Program(built).view.muting(mutes).muted
    return [] if found is None else np.flatnonzero(found).tolist()


@pytest.mark.parametrize(
    ("mute", "alerts"),
    [
        (Mute("op_type", "Log"), [0, 2, 4]),
        (Mute("op_type", "log"), []),
        (Mute("op_type", LOSS), [3]),
        (Mute("op", "model/Log"), [0, 2]),
        (Mute("op", "Log"), [4]),
        (Mute("text", "LOG"), [0, 1, 2, 4]),
        (Mute("text", "gone"), [5]),
        (Mute("regex", r"Log(_\d+)?$"), [0, 2, 4]),
        (Mute("function", "loss_fn"), [0, 1, 2, 3, 5]),
        (Mute("function", LOSS), [3]),
        (Mute("function", "compute_loss"), [0, 2, 4]),
        (Mute("line", "/home/a/model.py", 24), [0, 2, 4]),
        (Mute("line", "/home/a/train.py", 3), [1, 3]),
        (Mute("line", "model.py", 24), []),
        (Mute("line", "/home/a/model.py", 3), []),
    ],
    ids=str,
)
def test_a_rule_takes_what_it_names(tmp_path: Path, mute: Mute, alerts: list[int]) -> None:
    assert muted(program(tmp_path), mute) == alerts


def test_each_name_is_looked_at_once_for_all_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = Program(program(tmp_path)).view
    looked_at: Counter[str | None] = Counter()

    def counting(name: str | None) -> set[str]:
        looked_at[name] += 1
        return all_names(name)

    monkeypatch.setattr(f"{Mute.__module__}.all_names", counting)
    view.muting(tuple(Mute("function", f"f_{number}") for number in range(MOST_MUTES)))
    assert looked_at == {"loss_fn": 1, LOSS: 1, "Log": 1}


def test_a_rule_is_looked_for_once_whatever_others_come_and_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = Program(program(tmp_path)).view
    looked_for: list[str] = []

    def noting(text: str, **how: Any) -> Callable[[str], bool]:
        looked_for.append(text)
        return matcher(text, **how)

    monkeypatch.setattr(f"{Mute.__module__}.matcher", noting)
    first, second = Mute("regex", "Log$"), Mute("regex", "mul$")
    assert view.muting((first,)).num_by_rule == [3]
    assert view.muting((second, first)).num_by_rule == [1, 3]
    assert looked_for == ["Log$", "mul$"]


def test_rules_add_up_and_each_tells_what_it_takes(tmp_path: Path) -> None:
    view = Program(program(tmp_path)).view
    left = view.muting((Mute("op", "model/Log"), Mute("op_type", "Log"), Mute("text", "none")))
    assert (left.num_by_rule, left.num_muted, left.num_left) == ([2, 3, 0], 3, 3)
    assert left.numbers(0, 3) == [1, 3, 5]


def test_the_types_of_what_is_left_are_told_the_most_frequent_first(tmp_path: Path) -> None:
    view = Program(program(tmp_path)).view
    assert view.muting(()).op_types == [("Log", 3), ("Mul", 1), (LOSS, 1)]
    assert view.muting((Mute("op", "model/Log"),)).op_types == [("Log", 1), ("Mul", 1), (LOSS, 1)]


def test_places_count_what_is_left(tmp_path: Path) -> None:
    left = Program(program(tmp_path)).view.muting((Mute("op_type", "Log"),))
    assert [left.places(range(number, number + 1)) for number in range(4)] == [
        range(0), range(1), range(1, 1), range(1, 2),
    ]  # fmt: skip


def test_without_rules_all_are_left(tmp_path: Path) -> None:
    left = Program(program(tmp_path)).view.muting(())
    assert (left.num_left, left.num_muted, left.nbytes) == (6, 0, 0)
    assert left.places(range(2, 4)) == range(2, 4)


def test_a_run_without_alerts_has_none_to_mute(tmp_path: Path) -> None:
    rules = (Mute("op_type", "Log"), Mute("function", "f"), Mute("line", "a.py", 1))
    assert muted(logdir(tmp_path).execution("Log"), *rules) == []
    assert muted(logdir(tmp_path / "empty"), *rules) == []


def test_what_is_no_expression_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPattern):
        muted(program(tmp_path), Mute("regex", "("))


def test_alerts_out_of_the_order_in_which_they_were_written_keep_their_own_place(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").op("Mul", "mul")
    built.trace("log", nan=1, at=30.0).trace("mul", nan=1, at=10.0)
    built.execution("Log", nan=1, at=40.0).execution("Add", nan=1, at=20.0)
    assert muted(built, Mute("op_type", "Log")) == [2, 3]


def test_a_muted_execution_does_not_count_as_one_with_an_alert(tmp_path: Path) -> None:
    view = Program(logdir(tmp_path).execution("Log", nan=1).execution("Add", nan=1)).view
    muted = view.muting((Mute("op_type", "Log"),)).muted
    assert view.alerts.executions_between(np.array([0, 1]), muted).tolist() == [0, 1]


def test_a_muted_cause_leaves_what_it_explained_unexplained(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Placeholder", "x")
    built.op("Log", "log", inputs=["x:0"]).op("Mul", "mul", inputs=["log:0"])
    built.op("Sqrt", "sqrt", inputs=["x:0"]).trace("log", nan=1).trace("mul", nan=1)
    view = Program(built.trace("sqrt", nan=1)).view
    found = view.root_causes_without((Mute("op_type", "Log"),))
    assert [cause.first.op_type for cause in found.listed] == ["Sqrt"]
    assert (found.total, found.num_muted, found.num_alerts, found.num_explained) == (1, 1, 2, 1)


def test_muted_causes_that_are_one_bug_are_one(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Neg", "x")
    built.op("Log", "log", inputs=["x:0"])
    built.op("Reciprocal", "gradient_tape/log/Reciprocal", inputs=["x:0"])
    built.trace("x").trace("log", nan=1).trace("gradient_tape/log/Reciprocal", pos_inf=1)
    view = Program(built.execution("__inference_f_1", graph="f", nan=1)).view
    log_and_gradient = (Mute("op_type", "Log"), Mute("op_type", "Reciprocal"))
    assert (view.root_causes.total, view.root_causes_without(log_and_gradient).num_muted) == (1, 1)


def test_a_muted_consequence_counts_no_more_and_its_cause_stays(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Placeholder", "x")
    built.op("Log", "log", inputs=["x:0"]).op("Mul", "mul", inputs=["log:0"])
    view = Program(built.trace("log", nan=1).trace("mul", nan=1)).view
    (cause,) = view.root_causes_without((Mute("op_type", "Mul"),)).listed
    assert (cause.first.op_type, cause.num_alerts) == ("Log", 1)
