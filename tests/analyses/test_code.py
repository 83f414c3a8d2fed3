from __future__ import annotations

from pathlib import Path

import numpy as np

from tb_debugger_plugin.analyses.code import MOST_EVENTS_OF_A_LINE, Code, LineCount, UserFrame
from tb_debugger_plugin.index.tables import OpKey
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir

LIBRARY = "/v/lib/python3.11/site-packages/tensorflow/python/eager/execute.py"


def program(directory: Path) -> LogdirBuilder:
    return (
        logdir(directory)
        .source("train.py", lines=["..."] * 9)
        .source(LIBRARY)
        .source("model.py", lines=["..."] * 9)
        .frame("main", "train.py", line=9)
        .frame("model", "model.py", line=4, function="call")
        .frame("tf", LIBRARY, line=7, function="execute")
        .frame("lost file", 12, line=3, function="?")
    )


def innermost(built: LogdirBuilder, stack: list[str]) -> UserFrame | None:
    read = Program(built.execution("Add", stack=stack))
    location = int(read.snapshot.executions.location[-1])
    return read.view.code.innermost_user_frame(location)


def test_the_innermost_frame_outside_of_libraries_is_the_users(tmp_path: Path) -> None:
    built = program(tmp_path)
    assert innermost(built, ["main", "model", "tf"]) == UserFrame(2, 4, "call")
    assert innermost(built, ["main", "tf", "model"]) == UserFrame(2, 4, "call")
    assert innermost(built, ["main", "tf"]) == UserFrame(0, 9, "<module>")


def test_the_users_frame_may_be_one_further_inside_whose_file_is_not_known(tmp_path: Path) -> None:
    built = program(tmp_path)
    assert innermost(built, ["main", "lost file", "tf"]) is None
    assert innermost(built, ["lost file", "main", "tf"]) == UserFrame(0, 9, "<module>")


def test_the_users_frame_may_be_one_further_inside_that_is_damaged(tmp_path: Path) -> None:
    built = program(tmp_path)
    built.flip_bit("stack_frames", built.record_offsets("stack_frames")[1] + 20)
    assert innermost(built, ["main", "model", "tf"]) is None
    assert innermost(built, ["main", "tf"]) == UserFrame(0, 9, "<module>")


def test_frames_that_a_killed_program_left_unwritten_are_passed_over(tmp_path: Path) -> None:
    built = program(tmp_path)
    assert innermost(built, ["main", "unheard of"]) == UserFrame(0, 9, "<module>")


def test_where_no_frame_is_the_users_that_of_a_copy_by_autograph_is(tmp_path: Path) -> None:
    built = program(tmp_path).source("/tmp/__autograph_generated_file1x.py", lines=["..."] * 30)
    built.frame("copy", "/tmp/__autograph_generated_file1x.py", line=20, function="step")
    assert innermost(built, ["tf", "copy", "tf"]) == UserFrame(3, 20, "step")
    assert innermost(built, ["main", "tf", "copy", "tf"]) == UserFrame(0, 9, "<module>")


def test_a_stack_of_libraries_or_of_nothing_has_no_user_frame(tmp_path: Path) -> None:
    built = program(tmp_path)
    assert innermost(built, ["tf"]) is None
    assert innermost(built, ["lost file"]) is None
    assert innermost(built, []) is None
    assert Program(built).view.code.innermost_user_frame(-1) is None


def test_a_notebook_cell_is_the_users(tmp_path: Path) -> None:
    for number, path in enumerate(("/tmp/ipykernel_1/1.py", "<ipython-input-1-abc>")):
        built = logdir(tmp_path / str(number)).source(path).frame("cell", path, line=2)
        assert innermost(built, ["cell"]) == UserFrame(0, 2, "<module>")


def test_lines_count_what_they_made_and_what_went_bad(tmp_path: Path) -> None:
    built = program(tmp_path).graph("f").op("Log", "log", stack=["main", "model", "tf"])
    built.op("Mul", "mul", stack=["main", "model", "tf"]).op("Add", "add", stack=["main"])
    built.trace("log", nan=1).trace("log").trace("mul")
    built.execution("Exp", pos_inf=1, stack=["main", "tf"]).execution("Exp", stack=["main"])
    built.execution("Lost", nan=1)
    code = Program(built).view.code
    assert code.line_counts(0) == [LineCount(9, num_events=3, num_bad=1)]
    assert code.line_counts(1) == []
    assert code.line_counts(2) == [LineCount(4, num_events=2, num_bad=1)]
    assert code.line_counts(99) == []


def test_a_line_knows_its_events(tmp_path: Path) -> None:
    built = program(tmp_path).graph("f").op("Log", "log", stack=["main", "model"])
    built.op("Mul", "mul", stack=["model"]).op("Add", "add", stack=["main"])
    built.execution("Exp", stack=["main"]).execution("Sub", stack=["main", "model"])
    code = Program(built).view.code
    assert made_by(code, 2, 4) == ([0, 1], [1])
    assert made_by(code, 0, 9) == ([2], [0])
    assert made_by(code, 0, 1) == ([], [])


def made_by(code: Code, source: int, lineno: int) -> tuple[list[int], list[int]]:
    made = code.events_of_line(source, lineno)
    assert made.num_events == len(made.ops) + len(made.executions)
    return made.ops.tolist(), made.executions.tolist()


def test_of_a_line_that_made_much_what_went_bad_is_shown(tmp_path: Path) -> None:
    built = program(tmp_path)
    for number in range(MOST_EVENTS_OF_A_LINE + 50):
        built.execution("Exp", stack=["main"], nan=int(number % 100 == 99))
    made = Program(built).view.code.events_of_line(0, 9)
    assert made.num_events == MOST_EVENTS_OF_A_LINE + 50
    assert made.executions[:4].tolist() == [99, 199, 0, 1]
    assert len(made.executions) == MOST_EVENTS_OF_A_LINE


def test_an_op_without_a_creation_on_disk_may_have_gone_bad(tmp_path: Path) -> None:
    read = Program(program(tmp_path).graph("f").op("Log", "log").trace("lost", nan=1))
    assert read.view.code.bad_ops.tolist() == [False]


def test_the_first_bad_trace_of_an_op_is_shown_first(tmp_path: Path) -> None:
    built = program(tmp_path).graph("f").op("Log", "log").trace("log").trace("log", nan=1, at=9e9)
    read = Program(built.trace("log", nan=1).trace("log"))
    op, positions = OpKey(int(read.snapshot.traces.op[0])), np.arange(4, dtype=np.int32)
    assert read.view.code.telling_trace(op, positions) == 1
    assert read.view.code.telling_trace(op, positions[:0]) is None
    assert read.view.code.num_alerts_of_op[op] == 2


def test_the_first_trace_is_shown_of_an_op_that_stayed_finite(tmp_path: Path) -> None:
    read = Program(program(tmp_path).graph("f").op("Log", "log").trace("log").trace("log"))
    op, positions = OpKey(int(read.snapshot.traces.op[0])), np.arange(2, dtype=np.int32)
    assert read.view.code.telling_trace(op, positions) == 0
