"""Several hosts and processes that wrote one run, and what the set of each holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tests.builders.logdir import CPU, logdir
from tests.logdirs.shown import Shown, serving, shown, shown_run, wait_until_shown

WORKER = "/job:worker/replica:0/task:{}/device:CPU:0"


def test_a_client_and_its_workers_are_one_run(tmp_path: Path) -> None:
    client = logdir(tmp_path, host="client").graph("step").op("Log", "log").op("Mul", "mul")
    client.execution("__inference_step_1", graph="step", nan=1)
    for task in range(3):
        worker = client.add_host(f"worker-{task}", started=1_700_000_002 + task)
        worker.in_graph("step").trace("log", neg_inf=1, device=WORKER.format(task))
        worker.trace("mul", nan=1, device=WORKER.format(task))
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(
            executions=["__inference_step_1"],
            traces=["log:0", "mul:0"] * 3,
            alerts=["__inference_step_1", *["Log", "Mul"] * 3],
        )
        assert server.answer("/runs")["."]["hosts"] == [
            "client", "worker-0", "worker-1", "worker-2",
        ]  # fmt: skip
        facets = server.answer("/graph_execution/facets", run=".")["devices"]
        assert [device["name"] for device in facets] == [WORKER.format(task) for task in range(3)]


def test_a_worker_that_starts_later_is_taken_in(tmp_path: Path) -> None:
    client = logdir(tmp_path).graph("step").op("Log", "log").trace("log")
    with serving(tmp_path, is_running=True) as server:
        assert shown_run(server, ".") == Shown("live", traces=["log:0"])
        worker = client.add_host("worker", started=1_700_000_700)
        worker.in_graph("step").trace("log", nan=1)
        wait_until_shown(server, ".", Shown("live", traces=["log:0"] * 2, alerts=["Log"]))


@pytest.mark.parametrize("kinds", [FILE_KINDS, ["source_files"], ["graphs", "metadata"]])
def test_a_worker_that_is_about_to_start_does_not_rename_the_run(
    tmp_path: Path, kinds: list[FileKind]
) -> None:
    """TensorFlow makes three files, then the metadata, and fills that a moment later."""
    logdir(tmp_path).execution("Add")
    for kind in kinds:
        (tmp_path / f"tfdbg_events.1700000700.worker.{kind}").touch()
    assert shown(tmp_path) == {".": Shown(executions=["Add"])}


def test_traces_of_all_hosts_stand_in_time_order(tmp_path: Path) -> None:
    client = logdir(tmp_path).graph("step").op("Log", "a").op("Log", "b").op("Log", "c")
    client.trace("a", at=10.0).trace("c", at=30.0)
    client.add_host("worker").in_graph("step").trace("b", at=20.0).trace("b", at=5.0)
    assert shown(tmp_path) == {".": Shown(traces=["b:0", "a:0", "b:0", "c:0"])}


def test_a_worker_whose_last_block_was_not_written(tmp_path: Path) -> None:
    client = logdir(tmp_path).graph("step").op("Log", "log").trace("log")
    client.add_host("worker").in_graph("step").trace("log").trace("log").truncate(
        "graph_execution_traces", 9
    )
    assert shown(tmp_path) == {".": Shown("damaged", ["cut_record"], traces=["log:0"] * 2)}


def test_a_worker_that_wrote_nothing_is_a_host_all_the_same(tmp_path: Path) -> None:
    logdir(tmp_path, host="client").execution("Add").add_host("worker")
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(executions=["Add"])
        assert server.answer("/runs")["."]["hosts"] == ["client", "worker"]


def test_workers_without_their_client_show_their_traces(tmp_path: Path) -> None:
    """The client wrote to a directory of its own machine, which is not at hand."""
    worker = logdir(tmp_path, host="worker-0").in_graph("unknown-graph").trace("log", nan=1)
    worker.add_host("worker-1").in_graph("unknown-graph").trace("mul")
    assert shown(tmp_path) == {
        ".": Shown(problems=["only_graph_executions"], traces=["log:0", "mul:0"], alerts=[""])
    }


def test_workers_of_a_multi_worker_strategy_each_with_a_program_are_runs_of_their_own(
    tmp_path: Path,
) -> None:
    for task in range(2):
        program = logdir(tmp_path, run_id=f"{task}" * 8, host=f"worker-{task}").device(CPU)
        program.graph("train").op("CollectiveReduceV2", "reduce").trace("reduce")
        program.execution("__inference_train_9", graph="train", nan=task)
    assert shown(tmp_path) == {
        ".#00000000": Shown(executions=["__inference_train_9"], traces=["reduce:0"]),
        ".#11111111": Shown(
            executions=["__inference_train_9"],
            traces=["reduce:0"],
            alerts=["__inference_train_9"],
        ),
    }


def test_a_mirrored_strategy_traces_each_op_on_every_replica(tmp_path: Path) -> None:
    devices = [f"/job:localhost/replica:0/task:0/device:GPU:{number}" for number in range(2)]
    run = logdir(tmp_path).graph("replica_fn").op("MatMul", "MatMul").op("MatMul", "MatMul_1")
    for device, op in zip(devices, ("MatMul", "MatMul_1"), strict=True):
        run.device(device).trace(op, device=device)
    run.execution("__inference_replica_fn_1", graph="replica_fn", device_id=2)
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(
            executions=["__inference_replica_fn_1"], traces=["MatMul:0", "MatMul_1:0"]
        )
        names = [device["device_name"] for device in server.answer("/devices", run=".")["devices"]]
        assert names == devices


def test_device_ids_are_those_of_the_set_that_an_execution_is_in(tmp_path: Path) -> None:
    """Two processes of one run count their devices apart."""
    first = logdir(tmp_path, host="a").device("/device:CPU:0", device_id=1).execution("Add")
    second = first.add_host("b", started=1_700_000_001).device("/device:GPU:0", device_id=1)
    second.execution("Mul")
    with serving(tmp_path) as server:
        assert shown_run(server, ".") == Shown(executions=["Add", "Mul"])
        facets = server.answer("/execution/facets", run=".")["devices"]
        assert {facet["name"]: facet["num_events"] for facet in facets} == {
            "/device:CPU:0": 1,
            "/device:GPU:0": 1,
        }


def test_frames_of_two_hosts_name_files_of_their_own_sets(tmp_path: Path) -> None:
    first = logdir(tmp_path, host="a").source("a.py", lines=["a"]).frame("fa", "a.py")
    second = first.add_host("b", started=1_700_000_001).source("b.py", lines=["b"])
    second.frame("fb", "b.py")
    first.execution("Add", stack=["fa"])
    second.execution("Mul", stack=["fb"])
    with serving(tmp_path) as server:
        files = [
            server.answer("/stack_frames/stack_trace", run=".", execution_index=index)["frames"]
            for index in range(2)
        ]
        paths = [[frame["source"]["file_path"] for frame in frames] for frames in files]
        assert paths == [["/home/dev/project/a.py"], ["/home/dev/project/b.py"]]
