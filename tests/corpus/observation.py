"""What the reader makes of a run, in the truth's terms."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from tb_debugger_plugin import InfNanAlert, open_run
from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.events import reference
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.file_sets import FileKind, find_file_sets
from tb_debugger_plugin.index.problems import Problem
from tb_debugger_plugin.index.snapshot import Snapshot
from tests.corpus.truth import Alert, UserFrame

_NUM_FIRST_ALERTS = 3


@dataclass(frozen=True)
class Observation:
    counts: dict[str, int]
    first_alerts: tuple[Alert, ...]
    problems: tuple[Problem, ...]


@cache
def observe(path: str, run_id: str) -> Observation:
    """Reads a run from disk."""
    run = open_run(path, run=f".#{run_id}", cache=False)
    snapshot = run.snapshot
    alerts = run.alerts()
    return Observation(
        counts={
            "executions": run.num_executions,
            "traces": run.num_graph_executions,
            "graphs": len(snapshot.graphs),
            "ops": len(snapshot.ops),
            "source_files": len(snapshot.sources),
            "stack_frames": len(snapshot.frames),
            "alerts": len(alerts),
        },
        first_alerts=tuple(_alert(snapshot, alert) for alert in alerts[:_NUM_FIRST_ALERTS]),
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


def _alert(snapshot: Snapshot, alert: InfNanAlert) -> Alert:
    trace, execution = alert.graph_execution_index, alert.execution_index
    location = -1
    if trace is not None:
        op = snapshot.row_of_op(int(snapshot.traces.op[_row(snapshot.trace_order, trace)]))
        location = -1 if op is None else int(snapshot.ops.location[op])
    elif execution is not None:
        location = int(snapshot.executions.location[_row(snapshot.execution_order, execution)])
    frame = Code(snapshot).innermost_user_frame(location)
    counts = (alert.num_neg_inf, alert.num_pos_inf, alert.num_nan)
    return Alert(
        kind="execution" if trace is None else "trace",
        op_type=alert.op_type,
        slot=alert.output_slot,
        counts=None if None in counts else counts,
        wall_time=alert.wall_time,
        user_frame=None
        if frame is None
        else UserFrame(snapshot.sources[frame.source].file_path, frame.lineno, frame.function),
    )


def _row(order: Int64s | None, index: int) -> int:
    return index if order is None else int(order[index])
