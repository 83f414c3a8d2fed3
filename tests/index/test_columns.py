from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tb_debugger_plugin.index.columns import GrowingColumn


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


def test_rows_may_have_a_width() -> None:
    column = GrowingColumn(np.int32, width=6)
    assert column.view().shape == (0, 6)
    column.append(np.ones((100, 6)))
    assert column.view().shape == (100, 6)


@given(chunks=st.lists(st.lists(st.integers(0, 1000), max_size=9), max_size=9))
def test_ends_are_running_totals_over_all_appends(chunks: list[list[int]]) -> None:
    column = GrowingColumn(np.int64)
    column.append(np.zeros(1))
    for chunk in chunks:
        column.append_ends(np.array(chunk, dtype=np.int32))
    lengths = [length for chunk in chunks for length in chunk]
    assert column.view().tolist() == [0, *np.cumsum(lengths, dtype=np.int64).tolist()]


def test_ends_do_not_overflow_the_lengths_own_dtype() -> None:
    column = GrowingColumn(np.int64)
    column.append_ends(np.full(3, (1 << 31) - 1, dtype=np.int32))
    assert column.view()[-1] == 3 * ((1 << 31) - 1)
