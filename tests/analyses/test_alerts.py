from __future__ import annotations

from pathlib import Path

import numpy as np

from tb_debugger_plugin.analyses.alerts import positions_of_rows
from tb_debugger_plugin.events import debug_modes
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def alerts(built: LogdirBuilder) -> list[tuple[str, int]]:
    """("execution" or "trace", row), as listed."""
    table = Program(built).view.alerts
    rows = zip(table.execution_row.tolist(), table.trace_row.tolist(), strict=True)
    return [("trace", t) if e < 0 else ("execution", e) for e, t in rows]


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
    assert program.view.alerts.execution_row.tolist() == [0, 0, 2]
    assert program.view.alerts.value_row.tolist() == [0, 2, 3]
    slots = [program.view.output_slot_of_value(0, row) for row in (0, 1, 2)]
    assert slots == [0, 1, 2]
    assert program.view.alerts_per_execution.tolist() == [2, 0, 1]
    assert program.view.first_alert_of_execution.tolist() == [0, -1, 2]
    assert program.view.alert_of_execution_value.tolist() == [0, -1, 1, 2]


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
    assert Program(built).view.alert_of_trace.tolist() == [-1, 1]


def test_the_first_of_several_alerts_of_a_row_counts() -> None:
    rows = np.array([2, -1, 0, 2, 2], dtype=np.int64)
    assert positions_of_rows(rows, 4).tolist() == [2, -1, 0, -1]
    assert positions_of_rows(rows[:0], 2).tolist() == [-1, -1]
