from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.execution_rows import ExecutionFilter
from tb_debugger_plugin.analyses.text_search import BadPattern
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tests.analyses.program import Program
from tests.builders.logdir import logdir
from tests.builders.tensors import FLOAT32, FLOAT64, Values

GPU = "/job:localhost/replica:0/task:0/device:GPU:0"


def matching(read: Program, wanted: ExecutionFilter) -> list[int] | None:
    indices = read.view.select_executions(wanted).indices
    return None if indices is None else indices.tolist()


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Program:
    built = logdir(tmp_path_factory.mktemp("executions")).device("/cpu").device(GPU).graph("f")
    bad, zero = Values(2, nan=1, dtype=FLOAT64), Values(2, zero=2)
    built.execution("MatMul", values=[zero, bad], at=1.0)
    built.execution("__inference_f_1", graph="f", values=[], device_id=2, at=2.0)
    built.execution("Relu", values=[Values(2, zero=1)], device_id=7, at=3.0)
    return Program(built.execution("matmul", outputs=[], values=[], at=4.0))


def test_no_filter_selects_all_without_a_copy(read: Program) -> None:
    assert matching(read, ExecutionFilter()) is None
    assert len(read.view.select_executions(ExecutionFilter())) == 4


@pytest.mark.parametrize(
    ("wanted", "indices"),
    [
        (ExecutionFilter(text="matmul"), [0, 3]),
        (ExecutionFilter(text="_f_"), [1]),
        (ExecutionFilter(text="^M.*l$", is_regex=True), [0, 3]),
        (ExecutionFilter(text=":0"), []),
        (ExecutionFilter(values=ValueFilter(inf_nan=True)), [0]),
        (ExecutionFilter(values=ValueFilter(all_zero=True)), [0]),
        (ExecutionFilter(values=ValueFilter(dtype=FLOAT32)), [0, 2]),
        (ExecutionFilter(values=ValueFilter(inf_nan=True, dtype=FLOAT64)), [0]),
        (ExecutionFilter(values=ValueFilter(inf_nan=True, dtype=FLOAT32)), []),
        (ExecutionFilter(device=GPU), [1]),
        (ExecutionFilter(device="/cpu"), [0]),
        (ExecutionFilter(device="cpu"), []),
        (ExecutionFilter(begin_time=2.0, end_time=4.0), [1, 2]),
        (ExecutionFilter(begin_time=2.0, text="matmul"), [3]),
        (ExecutionFilter(begin_time=5.0), []),
    ],
)
def test_executions_that_pass(read: Program, wanted: ExecutionFilter, indices: list[int]) -> None:
    assert matching(read, wanted) == indices


def test_a_graph_is_that_of_the_function(read: Program) -> None:
    assert matching(read, ExecutionFilter(graph=read.graph("f"))) == [1]


def test_what_is_no_expression_is_told(read: Program) -> None:
    with pytest.raises(BadPattern):
        matching(read, ExecutionFilter(text="*", is_regex=True))


def test_a_device_id_means_something_in_its_file_set_only(tmp_path: Path) -> None:
    first = logdir(tmp_path).device("/cpu").device("/gpu").execution("A", device_id=2, at=1.0)
    second = first.add_host("other").device("/gpu").execution("B", device_id=1, at=2.0)
    read = Program(second.execution("C", device_id=2, at=3.0))
    assert matching(read, ExecutionFilter(device="/gpu")) == [0, 1]
    assert matching(read, ExecutionFilter(device="/cpu")) == []


def test_a_run_without_executions_has_none_that_pass(tmp_path: Path) -> None:
    read = Program(logdir(tmp_path))
    for wanted in (
        ExecutionFilter(text="x"),
        ExecutionFilter(device="/cpu"),
        ExecutionFilter(values=ValueFilter(all_zero=True)),
        ExecutionFilter(begin_time=1.0),
    ):
        assert matching(read, wanted) == []
