"""Filters, headings and passes as one would write them first: a loop over events."""

from __future__ import annotations

import re

from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter
from tb_debugger_plugin.analyses.passes import Passes
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.tables import ValueTable


def finds(text: str, is_regex: bool, names: list[str | None]) -> bool:
    """Whether the text is in one of the names; the tests' expressions mean the same to Python."""
    if is_regex:
        return any(re.search(text, name, re.IGNORECASE) for name in names if name is not None)
    return any(text.casefold() in name.casefold() for name in names if name is not None)


def value_passes(values: ValueTable, row: int, wanted: ValueFilter) -> bool:
    size, zeros = int(values.size[row]), int(values.num_zero[row])
    return (
        (not wanted.inf_nan or values.bad[row] == 1)
        and (not wanted.all_zero or 0 < size == zeros)
        and (wanted.dtype is None or values.dtype[row] == wanted.dtype)
    )


def is_within(time: float, begin: float | None, end: float | None) -> bool:
    return (begin is None or time >= begin) and (end is None or time < end)


def trace_rows_in_order(view: View) -> list[int]:
    times = view.snapshot.traces.wall_time.tolist()
    return sorted(range(len(times)), key=lambda row: times[row])


def trace_positions(view: View, wanted: TraceFilter) -> list[int]:
    """Positions in trace order of the traces that pass."""
    return [
        position
        for position, row in enumerate(trace_rows_in_order(view))
        if trace_passes(view, row, wanted)
    ]


def trace_passes(view: View, row: int, wanted: TraceFilter) -> bool:
    snapshot = view.snapshot
    traces, names = snapshot.traces, snapshot.names
    op = int(traces.op[row])
    graph = snapshot.graphs.get(names.graph_of(op))
    searched = [
        f"{names.op_name(op)}:{traces.output_slot[row]}",
        snapshot.op_type(op),
        graph.name if graph else None,
    ]
    if wanted.is_regex:
        searched.append(names.op_name(op))
    return (
        value_passes(traces.values, row, wanted.values)
        and (wanted.text is None or finds(wanted.text, wanted.is_regex, searched))
        and (wanted.device is None or names.strings.values[traces.device[row]] == wanted.device)
        and (wanted.graph is None or names.graph_of(op) == wanted.graph)
        and (wanted.op is None or op == wanted.op)
        and (wanted.execution_row is None or view.calls[row] == wanted.execution_row)
        and is_within(float(traces.wall_time[row]), wanted.begin_time, wanted.end_time)
    )


def fold(view: View, positions: list[int]) -> dict[int, Passes | None]:
    """Each position that stays listed, with the passes that it stands for if they are several."""
    rows, traces = trace_rows_in_order(view), view.snapshot.traces
    groups: dict[object, list[int]] = {}
    for position in positions:
        row = rows[position]
        call = int(view.calls[row])
        tensor = (call, int(traces.op[row]), int(traces.output_slot[row]))
        groups.setdefault(position if call < 0 else tensor, []).append(position)
    folded: dict[int, Passes | None] = {}
    for members in groups.values():
        bad = [position for position in members if traces.values.bad[rows[position]] == 1]
        passes = Passes(len(members), len(bad), bad[0] if bad else None, members[-1])
        folded[members[0]] = passes if len(members) > 1 else None
    return dict(sorted(folded.items()))


def under_headings(view: View, positions: list[int]) -> list[tuple[bool, int]]:
    """Rows as (is heading, position of the trace it is or heads)."""
    rows, snapshot = trace_rows_in_order(view), view.snapshot
    listed = []
    current = None
    for position in positions:
        row = rows[position]
        heading = (int(view.calls[row]), snapshot.names.graph_of(int(snapshot.traces.op[row])))
        if heading != current:
            listed.append((True, position))
        current = heading
        listed.append((False, position))
    return listed


def execution_indices(view: View, wanted: ExecutionFilter) -> list[int]:
    """Indices of the executions that pass."""
    times = view.snapshot.executions.wall_time.tolist()
    rows = sorted(range(len(times)), key=lambda row: times[row])
    return [index for index, row in enumerate(rows) if execution_passes(view, row, wanted)]


def execution_passes(view: View, row: int, wanted: ExecutionFilter) -> bool:
    snapshot = view.snapshot
    executions = snapshot.executions
    op_type = snapshot.names.strings.values[executions.op_type[row]]
    values = range(int(executions.value_end[row]), int(executions.value_end[row + 1]))
    outputs = range(int(executions.output_end[row]), int(executions.output_end[row + 1]))
    devices = [
        snapshot.device_name(int(executions.file[row]), int(executions.output_device_id[output]))
        for output in outputs
    ]
    asks_of_value = wanted.values != ValueFilter()
    return (
        (wanted.text is None or finds(wanted.text, wanted.is_regex, [op_type]))
        and (wanted.graph is None or executions.graph[row] == wanted.graph)
        and (wanted.device is None or wanted.device in devices)
        and is_within(float(executions.wall_time[row]), wanted.begin_time, wanted.end_time)
        and (
            not asks_of_value
            or any(value_passes(executions.values, value, wanted.values) for value in values)
        )
    )
