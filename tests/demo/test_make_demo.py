"""What `make demo` would do; nothing is run but make itself, and what it looks at first."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")

CHECKOUT = Path(__file__).parents[2]


def make(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments],
        cwd=CHECKOUT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_exported_logdir_is_not_touched() -> None:
    commands = make("--dry-run", "demo", LOGDIR="/my/dumps", PORT="1").stdout
    assert "/my/dumps" not in commands
    assert "--logdir=.cache/demo --port=6006" in commands


def test_of_a_logdir_that_is_named_only_the_demos_own_run_is_removed() -> None:
    commands = make("--dry-run", "demo", "LOGDIR=/my/dumps").stdout
    assert [line for line in commands.splitlines() if "rm " in line] == ["rm -rf /my/dumps/digits"]
    assert "--dump_dir=/my/dumps/digits" in commands


def test_a_port_in_use_is_said_before_anything_is_installed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        done = make("port-is-free", f"PORT={port}")
    assert done.returncode != 0
    assert f"Port {port} is in use: make demo PORT=..." in done.stderr


def test_a_free_port_is_no_obstacle() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    assert make("port-is-free", f"PORT={port}").returncode == 0
