"""What is told where files of a run are missing or damaged: copy them, before anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.lost_files import absent_files, damaged_files
from tb_debugger_plugin.analyses.root_causes.limits import RECORD_ALL, limits_of
from tb_debugger_plugin.index.file_sets import FileKind
from tests.analyses.observations.seen import whole_program
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir

KINDS: tuple[FileKind, ...] = (
    "execution", "graph_execution_traces", "graphs", "stack_frames", "source_files",
)  # fmt: skip


def limits(built: LogdirBuilder) -> list[str]:
    view = Program(built).view
    observations = view.observations.standing + view.observations.passing
    return list(limits_of(view.snapshot, observations))


def compiled(directory: Path) -> LogdirBuilder:
    """A function of which, as nothing is missing, no graph execution was recorded."""
    built = whole_program(logdir(directory)).graph("g", outer="").op("Exp", "Exp")
    return built.execution("__inference_g_1", graph="g")


def test_a_whole_run_lacks_no_file(tmp_path: Path) -> None:
    snapshot = Program(whole_program(logdir(tmp_path))).snapshot
    assert (absent_files(snapshot), damaged_files(snapshot)) == ([], [])


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_not_copied_leads(tmp_path: Path, kind: FileKind) -> None:
    lost = limits(compiled(tmp_path).remove(kind))[0]
    assert lost.startswith(f"A file `.{kind}` is missing or cannot be read")
    assert "Copy it too" in lost


def test_where_graph_executions_were_not_copied_the_program_is_not_to_blame(tmp_path: Path) -> None:
    (limit,) = limits(compiled(tmp_path / "whole"))
    assert limit.endswith(RECORD_ALL)
    (limit,) = limits(compiled(tmp_path / "copy").remove("graph_execution_traces"))
    assert RECORD_ALL not in limit


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_leads(tmp_path: Path, kind: FileKind) -> None:
    built = compiled(tmp_path)
    built.flip_bit(kind, built.record_offsets(kind)[-2] + 20)
    assert limits(built)[0].startswith(f"A file `.{kind}` is damaged")


def test_a_worker_s_files_alone_lack_those_of_the_program(tmp_path: Path) -> None:
    (limit,) = limits(logdir(tmp_path).in_graph("g1").trace("Sqrt"))
    assert limit.startswith("These are a worker's files alone. Copy those of the program")
