"""Small files that ask for much are a problem of the run: neither an allocation nor a wait."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.events.decoders import REFERENCE_VARIABLE
from tests.builders.logdir import LogdirBuilder
from tests.hostile import bombs

ROOT = Path(__file__).resolve().parents[2]
MOST_MIB = 2048
MOST_SECONDS = 120
MOST_ANSWER = 64 << 20

NUMBER = {"native": 50_000, "reference": 5_000}
"""Of records, where a bomb is their number. By hand with a million: HOSTILE=1000000."""


@dataclass(frozen=True)
class Told:
    """What is to be said of a bomb, and the first executions that are shown all the same."""

    make: Callable[[Path, int], LogdirBuilder]
    problems: tuple[str, ...]
    op_types: tuple[str, ...]


BOTH = ("Before", "After")
BOMBS = (
    Told(bombs.a_length_of_2_to_the_63, ("bad_length",), BOTH),
    Told(bombs.a_record_that_claims_2_gigabytes, (), ("Before",)),
    Told(bombs.a_record_of_2_gigabytes_in_a_sparse_file, ("unreadable_file",), ("Before",)),
    Told(bombs.a_shape_of_10_to_the_18_elements, (), ("Log",)),
    Told(bombs.a_million_dimensions, ("undecodable",), ()),
    Told(bombs.a_packed_field_of_100_megabytes, ("too_large",), BOTH),
    Told(bombs.a_tensor_with_100_megabytes_of_values, (), ("Before", "Log")),
    Told(bombs.a_tensor_with_many_values_one_by_one, (), ("Before", "Log")),
    Told(bombs.records_without_content, (), BOTH),
    Told(bombs.records_that_are_no_events, ("undecodable",), BOTH),
    Told(bombs.distinct_op_types, (), ("Before", "0" * 100, "0" * 99 + "1")),
    Told(bombs.distinct_ops, (), BOTH),
    Told(bombs.distinct_graphs, (), BOTH),
    Told(bombs.distinct_frames, (), BOTH),
    Told(bombs.distinct_source_files, (), BOTH),
    Told(bombs.long_names, ("long_name",), ()),
    Told(bombs.names_of_a_kilobyte, (), BOTH),
)


def read_bounded(directory: Path, decoders: str) -> dict[str, Any]:
    ended = subprocess.run(
        [sys.executable, "-m", "tests.hostile.bounded_reading", directory, str(MOST_MIB)],
        cwd=ROOT,
        env={
            **os.environ,
            "OPENBLAS_NUM_THREADS": "1",
            REFERENCE_VARIABLE: "1" if decoders == "reference" else "",
        },
        capture_output=True,
        text=True,
        timeout=MOST_SECONDS,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    told: dict[str, Any] = json.loads(ended.stdout)
    return told


@pytest.mark.parametrize("decoders", NUMBER)
@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.make.__name__)
def test_it_is_told_and_the_rest_is_shown(tmp_path: Path, bomb: Told, decoders: str) -> None:
    bomb.make(tmp_path, int(os.environ.get("HOSTILE", NUMBER[decoders])))
    told = read_bounded(tmp_path, decoders)
    assert set(told["problems"]) >= set(bomb.problems)
    assert told["num_problems"] <= 10_100
    if bomb.op_types:
        assert tuple(told["op_types"][: len(bomb.op_types)]) == bomb.op_types
    for path, answer in told["answers"].items():
        assert answer["status"] in (200, 400, 404), path
        assert answer["num_bytes"] < MOST_ANSWER, path
        assert answer["seconds"] < MOST_SECONDS / 4, path
