from __future__ import annotations

import os
from pathlib import Path

import pytest

from tb_debugger_plugin.files.local import LocalFiles


def test_a_file_that_takes_anothers_place_has_another_identity(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one")
    before = LocalFiles().status(str(path))
    (tmp_path / "new").write_bytes(b"two")
    os.replace(tmp_path / "new", path)
    assert LocalFiles().status(str(path)).identity != before.identity


def test_links_count_as_what_they_lead_to(tmp_path: Path) -> None:
    (tmp_path / "directory").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "directory")
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe")
    found = {e.name: (e.is_directory, e.is_file) for e in LocalFiles().entries(str(tmp_path))}
    assert found["link"] == (True, False)
    assert found["broken"] == found["pipe"] == (False, False)


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    """Opening a pipe would wait for its other end, and a device may have no end."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "directory").mkdir()
    for path in (tmp_path / "pipe", tmp_path / "directory", Path("/dev/zero")):
        with pytest.raises(OSError, match=r"Not a file|Is a directory"):
            LocalFiles().open(str(path))
