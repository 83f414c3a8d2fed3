"""Rows of value tables -> what the wire says of a tensor."""

from __future__ import annotations

from tb_debugger_plugin.analyses.counts import execution_counts, trace_counts
from tb_debugger_plugin.api.payloads import TensorHealth
from tb_debugger_plugin.events import debug_modes, dtypes
from tb_debugger_plugin.events.batches import HAS_INF_NAN, NOT_OBSERVED
from tb_debugger_plugin.events.tensors import Counts
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import ValueTable

_SUMMARY_DIMS = 6


def trace_health(snapshot: Snapshot, row: int) -> TensorHealth | None:
    """What is known of a trace's value; ``None`` if nothing is."""
    counts = trace_counts(snapshot, row)
    return _health(snapshot, snapshot.traces.values, row, counts)


def execution_health(snapshot: Snapshot, row: int, value_row: int) -> TensorHealth | None:
    """What is known of one of an execution's values; ``None`` if nothing is."""
    counts = execution_counts(snapshot, row, value_row)
    return _health(snapshot, snapshot.executions.values, value_row, counts)


def trace_debug_value(snapshot: Snapshot, row: int) -> list[float] | None:
    """The ``debug_tensor_value`` of a trace: the summary that the debug mode wrote.

    ``None`` in NO_TENSOR and FULL_TENSOR, which write none.
    """
    counts = trace_counts(snapshot, row)
    tensor_id = float(snapshot.traces.tensor_id[row])
    mode = int(snapshot.traces.mode[row])
    return _debug_value(snapshot, snapshot.traces.values, row, mode, tensor_id, counts)


def execution_debug_value(snapshot: Snapshot, row: int, value_row: int) -> list[float] | None:
    """The ``debug_tensor_value`` of one of an execution's values; its tensor id is always -1."""
    counts = execution_counts(snapshot, row, value_row)
    mode = int(snapshot.executions.mode[row])
    return _debug_value(snapshot, snapshot.executions.values, value_row, mode, -1.0, counts)


def _known(number: int) -> int | None:
    return None if number < 0 else number


def _health(
    snapshot: Snapshot, values: ValueTable, row: int, counts: Counts
) -> TensorHealth | None:
    dtype, rank, bad = int(values.dtype[row]), int(values.rank[row]), int(values.bad[row])
    size = int(values.size[row])
    if not dtype and rank < 0 and size < 0 and bad == NOT_OBSERVED:
        return None
    return TensorHealth(
        dtype=dtypes.name(dtype),
        rank=_known(rank),
        shape=_shape(snapshot, int(values.shape[row]), rank),
        size=_known(size),
        num_neg_inf=_known(counts[0]),
        num_pos_inf=_known(counts[1]),
        num_nan=_known(counts[2]),
        num_negative=_known(counts[3]),
        num_zero=_known(counts[4]),
        num_positive=_known(counts[5]),
        has_inf_nan=None if bad == NOT_OBSERVED else bad == HAS_INF_NAN,
    )


def _shape(snapshot: Snapshot, shape: int, rank: int) -> list[int | None] | None:
    if shape < 0:
        return None
    dims = snapshot.names.shapes.values[shape]
    return [*[None] * (rank - len(dims)), *dims]


def _debug_value(
    snapshot: Snapshot, values: ValueTable, row: int, mode: int, tensor_id: float, counts: Counts
) -> list[float] | None:
    bad, size, rank = int(values.bad[row]), int(values.size[row]), int(values.rank[row])
    if mode == debug_modes.CURT_HEALTH and bad != NOT_OBSERVED:
        return [tensor_id, float(bad)]
    if mode == debug_modes.CONCISE_HEALTH and bad != NOT_OBSERVED and min(counts[:3]) >= 0:
        return [tensor_id, float(size), *map(float, counts[:3])]
    if mode == debug_modes.FULL_HEALTH and bad != NOT_OBSERVED and min(counts) >= 0:
        dtype = float(values.dtype[row])
        return [tensor_id, -1.0, dtype, float(rank), float(size), *map(float, counts)]
    if mode == debug_modes.SHAPE and rank >= 0:
        shape = int(values.shape[row])
        dims = list(snapshot.names.shapes.values[shape]) if shape >= 0 else []
        padded = [*dims, *[0] * (_SUMMARY_DIMS - len(dims))]
        return [
            tensor_id,
            float(values.dtype[row]),
            float(rank),
            float(size),
            *map(float, padded),
        ]
    return None
