"""Where in the user's code events were made, and what each line made."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.execution_rows import any_of_row
from tb_debugger_plugin.analyses.libraries import library_of
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import Frame


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
        by_line = sorted(self._locations_by_line.get(source, {}).items())
        return [
            LineCount(lineno, *self._counts[locations].sum(axis=0).tolist())
            for lineno, locations in by_line
        ]

    def events_of_line(self, source: int, lineno: int) -> tuple[Int64s, Int64s]:
        """Rows of the ops and rows of the executions that a line made, ascending."""
        # The last entry is for -1, which stands for no location.
        made_here = np.zeros(len(self._counts) + 1, dtype=np.bool_)
        made_here[self._locations_by_line.get(source, {}).get(lineno, [])] = True
        ops, executions = self._snapshot.ops, self._snapshot.executions
        return (
            np.flatnonzero(made_here.take(ops.location)),
            np.flatnonzero(made_here.take(executions.location)),
        )

    @part
    def bad_ops(self) -> Mask:
        """Whether each op row has a trace with an alert."""
        snapshot = self._snapshot
        bad = np.zeros(len(snapshot.names.op_refs), dtype=np.bool_)
        bad[snapshot.traces.op[snapshot.traces.values.bad == HAS_INF_NAN]] = True
        return bad[snapshot.ops.op]

    @part
    def bad_executions(self) -> Mask:
        """Whether each execution row has an output with an alert."""
        executions = self._snapshot.executions
        return any_of_row(executions.values.bad == HAS_INF_NAN, executions.value_end)

    @part
    def _counts(self) -> Int64s:
        """By code location: ops and executions made there, and how many of them had an alert."""
        ops, executions = self._snapshot.ops.location, self._snapshot.executions.location
        num_locations = max((int(c.max()) for c in (ops, executions) if len(c)), default=-1) + 1

        def count(locations: Int32s) -> Int64s:
            # -1, which stands for no location, is counted first.
            return np.bincount(locations.astype(np.int64) + 1, minlength=num_locations + 1)[1:]

        num_events = count(ops) + count(executions)
        num_bad = count(ops[self.bad_ops]) + count(executions[self.bad_executions])
        return np.stack([num_events, num_bad], axis=1)

    @part
    def _locations_by_line(self) -> dict[int, dict[int, list[int]]]:
        """The locations of the events of each line of each source."""
        lines: dict[int, dict[int, list[int]]] = {}
        for location in np.flatnonzero(self._counts[:, 0]).tolist():
            frame = self.innermost_user_frame(location)
            if frame is not None:
                lines.setdefault(frame.source, {}).setdefault(frame.lineno, []).append(location)
        return lines

    def _find_user_frame(self, location: int) -> UserFrame | None:
        for frame_id in reversed(self._snapshot.location(location).frame_ids):
            frame = self._snapshot.frames.get(frame_id)
            if frame is not None and frame.source is not None and self.is_user_frame(frame):
                return UserFrame(frame.source, frame.lineno, frame.function)
        return None


def first_trace_position(snapshot: Snapshot, positions: Int32s) -> int | None:
    """The first bad one of an op's traces, else the first; a position in trace order."""
    if not len(positions):
        return None
    order = snapshot.trace_order
    rows = positions if order is None else order[positions]
    bad = np.flatnonzero(snapshot.traces.values.bad[rows] == HAS_INF_NAN)
    return int(positions[bad[0]] if len(bad) else positions[0])
