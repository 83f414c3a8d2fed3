"""What the routes say of functions: their Python names, and what they return or save."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.api.serving import Server
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values

Serve = Callable[[Path], Server]


def _loss_and_its_gradient(directory: Path) -> LogdirBuilder:
    return (
        logdir(directory)
        .source("train.py", lines=["loss = loss_fn(x)"])
        .frame("f1", "train.py", line=1)
        .graph("loss_fn")
        .op("Placeholder", "probs", stack=["f1"])
        .op("Log", "Log", inputs=["probs:0"], stack=["f1"])
        .op("Identity", "Identity", inputs=["Log:0"], stack=["f1"])
        .graph("__backward_loss_fn_12")
        .op("Placeholder", "grads", stack=["f1"])
        .op("Neg", "Neg", inputs=["grads:0"], stack=["f1"])
        .trace("Neg", nan=1)
        .execution(
            "__forward_loss_fn_305",
            inputs=[1],
            values=[Values(1), Values(4, nan=1), Values(4)],
            stack=["f1"],
        )
        .execution("__inference___backward_loss_fn_261_306", nan=1, stack=["f1"])
        .execution("__forward_unseen_7", values=[Values(1), Values(1)], stack=["f1"])
        .execution("Log", nan=1, stack=["f1"])
    )


def test_a_forward_function_returns_its_results_and_saves_the_rest(
    serve: Serve, tmp_path: Path
) -> None:
    _loss_and_its_gradient(tmp_path)
    served = serve(tmp_path).load()
    counts = [
        served.answer("/execution/detail", run=".", index=index)["num_results"]
        for index in range(4)
    ]
    assert counts == [1, None, None, None]


def test_alerts_name_the_function_that_was_run_or_traced(serve: Serve, tmp_path: Path) -> None:
    _loss_and_its_gradient(tmp_path)
    alerts = serve(tmp_path).load().answer("/alerts", run=".")["alerts"]
    assert [(a["op_type"], a["function_name"], a["function_kind"]) for a in alerts] == [
        ("Neg", "loss_fn", "backward"),
        ("__forward_loss_fn_305", "loss_fn", "forward"),
        ("__inference___backward_loss_fn_261_306", "loss_fn", "backward"),
        ("Log", None, None),
    ]


def test_a_graph_that_serves_all_calls_has_a_name_and_no_kind(serve: Serve, tmp_path: Path) -> None:
    logdir(tmp_path).graph("loss_fn").op("Log", "Log").trace("Log", neg_inf=1)
    (alert,) = serve(tmp_path).load().answer("/alerts", run=".")["alerts"]
    assert (alert["function_name"], alert["function_kind"]) == ("loss_fn", None)
