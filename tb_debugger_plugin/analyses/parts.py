"""What an object derives from what it was made of, each part once and on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, overload

PartT = TypeVar("PartT")


class HasLock(Protocol):
    """What has parts: threads that ask for one at once wait for each other."""

    lock: threading.RLock


class part(Generic[PartT]):
    """A property that is made at the first use, once, whoever asks meanwhile."""

    def __init__(self, make: Callable[[Any], PartT]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> part[PartT]: ...
    @overload
    def __get__(self, owner: HasLock, kind: type) -> PartT: ...
    def __get__(self, owner: HasLock | None, kind: type) -> PartT | part[PartT]:
        if owner is None:
            return self
        with owner.lock:
            if self._name not in owner.__dict__:
                owner.__dict__[self._name] = self._make(owner)
            made: PartT = owner.__dict__[self._name]
            return made
