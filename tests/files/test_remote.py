from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from typing import Any

import fsspec
import pytest

from tb_debugger_plugin.files.choose import file_system_of
from tb_debugger_plugin.files.remote import MissingPackage, RemoteFiles


@pytest.fixture
def memory() -> Iterator[Any]:
    files = fsspec.filesystem("memory")
    files.pipe_file("/logs/run/file", bytes(range(256)) * 1000)
    yield files
    files.rm("/logs", recursive=True)


def test_a_file_is_read_in_ranges(memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    cat_file = memory.cat_file

    def counting(path: str, start: int, end: int) -> bytes:
        asked.append(end - start)
        content: bytes = cat_file(path, start=start, end=end)
        return content

    monkeypatch.setattr(
        type(memory), "cat_file", lambda _, *given, **named: counting(*given, **named)
    )
    file = RemoteFiles("memory").open("memory://logs/run/file")
    file.seek(100_000)
    assert file.read(4) == bytes([160, 161, 162, 163])
    assert file.read(4) == bytes([164, 165, 166, 167])
    assert asked == [1 << 16]


def test_the_end_of_a_file_is_its_end(memory: Any) -> None:
    file = RemoteFiles("memory").open("memory://logs/run/file")
    assert file.seek(-3, io.SEEK_END) == 255_997
    assert file.read(10) == bytes([253, 254, 255])
    assert file.read(10) == b""
    file.seek(10**9)
    assert file.read(10) == b""


def test_directories_and_files_are_told_apart(memory: Any) -> None:
    files = RemoteFiles("memory")
    memory.pipe_file("/logs/other", b"")
    found = {e.name: (e.is_directory, e.is_file) for e in files.entries("memory://logs")}
    assert found == {"run": (True, False), "other": (False, True)}
    assert files.join("memory://logs/", "run") == "memory://logs/run"


def test_what_changes_has_another_version(memory: Any) -> None:
    files = RemoteFiles("memory")
    before = files.status("memory://logs/run/file")
    memory.pipe_file("/logs/run/file", b"other")
    after = files.status("memory://logs/run/file")
    assert (before.size, after.size) == (256_000, 5)
    assert after.version != before.version


def test_nothing_there_is_said_as_on_a_disk() -> None:
    with pytest.raises(FileNotFoundError):
        RemoteFiles("memory").status("memory://nowhere/file")


def test_whatever_a_package_raises_is_an_error_of_the_file(
    memory: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("token expired")

    monkeypatch.setattr(type(memory), "info", fail)
    with pytest.raises(OSError, match="token expired"):
        RemoteFiles("memory").status("memory://logs/run/file")


def test_a_scheme_that_nobody_knows_is_said_not_to_be_known() -> None:
    with pytest.raises(MissingPackage, match="does not know nonsense://"):
        file_system_of("nonsense://bucket/logs")


@pytest.mark.parametrize(("scheme", "extra"), [("s3", "s3"), ("gs", "gcs"), ("hdfs", "hdfs")])
def test_a_missing_package_is_named_with_what_to_install(
    scheme: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lacking(*_: object, **__: object) -> None:
        raise ImportError("Install xyfs to access it")

    monkeypatch.setattr(fsspec, "filesystem", lacking)
    with pytest.raises(MissingPackage, match=rf"xyfs.*tb-debugger-plugin\[{extra}\]"):
        RemoteFiles(scheme)


def test_fsspec_itself_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingPackage, match=r"fsspec.*tb-debugger-plugin\[remote\]"):
        RemoteFiles("sftp")
