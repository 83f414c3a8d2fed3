from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest

from tb_debugger_plugin.cli.main import main
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.file_sets import FILE_KINDS
from tests.analyses.observations.seen import whole_program
from tests.builders.logdir import logdir


def ended(directory: Path) -> None:
    """As if nothing was written for long: what is cut off is lost, not late."""
    for file in directory.iterdir():
        os.utime(file, (1.7e9, 1.7e9))


def test_alerts_name_the_line_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir(tmp_path).source("train.py", lines=["x = log(0)"]).frame(
        "f1", "train.py", line=1, function="loss_fn"
    ).graph("loss_fn").op("Log", "Log", stack=["f1"]).trace("Log", neg_inf=24, size=240)
    assert main(["alerts", str(tmp_path)]) == 0
    assert "#0  Log:0 in loss_fn  -inf x24 of 240  /home/dev/project/train.py:1 in loss_fn" in (
        capsys.readouterr().out
    )


def test_runs_lists_every_run_below_a_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir(tmp_path / "a").execution("Log", nan=1)
    logdir(tmp_path / "b" / "c").execution("Log")
    assert main(["runs", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "a  live  FULL_HEALTH  1 executions  0 graph executions  1 alerts" in out
    assert "b/c  live" in out


def test_a_directory_without_a_run_is_an_error_that_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["runs", str(tmp_path)]) == 2
    assert "expected files named tfdbg_events.*" in capsys.readouterr().err


def test_runs_says_of_each_problem_how_grave_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = logdir(tmp_path, mode=debug_modes.CURT_HEALTH).execution("Log", nan=1)
    built.append("execution", b"this is no record")
    ended(tmp_path)
    assert main(["runs", str(tmp_path)]) == 0
    _, damage, note = capsys.readouterr().out.splitlines()
    assert re.match(r"    loss: /.*\.execution: The file is damaged here", damage)
    assert note.startswith("    note: 1 event was recorded in CURT_HEALTH mode")


def test_several_runs_have_to_be_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir(tmp_path / "a").execution("Log", nan=1)
    logdir(tmp_path / "b").execution("Log")
    assert main(["alerts", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(": 'a', 'b'; name one with --run\n")
    ended(tmp_path / "b")
    assert main(["alerts", str(tmp_path), "--run", "b"]) == 0
    assert "no tensor with NaN or infinity was recorded" in capsys.readouterr().out


def test_causes_name_the_line_what_speaks_for_it_and_a_repair(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x = log(0)"])
    built.frame("f1", "train.py", line=1, function="loss_fn").graph("loss_fn")
    built.op("Log", "Log", stack=["f1"]).trace("Log", neg_inf=24, size=240)
    assert main(["causes", str(tmp_path)]) == 0
    heading, evidence, advice = capsys.readouterr().out.splitlines()[:3]
    assert heading == (
        "1. Log at /home/dev/project/train.py:1 in loss_fn (high confidence, explains 1 alert)"
    )
    assert evidence == "   Log Log:0 of loss_fn() made 24 −∞ among 240 elements."
    assert advice.startswith("   Keep zeros and negative values out of the logarithm")


def test_a_program_without_bad_values_has_no_cause(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir(tmp_path).execution("Log")
    ended(tmp_path)
    assert main(["causes", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no tensor with NaN or infinity was recorded\n"


@pytest.mark.parametrize("command", ["alerts", "causes"])
def test_a_program_that_may_still_write_is_not_given_a_clean_bill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    logdir(tmp_path).execution("Log")
    assert main([command, str(tmp_path)]) == 0
    assert capsys.readouterr().out == (
        "no tensor with NaN or infinity was recorded so far; the program may still be writing\n"
    )


def test_a_dump_without_events_is_not_called_free_of_nan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir(tmp_path).graph("f")
    ended(tmp_path)
    assert main(["causes", str(tmp_path)]) == 0
    found = capsys.readouterr().out.splitlines()[0]
    assert found == "no execution and no graph execution was recorded"


@pytest.mark.parametrize("command", ["alerts", "causes"])
def test_random_bytes_are_not_given_a_clean_bill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    built = logdir(tmp_path)
    for kind in FILE_KINDS:
        built.path(kind).write_bytes(random.Random(kind).randbytes(5000))
    ended(tmp_path)
    assert main([command, str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "no tensor with NaN or infinity was recorded" not in out
    assert "no tensor with NaN or infinity is in what could be read, which is not all" in out
    assert re.search(
        r"this may not be all: \d+ problems, the gravest first \(see `tbdbg runs`", out
    )
    assert out.count("    loss: ") == 3


@pytest.mark.parametrize("command", ["alerts", "causes"])
def test_what_is_damaged_is_told_behind_what_was_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    built = whole_program(logdir(tmp_path)).execution("Log", nan=1, stack=["top"])
    built.flip_bit("execution", built.record_offsets("execution")[2] + 20)
    ended(tmp_path)
    assert main([command, str(tmp_path)]) == 0
    found, *_, summary, problem = capsys.readouterr().out.splitlines()
    assert "Log" in found
    assert summary == "this may not be all: 1 problem (see `tbdbg runs`)"
    assert problem.startswith("    loss: ")


@pytest.mark.parametrize("command", ["alerts", "causes"])
def test_a_line_is_unknown_because_its_file_s_record_is_damaged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    built = logdir(tmp_path).source("train.py").source("layers.py")
    built.frame("f1", "train.py").frame("f2", "layers.py").execution(
        "Log", nan=1, stack=["f1", "f2"]
    )
    built.flip_bit("source_files", built.record_offsets("source_files")[1] + 20)
    main([command, str(tmp_path)])
    out = capsys.readouterr().out
    assert "train.py" not in out
    assert "unknown" in out.splitlines()[0]
    assert "(`.source_files` damaged or missing)" in out.splitlines()[0]


def test_a_mode_without_values_is_not_given_a_clean_bill(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logdir(tmp_path, mode=debug_modes.NO_TENSOR).execution("Log")
    main(["alerts", str(tmp_path)])
    assert "limit: 1 event was recorded in NO_TENSOR mode" in capsys.readouterr().out
