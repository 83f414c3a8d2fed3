"""What holds for every route: methods, headers, compression, the shape of errors."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tb_debugger_plugin.api.routes import ROUTES
from tb_debugger_plugin.response_headers import SECURITY
from tests.api.serving import Server, error_message

PATHS = [route.path for route in ROUTES]
RUN_PATHS = [path for path in PATHS if path not in ("/runs", "/logdir")]
each_path = pytest.mark.parametrize("path", PATHS)

VALID: dict[str, dict[str, Any]] = {
    "/alerts/around": {"execution_index": 0},
    "/execution/position": {"index": 0},
    "/execution/detail": {"index": 0},
    "/graph_execution/position": {"index": 0},
    "/graph_execution/inputs": {"index": 0},
    "/graphs/graph_info": {"graph_id": "loss_fn-id"},
    "/graphs/op_info": {"graph_id": "loss_fn-id", "op_name": "mul"},
    "/graphs/neighborhood": {"graph_id": "loss_fn-id", "op_name": "mul"},
    "/source_files/file": {"index": 0},
    "/source_files/annotations": {"index": 0},
    "/source_files/line": {"index": 0, "lineno": 3},
    "/stack_frames/stack_frames": {"stack_frame_ids": "f1"},
    "/stack_frames/stack_trace": {"execution_index": 0},
}
"""What a route of one run needs beside ``run``."""


def valid_query(path: str) -> dict[str, Any]:
    run = {"run": "."} if path in RUN_PATHS else {}
    return {**run, **VALID.get(path, {})}


@each_path
def test_every_route_answers_what_the_document_promises(served: Server, path: str) -> None:
    served.answer(path, **valid_query(path))


@each_path
def test_answers_are_not_cached_and_not_sniffed(served: Server, path: str) -> None:
    headers = served.ask(path, **valid_query(path)).headers
    assert headers["Content-Type"] == "application/json"
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; ")
    assert headers["Vary"] == "Accept-Encoding"


@each_path
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_only_reading_is_served(served: Server, path: str, method: str) -> None:
    response = served.request(path, method=method)
    assert response.status_code == 405
    assert response.headers["Allow"] == "GET, HEAD"
    assert method in error_message(response)


@pytest.mark.parametrize("options", [{"method": "POST"}, {"query": "run=nonsense"}])
def test_a_refusal_is_as_safe_as_an_answer(served: Server, options: dict[str, str]) -> None:
    refusal, answer = served.request("/alerts", **options), served.ask("/alerts", run=".")
    assert refusal.status_code >= 400
    for name in ("Content-Type", "Cache-Control", *SECURITY):
        assert refusal.headers[name] == answer.headers[name]


@each_path
def test_head_is_get_without_the_body(served: Server, path: str) -> None:
    got = served.ask(path, **valid_query(path))
    head = served.request(path, method="HEAD", query=query_of(got))
    assert head.status_code == got.status_code == 200
    assert head.data == b""
    assert head.headers == got.headers


def query_of(response: TestResponse) -> str:
    assert response.request is not None
    return str(response.request.environ["QUERY_STRING"])


def test_head_of_an_error_has_no_body_either(served: Server) -> None:
    response = served.request("/alerts", method="HEAD", query="run=nonsense")
    assert (response.status_code, response.data) == (404, b"")


def test_a_long_answer_is_compressed_for_those_who_take_it(served: Server) -> None:
    plain = served.request("/execution/data", query="run=.")
    packed = served.request(
        "/execution/data", query="run=.", headers={"Accept-Encoding": "gzip, br"}
    )
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)
    assert gzip.decompress(packed.data) == plain.data


@pytest.mark.parametrize("accepted", ["identity", "gzip;q=0", "br", ""])
def test_nobody_gets_gzip_who_does_not_take_it(served: Server, accepted: str) -> None:
    response = served.request(
        "/execution/data", query="run=.", headers={"Accept-Encoding": accepted}
    )
    assert "Content-Encoding" not in response.headers
    json.loads(response.data)


@pytest.mark.parametrize("path", RUN_PATHS)
def test_a_route_of_a_run_needs_one(served: Server, path: str) -> None:
    assert served.refusal(path, 400) == "parameter 'run' is not provided"


@pytest.mark.parametrize("path", RUN_PATHS)
@pytest.mark.parametrize("run", ["nonsense", "", "__default_debugger_run__", ".#ffff", "ü/.:_"])
def test_a_run_that_is_not_there_is_not_found(served: Server, path: str, run: str) -> None:
    message = served.refusal(path, 404, **{**valid_query(path), "run": run})
    assert repr(run) in message


@pytest.mark.parametrize("path", [path for path in VALID if path in RUN_PATHS])
def test_what_a_route_needs_is_named_where_it_is_missing(served: Server, path: str) -> None:
    for name in valid_query(path):
        query = {k: v for k, v in valid_query(path).items() if k != name}
        message = served.refusal(path, 400, **query)
        assert name in message


def test_a_parameter_given_twice_is_refused(served: Server) -> None:
    response = served.request("/execution/digests", query="run=.&begin=0&begin=1")
    assert response.status_code == 400
    assert "'begin' is given 2 times" in error_message(response)


def test_unknown_parameters_are_ignored(served: Server) -> None:
    known = served.answer("/execution/digests", run=".")
    assert served.answer("/execution/digests", run=".", trace_id="x", _="1") == known


@pytest.mark.parametrize("query", ["run=%FF", "run=%", "run=%00", "%", "&&&", "=", "run", "=&=run"])
def test_a_query_string_that_is_no_text_is_an_error_like_others(served: Server, query: str) -> None:
    response = served.request("/alerts", query=query)
    assert response.status_code in (400, 404)
    error_message(response)


def test_bytes_that_no_url_may_hold_are_an_error_like_others(served: Server) -> None:
    response = served.request("/alerts", environ_overrides={"QUERY_STRING": "run=\xff\xfe"})
    assert response.status_code in (400, 404)
    error_message(response)


def test_the_directory_and_run_id_always_name_a_run(served: Server) -> None:
    assert served.answer("/alerts", run=".#0123abcd") == served.answer("/alerts", run=".")


def test_a_fault_in_the_plugin_is_told_in_the_same_shape(
    served: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise RuntimeError("a surprise")

    monkeypatch.setattr(served.library, "runs", fail)
    message = served.refusal("/runs", 500)
    assert "a surprise" not in message
    assert "a surprise" in caplog.text
