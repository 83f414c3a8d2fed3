"""Two processes of one host that began in the same second wrote to the same six files."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tests.builders.logdir import LogdirBuilder, logdir
from tests.logdirs.shown import Shown, serving, shown, shown_run


def two_processes(directory: Path) -> tuple[LogdirBuilder, LogdirBuilder]:
    """Two programs with files of the same names, each in a directory of its own."""
    programs = []
    for name, op in (("one", "Add"), ("two", "Multiply")):
        run = logdir(directory / name, run_id=name).source(f"{name}.py", lines=[op] * 50)
        run.frame(f"f-{name}", f"{name}.py").graph(name, graph_id=f"{name}-id")
        run.op(op, op, stack=[f"f-{name}"])
        for _ in range(20):
            run.trace(op).execution(op, stack=[f"f-{name}"])
        programs.append(run)
    return programs[0], programs[1]


def written_over(directory: Path, *contents: dict[FileKind, bytes]) -> LogdirBuilder:
    """A file set whose bytes later contents have replaced, from the begin as far as they go."""
    target = logdir(directory)
    for kind in FILE_KINDS:
        octets = bytearray()
        for content in contents:
            octets[: len(content[kind])] = content[kind]
        target.path(kind).write_bytes(octets)
    return target


def contents(run: LogdirBuilder) -> dict[FileKind, bytes]:
    return {kind: run.path(kind).read_bytes() for kind in FILE_KINDS}


def records(run: LogdirBuilder, kind: FileKind) -> list[bytes]:
    octets = run.path(kind).read_bytes()
    return [octets[begin:end] for begin, end in itertools.pairwise(run.record_offsets(kind))]


def test_the_longer_file_goes_on_behind_the_shorter_one(tmp_path: Path) -> None:
    """Both wrote from the begin on; what is left of the first begins inside a record."""
    one, two = two_processes(tmp_path)
    two.truncate("execution", two.size("execution") - two.record_offsets("execution")[8])
    written_over(tmp_path / "logs", contents(one), contents(two))
    (run,) = shown(tmp_path / "logs").values()
    assert run.status == "damaged"
    assert run.problems.count("bad_length") >= 1
    assert run.executions[:8] == ["Multiply"] * 8
    assert set(run.executions[8:]) == {"Add"}
    assert len(run.executions) >= 15


def test_blocks_of_both_in_turn(tmp_path: Path) -> None:
    one, two = two_processes(tmp_path)
    mixed: dict[FileKind, bytes] = {}
    for kind in FILE_KINDS:
        first, second = contents(one)[kind], contents(two)[kind]
        pieces = [(first, second)[i % 2][i * 512 : (i + 1) * 512] for i in range(200)]
        mixed[kind] = b"".join(pieces) if kind != "metadata" else first
    written_over(tmp_path / "logs", mixed)
    (run,) = shown(tmp_path / "logs").values()
    assert run.status == "damaged"
    assert "bad_length" in run.problems
    assert {"Add", "Multiply"} == set(run.executions) == {t[:-2] for t in run.traces}


def test_records_of_both_whole_but_interleaved(tmp_path: Path) -> None:
    """Both append to the same file: nothing is lost, and times go back and forth."""
    one, two = two_processes(tmp_path)
    target = logdir(tmp_path / "logs", run_id="one")
    for kind in FILE_KINDS[1:]:
        for pair in zip(records(one, kind), records(two, kind), strict=True):
            target.append(kind, b"".join(pair))
    with serving(tmp_path / "logs") as server:
        run = shown_run(server, ".")
        assert (run.status, run.problems) == ("complete", [])
        assert sorted(run.executions) == ["Add"] * 20 + ["Multiply"] * 20
        assert sorted(run.traces) == ["Add:0"] * 20 + ["Multiply:0"] * 20


def test_a_child_that_was_forked_wrote_the_same_buffer_twice(tmp_path: Path) -> None:
    """What the parent had buffered is in both processes and is written by both."""
    run = logdir(tmp_path).graph("f").op("Log", "log")
    for _ in range(3):
        run.execution("Log", nan=1).trace("log", nan=1)
    buffered = contents(run)
    for kind in FILE_KINDS[1:]:
        run.append(kind, buffered[kind])
    assert shown(tmp_path) == {
        ".": Shown("damaged", ["shared_files"], ["Log"] * 6, ["log:0"] * 6, ["Log"] * 12)
    }


def test_any_bytes_are_read_without_an_exception(tmp_path: Path) -> None:
    random.seed(0)
    one, _ = two_processes(tmp_path)
    for number in range(25):
        damaged = logdir(tmp_path / "logs" / f"{number:02}")
        for kind in FILE_KINDS:
            octets = bytearray(one.path(kind).read_bytes())
            for _ in range(random.randint(0, 4)):
                begin = random.randrange(len(octets))
                octets[begin : begin + random.randint(0, 99)] = random.randbytes(
                    random.randint(0, 99)
                )
            damaged.path(kind).write_bytes(octets)
    runs = shown(tmp_path / "logs")
    assert len(runs) == 25
    for run in runs.values():
        is_lossless = set(run.problems) <= {"missing_metadata"}
        assert run.status == ("complete" if is_lossless else "damaged")
