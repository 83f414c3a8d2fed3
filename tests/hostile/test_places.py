"""Neither a request nor a record names a place that is opened; nothing is written but the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.index.cache import FOLDER_VARIABLE, SMALLEST_RUN
from tests.hostile.strangers import stranger

ROOT = Path(__file__).resolve().parents[2]
PYTHON = (sys.prefix, sys.base_prefix, str(ROOT / "tb_debugger_plugin"))
"""Where modules are that are imported when they are first needed."""


def tree(directory: Path) -> dict[str, tuple[int, int]]:
    """Size and time of all that is below a directory."""
    return {
        str(path.relative_to(directory)): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in sorted(directory.rglob("*"))
    }


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a process that serves a stranger's logdir does, and what changed where."""
    base = tmp_path_factory.mktemp("watched")
    places = {name: base / name for name in ("home", "work", "logdir", "temp")}
    for place in places.values():
        place.mkdir()
    stranger(places["logdir"], num_bytes=SMALLEST_RUN)
    before = {name: tree(place) for name, place in places.items()}
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("XDG_") and name != FOLDER_VARIABLE
    }
    ended = subprocess.run(
        [sys.executable, "-m", "tests.hostile.watched_serving", str(places["logdir"])],
        cwd=places["work"],
        env={
            **environment,
            "HOME": str(places["home"]),
            "TMPDIR": str(places["temp"]),
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-3000:]
    told: dict[str, Any] = json.loads(ended.stdout)
    told["places"] = places
    told["changed"] = {
        name: sorted(set(tree(place).items()) ^ set(before[name].items()))
        for name, place in places.items()
    }
    return told


def test_every_request_is_answered(watched: dict[str, Any]) -> None:
    assert set(watched["statuses"]) == {200, 400, 404}


def test_nothing_is_opened_but_the_logdir_s_own_files(watched: dict[str, Any]) -> None:
    logdir = str(watched["places"]["logdir"])
    cache = str(watched["places"]["home"] / ".cache" / "tb-debugger-plugin")
    own = (logdir, cache, *(os.path.realpath(prefix) for prefix in PYTHON), *PYTHON)
    # Python lists the folders that it looks for modules in.
    listed = {str(ROOT), str(watched["places"]["work"])}
    assert [p for p in watched["read"] if not p.startswith(own) and p not in listed] == []
    within = [path for path in watched["read"] if path.startswith(f"{logdir}/")]
    assert within
    assert all(Path(path).name.startswith("tfdbg_events.") for path in within)


def test_nothing_is_written_but_the_cache(watched: dict[str, Any]) -> None:
    cache = str(watched["places"]["home"] / ".cache" / "tb-debugger-plugin")
    parents = {str(path) for path in Path(cache).parents}
    assert [p for p in watched["written"] if not p.startswith(cache) and p not in parents] == []
    changed = watched["changed"]
    assert (changed["work"], changed["logdir"], changed["temp"]) == ([], [], [])
    new = [path for path, _ in changed["home"]]
    assert new[:2] == [".cache", ".cache/tb-debugger-plugin"]
    assert [Path(path).suffix for path in new[2:]] == [".index"]


def test_nobody_is_reached_and_nothing_is_started(watched: dict[str, Any]) -> None:
    assert watched["reached"] == []
