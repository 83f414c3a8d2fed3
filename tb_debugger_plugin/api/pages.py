"""How ``begin`` and ``end`` cut a page out of a list."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.api.errors import InvalidArgument, NotFound
from tb_debugger_plugin.events.batches import Int64s

MAX_PAGE = 1000
"""Entries in one answer at most; ``end`` in the answer tells how far a page reaches."""

MAX_FILES = 2000
"""Source files in one answer; TensorFlow and a program have hundreds together."""


def cut_page(begin: int, end: int, total: int) -> tuple[int, int]:
    """The half-open range to answer.

    A negative ``end`` asks for everything from ``begin`` on. A range of more than ``MAX_PAGE``
    entries is cut: the answer's ``end`` is where the next page begins.

    Raises:
      InvalidArgument: The range is not inside the list.
    """
    if begin > total:
        raise InvalidArgument(f"begin index ({begin}) out of bounds ({total})")
    if end < 0:
        end = total
    if end > total:
        raise InvalidArgument(f"end index ({end}) out of bounds ({total})")
    if end < begin:
        raise InvalidArgument(f"end index ({end}) is less than begin index ({begin})")
    return begin, min(end, begin + MAX_PAGE)


def cut_by_weight(weights: Int64s, most: int) -> int:
    """How many of a page's first entries an answer has, so that it does not become too large.

    One has its entry whatever it weighs.

    Args:
      weights: The entries'.
      most: What all together may weigh.
    """
    fit = int(np.searchsorted(np.cumsum(weights), most, side="right"))
    return min(max(fit, 1), len(weights))


def check_index(index: int, total: int, what: str) -> int:
    """``index`` if the list has it.

    Raises:
      NotFound: It has not.
    """
    if index >= total:
        raise NotFound(f"there is no {what} at index {index}: there are {total}")
    return index
