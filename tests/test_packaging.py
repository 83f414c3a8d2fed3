"""Installs the plugin as a user does: an sdist, a wheel of it, a fresh virtual environment."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
NOT_SOURCES = shutil.ignore_patterns(
    ".*_cache", ".angular", ".cache", ".git", ".hypothesis", ".venv", "__pycache__", "build",
    "dist", "node_modules", "static", "*.egg-info", "*.so", "temp",
)  # fmt: skip

PROBE = """
import importlib.metadata, importlib.util, json, pathlib
(entry,) = importlib.metadata.entry_points(group="tensorboard_plugins", name="tb_debugger")
folder = pathlib.Path(importlib.util.find_spec("tb_debugger_plugin").origin).parent
print(json.dumps({
    "plugin": entry.load().__name__,
    "folder": str(folder),
    "main.js": (folder / "static" / "main.js").is_file(),
    "tensorflow": importlib.util.find_spec("tensorflow") is not None,
}))
"""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def other_node(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH whose first Node.js and npm, those of the machine as it were, do not work."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("node", "npm", "npx"):
        (folder / name).write_text("#!/bin/sh\necho the Node.js of the machine >&2\nexit 1\n")
        (folder / name).chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory, other_node: str) -> Path:
    """An sdist of a checkout in which nothing has been built."""
    checkout = tmp_path_factory.mktemp("sdist") / "checkout"
    shutil.copytree(CHECKOUT, checkout, ignore=NOT_SOURCES)
    build = "import setuptools.build_meta as backend; backend.build_sdist('dist')"
    run(sys.executable, "-c", build, cwd=checkout, PATH=other_node)
    (built,) = (checkout / "dist").iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory, sdist: Path, other_node: str) -> Path:
    """A wheel made from the sdist by pip, where no npm registry can be reached."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", ".", str(sdist)]
    run(*command, cwd=folder, PATH=other_node, NPM_CONFIG_REGISTRY="http://127.0.0.1:9")
    (built,) = folder.glob("*.whl")
    return built


def test_sdist_has_the_sources_of_the_front_end_and_what_was_built(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {
        "package-lock.json",
        "frontend/build_frontend.py",
        "frontend/src/main.ts",
        "tb_debugger_plugin/static/main.js",
        "tests/test_packaging.py",
        "demo/digits.py",
    } <= names


def test_wheel_holds_the_package_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()

    assert "tb_debugger_plugin/static/main.js" in names
    folders = {name.partition("/")[0] for name in names}
    assert {folder for folder in folders if not folder.endswith(".dist-info")} == {
        "tb_debugger_plugin"
    }


def test_wheel_works_in_a_fresh_environment(tmp_path: Path, wheel: Path) -> None:
    run(sys.executable, "-m", "venv", "fresh", cwd=tmp_path)
    python = tmp_path / "fresh" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", str(wheel), cwd=tmp_path)

    found = json.loads(run(python, "-W", "ignore", "-c", PROBE, cwd=tmp_path).splitlines()[-1])

    assert Path(found.pop("folder")).is_relative_to(tmp_path)
    assert found == {"plugin": "DebuggerPlugin", "main.js": True, "tensorflow": False}
