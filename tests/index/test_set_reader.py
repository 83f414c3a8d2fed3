from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.tables import Frame
from tests.builders.logdir import logdir
from tests.index.reading import index_of, read, source_names


def test_a_frame_may_be_on_disk_before_its_file(tmp_path: Path) -> None:
    built = logdir(tmp_path).frame("f1", 1, line=7, function="g").source("a.py")
    index = index_of(tmp_path)
    index.refresh()
    assert index.snapshot.frames["f1"] == Frame("f1", None, 7, "g")
    built.source("b.py")
    index.refresh()
    assert index.snapshot.frames["f1"] == Frame("f1", 1, 7, "g")


@pytest.mark.parametrize("index_in_file", [-1, 18, (1 << 31) - 1])
def test_a_frame_of_a_file_that_is_nowhere_stays_without(
    tmp_path: Path, index_in_file: int
) -> None:
    logdir(tmp_path).source("a.py").frame("f1", index_in_file)
    assert read(tmp_path).frames["f1"].source is None


def test_a_file_that_several_threads_recorded_counts_once_in_the_frames_numbering(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path)
    for path in ("a.py", "b.py", "a.py", "b.py", "c.py", "a.py"):
        built.source(path, lines=[path])
    built.frame("f0", 0).frame("f1", 1).frame("f2", 2)
    snapshot = read(tmp_path)
    assert len(snapshot.sources) == 3
    assert source_names(snapshot) == {"f0": "a.py", "f1": "b.py", "f2": "c.py"}


def test_a_path_on_two_hosts_is_two_files(tmp_path: Path) -> None:
    logdir(tmp_path).source("a.py", host="one").source("a.py", host="two")
    assert [source.host_name for source in read(tmp_path).sources] == ["one", "two"]


def test_source_lines_are_read_from_disk_when_asked_for(tmp_path: Path) -> None:
    lines = ["import x", "", "größe = 'ü'"]
    long = ["y" * 100] * 1000
    logdir(tmp_path).source("a.py", lines=lines).source("b.py").source("c.py", lines=long)
    snapshot = read(tmp_path)
    assert [snapshot.read_source_lines(source) for source in snapshot.sources] == [
        lines,
        [],
        long,
    ]
