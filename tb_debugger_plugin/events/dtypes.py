"""TensorFlow's DataType numbers (tensorflow/core/framework/types.proto of 2.21)."""

from __future__ import annotations

NAMES: dict[int, str] = {
    1: "float32",
    2: "float64",
    3: "int32",
    4: "uint8",
    5: "int16",
    6: "int8",
    7: "string",
    8: "complex64",
    9: "int64",
    10: "bool",
    11: "qint8",
    12: "quint8",
    13: "qint32",
    14: "bfloat16",
    15: "qint16",
    16: "quint16",
    17: "uint16",
    18: "complex128",
    19: "float16",
    20: "resource",
    21: "variant",
    22: "uint32",
    23: "uint64",
    24: "float8_e5m2",
    25: "float8_e4m3fn",
    26: "float8_e4m3fnuz",
    27: "float8_e4m3b11fnuz",
    28: "float8_e5m2fnuz",
    29: "int4",
    30: "uint4",
    31: "int2",
    32: "uint2",
    33: "float4_e2m1fn",
}

_REFERENCE = 100


def name(number: int) -> str | None:
    """The dtype's name, ``*_ref`` for reference types; ``None`` for 0 and unknown numbers."""
    if number > _REFERENCE and number - _REFERENCE in NAMES:
        return NAMES[number - _REFERENCE] + "_ref"
    return NAMES.get(number)
