"""Names that somebody may hope to be taken for places."""

from __future__ import annotations

import os
from pathlib import Path

from tests.builders.logdir import LogdirBuilder, logdir

NAMES = (
    "../../../../../../etc/passwd",
    "/etc/passwd",
    "/proc/self/environ",
    "file:///etc/passwd",
    "http://127.0.0.1:9/x",
    "s3://bucket/key",
    "\\\\server\\share\\x",
    "~/.ssh/id_rsa",
    "|touch /tmp/x",
    "$(touch /tmp/x)",
    "con",
    ".",
)


def stranger(directory: Path, num_bytes: int = 0) -> LogdirBuilder:
    """A program of which all names are such; with at least so many bytes of executions."""
    built = logdir(directory).graph("")
    for number, name in enumerate(NAMES):
        built.append("source_files", b"").source(name, lines=[name], host=name)
        built.frame(f"f{number}", number, function=name).frame(name, number, function=name)
        built.device(name).graph(name, graph_id=name, outer="").op(name, name, stack=[name])
        built.trace(name, nan=1, device=name).execution(name, graph=name, nan=1, stack=[name])
    record = built.path("execution").read_bytes()
    if num_bytes:
        built.append("execution", record * (num_bytes // len(record) + 1))
    for name in ("etc/passwd", "passwd"):
        os.symlink("/etc/passwd", directory / f"link-{name.replace('/', '-')}")
    return built
