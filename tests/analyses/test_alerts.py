from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tb_debugger_plugin.events import debug_modes
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def alerts(built: LogdirBuilder) -> list[tuple[str, int]]:
    """("execution" or "trace", row), as listed."""
    table = Program(built).view.alerts
    listed = []
    for alert in (table[number] for number in range(len(table))):
        assert (alert.trace_row is None) != (alert.execution_row is None)
        if alert.trace_row is not None:
            assert alert.value_row == alert.trace_row
            listed.append(("trace", alert.trace_row))
        if alert.execution_row is not None:
            listed.append(("execution", alert.execution_row))
    return listed


def test_a_program_without_bad_values_has_none(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log").trace("Log").execution("Add")
    assert alerts(built) == []


def test_traces_and_executions_are_one_list_by_time(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log")
    built.trace("Log", nan=1, at=30.0).trace("Log", nan=1, at=10.0).trace("Log", at=15.0)
    built.execution("Add", nan=1, at=20.0).execution("Add", at=25.0)
    built.execution("Add", pos_inf=1, at=40.0)
    assert alerts(built) == [("trace", 1), ("execution", 0), ("trace", 0), ("execution", 2)]


def test_a_trace_comes_before_an_execution_of_the_same_time(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log")
    built.execution("Add", nan=1, at=20.0).trace("Log", nan=1, at=20.0)
    assert alerts(built) == [("trace", 0), ("execution", 0)]


def test_each_bad_output_of_an_execution_is_an_alert(tmp_path: Path) -> None:
    good, bad = Values(3), Values(3, neg_inf=1)
    built = (
        logdir(tmp_path).execution("Split", values=[bad, good, bad]).execution("NoOp", values=[])
    )
    program = Program(built.execution("Log", values=[bad]))
    table = program.view.alerts
    listed = [(table[number].execution_row, table[number].value_row) for number in range(3)]
    assert listed == [(0, 0), (0, 2), (2, 3)]
    slots = [program.view.output_slot_of_value(0, row) for row in (0, 1, 2)]
    assert slots == [0, 1, 2]
    assert table.per_execution(np.arange(3)).tolist() == [2, 0, 1]
    values = [(0, 0), (0, 1), (0, 2), (1, 3), (2, 3)]
    assert [table.of_value(*value) for value in values] == [0, None, 1, None, 2]
    assert table.executions_between(np.array([0, 1, 2])).tolist() == [1, 0, 1]
    assert table.executions_between(np.array([0])).tolist() == [2]


def test_the_slot_is_unknown_where_values_are_fewer_than_outputs(tmp_path: Path) -> None:
    bad = Values(3, nan=1)
    program = Program(logdir(tmp_path).execution("Next", outputs=[1, 2, 3], values=[bad, bad]))
    assert len(program.view.alerts) == 2
    assert program.view.output_slot_of_value(0, 0) is None
    assert program.view.output_slot_of_value(0, 1) is None


def test_modes_that_do_not_look_at_values_have_no_alerts(tmp_path: Path) -> None:
    for mode in (debug_modes.NO_TENSOR, debug_modes.SHAPE):
        built = logdir(tmp_path / str(mode), mode=mode).graph("f").op("Log", "Log")
        built.trace("Log", nan=1).execution("Add", values=[Values(1, nan=1)] * (mode != 1))
        assert alerts(built) == []


def test_every_mode_that_looks_at_values_has_alerts(tmp_path: Path) -> None:
    for mode in (
        debug_modes.CURT_HEALTH,
        debug_modes.CONCISE_HEALTH,
        debug_modes.FULL_HEALTH,
        debug_modes.FULL_TENSOR,
    ):
        built = logdir(tmp_path / str(mode), mode=mode).graph("f").op("Log", "Log")
        built.trace("Log", nan=1).execution("Add", pos_inf=1)
        assert alerts(built) == [("trace", 0), ("execution", 0)]


def test_a_trace_knows_its_alert(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log")
    built.execution("Add", nan=1).trace("Log").trace("Log", nan=1)
    assert Program(built).view.alerts.of_traces(np.arange(2)).tolist() == [-1, 1]
    assert Program(logdir(tmp_path / "empty")).view.alerts.of_traces(np.arange(0)).tolist() == []


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """Alerts, by time: traces 0 and 1, execution 0 with two, trace 3, execution 2."""
    good, bad = Values(1), Values(1, nan=1)
    built = logdir(tmp_path_factory.mktemp("mixed")).graph("f").op("Log", "Log")
    built.execution("First", values=[bad, good, bad], at=3.0)
    built.trace("Log", nan=1, at=3.0).trace("Log", at=4.0).trace("Log", nan=1, at=5.0)
    built.trace("Log", nan=1, at=1.0)
    built.execution("Third", values=[bad], at=7.0).execution("Second", at=6.0)
    return Program(built)


@pytest.mark.parametrize(("index", "around"), [(0, (0, 1)), (1, (1, 2)), (2, (4, 4)), (3, (4, 5))])
def test_the_alerts_around_a_trace(mixed: Program, index: int, around: tuple[int, int]) -> None:
    assert mixed.view.alerts.around_trace(index) == range(*around)


@pytest.mark.parametrize(("index", "around"), [(0, (2, 4)), (1, (5, 5)), (2, (5, 6))])
def test_the_alerts_around_an_execution(
    mixed: Program, index: int, around: tuple[int, int]
) -> None:
    assert mixed.view.alerts.around_execution(index) == range(*around)


def test_what_is_around_an_event_is_in_the_order_of_the_list(mixed: Program) -> None:
    table = mixed.view.alerts
    assert table.of_traces(np.arange(4)).tolist() == [0, 1, -1, 4]
    for number in range(len(table)):
        alert = table[number]
        if alert.trace_row is not None:
            index = mixed.snapshot.trace_index_of_row
            assert index is not None
            assert number in table.around_trace(int(index[alert.trace_row]))
        else:
            assert alert.execution_row is not None
            order = mixed.snapshot.execution_index_of_row
            assert order is not None
            execution = int(order[alert.execution_row])
            assert number in table.around_execution(execution)
            assert table.of_value(execution, alert.value_row) == number
