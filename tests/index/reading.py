"""Indexes what a builder has written."""

from __future__ import annotations

import os
from pathlib import Path

from tb_debugger_plugin.index.file_sets import find_file_sets
from tb_debugger_plugin.index.run_index import RunIndex
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import ValueTable


def index_of(directory: Path) -> RunIndex:
    """An index of all file sets of a directory, not read yet."""
    return RunIndex(find_file_sets(str(directory), sorted(os.listdir(directory))))


def read(directory: Path) -> Snapshot:
    """All that is on disk now."""
    index = index_of(directory)
    index.refresh()
    return index.snapshot


def op_types(snapshot: Snapshot) -> list[str]:
    """The executions' op types, in reading order."""
    strings = snapshot.names.strings.values
    return [strings[number] for number in snapshot.executions.op_type]


def traced_ops(snapshot: Snapshot) -> list[str]:
    """The traces' op names, in time order."""
    order = snapshot.trace_order
    ops = snapshot.traces.op if order is None else snapshot.traces.op[order]
    return [snapshot.names.op_name(int(op)) for op in ops]


def source_names(snapshot: Snapshot) -> dict[str, str | None]:
    """The name of each frame's file; ``None`` where that is not on disk."""
    return {
        frame_id: None
        if frame.source is None
        else os.path.basename(snapshot.sources[frame.source].file_path)
        for frame_id, frame in snapshot.frames.items()
    }


def problem_kinds(snapshot: Snapshot) -> list[str]:
    """The kinds of all problems, in order."""
    return [problem.kind for problem in snapshot.problems]


def value_counts(values: ValueTable, row: int) -> tuple[int, ...]:
    """The six counts of a value as they are stored."""
    columns = (
        values.num_neg_inf,
        values.num_pos_inf,
        values.num_nan,
        values.num_negative,
        values.num_zero,
        values.num_positive,
    )
    return tuple(int(column[row]) for column in columns)


def counts(values: ValueTable) -> list[tuple[int, ...]]:
    """``value_counts`` of all rows."""
    return [value_counts(values, row) for row in range(len(values.bad))]
