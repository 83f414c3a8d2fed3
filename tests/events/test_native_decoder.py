"""The native decoder gives the reference's answers: rows, names, losses and end offsets."""

from __future__ import annotations

import dataclasses
import random
import struct
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tb_debugger_plugin.events import debug_modes, decoders, reference
from tb_debugger_plugin.events.crc32c import crc32c, mask
from tb_debugger_plugin.events.framing import split_records
from tb_debugger_plugin.index.file_sets import FileKind, split_file_name
from tests.builders.logdir import logdir
from tests.builders.tensors import tensor_proto
from tests.corpus.logdirs import absence, unpacked_corpus

native = pytest.importorskip("tb_debugger_plugin.events.native_decoder")

PAIRS: dict[FileKind, tuple[Any, Any]] = {
    "execution": (reference.ExecutionDecoder, native.ExecutionDecoder),
    "graph_execution_traces": (reference.TraceDecoder, native.TraceDecoder),
    "graphs": (reference.GraphsDecoder, native.GraphsDecoder),
    "source_files": (reference.SourceFilesDecoder, native.SourceFilesDecoder),
    "stack_frames": (reference.StackFramesDecoder, native.StackFramesDecoder),
}
CASES = 300


def assert_same(one: Any, other: Any, where: str = "") -> None:
    """Equal in values and in types, dtypes and shapes."""
    if dataclasses.is_dataclass(one):
        for field in dataclasses.fields(one):
            name = field.name
            assert_same(getattr(one, name), getattr(other, name), f"{where}.{name}")
    elif isinstance(one, np.ndarray):
        assert one.dtype == other.dtype, where
        assert one.shape == other.shape, where
        assert np.array_equal(one, other, equal_nan=one.dtype.kind == "f"), where
    elif isinstance(one, (list, tuple)):
        assert type(one) is type(other), where
        assert len(one) == len(other), where
        for place, (a, b) in enumerate(zip(one, other, strict=True)):
            assert_same(a, b, f"{where}[{place}]")
    else:
        assert type(one) is type(other), where
        assert one == other, where


def assert_same_answers(kind: FileKind, pieces: Sequence[bytes]) -> None:
    """Feeds both decoders the pieces of a file, as a reader does."""
    one, other = (make() for make in PAIRS[kind])
    rest = b""
    for piece in pieces:
        buffer = rest + piece
        fed = one.feed(buffer)
        assert_same(fed, other.feed(buffer))
        assert_same(one.vocabulary, other.vocabulary, "vocabulary")
        rest = buffer[fed.consumed :]


def corpus_files() -> list[tuple[FileKind, Path]]:
    reason = absence()
    if reason:
        pytest.skip(reason)
    files = []
    for path in sorted(unpacked_corpus().rglob("tfdbg_events.*")):
        split = split_file_name(path.name)
        if split and split[1] in PAIRS:
            files.append((split[1], path))
    return files


def test_the_native_decoder_is_the_one_in_use() -> None:
    assert decoders.DECODERS.kind == "native"


def test_every_file_of_the_corpus() -> None:
    for kind, path in corpus_files():
        assert_same_answers(kind, [path.read_bytes()])


def test_a_built_logdir_byte_by_byte(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x"]).frame("f1", "train.py", line=1)
    built.device().graph("f").op("Log", "Log", inputs=["x:0"], stack=["f1"])
    built.trace("Log", nan=3).execution("Log", nan=1, stack=["f1"])
    for kind in PAIRS:
        content = built.path(kind).read_bytes()
        assert_same_answers(kind, [content[i : i + 1] for i in range(len(content))])


def test_a_batch_stays_as_it_is_whatever_is_decoded_next() -> None:
    files = [path for kind, path in corpus_files() if kind == "graph_execution_traces"]
    content = max(files, key=lambda path: path.stat().st_size).read_bytes()
    _, make = PAIRS["graph_execution_traces"]
    whole = make().feed(content).batch
    decoder = make()
    batches = []
    while (fed := decoder.feed(content[decoder.offset : decoder.offset + (1 << 18)])).consumed:
        batches.append(fed.batch)
    assert len(batches) > 3
    for name in ("offset", "wall_time", "op", "tensor_id"):
        rows = np.concatenate([getattr(batch, name) for batch in batches])
        assert np.array_equal(rows, getattr(whole, name)), name


@pytest.mark.parametrize("dtype", [8, 18])
def test_complex_zeros_that_are_not_listed(tmp_path: Path, dtype: int) -> None:
    built = logdir(tmp_path)
    built.execution("Zeros", values=[tensor_proto(dtype, (3,))], mode=debug_modes.FULL_TENSOR)
    assert_same_answers("execution", [built.path("execution").read_bytes()])


def test_the_memory_of_a_batch_serves_the_next_one(tmp_path: Path) -> None:
    run = logdir(tmp_path)
    for _ in range(8):
        run.execution("Add")
    octets = run.path("execution").read_bytes()
    offsets = run.record_offsets("execution")
    decoder = native.ExecutionDecoder()
    places = []
    for begin, end in pairwise(offsets):
        decoder.absorb(octets[begin:end])
        fed = decoder.take()
        places.append(fed.batch.wall_time.__array_interface__["data"][0])
        del fed
    assert len(places) > 6
    assert set(places) == {places[0]}


def test_a_batch_that_is_held_keeps_its_memory(tmp_path: Path) -> None:
    run = logdir(tmp_path).execution("Add").execution("Mul")
    octets, second = run.path("execution").read_bytes(), run.record_offsets("execution")[-2]
    decoder = native.ExecutionDecoder()
    held = decoder.feed(octets[:second]).batch
    before = held.wall_time.copy()
    decoder.feed(octets[second:])
    assert np.array_equal(held.wall_time, before)


def test_nothing_is_taken_twice(tmp_path: Path) -> None:
    octets = logdir(tmp_path).execution("Add").path("execution").read_bytes()
    decoder = native.ExecutionDecoder()
    decoder.absorb(octets)
    assert [len(decoder.take().batch.offset) for _ in range(2)] == [1, 0]


@pytest.mark.parametrize("which", [0, 1])
def test_a_decoder_goes_on_where_another_one_stopped(which: int) -> None:
    chance = random.Random(7)
    for kind, path in corpus_files()[::7]:
        content = damaged(path.read_bytes()[:50_000] or b"\0", chance)
        make = PAIRS[kind][which]
        first = make()
        middle = first.feed(content[: len(content) // 2]).consumed
        second = make(first.offset, resyncing=first.resyncing)
        one, other = first.feed(content[middle:]), second.feed(content[middle:])
        assert one.consumed == other.consumed
        assert one.losses == other.losses
        assert (first.offset, first.resyncing) == (second.offset, second.resyncing)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Flipped bits, or bytes replaced, put in or taken out."""
    octets = bytearray(content)
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(octets))
        if chance.random() < 0.7:
            octets[place] ^= 1 << chance.randrange(8)
        else:
            octets[place : place + chance.randrange(60)] = chance.randbytes(chance.randrange(60))
    return bytes(octets)


def hostile(content: bytes, chance: random.Random) -> bytes:
    """Messages that nobody wrote, in frames whose checksums are right."""
    records = split_records(memoryview(content))
    framed = b""
    for start, length in list(zip(records.starts, records.lengths, strict=True))[:20]:
        payload = bytearray(content[start : start + length])
        for _ in range(chance.randrange(4)):
            place = chance.randrange(len(payload) or 1)
            kind = chance.randrange(4)
            if kind == 0 and payload:
                payload[place] ^= 1 << chance.randrange(8)
            elif kind == 1 and payload:
                payload[place] = chance.choice([0, 1, 0x7F, 0x80, 0xFF, 10, 18, 34, 58])
            elif kind == 2:
                payload[place : place + chance.randrange(8)] = chance.randbytes(chance.randrange(8))
            else:
                other = chance.randrange(len(payload) or 1)
                payload[place:place] = payload[other : other + chance.randrange(30)]
        header = struct.pack("<Q", len(payload))
        framed += header + struct.pack("<I", mask(crc32c(header)))
        framed += payload + struct.pack("<I", mask(crc32c(payload)))
    return framed


@pytest.mark.parametrize("spoil", [damaged, hostile])
def test_damaged_and_hostile_files_in_any_pieces(spoil: Any) -> None:
    chance = random.Random(20261129)
    small = [(kind, path) for kind, path in corpus_files() if 0 < path.stat().st_size < 400_000]
    for _ in range(CASES):
        kind, path = chance.choice(small)
        content = path.read_bytes()[: chance.choice([2_000, 20_000])]
        spoiled = spoil(content, chance)
        cuts = sorted(chance.randrange(len(spoiled) + 1) for _ in range(chance.randrange(4)))
        read_as = kind if chance.random() < 0.9 else chance.choice(list(PAIRS))
        pieces = [spoiled[i:j] for i, j in pairwise([0, *cuts, len(spoiled)])]
        assert_same_answers(read_as, pieces)


def test_names_that_are_not_utf8_are_the_same_text_in_both(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for name in (b"\xff\xfe", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"a\x80b", "é∞".encode()):
        trace = b"\x0a" + bytes([len(name)]) + name + b"\x12" + bytes([len(name)]) + name
        event = b"\x09" + struct.pack("<d", 1.0) + b"\x52" + bytes([len(trace)]) + trace
        built.raw_record("graph_execution_traces", event)
    assert_same_answers(
        "graph_execution_traces", [built.path("graph_execution_traces").read_bytes()]
    )
