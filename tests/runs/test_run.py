from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind, FileSet, find_file_sets
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.runs.moment import LIVE_SECONDS
from tb_debugger_plugin.runs.run import Run
from tests.builders.logdir import LogdirBuilder, logdir

NOW = 1_800_000_000.0


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW)


def written(built: LogdirBuilder, seconds_ago: float) -> LogdirBuilder:
    for kind in FILE_KINDS:
        if built.path(kind).exists():
            os.utime(built.path(kind), (NOW - seconds_ago, NOW - seconds_ago))
    return built


def file_sets(directory: Path) -> Sequence[FileSet]:
    return find_file_sets(str(directory), os.listdir(directory))


def opened(built: LogdirBuilder) -> Run:
    run = Run(".", file_sets(built.directory))
    run.refresh()
    return run


def test_a_run_is_loading_until_it_was_read_to_its_end(tmp_path: Path) -> None:
    built = written(logdir(tmp_path).execution("Add"), 5)
    run = Run(".", file_sets(tmp_path))
    assert run.status == "loading"
    steps = run.refresh_by_piece()
    next(steps)
    sizes = [built.size(kind) for kind in FILE_KINDS if kind != "metadata"]
    assert run.moment.bytes_total == sum(sizes)
    statuses = [run.status]
    assert list(steps) == []
    assert [*statuses, run.status] == ["loading", "live"]


@pytest.mark.parametrize(
    ("seconds_ago", "status"),
    [
        (0, "live"),
        (LIVE_SECONDS - 1, "live"),
        (LIVE_SECONDS + 1, "complete"),
        (10 * LIVE_SECONDS, "complete"),
        (-5, "live"),
        (-10 * LIVE_SECONDS, "complete"),
    ],
)
def test_a_run_is_live_while_it_is_written_to_even_by_a_clock_a_bit_ahead(
    tmp_path: Path, seconds_ago: float, status: str
) -> None:
    assert opened(written(logdir(tmp_path).execution("Add"), seconds_ago)).status == status


def test_one_file_that_is_written_to_makes_the_run_live(tmp_path: Path) -> None:
    built = written(logdir(tmp_path), 1000)
    os.utime(built.path("graph_execution_traces"), (NOW, NOW))
    assert opened(built).status == "live"


def test_a_record_cut_by_the_end_is_no_problem_while_the_run_is_live(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add").truncate("execution", 3)
    run = opened(written(built, 5))
    assert (run.status, run.problems) == ("live", [])
    written(built, 1000)
    run.refresh()
    assert run.status == "damaged"
    assert [problem.kind for problem in run.problems] == ["cut_record"]


def test_damage_is_told_of_a_live_run_too(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add").execution("Add").flip_bit("execution", -1)
    run = opened(written(built, 5))
    assert run.status == "damaged"
    assert [problem.kind for problem in run.problems] == ["bad_payload"]


def test_missing_metadata_loses_no_data(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add")
    built.path("metadata").write_bytes(b"")
    run = opened(written(built, 1000))
    assert (run.status, run.run_id, run.start_time, run.tensorflow_version) == (
        "complete", "", None, None,
    )  # fmt: skip
    assert [problem.kind for problem in run.problems] == ["missing_metadata"]


def test_a_view_lasts_as_long_as_nothing_is_new(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add", nan=1)
    run = opened(built)
    view = run.view
    assert run.view is view
    built.execution("Add", nan=1)
    assert len(run.view.alerts) == 1
    run.refresh()
    assert run.view is not view
    assert (len(view.alerts), len(run.view.alerts)) == (1, 2)


def test_requests_that_come_at_once_share_a_view(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = logdir(tmp_path)
    run = opened(built)
    built.execution("Add")
    run.refresh()
    both_there = threading.Barrier(2)

    def slow(snapshot: Snapshot) -> View:
        with contextlib.suppress(threading.BrokenBarrierError):
            both_there.wait(0.2)
        return View(snapshot)

    monkeypatch.setattr("tb_debugger_plugin.runs.run.View", slow)
    views: list[View] = []
    threads = [threading.Thread(target=lambda: views.append(run.view)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert views[0] is views[1]


def test_reading_may_be_left_at_any_step_and_taken_up_again(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("a.py").frame("f", "a.py").graph("g").op("Log", "log")
    run = opened(built.trace("log").execution("Add"))
    run = Run(".", file_sets(tmp_path))
    steps = 0
    while not run.snapshot.is_whole:
        for _ in run.refresh_by_piece():
            break
        steps += 1
    assert steps == 6
    assert (run.num_executions, run.num_graph_executions, len(run.ops)) == (1, 1, 1)


@pytest.mark.parametrize("kind", ["execution", "graph_execution_traces", "stack_frames"])
def test_a_file_that_was_written_anew_is_read_anew(tmp_path: Path, kind: str) -> None:
    built = logdir(tmp_path).execution("Add").execution("Add").graph("f").op("Log", "log")
    run = opened(built.trace("log").source("a.py").frame("f", "a.py"))
    path = built.path(kind)  # type: ignore[arg-type]
    path.rename(tmp_path / "old")
    path.write_bytes(b"")
    run.refresh()
    counts = (run.num_executions, run.num_graph_executions, len(run.snapshot.frames))
    assert (
        counts
        == {
            "execution": (0, 1, 1),
            "graph_execution_traces": (2, 0, 1),
            "stack_frames": (2, 1, 0),
        }[kind]
    )


def test_a_file_that_shrank_is_read_anew(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add").execution("Mul")
    run = opened(built)
    os.truncate(built.path("execution"), built.record_offsets("execution")[1])
    run.refresh()
    assert run.num_executions == 1


def test_a_host_that_joins_is_read(tmp_path: Path) -> None:
    client = logdir(tmp_path).graph("f").op("Log", "log").trace("log")
    run = opened(client)
    worker = client.add_host("worker").in_graph("f").trace("log")
    run.set_file_sets(file_sets(tmp_path))
    run.refresh()
    assert (run.num_graph_executions, run.hosts) == (2, ["host", "worker"])
    worker.trace("log")
    run.refresh()
    assert run.num_graph_executions == 3


def test_metadata_that_came_late_is_taken_notice_of(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add")
    metadata = built.path("metadata").read_bytes()
    built.path("metadata").write_bytes(b"")
    run = opened(built)
    built.path("metadata").write_bytes(metadata)
    run.set_file_sets(file_sets(tmp_path))
    run.refresh()
    assert (run.run_id, run.num_executions, run.problems) == ("0123abcd", 1, [])


def test_what_was_read_stays_while_files_and_metadata_appear(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add")
    late: tuple[FileKind, ...] = ("metadata", "graph_execution_traces")
    for kind in late:
        built.path(kind).rename(tmp_path / f"later.{kind}")
    run = opened(built)
    for kind in late:
        (tmp_path / f"later.{kind}").rename(built.path(kind))
        run.set_file_sets(file_sets(tmp_path))
        assert (run.num_executions, run.snapshot.is_whole) == (1, True)
    run.refresh()
    assert (run.num_executions, run.run_id) == (1, "0123abcd")


def test_a_run_written_anew_in_the_same_place_takes_nothing_over(tmp_path: Path) -> None:
    old = logdir(tmp_path).execution("Old", nan=1)
    run = opened(old)
    for path in list(tmp_path.iterdir()):
        path.unlink()
    logdir(tmp_path, run_id="ffff0000", started=1_700_000_100).execution("New")
    run.set_file_sets(file_sets(tmp_path))
    run.refresh()
    assert (run.run_id, run.num_executions, run.alerts()) == ("ffff0000", 1, [])


def test_a_file_that_was_made_a_moment_later_is_not_missing(tmp_path: Path) -> None:
    built = logdir(tmp_path).remove("execution")
    run = opened(built)
    assert [problem.kind for problem in run.problems] == ["missing_file"]
    built.path("execution").write_bytes(b"")
    run.set_file_sets(file_sets(tmp_path))
    run.refresh()
    assert [problem.kind for problem in run.problems] == ["nothing_recorded"]


def test_the_same_file_sets_change_nothing(tmp_path: Path) -> None:
    run = opened(logdir(tmp_path).execution("Add"))
    view = run.view
    run.set_file_sets(file_sets(tmp_path))
    run.refresh()
    assert run.view is view


def test_debug_modes_are_those_of_the_records(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add", mode=2).graph("f").trace("log", mode=4)
    assert opened(built).debug_modes == ["CURT_HEALTH", "FULL_HEALTH"]
    assert opened(logdir(tmp_path / "empty")).debug_modes == []


def test_the_earliest_host_tells_when_the_run_began(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    built.metadata(at=500.0)
    built.add_host("a").metadata(at=400.0)
    run = opened(built)
    assert run.start_time == 400.0
    assert run.hosts == ["a", "host"]
