"""The last few answers, kept because a page asks for the next part of the same one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

_MOST_KEPT = 8


class HasSize(Protocol):
    """An answer that tells how much memory it takes by now."""

    @property
    def nbytes(self) -> int:
        """Bytes."""
        ...


ValueT = TypeVar("ValueT", bound=HasSize)


class Recent(Generic[ValueT]):
    """Eight answers at most, and no more than some bytes of them, but always the last one.

    Args:
      most_bytes: That all of them may take.
      most_kept: How many they may be, if not eight.
    """

    def __init__(self, most_bytes: int, *, most_kept: int = _MOST_KEPT) -> None:
        self._most_bytes = most_bytes
        self._most_kept = most_kept
        self._kept: dict[Hashable, ValueT] = {}
        self._lock = threading.Lock()
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """The answer that is kept for a key, or a new one.

        Threads that ask for one answer wait for each other; those that ask for another do not.
        """
        with self._lock:
            if key in self._kept:
                return self._keep(key, self._kept.pop(key))
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                if key in self._kept:
                    return self._keep(key, self._kept.pop(key))
            try:
                value = make()
                with self._lock:
                    return self._keep(key, value)
            finally:
                with self._lock:
                    self._making.pop(key, None)

    def _keep(self, key: Hashable, value: ValueT) -> ValueT:
        self._kept[key] = value
        while len(self._kept) > 1 and self._is_too_much():
            self._kept.pop(next(iter(self._kept)))
        return value

    def _is_too_much(self) -> bool:
        size = sum(value.nbytes for value in self._kept.values())
        return len(self._kept) > self._most_kept or size > self._most_bytes
