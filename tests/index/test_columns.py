from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tb_debugger_plugin.index.columns import AscendingColumn, GrowingColumn, NarrowColumn, place_in


@given(chunks=st.lists(st.lists(st.integers(-(1 << 31), (1 << 31) - 1), max_size=80), max_size=12))
def test_views_hold_what_was_there_when_they_were_taken(chunks: list[list[int]]) -> None:
    column = GrowingColumn(np.int32)
    views = []
    rows: list[int] = []
    for chunk in chunks:
        column.append(np.array(chunk, dtype=np.int32))
        rows += chunk
        views.append((column.view(), list(rows)))
    assert len(column) == len(rows)
    for view, expected in views:
        assert view.tolist() == expected


def test_a_view_cannot_be_written_to_and_does_not_stop_the_column_from_growing() -> None:
    column = GrowingColumn(np.int32)
    column.append(np.arange(3))
    view = column.view()
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 9
    column.append(np.arange(1000))
    assert column.view()[:4].tolist() == [0, 1, 2, 0]


def test_rows_that_are_expected_need_no_move() -> None:
    column = GrowingColumn(np.int32)
    column.append(np.arange(100), ahead=9)
    first = column.view()
    column.append(np.arange(900))
    assert np.shares_memory(first, column.view())


def test_a_file_that_promises_too_much_takes_no_memory() -> None:
    column = NarrowColumn(np.int64)
    column.append(np.arange(100), ahead=1e15)
    room = column.view().base
    assert room is not None
    assert room.size < 1 << 27


@given(chunks=st.lists(st.lists(st.integers(0, 1000), max_size=9), max_size=9))
def test_ends_are_running_totals_over_all_appends(chunks: list[list[int]]) -> None:
    column = AscendingColumn(np.int64)
    column.append(np.zeros(1))
    for chunk in chunks:
        column.append_ends(np.array(chunk, dtype=np.int32), sum(chunk))
    lengths = [length for chunk in chunks for length in chunk]
    assert column.view().tolist() == [0, *np.cumsum(lengths, dtype=np.int64).tolist()]


def test_ends_do_not_overflow_the_lengths_own_dtype() -> None:
    column = AscendingColumn(np.int64)
    column.append_ends(np.full(3, (1 << 31) - 1, dtype=np.int32), 3 * ((1 << 31) - 1))
    assert column.view()[-1] == 3 * ((1 << 31) - 1)


def test_a_narrow_column_is_as_wide_as_its_values() -> None:
    column = NarrowColumn(np.int64)
    column.append(np.array([1, -1]))
    assert column.view().dtype == np.int8
    before = column.view()
    column.append(np.array([1 << 40]))
    assert column.view().dtype == np.int64
    assert column.view().tolist() == [1, -1, 1 << 40]
    assert before.tolist() == [1, -1]


@pytest.mark.parametrize("edge", [127, 128, -128, -129, 32767, 32768, -(1 << 31), (1 << 63) - 1])
def test_a_narrow_column_holds_the_edges_of_every_width(edge: int) -> None:
    column = NarrowColumn(np.int64)
    column.append(np.array([0, edge, 0], dtype=np.int64))
    assert column.view().tolist() == [0, edge, 0]


def test_ends_go_on_beyond_the_width_that_they_had() -> None:
    column = AscendingColumn(np.int64)
    column.append(np.zeros(1, dtype=np.int64))
    for _ in range(3):
        column.append_ends(np.array([100, 100]), 200)
    assert column.view().tolist() == [0, 100, 200, 300, 400, 500, 600]


def test_a_place_is_found_without_widening() -> None:
    column = np.array([1, 3, 3, 7], dtype=np.int8)
    assert [place_in(column, 3, "left"), place_in(column, 3, "right")] == [1, 3]
    assert [place_in(column, 1000, "left"), place_in(column, -1000, "right")] == [4, 0]
