from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.events import debug_modes
from tests.analyses.program import Program
from tests.builders.logdir import logdir
from tests.builders.tensors import FLOAT32, FLOAT64, Values


def test_traces_are_counted_by_dtype_device_and_graph(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("never").graph("f").op("Log", "log")
    built.trace("log", device="/cpu").trace("log", device="/gpu")
    built.trace("log", value=Values(1, dtype=FLOAT64), device="/gpu")
    built.trace("log", mode=debug_modes.CURT_HEALTH, device="/gpu")
    read = Program(built)
    facets = read.view.trace_facets
    assert facets.dtypes == {FLOAT32: 2, FLOAT64: 1}
    assert facets.devices == {"/cpu": 1, "/gpu": 3}
    assert facets.graphs == {read.graph("f"): 4}


def test_executions_are_counted_once_for_what_several_outputs_have(tmp_path: Path) -> None:
    built = logdir(tmp_path).device("/cpu").device("/gpu").graph("f")
    built.execution("Split", values=[Values(1), Values(1), Values(1, dtype=FLOAT64)])
    built.execution("__inference_f_1", graph="f", values=[Values(1)], device_id=2)
    built.execution("NoOp", outputs=[], values=[]).execution("Lost", values=[], device_id=9)
    read = Program(built)
    facets = read.view.execution_facets
    assert facets.dtypes == {FLOAT32: 2, FLOAT64: 1}
    assert facets.devices == {"/cpu": 1, "/gpu": 1}
    assert facets.graphs == {read.graph("f"): 1}


def test_a_device_on_which_no_output_is_does_not_occur(tmp_path: Path) -> None:
    first = logdir(tmp_path).device("/cpu").device("/gpu").execution("A", device_id=1)
    second = first.add_host("other").device("/tpu").device("/cpu").execution("B", device_id=2)
    assert Program(second).view.execution_facets.devices == {"/cpu": 2}


def test_nothing_occurs_in_an_empty_run(tmp_path: Path) -> None:
    view = Program(logdir(tmp_path)).view
    for facets in (view.trace_facets, view.execution_facets):
        assert not facets.dtypes
        assert not facets.devices
        assert not facets.graphs
