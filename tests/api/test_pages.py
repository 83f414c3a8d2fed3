from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tb_debugger_plugin.api.errors import InvalidArgument, NotFound
from tb_debugger_plugin.api.pages import MAX_PAGE, check_index, cut_by_weight, cut_page


@pytest.mark.parametrize(
    ("begin", "end", "total", "page"),
    [
        (0, -1, 10, (0, 10)),
        (0, 10, 10, (0, 10)),
        (3, 7, 10, (3, 7)),
        (3, 3, 10, (3, 3)),
        (10, 10, 10, (10, 10)),
        (10, -1, 10, (10, 10)),
        (0, -7, 10, (0, 10)),
        (0, -1, 0, (0, 0)),
        (0, 0, 0, (0, 0)),
    ],
)
def test_a_range_inside_the_list_is_answered(
    begin: int, end: int, total: int, page: tuple[int, int]
) -> None:
    assert cut_page(begin, end, total) == page


def test_zero_to_zero_is_empty_and_not_everything() -> None:
    assert cut_page(0, 0, 1353) == (0, 0)


@pytest.mark.parametrize(
    ("begin", "end", "message"),
    [
        (0, 11, r"end index \(11\) out of bounds \(10\)"),
        (5, 3, r"end index \(3\) is less than begin index \(5\)"),
        (11, -1, r"begin index \(11\) out of bounds \(10\)"),
        (11, 12, r"begin index \(11\) out of bounds \(10\)"),
    ],
)
def test_a_range_that_is_not_inside_the_list_is_refused(begin: int, end: int, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        cut_page(begin, end, 10)


def test_a_page_is_cut_where_the_next_one_begins() -> None:
    assert cut_page(0, -1, 10 * MAX_PAGE) == (0, MAX_PAGE)
    assert cut_page(5, 10 * MAX_PAGE, 10 * MAX_PAGE) == (5, MAX_PAGE + 5)
    assert cut_page(0, MAX_PAGE, 10 * MAX_PAGE) == (0, MAX_PAGE)
    assert cut_page(0, MAX_PAGE + 1, 10 * MAX_PAGE) == (0, MAX_PAGE)


@given(total=st.integers(0, 5 * MAX_PAGE))
def test_pages_one_after_the_other_are_the_whole_list(total: int) -> None:
    end, pages = 0, 0
    while end < total:
        begin, end = cut_page(end, -1, total)
        assert begin < end <= begin + MAX_PAGE
        pages += 1
    assert pages == -(-total // MAX_PAGE)


def test_an_index_beyond_the_list_is_not_found() -> None:
    assert check_index(2, 3, "trace") == 2
    with pytest.raises(NotFound, match="there is no trace at index 3: there are 3"):
        check_index(3, 3, "trace")
    with pytest.raises(NotFound):
        check_index(0, 0, "trace")


@pytest.mark.parametrize(
    ("weights", "entries"),
    [([], 0), ([1], 1), ([9], 1), ([1, 1, 1], 3), ([2, 1, 1], 2), ([3, 1], 1), ([0, 9, 1], 1)],
)
def test_a_page_is_cut_where_it_becomes_too_large(weights: list[int], entries: int) -> None:
    assert cut_by_weight(np.array(weights, dtype=np.int64), most=3) == entries
