"""/alerts/patterns over HTTP."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tb_debugger_plugin.events import debug_modes
from tests.api.serving import Server
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values


def dead_relu(directory: Path) -> LogdirBuilder:
    """Five calls of ``step``, whose Relu of line 13 is dead."""
    built = logdir(directory).source("train.py")
    built.frame("f1", "train.py", line=13, function="step").frame("f2", "train.py", line=20)
    built.graph("").graph("step", outer="").op("Relu", "relu", stack=["f2", "f1"])
    for _ in range(5):
        built.trace("relu", value=Values(40, zero=40))
        built.execution("__inference_step_1", graph="step", stack=["f2"])
    return built


def test_a_pattern_names_its_op_its_line_and_its_last_event(tmp_path: Path) -> None:
    dead_relu(tmp_path)
    answer = Server(tmp_path).load().answer("/alerts/patterns", run=".")
    (alert,) = answer["alerts"]
    assert (alert["kind"], alert["op_type"], alert["op_name"]) == (
        "dead_activation",
        "Relu",
        "relu",
    )
    assert (alert["graph_name"], alert["output_slot"]) == ("step", 0)
    assert (alert["graph_execution_trace_index"], alert["execution_index"]) == (4, None)
    assert (alert["source"]["lineno"], alert["num_events"]) == (13, 5)
    assert (alert["versions"], alert["num_versions"]) == ([], 0)


def test_what_healthy_programs_show_too_is_listed_and_not_counted(tmp_path: Path) -> None:
    built = dead_relu(tmp_path).op("Relu", "healthy")
    for _ in range(5):
        built.trace("healthy", value=Values(40, zero=24)).execution("__inference_step_1")
    server = Server(tmp_path).load()
    answer = server.answer("/alerts/patterns", run=".")
    assert [(alert["op_name"], alert["is_usual"]) for alert in answer["alerts"]] == [
        ("relu", False),
        ("healthy", True),
    ]
    counts = {
        kind["kind"]: (kind["num_alerts"], kind["num_usual"], bool(kind["usual"]))
        for kind in answer["kinds"]
    }
    assert counts.pop("dead_activation") == (1, 1, True)
    assert set(counts.values()) == {(0, 0, False)}

    muted = server.answer("/alerts/patterns", run=".", mute="op:healthy")
    (kind,) = (each for each in muted["kinds"] if each["kind"] == "dead_activation")
    assert (len(muted["alerts"]), kind["num_alerts"], kind["num_usual"]) == (1, 1, 0)


def test_every_kind_is_listed_with_its_words_and_its_count(tmp_path: Path) -> None:
    dead_relu(tmp_path)
    answer = Server(tmp_path).load().answer("/alerts/patterns", run=".")
    assert {kind["kind"]: kind["num_alerts"] for kind in answer["kinds"] if kind["num_alerts"]} == {
        "dead_activation": 1
    }
    assert len(answer["kinds"]) == 8
    assert all(kind["docs"].startswith("docs/alert-kinds.md#") for kind in answer["kinds"])


def test_a_kind_that_the_debug_mode_cannot_show_says_which_ones_can(tmp_path: Path) -> None:
    logdir(tmp_path, mode=debug_modes.CONCISE_HEALTH).execution("Add")
    kinds = Server(tmp_path).load().answer("/alerts/patterns", run=".")["kinds"]
    needs = {kind["kind"]: kind["needs"] for kind in kinds}
    assert needs["retracing"] == []
    assert needs["dead_activation"] == ["FULL_HEALTH", "FULL_TENSOR"]
    assert needs["magnitude_growth"] == ["FULL_TENSOR"]


def test_a_retraced_function_tells_what_differed(tmp_path: Path) -> None:
    built = logdir(tmp_path, mode=5).source("train.py")
    built.frame("f1", "train.py", line=10, function="f").frame("f2", "train.py", line=20)
    built.graph("")
    for number in range(1, 4):
        built.graph("f", graph_id=f"f-{number}", outer="").op("Placeholder", "x", stack=["f2"])
        built.op("Mul", "mul", stack=["f2", "f1"])
        built.execution("Fill", outputs=[number], values=[Values(2 * number, shape=(2, number))])
        built.trace("mul").execution(
            f"__inference_f_{number}", graph=f"f-{number}", inputs=[number], stack=["f2"]
        )
    (alert,) = Server(tmp_path).load().answer("/alerts/patterns", run=".")["alerts"]
    assert (alert["kind"], alert["num_versions"]) == ("retracing", 3)
    assert alert["versions"][1] == {
        "graph_id": "f-2",
        "first_execution_index": 3,
        "num_calls": 1,
        "source": alert["source"],
        "arguments": [{"name": "x", "dtype": "float32", "rank": 2, "shape": [2, 2], "size": 4}],
    }
    assert (alert["source"]["lineno"], alert["execution_index"]) == (20, 5)


@pytest.mark.parametrize(
    "rule",
    [
        "op_type:Relu",
        "op:relu",
        "text:REL",
        "regex:^re",
        "function:step",
        "line:/home/dev/project/train.py:13",
    ],
)
def test_a_pattern_can_be_muted_like_any_alert(tmp_path: Path, rule: str) -> None:
    dead_relu(tmp_path)
    answer = Server(tmp_path).load().answer("/alerts/patterns", run=".", mute=rule)
    assert answer["alerts"] == []
    assert [kind["num_alerts"] for kind in answer["kinds"]] == [0] * 8


def test_rules_of_something_else_leave_it(tmp_path: Path) -> None:
    dead_relu(tmp_path)
    rule = "line:/home/dev/project/train.py:20"
    answer = Server(tmp_path).load().answer("/alerts/patterns", run=".", mute=rule)
    assert len(answer["alerts"]) == 1


def test_an_expression_that_is_none_is_refused(tmp_path: Path) -> None:
    dead_relu(tmp_path)
    message = Server(tmp_path).load().refusal("/alerts/patterns", 400, run=".", mute="regex:(")
    assert "regular expression" in message


def test_what_a_running_program_has_not_written_yet_is_not_called_unobserved(
    tmp_path: Path,
) -> None:
    built = dead_relu(tmp_path).graph("late", outer="").op("MatMul", "matmul")
    built.execution("__inference_late_2", graph="late")

    def kinds() -> list[str]:
        answer = Server(tmp_path).load().answer("/alerts/patterns", run=".")
        return [alert["kind"] for alert in answer["alerts"]]

    assert kinds() == ["dead_activation"]
    hour_ago = time.time() - 3600
    for path in tmp_path.iterdir():
        os.utime(path, (hour_ago, hour_ago))
    assert kinds() == ["dead_activation", "unobserved_function"]
