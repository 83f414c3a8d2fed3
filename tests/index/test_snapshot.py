from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.events import debug_modes
from tests.builders.logdir import logdir
from tests.builders.tensors import Values
from tests.index.reading import index_of, read


class TestOpsAndGraphs:
    def test_a_trace_may_be_on_disk_before_its_op_and_its_graph(self, tmp_path: Path) -> None:
        built = logdir(tmp_path).in_graph("g").trace("Log", nan=1)
        index = index_of(tmp_path)
        index.refresh()
        op = int(index.snapshot.traces.op[0])
        assert (index.snapshot.op_type(op), index.snapshot.row_of_op(op)) == (None, None)
        assert index.snapshot.graphs == {}
        built.op("Log", "Log")
        index.refresh()
        assert index.snapshot.op_type(op) == "Log"
        built.graph("f", graph_id="g")
        index.refresh()
        graph = index.snapshot.names.graph_of(op)
        assert index.snapshot.graphs[graph].name == "f"

    def test_an_input_that_was_never_recorded_as_an_op_is_known_by_name(
        self, tmp_path: Path
    ) -> None:
        logdir(tmp_path).graph("f").op("Log", "Log", inputs=["StatefulPartitionedCall:2"])
        snapshot = read(tmp_path)
        producer = int(snapshot.ops.input_op[0])
        assert snapshot.names.op_name(producer) == "StatefulPartitionedCall"
        assert snapshot.ops.input_slot.tolist() == [2]
        assert snapshot.row_of_op(producer) is None

    def test_of_two_ops_of_one_name_the_first_counts(self, tmp_path: Path) -> None:
        logdir(tmp_path).graph("f").op("Log", "x").op("Exp", "x")
        snapshot = read(tmp_path)
        graph = snapshot.find_graph("f-id")
        assert graph is not None
        op = snapshot.find_op(graph, "x")
        assert op is not None
        assert (snapshot.op_type(op), snapshot.row_of_op(op), len(snapshot.ops)) == ("Log", 0, 2)

    def test_what_no_record_names_is_not_found(self, tmp_path: Path) -> None:
        logdir(tmp_path).graph("f").op("Log", "x")
        snapshot = read(tmp_path)
        graph = snapshot.find_graph("f-id")
        assert graph is not None
        assert snapshot.find_op(graph, "y") is None
        assert snapshot.find_graph("f") is None

    def test_a_graph_s_path_starts_at_the_outermost_graph(self, tmp_path: Path) -> None:
        logdir(tmp_path).graph("inner", outer="middle-id").graph("middle", outer="outermost-id")
        assert path_names(tmp_path, "inner-id") == ["outermost-id", "middle-id", "inner-id"]

    def test_graphs_around_each_other_in_a_circle_end_the_path(self, tmp_path: Path) -> None:
        built = logdir(tmp_path).graph("a", outer="b-id").graph("b", outer="a-id")
        built.graph("self", outer="self-id")
        assert path_names(tmp_path, "a-id") == ["b-id", "a-id"]
        assert path_names(tmp_path, "self-id") == ["self-id"]

    def test_a_graph_recorded_twice_is_one(self, tmp_path: Path) -> None:
        logdir(tmp_path).graph("f").graph("other", graph_id="f-id")
        (graph,) = read(tmp_path).graphs.values()
        assert graph.name == "f"


def path_names(directory: Path, graph_id: str) -> list[str]:
    snapshot = read(directory)
    graph = snapshot.find_graph(graph_id)
    assert graph is not None
    return [snapshot.names.graph_ids.values[key] for key in snapshot.graph_path(graph)]


class TestRecords:
    def test_outputs_inputs_and_values_belong_to_their_execution(self, tmp_path: Path) -> None:
        built = logdir(tmp_path, mode=debug_modes.CONCISE_HEALTH)
        built.execution("NoOp", outputs=[], values=[])
        built.execution("Split", inputs=[7], outputs=[8, 9, 10], values=[Values(nan=1)])
        built.execution("Mul", inputs=[8, 9], outputs=[11])
        table = read(tmp_path).executions
        assert table.input_end.tolist() == [0, 0, 1, 3]
        assert table.input_tensor_id.tolist() == [7, 8, 9]
        assert table.output_end.tolist() == [0, 0, 3, 4]
        assert table.output_tensor_id.tolist() == [8, 9, 10, 11]
        assert table.value_end.tolist() == [0, 0, 1, 2]
        assert table.values.bad.tolist() == [1, 0]

    def test_counts_beyond_32_bits_are_read_from_the_record(self, tmp_path: Path) -> None:
        huge = Values(size=1 << 40, nan=1 << 33)
        built = logdir(tmp_path).execution("Mul", values=[Values(), huge])
        built.graph("f").trace("Log").trace("Log", value=huge)
        snapshot = read(tmp_path)
        counts = (0, 0, 1 << 33, 0, 0, (1 << 40) - (1 << 33))
        assert snapshot.executions.values.num_nan.tolist() == [0, -2]
        for table, row, position in ((snapshot.executions, 0, 1), (snapshot.traces, 1, 0)):
            file, offset = int(table.file[row]), int(table.offset[row])
            found, num_bytes = snapshot.read_counts(file, offset, most_bytes=10_000)
            assert found[position] == counts
            assert 0 < num_bytes < 1_000
            assert snapshot.read_counts(file, offset, most_bytes=100) == ([], 0)

    def test_a_code_location_has_a_host_and_frames(self, tmp_path: Path) -> None:
        logdir(tmp_path, host="node").execution("Mul", stack=["f1", "f2"])
        snapshot = read(tmp_path)
        location = snapshot.location(int(snapshot.executions.location[0]))
        assert (location.host_name, location.frame_ids) == ("node", ("f1", "f2"))
        assert snapshot.location(-1).frame_ids == ()
