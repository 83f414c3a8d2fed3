"""How much a record may hold and a file may name. A logdir may be anybody's.

Each bound is far beyond what TensorFlow writes. ``native/limits.h`` has those of one record.
"""

from __future__ import annotations

MOST_NAME_BYTES = 1024
"""A longer name is kept shortened (``texts.clean``). TensorFlow's have a tenth of that."""

MOST_LINE_BYTES = 10_000
"""Of a line of source code; a browser takes long for longer ones."""

MOST_SOURCE_BYTES = 1 << 24
"""A source file; a larger one is not shown."""

MOST_LOCATION_BYTES = 1 << 18
"""A code location: a stack of 6,900 frames."""

MOST_PARTS = 1 << 16
"""Inputs, outputs or values of one execution or op."""

MOST_VOCABULARY_BYTES = 1 << 30
"""What a file's distinct names take in memory, by ``name_cost``: two million of usual length."""

_BESIDE_A_NAME = 400


def name_cost(num_bytes: int) -> int:
    """What a distinct name takes in memory: two copies, and what finds them."""
    return 2 * num_bytes + _BESIDE_A_NAME
