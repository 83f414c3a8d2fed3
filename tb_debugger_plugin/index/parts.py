"""What an object derives from what it was made of, each part once and on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

PartT = TypeVar("PartT")


class part(Generic[PartT]):
    """A property that is made at the first use, once, whoever asks meanwhile.

    Threads that ask for one part of an object wait for each other; those that ask for another part,
    or object, do not. (``functools.cached_property`` has one lock for all objects before Python
    3.12, and none since.) Parts may be made of others, but not in a circle.
    """

    def __init__(self, make: Callable[[Any], PartT]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> part[PartT]: ...
    @overload
    def __get__(self, owner: object, kind: type) -> PartT: ...
    def __get__(self, owner: object | None, kind: type) -> PartT | part[PartT]:
        if owner is None:
            return self
        with owner.__dict__.setdefault(f"lock of {self._name}", threading.RLock()):
            # Once it is there Python finds it by itself.
            if self._name not in owner.__dict__:
                owner.__dict__[self._name] = self._make(owner)
            made: PartT = owner.__dict__[self._name]
            return made

    def forget(self, owner: object) -> None:
        """Frees an object's part; should it be asked for once more, it is made once more."""
        with owner.__dict__.setdefault(f"lock of {self._name}", threading.RLock()):
            owner.__dict__.pop(self._name, None)
