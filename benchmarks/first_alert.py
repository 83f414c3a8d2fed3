"""How long a user waits for the first alert: a real TensorBoard on loopback, from its start on."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from benchmarks.processes import Numbers, environment

MOST_SECONDS = 300.0
_PAUSE_SECONDS = 0.005
_ALERTS = "/data/plugin/tb_debugger/alerts?run=.&begin=0"


def first_alert(logdir: Path, *, cache: Path | None = None) -> Numbers:
    """Seconds from the process's start to the first answer of /alerts that has one.

    Args:
      logdir: Where there is a run with alerts.
      cache: Where its index is kept; ``None`` for nowhere.
    """
    with _tensorboard(logdir, cache) as (port, start):
        return {"seconds": _seconds_until(start, lambda: _has_alert(_get(port, _ALERTS)))}


def bare_start(scratch: Path) -> Numbers:
    """Seconds from the process's start to TensorBoard's first answer, on an empty logdir."""
    with (
        TemporaryDirectory(dir=scratch) as folder,
        _tensorboard(Path(folder), None) as (port, start),
    ):
        environment = "/data/environment"
        return {"seconds": _seconds_until(start, lambda: _get(port, environment) is not None)}


@contextmanager
def _tensorboard(logdir: Path, cache: Path | None) -> Iterator[tuple[int, float]]:
    port = _free_port()
    command = [sys.executable, "-m", "tensorboard.main", "--logdir", str(logdir)]
    command += ["--host", "127.0.0.1", "--port", str(port)]
    with TemporaryFile() as log:
        start = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment(cache),
        )
        try:
            yield port, start
        except TimeoutError as error:
            text = os.pread(log.fileno(), 1 << 20, 0).decode(errors="replace")
            raise RuntimeError(
                f"TensorBoard gave no answer in {MOST_SECONDS} s:\n{text}"
            ) from error
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _get(port: int, path: str) -> bytes | None:
    """An answer's body; ``None`` while nobody answers, or with an error."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        body = answer.read()
    except (ConnectionError, http.client.HTTPException):
        return None
    finally:
        connection.close()
    return body if answer.status == 200 else None


def _has_alert(body: bytes | None) -> bool:
    return body is not None and bool(json.loads(body)["alerts"])


def _seconds_until(start: float, is_so: Callable[[], bool]) -> float:
    while not is_so():
        if time.perf_counter() - start > MOST_SECONDS:
            raise TimeoutError
        time.sleep(_PAUSE_SECONDS)
    return time.perf_counter() - start
