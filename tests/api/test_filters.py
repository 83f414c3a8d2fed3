"""Filters as requests give them, and what answers say of them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.api.serving import Server
from tests.builders.logdir import CPU, LogdirBuilder, logdir
from tests.builders.tensors import FLOAT32, FLOAT64, Values

F = "__inference_f_1"
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"


def program(directory: Path) -> LogdirBuilder:
    """An eager op, a call of f whose loop makes three passes, and an eager op behind."""
    built = logdir(directory).device(CPU).device(GPU)
    built.graph("f").op("Exp", "exp").graph("body", outer="f").op("Mul", "mul").op("Log", "log")
    built.execution("RandomUniform", values=[Values(3)], at=100.0)
    built.in_graph("f").trace("exp", value=Values(2, zero=2), device=GPU, at=101.0)
    built.in_graph("body").trace("mul", at=102.0).trace("log", nan=1, at=103.0)
    built.trace("mul", at=104.0).trace("log", value=Values(1, dtype=FLOAT64), at=105.0)
    built.trace("mul", at=106.0).trace("log", nan=1, at=107.0)
    built.execution(F, graph="f", values=[Values(2, nan=1)], device_id=2, at=108.0)
    return built.execution("Relu", values=[Values(2, zero=2, dtype=FLOAT64)], at=109.0)


@pytest.fixture(scope="module")
def looping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    built = program(tmp_path_factory.mktemp("looping"))
    server = Server(built.directory).load()
    yield server
    server.library.close()


TRACES: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [0, 1, 2, 3, 4, 5, 6]),
    ({"text": "^(mul|exp):0$", "regex": 1}, [0, 1, 3, 5]),
    ({"text": "^(mul|exp):0$"}, []),
    ({"text": "^(mul|exp):0$", "regex": 0}, []),
    ({"text": "", "regex": 1}, [0, 1, 2, 3, 4, 5, 6]),
    ({"inf_nan": 1}, [2, 6]),
    ({"all_zero": 1}, [0]),
    ({"dtype": "float64"}, [4]),
    ({"dtype": "int32"}, []),
    ({"device": GPU}, [0]),
    ({"device": "/nowhere"}, []),
    ({"begin_time": "102.0", "end_time": "104"}, [1, 2]),
    ({"begin_time": 106, "end_time": 102}, []),
    ({"begin_time": 103, "text": "log", "inf_nan": 1, "device": CPU}, [2, 6]),
    ({"execution_index": 1, "text": "Mul"}, [1, 3, 5]),
    ({"execution_index": 2}, []),
]

EXECUTIONS: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [0, 1, 2]),
    ({"text": "R"}, [0, 1, 2]),
    ({"text": "^R", "regex": 1}, [0, 2]),
    ({"inf_nan": 1}, [1]),
    ({"all_zero": 1}, [2]),
    ({"dtype": "float64"}, [2]),
    ({"device": GPU}, [1]),
    ({"device": "/nowhere"}, []),
    ({"graph_id": "f-id"}, [1]),
    ({"begin_time": 108.0}, [1, 2]),
    ({"end_time": "108.0"}, [0]),
    ({"begin_time": 100, "text": "relu", "dtype": "float64", "all_zero": 1}, [2]),
]


@pytest.mark.parametrize(("wanted", "indices"), TRACES)
def test_traces_that_pass(looping: Server, wanted: dict[str, Any], indices: list[int]) -> None:
    for route, listed in (("digests", "graph_execution_digests"), ("data", "graph_executions")):
        answer = looping.answer(f"/graph_execution/{route}", run=".", **wanted)
        assert [trace["index"] for trace in answer[listed]] == indices
        assert answer["num_digests"] == len(indices)
    rows = looping.answer("/graph_execution/rows", run=".", **wanted)
    traces = [row["graph_execution"] for row in rows["rows"] if row["call"] is None]
    assert [trace["index"] for trace in traces] == indices
    assert rows["num_graph_executions"] == len(indices)


@pytest.mark.parametrize(("wanted", "indices"), TRACES)
@pytest.mark.parametrize("collapse", [0, 1])
def test_every_trace_that_passes_has_a_row(
    looping: Server, wanted: dict[str, Any], indices: list[int], collapse: int
) -> None:
    query = {"run": ".", "collapse": collapse, **wanted}
    rows = looping.answer("/graph_execution/rows", **query)["rows"]
    for index in range(7):
        place = looping.answer("/graph_execution/position", index=index, **query)
        assert place["num_rows"] == len(rows)
        following = [passed for passed in indices if passed >= index]
        if not following:
            assert (place["row"], place["nearest_row"]) == (None, None)
            continue
        assert place["row"] == (place["nearest_row"] if index in indices else None)
        row = rows[place["nearest_row"]]
        first = row["graph_execution"]["index"]
        last = row["passes"]["last_index"] if row["passes"] else first
        assert first <= following[0] <= last


@pytest.mark.parametrize(("wanted", "indices"), EXECUTIONS)
def test_executions_that_pass(looping: Server, wanted: dict[str, Any], indices: list[int]) -> None:
    digests = looping.answer("/execution/digests", run=".", **wanted)
    assert [digest["index"] for digest in digests["execution_digests"]] == indices
    assert digests["num_digests"] == len(indices)
    data = looping.answer("/execution/data", run=".", **wanted)
    assert [execution["index"] for execution in data["executions"]] == indices
    assert data["num_executions"] == len(indices)
    for index in range(3):
        place = looping.answer("/execution/position", run=".", index=index, **wanted)
        rows = [row for row, passed in enumerate(indices) if passed >= index]
        assert place["nearest_row"] == (rows[0] if rows else None)
        assert place["row"] == (indices.index(index) if index in indices else None)
        assert place["num_rows"] == len(indices)


def test_passes_of_a_loop_are_one_row(looping: Server) -> None:
    answer = looping.answer("/graph_execution/rows", run=".", collapse=1)
    assert (answer["num_rows"], answer["num_graph_executions"]) == (5, 7)
    heading, exp, body, mul, log = answer["rows"]
    assert heading["call"]["graph_name"] == "f"
    assert body["call"]["graph_name"] == "body"
    assert [row["passes"] for row in (heading, exp, body)] == [None, None, None]
    assert (exp["graph_execution"]["index"], mul["graph_execution"]["index"]) == (0, 1)
    assert mul["passes"] == {
        "num_passes": 3, "num_bad": 0, "first_bad_index": None, "last_index": 5,
    }  # fmt: skip
    assert log["graph_execution"]["index"] == 2
    assert log["passes"] == {"num_passes": 3, "num_bad": 2, "first_bad_index": 2, "last_index": 6}


def test_a_page_of_a_folded_list(looping: Server) -> None:
    whole = looping.answer("/graph_execution/rows", run=".", collapse=1)["rows"]
    for begin in range(6):
        for end in range(begin, 6):
            page = looping.answer(
                "/graph_execution/rows", run=".", collapse=1, begin=begin, end=end
            )
            assert page["rows"] == whole[begin:end]


def test_facets_of_traces(looping: Server) -> None:
    assert looping.answer("/graph_execution/facets", run=".") == {
        "dtypes": [
            {"name": "float32", "num_events": 6},
            {"name": "float64", "num_events": 1},
        ],
        "devices": [{"name": CPU, "num_events": 6}, {"name": GPU, "num_events": 1}],
        "graphs": [
            {"graph_id": "body-id", "graph_name": "body", "num_events": 6},
            {"graph_id": "f-id", "graph_name": "f", "num_events": 1},
        ],
    }


def test_facets_of_executions(looping: Server) -> None:
    assert looping.answer("/execution/facets", run=".") == {
        "dtypes": [
            {"name": "float32", "num_events": 2},
            {"name": "float64", "num_events": 1},
        ],
        "devices": [{"name": CPU, "num_events": 2}, {"name": GPU, "num_events": 1}],
        "graphs": [{"graph_id": "f-id", "graph_name": "f", "num_events": 1}],
    }


def test_the_most_frequent_thousand_are_listed(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log")
    for number in range(1001):
        built.trace("log", device=f"/device:{number}")
    server = Server(built.trace("log", device="/device:1000").directory).load()
    devices = server.answer("/graph_execution/facets", run=".")["devices"]
    server.library.close()
    assert len(devices) == 1000
    assert devices[0] == {"name": "/device:1000", "num_events": 2}


EVENT_ROUTES = (
    "/graph_execution/digests",
    "/graph_execution/data",
    "/graph_execution/rows",
    "/graph_execution/position",
    "/execution/digests",
    "/execution/data",
    "/execution/position",
)
each_route = pytest.mark.parametrize("path", EVENT_ROUTES)


def query_of(path: str) -> dict[str, Any]:
    return {"run": ".", "index": 0} if path.endswith("position") else {"run": "."}


@each_route
@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"dtype": "float33"}, "there is no dtype 'float33'"),
        ({"dtype": ""}, "there is no dtype ''"),
        ({"regex": 1, "text": "a(b"}, "as a regular expression: missing )"),
        ({"regex": 1, "text": "abc**"}, "bad repetition operator: '**', at character 4"),
        ({"regex": 1, "text": "(?:a{1000}){1000}"}, "invalid repetition size: '{1000}'"),
        ({"regex": 1, "text": "a{1000}{1000}"}, "bad repetition operator"),
        ({"regex": 1, "text": r"\pL{900}"}, "pattern too large"),
        ({"regex": 1, "text": "x" * 1001}, "'text'"),
        ({"regex": "yes", "text": "x"}, "'regex' must be 0 or 1"),
        ({"all_zero": "true"}, "'all_zero' must be 0 or 1"),
        ({"begin_time": "nan"}, "'begin_time' must be a finite number"),
        ({"end_time": "1e400"}, "'end_time' must be a finite number"),
        ({"end_time": "inf"}, "'end_time' must be a finite number"),
    ],
)
def test_filters_that_mean_nothing_are_told(
    looping: Server, path: str, wanted: dict[str, Any], message: str
) -> None:
    told = looping.refusal(path, 400, **query_of(path), **wanted)
    assert message in told
    assert len(told) < 250


@each_route
@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(" * 500 + ")" * 500, "(?:.*a){200}", "[^x]{0,1000}y", "(x*)*" * 100]
)
def test_expressions_that_stall_others_are_answered_at_once(
    looping: Server, path: str, pattern: str
) -> None:
    start = time.thread_time()
    looping.ask(path, **query_of(path), regex=1, text=pattern)
    assert time.thread_time() - start < 1.0


def test_a_graph_that_is_not_there_is_not_found(looping: Server) -> None:
    message = looping.refusal("/execution/digests", 404, run=".", graph_id="zz")
    assert "no graph with id 'zz'" in message


def test_long_names_meet_a_hostile_expression(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f")
    for number in range(20):
        built.op("Log", "a" * 50_000 + f"_{number}").trace("a" * 50_000 + f"_{number}")
    server = Server(built.directory).load()
    start = time.thread_time()
    answer = server.answer("/graph_execution/digests", run=".", regex=1, text="^(a+)+…")
    assert time.thread_time() - start < 2.0
    server.library.close()
    assert answer["num_digests"] == 20


@pytest.mark.parametrize("dtype", [FLOAT32, FLOAT64])
def test_a_reference_to_a_dtype_is_a_dtype_of_its_own(tmp_path: Path, dtype: int) -> None:
    built = logdir(tmp_path).graph("f").op("Variable", "v")
    built.trace("v", value=Values(1, dtype=dtype)).trace("v", value=Values(1, dtype=100 + dtype))
    server = Server(built.directory).load()
    name = {FLOAT32: "float32", FLOAT64: "float64"}[dtype]
    for asked, expected in ((name, [0]), (f"{name}_ref", [1])):
        answer = server.answer("/graph_execution/digests", run=".", dtype=asked)
        assert [digest["index"] for digest in answer["graph_execution_digests"]] == expected
    server.library.close()
