"""Gives memory that is free back to the system."""

from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Callable
from typing import TypeVar

OwnerT = TypeVar("OwnerT")
MadeT = TypeVar("MadeT")


def returning_memory(make: Callable[[OwnerT], MadeT]) -> Callable[[OwnerT], MadeT]:
    """For what is made of all events of a run: returns the memory that making it took."""

    @functools.wraps(make)
    def make_and_return(owner: OwnerT) -> MadeT:
        made = make(owner)
        return_freed_memory()
        return made

    return make_and_return


def return_freed_memory() -> None:
    """Has glibc's allocator return what it keeps for later; does nothing with another one.

    An analysis of millions of events frees arrays of tens of megabytes in any order. glibc serves
    such sizes from its heap once some were freed, and returns the heap's end only: a quarter of
    what the process held stayed so, unused.
    """
    if os.name != "posix":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
