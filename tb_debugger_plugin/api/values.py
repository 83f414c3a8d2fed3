"""What is known of tensors -> what the wire says of them."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.values import Value, execution_values, trace_values
from tb_debugger_plugin.api.payloads import TensorHealth
from tb_debugger_plugin.events import debug_modes, dtypes
from tb_debugger_plugin.events.batches import HAS_INF_NAN, NOT_OBSERVED
from tb_debugger_plugin.index.snapshot import Snapshot

_SUMMARY_DIMS = 6


def trace_health(snapshot: Snapshot, row: int) -> TensorHealth | None:
    """What is known of a trace's value; ``None`` if nothing is."""
    return health(snapshot, trace_values(snapshot, np.array([row]))[0])


def execution_health(snapshot: Snapshot, row: int, value_row: int) -> TensorHealth | None:
    """What is known of one of an execution's values; ``None`` if nothing is."""
    return health(snapshot, execution_values(snapshot, np.array([row]), np.array([value_row]))[0])


def health(snapshot: Snapshot, value: Value) -> TensorHealth | None:
    """What is known of a value; ``None`` if nothing is."""
    if not value.dtype and value.rank < 0 and value.size < 0 and value.bad == NOT_OBSERVED:
        return None
    return TensorHealth(
        dtypes.name(value.dtype),
        _known(value.rank),
        _shape(snapshot, value),
        _known(value.size),
        _known(value.num_neg_inf),
        _known(value.num_pos_inf),
        _known(value.num_nan),
        _known(value.num_negative),
        _known(value.num_zero),
        _known(value.num_positive),
        None if value.bad == NOT_OBSERVED else value.bad == HAS_INF_NAN,
    )


def debug_tensor_value(snapshot: Snapshot, value: Value) -> list[float] | None:
    """The summary that the debug mode wrote.

    ``None`` in NO_TENSOR and FULL_TENSOR, which write none.
    """
    mode, observed, counts = value.mode, value.bad != NOT_OBSERVED, value.counts
    tensor_id = float(value.tensor_id)
    if mode == debug_modes.CURT_HEALTH and observed:
        return [tensor_id, float(value.bad)]
    if mode == debug_modes.CONCISE_HEALTH and observed and min(counts[:3]) >= 0:
        return [tensor_id, float(value.size), *map(float, counts[:3])]
    if mode == debug_modes.FULL_HEALTH and observed and min(counts) >= 0:
        dtype, rank, size = float(value.dtype), float(value.rank), float(value.size)
        return [tensor_id, -1.0, dtype, rank, size, *map(float, counts)]
    if mode == debug_modes.SHAPE and value.rank >= 0:
        dims = _dims(snapshot, value)
        padded = [*dims, *[0] * (_SUMMARY_DIMS - len(dims))]
        dtype, rank, size = float(value.dtype), float(value.rank), float(value.size)
        return [tensor_id, dtype, rank, size, *map(float, padded)]
    return None


def _known(number: int) -> int | None:
    return None if number < 0 else number


def _dims(snapshot: Snapshot, value: Value) -> tuple[int, ...]:
    return snapshot.names.shapes.values[value.shape] if value.shape >= 0 else ()


def _shape(snapshot: Snapshot, value: Value) -> list[int | None] | None:
    if value.shape < 0:
        return None
    dims = _dims(snapshot, value)
    return [*[None] * (value.rank - len(dims)), *dims]
