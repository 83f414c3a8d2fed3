"""Where in the user's code events were made, and what each line made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.libraries import library_of
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int32s, Int64s
from tb_debugger_plugin.index.columns import place_in
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import Frame

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class UserFrame:
    """The innermost user frame of a code location. ``source`` is a position in the sources."""

    source: int
    lineno: int
    function: str


@dataclass(frozen=True)
class LineCount:
    """How many graph ops and eager executions a line made, and how many of them had an alert."""

    lineno: int
    num_events: int
    num_bad: int


class Code:
    """Answers for one snapshot; what is asked is remembered."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._user_frames: dict[int, UserFrame | None] = {}
        self._ops = _RowsByLocation(snapshot.ops.location)
        self._executions = _RowsByLocation(snapshot.executions.location)
        self._lines: dict[int, dict[int, list[int]]] | None = None

    def innermost_user_frame(self, location: int) -> UserFrame | None:
        """The user's own line of a code location; ``None`` if no frame of it is on disk."""
        if location not in self._user_frames:
            self._user_frames[location] = self._find_user_frame(location)
        return self._user_frames[location]

    def is_user_frame(self, frame: Frame) -> bool:
        """Whether a frame is in the user's own code."""
        return (
            frame.source is not None
            and library_of(self._snapshot.sources[frame.source].file_path) is None
        )

    def line_counts(self, source: int) -> list[LineCount]:
        """What the lines of a file made, in line order."""
        counts = []
        for lineno, locations in sorted(self._locations_by_line().get(source, {}).items()):
            ops, executions = self.events_of(locations)
            num_bad = int(np.count_nonzero(self.bad_ops[ops])) + int(
                np.count_nonzero(self.bad_executions[executions])
            )
            counts.append(LineCount(lineno, len(ops) + len(executions), num_bad))
        return counts

    def events_of_line(self, source: int, lineno: int) -> tuple[Int64s, Int64s]:
        """Rows of the ops and rows of the executions that a line made."""
        return self.events_of(self._locations_by_line().get(source, {}).get(lineno, []))

    def events_of(self, locations: list[int]) -> tuple[Int64s, Int64s]:
        """Rows of the ops and rows of the executions made at any of the locations."""
        return self._ops.at(locations), self._executions.at(locations)

    @cached_property
    def bad_ops(self) -> Mask:
        """Whether each op row has a trace with an alert."""
        snapshot = self._snapshot
        bad = np.zeros(len(snapshot.names.op_refs), dtype=np.bool_)
        bad[snapshot.traces.op[snapshot.traces.values.bad == HAS_INF_NAN]] = True
        return bad[snapshot.ops.op]

    @cached_property
    def bad_executions(self) -> Mask:
        """Whether each execution row has an output with an alert."""
        executions = self._snapshot.executions
        values = np.flatnonzero(executions.values.bad == HAS_INF_NAN)
        bad = np.zeros(len(executions), dtype=np.bool_)
        bad[np.searchsorted(executions.value_end, values, side="right") - 1] = True
        return bad

    def _locations_by_line(self) -> dict[int, dict[int, list[int]]]:
        if self._lines is None:
            lines: dict[int, dict[int, list[int]]] = {}
            used = np.union1d(self._snapshot.ops.location, self._snapshot.executions.location)
            for location in used[used >= 0].tolist():
                frame = self.innermost_user_frame(location)
                if frame is not None:
                    by_line = lines.setdefault(frame.source, {})
                    by_line.setdefault(frame.lineno, []).append(location)
            self._lines = lines
        return self._lines

    def _find_user_frame(self, location: int) -> UserFrame | None:
        for frame_id in reversed(self._snapshot.location(location).frame_ids):
            frame = self._snapshot.frames.get(frame_id)
            if frame is not None and frame.source is not None and self.is_user_frame(frame):
                return UserFrame(frame.source, frame.lineno, frame.function)
        return None


class _RowsByLocation:
    """Which rows of a table have a code location."""

    def __init__(self, locations: Int32s) -> None:
        self._rows = np.argsort(locations, kind="stable")
        self._sorted = locations[self._rows]

    def at(self, locations: list[int]) -> Int64s:
        """Rows at any of the locations, ascending."""
        parts = []
        for location in locations:
            begin = place_in(self._sorted, location, "left")
            end = place_in(self._sorted, location, "right")
            parts.append(self._rows[begin:end])
        return np.sort(np.concatenate(parts)) if parts else np.empty(0, dtype=np.int64)


def first_trace_position(snapshot: Snapshot, positions: Int64s) -> int | None:
    """The first bad one of an op's traces, else the first; a position in trace order."""
    if not len(positions):
        return None
    order = snapshot.trace_order
    rows = positions if order is None else order[positions]
    bad = np.flatnonzero(snapshot.traces.values.bad[rows] == HAS_INF_NAN)
    return int(positions[bad[0]] if len(bad) else positions[0])
