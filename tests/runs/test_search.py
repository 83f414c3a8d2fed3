from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.runs import search as searching
from tb_debugger_plugin.runs.search import Root, parse_roots, search
from tests.builders.logdir import logdir


def names(*roots: Path | Root) -> list[str]:
    """Names of the runs, as found."""
    made = [root if isinstance(root, Root) else Root("", str(root)) for root in roots]
    return [run.name for directory in search(made) for run in directory.runs]


def notes(path: Path) -> list[str]:
    return [directory.note for directory in search([Root("", str(path))])]


def test_a_run_in_the_logdir_itself_is_called_dot(tmp_path: Path) -> None:
    logdir(tmp_path)
    assert names(tmp_path) == ["."]


def test_a_run_below_is_called_by_its_relative_path(tmp_path: Path) -> None:
    for name in ("b", "a/deep/er", "a", "mit Leerzeichen ü/x", "with.dots", "a#b"):
        logdir(tmp_path / name)
    assert names(tmp_path) == ["a", "a#b", "b", "with.dots", "mit Leerzeichen ü/x", "a/deep/er"]


def test_several_runs_of_a_directory_are_told_apart_by_their_ids(tmp_path: Path) -> None:
    logdir(tmp_path / "x", run_id="aaaa")
    logdir(tmp_path / "x", run_id="bbbb", started=1_700_000_009)
    logdir(tmp_path, run_id="cccc")
    found = [run for directory in search([Root("", str(tmp_path))]) for run in directory.runs]
    assert [run.name for run in found] == [".", "x#aaaa", "x#bbbb"]
    assert [run.full_name for run in found] == [".#cccc", "x#aaaa", "x#bbbb"]


def test_file_sets_of_several_hosts_are_one_run(tmp_path: Path) -> None:
    logdir(tmp_path).add_host("worker")
    (run,) = [run for directory in search([Root("", str(tmp_path))]) for run in directory.runs]
    assert [file_set.host_name for file_set in run.file_sets] == ["host", "worker"]


def test_what_was_found_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "events.out.tfevents.1").touch()
    (tmp_path / "other" / "notes").touch()
    logdir(tmp_path / "run")
    assert notes(tmp_path) == [
        "no tfdbg_events.* files (no files)",
        "no tfdbg_events.* files (no files)",
        "no tfdbg_events.* files (1 file of TensorBoard summaries, 1 other file)",
        "1 run",
    ]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tfdbg_events.1700000000.host.graphs.gz", "compressed"),
        ("tfdbg_events.1700000000.host.graphs.part", "not wholly copied"),
        ("copy of tfdbg_events.1700000000.host.graphs", 'does not begin with "tfdbg_events."'),
        ("tfdbg_events.1700000000.host.graphs (1)", "ends in none of .metadata, "),
        ("tfdbg_events.1700000000.host", "ends in none of .metadata, "),
    ],
)
def test_files_that_look_like_those_of_a_run_are_rejected_with_a_reason(
    tmp_path: Path, name: str, reason: str
) -> None:
    (tmp_path / name).touch()
    (directory,) = search([Root("", str(tmp_path))])
    assert directory.note.startswith(f"rejected: {name} ({reason}")
    assert directory.is_odd


def test_rejected_files_are_counted_beside_the_run_that_is_there(tmp_path: Path) -> None:
    logdir(tmp_path)
    for number in range(5):
        (tmp_path / f"tfdbg_events.{number}.host.graphs.gz").touch()
    (tmp_path / "tfdbg_events.9.host.graphs~").touch()
    (directory,) = search([Root("", str(tmp_path))])
    assert directory.note.startswith("1 run; rejected: tfdbg_events.")
    assert " and 4 more (compressed)" in directory.note
    assert "tfdbg_events.9.host.graphs~ (not wholly copied)" in directory.note
    assert directory.is_odd


def test_a_dump_of_tensorflow_1_s_debugger_is_told(tmp_path: Path) -> None:
    dump = tmp_path / "_tfdbg_device_,job_localhost,replica_0,task_0,device_CPU_0"
    dump.mkdir()
    (dump / "w_0_DebugIdentity_1700000000").touch()
    first, _ = notes(tmp_path)
    assert first == "a dump of the debugger of TensorFlow 1, which is not read"


def test_only_what_is_wrong_is_odd(tmp_path: Path) -> None:
    (tmp_path / "checkpoint").touch()
    logdir(tmp_path / "run")
    assert [directory.is_odd for directory in search([Root("", str(tmp_path))])] == [False, False]
    (missing,) = search([Root("", str(tmp_path / "missing"))])
    assert missing.is_odd


def test_a_directory_that_is_not_there_is_said_not_to_be(tmp_path: Path) -> None:
    assert notes(tmp_path / "missing") == ["does not exist"]


def test_a_file_is_no_logdir(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (note,) = notes(tmp_path / "file")
    assert note.startswith("cannot be read: ")


def test_a_loop_of_symbolic_links_ends(tmp_path: Path) -> None:
    logdir(tmp_path / "run")
    (tmp_path / "run" / "back").symlink_to(tmp_path)
    (tmp_path / "itself").symlink_to(tmp_path / "itself")
    assert names(tmp_path) == ["run"]


def test_a_linked_directory_is_searched_once_under_its_shallowest_name(tmp_path: Path) -> None:
    logdir(tmp_path / "elsewhere")
    root = tmp_path / "logs"
    (root / "a" / "b").mkdir(parents=True)
    (root / "a" / "b" / "deep").symlink_to(tmp_path / "elsewhere")
    (root / "z").symlink_to(tmp_path / "elsewhere")
    assert names(root) == ["z"]


def test_broken_links_and_special_files_are_passed_over(tmp_path: Path) -> None:
    logdir(tmp_path)
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    os.mkfifo(tmp_path / "tfdbg_events.1700000001.host.metadata")
    os.mkfifo(tmp_path / "fifo")
    assert names(tmp_path) == ["."]


@contextmanager
def unreadable(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """A directory that may not be listed, for root as well."""
    list_directory = os.scandir

    def refuse(path: Any) -> Any:
        if os.path.basename(os.fspath(path)) == name:
            raise PermissionError(13, "Permission denied", path)
        return list_directory(path)

    with monkeypatch.context() as patched:
        patched.setattr("os.scandir", refuse)
        yield


def test_a_directory_that_may_not_be_read_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    with unreadable(monkeypatch, "a"):
        assert names(tmp_path) == ["b"]
        assert "cannot be read: Permission denied" in notes(tmp_path)


def test_the_search_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        logdir(tmp_path / str(number))
    monkeypatch.setattr(searching, "MAX_DIRECTORIES", 4)
    assert names(tmp_path) == ["0", "1", "2"]
    assert notes(tmp_path)[-1] == "not searched: 4 directories were searched before it"


def test_the_search_does_not_go_down_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logdir(tmp_path / "a" / "b" / "c")
    logdir(tmp_path / "a" / "b")
    monkeypatch.setattr(searching, "MAX_DEPTH", 3)
    assert names(tmp_path) == ["a/b"]


def test_nothing_is_read_of_a_directory_before_its_turn(tmp_path: Path) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    visits = search([Root("", str(tmp_path))])
    next(visits)
    for path in (tmp_path / "b").iterdir():
        path.unlink()
    assert [len(directory.runs) for directory in visits] == [1, 0]


def test_a_logdir_spec_names_its_directories(tmp_path: Path) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "a" / "sub")
    logdir(tmp_path / "b")
    roots = parse_roots("", f"first:{tmp_path}/a,{tmp_path}/b")
    assert names(*roots) == ["first", f"{tmp_path}/b", "first/sub"]


@pytest.mark.parametrize(
    ("logdir_flag", "spec", "roots"),
    [
        ("", "", []),
        ("/a", "", [Root("", "/a")]),
        ("/a:b,c", "", [Root("", "/a:b,c")]),
        ("/a", "x:/b", [Root("", "/a")]),
        ("", "x:/b,y:/c", [Root("x", "/b"), Root("y", "/c")]),
        ("", "/b", [Root("/b", "/b")]),
        ("", "relative", [Root("relative", "relative")]),
        ("", ",,x:/b,", [Root("x", "/b")]),
        ("", "x:/b:c", [Root("x", "/b:c")]),
        ("", "/a:b", [Root("/a:b", "/a:b")]),
        ("", "gs://bucket/x", [Root("gs://bucket/x", "gs://bucket/x")]),
        ("", "x:gs://bucket/x", [Root("x", "gs://bucket/x")]),
    ],
)
def test_flags_are_read_as_tensorboard_reads_them(
    logdir_flag: str, spec: str, roots: list[Root]
) -> None:
    assert parse_roots(logdir_flag, spec) == roots


def test_a_home_directory_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/dev")
    assert parse_roots("~/logs", "") == [Root("", "/home/dev/logs")]
    assert parse_roots("", "x:~/logs") == [Root("x", "/home/dev/logs")]


def test_two_directories_of_one_name_are_both_found(tmp_path: Path) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    roots = parse_roots("", f"x:{tmp_path}/a,x:{tmp_path}/b")
    assert names(*roots) == ["x", f"{tmp_path}/b"]


def test_no_two_runs_have_the_same_name(tmp_path: Path) -> None:
    logdir(tmp_path / "a" / "sub")
    logdir(tmp_path / "b")
    roots = parse_roots("", f"x:{tmp_path}/a,x/sub:{tmp_path}/b")
    assert sorted(names(*roots)) == ["x/sub", "x/sub (2)"]
