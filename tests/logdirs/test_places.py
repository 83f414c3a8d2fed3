"""Where runs are: several in one directory, at any depth, under any name, behind links."""

from __future__ import annotations

import os
from pathlib import Path

from tb_debugger_plugin.runs.search import Root, parse_roots
from tests.builders.logdir import logdir
from tests.logdirs.shown import Shown, end_programs, serving, shown, shown_run


def test_two_programs_that_ran_in_one_directory_are_two_runs(tmp_path: Path) -> None:
    logdir(tmp_path, run_id="aaaa").execution("Add", nan=1)
    second = logdir(tmp_path, run_id="bbbb", started=1_700_000_600)
    second.graph("f").op("Log", "log").trace("log").execution("Mul")
    assert shown(tmp_path) == {
        ".#aaaa": Shown(executions=["Add"], alerts=["Add"]),
        ".#bbbb": Shown(executions=["Mul"], traces=["log:0"]),
    }


def test_runs_above_and_below_each_other_are_kept_apart(tmp_path: Path) -> None:
    logdir(tmp_path, run_id="aaaa").execution("Add")
    logdir(tmp_path / "sub", run_id="bbbb").execution("Mul")
    logdir(tmp_path / "a/b/c/d/e/f/g/h", run_id="cccc").execution("Log", nan=1)
    assert shown(tmp_path) == {
        ".": Shown(executions=["Add"]),
        "sub": Shown(executions=["Mul"]),
        "a/b/c/d/e/f/g/h": Shown(executions=["Log"], alerts=["Log"]),
    }


def test_a_directory_that_was_copied_is_another_run_of_the_same_id(tmp_path: Path) -> None:
    for name in ("original", "copy"):
        logdir(tmp_path / name, run_id="aaaa").execution("Add")
    with serving(tmp_path) as server:
        runs = server.answer("/runs")
        assert {name: run["run_id"] for name, run in runs.items()} == {
            "copy": "aaaa",
            "original": "aaaa",
        }
        for name in runs:
            assert shown_run(server, name) == Shown(executions=["Add"])
            assert server.answer("/execution/digests", run=f"{name}#aaaa")["num_digests"] == 1


def test_a_logdir_spec_names_its_runs(tmp_path: Path) -> None:
    logdir(tmp_path / "x").execution("Add")
    logdir(tmp_path / "y" / "inner").execution("Mul")
    logdir(tmp_path / "z", run_id="aaaa").execution("Log")
    logdir(tmp_path / "z", run_id="bbbb", started=1_700_000_600).execution("Exp")
    spec = f"first:{tmp_path}/x,second:{tmp_path}/y,{tmp_path}/z,gone:{tmp_path}/gone"
    with serving(*parse_roots("", spec)) as server:
        assert {name: shown_run(server, name).executions for name in server.answer("/runs")} == {
            "first": ["Add"],
            "second/inner": ["Mul"],
            f"{tmp_path}/z#aaaa": ["Log"],
            f"{tmp_path}/z#bbbb": ["Exp"],
        }
        notes = {d["path"]: d["found"] for d in server.answer("/logdir")["directories"]}
        assert notes[f"{tmp_path}/gone"] == "does not exist"


def test_directories_of_a_logdir_spec_may_contain_each_other(tmp_path: Path) -> None:
    logdir(tmp_path / "sub").execution("Add")
    inner, outer = Root("inner", str(tmp_path / "sub")), Root("outer", str(tmp_path))
    assert shown(inner, outer) == {"inner": Shown(executions=["Add"])}
    assert shown(outer, inner) == {"inner": Shown(executions=["Add"])}


def test_names_may_have_blanks_and_any_script(tmp_path: Path) -> None:
    names = ["run with spaces ü", "実行 1", "a&b=c?d#e%20", "'quoted\"", "🙂/x"]
    for name in names:
        logdir(tmp_path / name).execution("Add")
    assert shown(tmp_path) == dict.fromkeys(names, Shown(executions=["Add"]))


def test_a_name_of_several_lines_is_shown_on_one(tmp_path: Path) -> None:
    logdir(tmp_path / "new\nline").execution("Add")
    assert shown(tmp_path) == {r"new\x0aline": Shown(executions=["Add"])}


def test_names_that_are_no_utf8_are_shown_with_their_bytes(tmp_path: Path) -> None:
    for name in (b"l\xe4uft", b"l\xe4uft\\x"):
        directory = Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name)))
        logdir(directory).execution("Add").flip_bit("execution", 3)
    expected = Shown(status="damaged", problems=["bad_length"])
    assert shown(tmp_path) == {r"l\xe4uft": expected, r"l\xe4uft\x": expected}


def test_two_names_that_look_the_same_are_two_runs(tmp_path: Path) -> None:
    logdir(tmp_path / r"l\xe4uft").execution("Add")
    logdir(Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), b"l\xe4uft")))).execution("Mul")
    runs = shown(tmp_path)
    assert set(runs) == {r"l\xe4uft", r"l\xe4uft (2)"}
    assert sorted(run.executions for run in runs.values()) == [["Add"], ["Mul"]]


def test_a_host_name_may_have_dots_blanks_and_no_utf8(tmp_path: Path) -> None:
    for number, host in enumerate([b"gpu-1.cluster.example", b"my host", b"l\xe4uft"]):
        host_name = os.fsdecode(host)
        logdir(tmp_path / str(number), host=host_name if number < 2 else "host").execution("Add")
        if number == 2:
            for path in (tmp_path / "2").iterdir():
                path.rename(path.parent / path.name.replace(".host.", f".{host_name}."))
    with serving(tmp_path) as server:
        hosts = [run["hosts"] for run in server.answer("/runs").values()]
        assert hosts == [["gpu-1.cluster.example"], ["my host"], [r"l\xe4uft"]]
        assert shown_run(server, "2") == Shown(executions=["Add"])


def test_files_of_other_kinds_beside_a_run_do_not_matter(tmp_path: Path) -> None:
    logdir(tmp_path).execution("Add")
    for name in (
        "events.out.tfevents.1700000000.host",
        "checkpoint",
        "tfdbg_events.1700000000.host.unknown",
        "tfdbg_events.1700000000.host.execution.bak",
        "tfdbg_events",
        "tfdbg_events.",
        "tfdbg_events.execution",
    ):
        (tmp_path / name).write_bytes(b"something else")
    assert shown(tmp_path) == {".": Shown(executions=["Add"])}


def test_a_file_set_without_a_time_or_host_in_its_name_is_read_all_the_same(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add")
    for path in list(tmp_path.iterdir()):
        path.rename(tmp_path / path.name.replace("1700000000.host", "renamed"))
    del built
    assert shown(tmp_path) == {".": Shown(executions=["Add"])}


def test_a_link_to_a_run_and_a_loop_of_links(tmp_path: Path) -> None:
    logdir(tmp_path / "elsewhere").execution("Add")
    end_programs(tmp_path)
    root = tmp_path / "logs"
    (root / "deep").mkdir(parents=True)
    (root / "linked").symlink_to(tmp_path / "elsewhere")
    (root / "deep" / "again").symlink_to(tmp_path / "elsewhere")
    (root / "deep" / "up").symlink_to(root)
    (root / "itself").symlink_to(root / "itself")
    (root / "nowhere").symlink_to(tmp_path / "missing")
    assert shown(root) == {"linked": Shown(executions=["Add"])}


def test_files_that_are_links_are_followed(tmp_path: Path) -> None:
    built = logdir(tmp_path / "stored").execution("Add").graph("f").op("Log", "l").trace("l")
    (tmp_path / "logs").mkdir()
    for path in built.directory.iterdir():
        (tmp_path / "logs" / path.name).symlink_to(path)
    assert shown(tmp_path / "logs") == {".": Shown(executions=["Add"], traces=["l:0"])}


def test_a_link_that_leads_nowhere_in_place_of_a_file_is_a_missing_file(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add").graph("f").op("Log", "log").trace("log")
    built.remove("execution").path("execution").symlink_to(tmp_path / "missing")
    assert shown(tmp_path) == {".": Shown("damaged", ["missing_file"], traces=["log:0"])}


def test_the_logdir_itself_may_be_a_link_or_relative(tmp_path: Path) -> None:
    logdir(tmp_path / "real").execution("Add")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert shown(tmp_path / "link") == {".": Shown(executions=["Add"])}
    assert shown(Root("", os.path.relpath(tmp_path / "real"))) == {".": Shown(executions=["Add"])}
