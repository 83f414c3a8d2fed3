"""Which executions pass a filter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.distinct import DistinctKeys
from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.analyses.time_order import EVERY_ROW, Mask, Rows, TimeOrder, blocks
from tb_debugger_plugin.analyses.value_rows import ANY_VALUE, ValueFilter
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.file_sets import set_prefix
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey

_MOST_COMMON = 64
"""Devices: each takes a look at all outputs."""


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
        mask &= OutputDevices(snapshot).executions_on(wanted.device)
    inside = mask[order.rows(slice(span.start, span.stop))]
    return (np.flatnonzero(inside) + span.start).astype(np.int32)


def any_of_row(flags: Mask, ends: Int64s) -> Mask:
    """Whether one of a row's entries in the columns beside it is flagged."""
    before = np.zeros(len(flags) + 1, dtype=np.int32)
    np.cumsum(flags, out=before[1:])
    before = before.take(ends)
    return np.not_equal(before[1:], before[:-1])


class OutputDevices:
    """What outputs are on. A device's id means something in the file set that has it only."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._executions = snapshot.executions
        ids = self._executions.output_device_id
        self._least = int(ids.min()) if len(ids) else 0
        bound = int(ids.max()) - self._least + 1 if len(ids) else 0
        self._ids = DistinctKeys(self._id_keys, len(ids), bound)
        files = np.bincount(self._executions.file) if len(self._executions) else np.empty(0)
        self._files_by_set: dict[str, list[int]] = {}
        for file in np.flatnonzero(files).tolist():
            self._files_by_set.setdefault(set_prefix(snapshot.paths[file]), []).append(file)

    def common_names(self) -> set[str]:
        """Names of the devices of the most common ids, on which there may be an output."""
        counts = np.zeros(len(self._ids) or 1, dtype=np.int64)
        for block in blocks(range(len(self._executions.output_device_id))):
            counts += np.bincount(self._ids.numbers(block), minlength=len(counts))
        common = np.argsort(-counts, kind="stable")[:_MOST_COMMON]
        ids = set((self._ids.values[common[: len(self._ids)]] + self._least).tolist())
        return {
            name
            for device, name in self._snapshot.devices.items()
            if device.device_id in ids and device.set_prefix in self._files_by_set
        }

    def executions_on(self, device: str) -> Mask:
        """Which executions have an output on a device."""
        executions = self._executions
        found: Mask = np.zeros(len(executions), dtype=np.bool_)
        for prefix, ids in self._ids_of(device).items():
            on_device = self._ids.spreading(np.isin(self._ids.values + self._least, ids))
            has_output = any_of_row(on_device(EVERY_ROW), executions.output_end)
            for file in self._files_by_set.get(prefix, []):
                found |= has_output & (executions.file == file)
        return found

    def _ids_of(self, device: str) -> dict[str, list[int]]:
        """The ids of a device in each file set."""
        ids: dict[str, list[int]] = {}
        for key, name in self._snapshot.devices.items():
            if name == device:
                ids.setdefault(key.set_prefix, []).append(key.device_id)
        return ids

    def _id_keys(self, rows: Rows) -> Int64s:
        return self._executions.output_device_id[rows].astype(np.int64) - self._least


def _matches_text(snapshot: Snapshot, text: str, is_regex: bool) -> Mask:
    """By string id, looking at op types only."""
    matches = matcher(text, is_regex=is_regex)
    strings = snapshot.names.strings.values
    found: Mask = np.zeros(len(strings), dtype=np.bool_)
    for op_type in np.flatnonzero(np.bincount(snapshot.executions.op_type)).tolist():
        found[op_type] = matches(strings[op_type])
    return found
