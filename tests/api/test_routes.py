"""The eleven routes of the bundled plugin field by field, and the further ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tb_debugger_plugin.api import pages
from tb_debugger_plugin.api.handlers import source_code
from tb_debugger_plugin.events import debug_modes, limits
from tests.api.sample import LIBRARY, LOSS, sample
from tests.api.serving import Server
from tests.builders.logdir import CPU, PROJECT, LogdirBuilder, logdir
from tests.builders.tensors import Values

Serve = Callable[[Path], Server]
LOG = [2.0, -1.0, 1.0, 1.0, 6.0, 2.0, 0.0, 0.0, 0.0, 0.0, 4.0]
MUL = [3.0, -1.0, 1.0, 1.0, 6.0, 1.0, 0.0, 1.0, 0.0, 0.0, 4.0]


def loaded(serve: Serve, built: LogdirBuilder) -> Server:
    return serve(built.directory).load()


def only(fields: str, item: dict[str, Any]) -> list[Any]:
    """The values of the fields named."""
    return [item[name] for name in fields.split()]


# Runs.


def test_runs_are_keyed_by_name_and_say_when_they_began(served: Server) -> None:
    (run,) = served.answer("/runs").values()
    assert run["start_time"] == pytest.approx(1_700_000_000.001)
    counts = only(
        "num_executions num_graph_executions num_alerts num_graphs num_ops num_source_files"
        " num_stack_frames num_problems",
        run,
    )
    assert counts == [5, 2, 4, 2, 5, 2, 3, 0]
    assert run["bytes_indexed"] == run["bytes_total"] > 0
    assert only("status debug_modes tensorflow_version run_id hosts", run) == [
        "complete", ["FULL_HEALTH"], "2.21.0", "0123abcd", ["host"],
    ]  # fmt: skip


def test_an_empty_logdir_has_no_runs_and_says_where_it_looked(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    server = serve(tmp_path).load()
    assert server.answer("/runs") == {}
    assert server.answer("/logdir") == {
        "logdir": str(tmp_path),
        "searching": False,
        "num_directories": 1,
        "num_runs": 0,
        "directories": [
            {
                "path": str(tmp_path),
                "found": "no tfdbg_events.* files (1 other file)",
                "is_odd": False,
            }
        ],
    }


def test_problems_name_file_and_place(serve: Serve, tmp_path: Path) -> None:
    built = sample(tmp_path)
    offset = built.record_offsets("execution")[1]
    built.flip_bit("execution", offset + 12)
    answer = loaded(serve, built).answer("/problems", run=".")
    (problem,) = answer["problems"]
    assert answer["num_problems"] == 1
    assert only("kind offset is_loss records_affected", problem) == [
        "bad_payload", offset, True, 1,
    ]  # fmt: skip
    assert problem["file"] == str(built.path("execution"))
    assert "checksum" in problem["message"]


def test_devices_have_names(served: Server) -> None:
    assert served.answer("/devices", run=".")["devices"] == [
        {"device_id": 1, "device_name": CPU, "host_name": "host"}
    ]


# Alerts.


def test_alerts_are_one_list_in_time_order(served: Server) -> None:
    answer = served.answer("/alerts", run=".")
    assert only("begin end alert_type num_alerts alerts_breakdown", answer) == [
        0, 4, None, 4, {"InfNanAlert": 4},
    ]  # fmt: skip
    fields = "alert_type op_type output_slot execution_index graph_execution_trace_index"
    assert [only(fields, alert) for alert in answer["alerts"]] == [
        ["InfNanAlert", "IteratorGetNext", None, 2, None],
        ["InfNanAlert", "Log", 0, None, 0],
        ["InfNanAlert", "Mul", 0, None, 1],
        ["InfNanAlert", LOSS, 0, 3, None],
    ]
    assert [alert["index"] for alert in answer["alerts"]] == [0, 1, 2, 3]


def test_an_alert_has_counts_names_and_the_users_line(served: Server) -> None:
    alert = served.answer("/alerts", run=".", begin=1, end=2)["alerts"][0]
    assert only("size num_neg_inf num_pos_inf num_nan", alert) == [6, 2, 0, 0]
    assert only("op_name graph_id graph_name host_name", alert) == [
        "scope/Log", "loss_fn-id", "loss_fn", "host",
    ]  # fmt: skip
    assert alert["source"] == {
        "host_name": "host",
        "file_path": f"{PROJECT}/train.py",
        "lineno": 2,
        "function": "loss_fn",
        "file_index": 0,
    }


def test_alerts_of_a_type_are_all_there_are(served: Server) -> None:
    answer = served.answer("/alerts", run=".", alert_type="InfNanAlert", begin=0, end=0)
    assert only("begin end alert_type num_alerts alerts", answer) == [0, 0, "InfNanAlert", 4, []]


@pytest.mark.parametrize(
    ("event", "around"),
    [
        ({"execution_index": 0}, [None, None, 0]),
        ({"execution_index": 2}, [None, 0, 1]),
        ({"graph_execution_trace_index": 0}, [0, 1, 2]),
        ({"graph_execution_trace_index": 1}, [1, 2, 3]),
        ({"execution_index": 3}, [2, 3, None]),
        ({"execution_index": 4}, [3, None, None]),
    ],
)
def test_the_alerts_around_an_event(
    served: Server, event: dict[str, int], around: list[int | None]
) -> None:
    for alert_type in ({}, {"alert_type": "InfNanAlert"}):
        answer = served.answer("/alerts/around", run=".", **event, **alert_type)
        assert only("previous at next num_alerts", answer) == [*around, 4]


def test_alerts_are_around_one_event_that_there_is(served: Server) -> None:
    for event in ({}, {"execution_index": 0, "graph_execution_trace_index": 0}):
        message = served.refusal("/alerts/around", 400, run=".", **event)
        assert "one of these" in message
    served.refusal("/alerts/around", 404, run=".", execution_index=5)
    served.refusal("/alerts/around", 404, run=".", graph_execution_trace_index=2)
    served.refusal("/alerts/around", 400, run=".", execution_index=-1)
    served.refusal("/alerts/around", 400, run=".", execution_index=0, alert_type="Foo")


@pytest.mark.parametrize("name", ["Foo", "", "infnanalert", "Inf.Nan", "x" * 99_999])
def test_an_alert_type_that_does_not_exist_is_refused(served: Server, name: str) -> None:
    message = served.refusal("/alerts", 400, run=".", alert_type=name)
    assert "parameter 'alert_type' must be one of ('InfNanAlert',)" in message
    assert len(message) < 200


def test_without_alerts_the_breakdown_is_empty_and_the_type_still_known(
    serve: Serve, tmp_path: Path
) -> None:
    server = loaded(serve, logdir(tmp_path).execution("Add"))
    answer = server.answer("/alerts", run=".", alert_type="InfNanAlert")
    assert only("begin end num_alerts alerts_breakdown alerts", answer) == [0, 0, 0, {}, []]


def test_counts_that_the_mode_does_not_record_are_null(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path, mode=debug_modes.CURT_HEALTH).execution("Log", neg_inf=3)
    (alert,) = loaded(serve, built).answer("/alerts", run=".")["alerts"]
    assert only("size num_neg_inf num_pos_inf num_nan", alert) == [None] * 4


# Executions.


def test_execution_digests(served: Server) -> None:
    answer = served.answer("/execution/digests", run=".", begin=2, end=5)
    assert only("begin end num_digests", answer) == [2, 5, 5]
    fields = "index op_type output_tensor_device_ids function_name function_kind num_alerts"
    assert [only(fields, digest) for digest in answer["execution_digests"]] == [
        [2, "IteratorGetNext", [1, 1, 1], None, None, 1],
        [3, LOSS, [1], "loss_fn", "inference", 1],
        [4, "AssignVariableOp", None, None, None, 0],
    ]
    times = [digest["wall_time"] for digest in answer["execution_digests"]]
    assert times == sorted(times)


def executions(server: Server, **page: int) -> list[dict[str, Any]]:
    answer = server.answer("/execution/data", run=".", **page)
    listed: list[dict[str, Any]] = answer["executions"]
    return listed


def test_an_op_execution_has_no_graph(served: Server) -> None:
    (first,) = executions(served, begin=0, end=1)
    assert first["graph_id"] is None
    assert only("host_name stack_frame_ids tensor_debug_mode", first) == ["host", ["f1", "f3"], 4]
    assert only("input_tensor_ids output_tensor_ids", first) == [None, [11]]
    assert first["debug_tensor_values"] == [
        [-1.0, -1.0, 1.0, 1.0, 6.0, 0.0, 0.0, 0.0, 0.0, 0.0, 6.0]
    ]


def test_a_function_execution_has_its_graph(served: Server) -> None:
    (call,) = executions(served, begin=3, end=4)
    assert only("graph_id input_tensor_ids output_tensor_ids", call) == ["loss_fn-id", [11], [16]]
    assert call["debug_tensor_values"] == [[-1.0, *MUL[1:]]]


def test_values_that_no_output_can_claim_are_not_put_beside_one(served: Server) -> None:
    (batch,) = executions(served, begin=2, end=3)
    assert batch["output_tensor_ids"] == [13, 14, 15]
    assert batch["debug_tensor_values"] == [None, None, None]
    assert [value[7] for value in batch["unaligned_debug_tensor_values"]] == [0.0, 1.0]


def test_an_execution_without_values_or_outputs_has_null(served: Server) -> None:
    handle, assign = executions(served, begin=1, end=2) + executions(served, begin=4, end=5)
    assert only("output_tensor_ids debug_tensor_values", handle) == [[12], None]
    assert only("output_tensor_ids output_tensor_device_ids debug_tensor_values", assign) == [
        None, None, None,
    ]  # fmt: skip
    assert (
        handle["unaligned_debug_tensor_values"] is assign["unaligned_debug_tensor_values"] is None
    )


def test_outputs_without_a_summary_are_null_in_their_place(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Next", values=[Values(4), b""])
    (execution,) = executions(loaded(serve, built))
    first, second = execution["debug_tensor_values"]
    assert (len(first), second) == (11, None)


@pytest.mark.parametrize("path", ["/execution/data", "/execution/digests", "/graph_execution/data"])
def test_zero_to_zero_asks_for_the_count_only(served: Server, path: str) -> None:
    answer = served.answer(path, run=".", begin=0, end=0)
    (items,) = (value for value in answer.values() if isinstance(value, list))
    assert (answer["begin"], answer["end"], items) == (0, 0, [])


PAGED = [
    "/alerts",
    "/problems",
    "/execution/digests",
    "/execution/data",
    "/graph_execution/digests",
    "/graph_execution/data",
    "/graph_execution/rows",
    "/graphs/list",
]


@pytest.mark.parametrize("path", PAGED)
@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"begin": -1}, "'begin': expected `int` >= 0"),
        ({"end": 6}, "end index (6) out of bounds"),
        ({"begin": 7}, "begin index (7) out of bounds"),
        ({"begin": 10**17}, "out of bounds"),
        ({"begin": "x"}, "'begin' must be an integer"),
        ({"end": "1.0"}, "'end' must be an integer"),
        ({"end": ""}, "'end' must be an integer"),
    ],
)
def test_a_page_outside_of_the_list_is_refused(
    served: Server, path: str, page: dict[str, Any], message: str
) -> None:
    assert message in served.refusal(path, 400, run=".", **page)


def test_a_long_page_is_cut_and_says_where(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MAX_PAGE", 10)
    built = logdir(tmp_path, mode=debug_modes.NO_TENSOR)
    for _ in range(15):
        built.execution("Add")
    server = loaded(serve, built)
    first = server.answer("/execution/digests", run=".")
    assert only("begin end num_digests", first) == [0, 10, 15]
    rest = server.answer("/execution/digests", run=".", begin=first["end"])
    assert only("begin end num_digests", rest) == [10, 15, 15]
    listed = first["execution_digests"] + rest["execution_digests"]
    assert [digest["index"] for digest in listed] == list(range(15))


def test_the_detail_of_a_call(served: Server) -> None:
    detail = served.answer("/execution/detail", run=".", index=3)
    assert detail["execution"] == executions(served, begin=3, end=4)[0]
    assert only("mode num_graph_executions first_graph_execution_index", detail) == [
        "FULL_HEALTH", 2, 0,
    ]  # fmt: skip
    assert detail["inputs"] == [
        {
            "tensor_id": 11,
            "execution_index": 0,
            "output_slot": 0,
            "op_type": "RandomUniform",
            "function_name": None,
        }
    ]
    (output,) = detail["outputs"]
    assert only("output_slot tensor_id device_id device_name alert_index", output) == [
        0, 16, 1, CPU, 3,
    ]  # fmt: skip
    assert only("dtype rank size num_neg_inf num_nan num_positive", output["health"]) == [
        "float32", 1, 6, 1, 1, 4,
    ]  # fmt: skip


def test_the_detail_lists_values_of_no_slot_behind_the_outputs(served: Server) -> None:
    outputs = served.answer("/execution/detail", run=".", index=2)["outputs"]
    assert [only("output_slot alert_index", output) for output in outputs] == [
        [0, None], [1, None], [2, None], [None, None], [None, 0],
    ]  # fmt: skip
    assert [output["health"] is None for output in outputs] == [True, True, True, False, False]


def test_the_overview_is_the_whole_timeline(served: Server) -> None:
    assert served.answer("/execution/overview", run=".") == {
        "num_executions": 5,
        "begins": [0, 1, 2, 3, 4],
        "num_functions": [0, 0, 0, 1, 0],
        "num_alerts": [0, 0, 1, 1, 0],
    }
    coarse = served.answer("/execution/overview", run=".", buckets=2)
    assert only("begins num_functions num_alerts", coarse) == [[0, 2], [0, 1], [0, 2]]


@pytest.mark.parametrize("buckets", ["0", "-1", "4001", "x"])
def test_an_overview_of_no_or_too_many_buckets_is_refused(served: Server, buckets: str) -> None:
    assert "buckets" in served.refusal("/execution/overview", 400, run=".", buckets=buckets)


# Graph executions.


def test_graph_execution_digests(served: Server) -> None:
    answer = served.answer("/graph_execution/digests", run=".")
    assert only("begin end num_digests", answer) == [0, 2, 2]
    fields = "op_type op_name output_slot graph_id"
    assert [only(fields, digest) for digest in answer["graph_execution_digests"]] == [
        ["Log", "scope/Log", 0, "loss_fn-id"],
        ["Mul", "mul", 0, "loss_fn-id"],
    ]


def test_graph_execution_data(served: Server) -> None:
    answer = served.answer("/graph_execution/data", run=".", begin=0, end=1)
    assert only("begin end num_digests", answer) == [0, 1, 2]
    (log,) = answer["graph_executions"]
    assert only("op_type op_name output_slot graph_id graph_ids", log) == [
        "Log", "scope/Log", 0, "loss_fn-id", ["outermost-id", "loss_fn-id"],
    ]  # fmt: skip
    assert only("tensor_debug_mode debug_tensor_value device_name", log) == [4, LOG, CPU]
    assert only("execution_index alert_index host_name graph_name", log) == [
        3, 1, "host", "loss_fn",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "value"),
    [
        (debug_modes.NO_TENSOR, None),
        (debug_modes.CURT_HEALTH, [1.0, 1.0]),
        (debug_modes.CONCISE_HEALTH, [1.0, 6.0, 2.0, 0.0, 0.0]),
        (debug_modes.FULL_HEALTH, [1.0, -1.0, 1.0, 2.0, 6.0, 2.0, 0.0, 0.0, 0.0, 0.0, 4.0]),
        (debug_modes.SHAPE, [1.0, 1.0, 2.0, 6.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0]),
        (debug_modes.FULL_TENSOR, None),
    ],
)
def test_the_debug_value_is_the_one_of_the_mode(
    serve: Serve, tmp_path: Path, mode: int, value: list[float] | None
) -> None:
    tensor = Values(6, neg_inf=2, shape=(2, 3))
    built = (
        logdir(tmp_path, mode=mode)
        .graph("f")
        .op("Log", "Log")
        .trace("Log", value=tensor)
        .execution("__inference_f_1", graph="f", values=[tensor])
    )
    server = loaded(serve, built)
    (trace,) = server.answer("/graph_execution/data", run=".")["graph_executions"]
    assert trace["debug_tensor_value"] == value
    (execution,) = executions(server)
    expected = None if value is None else [-1.0, *value[1:]]
    assert (execution["debug_tensor_values"] or [None]) == [expected]


def test_filters_select_traces(served: Server) -> None:
    def names(**wanted: Any) -> list[str]:
        answer = served.answer("/graph_execution/digests", run=".", **wanted)
        return [digest["op_name"] for digest in answer["graph_execution_digests"]]

    assert names(text="LOG:0") == ["scope/Log"]
    assert names(graph_id="loss_fn-id", op_name="mul") == ["mul"]
    assert names(execution_index=3) == ["scope/Log", "mul"]
    assert names(execution_index=0) == []
    assert names(inf_nan=1, text=" mul ") == ["mul"]
    assert names(graph_id="outermost-id") == []


@pytest.mark.parametrize(
    ("wanted", "status", "message"),
    [
        ({"graph_id": "zz"}, 404, "no graph with id 'zz'"),
        ({"graph_id": "loss_fn-id", "op_name": "Nope"}, 404, "no op named 'Nope'"),
        ({"op_name": "mul"}, 400, "'op_name' needs 'graph_id'"),
        ({"execution_index": 5}, 404, "no execution at index 5"),
        ({"execution_index": -1}, 400, "'execution_index'"),
        ({"inf_nan": "true"}, 400, "'inf_nan' must be 0 or 1"),
        ({"text": "x" * 1001}, 400, "'text'"),
    ],
)
def test_filters_that_name_nothing_are_told(
    served: Server, wanted: dict[str, Any], status: int, message: str
) -> None:
    for path in ("digests", "data", "rows"):
        assert message in served.refusal(f"/graph_execution/{path}", status, run=".", **wanted)


def test_rows_have_a_heading_before_each_call(served: Server) -> None:
    answer = served.answer("/graph_execution/rows", run=".")
    assert only("begin end num_rows num_graph_executions", answer) == [0, 3, 3, 2]
    heading, *traces = answer["rows"]
    assert heading == {
        "call": {
            "graph_id": "loss_fn-id",
            "graph_name": "loss_fn",
            "execution_index": 3,
            "execution_op_type": LOSS,
            "execution_function_name": "loss_fn",
        },
        "graph_execution": None,
        "passes": None,
    }
    assert [row["graph_execution"]["op_name"] for row in traces] == ["scope/Log", "mul"]
    assert [row["call"] for row in traces] == [None, None]


def test_the_position_of_a_trace_among_the_rows(served: Server) -> None:
    def position(index: int, **wanted: Any) -> list[Any]:
        answer = served.answer("/graph_execution/position", run=".", index=index, **wanted)
        return only("row nearest_row num_rows", answer)

    assert position(1) == [2, 2, 3]
    assert position(0, text="mul") == [None, 1, 2]
    assert position(1, text="Log") == [None, None, 2]


def test_the_inputs_of_a_trace_lead_to_their_makers(served: Server) -> None:
    log, probs = served.answer("/graph_execution/inputs", run=".", index=1)["inputs"]
    assert only("input_slot op_name argument_index", log) == [0, "scope/Log", None]
    assert log["producer"]["graph_execution_trace_index"] == 0
    assert log["producer"]["health"]["num_neg_inf"] == 2
    assert only("input_slot op_name argument_index", probs) == [1, "probs", 0]
    assert only("execution_index execution_output_slot op_type reason", probs["producer"]) == [
        0, 0, "RandomUniform", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "path", ["/graph_execution/inputs", "/graph_execution/position", "/execution/detail"]
)
def test_an_index_that_the_run_does_not_have_is_not_found(served: Server, path: str) -> None:
    assert "there are" in served.refusal(path, 404, run=".", index=5)
    served.refusal(path, 404, run=".", index=10**17)
    served.refusal(path, 400, run=".", index=-1)
    served.refusal(path, 400, run=".", index="0x0")


# Graphs.


def test_graph_info(served: Server) -> None:
    info = served.answer("/graphs/graph_info", run=".", graph_id="loss_fn-id")
    assert only("name graph_id outer_graph_id inner_graph_ids", info) == [
        "loss_fn", "loss_fn-id", "outermost-id", [],
    ]  # fmt: skip
    assert only("num_ops num_graph_executions", info) == [5, 2]
    outermost = served.answer("/graphs/graph_info", run=".", graph_id="outermost-id")
    assert only("name outer_graph_id inner_graph_ids", outermost) == [None, None, ["loss_fn-id"]]


def test_the_list_of_graphs(served: Server) -> None:
    answer = served.answer("/graphs/list", run=".")
    assert [graph["graph_id"] for graph in answer["graphs"]] == ["outermost-id", "loss_fn-id"]
    assert answer["num_graphs"] == 2


def test_op_info(served: Server) -> None:
    log = served.answer("/graphs/op_info", run=".", graph_id="loss_fn-id", op_name="scope/Log")
    fields = "op_type op_name output_tensor_ids num_outputs host_name stack_frame_ids device_name"
    assert only(fields, log) == ["Log", "scope/Log", [2], 1, "host", ["f1", "f2", "f3"], None]
    assert log["graph_ids"] == ["outermost-id", "loss_fn-id"]
    (probs,) = log["inputs"]
    assert only("op_name output_slot", probs) == ["probs", 0]
    assert probs["data"]["op_type"] == "Placeholder"
    assert [[only("op_name input_slot", use) for use in uses] for uses in log["consumers"]] == [
        [["mul", 0]]
    ]
    assert all("data" not in link for link in log["consumers"][0][0]["data"]["inputs"])


def test_op_info_of_an_op_without_outputs(served: Server) -> None:
    done = served.answer("/graphs/op_info", run=".", graph_id="loss_fn-id", op_name="done")
    assert only("output_tensor_ids num_outputs consumers inputs", done) == [None, 0, [], []]


def test_op_info_of_a_producer_that_was_never_recorded(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log", inputs=["PartitionedCall:3"])
    server = loaded(serve, built)
    info = server.answer("/graphs/op_info", run=".", graph_id="f-id", op_name="Log")
    assert info["inputs"] == [{"op_name": "PartitionedCall", "output_slot": 3}]
    message = server.refusal(
        "/graphs/op_info", 404, run=".", graph_id="f-id", op_name="PartitionedCall"
    )
    assert "was not recorded" in message


def test_consumers_stand_at_the_place_of_their_output(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Unpack", "unpack", outputs=200)
    built.op("Log", "Log", inputs=["unpack:150"])
    info = loaded(serve, built).answer(
        "/graphs/op_info", run=".", graph_id="f-id", op_name="unpack"
    )
    assert [slot for slot, uses in enumerate(info["consumers"]) if uses] == [150]
    assert len(info["consumers"]) == len(info["num_consumers"]) == info["num_outputs"] == 200


@pytest.mark.parametrize("path", ["/graphs/graph_info", "/graphs/op_info", "/graphs/neighborhood"])
@pytest.mark.parametrize("graph_id", ["zz", "loss_fn", ".", "a_b", "a.b", "ü", "x" * 100_000])
def test_a_graph_that_is_not_there_is_not_found(served: Server, path: str, graph_id: str) -> None:
    op = {} if path == "/graphs/graph_info" else {"op_name": "mul"}
    message = served.refusal(path, 404, run=".", graph_id=graph_id, **op)
    assert "no graph with id" in message
    assert len(message) < 200


@pytest.mark.parametrize("op_name", ["Nope", "mul:0", "MUL", "None", ".", "x" * 100_000])
@pytest.mark.parametrize("path", ["/graphs/op_info", "/graphs/neighborhood"])
def test_an_op_that_is_not_there_is_not_found(served: Server, path: str, op_name: str) -> None:
    message = served.refusal(path, 404, run=".", graph_id="loss_fn-id", op_name=op_name)
    assert "no op named" in message
    assert len(message) < 300


def test_the_neighborhood_of_a_trace(served: Server) -> None:
    answer = served.answer(
        "/graphs/neighborhood",
        run=".",
        graph_id="loss_fn-id",
        op_name="mul",
        graph_execution_trace_index=1,
    )
    assert [step["name"] for step in answer["graph_path"]] == [None, "loss_fn"]
    assert [edge["node"]["op_name"] for edge in answer["inputs"]] == ["scope/Log", "probs"]
    log, probs = (edge["node"] for edge in answer["inputs"])
    assert log["outputs"][0]["graph_execution_trace_index"] == 0
    assert probs["argument"]["argument_index"] == 0
    assert probs["argument"]["producer"]["execution_index"] == 0
    (output,) = answer["outputs"]
    assert [edge["node"]["op_name"] for edge in output["consumers"]] == ["Identity"]
    assert only(
        "num_inputs execution_index num_graph_executions num_alerts first_graph_execution_index",
        answer,
    ) == [2, 3, 1, 1, 1]


def test_an_op_without_a_trace_is_looked_at_through_that_of_another(served: Server) -> None:
    place = {"run": ".", "graph_id": "loss_fn-id", "op_name": "probs"}
    answer = served.answer("/graphs/neighborhood", graph_execution_trace_index=1, **place)
    assert answer["execution_index"] == 3
    assert answer["op"]["argument"]["producer"]["execution_index"] == 0
    consumers = [edge["node"] for edge in answer["outputs"][0]["consumers"]]
    assert [only("op_name", node) for node in consumers] == [["scope/Log"], ["mul"]]
    assert [node["outputs"][0]["graph_execution_trace_index"] for node in consumers] == [0, 1]
    served.refusal("/graphs/neighborhood", 404, graph_execution_trace_index=9, **place)


def test_a_consumer_in_a_loop_is_of_the_same_iteration(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("body").op("Square", "square")
    built.op("Neg", "neg", inputs=["square:0"])
    for _ in range(3):
        built.trace("square", size=1).trace("neg", size=1)
    server = loaded(serve, built.execution("__inference_body_1", graph="body", outputs=[1]))
    for iteration in range(3):
        square = server.answer(
            "/graphs/neighborhood",
            run=".",
            graph_id="body-id",
            op_name="square",
            graph_execution_trace_index=2 * iteration,
        )
        (consumer,) = square["outputs"][0]["consumers"]
        (value,) = consumer["node"]["outputs"]
        assert value["graph_execution_trace_index"] == 2 * iteration + 1


# Source code and stacks.


def test_source_files(served: Server) -> None:
    assert served.answer("/source_files/list", run=".") == [
        ["host", f"{PROJECT}/train.py"],
        ["host", LIBRARY],
    ]
    assert served.answer("/source_files/file", run=".", index=0) == {
        "host_name": "host",
        "file_path": f"{PROJECT}/train.py",
        "lines": ["import tensorflow as tf", "", "loss = loss_fn(x)"],
    }
    files = served.answer("/source_files/summary", run=".")["files"]
    assert [only("index library num_lines num_ops num_bad", file) for file in files] == [
        [0, None, 3, 7, 3],
        [1, "TensorFlow", 2, 0, 0],
    ]


def test_lines_say_what_they_made(served: Server) -> None:
    lines = served.answer("/source_files/annotations", run=".", index=0)["lines"]
    assert [only("lineno num_ops num_bad", line) for line in lines] == [[2, 4, 2], [3, 3, 1]]
    line = served.answer("/source_files/line", run=".", index=0, lineno=2)
    assert line["num_events"] == 4
    fields = "op_name graph_id first_graph_execution_index execution_index num_alerts"
    assert [only(fields, event) for event in line["events"]] == [
        ["scope/Log", "loss_fn-id", 0, None, 1],
        ["mul", "loss_fn-id", 1, None, 1],
        ["probs", "loss_fn-id", None, None, 0],
        ["Identity", "loss_fn-id", None, None, 0],
    ]
    eager = served.answer("/source_files/line", run=".", index=0, lineno=3)["events"]
    assert [event["execution_index"] for event in eager] == [2, 0, 1]
    nothing = served.answer("/source_files/line", run=".", index=1, lineno=10**9)
    assert only("num_events events", nothing) == [0, []]


@pytest.mark.parametrize("path", ["file", "annotations", "line"])
def test_a_source_file_that_is_not_there_is_not_found(served: Server, path: str) -> None:
    line = {"lineno": 1} if path == "line" else {}
    message = served.refusal(f"/source_files/{path}", 404, run=".", index=2, **line)
    assert message == "there is no source file at index 2: there are 2"
    served.refusal(f"/source_files/{path}", 400, run=".", index=-1, **line)


def test_a_source_that_was_not_captured_has_no_lines(serve: Serve, tmp_path: Path) -> None:
    server = loaded(serve, logdir(tmp_path).source("train.py"))
    assert server.answer("/source_files/file", run=".", index=0)["lines"] == []


def test_stack_frames_come_in_the_order_asked_for(served: Server) -> None:
    answer = served.answer("/stack_frames/stack_frames", run=".", stack_frame_ids="f3,f1,f3")
    assert answer["stack_frames"] == [
        ["host", LIBRARY, 2, "execute"],
        ["host", f"{PROJECT}/train.py", 3, "<module>"],
        ["host", LIBRARY, 2, "execute"],
    ]


@pytest.mark.parametrize("ids", ["bogus", "f1,bogus", "f1,", ",", "a_b", "a.b", "f1, f2"])
def test_one_unknown_frame_fails_the_request(served: Server, ids: str) -> None:
    message = served.refusal("/stack_frames/stack_frames", 404, run=".", stack_frame_ids=ids)
    assert "no stack frame with id" in message


def test_no_frame_ids_are_an_error(served: Server) -> None:
    message = served.refusal("/stack_frames/stack_frames", 400, run=".", stack_frame_ids="")
    assert "'stack_frame_ids'" in message


def test_a_thousand_frames_are_answered_and_no_more(served: Server) -> None:
    ids = ["f1"] * 1000
    answer = served.answer("/stack_frames/stack_frames", run=".", stack_frame_ids=",".join(ids))
    assert len(answer["stack_frames"]) == 1000
    message = served.refusal(
        "/stack_frames/stack_frames", 400, run=".", stack_frame_ids=",".join([*ids, "f1"])
    )
    assert message == "parameter 'stack_frame_ids' names more than 1000 frames"


def test_a_stack_trace_names_the_users_frame(served: Server) -> None:
    by_op = served.answer(
        "/stack_frames/stack_trace", run=".", graph_id="loss_fn-id", op_name="mul"
    )
    assert [frame["stack_frame_id"] for frame in by_op["frames"]] == ["f1", "f2", "f3"]
    assert [frame["library"] for frame in by_op["frames"]] == [None, None, "TensorFlow"]
    assert only("host_name innermost_user_frame", by_op) == ["host", 1]
    by_execution = served.answer("/stack_frames/stack_trace", run=".", execution_index=0)
    assert only("host_name innermost_user_frame", by_execution) == ["host", 0]


def test_a_stack_trace_with_frames_that_are_not_on_disk(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").frame("f1", 7).execution("Add", stack=["f1", "f2"])
    server = loaded(serve, built)
    trace = server.answer("/stack_frames/stack_trace", run=".", execution_index=0)
    no_file, no_frame = trace["frames"]
    assert no_file["source"]["file_path"] == "(file not recorded)"
    assert (no_frame["stack_frame_id"], no_frame["source"]) == ("f2", None)
    assert trace["innermost_user_frame"] is None


def test_a_frame_whose_file_s_record_is_damaged_says_so(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py").source("layers.py")
    built.frame("f1", "train.py").frame("f2", "layers.py").execution("Add", stack=["f1", "f2"])
    built.flip_bit("source_files", built.record_offsets("source_files")[1] + 20)
    server = loaded(serve, built)
    trace = server.answer("/stack_frames/stack_trace", run=".", execution_index=0)
    outer, inner = trace["frames"]
    assert outer["source"]["file_path"].endswith("/train.py")
    assert inner["source"]["file_path"] == "(file unknown: .source_files is damaged)"
    assert trace["innermost_user_frame"] is None


def test_a_stack_trace_of_nothing_is_refused(served: Server) -> None:
    for place in ({}, {"graph_id": "loss_fn-id"}, {"op_name": "mul"}):
        message = served.refusal("/stack_frames/stack_trace", 400, run=".", **place)
        assert "give 'execution_index', or 'graph_id' and 'op_name'" in message
    served.refusal("/stack_frames/stack_trace", 404, run=".", execution_index=5)


def test_a_trace_that_names_no_device_has_none(serve: Serve, tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "Log").trace("Log", device="")
    server = loaded(serve, built.trace("Log", device=CPU))
    listed = server.answer("/graph_execution/data", run=".")["graph_executions"]
    assert [trace["device_name"] for trace in listed] == [None, CPU]
    facets = server.answer("/graph_execution/facets", run=".")
    assert facets["devices"] == [{"name": CPU, "num_events": 1}]


class TestManyParts:
    """Executions and ops of more parts than anybody reads."""

    def test_full_records_come_in_answers_of_a_bounded_size(
        self, serve: Serve, tmp_path: Path
    ) -> None:
        built = logdir(tmp_path)
        for _ in range(12):
            built.execution("Op", inputs=range(60_000), outputs=range(60_000), values=[])
        server = loaded(serve, built)
        answer = server.answer("/execution/data", run=".")
        assert (answer["begin"], answer["end"], answer["num_executions"]) == (0, 8, 12)
        assert len(answer["executions"][0]["input_tensor_ids"]) == 60_000
        rest = server.answer("/execution/data", run=".", begin=answer["end"])
        assert (rest["begin"], rest["end"]) == (8, 12)

    def test_in_brief_and_in_detail_the_first_parts_are_listed(
        self, serve: Serve, tmp_path: Path
    ) -> None:
        built = logdir(tmp_path).execution(
            "Op", inputs=range(2_000), outputs=range(2_000), values=[b""] * 2_000
        )
        server = loaded(serve, built)
        (digest,) = server.answer("/execution/digests", run=".")["execution_digests"]
        assert len(digest["output_tensor_device_ids"]) == 1_000
        detail = server.answer("/execution/detail", run=".", index=0)
        assert (len(detail["inputs"]), len(detail["outputs"])) == (1_000, 1_000)

    def test_of_an_op_the_first_links_are_listed_and_all_are_counted(
        self, serve: Serve, tmp_path: Path
    ) -> None:
        built = logdir(tmp_path).graph("f").op("Split", "split", outputs=1_200)
        for slot in range(600):
            built.op("Log", f"log_{slot}", inputs=[f"split:{slot}", "split:0"])
        built.op("AddN", "sum", inputs=[f"split:{slot}" for slot in range(700)])
        server = loaded(serve, built)
        place = {"run": ".", "graph_id": "f-id"}
        hood = server.answer("/graphs/neighborhood", op_name="split", limit=500, **place)
        assert len(hood["outputs"]) == 128
        assert sum(len(output["consumers"]) for output in hood["outputs"]) == 500
        assert hood["outputs"][0]["num_consumers"] == 602
        record = server.answer("/graphs/op_info", op_name="split", **place)
        assert (record["num_outputs"], len(record["output_tensor_ids"])) == (1_200, 1_000)
        assert sum(len(uses) for uses in record["consumers"]) == 500
        assert record["num_consumers"][:2] == [602, 2]
        hood = server.answer("/graphs/neighborhood", op_name="sum", **place)
        assert (hood["num_inputs"], len(hood["inputs"])) == (700, 500)

    def test_of_many_source_files_the_first_are_listed_and_all_are_counted(
        self, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(source_code, "MAX_FILES", 2)
        built = logdir(tmp_path).source("a.py").source("b.py").source("c.py")
        answer = loaded(serve, built).answer("/source_files/summary", run=".")
        assert (answer["num_files"], [file["index"] for file in answer["files"]]) == (3, [0, 1])

    def test_a_source_file_too_large_to_be_shown_says_so(
        self, serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(limits, "MOST_SOURCE_BYTES", 10_000)
        server = loaded(serve, logdir(tmp_path).source("a.py", lines=["x = 1"] * 5_000))
        message = server.refusal("/source_files/file", 404, run=".", index=0)
        assert "cannot be read: it takes" in message
