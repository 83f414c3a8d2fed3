"""Which executions pass a filter."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.distinct import DistinctKeys
from tb_debugger_plugin.analyses.parts import part
from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask, Rows, TimeOrder
from tb_debugger_plugin.analyses.value_rows import ANY_VALUE, ValueFilter
from tb_debugger_plugin.events.batches import Int32s, Int64s
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


class ExecutionSelection:
    """The executions that pass one filter."""

    def __init__(self, snapshot: Snapshot, wanted: ExecutionFilter) -> None:
        self._snapshot = snapshot
        self._wanted = wanted
        self.lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._snapshot.executions) if self.indices is None else len(self.indices)

    @property
    def nbytes(self) -> int:
        """Bytes of what was derived by now."""
        made = self.__dict__.get("indices")
        return 0 if made is None else int(made.nbytes)

    @part
    def indices(self) -> Int32s | None:
        """Their indices, ascending; ``None`` if all pass.

        Raises:
          BadPattern: The text is no regular expression.
        """
        return matching_executions(self._snapshot, self._wanted)


def matching_executions(snapshot: Snapshot, wanted: ExecutionFilter) -> Int32s | None:
    """Indices of the executions that pass, ascending; ``None`` if all do.

    Raises:
      BadPattern: The text is no regular expression.
    """
    if wanted == ExecutionFilter():
        return None
    executions, order = snapshot.executions, TimeOrder.of_executions(snapshot)
    span = order.span(wanted.begin_time, wanted.end_time)
    mask: Mask = np.ones(len(executions), dtype=np.bool_)
    if wanted.graph is not None:
        mask &= executions.graph == wanted.graph
    if wanted.text:
        mask &= _matches_text(snapshot, wanted.text, wanted.is_regex).take(executions.op_type)
    if wanted.values != ANY_VALUE:
        values = wanted.values.mask(executions.values, EVERY_ROW)
        mask &= any_of_row(values, executions.value_end)
    if wanted.device is not None:
        devices = OutputDevices(snapshot)
        mask &= devices.executions_on([wanted.device == name for name in devices.names])
    inside = mask[order.rows(slice(span.start, span.stop))]
    return (np.flatnonzero(inside) + span.start).astype(np.int32)


def any_of_row(flags: Mask, ends: Int64s) -> Mask:
    """Whether one of a row's entries in the columns beside it is flagged."""
    before = np.zeros(len(flags) + 1, dtype=np.int32)
    np.cumsum(flags, out=before[1:])
    before = before.take(ends)
    return np.not_equal(before[1:], before[:-1])


class OutputDevices:
    """The distinct devices that outputs are on. An id means something in its own file only."""

    def __init__(self, snapshot: Snapshot) -> None:
        executions = snapshot.executions
        self._ids = executions.output_device_id
        self._least = int(self._ids.min()) if len(self._ids) else 0
        self._num_ids = int(self._ids.max()) - self._least + 1 if len(self._ids) else 1
        self._file_of_output = np.repeat(executions.file, np.diff(executions.output_end))
        bound = len(snapshot.paths) * self._num_ids
        self._distinct = DistinctKeys(self._keys, len(self._ids), bound)
        self._ends = executions.output_end
        self.names: list[str | None] = []
        for key in self._distinct.values.tolist():
            file, device_id = divmod(key, self._num_ids)
            self.names.append(snapshot.device_name(file, device_id + self._least))

    def executions_on(self, wanted: Sequence[bool]) -> Mask:
        """Which executions have an output on one of the devices that are wanted."""
        spread = self._distinct.spreading(np.array(wanted, dtype=np.bool_))
        return any_of_row(spread(EVERY_ROW), self._ends)

    def _keys(self, rows: Rows) -> Int64s:
        keys = self._file_of_output[rows].astype(np.int64)
        keys *= self._num_ids
        keys += self._ids[rows]
        keys -= self._least
        return keys


def _matches_text(snapshot: Snapshot, text: str, is_regex: bool) -> Mask:
    """By string id, looking at op types only."""
    matches = matcher(text, is_regex=is_regex)
    strings = snapshot.names.strings.values
    found: Mask = np.zeros(len(strings), dtype=np.bool_)
    for op_type in np.flatnonzero(np.bincount(snapshot.executions.op_type)).tolist():
        found[op_type] = matches(strings[op_type])
    return found
