"""TensorDebugMode numbers (tensorflow/core/protobuf/debug_event.proto)."""

from __future__ import annotations

UNSPECIFIED = 0
NO_TENSOR = 1
CURT_HEALTH = 2
CONCISE_HEALTH = 3
FULL_HEALTH = 4
SHAPE = 5
FULL_NUMERICS = 6
FULL_TENSOR = 7
REDUCE_INF_NAN_THREE_SLOTS = 8

NAMES: dict[int, str] = {
    UNSPECIFIED: "UNSPECIFIED",
    NO_TENSOR: "NO_TENSOR",
    CURT_HEALTH: "CURT_HEALTH",
    CONCISE_HEALTH: "CONCISE_HEALTH",
    FULL_HEALTH: "FULL_HEALTH",
    SHAPE: "SHAPE",
    FULL_NUMERICS: "FULL_NUMERICS",
    FULL_TENSOR: "FULL_TENSOR",
    REDUCE_INF_NAN_THREE_SLOTS: "REDUCE_INF_NAN_THREE_SLOTS",
}

SUMMARY_LENGTHS: dict[int, int] = {CURT_HEALTH: 2, CONCISE_HEALTH: 5, FULL_HEALTH: 11, SHAPE: 10}
"""Elements of the float64 summary that stands for a tensor's values."""


def name(number: int) -> str:
    """The mode's name, or ``MODE_<number>`` for one that this version does not know."""
    return NAMES.get(number, f"MODE_{number}")
