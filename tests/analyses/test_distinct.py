from __future__ import annotations

import numpy as np
import pytest

from tb_debugger_plugin.analyses.distinct import DistinctKeys
from tb_debugger_plugin.analyses.time_order import EVERY_ROW


def distinct(keys: list[int]) -> DistinctKeys:
    column = np.array(keys, dtype=np.int64)
    return DistinctKeys(lambda rows: column[rows], len(column), int(column.max(initial=-1)) + 1)


FAR = 1 << 50
"""A key for which no table has an entry."""


@pytest.mark.parametrize("offset", [0, FAR])
@pytest.mark.parametrize("block", [3, 1 << 18])
def test_keys_are_numbered_in_ascending_order(
    monkeypatch: pytest.MonkeyPatch, offset: int, block: int
) -> None:
    monkeypatch.setattr("tb_debugger_plugin.analyses.time_order._BLOCK", block)
    found = distinct([offset + key for key in (7, 3, 7, 7, 0, 3, 500)])
    assert found.values.tolist() == [offset + key for key in (0, 3, 7, 500)]
    assert found.numbers(EVERY_ROW).tolist() == [2, 1, 2, 2, 0, 1, 3]
    assert found.numbers(np.array([6, 0])).tolist() == [3, 2]
    told = found.spreading(np.array([False, True, False, True]))
    assert told(slice(3, 7)).tolist() == [False, False, True, True]


@pytest.mark.parametrize(("count", "dtype"), [(200, np.uint8), (300, np.uint16)])
@pytest.mark.parametrize("offset", [0, FAR])
def test_numbers_are_as_narrow_as_they_can_be(
    offset: int, count: int, dtype: type[np.generic]
) -> None:
    assert distinct([offset + key for key in range(count)]).numbers(EVERY_ROW).dtype == dtype


def test_no_rows_have_no_keys() -> None:
    assert len(distinct([])) == 0
    assert distinct([]).numbers(EVERY_ROW).tolist() == []
