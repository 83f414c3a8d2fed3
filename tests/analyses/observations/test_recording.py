"""What the program was told to record, and could."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.events import debug_modes
from tests.analyses.observations.seen import kinds, only
from tests.builders.logdir import logdir

LIBRARY = "/usr/lib/python3/dist-packages/tensorflow/python/_pywrap.so"


@pytest.mark.parametrize(
    ("mode", "kind"),
    [
        (debug_modes.NO_TENSOR, "no_values"),
        (debug_modes.SHAPE, "shapes_only"),
        (debug_modes.CURT_HEALTH, "no_counts"),
    ],
)
def test_modes_that_leave_questions_open(tmp_path: Path, mode: int, kind: str) -> None:
    built = logdir(tmp_path, mode=mode).execution("Mul").graph("").op("Log", "Log").trace("Log")
    observation = only(built)
    assert (observation.kind, observation.is_loss, observation.num_records) == (kind, False, 2)
    assert observation.message.startswith(f"All events were recorded in {debug_modes.name(mode)}")


def test_modes_that_count_leave_none(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for mode in (debug_modes.CONCISE_HEALTH, debug_modes.FULL_HEALTH, debug_modes.FULL_TENSOR):
        built.execution("Mul", mode=mode)
    assert kinds(built) == []


def test_a_program_that_changed_its_mode_tells_of_how_many_events(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul").execution("Log", mode=debug_modes.NO_TENSOR)
    assert only(built).message.startswith("1 event was recorded in NO_TENSOR mode")


def test_the_user_s_own_files_without_text_are_told_and_those_of_libraries_are_not(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).execution("Mul").source("train.py", lines=["x"]).source(LIBRARY)
    assert kinds(built) == []
    observation = only(built.source("<ipython-input-3-0123456789ab>"))
    assert (observation.kind, observation.is_loss) == ("source_not_captured", False)
    assert "<ipython-input-3-0123456789ab>" in observation.message
    assert observation.num_records == 1
