"""How ``begin`` and ``end`` cut a page out of a list."""

from __future__ import annotations

from tb_debugger_plugin.api.errors import InvalidArgument, NotFound

MAX_PAGE = 1000
"""Entries in one answer at most; ``end`` in the answer tells how far a page reaches."""


def cut_page(begin: int, end: int, total: int) -> tuple[int, int]:
    """The half-open range to answer.

    A negative ``end`` asks for everything from ``begin`` on. A range of more than ``MAX_PAGE``
    entries is cut: the reply's ``end`` is where the next page begins.

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


def check_index(index: int, total: int, what: str) -> int:
    """``index`` if the list has it.

    Raises:
      NotFound: It has not.
    """
    if index >= total:
        raise NotFound(f"there is no {what} at index {index}: there are {total}")
    return index
