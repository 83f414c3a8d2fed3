"""Finds the corpus and unpacks it once."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tarfile
import tempfile
from functools import cache
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = REPOSITORY.parent / "shared" / "corpus"
ARCHIVE = CORPUS / "logdirs.tar.xz"
_CACHE = REPOSITORY / ".cache" / "corpus"


def absence() -> str | None:
    """Why the corpus cannot be used; ``None`` if it can."""
    return None if ARCHIVE.is_file() else f"the corpus is not there: no {ARCHIVE}"


@cache
def unpacked_corpus() -> Path:
    """The folder with a folder a case; unpacks the archive if no other process has yet."""
    _CACHE.mkdir(parents=True, exist_ok=True)
    target = _CACHE / _digest(ARCHIVE)
    with (_CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            _unpack(target)
    return target


def _unpack(target: Path) -> None:
    """A reader never sees half of it: the folder gets its name when all is there."""
    for leftover in _CACHE.glob("unpacking-*"):
        shutil.rmtree(leftover)
    unfinished = Path(tempfile.mkdtemp(prefix="unpacking-", dir=_CACHE))
    with tarfile.open(ARCHIVE) as archive:
        # As an argument it is known from Python 3.11.4 on.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(unfinished)
    os.replace(unfinished, target)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()[:16]
