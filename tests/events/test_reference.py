from __future__ import annotations

from typing import Any

import pytest

from tb_debugger_plugin.events.batches import COUNT_IN_RECORD, MetadataRecord, StackFrameRecord
from tb_debugger_plugin.events.reference import (
    Decoder,
    ExecutionDecoder,
    GraphsDecoder,
    MetadataDecoder,
    SourceFilesDecoder,
    StackFramesDecoder,
    TraceDecoder,
    split_tensor_name,
)
from tb_debugger_plugin.index.file_sets import FileKind
from tests.builders import wire
from tests.builders.tensors import Values, shape_proto, tensor_proto
from tests.events.decoding import DECODERS, decode

NOW = 1_700_000_000.5
METADATA, SOURCE_FILE, STACK_FRAME, OP, GRAPH, EXECUTION, TRACE, DEVICE = 3, 4, 6, 7, 8, 9, 10, 12

EXECUTION_MESSAGE = wire.text(1, "Mul") + wire.integers(5, [11])
TRACE_MESSAGE = wire.text(1, "g") + wire.text(2, "Log")
MEMBERS: list[tuple[FileKind, int, bytes]] = [
    ("metadata", METADATA, wire.text(1, "2.21.0")),
    ("source_files", SOURCE_FILE, wire.text(1, "/a.py")),
    ("stack_frames", STACK_FRAME, wire.text(1, "f1")),
    ("graphs", OP, wire.text(1, "Mul") + wire.text(2, "mul")),
    ("graphs", GRAPH, wire.text(1, "g")),
    ("graphs", DEVICE, wire.text(1, "CPU")),
    ("execution", EXECUTION, EXECUTION_MESSAGE),
    ("graph_execution_traces", TRACE, TRACE_MESSAGE),
]
each_member = pytest.mark.parametrize(("kind", "member", "message"), MEMBERS)


def feed(decoder: Decoder[Any], member: int, message: bytes) -> Any:
    fed = decoder.feed(wire.record(wire.event(NOW, member, message)))
    assert fed.losses == []
    return fed.batch


def rows(kind: FileKind, payload: bytes) -> list[Any]:
    decoded = decode(kind, wire.record(payload))
    assert decoded.losses == []
    return decoded.rows


class TestEvents:
    @each_member
    def test_a_record_of_the_file_s_kind_is_a_row(
        self, kind: FileKind, member: int, message: bytes
    ) -> None:
        assert len(rows(kind, wire.event(NOW, member, message))) == 1

    @each_member
    def test_a_record_of_another_kind_is_passed_over_in_silence(
        self, kind: FileKind, member: int, message: bytes
    ) -> None:
        for other in DECODERS:
            if other != kind:
                assert rows(other, wire.event(NOW, member, message)) == []

    @each_member
    def test_unknown_fields_anywhere_in_a_record_change_nothing(
        self, kind: FileKind, member: int, message: bytes
    ) -> None:
        unknown = wire.integer(100, 7) + wire.message(101, b"\xff\xff") + wire.double(102, 1.0)
        plain = rows(kind, wire.event(NOW, member, message))
        inside = wire.event(NOW, member, unknown + message + unknown)
        around = unknown + wire.event(NOW, member, message) + unknown
        for payload in (inside, around):
            assert str(rows(kind, payload)) == str(plain)

    @pytest.mark.parametrize("member", [5, 11, 13, 500])
    def test_a_member_that_is_not_known_yields_no_row_and_no_loss(self, member: int) -> None:
        for kind in DECODERS:
            assert rows(kind, wire.event(NOW, member, b"\x01\xff garbage")) == []

    @each_member
    def test_of_several_members_the_last_counts(
        self, kind: FileKind, member: int, message: bytes
    ) -> None:
        event = wire.event(NOW, member, message)
        assert len(rows(kind, event + wire.message(member, message))) == 1
        assert rows(kind, event + wire.message(11, b"")) == []

    @each_member
    def test_a_group_makes_a_record_undecodable_and_spares_the_next(
        self, kind: FileKind, member: int, message: bytes
    ) -> None:
        event = wire.event(NOW, member, message)
        group = wire.tag(50, wire.START_GROUP) + wire.integer(1, 1) + wire.tag(50, wire.END_GROUP)
        frames = [wire.record(event + group), wire.record(event)]
        decoded = decode(kind, b"".join(frames))
        (loss,) = decoded.losses
        assert (loss.kind, loss.offset, loss.num_bytes) == ("undecodable", 0, len(frames[0]))
        assert len(decoded.rows) == 1

    @pytest.mark.parametrize("wall_time", [-1.0, 1e12, float("inf"), float("nan")])
    def test_a_time_that_is_none_makes_a_record_undecodable(self, wall_time: float) -> None:
        payload = wire.event(wall_time, EXECUTION, EXECUTION_MESSAGE)
        decoded = decode("execution", wire.record(payload))
        assert [loss.kind for loss in decoded.losses] == ["undecodable"]
        assert decoded.rows == []

    def test_a_record_without_a_time_is_of_time_0(self) -> None:
        batch = ExecutionDecoder().feed(wire.record(wire.message(EXECUTION, b""))).batch
        assert batch.wall_time.tolist() == [0.0]

    def test_a_time_of_another_wire_type_makes_a_record_undecodable(self) -> None:
        payload = wire.integer(1, 5) + wire.message(EXECUTION, EXECUTION_MESSAGE)
        decoded = decode("execution", wire.record(payload))
        assert [loss.kind for loss in decoded.losses] == ["undecodable"]

    def test_text_that_is_not_utf8_is_shown_with_replacement_characters(self) -> None:
        decoder = ExecutionDecoder()
        feed(decoder, EXECUTION, wire.message(1, b"M\xffl"))
        assert decoder.vocabulary.strings == ["M\ufffdl"]

    def test_what_a_lost_record_names_does_not_shift_the_rows_of_others(self) -> None:
        good = wire.event(NOW, EXECUTION, EXECUTION_MESSAGE)
        bad = wire.event(NOW, EXECUTION, wire.text(1, "Bad") + wire.integers(5, [1]) + b"\x0b")
        decoded = decode("execution", b"".join(map(wire.record, (good, bad, good))))
        assert [row[2] for row in decoded.rows] == ["Mul", "Mul"]
        assert [row[7] for row in decoded.rows] == [[11], [11]]


class TestExecutions:
    @pytest.mark.parametrize("packed", [True, False])
    def test_ids_are_read_packed_and_unpacked_and_may_be_negative(self, packed: bool) -> None:
        message = b"".join(
            (
                wire.integers(4, [1, -1, 1 << 62], packed=packed),
                wire.integers(5, [5, -(1 << 63)], packed=packed),
                wire.integers(9, [1, -2], packed=packed),
            )
        )
        batch = feed(ExecutionDecoder(), EXECUTION, message)
        assert batch.input_tensor_id.tolist() == [1, -1, 1 << 62]
        assert batch.output_tensor_id.tolist() == [5, -(1 << 63)]
        assert batch.output_device_id.tolist() == [1, -2]

    @pytest.mark.parametrize(
        ("recorded", "devices"), [([], [0, 0]), ([3], [3, 0]), ([3, 4, 5], [3, 4])]
    )
    def test_devices_stand_beside_outputs_however_many_are_recorded(
        self, recorded: list[int], devices: list[int]
    ) -> None:
        message = wire.integers(5, [1, 2]) + wire.integers(9, recorded)
        batch = feed(ExecutionDecoder(), EXECUTION, message)
        assert batch.output_device_id.tolist() == devices

    def test_fewer_values_than_outputs_are_told_apart(self) -> None:
        tensor = Values(nan=1).tensor_proto(3, -1)
        message = wire.integers(5, [1, 2, 3]) + wire.integer(6, 3) + wire.message(7, tensor)
        batch = feed(ExecutionDecoder(), EXECUTION, message)
        assert (batch.num_outputs.tolist(), batch.num_values.tolist()) == ([3], [1])
        assert [c.tolist() for c in batch.values.counts] == [[0], [0], [1], [-1], [-1], [-1]]

    def test_the_mode_counts_wherever_it_stands_in_the_record(self) -> None:
        tensor = wire.message(7, Values(nan=1).tensor_proto(3, -1))
        for message in (wire.integer(6, 3) + tensor, tensor + wire.integer(6, 3)):
            batch = feed(ExecutionDecoder(), EXECUTION, message)
            assert (batch.mode.tolist(), batch.values.bad.tolist()) == ([3], [1])

    @pytest.mark.parametrize("mode", [256, 1 << 40, -1])
    def test_a_mode_beyond_a_byte_is_unspecified(self, mode: int) -> None:
        batch = feed(ExecutionDecoder(), EXECUTION, wire.integer(6, mode))
        assert batch.mode.tolist() == [0]

    def test_a_count_beyond_32_bits_refers_to_the_record(self) -> None:
        tensor = Values(size=1 << 33, neg_inf=1 << 32, nan=(1 << 31) - 1).tensor_proto(4, -1)
        message = wire.integer(6, 4) + wire.message(7, tensor)
        values = feed(ExecutionDecoder(), EXECUTION, message).values
        assert values.size.tolist() == [1 << 33]
        assert [int(c[0]) for c in values.counts[:3]] == [COUNT_IN_RECORD, 0, (1 << 31) - 1]
        assert values.bad.tolist() == [1]

    def test_equal_code_locations_have_one_id_and_absence_is_none(self) -> None:
        decoder = ExecutionDecoder()
        place = wire.message(8, wire.text(1, "host") + wire.texts(2, ["f1", "f2"]))
        frames = [wire.record(wire.event(NOW, EXECUTION, m)) for m in (place, b"", place)]
        assert decoder.feed(b"".join(frames)).batch.location.tolist() == [0, -1, 0]
        assert len(decoder.vocabulary.locations) == 1

    def test_an_empty_graph_id_is_none(self) -> None:
        assert feed(ExecutionDecoder(), EXECUTION, wire.message(3, b"")).graph.tolist() == [-1]

    def test_a_tensor_that_is_no_message_costs_its_record(self) -> None:
        payload = wire.event(NOW, EXECUTION, wire.integer(6, 7) + wire.message(7, b"\x0b"))
        decoded = decode("execution", wire.record(payload))
        assert ([loss.kind for loss in decoded.losses], decoded.rows) == (["undecodable"], [])

    def test_a_shape_of_a_million_dimensions_costs_its_record_only(self) -> None:
        tensor = wire.integer(1, 1) + wire.message(2, shape_proto([0]) * 1_000_000)
        bomb = wire.event(NOW, EXECUTION, wire.integer(6, 7) + wire.message(7, tensor))
        good = wire.event(NOW, EXECUTION, EXECUTION_MESSAGE)
        decoded = decode("execution", wire.record(bomb) + wire.record(good))
        assert [loss.kind for loss in decoded.losses] == ["undecodable"]
        assert len(decoded.rows) == 1


class TestTraces:
    def test_slot_is_0_and_the_device_none_where_absent(self) -> None:
        batch = feed(TraceDecoder(), TRACE, TRACE_MESSAGE)
        assert (batch.output_slot.tolist(), batch.device.tolist()) == ([0], [-1])
        assert (batch.tensor_id.tolist(), batch.values.bad.tolist()) == ([-1], [-1])

    def test_the_summary_gives_the_symbolic_tensor_id(self) -> None:
        tensor = Values(nan=1).tensor_proto(2, 77)
        batch = feed(TraceDecoder(), TRACE, wire.integer(4, 2) + wire.message(5, tensor))
        assert batch.tensor_id.tolist() == [77]

    def test_ops_of_one_name_in_two_graphs_are_two(self) -> None:
        decoder = TraceDecoder()
        messages = [wire.text(1, graph) + wire.text(2, "Log") for graph in ("g", "h", "g")]
        batch = decoder.feed(
            b"".join(wire.record(wire.event(NOW, TRACE, m)) for m in messages)
        ).batch
        assert batch.op.tolist() == [0, 1, 0]
        assert decoder.vocabulary.op_refs == [(0, "Log"), (1, "Log")]

    def test_no_op_has_an_output_of_a_negative_number(self) -> None:
        record = wire.record(wire.event(NOW, TRACE, wire.integer(3, -1)))
        fed = TraceDecoder().feed(record)
        assert [loss.kind for loss in fed.losses] == ["undecodable"]
        assert len(fed.batch.output_slot) == 0

    def test_a_string_tensor_is_read_although_tensorflow_s_reader_cannot(self) -> None:
        tensor = tensor_proto(7, (3,), content=b"\x00\x03\x01ab\x00c")
        batch = feed(TraceDecoder(), TRACE, wire.integer(4, 7) + wire.message(5, tensor))
        assert (batch.values.dtype.tolist(), batch.values.size.tolist()) == ([7], [3])


class TestGraphs:
    def test_an_input_refers_to_its_producer_and_slot_in_the_same_graph(self) -> None:
        decoder = GraphsDecoder()
        inputs = wire.texts(6, ["x:1", "while/y_2:0", "z"])
        batch = feed(decoder, OP, wire.text(2, "mul") + wire.text(4, "g") + inputs)
        names = [decoder.vocabulary.op_refs[op] for op in batch.input_op]
        assert names == [(0, "x"), (0, "while/y_2"), (0, "z")]
        assert batch.input_slot.tolist() == [1, 0, 0]

    def test_a_graph_without_name_or_outer_graph_is_outermost(self) -> None:
        (graph,) = feed(GraphsDecoder(), GRAPH, wire.text(1, "g")).graphs
        assert (graph.name, graph.outer) == ("", -1)

    def test_devices_graphs_and_ops_stand_in_one_file(self) -> None:
        decoder = GraphsDecoder()
        members = (
            (DEVICE, b""),
            (GRAPH, wire.text(1, "g")),
            (OP, wire.text(4, "g")),
            (DEVICE, b""),
        )
        frames = [wire.record(wire.event(NOW, member, m)) for member, m in members]
        batch = decoder.feed(b"".join(frames)).batch
        assert (len(batch.devices), len(batch.graphs), batch.offset.tolist()) == (
            2,
            1,
            [len(frames[0]) + len(frames[1])],
        )

    @pytest.mark.parametrize(
        ("name", "parts"),
        [
            ("Add:1", ("Add", 1)),
            ("Add", ("Add", 0)),
            ("", ("", 0)),
            (":3", ("", 3)),
            ("a:b:12", ("a:b", 12)),
            ("Add:-1", ("Add:-1", 0)),
            ("Add:", ("Add:", 0)),
            ("Add:1_0", ("Add:1_0", 0)),
            ("Add:²", ("Add:²", 0)),
            ("Add:١", ("Add:١", 0)),
            ("Add:" + "9" * 30, ("Add:" + "9" * 30, 0)),
        ],
    )
    def test_a_tensor_name_is_an_op_name_and_a_slot(
        self, name: str, parts: tuple[str, int]
    ) -> None:
        op_name, slot = parts
        assert split_tensor_name(name.encode()) == (op_name.encode(), slot)


class TestOtherFiles:
    def test_the_lines_of_a_source_file_are_counted_and_stay_in_the_file(self) -> None:
        message = wire.text(1, "/a.py") + wire.text(2, "host") + wire.texts(3, ["", "x = 1", ""])
        (source,) = feed(SourceFilesDecoder(), SOURCE_FILE, message)
        assert (source.file_path, source.host_name, source.num_lines) == ("/a.py", "host", 3)

    def test_a_frame_has_a_place_in_a_file(self) -> None:
        place = wire.integer(1, 0) + wire.integer(2, 7) + wire.integer(3, 2) + wire.text(4, "f")
        message = wire.text(1, "id") + wire.message(2, place + wire.text(5, "x = 1"))
        frames = feed(StackFramesDecoder(), STACK_FRAME, message)
        assert frames == [StackFrameRecord("id", 0, 7, "f")]

    def test_a_frame_s_numbers_may_be_negative(self) -> None:
        message = wire.message(2, wire.integer(1, -1) + wire.integer(2, -5))
        (frame,) = feed(StackFramesDecoder(), STACK_FRAME, message)
        assert (frame.file_index, frame.lineno) == (-1, -5)

    def test_metadata_may_lack_a_run_id(self) -> None:
        message = wire.text(1, "2.3.0") + wire.text(2, "debug.Event:1")
        records = feed(MetadataDecoder(), METADATA, message)
        assert records == [MetadataRecord(NOW, "2.3.0", "debug.Event:1", "")]
