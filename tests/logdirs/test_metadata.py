"""File sets whose metadata is missing, empty, damaged, or from another TensorFlow."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.logdir import logdir
from tests.logdirs.shown import Shown, serving, shown, shown_run


def test_a_set_without_a_metadata_file(tmp_path: Path) -> None:
    logdir(tmp_path).execution("Add", nan=1).remove("metadata")
    assert shown(tmp_path) == {
        ".": Shown(problems=["missing_metadata"], executions=["Add"], alerts=["Add"])
    }


@pytest.mark.parametrize(
    "octets",
    [b"", b"\0" * 200, b"no record at all, but long enough to hold one", b"\xff" * 7],
)
def test_a_set_whose_metadata_is_empty_or_no_record(tmp_path: Path, octets: bytes) -> None:
    built = logdir(tmp_path).execution("Add")
    built.path("metadata").write_bytes(octets)
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(problems=["missing_metadata"], executions=["Add"])
        (run,) = server.answer("/runs").values()
        assert (run["run_id"], run["start_time"], run["tensorflow_version"]) == ("", None, None)


def test_every_bit_of_the_metadata_may_be_wrong(tmp_path: Path) -> None:
    built = logdir(tmp_path / "whole").execution("Add")
    content = built.path("metadata").read_bytes()
    for byte in range(len(content)):
        flipped = logdir(tmp_path / "flipped" / f"{byte:03}").execution("Add")
        flipped.flip_bit("metadata", byte, bit=byte % 8)
    runs = shown(tmp_path / "flipped")
    assert len(runs) == len(content)
    expected = Shown(problems=["missing_metadata"], executions=["Add"])
    assert [run for run in runs.values() if run != expected] == []


def test_metadata_that_was_written_twice_counts_as_the_first(tmp_path: Path) -> None:
    built = logdir(tmp_path, run_id="aaaa").execution("Add")
    other = logdir(tmp_path / "other", run_id="bbbb")
    built.append("metadata", other.path("metadata").read_bytes())
    with serving(tmp_path) as server:
        assert server.answer("/runs")["."]["run_id"] == "aaaa"


def test_a_tensorflow_without_run_ids(tmp_path: Path) -> None:
    logdir(tmp_path, tensorflow_version="2.3.0").metadata(run_id="").execution("Add")
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(problems=["no_run_id"], executions=["Add"])
        (run,) = server.answer("/runs").values()
        assert (run["run_id"], run["tensorflow_version"]) == ("", "2.3.0")


def test_two_programs_without_run_ids_in_one_directory_are_two_runs(tmp_path: Path) -> None:
    logdir(tmp_path).metadata(run_id="").execution("Add")
    second = logdir(tmp_path, started=1_700_000_600).metadata(run_id="").execution("Mul")
    del second
    assert shown(tmp_path) == {
        ".#1700000000.host": Shown(problems=["no_run_id"], executions=["Add"]),
        ".#1700000600.host": Shown(problems=["no_run_id"], executions=["Mul"]),
    }


def test_a_program_without_a_run_id_beside_one_with(tmp_path: Path) -> None:
    logdir(tmp_path).metadata(run_id="").execution("Add")
    logdir(tmp_path, run_id="bbbb", started=1_700_000_600).execution("Mul")
    assert shown(tmp_path) == {
        ".#1700000000.host": Shown(problems=["no_run_id"], executions=["Add"]),
        ".#bbbb": Shown(executions=["Mul"]),
    }


def test_a_damaged_set_beside_a_whole_one_leaves_that_alone(tmp_path: Path) -> None:
    logdir(tmp_path, run_id="aaaa").execution("Add")
    lost = logdir(tmp_path, run_id="bbbb", started=1_700_000_600).execution("Mul")
    lost.path("metadata").write_bytes(b"")
    assert shown(tmp_path) == {
        ".#1700000600.host": Shown(problems=["missing_metadata"], executions=["Mul"]),
        ".#aaaa": Shown(executions=["Add"]),
    }


@pytest.mark.parametrize("file_version", ["debug.Event:2", "", "something else"])
def test_another_file_version_is_read_as_far_as_it_goes(tmp_path: Path, file_version: str) -> None:
    logdir(tmp_path).metadata(file_version=file_version).execution("Add")
    assert shown(tmp_path) == {".": Shown(problems=["unknown_file_version"], executions=["Add"])}


def test_a_run_id_of_any_text_is_part_of_the_name_as_it_stands(tmp_path: Path) -> None:
    ids = ["a b", "ü#1", "x/y", "../z", "<b>"]
    for number, run_id in enumerate(ids):
        logdir(tmp_path, run_id=run_id, started=1_700_000_000 + number).execution("Add")
    assert shown(tmp_path) == {f".#{run_id}": Shown(executions=["Add"]) for run_id in ids}


def test_a_run_id_of_unreasonable_length_is_a_run(tmp_path: Path) -> None:
    logdir(tmp_path, run_id="x" * 20_000).execution("Add")
    logdir(tmp_path, run_id="y" * 90_000, started=1_700_000_600).execution("Mul")
    runs = shown(tmp_path)
    assert sorted(run.executions for run in runs.values()) == [["Add"], ["Mul"]]


def test_metadata_alone_is_a_run_that_lacks_its_files(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for path in list(tmp_path.iterdir()):
        if path != built.path("metadata"):
            path.unlink()
    assert shown(tmp_path) == {".": Shown("damaged", ["missing_file"] * 5)}
