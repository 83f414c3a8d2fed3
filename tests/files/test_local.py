from __future__ import annotations

import os
from pathlib import Path

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
