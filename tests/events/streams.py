"""Streams of real records, one a kind of file, for tests that damage and cut them."""

from __future__ import annotations

import tempfile
from functools import cache
from itertools import pairwise

import numpy as np

from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values, tensor_proto, value_list


@cache
def streams() -> dict[FileKind, bytes]:
    """Some records of every shape for every kind of file, without damage."""
    with tempfile.TemporaryDirectory() as directory:
        built = logdir(directory)
        _write(built)
        return {kind: built.path(kind).read_bytes() for kind in FILE_KINDS}


def record_ends(data: bytes) -> list[int]:
    """Where the records of an undamaged stream end."""
    ends = []
    at = 0
    while at < len(data):
        at += 16 + int.from_bytes(data[at : at + 8], "little")
        ends.append(at)
    return ends


def frames(data: bytes) -> list[bytes]:
    """The records of an undamaged stream, framing included."""
    return [data[begin:end] for begin, end in pairwise([0, *record_ends(data)])]


def _write(built: LogdirBuilder) -> None:
    for number in range(6):
        path = f"file_{number}.py"
        built.source(path, lines=[f"line {n}" for n in range(number * 7)])
        built.frame(f"frame-{number}", path, line=number, function="fün" * number)
    built.graph("").device().graph("f", outer="").device("/device:GPU:0")
    built.op("Placeholder", "x", outputs=3)
    for number in range(6):
        stack = [f"frame-{n}" for n in range(number)]
        inputs = [f"x:{n % 3}" for n in range(number)]
        built.op("Log", f"Log_{number}", inputs=inputs, outputs=number, stack=stack)
    floats = np.array([1, np.nan, -np.inf], dtype=np.float32)
    full = {
        "raw": tensor_proto(1, (3,), content=floats.tobytes()),
        "listed": tensor_proto(1, (3,), values=value_list(1, floats, packed=False)),
        "bool": tensor_proto(10, (2, 2), values=value_list(10, np.array([True]))),
        "string": tensor_proto(7, (1,), content=b"\x01a"),
    }
    for mode in (*debug_modes.SUMMARY_LENGTHS, debug_modes.NO_TENSOR):
        built.trace("Log_1", slot=mode, nan=mode, mode=mode)
        built.execution("Mul", inputs=[mode, -5], nan=2, size=9, mode=mode, stack=["frame-1"])
    for value in full.values():
        built.trace("x", value=value, mode=debug_modes.FULL_TENSOR, device="")
    values: list[Values | bytes] = [b"", *full.values(), Values(size=1 << 40, neg_inf=1 << 33)]
    built.execution("f", graph="f", values=list(full.values()), mode=debug_modes.FULL_TENSOR)
    built.execution("f", outputs=range(9), values=values, mode=debug_modes.FULL_HEALTH)
    built.execution("NoOp", outputs=[], values=[])
