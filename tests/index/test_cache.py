from __future__ import annotations

import dataclasses
import errno
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tb_debugger_plugin.index import cache as cache_module
from tb_debugger_plugin.index.cache import FOLDER_VARIABLE, IndexCache
from tb_debugger_plugin.index.file_sets import FILE_KINDS, find_file_sets
from tb_debugger_plugin.index.run_index import RunIndex
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import columns_of
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.index.reading import index_of, op_types, problem_kinds, traced_ops


@pytest.fixture
def cache(tmp_path: Path) -> IndexCache:
    return IndexCache(tmp_path / "cache", smallest_run=0)


@pytest.fixture
def built(tmp_path: Path) -> LogdirBuilder:
    """A program that ran for a while."""
    built = logdir(tmp_path / "run", host="node")
    built.source("a.py", lines=["x = 1"]).frame("f1", "a.py").device()
    built.graph().graph("f", outer="").op("Log", "log", stack=["f1"])
    built.execution("Mul", values=[Values(size=4, nan=1)], stack=["f1"])
    return built.trace("log").trace("log", value=Values(size=1 << 40, nan=1 << 33))


def stored(cache: IndexCache, directory: Path) -> RunIndex:
    """The index of a directory, read to the end and kept."""
    index = index_of(directory)
    index.refresh()
    cache.store(index)
    return index


def loaded(cache: IndexCache, directory: Path) -> RunIndex | None:
    return cache.load(find_file_sets(str(directory), sorted(os.listdir(directory))))


def kept_file(cache: IndexCache) -> Path:
    (path,) = cache.folder.iterdir()
    return path


def contents(snapshot: Snapshot) -> Any:
    """All that a snapshot holds, comparable."""
    tables = {
        f"{table}.{name}": (str(rows.dtype), rows.tolist())
        for table in ("executions", "traces", "ops")
        for name, rows in columns_of(getattr(snapshot, table)).items()
    }
    names = snapshot.names
    interned = (names.strings, names.graph_ids, names.locations, names.shapes, names.op_refs)
    rest = {
        field.name: getattr(snapshot, field.name)
        for field in dataclasses.fields(snapshot)
        if field.name not in ("names", "executions", "traces", "ops")
    }
    return tables, [kind.values for kind in interned], names.op_graph.view().tolist(), rest


def test_a_run_that_was_read_before_is_there_without_reading(
    cache: IndexCache, built: LogdirBuilder
) -> None:
    read = stored(cache, built.directory)
    again = loaded(cache, built.directory)
    assert again is not None
    assert contents(again.snapshot) == contents(read.snapshot)
    assert list(again.refresh_by_piece()) == []


@pytest.mark.skipif(absence() is not None, reason=str(absence()))
def test_every_run_of_the_corpus_comes_back_as_it_was(cache: IndexCache) -> None:
    directories = sorted({path.parent for path in unpacked_corpus().rglob("tfdbg_events.*")})
    assert len(directories) > 40
    for directory in directories:
        read = stored(cache, directory)
        again = loaded(cache, directory)
        assert again is not None, directory
        assert repr(contents(again.snapshot)) == repr(contents(read.snapshot)), directory


class TestGrowth:
    def test_what_was_appended_since_is_read_and_nothing_else(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        stored(cache, built.directory)
        built.execution("Exp").trace("log").op("Exp", "exp")
        again = loaded(cache, built.directory)
        assert again is not None
        assert len(again.snapshot.executions) == 1
        again.refresh()
        fresh = index_of(built.directory)
        fresh.refresh()
        for read in (op_types, traced_ops):
            assert read(again.snapshot) == read(fresh.snapshot)
        for table in ("executions", "traces", "ops"):
            one, other = (getattr(index.snapshot, table) for index in (again, fresh))
            assert one.wall_time.tolist() == other.wall_time.tolist()
        assert (
            again.snapshot.executions.offset.tolist() == fresh.snapshot.executions.offset.tolist()
        )

    def test_a_record_that_was_cut_short_is_read_once_it_is_whole(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        path = built.path("execution")
        built.execution("Exp")
        whole = path.read_bytes()
        path.write_bytes(whole[:-7])
        assert problem_kinds(stored(cache, built.directory).snapshot) == ["cut_record"]
        with path.open("ab") as file:
            file.write(whole[-7:])
        again = loaded(cache, built.directory)
        assert again is not None
        again.refresh()
        assert op_types(again.snapshot) == ["Mul", "Exp"]
        assert problem_kinds(again.snapshot) == []

    def test_damage_at_the_end_goes_on_to_the_next_record(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        with built.path("execution").open("ab") as file:
            file.write(b"\xff" * 100)
        stored(cache, built.directory)
        built.execution("Exp")
        again = loaded(cache, built.directory)
        assert again is not None
        again.refresh()
        fresh = index_of(built.directory)
        fresh.refresh()
        assert op_types(again.snapshot) == ["Mul", "Exp"]
        assert [p.num_bytes for p in again.snapshot.problems] == [
            p.num_bytes for p in fresh.snapshot.problems
        ]

    def test_a_frame_finds_its_file_that_comes_later(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        built.frame("f2", 1)
        assert stored(cache, built.directory).snapshot.frames["f2"].source is None
        built.source("b.py", lines=["y = 2"])
        again = loaded(cache, built.directory)
        assert again is not None
        again.refresh()
        assert again.snapshot.frames["f2"].source == 1

    def test_a_run_is_stored_again_when_it_has_grown_by_a_quarter(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        index = stored(cache, built.directory)
        before = kept_file(cache).stat()
        built.execution("Exp")
        index.refresh()
        cache.store(index)
        assert kept_file(cache).stat().st_ino == before.st_ino
        for _ in range(20):
            built.execution("Exp")
        index.refresh()
        cache.store(index)
        assert kept_file(cache).stat().st_ino != before.st_ino


class TestStale:
    def test_a_file_changed_in_place(self, cache: IndexCache, built: LogdirBuilder) -> None:
        stored(cache, built.directory)
        path = built.path("execution")
        content = path.read_bytes()
        path.write_bytes(content[:-20] + bytes([content[-20] ^ 1]) + content[-19:])
        os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))
        assert loaded(cache, built.directory) is None

    def test_a_file_changed_in_place_and_grown(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        stored(cache, built.directory)
        path = built.path("execution")
        content = path.read_bytes()
        path.write_bytes(bytes([content[0] ^ 1]) + content[1:] + content)
        assert loaded(cache, built.directory) is None

    def test_a_file_that_another_took_the_place_of(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        stored(cache, built.directory)
        path = built.path("execution")
        shutil.copy2(path, path.with_suffix(".copy"))
        os.replace(path.with_suffix(".copy"), path)
        assert loaded(cache, built.directory) is None

    @pytest.mark.parametrize("kind", [kind for kind in FILE_KINDS if kind != "metadata"])
    def test_a_file_that_shrank_or_went(
        self, cache: IndexCache, built: LogdirBuilder, kind: Any
    ) -> None:
        stored(cache, built.directory)
        os.truncate(built.path(kind), built.size(kind) - 1)
        assert loaded(cache, built.directory) is None
        built.path(kind).unlink()
        assert loaded(cache, built.directory) is None

    def test_an_index_of_another_version(
        self, cache: IndexCache, built: LogdirBuilder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stored(cache, built.directory)
        monkeypatch.setattr(cache_module, "_format", lambda: "another")
        assert loaded(cache, built.directory) is None

    def test_an_index_of_another_run(
        self, cache: IndexCache, built: LogdirBuilder, tmp_path: Path
    ) -> None:
        stored(cache, built.directory)
        other = logdir(tmp_path / "other").execution("Exp")
        stored(cache, other.directory)
        mine, theirs = sorted(cache.folder.iterdir(), key=lambda path: path.stat().st_size)
        os.replace(theirs, mine)
        assert loaded(cache, other.directory) is None


class TestDamage:
    def test_any_flipped_bit_is_noticed(self, cache: IndexCache, built: LogdirBuilder) -> None:
        stored(cache, built.directory)
        path = kept_file(cache)
        content = path.read_bytes()
        for place in [*range(24), *np.linspace(24, len(content) - 1, 300, dtype=int).tolist()]:
            path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
            assert loaded(cache, built.directory) is None, place
        path.write_bytes(content)
        assert loaded(cache, built.directory) is not None

    def test_any_cut_is_noticed(self, cache: IndexCache, built: LogdirBuilder) -> None:
        stored(cache, built.directory)
        path = kept_file(cache)
        content = path.read_bytes()
        for length in [0, 1, 19, 20, 21, *range(40, len(content), 97), len(content) - 1]:
            path.write_bytes(content[:length])
            assert loaded(cache, built.directory) is None, length

    def test_a_new_one_takes_its_place(self, cache: IndexCache, built: LogdirBuilder) -> None:
        stored(cache, built.directory)
        kept_file(cache).write_bytes(b"rubbish")
        stored(cache, built.directory)
        assert loaded(cache, built.directory) is not None


class TestFolder:
    def test_the_logdir_is_never_written_to(self, cache: IndexCache, built: LogdirBuilder) -> None:
        before = sorted(built.directory.rglob("*"))
        stored(cache, built.directory)
        assert sorted(built.directory.rglob("*")) == before

    def test_a_small_run_is_not_kept(self, tmp_path: Path, built: LogdirBuilder) -> None:
        cache = IndexCache(tmp_path / "cache")
        stored(cache, built.directory)
        assert not cache.folder.exists()

    def test_a_folder_that_cannot_be_made_costs_one_warning(
        self, tmp_path: Path, built: LogdirBuilder, caplog: pytest.LogCaptureFixture
    ) -> None:
        (tmp_path / "file").write_text("")
        cache = IndexCache(tmp_path / "file" / "cache", smallest_run=0)
        for _ in range(3):
            stored(cache, built.directory)
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert FOLDER_VARIABLE in caplog.text
        assert loaded(cache, built.directory) is None

    def test_a_full_disk_leaves_nothing_behind(
        self,
        cache: IndexCache,
        built: LogdirBuilder,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(os, "replace", full)
        stored(cache, built.directory)
        assert list(cache.folder.iterdir()) == []
        assert "No space left" in caplog.text

    def test_a_disk_that_fills_up_on_the_way_leaves_nothing_behind(
        self, cache: IndexCache, built: LogdirBuilder, caplog: pytest.LogCaptureFixture
    ) -> None:
        resource = pytest.importorskip("resource")  # Windows has none.
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        for most_bytes in (0, 10, 700):
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, limits[1]))
            try:
                stored(cache, built.directory)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            assert list(cache.folder.iterdir()) == []
        assert "File too large" in caplog.text
        stored(cache, built.directory)
        assert loaded(cache, built.directory) is not None

    def test_a_folder_that_is_removed_is_made_again(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        stored(cache, built.directory)
        shutil.rmtree(cache.folder)
        assert loaded(cache, built.directory) is None
        stored(cache, built.directory)
        assert loaded(cache, built.directory) is not None

    def test_a_folder_that_others_may_write_to_is_not_trusted(
        self, cache: IndexCache, built: LogdirBuilder
    ) -> None:
        stored(cache, built.directory)
        cache.folder.chmod(0o777)
        assert loaded(cache, built.directory) is None

    def test_an_index_is_for_the_user_alone(self, cache: IndexCache, built: LogdirBuilder) -> None:
        stored(cache, built.directory)
        assert cache.folder.stat().st_mode & 0o077 == 0
        assert kept_file(cache).stat().st_mode & 0o077 == 0

    def test_indexes_that_were_not_used_for_longest_make_room(
        self, cache: IndexCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        directories = [logdir(tmp_path / name).execution("Mul").directory for name in "abc"]
        stored(cache, directories[0])
        size = kept_file(cache).stat().st_size
        monkeypatch.setattr(cache_module, "MOST_BYTES", size * 5 // 2)
        os.utime(kept_file(cache), (1, 1))
        stored(cache, directories[1])
        for path in cache.folder.iterdir():
            os.utime(path, (2, 2))
        assert loaded(cache, directories[0]) is not None
        stored(cache, directories[2])
        assert [loaded(cache, d) is not None for d in directories] == [True, False, True]


@pytest.fixture
def variable(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv(FOLDER_VARIABLE)
    return monkeypatch


class TestVariable:
    @pytest.mark.parametrize("word", ["off", "OFF", "Off", "0", "no", "False", " off "])
    def test_off_keeps_nothing(self, variable: pytest.MonkeyPatch, word: str) -> None:
        variable.setenv(FOLDER_VARIABLE, word)
        assert IndexCache.of_user() is None

    def test_a_relative_path_is_refused_once_and_makes_no_folder(
        self, variable: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        variable.setenv(FOLDER_VARIABLE, "disabled")
        assert [IndexCache.of_user() for _ in range(3)] == [None] * 3
        assert [record.levelname for record in caplog.records] == ["WARNING"]
        assert "TB_DEBUGGER_CACHE=disabled is neither the absolute path" in caplog.text

    def test_it_names_a_folder(self, variable: pytest.MonkeyPatch, tmp_path: Path) -> None:
        variable.setenv(FOLDER_VARIABLE, str(tmp_path))
        cache = IndexCache.of_user()
        assert cache is not None
        assert cache.folder == tmp_path

    def test_else_it_is_the_users_cache_folder(
        self, variable: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        variable.setenv("XDG_CACHE_HOME", str(tmp_path))
        cache = IndexCache.of_user()
        assert cache is not None
        assert cache.folder.name == "tb-debugger-plugin"


def test_traces_of_a_restored_run_are_those_of_the_files(
    cache: IndexCache, built: LogdirBuilder
) -> None:
    stored(cache, built.directory)
    again = loaded(cache, built.directory)
    assert again is not None
    assert traced_ops(again.snapshot) == ["log", "log"]
    traces = again.snapshot.traces
    found, _ = again.snapshot.read_counts(int(traces.file[1]), int(traces.offset[1]), 10_000)
    assert found[0][2] == 1 << 33
