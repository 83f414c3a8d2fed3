from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tb_debugger_plugin.analyses.time_order import TimeOrder, blocks
from tests.analyses.program import Program
from tests.builders.logdir import logdir


def traces_at(directory: Path, *times: float) -> TimeOrder:
    built = logdir(directory).graph("f").op("Log", "log")
    for time in times:
        built.trace("log", at=time)
    return TimeOrder.of_traces(Program(built).snapshot)


def test_rows_that_are_in_order_are_not_copied(tmp_path: Path) -> None:
    order = traces_at(tmp_path, 1.0, 2.0, 2.0)
    assert order.rows_in_order is None
    assert (order.row(2), order.index(2)) == (2, 2)
    assert order.rows(slice(1, 3)) == slice(1, 3)
    assert order.indices(np.array([0, 2])).tolist() == [0, 2]


def test_rows_that_came_late_are_put_in_order(tmp_path: Path) -> None:
    order = traces_at(tmp_path, 3.0, 1.0, 2.0)
    assert [order.row(index) for index in range(3)] == [1, 2, 0]
    assert [order.index(row) for row in range(3)] == [2, 0, 1]
    assert np.asarray(order.rows(slice(1, 3))).tolist() == [2, 0]
    assert order.indices(np.array([0, 1])).tolist() == [0, 2]


@pytest.mark.parametrize("times", [(1.0, 2.0, 2.0, 3.0), (3.0, 2.0, 1.0, 2.0)])
def test_a_time_has_a_place_before_and_behind_its_rows(
    tmp_path: Path, times: tuple[float, ...]
) -> None:
    order = traces_at(tmp_path, *times)
    assert [order.place(time, "left") for time in (0.0, 1.0, 2.0, 2.5, 9.0)] == [0, 0, 1, 3, 4]
    assert [order.place(time, "right") for time in (0.0, 1.0, 2.0, 2.5, 9.0)] == [0, 1, 3, 3, 4]


@pytest.mark.parametrize(
    ("begin_time", "end_time", "span"),
    [
        (None, None, range(4)),
        (2.0, None, range(1, 4)),
        (None, 2.0, range(1)),
        (2.0, 3.0, range(1, 3)),
        (3.0, 2.0, range(3, 3)),
        (9.0, 1.0, range(4, 4)),
    ],
)
def test_a_span_of_time_is_half_open(
    tmp_path: Path, begin_time: float | None, end_time: float | None, span: range
) -> None:
    assert traces_at(tmp_path, 1.0, 2.0, 2.0, 3.0).span(begin_time, end_time) == span


def test_blocks_are_parts_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tb_debugger_plugin.analyses.time_order._BLOCK", 4)
    assert list(blocks(range(3, 12))) == [slice(3, 7), slice(7, 11), slice(11, 12)]
    assert list(blocks(range(3, 3))) == []
