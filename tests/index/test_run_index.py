from __future__ import annotations

import os
from pathlib import Path

import pytest

from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind, find_file_sets
from tb_debugger_plugin.index.file_tail import BATCH_BYTES, FileReplaced
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values
from tests.index.reading import (
    counts,
    index_of,
    op_types,
    problem_kinds,
    read,
    source_names,
    traced_ops,
)


class TestEmptiness:
    def test_a_run_that_has_just_been_enabled_is_whole_and_empty(self, tmp_path: Path) -> None:
        logdir(tmp_path)
        snapshot = read(tmp_path)
        assert snapshot.is_whole
        assert (len(snapshot.executions), len(snapshot.traces), len(snapshot.ops)) == (0, 0, 0)
        assert snapshot.problems == ()

    def test_an_index_is_not_whole_before_it_has_read(self, tmp_path: Path) -> None:
        logdir(tmp_path).execution("Mul")
        index = index_of(tmp_path)
        assert not index.snapshot.is_whole
        index.refresh()
        assert index.snapshot.is_whole

    def test_a_set_without_metadata_is_read_and_says_so(self, tmp_path: Path) -> None:
        built = logdir(tmp_path).execution("Mul")
        built.path("metadata").write_bytes(b"")
        snapshot = read(tmp_path)
        assert op_types(snapshot) == ["Mul"]
        (problem,) = snapshot.problems
        assert (problem.kind, problem.is_loss) == ("missing_metadata", False)
        assert problem.file == str(built.path("metadata"))

    @pytest.mark.parametrize("kind", [kind for kind in FILE_KINDS if kind != "metadata"])
    def test_a_file_that_is_missing_is_a_problem_until_it_appears(
        self, tmp_path: Path, kind: FileKind
    ) -> None:
        built = logdir(tmp_path).execution("Mul").source("a.py").frame("f", "a.py")
        built.graph().trace("Log")
        content = built.path(kind).read_bytes()
        built.remove(kind)
        index = index_of(tmp_path)
        index.refresh()
        (problem,) = index.snapshot.problems
        assert (problem.kind, problem.file) == ("missing_file", str(built.path(kind)))
        assert problem.is_loss
        built.path(kind).write_bytes(content)
        index.refresh()
        assert index.snapshot.problems == ()

    def test_a_file_that_cannot_be_read_is_a_problem_until_another_takes_its_place(
        self, tmp_path: Path
    ) -> None:
        built = logdir(tmp_path).execution("Mul").graph().trace("Log")
        content = built.path("execution").read_bytes()
        built.remove("execution").path("execution").mkdir()
        index = index_of(tmp_path)
        index.refresh()
        (problem,) = index.snapshot.problems
        assert (problem.kind, problem.file) == ("unreadable_file", str(built.path("execution")))
        assert problem.detail in problem.message
        assert traced_ops(index.snapshot) == ["Log"]
        built.path("execution").rmdir()
        built.path("execution").write_bytes(content)
        with pytest.raises(FileReplaced):
            index.refresh()


class TestGrowth:
    def test_a_refresh_adds_what_is_new_and_publishes_nothing_otherwise(
        self, tmp_path: Path
    ) -> None:
        built = logdir(tmp_path).execution("Mul")
        index = index_of(tmp_path)
        index.refresh()
        first = index.snapshot
        index.refresh()
        assert index.snapshot is first
        built.execution("Log")
        index.refresh()
        assert op_types(index.snapshot) == ["Mul", "Log"]

    def test_old_snapshots_stay_as_they_were(self, tmp_path: Path) -> None:
        built = (
            logdir(tmp_path)
            .source("a.py")
            .frame("f1", "a.py")
            .frame("lost", 1)
            .graph("f")
            .op("Log", "Log")
            .device()
            .execution("Mul", stack=["f1"])
            .trace("Log")
        )
        index = index_of(tmp_path)
        index.refresh()
        old = index.snapshot
        before = (
            op_types(old),
            traced_ops(old),
            dict(old.frames),
            dict(old.graphs),
            dict(old.devices),
            old.sources,
            old.executions.value_end.tolist(),
        )
        built.source("b.py").frame("f2", "b.py").graph("g").op("Exp", "Exp").device("GPU")
        for _ in range(200):
            built.execution("Exp").trace("Exp")
        index.refresh()
        assert len(index.snapshot.executions) == 201
        assert index.snapshot.frames["lost"].source == 1
        after = (
            op_types(old),
            traced_ops(old),
            dict(old.frames),
            dict(old.graphs),
            dict(old.devices),
            old.sources,
            old.executions.value_end.tolist(),
        )
        assert after == before

    def test_files_that_grow_byte_by_byte_give_the_index_of_the_whole(self, tmp_path: Path) -> None:
        built = small_program(logdir(tmp_path / "whole"))
        expected = read(tmp_path / "whole")
        growing = tmp_path / "growing"
        growing.mkdir()
        contents = {kind: built.path(kind).read_bytes() for kind in FILE_KINDS}
        targets = {kind: growing / built.path(kind).name for kind in FILE_KINDS}
        targets["metadata"].write_bytes(contents["metadata"])
        index = index_of(growing)
        for size in range(0, max(map(len, contents.values())) + 61, 61):
            for kind in FILE_KINDS[1:]:
                append(targets[kind], contents[kind], size)
            index.refresh()
        snapshot = index.snapshot
        assert problem_kinds(snapshot) == []
        assert op_types(snapshot) == op_types(expected)
        assert traced_ops(snapshot) == traced_ops(expected)
        assert snapshot.frames == expected.frames
        assert counts(snapshot.executions.values) == counts(expected.executions.values)
        assert counts(snapshot.traces.values) == counts(expected.traces.values)

    def test_what_is_read_so_far_is_published_while_reading(self, tmp_path: Path) -> None:
        built = logdir(tmp_path)
        big = Values(size=1 << 17).tensor_proto(debug_modes.FULL_TENSOR, -1)
        for _ in range(60):
            built.execution("Mul", values=[big], mode=debug_modes.FULL_TENSOR)
        assert built.size("execution") > 3 * BATCH_BYTES
        index = index_of(tmp_path)
        counts = []
        for _ in index.refresh_by_piece():
            snapshot = index.snapshot
            counts.append(len(snapshot.executions))
            assert problem_kinds(snapshot) == []
            (progress,) = (p for p in snapshot.progress if p.kind == "execution")
            assert 0 < progress.bytes_read < progress.size == built.size("execution")
        assert 0 < counts[0] < 60
        assert counts == sorted(counts)
        assert len(index.snapshot.executions) == 60

    def test_a_refresh_may_be_left_at_any_piece(self, tmp_path: Path) -> None:
        built = small_program(logdir(tmp_path))
        index = index_of(tmp_path)
        for _ in range(20):
            next(iter(index.refresh_by_piece()), None)
        assert op_types(index.snapshot) == op_types(read(tmp_path))
        assert traced_ops(index.snapshot) == traced_ops(read(built.directory))

    def test_a_replaced_file_asks_for_a_new_index(self, tmp_path: Path) -> None:
        built = logdir(tmp_path).execution("Mul").execution("Log")
        index = index_of(tmp_path)
        index.refresh()
        built.truncate("execution", 10)
        with pytest.raises(FileReplaced):
            index.refresh()


def append(path: Path, content: bytes, size: int) -> None:
    with path.open("ab") as file:
        file.write(content[file.tell() : size])


def small_program(built: LogdirBuilder) -> LogdirBuilder:
    return (
        built.source("a.py", lines=["x", "y"])
        .source("b.py", lines=["z"])
        .frame("f1", "a.py", line=2)
        .frame("f2", "b.py", line=1, function="f")
        .graph("f")
        .op("Placeholder", "x", stack=["f1", "f2"])
        .op("Log", "Log", inputs=["x:0"], stack=["f1", "f2"])
        .device()
        .execution("Mul", size=3, nan=1, stack=["f1"])
        .trace("Log", size=9, neg_inf=2)
        .execution("__inference_f_1", graph="f", size=9, neg_inf=2, stack=["f1"])
    )


class TestHosts:
    def test_hosts_of_one_run_share_its_graphs_and_tables(self, tmp_path: Path) -> None:
        client = logdir(tmp_path, host="client").graph("f").op("Log", "Log").trace("Log", nan=1)
        worker = client.add_host("worker", started=1_700_000_002).in_graph("f").trace("Log")
        snapshot = read(tmp_path)
        assert len(snapshot.file_sets) == 2
        assert problem_kinds(snapshot) == []
        assert snapshot.traces.op.tolist() == [0, 0]
        assert [snapshot.op_type(int(op)) for op in snapshot.traces.op] == ["Log", "Log"]
        files = [snapshot.paths[number] for number in snapshot.traces.file]
        assert files == [str(built.path("graph_execution_traces")) for built in (client, worker)]

    def test_traces_stand_in_time_order_across_hosts(self, tmp_path: Path) -> None:
        client = logdir(tmp_path, host="client", started=100).graph("f")
        worker = client.add_host("worker", started=102).in_graph("f")
        client.trace("a", at=200.0).trace("d", at=203.0).trace("c", at=202.0)
        worker.trace("b", at=201.0).trace("e", at=203.0)
        snapshot = read(tmp_path)
        assert traced_ops(snapshot) == ["a", "b", "c", "d", "e"]
        assert snapshot.trace_order is not None
        assert snapshot.trace_index_of_row is not None
        inverse = snapshot.trace_index_of_row[snapshot.trace_order]
        assert inverse.tolist() == [0, 1, 2, 3, 4]

    def test_a_run_in_time_order_already_needs_no_order(self, tmp_path: Path) -> None:
        logdir(tmp_path).execution("Mul").execution("Log")
        snapshot = read(tmp_path)
        assert snapshot.execution_order is None
        assert snapshot.execution_index_of_row is None

    def test_executions_of_two_writers_stand_in_time_order(self, tmp_path: Path) -> None:
        one = logdir(tmp_path, host="one", started=100).execution("late", at=300.0)
        one.add_host("two", started=101).execution("early", at=200.0)
        snapshot = read(tmp_path)
        assert snapshot.execution_order is not None
        assert snapshot.execution_order.tolist() == [1, 0]

    def test_a_host_may_join_a_run_that_is_read_already(self, tmp_path: Path) -> None:
        client = logdir(tmp_path, host="client", started=100).graph("f").trace("a", at=200.0)
        index = index_of(tmp_path)
        index.refresh()
        client.add_host("worker", started=150).in_graph("f").trace("b", at=199.0)
        names = os.listdir(tmp_path)
        known = {file_set.prefix for file_set in index.file_sets}
        found = find_file_sets(str(tmp_path), names)
        index.set_file_sets([file_set for file_set in found if file_set.prefix not in known])
        assert not index.snapshot.is_whole
        index.refresh()
        assert index.snapshot.is_whole
        assert traced_ops(index.snapshot) == ["b", "a"]

    def test_each_writer_numbers_its_own_files_and_devices(self, tmp_path: Path) -> None:
        one = logdir(tmp_path, host="one", started=100).source("a.py").frame("f1", 0).device("A")
        two = one.add_host("two", started=101).source("b.py").frame("f2", 0).device("B")
        one.execution("Mul")
        two.execution("Mul")
        snapshot = read(tmp_path)
        assert source_names(snapshot) == {"f1": "a.py", "f2": "b.py"}
        devices = [
            snapshot.device_name(int(file), int(device))
            for file, device in zip(
                snapshot.executions.file, snapshot.executions.output_device_id, strict=True
            )
        ]
        assert devices == ["A", "B"]
        assert [source.host_name for source in snapshot.sources] == ["one", "two"]
