"""Logdirs that nobody wrote by running a program: small files that ask for much.

Each is made with ``n`` of what there is much of, where it is a number of records.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterable
from pathlib import Path

from tb_debugger_plugin.events.crc32c import mask
from tb_debugger_plugin.events.debug_modes import FULL_TENSOR
from tb_debugger_plugin.events.decoders import DECODERS
from tb_debugger_plugin.index.file_sets import FileKind
from tests.builders import wire
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import tensor_proto

SOURCE_FILE, STACK_FRAME, OP_CREATION, GRAPH, EXECUTION, TRACE = 4, 6, 7, 8, 9, 10
INT64, FLOAT32 = 9, 1


def around(directory: Path, *records: bytes) -> LogdirBuilder:
    """A logdir whose executions are these records between two good ones."""
    built = logdir(directory).execution("Before")
    return append(built, "execution", records).execution("After")


def append(built: LogdirBuilder, kind: FileKind, records: Iterable[bytes]) -> LogdirBuilder:
    with built.path(kind).open("ab") as file:
        file.writelines(records)
    return built


def event(member: int, *fields: bytes) -> bytes:
    """A record, made faster than by ``wire.record``."""
    payload = wire.event(1_700_000_000.5, member, b"".join(fields))
    header = struct.pack("<Q", len(payload))
    crcs = [struct.pack("<I", mask(DECODERS.crc32c(part))) for part in (header, payload)]
    return header + crcs[0] + payload + crcs[1]


def execution(*fields: bytes) -> bytes:
    return event(EXECUTION, *fields)


Bomb = Callable[[Path, int], LogdirBuilder]


def a_length_of_2_to_the_63(directory: Path, n: int) -> LogdirBuilder:
    return around(directory, wire.record_with_length(1 << 63, b"x" * 1000))


def a_record_that_claims_2_gigabytes(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before")
    return built.append("execution", wire.record_with_length((1 << 31) - 1, b"x" * 1000))


def a_record_of_2_gigabytes_in_a_sparse_file(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before").op("Log", "Log")
    built.append("execution", wire.record_with_length((1 << 31) - 1000, b""))
    os.truncate(built.path("execution"), 1 << 31)
    return built


def a_shape_of_10_to_the_18_elements(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory, mode=FULL_TENSOR).graph("f").op("Log", "Log")
    huge = tensor_proto(FLOAT32, (10**9, 10**9), values=wire.message(5, struct.pack("<f", 1.0)))
    return built.trace("Log", value=huge).execution("Log", values=[huge])


def a_million_dimensions(directory: Path, n: int) -> LogdirBuilder:
    tensor = tensor_proto(FLOAT32, [1] * 1_000_000)
    built = logdir(directory, mode=FULL_TENSOR).graph("f").op("Log", "Log")
    return built.trace("Log", value=tensor).trace("Log", value=b"")


def a_packed_field_of_100_megabytes(directory: Path, n: int) -> LogdirBuilder:
    return around(directory, execution(wire.message(4, b"\x01" * 100_000_000)))


def a_tensor_with_100_megabytes_of_values(directory: Path, n: int) -> LogdirBuilder:
    values = wire.message(10, b"\x01" * 100_000_000)
    tensor = tensor_proto(INT64, (10**9,), values=values)
    return logdir(directory, mode=FULL_TENSOR).execution("Before").execution("Log", values=[tensor])


def a_tensor_with_many_values_one_by_one(directory: Path, n: int) -> LogdirBuilder:
    tensor = tensor_proto(INT64, (10**9,), values=wire.integer(10, 1) * (5 * n))
    return logdir(directory, mode=FULL_TENSOR).execution("Before").execution("Log", values=[tensor])


def records_without_content(directory: Path, n: int) -> LogdirBuilder:
    return around(directory, wire.record(b"") * 10 * n)


def records_that_are_no_events(directory: Path, n: int) -> LogdirBuilder:
    return around(directory, wire.record(b"\xff") * n)


def distinct_op_types(directory: Path, n: int) -> LogdirBuilder:
    return around(directory, *(execution(wire.text(1, f"{i:0100d}")) for i in range(n)))


def distinct_ops(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before").execution("After")
    ops = (event(OP_CREATION, wire.text(1, "Log"), wire.text(2, f"{i:060d}")) for i in range(n))
    return append(built, "graphs", ops)


def distinct_graphs(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before").execution("After")
    graphs = (event(GRAPH, wire.text(1, f"{i:032d}"), wire.text(2, "f")) for i in range(n))
    return append(built, "graphs", graphs)


def distinct_frames(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before").execution("After")
    frames = (event(STACK_FRAME, wire.text(1, f"{i:036d}")) for i in range(n))
    return append(built, "stack_frames", frames)


def distinct_source_files(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before").execution("After")
    files = (event(SOURCE_FILE, wire.text(1, f"/{i:060d}.py")) for i in range(n))
    return append(built, "source_files", files)


def long_names(directory: Path, n: int) -> LogdirBuilder:
    """Of 10 MB each."""
    built = logdir(directory)
    for i in range(2):
        name = f"{i}" + "x" * 10_000_000
        built.graph(name).device(name).op(name, name, inputs=[f"{name}:0"]).trace(name, device=name)
        built.source(name, lines=[name]).frame(name, name, function=name)
        built.execution(name, graph=name, stack=["f"])
    return built


def names_of_a_kilobyte(directory: Path, n: int) -> LogdirBuilder:
    built = logdir(directory).execution("Before").execution("After")
    ops = (event(OP_CREATION, wire.text(2, f"{i:01000d}")) for i in range(n // 5))
    return append(built, "graphs", ops)
