"""Files and directories that cannot be read, or are no files at all."""

from __future__ import annotations

import builtins
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.runs.search import Root
from tests.builders.logdir import LogdirBuilder, logdir
from tests.logdirs.shown import Shown, serving, shown, shown_run, wait_until_shown


@contextmanager
def unreadable(monkeypatch: pytest.MonkeyPatch, *paths: Path) -> Iterator[None]:
    """Refuses to open files, for root as well."""
    real_open = builtins.open
    refused = {os.fspath(path) for path in paths}

    def refusing(file: Any, *arguments: Any, **options: Any) -> Any:
        if isinstance(file, str | Path) and os.fspath(file) in refused:
            raise PermissionError(13, "Permission denied", file)
        return real_open(file, *arguments, **options)

    with monkeypatch.context() as patched:
        patched.setattr(builtins, "open", refusing)
        yield


def program(directory: Path) -> LogdirBuilder:
    run = logdir(directory).source("a.py", lines=["a"]).frame("f", "a.py").graph("f")
    return run.op("Log", "log", stack=["f"]).trace("log", nan=1).execution("Add", stack=["f"])


@pytest.mark.parametrize(
    "kind", ["source_files", "stack_frames", "graphs", "execution", "graph_execution_traces"]
)
def test_one_file_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: FileKind
) -> None:
    run = program(tmp_path)
    with unreadable(monkeypatch, run.path(kind)):
        is_traces = kind == "graph_execution_traces"
        assert shown(tmp_path) == {
            ".": Shown(
                "damaged",
                ["unreadable_file"],
                executions=[] if kind == "execution" else ["Add"],
                traces=[] if is_traces else ["log:0"],
                alerts=[] if is_traces else [""] if kind == "graphs" else ["Log"],
            )
        }


def test_metadata_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = program(tmp_path)
    with unreadable(monkeypatch, run.path("metadata")):
        assert shown(tmp_path) == {
            ".": Shown(
                problems=["missing_metadata"],
                executions=["Add"],
                traces=["log:0"],
                alerts=["Log"],
            )
        }


def test_a_file_that_may_be_read_after_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = program(tmp_path)
    with unreadable(monkeypatch, run.path("execution")):
        server = serving(tmp_path)
        opened = server.__enter__()
        assert shown_run(opened, ".").problems == ["unreadable_file"]
    wait_until_shown(opened, ".", Shown("complete", [], ["Add"], ["log:0"], ["Log"]))
    server.__exit__(None, None, None)


def test_a_mode_that_forbids_reading(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    run = program(tmp_path)
    run.path("execution").chmod(0)
    assert shown(tmp_path)["."].problems == ["unreadable_file"]


def test_a_directory_in_place_of_a_file(tmp_path: Path) -> None:
    run = program(tmp_path)
    run.remove("execution").path("execution").mkdir()
    assert shown(tmp_path) == {
        ".": Shown("damaged", ["unreadable_file"], traces=["log:0"], alerts=["Log"])
    }


def test_a_pipe_in_place_of_a_file_is_not_waited_for(tmp_path: Path) -> None:
    run = program(tmp_path).remove("execution").remove("metadata")
    os.mkfifo(run.path("execution"))
    os.mkfifo(run.path("metadata"))
    assert shown(tmp_path) == {
        ".": Shown(
            "damaged", ["unreadable_file", "missing_metadata"], traces=["log:0"], alerts=["Log"]
        )
    }


def test_a_file_that_becomes_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    run = program(tmp_path)
    with serving(tmp_path) as server:
        run.remove("execution")
        os.mkfifo(run.path("execution"))
        wait_until_shown(server, ".", Shown("damaged", ["unreadable_file"], [], ["log:0"], ["Log"]))


def test_a_disk_that_fails_half_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "a")
    program(tmp_path / "b")
    failing = os.scandir

    def fail(path: Any) -> Any:
        if os.path.basename(os.fspath(path)) == "a":
            raise OSError(5, "Input/output error", path)
        return failing(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", fail)
        with serving(tmp_path) as server:
            assert list(server.answer("/runs")) == ["b"]
            notes = [found["found"] for found in server.answer("/logdir")["directories"]]
            assert "cannot be read: Input/output error" in notes


def test_a_file_in_place_of_the_logdir(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    with serving(tmp_path / "file") as server:
        assert server.answer("/runs") == {}
        (found,) = server.answer("/logdir")["directories"]
        assert found["found"].startswith("cannot be read: ")


def test_a_logdir_that_no_path_can_be() -> None:
    for path in ("nul\0l", "x" * 5000):
        with serving(Root("", path), is_running=True) as server:
            assert server.answer("/runs") == {}
            (found,) = server.answer("/logdir")["directories"]
            assert found["found"].startswith("cannot be read: ")
