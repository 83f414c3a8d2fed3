"""Records that hold more than TensorFlow writes: told and left out, or kept shortened."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import count, islice
from typing import Any, ClassVar

import pytest

from tb_debugger_plugin.events import limits, reference
from tb_debugger_plugin.events.debug_modes import FULL_TENSOR
from tb_debugger_plugin.index.names import Names, Translation
from tests.builders import wire
from tests.builders.tensors import tensor_proto

native = pytest.importorskip("tb_debugger_plugin.events.native_decoder")

OP_CREATION, GRAPH, EXECUTION, TRACE, DEVICE, SOURCE_FILE, STACK_FRAME = 7, 8, 9, 10, 12, 4, 6
MOST = limits.MOST_PARTS

each_kind = pytest.mark.parametrize("decoders", [reference, native], ids=["reference", "native"])


def record(member: int, *fields: bytes) -> bytes:
    return wire.record(wire.event(1.0, member, b"".join(fields)))


def op(name: str, graph: str = "g") -> bytes:
    return record(OP_CREATION, wire.text(2, name), wire.text(4, graph))


def losses(decoder: Any, *records: bytes) -> list[str]:
    return [loss.kind for loss in decoder.feed(b"".join(records)).losses]


class TestParts:
    """As many inputs, outputs or values as any event has, and one more."""

    CASES: ClassVar[dict[str, tuple[str, int, Callable[[int], bytes]]]] = {
        "inputs": ("ExecutionDecoder", EXECUTION, lambda n: wire.integers(4, [1] * n)),
        "inputs one by one": (
            "ExecutionDecoder", EXECUTION, lambda n: wire.integers(4, [1] * n, packed=False)
        ),
        "inputs in two lists": (
            "ExecutionDecoder",
            EXECUTION,
            lambda n: wire.integers(4, [1] * (n - 9)) + wire.integers(4, [1 << 50] * 9),
        ),
        "outputs": ("ExecutionDecoder", EXECUTION, lambda n: wire.integers(5, [300] * n)),
        "values": ("ExecutionDecoder", EXECUTION, lambda n: wire.message(7, b"") * n),
        "devices": ("ExecutionDecoder", EXECUTION, lambda n: wire.integers(9, [1] * n)),
        "inputs of an op": ("GraphsDecoder", OP_CREATION, lambda n: wire.texts(6, ["a:0"] * n)),
        "outputs of an op": ("GraphsDecoder", OP_CREATION, lambda n: wire.integers(9, [1] * n)),
    }  # fmt: skip

    @each_kind
    @pytest.mark.parametrize("case", CASES)
    def test_a_record_has_so_many_and_no_more(self, decoders: Any, case: str) -> None:
        name, member, parts = self.CASES[case]
        decoder = getattr(decoders, name)()
        fed = decoder.feed(record(member, parts(MOST)) + record(member, parts(MOST + 1)))
        assert [loss.kind for loss in fed.losses] == ["too_large"]
        assert len(fed.batch.offset) == 1

    @each_kind
    def test_a_stack_is_so_deep_and_no_deeper(self, decoders: Any) -> None:
        for field, member, name in (
            (8, EXECUTION, "ExecutionDecoder"),
            (8, OP_CREATION, "GraphsDecoder"),
        ):
            decoder = getattr(decoders, name)()
            stacks = [b"\0" * (limits.MOST_LOCATION_BYTES + n) for n in (0, 1)]
            records = [record(member, wire.message(field, stack)) for stack in stacks]
            assert losses(decoder, *records) == ["too_large"]
            assert len(decoder.vocabulary.locations) == 1

    @each_kind
    def test_a_hundred_megabytes_of_inputs_take_no_memory(self, decoders: Any) -> None:
        packed = wire.message(4, b"\x01" * 100_000_000)
        assert losses(decoders.ExecutionDecoder(), record(EXECUTION, packed)) == ["too_large"]


LONG = "x" * 100_000


class TestLongNames:
    RECORDS: ClassVar[dict[str, tuple[str, bytes]]] = {
        "op type": ("ExecutionDecoder", record(EXECUTION, wire.text(1, LONG))),
        "graph of an execution": ("ExecutionDecoder", record(EXECUTION, wire.text(3, LONG))),
        "graph of a trace": ("TraceDecoder", record(TRACE, wire.text(1, LONG))),
        "traced op": ("TraceDecoder", record(TRACE, wire.text(2, LONG))),
        "device of a trace": ("TraceDecoder", record(TRACE, wire.text(6, LONG))),
        "op": ("GraphsDecoder", op(LONG)),
        "graph of an op": ("GraphsDecoder", op("a", LONG)),
        "input": ("GraphsDecoder", record(OP_CREATION, wire.text(6, f"{LONG}:7"))),
        "graph id": ("GraphsDecoder", record(GRAPH, wire.text(1, LONG))),
        "graph": ("GraphsDecoder", record(GRAPH, wire.text(2, LONG))),
        "outer graph": ("GraphsDecoder", record(GRAPH, wire.text(6, LONG))),
        "device": ("GraphsDecoder", record(DEVICE, wire.text(1, LONG))),
        "file": ("SourceFilesDecoder", record(SOURCE_FILE, wire.text(1, LONG))),
        "host": ("SourceFilesDecoder", record(SOURCE_FILE, wire.text(2, LONG))),
        "frame": ("StackFramesDecoder", record(STACK_FRAME, wire.text(1, LONG))),
        "function": (
            "StackFramesDecoder", record(STACK_FRAME, wire.message(2, wire.text(4, LONG)))
        ),
    }  # fmt: skip

    @each_kind
    @pytest.mark.parametrize("what", RECORDS)
    def test_a_long_name_is_kept_shortened_and_told(self, decoders: Any, what: str) -> None:
        name, octets = self.RECORDS[what]
        decoder = getattr(decoders, name)()
        fed = decoder.feed(octets)
        assert [loss.kind for loss in fed.losses] == ["long_name"]
        kept = repr((fed.batch, decoder.vocabulary))
        assert "…[100000 bytes " in kept
        assert len(kept) < 5_000

    @each_kind
    def test_it_is_one_name_wherever_it_stands(self, decoders: Any) -> None:
        decoder = decoders.GraphsDecoder()
        uses = record(OP_CREATION, wire.text(4, "g"), wire.text(2, "b"), wire.text(6, f"{LONG}:3"))
        fed = decoder.feed(op(LONG) + uses)
        assert fed.batch.input_op.tolist() == fed.batch.op.tolist()[:1]
        assert fed.batch.input_slot.tolist() == [3]


class TestSteeringCharacters:
    @each_kind
    def test_they_are_written_out_wherever_they_stand(self, decoders: Any) -> None:
        decoder = decoders.GraphsDecoder()
        decoder.feed(op("a\u202eb\n", "g\x1b[31m") + record(DEVICE, wire.text(1, "\0")))
        assert decoder.vocabulary.op_refs == [(0, "a\\u202eb\\x0a")]
        assert decoder.vocabulary.graph_ids == ["g\\x1b[31m"]

    @pytest.mark.parametrize(
        "code", [*range(0x20), *range(0x7E, 0xB0), *range(0x600, 0x640), *range(0x2000, 0x20D0)]
    )
    def test_both_decoders_have_the_same_ones(self, code: int) -> None:
        vocabularies = []
        for decoders in (reference, native):
            decoder = decoders.GraphsDecoder()
            decoder.feed(op(chr(code)))
            vocabularies.append(decoder.vocabulary)
        assert vocabularies[0] == vocabularies[1]


class TestVocabulary:
    @pytest.fixture(autouse=True)
    def room_for_five(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Five names of one byte each."""
        monkeypatch.setattr(limits, "MOST_VOCABULARY_BYTES", 5 * limits.name_cost(1))

    @each_kind
    def test_names_beyond_a_bound_are_left_out_with_their_records(self, decoders: Any) -> None:
        decoder = decoders.TraceDecoder()
        traces = [record(TRACE, wire.text(1, "g"), wire.text(2, name)) for name in "abcdefg"]
        fed = decoder.feed(b"".join(traces))
        assert [loss.kind for loss in fed.losses] == ["too_many_names"] * 3
        assert [name for _, name in decoder.vocabulary.op_refs] == ["a", "b", "c", "d"]
        assert fed.batch.op.tolist() == [0, 1, 2, 3]

    @each_kind
    def test_what_is_named_already_is_read_on(self, decoders: Any) -> None:
        decoder = decoders.TraceDecoder()
        traces = [record(TRACE, wire.text(1, "g"), wire.text(2, name)) for name in "abcdefagd"]
        fed = decoder.feed(b"".join(traces))
        assert fed.batch.op.tolist() == [0, 1, 2, 3, 0, 3]

    @each_kind
    def test_once_it_is_full_no_shorter_name_gets_in(self, decoders: Any) -> None:
        decoder = decoders.ExecutionDecoder()
        names = ["a", "b", "c", "d", "x" * 500, "e"]
        kinds = losses(decoder, *(record(EXECUTION, wire.text(1, name)) for name in names))
        assert kinds == ["too_many_names"] * 2

    @each_kind
    @pytest.mark.parametrize(
        ("name", "make"),
        [
            ("GraphsDecoder", lambda n: record(DEVICE, wire.integer(2, n))),
            ("GraphsDecoder", lambda n: record(GRAPH, wire.text(2, str(n)))),
            ("SourceFilesDecoder", lambda n: record(SOURCE_FILE, wire.text(1, str(n)))),
            ("StackFramesDecoder", lambda n: record(STACK_FRAME, wire.text(1, str(n)))),
        ],
    )
    def test_records_that_are_kept_as_they_are_count_too(
        self, decoders: Any, name: str, make: Callable[[int], bytes]
    ) -> None:
        kinds = losses(getattr(decoders, name)(), *map(make, range(9)))
        assert kinds
        assert set(kinds) == {"too_many_names"}


class TestHashes:
    """Names that nobody has by chance: a table would look for each of them at one place."""

    NUMBER = 30_000
    MOST_SECONDS = 20.0
    """Of a processor. Half a billion comparisons take minutes, and reading on takes one."""

    def test_locations_that_would_have_had_one_hash(self) -> None:
        decoder = native.ExecutionDecoder()
        octets = b"".join(
            record(EXECUTION, wire.message(8, location_of_one_hash(number)))
            for number in range(10 * self.NUMBER)
        )
        before = time.process_time()
        assert losses(decoder, octets) == []
        assert time.process_time() - before < self.MOST_SECONDS
        assert len(decoder.vocabulary.locations) == 10 * self.NUMBER

    @each_kind
    def test_shapes_of_one_hash(self, decoders: Any) -> None:
        shapes = list(islice(shapes_of_one_hash(), self.NUMBER))
        assert len({hash(shape) for shape in shapes}) == 1
        decoder, names = decoders.TraceDecoder(), Names()
        octets = b"".join(
            record(TRACE, wire.integer(4, FULL_TENSOR), wire.message(5, tensor_proto(1, shape)))
            for shape in shapes
        )
        before = time.process_time()
        assert losses(decoder, octets) == []
        Translation(decoder.vocabulary, names).extend()
        assert time.process_time() - before < self.MOST_SECONDS
        assert names.shapes.values == shapes


_WORD = (1 << 64) - 1


def location_of_one_hash(number: int) -> bytes:
    """Sixteen bytes: the last eight take back what the first do to a hash without a secret."""
    first = int.from_bytes(f"{number:08d}".encode(), "little")
    state = (16 * 0x9E3779B97F4A7C15 & _WORD) ^ first
    product = state * 0xA0761D6478BD642F
    return first.to_bytes(8, "little") + ((product & _WORD) ^ product >> 64).to_bytes(8, "little")


def shapes_of_one_hash() -> Iterator[tuple[int, int]]:
    """Two dimensions each: the second takes back what the first does to a tuple's hash."""
    prime_1, prime_2, prime_5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x27D4EB2F165667C5
    inverse = pow(prime_2, -1, 1 << 64)
    for first in count(1):
        state = prime_5 + first * prime_2 & _WORD
        state = (state << 31 | state >> 33) * prime_1 & _WORD
        second = (0x123456789ABCDEF0 - state) * inverse & _WORD
        if second < (1 << 61) - 1:  # A number that is its own hash.
            yield first, second
