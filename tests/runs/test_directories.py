from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tb_debugger_plugin.files.file_system import Entry
from tb_debugger_plugin.files.local import LocalFiles
from tb_debugger_plugin.index.file_sets import read_metadata
from tb_debugger_plugin.runs import directories
from tb_debugger_plugin.runs.directories import Contents, Directories
from tests.builders.logdir import LogdirBuilder, logdir


class Listings:
    """Which directories are listed, and which metadata is read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.listed: list[str] = []
        self.read: list[str] = []
        entries, read = LocalFiles.entries, read_metadata

        def noting_entries(files: LocalFiles, path: str) -> Iterator[Entry]:
            self.listed.append(os.path.basename(path))
            return entries(files, path)

        def noting_read(path: str) -> object:
            self.read.append(os.path.basename(path))
            return read(path)

        monkeypatch.setattr(LocalFiles, "entries", noting_entries)
        monkeypatch.setattr(directories, "read_metadata", noting_read)

    def of(self, memory: Directories, path: Path) -> tuple[int, int]:
        """How much another look lists and reads."""
        self.listed, self.read = [], []
        memory.look(str(path))
        return len(self.listed), len(self.read)


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> Listings:
    return Listings(monkeypatch)


def settled(path: Path) -> Path:
    """A directory that changed last an hour ago."""
    then = time.time() - 3600
    os.utime(path, (then, then))
    return path


def run_in(directory: Path) -> LogdirBuilder:
    built = logdir(directory)
    settled(directory)
    return built


def test_a_directory_that_has_not_changed_is_not_listed_again(
    tmp_path: Path, listings: Listings
) -> None:
    run_in(tmp_path)
    memory = Directories()
    assert listings.of(memory, tmp_path) == (1, 1)
    assert listings.of(memory, tmp_path) == (0, 0)
    assert memory.look(str(tmp_path)).file_sets[0].run_id == "0123abcd"
    assert not memory.has_changed(str(tmp_path))


def test_what_comes_into_a_directory_is_seen_and_known_metadata_not_read_again(
    tmp_path: Path, listings: Listings
) -> None:
    run_in(tmp_path)
    memory = Directories()
    memory.look(str(tmp_path))
    (tmp_path / "sub").mkdir()
    (tmp_path / "checkpoint").touch()
    assert memory.has_changed(str(tmp_path))
    assert listings.of(memory, tmp_path) == (1, 0)
    contents = memory.look(str(tmp_path))
    assert contents.directories == ("sub",)


def test_metadata_that_is_written_over_is_read_again(tmp_path: Path) -> None:
    """The directory's own time does not tell."""
    built = run_in(tmp_path)
    memory = Directories()
    memory.look(str(tmp_path))
    built.metadata(run_id="ffffffff")
    settled(tmp_path)
    assert memory.has_changed(str(tmp_path))
    assert memory.look(str(tmp_path)).file_sets[0].run_id == "ffffffff"


@pytest.mark.parametrize("octets", [b"", b"half a record"])
def test_metadata_that_could_not_be_read_is_tried_again(
    tmp_path: Path, listings: Listings, octets: bytes
) -> None:
    built = run_in(tmp_path)
    built.path("metadata").write_bytes(octets)
    memory = Directories()
    assert listings.of(memory, tmp_path) == listings.of(memory, tmp_path) == (1, 1)


def test_a_directory_that_changed_a_moment_ago_may_do_so_again_unseen(
    tmp_path: Path, listings: Listings
) -> None:
    """Its time moves with a clock that may tick only every other second."""
    logdir(tmp_path)
    memory = Directories()
    assert listings.of(memory, tmp_path) == (1, 1)
    assert listings.of(memory, tmp_path) == (1, 0)


def test_a_link_that_leads_nowhere_may_lead_somewhere_soon(
    tmp_path: Path, listings: Listings
) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "latest").symlink_to(tmp_path / "run")
    settled(tmp_path / "logs")
    memory = Directories()
    assert memory.look(str(tmp_path / "logs")).directories == ()
    (tmp_path / "run").mkdir()
    assert memory.look(str(tmp_path / "logs")).directories == ("latest",)
    assert listings.of(memory, tmp_path / "logs") == (0, 0)


def test_no_listing_is_trusted_for_long(
    tmp_path: Path, listings: Listings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_in(tmp_path)
    memory = Directories()
    memory.look(str(tmp_path))
    later = time.time() + directories.TRUSTED_SECONDS + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert listings.of(memory, tmp_path) == (1, 0)
    assert listings.of(memory, tmp_path) == (0, 0)


def test_a_directory_that_cannot_be_read_says_why_each_time(tmp_path: Path) -> None:
    memory = Directories()
    (tmp_path / "file").touch()
    for _ in range(2):
        assert memory.look(str(tmp_path / "none")) == Contents(failure="does not exist")
        assert memory.look(str(tmp_path / "file")).failure == "cannot be read: Not a directory"
        assert memory.look("\0").failure.startswith("cannot be read: ")
    assert memory.has_changed(str(tmp_path / "none"))


def test_a_directory_that_is_deleted_and_made_again_is_listed_again(tmp_path: Path) -> None:
    run_in(tmp_path / "run")
    memory = Directories()
    path = str(tmp_path / "run")
    assert len(memory.look(path).file_sets) == 1
    shutil.rmtree(path)
    assert memory.has_changed(path)
    assert memory.look(path).failure == "does not exist"
    os.mkdir(path)
    assert memory.look(path).file_sets == ()


def test_what_is_not_searched_any_more_is_forgotten(tmp_path: Path, listings: Listings) -> None:
    for name in "ab":
        run_in(tmp_path / name)
    memory = Directories()
    for name in "ab":
        memory.look(str(tmp_path / name))
    memory.keep_only([str(tmp_path / "a"), str(tmp_path / "new")])
    assert listings.of(memory, tmp_path / "a") == (0, 0)
    assert listings.of(memory, tmp_path / "b") == (1, 1)


def test_a_directory_has_one_identity_by_whatever_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    memory = Directories()
    real, link = (memory.look(str(tmp_path / name)).identity for name in ("real", "link"))
    assert real == link != memory.look(str(tmp_path)).identity
