"""A small program as the debugger records it: what the tests of routes ask about."""

from __future__ import annotations

from pathlib import Path

from tests.builders.logdir import CPU, LogdirBuilder, logdir
from tests.builders.tensors import Values

LIBRARY = "/usr/lib/python3/dist-packages/tensorflow/python/eager/execute.py"
LOSS = "__inference_loss_fn_1"


def sample(directory: Path) -> LogdirBuilder:
    """Three executions before a call of ``loss_fn``, whose Log goes bad; one execution behind."""
    return (
        logdir(directory)
        .source("train.py", lines=["import tensorflow as tf", "", "loss = loss_fn(x)"])
        .source(LIBRARY, lines=["def execute():", "  pass"])
        .frame("f1", "train.py", line=3)
        .frame("f2", "train.py", line=2, function="loss_fn")
        .frame("f3", LIBRARY, line=2, function="execute")
        .device(CPU)
        .graph("")
        .graph("loss_fn", outer="")
        .op("Placeholder", "probs", stack=["f1", "f2", "f3"])
        .op("Log", "scope/Log", inputs=["probs:0"], stack=["f1", "f2", "f3"])
        .op("Mul", "mul", inputs=["scope/Log:0", "probs:0"], stack=["f1", "f2", "f3"])
        .op("Identity", "Identity", inputs=["mul:0"], stack=["f1", "f2", "f3"])
        .op("NoOp", "done", outputs=0)
        .execution("RandomUniform", outputs=[11], size=6, stack=["f1", "f3"])
        .execution("VarHandleOp", outputs=[12], values=[], stack=["f1", "f3"])
        .execution(
            "IteratorGetNext",
            inputs=[12],
            outputs=[13, 14, 15],
            values=[Values(4), Values(4, nan=1)],
            stack=["f1", "f3"],
        )
        .trace("scope/Log", size=6, neg_inf=2)
        .trace("mul", size=6, neg_inf=1, nan=1)
        .execution(LOSS, graph="loss_fn", inputs=[11], outputs=[16], size=6, neg_inf=1, nan=1)
        .execution("AssignVariableOp", inputs=[12, 16], outputs=[], values=[])
    )
