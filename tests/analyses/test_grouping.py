from __future__ import annotations

import numpy as np
import pytest

from tb_debugger_plugin.analyses.grouping import Grouping, stable_order


@pytest.mark.parametrize("block", [3, 1 << 18])
def test_rows_of_a_key_are_found_in_order(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr("tb_debugger_plugin.analyses.time_order._BLOCK", block)
    groups = Grouping(np.array([5, 0, 5, 2, 0, 5, 5, 2], dtype=np.int16))
    assert [groups.rows(key).tolist() for key in (0, 1, 2, 5, 6, 1000)] == [
        [1, 4], [], [3, 7], [0, 2, 5, 6], [], [],
    ]  # fmt: skip
    assert (groups.count(5), groups.count(1)) == (4, 0)


def test_nothing_is_grouped() -> None:
    assert Grouping(np.empty(0, dtype=np.int32)).rows(0).tolist() == []


@pytest.mark.parametrize("greatest", [0, 1, 255, 65535, 65536, 2**31 - 1, 2**40])
def test_equal_keys_keep_their_order(greatest: int) -> None:
    keys = np.random.default_rng(greatest % 97).integers(0, greatest + 1, 2000)
    keys[::3] = greatest
    assert stable_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()


def test_an_order_is_sorted_further() -> None:
    chance = np.random.default_rng(1)
    first, second = chance.integers(0, 9, 500), chance.integers(0, 100_000, 500)
    order = stable_order(first, stable_order(second))
    assert order.tolist() == np.lexsort((second, first)).tolist()


def test_the_last_row_of_a_key_below_a_bound() -> None:
    rows = Grouping(np.array([2, 0, 2, 2, 0]))
    keys, bounds = np.array([2, 2, 2, 0, 0, 1, 9]), np.array([0, 1, 5, 4, 5, 5, 5])
    assert rows.last_below(keys, bounds).tolist() == [-1, 0, 3, 1, 4, -1, -1]


def test_nothing_is_below_a_bound_where_there_are_no_rows() -> None:
    assert Grouping(np.zeros(0, dtype=np.int32)).last_below(
        np.array([0]), np.array([9])
    ).tolist() == [-1]
