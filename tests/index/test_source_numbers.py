"""Which files frames are said to be in, where records of `.source_files` cannot be read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.cache import IndexCache
from tests.builders.logdir import LogdirBuilder, logdir
from tests.index.reading import index_of, problem_kinds, read, source_names

IN_LENGTH, IN_PAYLOAD = 3, 20


def program(directory: Path, *files: str) -> LogdirBuilder:
    """Files with a frame each, named as the file is; TensorFlow records a file with a frame."""
    built = logdir(directory)
    for path in files:
        built.source(path, lines=[path])
    for number, path in enumerate(dict.fromkeys(files)):
        built.frame(path, number)
    return built


def damage(built: LogdirBuilder, record: int, place: int = IN_PAYLOAD) -> LogdirBuilder:
    return built.flip_bit("source_files", built.record_offsets("source_files")[record] + place)


@pytest.mark.parametrize("lost", range(4))
def test_a_damaged_record_takes_its_place_in_the_numbering(tmp_path: Path, lost: int) -> None:
    files = ["a.py", "b.py", "c.py", "d.py"]
    damage(program(tmp_path, *files), lost)
    assert source_names(read(tmp_path)) == {
        file: None if number == lost else file for number, file in enumerate(files)
    }


def test_so_does_a_record_that_is_no_event(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("a.py")
    built.raw_record("source_files", b"\xff\xff").source("c.py")
    built.frame("a", 0).frame("b", 1).frame("c", 2)
    snapshot = read(tmp_path)
    assert problem_kinds(snapshot) == ["undecodable"]
    assert source_names(snapshot) == {"a": "a.py", "b": None, "c": "c.py"}


def test_a_name_that_is_shortened_loses_no_record(tmp_path: Path) -> None:
    program(tmp_path, "a" * 2000, "b.py")
    assert read(tmp_path).frames["b.py"].source == 1


def test_behind_a_damaged_length_no_file_is_known(tmp_path: Path) -> None:
    damage(program(tmp_path, "a.py", "b.py", "c.py", "d.py"), 1, IN_LENGTH)
    assert source_names(read(tmp_path)) == {
        "a.py": "a.py", "b.py": None, "c.py": None, "d.py": None,
    }  # fmt: skip


def test_a_damaged_length_is_not_balanced_by_a_record_that_takes_no_place(tmp_path: Path) -> None:
    built = program(tmp_path, "a.py", "b.py", "a.py", "c.py", "d.py")
    offsets = built.record_offsets("source_files")
    built.flip_bit("source_files", offsets[1] + IN_LENGTH)
    built.flip_bit("source_files", offsets[2] + IN_PAYLOAD)
    names = source_names(read(tmp_path))
    assert names == {"a.py": "a.py", "b.py": None, "c.py": None, "d.py": None}


@pytest.mark.parametrize("lost", range(7))
def test_a_lost_record_may_have_been_of_a_file_that_stands_there_already(
    tmp_path: Path, lost: int
) -> None:
    """As when several threads recorded it: then it takes no place, or another one does not."""
    files = ["a.py", "b.py", "a.py", "c.py", "b.py", "d.py", "e.py"]
    damage(program(tmp_path, *files), lost)
    names = source_names(read(tmp_path))
    assert {frame: file for frame, file in names.items() if file not in (None, frame)} == {}
    first_lost = [number for number, file in enumerate(files) if number < lost]
    assert all(names[files[number]] == files[number] for number in first_lost)


def test_a_lost_record_of_its_own_is_told_from_repetitions_by_their_number(tmp_path: Path) -> None:
    damage(program(tmp_path, "a.py", "b.py", "a.py", "c.py", "a.py", "d.py"), 3)
    assert source_names(read(tmp_path)) == {
        "a.py": "a.py", "b.py": "b.py", "c.py": None, "d.py": "d.py",
    }  # fmt: skip


def test_a_file_that_ends_inside_a_record_proves_nothing(tmp_path: Path) -> None:
    """One more file than is on disk: as many as if the lost record had taken a place."""
    built = program(tmp_path, "a.py", "b.py", "a.py", "c.py", "d.py")
    damage(built.truncate("source_files", 5), 2)
    assert source_names(read(tmp_path)) == {
        "a.py": "a.py", "b.py": "b.py", "c.py": None, "d.py": None,
    }  # fmt: skip


def test_what_is_appended_is_numbered_on(tmp_path: Path) -> None:
    built = damage(program(tmp_path, "a.py", "b.py", "c.py"), 1)
    index = index_of(tmp_path)
    index.refresh()
    built.source("d.py")
    index.refresh()
    assert source_names(index.snapshot)["c.py"] == "c.py"
    built.frame("d.py", 3)
    index.refresh()
    assert source_names(index.snapshot) == {
        "a.py": "a.py", "b.py": None, "c.py": "c.py", "d.py": "d.py",
    }  # fmt: skip


def test_what_is_appended_behind_a_damaged_length_has_no_number(tmp_path: Path) -> None:
    built = damage(program(tmp_path, "a.py", "b.py"), 1, IN_LENGTH)
    index = index_of(tmp_path)
    index.refresh()
    built.source("c.py").frame("c.py", 2)
    index.refresh()
    assert source_names(index.snapshot) == {"a.py": "a.py", "b.py": None, "c.py": None}


@pytest.mark.parametrize("place", [IN_PAYLOAD, IN_LENGTH])
def test_a_kept_index_goes_on_as_the_one_that_was_kept(tmp_path: Path, place: int) -> None:
    built = damage(program(tmp_path / "logdir", "a.py", "b.py", "c.py"), 1, place)
    cache = IndexCache(tmp_path / "cache", smallest_run=0)
    kept = index_of(built.directory)
    kept.refresh()
    cache.store(kept)
    built.source("d.py").frame("d.py", 3)
    again = cache.load(kept.file_sets)
    assert again is not None
    for index in (kept, again):
        index.refresh()
    assert source_names(again.snapshot) == source_names(kept.snapshot)
    assert source_names(again.snapshot)["d.py"] == ("d.py" if place == IN_PAYLOAD else None)


def test_two_hosts_are_numbered_apart(tmp_path: Path) -> None:
    built = program(tmp_path, "a.py", "b.py", "c.py")
    built.add_host("other").source("x.py").source("y.py").frame("x", 0).frame("y", 1)
    damage(built, 0, IN_LENGTH)
    names = source_names(read(tmp_path))
    assert (names["x"], names["y"], names["b.py"]) == ("x.py", "y.py", None)
