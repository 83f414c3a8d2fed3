"""The first cause of a real program is the line that bears the mark, and healthy ones have none."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tb_debugger_plugin import open_run
from tb_debugger_plugin.analyses.view import View
from tests.programs.expected import BESIDE, BUGS, HEALTHY, MODES, marked_line

pytestmark = pytest.mark.tensorflow

NUM_PROCESSES = 2
TWO_BUGS = "forward.first_of_two"
ROOT = Path(__file__).parents[2]

Reader = Callable[[str], View]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    """Opens the dump of a program; all of them have run."""
    folder = tmp_path_factory.mktemp("programs")
    tasks = [f"{name}={mode}" for name, mode in MODES.items()]
    command = [sys.executable, "-m", "tests.programs.recording", str(folder)]
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "2", "TF_NUM_INTRAOP_THREADS": "1"}
    processes = [
        subprocess.Popen(
            [*command, *tasks[number::NUM_PROCESSES]],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(NUM_PROCESSES)
    ]
    for process in processes:
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said[-4000:]
    return lambda name: open_run(str(folder / name), cache=False).view


def line(view: View, location: int) -> int | None:
    frame = view.code.innermost_user_frame(location)
    return None if frame is None else frame.lineno


@pytest.mark.parametrize("program", BUGS)
def test_the_first_cause_is_the_marked_line(read: Reader, program: str) -> None:
    view = read(program)
    cause = view.root_causes.listed[0]
    named = cause.location if cause.forward_location is None else cause.forward_location
    assert (cause.kind, line(view, named)) == (BUGS[program].kind, marked_line(program))
    assert BUGS[program].advice in cause.advice
    assert not cause.is_harmless


@pytest.mark.parametrize("program", BESIDE)
def test_what_is_meant_stands_behind_the_bug(read: Reader, program: str) -> None:
    view = read(program)
    first, *others = view.root_causes.listed
    told = (first.first.op_type, line(view, first.location), first.is_harmless)
    assert told == (BESIDE[program], marked_line(program), False)
    assert all(cause.is_harmless for cause in others)


@pytest.mark.parametrize("program", HEALTHY)
def test_a_healthy_program_has_harmless_causes_at_most(read: Reader, program: str) -> None:
    assert all(cause.is_harmless for cause in read(program).root_causes.listed)


@pytest.mark.parametrize("program", [name for name in BUGS if name != TWO_BUGS])
def test_one_bug_is_one_cause(read: Reader, program: str) -> None:
    causes = read(program).root_causes
    assert [cause.num_alerts for cause in causes.listed] == [causes.num_alerts]


def test_two_bugs_are_two_causes_the_first_in_time_first(read: Reader) -> None:
    causes = read(TWO_BUGS).root_causes.listed
    assert [cause.first.op_type for cause in causes] == ["Log", "RealDiv"]
    assert causes[0].num_alerts < causes[1].num_alerts
