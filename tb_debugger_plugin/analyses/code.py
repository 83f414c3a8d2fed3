"""Where in the user's code events were made, and what each line made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.execution_rows import any_of_row
from tb_debugger_plugin.analyses.freed_memory import returning_memory
from tb_debugger_plugin.analyses.libraries import is_generated, library_of
from tb_debugger_plugin.analyses.lost_files import damaged_files, is_whole
from tb_debugger_plugin.analyses.recent import Recent
from tb_debugger_plugin.analyses.time_order import Mask, blocks
from tb_debugger_plugin.events.batches import HAS_INF_NAN, Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import Frame, OpKey


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


MOST_EVENTS_OF_A_LINE = 200
"""Of ops, and of executions."""
_MOST_BYTES_OF_LINES = 1 << 20


@dataclass(frozen=True)
class MadeByLine:
    """What a line made: how much in all, and rows of it, bad ones first, each ascending."""

    num_events: int
    ops: Int64s
    executions: Int64s

    @property
    def nbytes(self) -> int:
        """The rows' size."""
        return self.ops.nbytes + self.executions.nbytes


class Code:
    """Answers for one snapshot; what is asked is remembered."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._user_frames: dict[int, UserFrame | None] = {}
        self._lines: Recent[MadeByLine] = Recent(_MOST_BYTES_OF_LINES)

    def innermost_user_frame(self, location: int) -> UserFrame | None:
        """The user's own line of a code location.

        ``None`` if there is none, or if it may be another one further inside: a frame whose file is
        not known, or one that was lost to damage. No line is better than a wrong one.
        """
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

    def events_of_line(self, source: int, lineno: int) -> MadeByLine:
        """What a line made, and which of it is shown."""
        return self._lines.get((source, lineno), lambda: self._find_events(source, lineno))

    def _find_events(self, source: int, lineno: int) -> MadeByLine:
        # The last entry is for -1, which stands for no location.
        made_here = np.zeros(len(self._counts) + 1, dtype=np.bool_)
        made_here[self._locations_by_line.get(source, {}).get(lineno, [])] = True
        ops, executions = self._snapshot.ops, self._snapshot.executions
        return MadeByLine(
            num_events=int(self._counts[made_here[:-1], 0].sum()),
            ops=_rows_made_at(made_here, ops.location, self.bad_ops),
            executions=_rows_made_at(made_here, executions.location, self.bad_executions),
        )

    @part
    def num_alerts_of_op(self) -> Int64s:
        """How many traces with an alert each op has, by ``OpKey``."""
        return np.bincount(self._bad_traces_of_op[0], minlength=len(self._snapshot.names.op_refs))

    def telling_trace(self, op: OpKey, positions: Int32s) -> int | None:
        """The first bad one of an op's traces, else the first; a position in trace order.

        Args:
          op: The op.
          positions: Those of all of its traces, ascending.
        """
        if not len(positions):
            return None
        return int(self._first_bad_of_op[op] if self.num_alerts_of_op[op] else positions[0])

    @part
    def _first_bad_of_op(self) -> Int32s:
        ops, positions = self._bad_traces_of_op
        first = np.full(len(self._snapshot.names.op_refs), -1, dtype=np.int32)
        # Reversed, so that of an op's positions the first counts.
        first[ops[::-1]] = positions[::-1]
        return first

    @property
    def _bad_traces_of_op(self) -> tuple[Int32s, Int64s]:
        """The op of each trace with an alert, and its place in trace order, ascending."""
        snapshot = self._snapshot
        is_bad, ops = snapshot.traces.values.bad == HAS_INF_NAN, snapshot.traces.op
        if snapshot.trace_order is None:
            return ops[is_bad], np.flatnonzero(is_bad)
        positions = np.flatnonzero(is_bad[snapshot.trace_order])
        return ops[snapshot.trace_order[positions]], positions

    @part
    def bad_ops(self) -> Mask:
        """Whether each op row has a trace with an alert."""
        return self.num_alerts_of_op[self._snapshot.ops.op] > 0

    @part
    def bad_executions(self) -> Mask:
        """Whether each execution row has an output with an alert."""
        executions = self._snapshot.executions
        return any_of_row(executions.values.bad == HAS_INF_NAN, executions.value_end)

    @part
    @returning_memory
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
        frame_ids = self._snapshot.location(location).frame_ids
        place = self.innermost_user_place(frame_ids)
        frame = None if place is None else self._snapshot.frames[frame_ids[place]]
        if frame is None or frame.source is None:
            return None
        return UserFrame(frame.source, frame.lineno, frame.function)

    def innermost_user_place(self, frame_ids: Sequence[str]) -> int | None:
        """Where the user's own line is among frames, outermost first; ``None`` as above.

        In a thread of a distribution strategy there is none but in AutoGraph's copy of a function.
        """
        copied = None
        for place in reversed(range(len(frame_ids))):
            frame = self._snapshot.frames.get(frame_ids[place])
            if frame is None and not self._lost_frames:
                continue  # Not written before the program was killed, which costs all stacks some.
            if frame is None or frame.source is None:
                return None
            if self.is_user_frame(frame):
                return place
            if copied is None and is_generated(self._snapshot.sources[frame.source].file_path):
                copied = place
        return copied

    @part
    def has_damaged_sources(self) -> bool:
        """Whether that is why the file of a frame may not be known."""
        return "source_files" in damaged_files(self._snapshot)

    @part
    def _lost_frames(self) -> bool:
        """Whether frames that are not on disk were there, and may be anyone's."""
        return not is_whole(self._snapshot, "stack_frames")


def _rows_made_at(is_here: Mask, locations: Int32s, is_bad: Mask) -> Int64s:
    """Rows of some locations, bad ones first, at most as many as are shown.

    Args:
      is_here: Which locations, by id.
      locations: That of each row.
      is_bad: Which rows had an alert.
    """
    bad, rest = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for block in blocks(range(len(locations))):
        rows = np.flatnonzero(is_here.take(locations[block])) + block.start
        bad_here = is_bad[rows]
        bad.append(rows[bad_here][:MOST_EVENTS_OF_A_LINE])
        rest.append(rows[~bad_here][:MOST_EVENTS_OF_A_LINE])
    first = np.concatenate(bad)[:MOST_EVENTS_OF_A_LINE]
    return np.concatenate([first, *rest])[:MOST_EVENTS_OF_A_LINE]
