"""What went wrong while reading a run, kept for the user."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

ProblemKind = Literal[
    "bad_length",
    "bad_payload",
    "undecodable",
    "cut_record",
    "unreadable_file",
    "missing_metadata",
    "missing_file",
]

MEANINGS: dict[ProblemKind, str] = {
    "bad_length": "The file is damaged here; reading went on at the next intact record.",
    "bad_payload": "A record's checksum is wrong; the record was left out.",
    "undecodable": "A record is not a tfdbg2 event although its checksum is right; left out.",
    "cut_record": (
        "The file ends inside a record: the program was killed or is still writing, "
        "or the file was copied too early."
    ),
    "unreadable_file": "The file cannot be read.",
    "missing_metadata": (
        "The file set has no readable metadata record, so its run id and TensorFlow version "
        "are unknown."
    ),
    "missing_file": "A file of the set is not there.",
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
