"""What the page shows of a logdir, by the routes that it asks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tb_debugger_plugin.runs.search import Root
from tests.api.serving import Server, checked, error_message, wait_until
from tests.api.test_http import RUN_PATHS, VALID

_MINUTES_AGO = 10.0


@dataclass(frozen=True)
class Shown:
    """A run as the panes show it.

    ``problems`` are kinds, in order. ``executions`` are op types and ``traces`` op names with
    their slots, both in time order. ``alerts`` are op types, "" where that is not on disk.
    """

    status: str = "complete"
    problems: list[str] = field(default_factory=list)
    executions: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    alerts: list[str] = field(default_factory=list)


def shown(*roots: Path | Root, is_running: bool = False) -> dict[str, Shown]:
    """All runs below directories, by name, as a page that is opened now shows them.

    Args:
      roots: Where TensorBoard was told to look.
      is_running: Whether programs were writing until now; if not, they ended long ago.
    """
    with serving(*roots, is_running=is_running) as server:
        return shown_by(server)


@contextmanager
def serving(*roots: Path | Root, is_running: bool = False) -> Iterator[Server]:
    """A server that has read all runs below directories."""
    if not is_running:
        for root in roots:
            end_programs(Path(root.path if isinstance(root, Root) else root))
    server = Server(*roots).load()
    yield server
    server.library.close()


def end_programs(directory: Path) -> None:
    """Lets all files below a directory be as old as if every program had ended long ago."""
    for folder, _, names in os.walk(directory):
        for name in names:
            path = Path(folder, name)
            if path.is_file():
                then = path.stat().st_mtime - 60 * _MINUTES_AGO
                os.utime(path, (then, then))


def shown_by(server: Server) -> dict[str, Shown]:
    """All runs that a server has found."""
    return {name: shown_run(server, name) for name in server.answer("/runs")}


def shown_run(server: Server, name: str) -> Shown:
    """One run, which all routes have to agree on."""
    server.read(name)
    run = server.answer("/runs")[name]
    problems = server.answer("/problems", run=name)
    digests = server.answer("/execution/digests", run=name)
    rows = server.answer("/graph_execution/rows", run=name)
    alerts = server.answer("/alerts", run=name)
    events = [row["graph_execution"] for row in rows["rows"] if row["graph_execution"]]
    seen = Shown(
        status=run["status"],
        problems=[problem["kind"] for problem in problems["problems"]],
        executions=[digest["op_type"] for digest in digests["execution_digests"]],
        traces=[f"{event['op_name']}:{event['output_slot']}" for event in events],
        alerts=[alert["op_type"] for alert in alerts["alerts"]],
    )
    assert run["num_problems"] == problems["num_problems"] == len(seen.problems)
    assert run["num_executions"] == digests["num_digests"] == len(seen.executions)
    assert run["num_graph_executions"] == rows["num_graph_executions"] == len(seen.traces)
    assert run["num_alerts"] == alerts["num_alerts"] == len(seen.alerts)
    assert run["num_graphs"] == server.answer("/graphs/list", run=name)["num_graphs"]
    assert run["num_source_files"] == len(server.answer("/source_files/list", run=name))
    _check_all_routes(server, name)
    return seen


def wait_until_shown(server: Server, name: str, expected: Shown) -> None:
    """Waits for a run that changes; between two states the routes need not agree."""
    try:
        wait_until(lambda: _is_shown(server, name, expected))
    except AssertionError:
        assert shown_run(server, name) == expected
        raise


def _is_shown(server: Server, name: str, expected: Shown) -> bool:
    runs = server.answer("/runs")
    if name not in runs or runs[name]["status"] in ("loading", "unread"):
        server.ask("/devices", run=name)
        return False
    counts = (runs[name]["num_executions"], runs[name]["num_graph_executions"])
    if counts != (len(expected.executions), len(expected.traces)):
        return False
    try:
        return shown_run(server, name) == expected
    except AssertionError:
        return False


def _check_all_routes(server: Server, name: str) -> None:
    """Each answers as it promises, or says in the known shape that there is no such thing."""
    for path in RUN_PATHS:
        query: dict[str, Any] = {"run": name, **VALID.get(path, {})}
        response = server.ask(path, **query)
        if response.status_code == 200:
            checked(path, response)
        else:
            assert response.status_code == 404, response.text
            error_message(response)
