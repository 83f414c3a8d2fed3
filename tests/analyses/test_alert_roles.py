"""Which of the events with bad values are told to be causes, origins and consequences."""

from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.analyses.alert_roles import AlertRole, AlertRoles
from tb_debugger_plugin.analyses.mutes import Mute
from tb_debugger_plugin.index.tables import ExecutionIndex, TraceIndex
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values

F = "__inference_f_1"


def function(directory: Path) -> LogdirBuilder:
    """A function ``f(x)`` that returns ``log(x) * 2``."""
    built = logdir(directory).graph("").graph("f", outer="").op("Placeholder", "x")
    built.op("Log", "log", inputs=["x:0"]).op("Mul", "mul", inputs=["log:0", "log:0"])
    return built.op("Identity", "Identity", inputs=["mul:0"])


def roles(built: LogdirBuilder, *mutes: Mute) -> AlertRoles:
    return AlertRoles(Program(built).view, mutes)


def test_a_cause_comes_first_and_its_like_later_are_origins(tmp_path: Path) -> None:
    built = function(tmp_path).trace("log", neg_inf=1).trace("mul", nan=1)
    found = roles(built.execution(F, graph="f", nan=1).trace("log", neg_inf=1).execution(F, nan=1))
    assert [found.of_trace(TraceIndex(index)) for index in range(3)] == [
        AlertRole(0, "cause", is_muted=False, parent=None),
        AlertRole(1, "propagated", is_muted=False, parent=0),
        AlertRole(3, "origin", is_muted=False, parent=None),
    ]
    assert found.of_execution(ExecutionIndex(0)) == AlertRole(
        2, "propagated", is_muted=False, parent=1
    )


def test_what_has_no_alert_has_no_role(tmp_path: Path) -> None:
    found = roles(function(tmp_path).trace("log").execution(F, graph="f"))
    assert found.of_trace(TraceIndex(0)) is None
    assert found.of_execution(ExecutionIndex(0)) is None


def test_a_muted_alert_keeps_its_role_and_says_that_it_is_muted(tmp_path: Path) -> None:
    built = function(tmp_path).trace("log", neg_inf=1).trace("mul", nan=1)
    found = roles(built, Mute("op_type", "Log"))
    assert found.of_trace(TraceIndex(0)) == AlertRole(0, "cause", is_muted=True, parent=None)
    assert found.of_trace(TraceIndex(1)) == AlertRole(1, "propagated", is_muted=False, parent=0)


def test_a_harmless_origin_is_called_no_cause(tmp_path: Path) -> None:
    found = roles(function(tmp_path).trace("log", neg_inf=1).execution(F, graph="f"))
    role = found.of_trace(TraceIndex(0))
    assert role is not None
    assert role.role == "origin"


def test_an_execution_of_several_bad_outputs_is_what_its_first_one_is(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Split", values=[Values(1), Values(1, nan=1)])
    found = roles(built.execution("Split", values=[Values(1, nan=1), Values(1, nan=1)]))
    assert found.of_execution(ExecutionIndex(1)) == AlertRole(
        1, "origin", is_muted=False, parent=None
    )
