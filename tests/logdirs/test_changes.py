"""Directories that are deleted, cut, replaced or written to while a page looks at them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import FileKind
from tests.api.serving import wait_until
from tests.builders.logdir import LogdirBuilder, logdir
from tests.logdirs.shown import Shown, serving, shown_run, wait_until_shown


def short(directory: Path, op: str = "Add", **options: object) -> LogdirBuilder:
    run = logdir(directory, **options)  # type: ignore[arg-type]
    return run.graph("f").op(op, op).trace(op, nan=1).execution(op)


def test_a_run_that_grows(tmp_path: Path) -> None:
    run = short(tmp_path)
    with serving(tmp_path, is_running=True) as server:
        for number in range(2, 6):
            run.trace("Add").execution("Add", nan=1)
            expected = Shown("live", [], ["Add"] * number, ["Add:0"] * number, ["Add"] * number)
            wait_until_shown(server, ".", expected)


def test_a_directory_that_is_deleted(tmp_path: Path) -> None:
    short(tmp_path / "a")
    short(tmp_path / "b")
    with serving(tmp_path) as server:
        shutil.rmtree(tmp_path / "a")
        wait_until(lambda: list(server.answer("/runs")) == ["b"])
        assert "no run 'a'" in server.refusal("/alerts", 404, run="a")
        shutil.rmtree(tmp_path)
        wait_until(lambda: server.answer("/runs") == {})

        def found() -> list[str]:
            return [d["found"] for d in server.answer("/logdir")["directories"]]

        # A search may see the directory on its way out.
        wait_until(lambda: found() == ["does not exist"])


def test_one_file_that_is_deleted_leaves_what_was_read_and_says_so(tmp_path: Path) -> None:
    run = short(tmp_path)
    with serving(tmp_path) as server:
        run.remove("execution")
        wait_until_shown(server, ".", Shown("damaged", ["missing_file"], [], ["Add:0"], ["Add"]))


@pytest.mark.parametrize("kind", ["execution", "graph_execution_traces", "graphs"])
def test_a_file_that_is_cut_is_read_anew(tmp_path: Path, kind: FileKind) -> None:
    run = short(tmp_path).trace("Add").execution("Add").op("Log", "Log")
    with serving(tmp_path, is_running=True) as server:
        os.truncate(run.path(kind), run.record_offsets(kind)[1])
        wait_until(lambda: server.answer("/runs")["."]["bytes_total"] == sum(
            path.stat().st_size for path in tmp_path.iterdir() if path != run.path("metadata")
        ))  # fmt: skip
        wait_until(lambda: server.answer("/runs")["."]["status"] == "live")
        seen = shown_run(server, ".")
        assert seen.executions == ["Add"] * (1 if kind == "execution" else 2)
        assert seen.traces == ["Add:0"] * (1 if kind == "graph_execution_traces" else 2)
        assert seen.alerts == [""] if kind == "graphs" else ["Add"]


def test_a_run_that_is_replaced_by_another_of_the_same_name(tmp_path: Path) -> None:
    short(tmp_path / "a", run_id="aaaa")
    with serving(tmp_path, is_running=True) as server:
        shutil.rmtree(tmp_path / "a")
        short(tmp_path / "a", "Mul", run_id="bbbb", started=1_700_000_600)
        wait_until_shown(server, "a", Shown("live", [], ["Mul"], ["Mul:0"], ["Mul"]))
        assert server.answer("/runs")["a"]["run_id"] == "bbbb"


def test_a_run_that_is_replaced_by_files_of_the_same_names_and_sizes(tmp_path: Path) -> None:
    """As when a script that fixes the time of its start is run again."""
    short(tmp_path / "a", "Add", run_id="aaaa")
    with serving(tmp_path, is_running=True) as server:
        shutil.rmtree(tmp_path / "a")
        short(tmp_path / "a", "Mul", run_id="bbbb")
        wait_until_shown(server, "a", Shown("live", [], ["Mul"], ["Mul:0"], ["Mul"]))
        # The metadata is looked at by the next search.
        wait_until(lambda: bool(server.answer("/runs")["a"]["run_id"] == "bbbb"))


@pytest.mark.parametrize("num_more", [0, 1, 50])
def test_files_that_are_opened_again_and_written_from_their_begin(
    tmp_path: Path, num_more: int
) -> None:
    """The same inodes: they may have their old size again, or more, before they are looked at."""
    short(tmp_path, "Add", run_id="aaaa")
    with serving(tmp_path, is_running=True) as server:
        again = short(tmp_path, "Mul", run_id="bbbb")
        for _ in range(num_more):
            again.trace("Mul").execution("Mul")
        expected = Shown("live", [], ["Mul"] * (1 + num_more), ["Mul:0"] * (1 + num_more), ["Mul"])
        wait_until_shown(server, ".", expected)
        # The metadata is looked at by the next search.
        wait_until(lambda: bool(server.answer("/runs")["."]["run_id"] == "bbbb"))


def test_a_second_program_that_starts_in_the_directory(tmp_path: Path) -> None:
    short(tmp_path, run_id="aaaa")
    with serving(tmp_path, is_running=True) as server:
        short(tmp_path, "Mul", run_id="bbbb", started=1_700_000_600)
        wait_until_shown(server, ".#bbbb", Shown("live", [], ["Mul"], ["Mul:0"], ["Mul"]))
        wait_until_shown(server, ".#aaaa", Shown("live", [], ["Add"], ["Add:0"], ["Add"]))
        assert "there is no run '.'" in server.refusal("/alerts", 404, run=".")


def test_a_directory_that_is_renamed_is_the_same_run_by_another_name(tmp_path: Path) -> None:
    short(tmp_path / "old")
    with serving(tmp_path, is_running=True) as server:
        (tmp_path / "old").rename(tmp_path / "new")
        wait_until_shown(server, "new", Shown("live", [], ["Add"], ["Add:0"], ["Add"]))
        assert list(server.answer("/runs")) == ["new"]


def test_a_run_that_appears_in_a_logdir_that_was_not_there(tmp_path: Path) -> None:
    with serving(tmp_path / "later") as server:
        assert server.answer("/runs") == {}
        short(tmp_path / "later" / "a")
        wait_until_shown(server, "a", Shown("live", [], ["Add"], ["Add:0"], ["Add"]))


def test_a_link_that_is_led_elsewhere_shows_the_other_run(tmp_path: Path) -> None:
    """As a "latest" that each program sets anew."""
    short(tmp_path / "runs" / "1", "Add", run_id="aaaa")
    short(tmp_path / "runs" / "2", "Mul", run_id="bbbb")
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "latest").symlink_to(tmp_path / "runs" / "1")
    with serving(tmp_path / "logs", is_running=True) as server:
        assert shown_run(server, "latest").executions == ["Add"]
        (tmp_path / "logs" / "latest").unlink()
        (tmp_path / "logs" / "latest").symlink_to(tmp_path / "runs" / "2")
        wait_until_shown(server, "latest", Shown("live", [], ["Mul"], ["Mul:0"], ["Mul"]))
