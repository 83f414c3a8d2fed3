"""A background thread that works when woken, and sleeps again."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Worker:
    """Does its work once a wake-up, or once for several that come while it works.

    The thread starts with the first one, outlives whatever the work raises, and ends with
    ``close``.
    """

    def __init__(self, name: str, work: Callable[[], None]) -> None:
        self._name = name
        self._work = work
        self._woken = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    @property
    def closing(self) -> bool:
        """Whether the work is to be left at the next occasion."""
        return self._closing.is_set()

    def wake(self) -> None:
        """Has the work done, soon."""
        with self._lock:
            if self._thread is None and not self.closing:
                self._thread = threading.Thread(
                    target=self._run, name=f"tb_debugger-{self._name}", daemon=True
                )
                self._thread.start()
        self._woken.set()

    def rest(self, seconds: float) -> None:
        """Pauses the work; ``close`` cuts the pause short."""
        if seconds > 0:
            self._closing.wait(seconds)

    def close(self) -> None:
        """Ends the thread, and waits until it has left its work."""
        self._closing.set()
        self._woken.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        while True:
            self._woken.wait()
            self._woken.clear()
            if self.closing:
                return
            try:
                self._work()
            except Exception:  # Whatever a file holds, the next wake-up finds the thread alive.
                _log.exception("tb_debugger: the %s failed; it is tried again", self._name)
