"""What docs/openapi.json allows is answered as it says, and what it does not allow is refused.

Schemathesis makes the requests from the document, of which some parameters are narrowed to what
the run has: else nearly all of them would ask for a run that is not there.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import (
    content_type_conformance,
    negative_data_rejection,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)
from werkzeug.wrappers import Response

from tb_debugger_plugin.api.routes import ROUTES
from tests.api.sample import sample
from tests.api.serving import Server
from tests.builders.logdir import CPU, logdir
from tests.corpus.logdirs import absence, unpacked_corpus

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

DOCUMENT = json.loads(
    (Path(__file__).resolve().parents[2] / "docs" / "openapi.json").read_text(encoding="utf-8")
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
    unsupported_method,
]
NO_SCHEMA_SAYS = re.compile(
    "out of bounds|is less than begin|regular expression|one of these|there is no dtype"
    "|line break|more than 1000 events|needs 'graph_id'|give 'execution_index'"
)
"""Why a request is refused although each of its parameters is as the document says."""
BOUNDED = settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def whole_program(directory: Path) -> Path:
    sample(directory)
    return directory


def damaged_program(directory: Path) -> Path:
    built = sample(directory)
    built.flip_bit("execution", built.record_offsets("execution")[1] + 20)
    built.insert("graphs", built.record_offsets("graphs")[4], b"\xff" * 100)
    built.truncate("graph_execution_traces", 5).remove("stack_frames")
    return directory


def two_hosts(directory: Path) -> Path:
    first = logdir(directory, host="a").execution("Add", nan=1)
    first.add_host("b").device().graph("g").op("Log", "Log").trace("Log", nan=1)
    return directory


def corpus_case(name: str) -> Callable[[Path], Path]:
    def copied(directory: Path) -> Path:
        reason = absence()
        if reason:
            pytest.skip(reason)
        shutil.copytree(unpacked_corpus() / name, directory, dirs_exist_ok=True)
        return directory

    return copied


LOGDIRS: dict[str, Callable[[Path], Path]] = {
    "a program": whole_program,
    "a damaged one": damaged_program,
    "two hosts": two_hosts,
    "nothing": lambda directory: directory,
    "a real one": corpus_case("mlp_log0_FULL_HEALTH"),
    "TensorFlow 1": corpus_case("tf1_session"),
}


@pytest.fixture(scope="module", params=LOGDIRS)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    started = Server(LOGDIRS[request.param](tmp_path_factory.mktemp("logdir"))).load()
    yield started
    started.library.close()


def operation_of(server: Server, path: str, known: dict[str, list[str]], most: int) -> Any:
    """A route for requests to a server.

    Args:
      server: Who answers.
      path: The route's.
      known: The texts to ask with, by parameter; any texts for others.
      most: The largest integer to ask with.
    """
    document = without_tuples(DOCUMENT)
    document["paths"] = {path: document["paths"][path]}
    for parameter in document["paths"][path]["get"]["parameters"]:
        schema = parameter["schema"]
        if known.get(parameter["name"]):
            schema["enum"] = known[parameter["name"]]
        elif "maximum" in schema:
            schema["maximum"] = min(schema["maximum"], most)
            schema["minimum"] = max(schema["minimum"], -most)
    narrowed = schemathesis.openapi.from_dict(document)
    narrowed.app = wsgi_app(server)
    return narrowed[path]["GET"]


def without_tuples(data: Any) -> Any:
    """A copy of the document in which a tuple is a list: Schemathesis 4.32 misreads tuples."""
    if isinstance(data, list):
        return [without_tuples(item) for item in data]
    if not isinstance(data, dict):
        return data
    copied = {key: without_tuples(value) for key, value in data.items() if key != "prefixItems"}
    if "prefixItems" in data:
        copied["items"] = {"anyOf": data["prefixItems"]}
    return copied


def names_in(server: Server) -> dict[str, list[str]]:
    """A few names that a server's runs have, by parameter."""
    known: dict[str, list[str]] = {"run": [], "graph_id": [], "op_name": [], "stack_frame_ids": []}
    for name, run in server.library.runs().items():
        snapshot = run.snapshot
        frames = list(snapshot.frames)[:4]
        known["run"].append(name)
        known["graph_id"] += snapshot.names.graph_ids.values[:4]
        known["op_name"] += [op for _, op in snapshot.names.op_refs.values[:8]]
        known["stack_frame_ids"] += [*frames, ",".join(frames)]
    return {name: sorted({*filter(None, values)}) for name, values in known.items()}


FILTERS = {
    "dtype": ["float32", "int64", "float33"],
    "device": [CPU, "/nowhere"],
    "text": ["log", ":0", "^Log", "(", "a{1000}{1000}", "\0", ""],
}


def wsgi_app(server: Server) -> Any:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        found = server.apps.get(environ["PATH_INFO"], Response(status=404))
        return found(environ, start_response)

    return app


def answer_to(case: Case[Any]) -> Any:
    """The answer, after a check that it is as the document says."""
    response = case.call(headers={"Accept-Encoding": "identity"})
    case.validate_response(response, checks=CHECKS)
    return response


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_what_the_document_allows_is_answered_as_it_says(server: Server, path: str) -> None:
    operation = operation_of(server, path, {**names_in(server), **FILTERS}, most=20)

    @seed(20261129)
    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=GenerationMode.POSITIVE))
    def check(case: Case[Any]) -> None:
        response = answer_to(case)
        if response.status_code == 400:
            assert NO_SCHEMA_SAYS.search(response.json()["error"]["message"])

    check()


PATH_OF_REQUEST = {
    route.request: route.path for route in ROUTES if msgspec.structs.fields(route.request)
}


@pytest.mark.parametrize("path", PATH_OF_REQUEST.values())
def test_what_the_document_does_not_allow_is_refused(served: Server, path: str) -> None:
    operation = operation_of(served, path, names_in(served), most=10**18 - 1)

    @seed(20261129)
    @BOUNDED
    @given(case=operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
    def check(case: Case[Any]) -> None:
        answer_to(case)

    check()
