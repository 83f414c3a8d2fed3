"""Programs that still run, were killed, or left without a word."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tests.api.serving import wait_until
from tests.builders.logdir import LogdirBuilder, logdir
from tests.logdirs.shown import Shown, serving, shown, shown_run, wait_until_shown

BLOCK = 4096
DATA_KINDS: tuple[FileKind, ...] = tuple(kind for kind in FILE_KINDS if kind != "metadata")


def program(directory: Path) -> LogdirBuilder:
    """Every kind of record three times."""
    run = logdir(directory).device()
    for name in ("a", "b", "c"):
        run.source(f"{name}.py", lines=[f"{name}()"]).frame(f"f{name}", f"{name}.py")
        run.graph(name).op("Log", f"log_{name}", stack=[f"f{name}"]).trace(f"log_{name}", nan=1)
        run.execution(f"__inference_{name}_1", graph=name, stack=[f"f{name}"])
    return run


TRACES = ["log_a:0", "log_b:0", "log_c:0"]
CALLS = ["__inference_a_1", "__inference_b_1", "__inference_c_1"]


def test_a_program_that_runs_and_one_that_ended(tmp_path: Path) -> None:
    program(tmp_path)
    whole = Shown("live", executions=CALLS, traces=TRACES, alerts=["Log"] * 3)
    assert shown(tmp_path, is_running=True) == {".": whole}
    assert shown(tmp_path) == {
        ".": Shown("complete", executions=CALLS, traces=TRACES, alerts=["Log"] * 3)
    }


@pytest.mark.parametrize("kind", DATA_KINDS)
def test_any_file_may_lag_behind_the_others(tmp_path: Path, kind: FileKind) -> None:
    """Each is written by blocks: what refers to something not yet on disk is shown all the same."""
    run = program(tmp_path)
    late = run.path(kind).read_bytes()
    run.path(kind).write_bytes(late[: run.record_offsets(kind)[1] + 5])
    with serving(tmp_path, is_running=True) as server:
        before = shown_run(server, ".")
        assert (before.status, before.problems) == ("live", [])
        assert before.executions == (CALLS[:1] if kind == "execution" else CALLS)
        assert before.traces == (TRACES[:1] if kind == "graph_execution_traces" else TRACES)
        run.path(kind).write_bytes(late)
        expected = Shown("live", executions=CALLS, traces=TRACES, alerts=["Log"] * 3)
        wait_until_shown(server, ".", expected)


@pytest.mark.parametrize("kind", DATA_KINDS)
def test_killed_anywhere_in_a_file_all_records_before_are_shown(
    tmp_path: Path, kind: FileKind
) -> None:
    whole = program(tmp_path / "whole")
    offsets = whole.record_offsets(kind)
    size = offsets[-1]
    cuts = sorted({*range(0, size + 1, size // 20), *offsets})
    for cut in cuts:
        directory = tmp_path / "cut" / f"{cut:05}"
        shutil.copytree(whole.directory, directory)
        path = directory / whole.path(kind).name
        path.write_bytes(path.read_bytes()[:cut])
    runs = shown(tmp_path / "cut")
    assert len(runs) == len(cuts)
    for cut in cuts:
        run = runs[f"{cut:05}"]
        assert ("cut_record" in run.problems) == (cut not in offsets), cut
        assert set(run.problems) <= {"cut_record", *LOST_WITH[kind]}, cut
        if cut not in offsets:
            assert run.status == "damaged", cut
        num_whole = sum(1 for end in offsets[1:] if end <= cut)
        assert run.executions == (CALLS[:num_whole] if kind == "execution" else CALLS), cut
        is_cut = kind == "graph_execution_traces"
        assert run.traces == (TRACES[:num_whole] if is_cut else TRACES), cut
        assert len(run.alerts) == len(run.traces)


LOST_WITH: dict[FileKind, set[str]] = {
    "source_files": {"missing_source_files", "switched_dump_root"},
    "stack_frames": {"missing_stack_frames"},
    "graphs": {"missing_graphs", "missing_ops", "graphs_without_ops"},
    "execution": {"calls_without_execution"},
    "graph_execution_traces": {"unobserved_calls"},
}
"""What else can be seen to be missing where a file is cut."""


def test_killed_between_blocks_every_file_ends_elsewhere(tmp_path: Path) -> None:
    run = logdir(tmp_path).source("a.py", lines=["x = 1"] * 2000).frame("f", "a.py").graph("g")
    for number in range(60):
        run.op("Log", f"log_{number}", stack=["f"])
        run.trace(f"log_{number}").execution("Add", stack=["f"])
    for kind in DATA_KINDS:
        run.truncate(kind, run.size(kind) % BLOCK)
    with serving(tmp_path) as server:
        seen = shown_run(server, ".")
        assert seen.status == "damaged"
        # What stack frames, ops and events refer to is lost with the ends of the other files.
        assert "missing_stack_frames" in seen.problems
        assert set(seen.problems) & {"missing_ops", "missing_graphs"}
        assert 20 < len(seen.executions) < 60
        assert 20 < len(seen.traces) < 60


def test_os_exit_leaves_files_that_are_empty(tmp_path: Path) -> None:
    run = program(tmp_path)
    for kind in DATA_KINDS:
        run.truncate(kind, run.size(kind))
    assert shown(tmp_path) == {".": Shown(problems=["nothing_recorded"])}


def test_a_ring_buffer_of_a_killed_program_was_never_written(tmp_path: Path) -> None:
    run = program(tmp_path)
    for kind in ("execution", "graph_execution_traces"):
        run.truncate(kind, run.size(kind))
    assert shown(tmp_path) == {".": Shown(problems=["events_not_written"])}


def test_a_disk_that_was_full_leaves_zeros_at_the_end(tmp_path: Path) -> None:
    """Some file systems grow a file before its bytes arrive."""
    run = program(tmp_path).append("execution", bytes(3 * BLOCK))
    del run
    (only,) = shown(tmp_path).values()
    assert (only.status, only.executions, only.traces) == ("damaged", CALLS, TRACES)
    assert only.problems == ["bad_length"]


def test_zeros_that_are_filled_later_are_read(tmp_path: Path) -> None:
    """A file server may show a file's new size before its bytes."""
    run = program(tmp_path)
    content = run.path("execution").read_bytes()
    first = run.record_offsets("execution")[1]
    run.path("execution").write_bytes(content[:first] + bytes(len(content) - first))
    with serving(tmp_path, is_running=True) as server:
        assert shown_run(server, ".").executions == CALLS[:1]
        with run.path("execution").open("r+b") as file:
            file.write(content)
        wait_until_shown(
            server, ".", Shown("live", executions=CALLS, traces=TRACES, alerts=["Log"] * 3)
        )


def test_files_that_are_there_one_by_one(tmp_path: Path) -> None:
    """A program creates its metadata last but two; a page may be open all the while."""
    whole = program(tmp_path / "whole")
    target = tmp_path / "logs"
    target.mkdir()
    with serving(target, is_running=True) as server:
        assert server.answer("/runs") == {}
        for kind in (
            "source_files", "stack_frames", "graphs", "metadata", "execution",
            "graph_execution_traces",
        ):  # fmt: skip
            shutil.copy(whole.path(kind), target)
            wait_until(lambda: "." in server.answer("/runs"))
        expected = Shown("live", executions=CALLS, traces=TRACES, alerts=["Log"] * 3)
        wait_until_shown(server, ".", expected)


def test_a_copy_that_stopped_half_way_says_which_files_are_missing(tmp_path: Path) -> None:
    program(tmp_path).remove("graph_execution_traces").remove("execution")
    assert shown(tmp_path) == {".": Shown("damaged", ["missing_file"] * 2)}
