"""What the reader makes of a run, in the truth's terms."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

import numpy as np

from tb_debugger_plugin.events import reference
from tb_debugger_plugin.events.batches import HAS_INF_NAN
from tb_debugger_plugin.index.file_sets import FileKind, find_file_sets
from tb_debugger_plugin.index.problems import Problem
from tb_debugger_plugin.index.run_index import RunIndex
from tb_debugger_plugin.index.snapshot import Snapshot
from tests.corpus.truth import Alert, UserFrame

_NUM_FIRST_ALERTS = 3
_LIBRARIES = "/usr/lib/"


@dataclass(frozen=True)
class Observation:
    counts: dict[str, int]
    first_alerts: tuple[Alert, ...]
    problems: tuple[Problem, ...]


@cache
def observe(path: str, run_id: str) -> Observation:
    """Reads a run from disk."""
    file_sets = [s for s in find_file_sets(path, os.listdir(path)) if s.run_id == run_id]
    index = RunIndex(file_sets)
    index.refresh()
    snapshot = index.snapshot
    alerts = _alerts(snapshot)
    return Observation(
        counts={
            "executions": len(snapshot.executions),
            "traces": len(snapshot.traces),
            "graphs": len(snapshot.graphs),
            "ops": len(snapshot.ops),
            "source_files": len(snapshot.sources),
            "stack_frames": len(snapshot.frames),
            "alerts": len(alerts),
        },
        first_alerts=tuple(
            _execution_alert(snapshot, value) if is_execution else _trace_alert(snapshot, value)
            for _, is_execution, value in alerts[:_NUM_FIRST_ALERTS]
        ),
        problems=snapshot.problems,
    )


def count_records(path: str, run_id: str) -> dict[str, int]:
    """The records that the decoders read from each file."""
    (file_set,) = (s for s in find_file_sets(path, os.listdir(path)) if s.run_id == run_id)

    def piece(kind: FileKind) -> bytes:
        with open(file_set.path(kind), "rb") as file:
            return file.read()

    graphs = reference.GraphsDecoder().feed(piece("graphs")).batch
    executions = reference.ExecutionDecoder().feed(piece("execution")).batch
    traces = reference.TraceDecoder().feed(piece("graph_execution_traces")).batch
    return {
        "metadata": len(reference.MetadataDecoder().feed(piece("metadata")).batch),
        "source_files": len(reference.SourceFilesDecoder().feed(piece("source_files")).batch),
        "stack_frames": len(reference.StackFramesDecoder().feed(piece("stack_frames")).batch),
        "graphs": len(graphs.offset) + len(graphs.graphs) + len(graphs.devices),
        "execution": len(executions.offset),
        "graph_execution_traces": len(traces.offset),
    }


def _alerts(snapshot: Snapshot) -> list[tuple[float, bool, int]]:
    """(wall time, is it an execution's, row of the value), by time, traces first."""
    alerts = []
    executions, traces = snapshot.executions, snapshot.traces
    for value in np.flatnonzero(executions.values.bad == HAS_INF_NAN):
        row = _row_of_value(snapshot, int(value))
        alerts.append((float(executions.wall_time[row]), True, int(value)))
    for value in np.flatnonzero(traces.values.bad == HAS_INF_NAN):
        alerts.append((float(traces.wall_time[value]), False, int(value)))
    return sorted(alerts)


def _row_of_value(snapshot: Snapshot, value: int) -> int:
    return int(np.searchsorted(snapshot.executions.value_end, value, side="right")) - 1


def _execution_alert(snapshot: Snapshot, value: int) -> Alert:
    table = snapshot.executions
    row = _row_of_value(snapshot, value)
    return Alert(
        kind="execution",
        op_type=snapshot.names.strings.values[table.op_type[row]],
        slot=value - int(table.value_end[row]),
        counts=_counts(table.values.counts[value].tolist()),
        wall_time=float(table.wall_time[row]),
        user_frame=_user_frame(snapshot, int(table.location[row])),
    )


def _trace_alert(snapshot: Snapshot, row: int) -> Alert:
    table = snapshot.traces
    op = snapshot.row_of_op(int(table.op[row]))
    return Alert(
        kind="trace",
        op_type=snapshot.op_type(int(table.op[row])) or "",
        slot=int(table.output_slot[row]),
        counts=_counts(table.values.counts[row].tolist()),
        wall_time=float(table.wall_time[row]),
        user_frame=None if op is None else _user_frame(snapshot, int(snapshot.ops.location[op])),
    )


def _counts(counts: list[int]) -> tuple[int, int, int] | None:
    return None if counts[0] < 0 else (counts[0], counts[1], counts[2])


def _user_frame(snapshot: Snapshot, location: int) -> UserFrame | None:
    for frame_id in reversed(snapshot.location(location).frame_ids):
        frame = snapshot.frames.get(frame_id)
        if frame and frame.source is not None:
            path = snapshot.sources[frame.source].file_path
            if not path.startswith(_LIBRARIES):
                return UserFrame(path, frame.lineno, frame.function)
    return None
