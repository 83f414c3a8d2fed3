"""The parameter ``mute``, and what alerts are to others, over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.analyses import text_search
from tests.api.sample import LOSS
from tests.api.serving import Server
from tests.api.test_routes import only
from tests.builders.logdir import logdir
from tests.builders.tensors import Values


def test_muted_alerts_are_neither_listed_nor_counted(served: Server) -> None:
    answer = served.answer("/alerts", run=".", mute=["op_type:Log", "op:nothing"])
    fields = "begin end num_alerts alerts_breakdown num_muted num_muted_by"
    assert only(fields, answer) == [0, 3, 3, {"InfNanAlert": 3}, 1, [1, 0]]
    assert [only("index op_type", alert) for alert in answer["alerts"]] == [
        [0, "IteratorGetNext"], [2, "Mul"], [3, LOSS],
    ]  # fmt: skip


def test_a_page_of_what_is_left_counts_what_is_left(served: Server) -> None:
    answer = served.answer("/alerts", run=".", begin=1, end=2, mute="op_type:Log")
    assert [alert["index"] for alert in answer["alerts"]] == [2]
    served.refusal("/alerts", 400, run=".", end=4, mute="op_type:Log")


def test_when_all_are_muted_there_are_none(served: Server) -> None:
    answer = served.answer("/alerts", run=".", mute="regex:.")
    assert only("num_alerts alerts_breakdown num_muted alerts", answer) == [0, {}, 4, []]


@pytest.mark.parametrize(
    ("event", "around"),
    [
        ({"execution_index": 2}, [None, 0, 1]),
        ({"graph_execution_trace_index": 0}, [0, None, 1]),
        ({"graph_execution_trace_index": 1}, [0, 1, 2]),
        ({"alert_index": 1}, [0, None, 1]),
        ({"alert_index": 3}, [1, 2, None]),
    ],
)
def test_the_alerts_around_an_event_are_those_that_are_left(
    served: Server, event: dict[str, int], around: list[int | None]
) -> None:
    answer = served.answer("/alerts/around", run=".", mute="op_type:Log", **event)
    assert only("previous at next num_alerts", answer) == [*around, 3]


def test_there_is_nothing_around_an_alert_that_is_not_there(served: Server) -> None:
    served.refusal("/alerts/around", 404, run=".", alert_index=4)
    served.refusal("/alerts/around", 400, run=".", alert_index=0, execution_index=2)


def test_muted_causes_are_counted_apart(served: Server) -> None:
    fields = "num_causes num_muted_causes num_alerts num_muted num_explained"
    before = served.answer("/root_causes", run=".")
    answer = served.answer("/root_causes", run=".", mute="op_type:IteratorGetNext")
    assert only(fields, before) == [2, 0, 4, 0, 4]
    assert only(fields, answer) == [1, 1, 3, 1, 3]


def test_the_timeline_counts_no_muted_alert(served: Server) -> None:
    answer = served.answer("/execution/overview", run=".", mute="op_type:IteratorGetNext")
    assert answer["num_alerts"] == [0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    "rule",
    ["", "Log", "Log:", "op:", "name:x", "OP:x", " op:x", "line:a.py", "line:a.py:0", "line::3",
     "line:a.py:-1", "line:a.py:1234567890", "op:x\n", "op:\nx", "op:" + "x" * 2000],
)  # fmt: skip
def test_what_is_no_rule_is_refused(served: Server, rule: str) -> None:
    for route in ("/alerts", "/root_causes", "/execution/overview", "/alerts/roles"):
        assert "parameter 'mute" in served.refusal(route, 400, run=".", mute=rule)


def test_rules_are_bounded_in_number(served: Server) -> None:
    served.answer("/alerts", run=".", mute=["op:x"] * 32)
    assert "parameter 'mute'" in served.refusal("/alerts", 400, run=".", mute=["op:x"] * 33)


def test_a_rule_that_is_no_expression_says_what_is_wrong_with_it(served: Server) -> None:
    message = served.refusal("/alerts", 400, run=".", mute=["regex:fine", "regex:a(b"])
    assert message == (
        "parameter 'mute': 'regex:a(b' cannot be used as a regular expression: missing )"
    )
    message = served.refusal("/alerts", 400, run=".", mute="regex:ab**")
    assert message == (
        "parameter 'mute': 'regex:ab**' cannot be used as a regular expression: "
        "bad repetition operator: '**'"
    )


@pytest.mark.parametrize("route", ["/alerts", "/alerts/patterns"])
def test_of_several_rules_the_one_that_takes_too_long_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, route: str
) -> None:
    built = logdir(tmp_path).graph("").graph("f", outer="").op("Relu", "relu").op("Log", "log")
    for _ in range(5):
        built.trace("relu", value=Values(10, zero=10)).trace("log", nan=1)
        built.execution("__inference_f_1", graph="f")
    server = Server(tmp_path).load()
    monkeypatch.setattr(text_search, "_MOST_SECONDS", -1.0)
    message = server.refusal(route, 400, run=".", mute=["text:no", "op:x", "regex:(.{1,30}a){10}"])
    assert message == (
        "parameter 'mute': 'regex:(.{1,30}a){10}' cannot be used as a regular expression: "
        "it takes too long on the names of this run"
    )
    server.library.close()


def roles(server: Server, **asked: Any) -> list[list[Any]]:
    answer = server.answer("/alerts/roles", run=".", **asked)
    fields = "execution_index graph_execution_trace_index alert_index role is_muted"
    return [only(fields, role) for role in answer["roles"]]


def test_roles_are_those_of_the_events_that_have_an_alert(served: Server) -> None:
    asked = {"execution_indices": "0,2,3", "graph_execution_trace_indices": "1,0"}
    assert roles(served, **asked) == [
        [2, None, 0, "cause", False],
        [3, None, 3, "propagated", False],
        [None, 1, 2, "propagated", False],
        [None, 0, 1, "cause", False],
    ]


def test_a_role_leads_one_step_back(served: Server) -> None:
    (role,) = served.answer("/alerts/roles", run=".", execution_indices=3)["roles"]
    assert only("alert_index op_type op_name graph_execution_trace_index", role["parent"]) == [
        2, "Mul", "mul", 1,
    ]  # fmt: skip


def test_a_muted_event_has_its_role_still(served: Server) -> None:
    asked = {"graph_execution_trace_indices": "0,1", "mute": "op_type:Log"}
    assert [role[-2:] for role in roles(served, **asked)] == [
        ["cause", True],
        ["propagated", False],
    ]


def test_no_event_has_no_role(served: Server) -> None:
    assert roles(served) == roles(served, execution_indices="0") == []


@pytest.mark.parametrize("indices", ["-1", "1,", ",", "a", "1 ", "1\n", "1;2", "1" * 19])
def test_what_are_no_indices_is_refused(served: Server, indices: str) -> None:
    message = served.refusal("/alerts/roles", 400, run=".", execution_indices=indices)
    assert "parameter 'execution_indices'" in message


def test_the_roles_asked_for_are_bounded(served: Server) -> None:
    served.refusal("/alerts/roles", 404, run=".", execution_indices="5")
    served.refusal("/alerts/roles", 400, run=".", execution_indices=",".join(["0"] * 1001))


def test_what_came_up_in_a_run_without_alerts_is_nothing(tmp_path: Path) -> None:
    logdir(tmp_path).execution("Add")
    server = Server(tmp_path).load()
    assert roles(server, execution_indices="0", mute="op_type:Add") == []
    server.library.close()
