from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.logdirs import TimedRecords, prolong_program
from benchmarks.programs import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.index.reading import problem_kinds, read, traced_ops


def two_steps(directory: Path) -> LogdirBuilder:
    built = logdir(directory).source("train.py", ["f()"]).frame("f1", "train.py")
    built.device().graph("f").op("Log", "Log", stack=["f1"]).op("Mul", "Mul", stack=["f1"])
    for _ in range(2):
        built.trace("Log", nan=1).trace("Mul")
        built.execution("__inference_f_1", graph="f", stack=["f1"])
    return built


def test_a_prolonged_program_goes_on_in_time(tmp_path: Path) -> None:
    two_steps(tmp_path / "short")
    prolong_program(tmp_path / "short", tmp_path / "long", times=3)
    snapshot = read(tmp_path / "long")
    assert problem_kinds(snapshot) == []
    assert traced_ops(snapshot) == ["Log", "Mul"] * 6
    assert len(snapshot.executions) == 6
    every_time = np.concatenate((snapshot.executions.wall_time, snapshot.traces.wall_time))
    assert len(np.unique(every_time)) == 18
    assert (np.diff(snapshot.traces.wall_time) > 0).all()


def test_only_what_goes_on_is_repeated(tmp_path: Path) -> None:
    two_steps(tmp_path / "short")
    prolong_program(tmp_path / "short", tmp_path / "long", 3, ("execution",))
    snapshot = read(tmp_path / "long")
    assert (len(snapshot.executions), len(snapshot.traces)) == (6, 4)


def test_a_record_that_is_cut_off_is_not_repeated(tmp_path: Path) -> None:
    built = two_steps(tmp_path / "short").truncate("execution", 1)
    assert len(TimedRecords(built.path("execution").read_bytes())) == 1


def test_a_program_repeats_itself_until_it_is_long_enough(tmp_path: Path) -> None:
    built = two_steps(tmp_path / "short")
    program = Program("steps", tmp_path / "short")
    assert [program.times_for_events(n) for n in (1, 6, 7)] == [1, 1, 2]
    size = built.size("execution") + built.size("graph_execution_traces")
    assert [program.times_for_bytes(n) for n in (size, size + 1)] == [1, 2]
