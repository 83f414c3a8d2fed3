"""Routes on runs that are empty, still loading, growing, damaged, or gone."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.runs.run import Run
from tests.api.sample import sample
from tests.api.serving import Server, checked, error_message, wait_until
from tests.api.test_http import PATHS, RUN_PATHS, valid_query
from tests.builders.logdir import logdir

Serve = Callable[[Path], Server]

EMPTY_LISTS = [
    "/alerts",
    "/alerts/roles",
    "/problems",
    "/gaps",
    "/root_causes",
    "/devices",
    "/execution/digests",
    "/execution/data",
    "/execution/overview",
    "/execution/facets",
    "/graph_execution/facets",
    "/graph_execution/digests",
    "/graph_execution/data",
    "/graph_execution/rows",
    "/graphs/list",
    "/source_files/list",
    "/source_files/summary",
]
"""Routes that need nothing to be recorded."""
KINDS = "/alerts/patterns"
"""The route that lists kinds of which there may be none."""


def check_all(server: Server) -> dict[str, int]:
    """Asks every route; each has to answer or to refuse in the known shape."""
    statuses = {}
    for path in PATHS:
        response = server.ask(path, **valid_query(path))
        statuses[path] = response.status_code
        if response.status_code == 200:
            checked(path, response)
        else:
            error_message(response)
    assert 500 not in statuses.values()
    return statuses


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    directory = tmp_path_factory.mktemp("empty")
    logdir(directory)
    server = Server(directory).load()
    yield server
    server.library.close()


@pytest.mark.parametrize("path", EMPTY_LISTS)
def test_lists_of_an_empty_run_are_empty(empty: Server, path: str) -> None:
    answer = empty.answer(path, run=".")
    lists = [answer] if isinstance(answer, list) else answer.values()
    assert not any(items for items in lists if isinstance(items, list))


@pytest.mark.parametrize("path", [p for p in RUN_PATHS if p not in (*EMPTY_LISTS, KINDS)])
def test_an_empty_run_has_no_item_at_all(empty: Server, path: str) -> None:
    empty.refusal(path, 404, **valid_query(path))


def test_an_empty_run_has_nothing_of_any_kind(empty: Server) -> None:
    answer = empty.answer(KINDS, run=".")
    assert answer["alerts"] == []
    assert {kind["num_alerts"] for kind in answer["kinds"]} == {0}


def test_an_empty_run_is_a_run(empty: Server) -> None:
    (run,) = empty.answer("/runs").values()
    assert (run["num_executions"], run["num_problems"], run["debug_modes"]) == (0, 0, [])
    assert run["start_time"]


def test_a_run_without_its_metadata_is_served(serve: Serve, tmp_path: Path) -> None:
    built = sample(tmp_path)
    built.path("metadata").write_bytes(b"")
    server = serve(tmp_path).load()
    (run,) = server.answer("/runs").values()
    assert (run["start_time"], run["tensorflow_version"], run["run_id"]) == (None, None, "")
    assert [p["kind"] for p in server.answer("/problems", run=".")["problems"]] == [
        "missing_metadata"
    ]
    assert set(check_all(server).values()) == {200}
    detail = server.answer("/execution/detail", run=".", index=0)
    assert detail["time_since_start"] is None


@pytest.mark.parametrize(
    "kind", ["source_files", "stack_frames", "graphs", "execution", "graph_execution_traces"]
)
def test_a_run_that_lost_any_one_file_is_served(serve: Serve, tmp_path: Path, kind: Any) -> None:
    sample(tmp_path).remove(kind)
    server = serve(tmp_path).load()
    check_all(server)
    (run,) = server.answer("/runs").values()
    assert (run["status"], run["num_problems"]) == ("damaged", 1)


def test_traces_whose_graphs_are_not_on_disk_are_listed(serve: Serve, tmp_path: Path) -> None:
    built = sample(tmp_path)
    built.path("graphs").write_bytes(b"")
    server = serve(tmp_path).load()
    log, _ = server.answer("/graph_execution/data", run=".")["graph_executions"]
    assert (log["op_type"], log["op_name"], log["graph_name"]) == ("", "scope/Log", None)
    alert = server.answer("/alerts", run=".")["alerts"][1]
    assert (alert["op_type"], alert["source"]) == ("", None)
    assert "not recorded" in server.refusal(
        "/graphs/graph_info", 404, run=".", graph_id="loss_fn-id"
    )
    node = server.answer("/graphs/neighborhood", **valid_query("/graphs/neighborhood"))["op"]
    assert (node["op_type"], node["argument"]) == (None, None)


class Gate:
    """Holds up the reading of a run behind its first piece."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached = threading.Event()
        self.open = threading.Event()
        read = Run.refresh_by_piece

        def read_to_the_gate(run: Run) -> Iterator[None]:
            for step in read(run):
                yield step
                self.reached.set()
                assert self.open.wait(60)

        monkeypatch.setattr(Run, "refresh_by_piece", read_to_the_gate)


def test_a_run_that_is_still_loading_answers_what_is_known(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    sample(tmp_path)
    server = serve(tmp_path)
    wait_until(lambda: "." in server.answer("/runs"))
    assert server.answer("/runs")["."]["status"] == "unread"
    server.answer("/runs", read=".")
    assert gate.reached.wait(60)
    (run,) = server.answer("/runs").values()
    assert (run["status"], run["num_executions"]) == ("loading", 0)
    assert 0 < run["bytes_indexed"] < run["bytes_total"]
    statuses = check_all(server)
    assert statuses["/execution/digests"] == 200
    assert statuses["/execution/detail"] == 404
    assert len(server.answer("/source_files/list", run=".")) == 2
    gate.open.set()
    server.load()
    (run,) = server.answer("/runs").values()
    assert (run["status"], run["num_executions"]) == ("live", 5)
    assert run["bytes_indexed"] == run["bytes_total"]


def test_before_the_first_search_nothing_is_found_yet(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample(tmp_path)
    server = serve(tmp_path)
    monkeypatch.setattr(server.library, "wake", lambda: None)
    assert server.answer("/runs") == {}
    assert server.answer("/logdir")["searching"]
    assert "/runs lists those" in server.refusal("/alerts", 404, run=".")


def test_a_run_that_grows_is_followed(serve: Serve, tmp_path: Path) -> None:
    built = sample(tmp_path)
    server = serve(tmp_path).load()
    built.graph("g", outer="").op("Log", "Log").trace("Log", nan=1).execution("Add", nan=1)
    wait_until(lambda: server.answer("/alerts", run=".")["num_alerts"] == 6)
    assert server.answer("/graphs/list", run=".")["num_graphs"] == 3
    assert set(check_all(server).values()) == {200}


def test_a_run_that_vanished_is_not_found(serve: Serve, tmp_path: Path) -> None:
    built = sample(tmp_path / "run")
    server = serve(tmp_path).load()
    shutil.rmtree(built.directory)
    wait_until(lambda: server.answer("/runs") == {})
    server.refusal("/execution/digests", 404, run="run")


def test_files_that_vanished_a_moment_ago_fail_as_not_found(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = sample(tmp_path)
    server = serve(tmp_path).load()
    server.library.close()  # Else it may notice that the run is gone.
    shutil.rmtree(built.directory)
    statuses = check_all(server)
    assert statuses.pop("/source_files/file") == 404
    assert set(statuses.values()) == {200}


def test_counts_that_have_to_be_read_again_are_unknown_once_the_file_is_gone(
    serve: Serve, tmp_path: Path
) -> None:
    built = logdir(tmp_path).execution("Log", size=2**40, nan=2**35)
    server = serve(tmp_path).load()
    (alert,) = server.answer("/alerts", run=".")["alerts"]
    assert (alert["size"], alert["num_nan"]) == (2**40, 2**35)
    (execution,) = server.answer("/execution/data", run=".")["executions"]
    assert execution["debug_tensor_values"][0][7] == 2.0**35
    server.library.close()  # Else it may notice that the run is gone.
    shutil.rmtree(built.directory)
    (alert,) = server.answer("/alerts", run=".")["alerts"]
    assert (alert["size"], alert["num_nan"]) == (2**40, None)
    (execution,) = server.answer("/execution/data", run=".")["executions"]
    assert execution["debug_tensor_values"] == [None]
