"""Programs whose graphs nobody would make: deep, round, and wide ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tb_debugger_plugin.events import limits
from tb_debugger_plugin.events.debug_modes import FULL_HEALTH
from tests.builders import wire
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values
from tests.hostile.bombs import GRAPH, OP_CREATION, TRACE, append, event, execution

BAD = Values(size=4, nan=1).tensor_proto(FULL_HEALTH, 1)

Web = Callable[[Path, int], LogdirBuilder]


def graph(graph_id: str, name: str = "", outer: str = "") -> bytes:
    return event(GRAPH, wire.text(1, graph_id), wire.text(2, name), wire.text(6, outer))


def op(
    op_type: str, name: str, graph_id: str, inputs: list[str] | None = None, outputs: int = 1
) -> bytes:
    fields = [wire.text(1, op_type), wire.text(2, name), wire.text(4, graph_id)]
    fields += [wire.texts(6, inputs or []), wire.integers(9, range(1, outputs + 1))]
    return event(OP_CREATION, *fields)


def trace(name: str, graph_id: str, slot: int = 0) -> bytes:
    place = wire.text(1, graph_id) + wire.text(2, name) + wire.integer(3, slot)
    return event(TRACE, place, wire.integer(4, FULL_HEALTH), wire.message(5, BAD))


def graphs_nested_in_one_another(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory)
    append(built, "graphs", (graph(f"g{i}", f"f{i}", f"g{i - 1}" if i else "") for i in range(n)))
    append(built, "graphs", (op("Log", "Log", f"g{i}") for i in range(n)))
    append(built, "graph_execution_traces", (trace("Log", f"g{n - 1 - i}") for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, f"__inference_f{n // 2}_7"))] * 9)


def graphs_around_one_another(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory)
    append(built, "graphs", (graph(f"g{i}", f"f{i}", f"g{(i + 1) % n}") for i in range(n)))
    append(built, "graphs", (op("Log", "Log", f"g{i}") for i in range(n)))
    append(built, "graph_execution_traces", (trace("Log", f"g{i}") for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, "__inference_f3_7"))] * 9)


def a_function_traced_anew_at_each_call(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).graph("")
    append(built, "graphs", (graph(f"g{i}", "f", "outermost-id") for i in range(n)))
    for i in range(n):
        append(
            built, "graphs", [op("Placeholder", "x", f"g{i}"), op("Log", "Log", f"g{i}", ["x:0"])]
        )
    append(built, "graph_execution_traces", (trace("Log", f"g{i}") for i in range(n)))
    call = execution(wire.text(1, "__inference_f_7"), wire.integers(4, [1]), wire.integers(5, [2]))
    return append(built, "execution", [call] * n)


def loops_beside_one_another(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).graph("").graph("f", outer="")
    append(built, "graphs", (op("While", f"while_{i}", "f-id", ["x:0"]) for i in range(n)))
    append(built, "graphs", (graph(f"b{i}", f"while_{i}_body_{i}", "f-id") for i in range(n)))
    append(built, "graphs", (op("Placeholder", "x", f"b{i}") for i in range(n)))
    append(built, "graphs", (op("Log", "Log", f"b{i}", ["x:0"]) for i in range(n)))
    append(built, "graph_execution_traces", (trace("Log", f"b{i}") for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, "f"), wire.text(3, "f-id"))] * 9)


def calls_beside_one_another(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).graph("").graph("f", outer="")
    append(built, "graphs", (graph(f"b{i}", f"g{i}", "f-id") for i in range(n)))
    append(
        built,
        "graphs",
        (op("Log", f"Log_{i}", "f-id", [f"PartitionedCall_{i}:0"]) for i in range(n)),
    )
    append(built, "graph_execution_traces", (trace(f"Log_{i}", "f-id") for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, "f"), wire.text(3, "f-id"))] * 9)


def identities_in_a_circle(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).graph("").graph("f", outer="")
    append(
        built, "graphs", (op("Identity", f"i{i}", "f-id", [f"i{(i + 1) % n}:0"]) for i in range(n))
    )
    append(built, "graph_execution_traces", (trace(f"i{i}", "f-id") for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, "f"), wire.text(3, "f-id"))] * 9)


def an_op_that_uses_itself(directory: Path, n: int) -> LogdirBuilder:
    n = min(n, limits.MOST_PARTS)
    built = logdir(directory).graph("").graph("f", outer="")
    append(built, "graphs", [op("Identity", "i", "f-id", [f"i:{i}" for i in range(n)], outputs=n)])
    append(built, "graph_execution_traces", (trace("i", "f-id", i) for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, "f"), wire.text(3, "f-id"))] * 9)


def every_op_feeds_every_other(directory: Path, n: int) -> LogdirBuilder:
    n = int(n**0.5) * 3
    built = logdir(directory).graph("").graph("f", outer="")
    names = [f"o{i}:{j}" for i in range(n) for j in range(1)]
    append(built, "graphs", (op("AddN", f"o{i}", "f-id", names, outputs=100) for i in range(n)))
    append(
        built,
        "graph_execution_traces",
        (trace(f"o{i}", "f-id", j) for i in range(n) for j in range(3)),
    )
    return append(built, "execution", [execution(wire.text(1, "f"), wire.text(3, "f-id"))] * 9)


def variables_that_are_read_split_and_updated(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).graph("").graph("f", outer="")
    kinds: tuple[tuple[str, str, list[str], int], ...] = (
        ("Placeholder", "handle", [], 1),
        ("ReadVariableOp", "read", ["handle"], 1),
        ("Split", "split", ["read"], 2),
        ("Mul", "mul", ["split"], 1),
        ("ResourceApplyGradientDescent", "update", ["handle", "mul"], 0),
    )
    for op_type, name, inputs, outputs in kinds:
        places = ([f"{given}{i}:0" for given in inputs] for i in range(n))
        ops = (op(op_type, f"{name}{i}", "f-id", at, outputs) for i, at in enumerate(places))
        append(built, "graphs", ops)
    for name in ("read", "split", "mul"):
        append(built, "graph_execution_traces", (trace(f"{name}{i}", "f-id") for i in range(n)))
    return append(built, "execution", [execution(wire.text(1, "f"), wire.text(3, "f-id"))] * 9)


def an_execution_of_all_tensors(directory: Path, n: int) -> LogdirBuilder:
    n = min(n, limits.MOST_PARTS)
    parts = [wire.integers(4, range(n)), wire.integers(5, range(n)), wire.integers(9, range(n))]
    built = logdir(directory)
    append(
        built,
        "graphs",
        (event(12, wire.text(1, f"/device:{i}"), wire.integer(2, i)) for i in range(n)),
    )
    return append(
        built, "execution", [execution(wire.text(1, "Op"), *parts, wire.message(7, b"") * n)] * 40
    )


WEBS: tuple[Web, ...] = (
    graphs_nested_in_one_another,
    graphs_around_one_another,
    a_function_traced_anew_at_each_call,
    loops_beside_one_another,
    calls_beside_one_another,
    identities_in_a_circle,
    an_op_that_uses_itself,
    every_op_feeds_every_other,
    variables_that_are_read_split_and_updated,
    an_execution_of_all_tensors,
)
