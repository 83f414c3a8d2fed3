"""While files cannot be read, each route answers from what was read; then all is as before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.api.sample import sample
from tests.api.serving import Server, error_message, wait_until
from tests.api.test_http import PATHS, valid_query
from tests.builders.logdir import logdir
from tests.builders.tensors import Values
from tests.files.faulty import FaultyFiles, faulty

__all__ = ["faulty"]

Serve = Callable[[Path], Server]
FROM_FILES = "/source_files/file"
"""The one route that reads a file again, beside counts that fit no column."""


def all_answers(server: Server) -> dict[str, Any]:
    return {path: server.answer(path, **valid_query(path)) for path in PATHS}


def without_state(answers: dict[str, Any]) -> dict[str, Any]:
    """Answers about the run's events: not of how its files are."""
    of_files = {"/runs", "/logdir", "/problems", FROM_FILES}
    return {path: answer for path, answer in answers.items() if path not in of_files}


def status(server: Server) -> Any:
    return server.answer("/runs")["."]["status"]


def test_every_route_answers_all_the_while(
    faulty: FaultyFiles, serve: Serve, tmp_path: Path
) -> None:
    server = serve(sample(tmp_path).directory).load()
    before = all_answers(server)
    faulty.rate = 1.0
    faults = faulty.num_faults
    wait_until(lambda: status(server) == "damaged")
    assert faulty.num_faults > faults
    for path in PATHS:
        response = server.ask(path, **valid_query(path))
        assert response.status_code == (404 if path == FROM_FILES else 200), path
    answers: dict[str, Any] = {path: server.ask(path, **valid_query(path)).json for path in PATHS}
    assert without_state(answers) == without_state(before)
    assert {problem["kind"] for problem in answers["/problems"]["problems"]} >= {"unreadable_file"}
    faulty.rate = 0.0
    wait_until(lambda: status(server) == "live")
    assert without_state(all_answers(server)) == without_state(before)
    assert server.answer(FROM_FILES, run=".", index=0) == before[FROM_FILES]


def test_a_source_file_that_cannot_be_read_says_why(
    faulty: FaultyFiles, serve: Serve, tmp_path: Path
) -> None:
    built = sample(tmp_path)
    server = serve(built.directory).load()
    faulty.bad_from[str(built.path("source_files"))] = 0
    response = server.ask(FROM_FILES, run=".", index=0)
    assert response.status_code == 404
    assert "Input/output error" in error_message(response)


def test_counts_that_cannot_be_read_again_are_not_known(
    faulty: FaultyFiles, serve: Serve, tmp_path: Path
) -> None:
    built = logdir(tmp_path).execution("Log", values=[Values(size=1 << 40, nan=1 << 33)])
    server = serve(built.directory).load()
    assert server.answer("/alerts", run=".")["alerts"][0]["num_nan"] == 1 << 33
    faulty.bad_from[str(built.path("execution"))] = 0
    assert server.answer("/alerts", run=".")["alerts"][0]["num_nan"] is None
    faulty.bad_from.clear()
    assert server.answer("/alerts", run=".")["alerts"][0]["num_nan"] == 1 << 33


@pytest.mark.parametrize("seed", range(2))
def test_no_answer_is_a_failure_of_the_plugin(
    serve: Serve, tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = FaultyFiles(seed)
    monkeypatch.setattr("tb_debugger_plugin.files.choose.LOCAL", files)
    built = sample(tmp_path)
    server = serve(built.directory).load()
    files.rate = 0.4
    for _ in range(5):
        built.execution("Add", nan=1, values=[Values(size=1 << 40, nan=1 << 33)])
        for path in PATHS:
            assert server.ask(path, **valid_query(path)).status_code in (200, 404), path
