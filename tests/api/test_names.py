"""Names and ids of any form: what a file holds, the routes find and repeat."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.events.texts import clean, clean_line
from tests.api.serving import Server
from tests.builders import wire
from tests.builders.logdir import logdir

Serve = Callable[[Path], Server]

NAMES = [
    "a.b",
    "a_b_c",
    "a:0",
    "scope/a",
    "../../etc/passwd",
    "with space",
    "ü/ロス/🙂",
    "'\"\\<script>",
    "a&run=.#%20+",
    "\u202eabc",
    "\0\x1f",
    "None",
    "x" * 100_000,
]
"""As recorded. Those that would steer a page, and long ones, are shown otherwise."""
each_name = pytest.mark.parametrize("name", NAMES, ids=[repr(name[:20]) for name in NAMES])


@each_name
def test_a_graph_and_an_op_of_any_name_are_found(serve: Serve, tmp_path: Path, name: str) -> None:
    built = (
        logdir(tmp_path)
        .graph("")
        .graph(name, graph_id=name, outer="")
        .op("Placeholder", "probs")
        .op(name, name, inputs=["probs:0"])
        .trace(name, neg_inf=1)
        .execution(name, graph=name, nan=1)
    )
    server, shown = serve(built.directory).load(), clean(name.encode())
    for asked in {name, shown}:
        place: dict[str, Any] = {"run": ".", "graph_id": asked}
        info = server.answer("/graphs/graph_info", **place)
        assert (info["name"], info["graph_id"]) == (shown, shown)
        for path in ("op_info", "neighborhood"):
            server.answer(f"/graphs/{path}", op_name=asked, **place)
        op = server.answer("/graphs/op_info", op_name=asked, **place)
        assert (op["op_name"], op["op_type"]) == (shown, shown)
        listed = server.answer("/graph_execution/data", op_name=asked, **place)
        assert [trace["op_name"] for trace in listed["graph_executions"]] == [shown]
        assert server.answer("/alerts", run=".")["num_alerts"] == 2
        server.answer("/stack_frames/stack_trace", op_name=asked, **place)
        (execution,) = server.answer("/execution/data", run=".")["executions"]
        assert (execution["op_type"], execution["graph_id"]) == (shown, shown)


@each_name
def test_a_frame_and_a_file_of_any_name_are_found(serve: Serve, tmp_path: Path, name: str) -> None:
    built = (
        logdir(tmp_path)
        .source(f"/{name}", lines=[name])
        .frame(name, f"/{name}", function=name)
        .execution("Add", stack=[name])
    )
    server, shown = serve(built.directory).load(), clean(name.encode())
    path = clean(f"/{name}".encode())
    for asked in {name, shown}:
        frames = server.answer("/stack_frames/stack_frames", run=".", stack_frame_ids=asked)
        assert frames["stack_frames"] == [["host", path, 1, shown]]
    (frame,) = server.answer("/stack_frames/stack_trace", run=".", execution_index=0)["frames"]
    assert (frame["stack_frame_id"], frame["source"]["file_path"]) == (shown, path)
    lines = server.answer("/source_files/file", run=".", index=0)["lines"]
    assert lines == [clean_line(name.encode())]


@pytest.mark.parametrize(
    "name", ["a.b", "a_b", "a:b", "with space", "ü/ロス/🙂", "a&b#c%20", "x/./y"]
)
def test_a_run_in_a_directory_of_any_name_is_found(serve: Serve, tmp_path: Path, name: str) -> None:
    logdir(tmp_path / name).execution("Add")
    server = serve(tmp_path).load()
    (found,) = server.answer("/runs")
    assert found == os.path.normpath(name)
    assert server.answer("/execution/digests", run=found)["num_digests"] == 1


def test_names_that_are_not_unicode_are_shown_and_found(serve: Serve, tmp_path: Path) -> None:
    latin1 = Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), "läuft".encode("latin-1"))))
    host = os.fsdecode("höst".encode("latin-1"))
    try:
        built = logdir(latin1, host="host").execution("Add", nan=1)
    except OSError:
        pytest.skip("this file system takes Unicode names only")
    for path in sorted(latin1.iterdir()):
        path.rename(latin1 / path.name.replace(".host.", f".{host}."))
    server = serve(tmp_path).load()
    (run,) = server.answer("/runs")
    assert run == "l\\xe4uft"
    assert server.answer("/runs")[run]["hosts"] == ["h\\xf6st"]
    assert server.answer("/alerts", run=run)["alerts"][0]["host_name"] == "h\\xf6st"
    assert any("l\\xe4uft" in d["path"] for d in server.answer("/logdir")["directories"])
    assert built.directory == latin1


def test_text_that_is_not_utf8_is_shown_as_far_as_it_is(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path)
    op_type = wire.message(1, b"L\xf6g\xff")
    built.raw_record("execution", wire.event(1.0, 9, op_type))
    (execution,) = serve(tmp_path).load().answer("/execution/data", run=".")["executions"]
    assert execution["op_type"] == "L�g�"


@pytest.mark.parametrize("time", [float("nan"), float("inf"), -float("inf"), 1e308, -1.0])
def test_times_that_are_no_times_leave_json_whole(
    serve: Serve, tmp_path: Path, time: float
) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log").trace("Log", nan=1).trace("Log", at=time)
    built.execution("Add", nan=1, at=time).execution("Add", nan=1)
    server = serve(tmp_path).load()
    for path in ("/alerts", "/execution/data", "/graph_execution/data", "/graph_execution/rows"):
        server.answer(path, run=".")
    server.answer("/execution/detail", run=".", index=0)
    server.answer("/graphs/op_info", run=".", graph_id="f-id", op_name="Log")
