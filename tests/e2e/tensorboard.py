"""A real TensorBoard process with the built plugin, on a port of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_STARTED = re.compile(r"TensorBoard \S+ at (http://\S+)")
_MOST_SECONDS = 120


@contextmanager
def running_tensorboard(
    logdir: Path | str, *flags: str, program: Sequence[str] = ("-m", "tensorboard.main")
) -> Iterator[str]:
    """Starts TensorBoard on a logdir; the value is its URL, without a slash at the end."""
    command = [sys.executable, *program, "--logdir", str(logdir)]
    command += ["--host", "127.0.0.1", "--port", "0", "--load_fast=false", *flags]
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": ""},
        )
        try:
            yield _wait_for_url(process, log.fileno())
        finally:
            process.terminate()
            process.wait(timeout=30)


def _wait_for_url(process: subprocess.Popen[bytes], log: int) -> str:
    deadline = time.monotonic() + _MOST_SECONDS
    while True:
        text = os.pread(log, 1 << 20, 0).decode(errors="replace")
        started = _STARTED.search(text)
        if started:
            return started[1].rstrip("/")
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"TensorBoard did not start:\n{text}")
        time.sleep(0.1)
