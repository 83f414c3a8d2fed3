"""The folder that logdirs are made in, emptied whatever happens."""

from __future__ import annotations

import fcntl
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType


@contextmanager
def scratch_folder(path: Path) -> Iterator[Path]:
    """An empty folder, gone in the end: after Ctrl-C or SIGTERM too.

    What a run that was killed has left there goes at the next one's beginning.

    Raises:
      RuntimeError: Another process uses it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuntimeError(f"another benchmark is running in {path}") from None
        former = signal.signal(signal.SIGTERM, _terminate)
        shutil.rmtree(path, ignore_errors=True)
        path.mkdir()
        try:
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)
            signal.signal(signal.SIGTERM, former)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
