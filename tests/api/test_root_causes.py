"""/root_causes over HTTP."""

from __future__ import annotations

from pathlib import Path

from tests.api.serving import Server
from tests.builders.logdir import logdir


def test_a_cause_names_its_event_its_line_and_what_it_explains(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("f1", "train.py", line=34, function="loss")
    built.graph("").graph("loss", outer="").op("Log", "log", stack=["f1"])
    built.op("Mean", "mean", inputs=["log:0"]).trace("log", neg_inf=2).trace("mean", nan=1)
    built.execution("__inference_loss_1", graph="loss", nan=1)
    answer = Server(tmp_path).load().answer("/root_causes", run=".")
    (cause,) = answer["causes"]
    assert (cause["kind"], cause["op_type"], cause["op_name"]) == ("operation", "Log", "log")
    assert (cause["graph_execution_trace_index"], cause["execution_index"]) == (0, None)
    assert (cause["source"]["lineno"], cause["source"]["function"]) == (34, "loss")
    assert [link["alert_index"] for link in cause["chain"]] == [0, 1, 2]
    assert [link["execution_index"] for link in cause["chain"]] == [None, None, 0]
    assert [link["is_guess"] for link in cause["chain"]] == [False, False, True]
    assert (cause["call_number"], cause["called"]) == (1, "loss")
    assert (answer["num_causes"], answer["num_alerts"], answer["num_explained"]) == (1, 3, 3)
    assert answer["limits"] == []


def test_a_run_without_values_says_how_to_record_them(tmp_path: Path) -> None:
    logdir(tmp_path, mode=5).execution("Log")
    answer = Server(tmp_path).load().answer("/root_causes", run=".")
    assert answer["causes"] == []
    assert 'tensor_debug_mode="FULL_HEALTH"' in answer["limits"][0]
