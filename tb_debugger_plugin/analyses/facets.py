"""What there is to filter by: the dtypes, devices and graphs of events, with their numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.index.snapshot import Snapshot


@dataclass(frozen=True)
class Facets:
    """Events by DataType number, device name and ``GraphKey``; what no event has is left out."""

    dtypes: Counter[int]
    devices: Counter[str]
    graphs: Counter[int]


def trace_facets(snapshot: Snapshot) -> Facets:
    """What graph execution traces can be filtered by."""
    traces, strings = snapshot.traces, snapshot.names.strings.values
    ops = np.bincount(traces.op, minlength=len(snapshot.names.op_graph))
    graphs: Counter[int] = Counter()
    for op in np.flatnonzero(ops).tolist():
        graphs[snapshot.names.graph_of(op)] += int(ops[op])
    devices = _count(traces.device)
    return Facets(
        _count(traces.values.dtype, but=0),
        Counter({strings[i]: n for i, n in devices.items()}),
        graphs,
    )


def execution_facets(snapshot: Snapshot) -> Facets:
    """What executions can be filtered by; each counts once for what several outputs have."""
    executions = snapshot.executions
    devices: Counter[str] = Counter()
    file_of_output = np.repeat(executions.file, np.diff(executions.output_end))
    for file in _count(executions.file):
        for device_id, outputs in _groups(
            np.where(file_of_output == file, executions.output_device_id, 0)
        ):
            name = snapshot.device_name(file, device_id)
            if name is not None:
                devices[name] += _num_owners(executions.output_end, outputs)
    return Facets(
        Counter(
            {
                dtype: _num_owners(executions.value_end, values)
                for dtype, values in _groups(executions.values.dtype)
            }
        ),
        devices,
        _count(executions.graph, but=-1),
    )


def _count(values: npt.NDArray[Any], but: int | None = None) -> Counter[int]:
    distinct, counts = np.unique(values, return_counts=True)
    found = zip(distinct.tolist(), counts.tolist(), strict=True)
    return Counter({value: count for value, count in found if value != but})


def _groups(values: npt.NDArray[Any]) -> list[tuple[int, npt.NDArray[Any]]]:
    """Each distinct value but 0, with the places where it stands."""
    return [
        (value, np.flatnonzero(values == value)) for value in np.unique(values).tolist() if value
    ]


def _num_owners(ends: npt.NDArray[Any], places: npt.NDArray[Any]) -> int:
    owners = np.searchsorted(ends, places.astype(ends.dtype), side="right")
    return int(np.count_nonzero(np.diff(owners, prepend=-1)))
