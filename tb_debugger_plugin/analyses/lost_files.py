"""Which kinds of files a run lacks, whole or in part: what is not there may have been in them."""

from __future__ import annotations

from collections.abc import Iterable

from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tb_debugger_plugin.index.problems import DAMAGE
from tb_debugger_plugin.index.snapshot import Snapshot


def absent_files(snapshot: Snapshot) -> list[FileKind]:
    """The kinds of which a file is not there, or cannot be read and was not before."""
    read = {file.path for file in snapshot.progress if 0 < file.size == file.bytes_read}
    return _kinds(
        problem.file
        for problem in snapshot.problems
        if problem.kind == "missing_file"
        or (problem.kind == "unreadable_file" and problem.file not in read)
    )


def damaged_files(snapshot: Snapshot) -> list[FileKind]:
    """The kinds of which a file has records that cannot be read."""
    # Problems that were only counted may be anywhere.
    if snapshot.num_problems_dropped:
        return list(FILE_KINDS)
    return _kinds(problem.file for problem in snapshot.problems if problem.kind in DAMAGE)


def is_whole(snapshot: Snapshot, kind: FileKind) -> bool:
    """Whether all that was written to the files of a kind was read, their ends aside."""
    return kind not in absent_files(snapshot) and kind not in damaged_files(snapshot)


def _kinds(files: Iterable[str]) -> list[FileKind]:
    distinct = {file.rpartition(".")[2] for file in files}
    return [kind for kind in FILE_KINDS if kind in distinct]
