"""Programs at random, whose threads run loops at once and whose records come late."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tb_debugger_plugin.analyses import passes, time_order
from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter
from tb_debugger_plugin.analyses.time_order import TimeOrder
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.tables import OpKey
from tests.analyses import naive
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values

NUM_PROGRAMS = 12
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"
VALUES = (Values(3), Values(3, nan=1), Values(2, zero=2), Values(0), Values(2, dtype=3))


def random_program(directory: Path, chance: random.Random) -> LogdirBuilder:
    """Two threads that call functions with loops, and traces of no call among theirs."""
    built = logdir(directory).device().device(GPU)
    for function in ("f", "g"):
        built.graph(f"outer_{function}").graph(function, outer=f"outer_{function}")
        built.op("While", "while").op("Split", "split", outputs=12)
        built.graph(f"{function}_body", outer=function).op("Mul", "mul").op("Log", "log")
    built.graph("alone").op("Log", "pipeline/Log")
    late = chance.random() < 0.5
    now = 100.0

    def later() -> float:
        nonlocal now
        now += 0.5
        # Some records are written long after they were made.
        return now - (chance.choice((0, 0, 3.25)) if late else 0)

    while built.size("graph_execution_traces") < 12_000:
        if chance.random() < 0.2:
            built.execution("Add", values=chance.choices(VALUES, k=chance.randrange(3)), at=later())
        functions = ["f", "g"] if chance.random() < 0.5 else [chance.choice("fg")]
        for _ in range(chance.randrange(20)):
            function = chance.choice(functions)
            graph = chance.choice((function, f"{function}_body", f"{function}_body", "alone"))
            ops = {function: ["split", "while"], "alone": ["pipeline/Log"]}.get(
                graph, ["mul", "log"]
            )
            built.in_graph(graph).trace(
                chance.choice(ops),
                slot=chance.choice((0, 1, 11)),
                value=chance.choice(VALUES),
                device=chance.choice(("/cpu", GPU)),
                at=later(),
            )
        for function in functions:
            name = f"__inference_{function}_1"
            output = [chance.choice(VALUES)]
            built.execution(
                name, graph=function, values=output, device_id=chance.choice((1, 2, 9)), at=later()
            )
    return built


@pytest.fixture(scope="module", params=range(NUM_PROGRAMS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    chance = random.Random(request.param)
    return Program(random_program(tmp_path_factory.mktemp("program"), chance))


@pytest.fixture(autouse=True, params=[7, 1 << 18], ids=["in small parts", "in one part"])
def parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_order, "_BLOCK", request.param)
    monkeypatch.setattr(passes, "_PART", request.param)


def view_of(program: Program) -> View:
    """A new view, which remembers nothing."""
    return View(program.snapshot)


def trace_filters(program: Program) -> list[TraceFilter]:
    times = sorted(program.snapshot.traces.wall_time.tolist())
    third, two_thirds = times[len(times) // 3], times[2 * len(times) // 3]
    return [
        TraceFilter(),
        TraceFilter(text="log"),
        TraceFilter(text="split:1"),
        TraceFilter(text="^split:1$", is_regex=True),
        TraceFilter(text="body|pipeline", is_regex=True),
        TraceFilter(values=ValueFilter(inf_nan=True)),
        TraceFilter(values=ValueFilter(all_zero=True)),
        TraceFilter(values=ValueFilter(dtype=3)),
        TraceFilter(values=ValueFilter(inf_nan=True, dtype=3)),
        TraceFilter(device=GPU),
        TraceFilter(device="/nowhere"),
        TraceFilter(graph=program.graph("f_body")),
        TraceFilter(op=OpKey(program.op("g", "split"))),
        TraceFilter(begin_time=third),
        TraceFilter(end_time=third),
        TraceFilter(begin_time=third, end_time=two_thirds),
        TraceFilter(begin_time=two_thirds, end_time=third),
        TraceFilter(begin_time=third, text="mul", values=ValueFilter(inf_nan=True)),
        *[TraceFilter(execution_row=row) for row in range(0, len(program.snapshot.executions), 3)],
    ]


def test_the_traces_that_pass_a_filter(program: Program) -> None:
    view = view_of(program)
    for wanted in trace_filters(program):
        positions = view.select_traces(wanted).positions
        listed = range(len(view.traces)) if positions is None else positions.tolist()
        assert list(listed) == naive.trace_positions(view, wanted), wanted


def test_the_list_under_headings(program: Program) -> None:
    view = view_of(program)
    for wanted in trace_filters(program):
        listed = view.select_traces(wanted).rows
        is_heading, positions = listed.slice(0, listed.num_rows)
        rows = list(zip(is_heading.tolist(), positions.tolist(), strict=True))
        assert rows == naive.under_headings(view, naive.trace_positions(view, wanted)), wanted


def test_the_folded_list(program: Program) -> None:
    view = view_of(program)
    for wanted in trace_filters(program):
        selected = view.select_traces(wanted)
        expected = naive.fold(view, naive.trace_positions(view, wanted))
        listed = selected.folded_rows
        is_heading, positions = listed.slice(0, listed.num_rows)
        rows = list(zip(is_heading.tolist(), positions.tolist(), strict=True))
        assert rows == naive.under_headings(view, list(expected)), wanted
        folded = {position: selected.folding.passes(position) for position in expected}
        assert folded == expected, wanted


def test_every_trace_is_found_at_its_first_pass(program: Program) -> None:
    view = view_of(program)
    selected = view.select_traces(TraceFilter(text="l"))
    positions = naive.trace_positions(view, TraceFilter(text="l"))
    rows, traces = naive.trace_rows_in_order(view), view.snapshot.traces
    first_of: dict[object, int] = {}
    for position in positions:
        row = rows[position]
        call = int(view.calls[row])
        tensor = (call, int(traces.op[row]), int(traces.output_slot[row]))
        expected = position if call < 0 else first_of.setdefault(tensor, position)
        assert selected.first_pass(position) == expected


def test_an_execution_knows_the_traces_of_its_call(program: Program) -> None:
    view = view_of(program)
    for row in range(len(program.snapshot.executions)):
        wanted = TraceFilter(execution_row=row)
        assert view.traces.of_call(row).tolist() == naive.trace_positions(view, wanted)


def test_the_executions_that_pass_a_filter(program: Program) -> None:
    view = view_of(program)
    times = sorted(program.snapshot.executions.wall_time.tolist())
    third, two_thirds = times[len(times) // 3], times[2 * len(times) // 3]
    for wanted in (
        ExecutionFilter(),
        ExecutionFilter(text="ADD"),
        ExecutionFilter(text="_[fg]_", is_regex=True),
        ExecutionFilter(values=ValueFilter(inf_nan=True)),
        ExecutionFilter(values=ValueFilter(all_zero=True)),
        ExecutionFilter(values=ValueFilter(dtype=3)),
        ExecutionFilter(values=ValueFilter(inf_nan=True, dtype=3)),
        ExecutionFilter(device=GPU),
        ExecutionFilter(device="/nowhere"),
        ExecutionFilter(graph=program.graph("f")),
        ExecutionFilter(begin_time=third),
        ExecutionFilter(begin_time=third, end_time=two_thirds, text="inference"),
        ExecutionFilter(begin_time=two_thirds, end_time=third),
    ):
        indices = view.select_executions(wanted).indices
        passed = range(len(times)) if indices is None else indices.tolist()
        assert list(passed) == naive.execution_indices(view, wanted), wanted


def test_alerts_are_those_of_all_events_by_time(program: Program) -> None:
    snapshot, table = program.snapshot, view_of(program).alerts
    traces, executions = snapshot.traces, snapshot.executions
    expected = [
        (float(traces.wall_time[row]), False, row, row)
        for row in range(len(traces))
        if traces.values.bad[row] == 1
    ]
    for row in range(len(executions)):
        values = range(int(executions.value_end[row]), int(executions.value_end[row + 1]))
        time = float(executions.wall_time[row])
        expected += [(time, True, row, v) for v in values if executions.values.bad[v] == 1]
    expected.sort()
    listed = [table[number] for number in range(len(table))]
    assert [(a.trace_row, a.execution_row, a.value_row) for a in listed] == [
        (None, row, value) if is_execution else (row, None, value)
        for _, is_execution, row, value in expected
    ]
    per_execution = [0] * len(executions)
    order = TimeOrder.of_executions(snapshot)
    for number, alert in enumerate(listed):
        if alert.execution_row is not None:
            index = order.index(alert.execution_row)
            assert number in table.around_execution(index)
            assert table.of_value(index, alert.value_row) == number
            per_execution[index] += 1
        else:
            assert alert.trace_row is not None
            index = TimeOrder.of_traces(snapshot).index(alert.trace_row)
            assert table.around_trace(index) == range(number, number + 1)
            assert table.of_traces(np.array([index])).tolist() == [number]
    assert table.per_execution(np.arange(len(executions))).tolist() == per_execution
    begins = np.array([0, 3, 3, 11, 12])
    assert table.executions_between(begins).tolist() == [
        sum(count > 0 for count in per_execution[begin:end])
        for begin, end in ((0, 3), (3, 3), (3, 11), (11, 12), (12, None))
    ]
