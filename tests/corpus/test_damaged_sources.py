"""A record of a real `.source_files` that cannot be read gives no frame another file."""

from __future__ import annotations

import os
import shutil
import struct
from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import find_file_sets, set_prefix
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.index.reading import read

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

FILES = [] if ABSENCE else sorted(unpacked_corpus().rglob("*.source_files"))
_HEADER_BYTES, _FRAME_BYTES = 12, 16


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name[13:-13]}")
def test_no_frame_gets_another_file(path: Path, tmp_path: Path) -> None:
    (file_set,) = (
        each
        for each in find_file_sets(str(path.parent), sorted(os.listdir(path.parent)))
        if each.prefix == set_prefix(str(path))
    )
    for kind in ("metadata", "source_files", "stack_frames"):
        shutil.copy(file_set.path(kind), tmp_path)
    undamaged = paths_of_frames(tmp_path)
    content = path.read_bytes()
    for number, (offset, length) in enumerate(records(content)):
        # Lengths are damaged now and then: what is behind them is known in no case.
        place = 0 if number % 8 == 7 else _HEADER_BYTES + length // 2
        at = offset + place
        flipped = content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :]
        (tmp_path / path.name).write_bytes(flipped)
        now = paths_of_frames(tmp_path)
        assert now.keys() == undamaged.keys()
        other = {frame for frame, file in now.items() if file not in (None, undamaged[frame])}
        assert not other, number


def paths_of_frames(directory: Path) -> dict[str, str | None]:
    snapshot = read(directory)
    return {
        frame_id: None if frame.source is None else snapshot.sources[frame.source].file_path
        for frame_id, frame in snapshot.frames.items()
    }


def records(content: bytes) -> list[tuple[int, int]]:
    """Offset and payload length of each record up to the first that cannot be trusted."""
    found, offset = [], 0
    while offset + _HEADER_BYTES <= len(content):
        (length,) = struct.unpack_from("<Q", content, offset)
        if offset + _FRAME_BYTES + length > len(content):
            break
        found.append((offset, length))
        offset += _FRAME_BYTES + length
    return found
