"""What the corpus's truth files say, a run at a time."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from tests.corpus.logdirs import CORPUS, unpacked_corpus

COUNTS = ("executions", "traces", "graphs", "ops", "source_files", "stack_frames", "alerts")

_REPEATED = ("source_files", "stack_frames")
_NOT_ON_DISK = "?"


@dataclass(frozen=True)
class UserFrame:
    file_path: str
    lineno: int
    function: str


@dataclass(frozen=True)
class Alert:
    """An output that holds NaN or infinity."""

    kind: str
    op_type: str
    """"" where the op's creation is not on disk."""
    slot: int | None
    """For executions the position among the recorded values; ``None`` where that is no slot."""
    counts: tuple[int | None, int | None, int | None] | None
    """-inf, +inf and NaN elements; ``None`` where the mode does not count them."""
    wall_time: float
    user_frame: UserFrame | None
    """The innermost frame of the program itself."""


@dataclass(frozen=True)
class RunTruth:
    """A run id in a folder."""

    case: str
    folder: str
    run_id: str
    counts: dict[str, int]
    """Distinct source files and stack frames, however often they are recorded."""
    records: dict[str, int]
    """Intact records by kind of file, up to the first damage of each file."""
    first_alerts: tuple[Alert, ...]
    """By wall time."""
    trailing_bytes: dict[str, int]
    """Bytes of a record cut by the end, by kind of file; cut source files have been changed since,
    so that their number says only that there are some."""
    is_damaged: bool
    """A file is damaged before its end: a reader that goes on behind that may find more."""

    @property
    def name(self) -> str:
        folder = "" if self.folder == "." else f"/{self.folder}"
        return f"{self.case}{folder}#{self.run_id}"

    @property
    def path(self) -> str:
        return str(unpacked_corpus() / self.case / self.folder)


@cache
def runs() -> tuple[RunTruth, ...]:
    """All runs of all cases."""
    found = []
    for path in sorted((CORPUS / "truth").glob("*.json")):
        for folder, truth in json.loads(path.read_text(encoding="utf-8"))["dirs"].items():
            for file_set in truth["direct"]:
                found.append(_run(path.stem, folder, file_set, truth["reader"]))
    keys = {(run.case, run.folder, run.run_id) for run in found}
    assert len(keys) == len(found), "a run of several file sets: their counts have to be added up"
    return tuple(found)


def agree(read: tuple[Alert, ...], truth: tuple[Alert, ...]) -> bool:
    """Whether the alerts are the same, save for slots that the reader does not know."""
    known = [
        replace(alert, slot=None) if other.slot is None else alert
        for alert, other in zip(truth, read, strict=False)
    ]
    return len(read) == len(truth) and known == list(read)


def _run(case: str, folder: str, file_set: dict[str, Any], reader: dict[str, Any]) -> RunTruth:
    counts = {name: int(file_set[name]) for name in COUNTS}
    if reader["outcome"] == "ok":
        # The truth counts records; TensorFlow's reader counts what they tell.
        counts.update({name: int(reader[name]) for name in _REPEATED})
    files: dict[str, dict[str, Any]] = file_set["files"]
    trailing = {kind: int(file["trailing_bytes"]) for kind, file in files.items()}
    stops = [file.get("stopped", "") for file in files.values()]
    return RunTruth(
        case=case,
        folder=folder,
        run_id=file_set["run_id"],
        counts=counts,
        records={kind: int(file["records"]) for kind, file in files.items()},
        first_alerts=tuple(_alert(alert) for alert in file_set["first_alerts_by_wall_time"]),
        trailing_bytes={kind: count for kind, count in trailing.items() if count},
        is_damaged=any(stop and not stop.startswith("truncated") for stop in stops),
    )


def _alert(alert: dict[str, Any]) -> Alert:
    counts: list[Any] = [alert.get(name) for name in ("neg_inf", "pos_inf", "nan")]
    frames = [frame for frame in alert["program_frames"] if frame[0] != _NOT_ON_DISK]
    return Alert(
        kind=alert["kind"],
        op_type="" if alert["op_type"] == _NOT_ON_DISK else alert["op_type"],
        slot=alert["slot"],
        counts=None if None in counts else (int(counts[0]), int(counts[1]), int(counts[2])),
        wall_time=alert["t"],
        user_frame=UserFrame(*frames[-1]) if frames else None,
    )
