"""What a built logdir shows, for tests that read like bug reports."""

from __future__ import annotations

from tb_debugger_plugin import open_run
from tb_debugger_plugin.analyses.observations.found import Observations
from tb_debugger_plugin.analyses.observations.observation import Observation, ObservationKind
from tests.builders.logdir import LogdirBuilder


def observations(built: LogdirBuilder) -> Observations:
    """Those of the one run of a logdir."""
    return open_run(built.directory, cache=False).view.observations


def seen(built: LogdirBuilder) -> list[Observation]:
    """All of them, in order."""
    found = observations(built)
    return [*found.standing, *found.passing]


def kinds(built: LogdirBuilder) -> list[ObservationKind]:
    """The kinds of all of them, in order."""
    return [observation.kind for observation in seen(built)]


def only(built: LogdirBuilder) -> Observation:
    """The one that there is."""
    (observation,) = seen(built)
    return observation


def whole_program(built: LogdirBuilder, num_calls: int = 3) -> LogdirBuilder:
    """Calls of ``f``, each followed by an eager op, of which everything is on disk."""
    built.source("train.py", lines=["f(x)", "x * y"])
    built.frame("top", "train.py").frame("in f", "train.py", line=2, function="f").device()
    built.graph("").graph("f", outer="")
    built.op("Placeholder", "x", stack=["top", "in f"])
    built.op("Sqrt", "Sqrt", inputs=["x:0"], stack=["top", "in f"])
    built.op("Mul", "mul", inputs=["Sqrt:0"], stack=["top", "in f"])
    built.frame("call", "train.py", line=1, function="call")
    for _ in range(num_calls):
        call(built)
    return built


def call(
    built: LogdirBuilder, *, ops: tuple[str, ...] = ("Sqrt", "mul"), executed: bool = True
) -> LogdirBuilder:
    """A call of ``f`` and the eager op behind it, or what is on disk of them."""
    for op in ops:
        built.trace(op)
    if executed:
        built.execution("__inference_f_1", graph="f", stack=["top", "call"])
        built.execution("Mul", stack=["top"])
    return built
