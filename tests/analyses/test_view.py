from __future__ import annotations

import contextlib
import sys
import threading
from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.index.snapshot import Snapshot
from tests.analyses.program import Program
from tests.builders.logdir import logdir


def test_a_part_that_two_threads_ask_for_at_once_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Program(logdir(tmp_path).execution("Log", nan=1)).view
    both_there = threading.Barrier(2)
    made: list[AlertTable] = []

    def slow(snapshot: Snapshot) -> AlertTable:
        made.append(AlertTable(snapshot))
        with contextlib.suppress(threading.BrokenBarrierError):
            both_there.wait(0.2)
        return made[-1]

    monkeypatch.setattr("tb_debugger_plugin.analyses.view.AlertTable", slow)
    answers: list[AlertTable] = []
    threads = [threading.Thread(target=lambda: answers.append(shared.alerts)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert answers[0] is answers[1] is shared.alerts


def test_nobody_waits_for_a_part_that_another_thread_makes_of_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log").execution("Log", nan=1)
    shared = Program(built).view
    begun, go_on = threading.Event(), threading.Event()

    def slow(*_: object) -> object:
        begun.set()
        assert go_on.wait(60)
        return None

    monkeypatch.setattr("tb_debugger_plugin.analyses.view.Producers", slow)
    thread = threading.Thread(target=lambda: shared.producers)
    thread.start()
    assert begun.wait(60)
    assert len(shared.alerts) == 1
    assert shared.execution_facets.dtypes
    go_on.set()
    thread.join()


def test_a_selection_may_be_measured_while_it_is_made(tmp_path: Path) -> None:
    """Python refuses to go through a dict that grows meanwhile."""
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log").execution("Log")
    shared = Program(built).view
    stop = threading.Event()
    failures: list[BaseException] = []

    def measure() -> None:
        try:
            while not stop.is_set():
                for number in range(8):
                    _ = shared.select_traces(TraceFilter(text=str(number))).nbytes
                    _ = shared.select_executions(ExecutionFilter(text=str(number))).nbytes
        except BaseException as error:
            failures.append(error)

    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=measure) for _ in range(3)]
    for thread in threads:
        thread.start()
    for number in range(300):
        selected = shared.select_traces(TraceFilter(text=str(number % 8)))
        for name in ("rows", "folded_rows", "folding", "positions"):
            selected.__dict__.pop(name, None)
        _ = selected.rows, selected.folded_rows
    stop.set()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(switch)
    assert failures == []


def test_selections_are_kept_and_the_oldest_is_given_up(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log")
    shared = Program(built).view
    first = shared.select_traces(TraceFilter(text="log"))
    assert shared.select_traces(TraceFilter(text="log")) is first
    for number in range(8):
        shared.select_traces(TraceFilter(text=str(number)))
    again = shared.select_traces(TraceFilter(text="log"))
    assert again is not first
    assert again.rows.heading_rows.tolist() == first.rows.heading_rows.tolist() == [0]


def test_an_execution_knows_the_traces_of_its_call(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log")
    built.trace("log").execution("__inference_f_1", graph="f").execution("Add")
    built.trace("log").trace("log").execution("__inference_f_1", graph="f").trace("log")
    traces = Program(built).view.traces
    assert [traces.of_call(row).tolist() for row in range(3)] == [[0], [], [1, 2]]


def test_traces_are_counted_for_each_graph(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("").graph("f").op("Log", "log").trace("log").trace("log")
    program = Program(built)
    assert program.view.traces_per_graph[program.graph("f")] == 2
    assert program.view.traces_per_graph[program.graph("")] == 0


def test_what_is_kept_of_every_event_is_narrow(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log", nan=1).trace("log", at=1.0)
    view = Program(built.execution("__inference_f_1", graph="f")).view
    selected = view.select_traces(TraceFilter(text="log"))
    kept = [view.calls, selected.positions, selected.rows.heading_rows, selected.folding.last]
    kept += [view.producers.trace_positions(view.snapshot.traces.op[0])]
    assert {column.dtype.name for column in kept if column is not None} == {"int32"}
    assert selected.nbytes < 100
