"""The builder's bytes against TensorFlow's own protos and reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.events.framing import split_records
from tb_debugger_plugin.index.file_sets import FILE_KINDS
from tests.builders.logdir import CPU, LogdirBuilder, logdir
from tests.builders.tensors import Values

SUMMARY_MODES = [
    debug_modes.CURT_HEALTH,
    debug_modes.CONCISE_HEALTH,
    debug_modes.FULL_HEALTH,
    debug_modes.SHAPE,
]
MODES = [debug_modes.NO_TENSOR, *SUMMARY_MODES, debug_modes.FULL_TENSOR]


def small_program(directory: Path, mode: int) -> LogdirBuilder:
    return (
        logdir(directory, mode=mode)
        .source("train.py", lines=["import tensorflow as tf", "", "loss = f(x)"])
        .frame("f1", "train.py", line=3)
        .frame("f2", "train.py", line=1, function="f")
        .graph("")
        .graph("f", outer="")
        .op("Placeholder", "probs", stack=["f1", "f2"])
        .op("Log", "Log", inputs=["probs:0"], stack=["f1", "f2"])
        .device()
        .execution("Mul", inputs=[4, 5], stack=["f1"])
        .trace("Log", size=240, neg_inf=24)
        .execution("__inference_f_1", graph="f", nan=1, size=3, stack=["f1"])
    )


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
def test_every_record_is_what_tensorflow_would_serialise(tmp_path: Path, mode: int) -> None:
    from tensorflow.core.protobuf import debug_event_pb2

    built = small_program(tmp_path, mode)
    for kind in FILE_KINDS:
        content = built.path(kind).read_bytes()
        records = split_records(memoryview(content))
        assert records.consumed == len(content)
        assert records.starts
        for start, length in zip(records.starts, records.lengths, strict=True):
            payload = content[start : start + length]
            event = debug_event_pb2.DebugEvent.FromString(payload)
            assert event.SerializeToString(deterministic=True) == payload
            assert event.WhichOneof("what")


@pytest.mark.tensorflow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", MODES)
def test_tensorflow_reads_the_same_program(tmp_path: Path, mode: int) -> None:
    from tensorflow.python.debug.lib import debug_events_reader

    small_program(tmp_path, mode)
    with debug_events_reader.DebugDataReader(str(tmp_path)) as reader:
        reader.update()
        mul, function = reader.executions()
        trace = reader.graph_execution_traces()[0]
        assert reader.source_lines("host", "/home/dev/project/train.py")[2] == "loss = f(x)"
        assert reader.device_name_map() == {1: CPU}
        assert mul.input_tensor_ids == (4, 5)
        assert (function.op_type, function.graph_id) == ("__inference_f_1", "f-id")
        assert [f[1:3] for f in reader.read_execution_stack_trace(function)[1]] == [(3, "<module>")]
        graph = reader.graph_by_id("f-id")
        assert graph.name == "f"
        assert graph.outer_graph_id == "outermost-id"
        assert graph.get_op_creation_digest("Log").input_names == ("probs:0",)
        assert (trace.op_type, trace.op_name, trace.output_slot) == ("Log", "Log", 0)
        assert trace.tensor_debug_mode == function.tensor_debug_mode == mode


def expected_summary(mode: int) -> list[float]:
    return {
        debug_modes.CURT_HEALTH: [1.0],
        debug_modes.CONCISE_HEALTH: [240.0, 24.0, 0.0, 0.0],
        debug_modes.FULL_HEALTH: [-1.0, 1.0, 1.0, 240.0, 24.0, 0.0, 0.0, 0.0, 0.0, 216.0],
        debug_modes.SHAPE: [1.0, 1.0, 240.0, 240.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    }[mode]


@pytest.mark.parametrize("mode", SUMMARY_MODES)
def test_a_summary_has_the_layout_of_its_mode(mode: int) -> None:
    summary = Values(size=240, neg_inf=24).summary(mode, 7)
    assert summary == [7, *expected_summary(mode)]
