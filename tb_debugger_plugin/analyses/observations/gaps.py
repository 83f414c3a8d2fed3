"""Where events are missing from the two lists, as far as the data tells.

With a circular buffer TensorFlow keeps the last events of each sort in memory and writes them when
the program ends, or flushes: what the buffer has dropped is nowhere said. It shows all the same.

* Stack frames are written at once, so a frame that belongs to no event on disk tells of an
  execution that was dropped, before the first one that names a later frame.
* A call that has an execution and no graph execution, although the function has some in other
  calls, has lost them.
* Tensor ids count up, a few an execution: where graph executions were lost at a flush and the ids
  leap, executions are lost too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.observations.calls_seen import UnpairedCalls
from tb_debugger_plugin.analyses.stacks import Stacks
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, TimeOrder
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.index.problems import DAMAGE
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import ExecutionTable, TraceTable

DEFAULT_BUFFER = 1000
"""Events of each sort that TensorFlow keeps unless told otherwise."""

MOST_GAPS = 1000

_LEAP = 4
"""Tensor ids leap where they rise by so many times as much as they mostly do."""

_EARLY_TENSOR_ID = 10
"""An execution whose output has so low an id is among the first of its program."""

GapCause = Literal["dropped", "damaged"]


@dataclass(frozen=True)
class Gap:
    """Events are missing right before the one at ``index``; 0 for the begin of the list.

    ``may_pass``: what is written next may refute it.
    """

    index: int
    cause: GapCause
    is_certain: bool = True
    may_pass: bool = False


@dataclass(frozen=True)
class Gaps:
    """The gaps of both lists, each by ascending index and one an index."""

    executions: tuple[Gap, ...]
    traces: tuple[Gap, ...]

    @property
    def any_dropped(self) -> bool:
        """Whether a circular buffer dropped events, as far as the data tells."""
        return any(gap.cause == "dropped" for gap in (*self.executions, *self.traces))

    @property
    def lasting(self) -> Gaps:
        """Those that stay, whatever the program writes from here on."""
        return Gaps(
            tuple(gap for gap in self.executions if not gap.may_pass),
            tuple(gap for gap in self.traces if not gap.may_pass),
        )


def find_gaps(traces: JoinedTraces, stacks: Stacks, calls: Sequence[UnpairedCalls]) -> Gaps:
    """The gaps of a run; the first ``MOST_GAPS`` of each list."""
    snapshot = traces.snapshot
    damage_of_executions = _at_damage(snapshot, snapshot.executions, "execution")
    damage_of_traces = _at_damage(snapshot, snapshot.traces, "graph_execution_traces")
    missing_traces = _begins_of_missing_traces(snapshot, calls)
    in_executions: list[Gap] = []
    if damage_of_executions is None:
        if has_orphan_frames(snapshot, stacks):
            in_executions.append(Gap(0, "dropped", may_pass=True))
        elif _fills_buffer(len(snapshot.executions)) and not _begins_early(snapshot):
            in_executions.append(Gap(0, "dropped", is_certain=False, may_pass=True))
        if damage_of_traces is None:
            in_executions += _at_flushes(snapshot, missing_traces, calls)
    in_traces = [
        Gap(index, "dropped" if damage_of_traces is None else "damaged")
        for index in missing_traces.tolist()
    ]
    if damage_of_traces is None and not in_traces and _fills_buffer(len(snapshot.traces)):
        in_traces.append(Gap(0, "dropped", is_certain=False, may_pass=True))
    return Gaps(
        executions=_tidy(in_executions, damage_of_executions),
        traces=_tidy(in_traces, damage_of_traces),
    )


def has_orphan_frames(snapshot: Snapshot, stacks: Stacks) -> bool:
    """Whether stack frames tell of an execution that was written before some that are on disk.

    Such a frame is named by no event on disk, while a later one is, by executions only. Where any
    file is not whole, the frame may belong to what is lost of that.
    """
    if (
        len(snapshot.file_sets) != 1
        or not stacks.all_are_known
        or any(problem.is_loss for problem in snapshot.problems)
    ):
        return False
    orphans = np.flatnonzero(~(stacks.of_executions | stacks.of_ops))
    of_executions_alone = np.flatnonzero(stacks.of_executions & ~stacks.of_ops)
    return bool(len(orphans) and len(of_executions_alone) and orphans[0] < of_executions_alone[-1])


def _begins_of_missing_traces(snapshot: Snapshot, calls: Sequence[UnpairedCalls]) -> Int64s:
    """Indices of the traces before which those of a call are missing, ascending."""
    executions, traces = TimeOrder.of_executions(snapshot), TimeOrder.of_traces(snapshot)
    unobserved = [function.unobserved for function in calls if len(function.unobserved)]
    if not unobserved:
        return np.empty(0, dtype=np.int64)
    # The end of a call may be there, so what is missing is looked for at its begin: where the
    # execution before it ended.
    before = np.concatenate(unobserved) - 1
    ended = executions.wall_time[executions.rows(before[before >= 0])]
    times = traces.wall_time[traces.rows(EVERY_ROW)]
    places = np.searchsorted(times, ended, side="right")
    return np.unique(np.append(places, 0) if (before < 0).any() else places)


def _at_flushes(
    snapshot: Snapshot, missing_traces: Int64s, calls: Sequence[UnpairedCalls]
) -> Iterator[Gap]:
    """A flush empties both buffers: executions are missing where traces are, if tensor ids leap."""
    flushes = missing_traces[missing_traces > 0]
    if not len(flushes) or len(snapshot.executions) < 2:
        return
    first, last = _tensor_ids(snapshot)
    leaps = first[1:] - last[:-1]
    usual = float(np.median(leaps))
    unobserved = np.sort(np.concatenate([function.unobserved for function in calls]))
    executions, traces = TimeOrder.of_executions(snapshot), TimeOrder.of_traces(snapshot)
    for index in flushes[:MOST_GAPS].tolist():
        last_kept = executions.place(float(traces.wall_time[traces.row(index - 1)]), "left")
        place = int(np.searchsorted(unobserved, last_kept))
        if place == len(unobserved) or last_kept >= unobserved[place]:
            continue
        between = leaps[last_kept : int(unobserved[place])]
        widest = int(np.argmax(between))
        if between[widest] >= _LEAP * max(usual, 1.0):
            yield Gap(last_kept + widest + 1, "dropped", is_certain=False, may_pass=True)


def _tensor_ids(snapshot: Snapshot) -> tuple[Int64s, Int64s]:
    """The first and the last output's tensor id of each execution, in time order.

    Executions without an output have the id before: of them nothing is told.
    """
    executions = snapshot.executions
    rows = TimeOrder.of_executions(snapshot).rows(EVERY_ROW)
    begin, end = executions.output_end[:-1][rows], executions.output_end[1:][rows]
    ids = np.append(executions.output_tensor_id, 0).astype(np.int64)
    first = np.where(end > begin, ids[begin], 0)
    last = np.where(end > begin, ids[end - 1], 0)
    last = np.maximum.accumulate(last)
    return np.where(end > begin, first, last), last


def _fills_buffer(num_events: int) -> bool:
    return num_events == DEFAULT_BUFFER


def _begins_early(snapshot: Snapshot) -> bool:
    """Whether the first execution is one of the program's first."""
    first, _ = _tensor_ids(snapshot)
    return 0 < int(first[0]) < _EARLY_TENSOR_ID


def _at_damage(
    snapshot: Snapshot, table: ExecutionTable | TraceTable, kind: FileKind
) -> Int64s | None:
    """Indices of the events behind damaged parts of their file; ``None`` where there is none."""
    damaged: dict[str, list[int]] = {}
    for problem in snapshot.problems:
        if (
            problem.kind in DAMAGE
            and problem.offset is not None
            and problem.file.endswith(f".{kind}")
        ):
            damaged.setdefault(problem.file, []).append(problem.offset)
    if not damaged:
        return None
    order = snapshot.execution_index_of_row if kind == "execution" else snapshot.trace_index_of_row
    found = []
    for path, offsets in damaged.items():
        rows = np.flatnonzero(table.file == snapshot.paths.index(path))
        places = np.searchsorted(table.offset[rows], offsets)
        behind = rows[places[places < len(rows)]]
        found.append(behind if order is None else order[behind])
    return np.unique(np.concatenate(found))


def _tidy(gaps: Sequence[Gap], damage: Int64s | None) -> tuple[Gap, ...]:
    """By index; of two at one index the first that is certain."""
    everything = [*gaps]
    if damage is not None:
        everything += [Gap(index, "damaged") for index in damage[:MOST_GAPS].tolist()]
    by_index: dict[int, Gap] = {}
    for gap in sorted(everything, key=lambda gap: (gap.index, not gap.is_certain)):
        by_index.setdefault(gap.index, gap)
    return tuple(by_index.values())[:MOST_GAPS]
