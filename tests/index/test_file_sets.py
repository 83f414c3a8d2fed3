from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import FILE_KINDS, find_file_sets, split_file_name
from tests.builders.logdir import logdir


def sets_of(directory: Path) -> list[str]:
    names = [path.name for path in directory.iterdir()]
    return [file_set.host_name for file_set in find_file_sets(str(directory), names)]


def test_a_set_is_six_files_and_what_its_metadata_says(tmp_path: Path) -> None:
    built = logdir(tmp_path, run_id="feedface", host="node")
    names = [path.name for path in tmp_path.iterdir()]
    (found,) = find_file_sets(str(tmp_path), names)
    assert (found.run_id, found.host_name) == ("feedface", "node")
    assert found.kinds == set(FILE_KINDS)
    assert found.path("graphs") == str(built.path("graphs"))
    assert found.metadata is not None
    assert found.metadata.tensorflow_version == "2.21.0"


def test_a_host_name_may_have_dots_and_end_like_a_kind(tmp_path: Path) -> None:
    logdir(tmp_path, host="gpu-1.cluster.example.execution")
    assert sets_of(tmp_path) == ["gpu-1.cluster.example.execution"]


def test_sets_stand_by_their_start_times_not_by_their_names(tmp_path: Path) -> None:
    first = logdir(tmp_path, host="b", started=1_700_000_000)
    first.add_host("a", started=1_700_000_001)
    assert sets_of(tmp_path) == ["b", "a"]


@pytest.mark.parametrize("octets", [b"", b"\x00" * 100, b"not a record at all, but long enough"])
def test_a_set_whose_metadata_cannot_be_read_is_a_set_without_run_id(
    tmp_path: Path, octets: bytes
) -> None:
    built = logdir(tmp_path)
    built.path("metadata").write_bytes(octets)
    (found,) = find_file_sets(str(tmp_path), [path.name for path in tmp_path.iterdir()])
    assert (found.metadata, found.run_id) == (None, "")


def test_a_set_may_lack_files_even_metadata(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for kind in FILE_KINDS:
        if kind != "execution":
            built.remove(kind)
    (found,) = find_file_sets(str(tmp_path), [path.name for path in tmp_path.iterdir()])
    assert found.kinds == {"execution"}


@pytest.mark.parametrize(
    "name",
    [
        "events.out.tfevents.1.host",
        "tfdbg_events.1.host.unknown",
        "tfdbg_events.graphs",
        "my.tfdbg_events.1.host.graphs",
        "tfdbg_events.1.host.graphs.bak",
    ],
)
def test_other_files_are_none_of_ours(name: str) -> None:
    assert split_file_name(name) is None
