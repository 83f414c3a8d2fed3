"""What there is to filter by: the dtypes, devices and graphs of events, with their numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.analyses.execution_rows import OutputDevices, any_of_row
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot

_NO_DTYPE = 0


@dataclass(frozen=True)
class Facets:
    """Events by DataType number, device name and ``GraphKey``; what no event has is left out."""

    dtypes: Counter[int]
    devices: Counter[str]
    graphs: Counter[int]


def trace_facets(snapshot: Snapshot, traces_per_graph: Int64s) -> Facets:
    """What graph execution traces can be filtered by."""
    traces, strings = snapshot.traces, snapshot.names.strings.values
    return Facets(
        dtypes=_occurring(np.bincount(traces.values.dtype), but=_NO_DTYPE),
        devices=Counter(
            {strings[string]: count for string, count in _occurring_ids(traces.device).items()}
        ),
        graphs=_occurring(traces_per_graph),
    )


def execution_facets(snapshot: Snapshot) -> Facets:
    """What executions can be filtered by; each counts once for what several outputs have."""
    executions = snapshot.executions
    dtypes = Counter(
        {
            dtype: int(any_of_row(executions.values.dtype == dtype, executions.value_end).sum())
            for dtype in _occurring(np.bincount(executions.values.dtype), but=_NO_DTYPE)
        }
    )
    outputs = OutputDevices(snapshot)
    on_device = {name: int(outputs.executions_on(name).sum()) for name in outputs.common_names()}
    devices = Counter({name: count for name, count in on_device.items() if count})
    return Facets(dtypes, devices, _occurring_ids(executions.graph))


def _occurring_ids(ids: npt.NDArray[Any]) -> Counter[int]:
    """How often each id occurs; -1 is none."""
    return _occurring(np.bincount(ids.astype(np.int64) + 1)[1:])


def _occurring(counts: Int64s, but: int | None = None) -> Counter[int]:
    return Counter(
        {number: int(counts[number]) for number in np.flatnonzero(counts).tolist() if number != but}
    )
