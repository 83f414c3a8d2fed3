"""Which executions pass a filter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.analyses.value_rows import ANY_VALUE, Mask, ValueFilter
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey


@dataclass(frozen=True)
class ExecutionFilter:
    """What an execution has to fulfil; a field that is ``None`` or false asks nothing.

    ``text`` is part of the op type, or a regular expression that matches in it. One value has to
    fulfil all of ``values``; ``device`` is that of any output. Times are a half-open range in
    seconds.
    """

    text: str | None = None
    is_regex: bool = False
    values: ValueFilter = ANY_VALUE
    device: str | None = None
    graph: GraphKey | None = None
    begin_time: float | None = None
    end_time: float | None = None


def matching_executions(snapshot: Snapshot, wanted: ExecutionFilter) -> Int64s | None:
    """Indices of the executions that pass, ascending; ``None`` if all do.

    Raises:
      BadPattern: The text is no regular expression.
    """
    if wanted == ExecutionFilter():
        return None
    executions = snapshot.executions
    mask: Mask = np.ones(len(executions), dtype=np.bool_)
    if wanted.begin_time is not None:
        mask &= executions.wall_time >= wanted.begin_time
    if wanted.end_time is not None:
        mask &= executions.wall_time < wanted.end_time
    if wanted.graph is not None:
        mask &= executions.graph == wanted.graph
    if wanted.text:
        mask &= _matches_text(snapshot, wanted.text, wanted.is_regex)[executions.op_type]
    if wanted.values != ANY_VALUE:
        values = np.flatnonzero(wanted.values.mask(executions.values))
        mask &= _owners(executions.value_end, values)
    if wanted.device is not None:
        outputs = np.flatnonzero(_on_device(snapshot, wanted.device))
        mask &= _owners(executions.output_end, outputs)
    rows = np.flatnonzero(mask)
    index = snapshot.execution_index_of_row
    return rows if index is None else np.sort(index[rows])


def _owners(ends: Int64s, places: Int64s) -> Mask:
    """Which rows own one of the places in the columns beside them."""
    owners: Mask = np.zeros(len(ends) - 1, dtype=np.bool_)
    owners[np.searchsorted(ends, places.astype(ends.dtype), side="right") - 1] = True
    return owners


def _matches_text(snapshot: Snapshot, text: str, is_regex: bool) -> Mask:
    """By string id, looking at op types only."""
    matches = matcher(text, is_regex=is_regex)
    strings = snapshot.names.strings.values
    found: Mask = np.zeros(len(strings), dtype=np.bool_)
    for op_type in np.flatnonzero(np.bincount(snapshot.executions.op_type)).tolist():
        found[op_type] = matches(strings[op_type])
    return found


def _on_device(snapshot: Snapshot, device: str) -> Mask:
    """Whether each output is on a device; ids of devices mean something in their file only."""
    executions = snapshot.executions
    num_outputs = np.diff(executions.output_end)
    file_of_output = np.repeat(executions.file, num_outputs)
    found: Mask = np.zeros(len(file_of_output), dtype=np.bool_)
    for file in np.unique(executions.file).tolist():
        ids = [
            number
            for number in np.unique(executions.output_device_id).tolist()
            if snapshot.device_name(file, number) == device
        ]
        found |= (file_of_output == file) & np.isin(executions.output_device_id, ids)
    return found
