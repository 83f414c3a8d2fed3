from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tb_debugger_plugin.files.local import PIECE_BYTES
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.index.run_index import RunIndex
from tests.builders.logdir import logdir
from tests.index.reading import index_of, op_types, problem_kinds, read


def test_a_damaged_record_is_a_problem_with_its_place(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log").execution("Exp")
    _, second, third, _ = built.record_offsets("execution")
    built.flip_bit("execution", second + 20)
    snapshot = read(tmp_path)
    assert op_types(snapshot) == ["Mul", "Exp"]
    (problem,) = snapshot.problems
    assert (problem.kind, problem.file) == ("bad_payload", str(built.path("execution")))
    assert (problem.offset, problem.num_bytes) == (second, third - second)
    assert (problem.num_records, problem.is_loss) == (1, True)


def test_a_record_that_cannot_be_decoded_is_a_problem(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul")
    offset = built.size("execution")
    built.raw_record("execution", b"\x0b").execution("Exp")
    snapshot = read(tmp_path)
    assert op_types(snapshot) == ["Mul", "Exp"]
    (problem,) = snapshot.problems
    assert (problem.kind, problem.offset, problem.num_bytes) == ("undecodable", offset, 17)


def test_damage_longer_than_a_piece_is_one_problem(tmp_path: Path) -> None:
    garbage = np.random.default_rng(0).bytes(3 * PIECE_BYTES)
    built = logdir(tmp_path).execution("Mul")
    offset = built.size("execution")
    built.append("execution", garbage).execution("Exp")
    snapshot = read(tmp_path)
    assert op_types(snapshot) == ["Mul", "Exp"]
    (problem,) = snapshot.problems
    assert (problem.kind, problem.offset, problem.num_bytes, problem.num_records) == (
        "bad_length",
        offset,
        len(garbage),
        None,
    )


def test_damage_that_goes_on_while_other_files_are_damaged_too_is_one_problem_a_file(
    tmp_path: Path,
) -> None:
    kinds: tuple[FileKind, ...] = ("execution", "graph_execution_traces")
    built = logdir(tmp_path).execution("Mul").graph("f").trace("Log")
    starts = [built.size(kind) for kind in kinds]
    index = index_of(tmp_path)
    for _ in range(5):
        for kind in kinds:
            built.append(kind, b"garbage" * 30)
        index.refresh()
    built.execution("Exp").trace("Exp")
    index.refresh()
    assert op_types(index.snapshot) == ["Mul", "Exp"]
    problems = index.snapshot.problems
    assert [problem.kind for problem in problems] == ["bad_length"] * 2
    assert [problem.offset for problem in problems] == starts
    assert [problem.num_bytes for problem in problems] == [5 * 7 * 30] * 2


def test_damage_at_the_end_of_a_file_is_one_problem_that_reaches_the_end(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log")
    offset = built.record_offsets("execution")[1]
    built.flip_bit("execution", offset)
    (problem,) = read(tmp_path).problems
    assert (problem.kind, problem.offset) == ("bad_length", offset)
    assert problem.num_bytes == built.size("execution") - offset


def test_a_cut_record_is_a_problem_until_the_file_grows(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log")
    offset = built.record_offsets("execution")[1]
    rest = built.path("execution").read_bytes()[-10:]
    built.truncate("execution", 10)
    index = index_of(tmp_path)
    index.refresh()
    (problem,) = index.snapshot.problems
    assert (problem.kind, problem.offset) == ("cut_record", offset)
    assert problem.num_bytes == built.size("execution") - offset
    assert op_types(index.snapshot) == ["Mul"]
    built.append("execution", rest)
    index.refresh()
    assert index.snapshot.problems == ()
    assert op_types(index.snapshot) == ["Mul", "Log"]


def test_a_cut_record_that_grows_without_being_whole_stays_one_problem(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul")
    content = built.path("execution").read_bytes()
    built.truncate("execution", len(content))
    index = index_of(tmp_path)
    for size in range(1, len(content)):
        built.append("execution", content[size - 1 : size])
        index.refresh()
        (problem,) = index.snapshot.problems
        assert (problem.kind, problem.offset, problem.num_bytes) == ("cut_record", 0, size)


def test_problems_are_kept_up_to_a_number_and_then_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tb_debugger_plugin.index.problems.MOST_KEPT", 3)
    built = logdir(tmp_path)
    for _ in range(5):
        built.raw_record("execution", b"\x0b")
    snapshot = read(tmp_path)
    assert problem_kinds(snapshot) == ["undecodable"] * 3
    assert snapshot.num_problems_dropped == 2


def test_a_run_without_file_sets_is_empty() -> None:
    index = RunIndex([])
    index.refresh()
    assert index.snapshot.problems == ()
