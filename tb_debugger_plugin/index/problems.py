"""What went wrong while reading a run, kept for the user."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Literal

from tb_debugger_plugin.events import limits
from tb_debugger_plugin.events.framing import HEADER_BYTES

ProblemKind = Literal[
    "bad_length",
    "bad_payload",
    "undecodable",
    "too_large",
    "too_many_names",
    "long_name",
    "cut_record",
    "unreadable_file",
    "out_of_memory",
    "missing_metadata",
    "missing_file",
]

DAMAGE: frozenset[ProblemKind] = frozenset(
    {"bad_length", "bad_payload", "undecodable", "too_large", "too_many_names"}
)
"""Records that were written and cannot be read."""

MOST_KEPT = 10_000
"""Further problems are only counted."""

MEANINGS: dict[ProblemKind, str] = {
    "bad_length": "The file is damaged here; reading went on at the next intact record.",
    "bad_payload": "A record's checksum is wrong; the record was left out.",
    "undecodable": "A record is not a tfdbg2 event although its checksum is right; left out.",
    "too_large": (
        f"A record has more than {limits.MOST_PARTS:,} inputs, outputs or values, or a stack of "
        "thousands of frames, which TensorFlow does not write; left out."
    ),
    "too_many_names": (
        "The names in this file have filled the memory that is meant for them; a record with a "
        "new name was left out."
    ),
    "long_name": f"A name is longer than {limits.MOST_NAME_BYTES:,} bytes; it is shown shortened.",
    "cut_record": (
        "The file ends inside a record: the program was killed or is still writing, "
        "or the file was copied too early."
    ),
    "unreadable_file": "The file cannot be read.",
    "out_of_memory": (
        "There was not enough memory for the whole run: it is shown as far as it was read."
    ),
    "missing_metadata": (
        "The file set has no readable metadata record, so its run id and TensorFlow version "
        "are unknown."
    ),
    "missing_file": "A file of the set is not there:",
}


@dataclass(frozen=True)
class Problem:
    """A loss or oddity. ``offset`` and ``num_bytes`` are bytes in ``file``."""

    kind: ProblemKind
    file: str
    offset: int | None
    num_bytes: int | None
    num_records: int | None
    is_loss: bool
    detail: str = ""

    @property
    def message(self) -> str:
        """What happened, in words."""
        return f"{MEANINGS[self.kind]} {self.detail}".rstrip()


@dataclass(frozen=True)
class ProblemState:
    """A ``Problem`` whose file is a position in the index's list."""

    kind: ProblemKind
    file: int
    offset: int | None
    num_bytes: int | None
    num_records: int | None
    is_loss: bool
    detail: str


class ProblemLog:
    """The problems that stay."""

    def __init__(self) -> None:
        self.num_dropped = 0
        self._problems: list[Problem] = []
        self._last_damage: dict[str, int] = {}

    def add(self, problem: Problem) -> None:
        """Notes a problem; damage that goes on where a file's last one ended widens that one."""
        is_damage = problem.kind == "bad_length"
        row = self._last_damage.get(problem.file)
        if is_damage and row is not None and _end(self._problems[row]) == problem.offset:
            self._problems[row] = _widened(self._problems[row], problem)
        elif len(self._problems) < MOST_KEPT:
            if is_damage:
                self._last_damage[problem.file] = len(self._problems)
            self._problems.append(problem)
        else:
            self.num_dropped += 1

    def state(self, paths: list[str]) -> list[ProblemState]:
        """The problems with their files as positions in ``paths``."""
        numbers = {path: number for number, path in enumerate(paths)}
        return [
            ProblemState(
                kind=problem.kind,
                file=numbers[problem.file],
                offset=problem.offset,
                num_bytes=problem.num_bytes,
                num_records=problem.num_records,
                is_loss=problem.is_loss,
                detail=problem.detail,
            )
            for problem in self._problems
        ]

    def restore(self, problems: list[ProblemState], paths: list[str], num_dropped: int) -> None:
        """Takes over what ``state`` gave."""
        for known in problems:
            self.add(Problem(**{**asdict(known), "file": paths[known.file]}))
        self.num_dropped = num_dropped

    def with_passing(self, passing: Iterable[Problem]) -> tuple[Problem, ...]:
        """All problems, together with those of the files as they are now."""
        problems = list(self._problems)
        for problem in passing:
            row = self._last_damage.get(problem.file)
            # Too few bytes behind damage to tell whether a record begins in them.
            if (
                problem.kind == "cut_record"
                and row is not None
                and _end(problems[row]) == problem.offset
                and (problem.num_bytes or 0) < HEADER_BYTES
            ):
                problems[row] = _widened(problems[row], problem)
            else:
                problems.append(problem)
        return tuple(problems)


def _end(problem: Problem) -> int:
    return (problem.offset or 0) + (problem.num_bytes or 0)


def _widened(problem: Problem, by: Problem) -> Problem:
    return replace(problem, num_bytes=(problem.num_bytes or 0) + (by.num_bytes or 0))
