from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.analyses.text_search import BadPattern
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tb_debugger_plugin.events import debug_modes
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.builders.tensors import Values

BAD = ValueFilter(inf_nan=True)
ALL_ZERO = ValueFilter(all_zero=True)
F, G = "__inference_f_1", "__inference_g_2"


def program(directory: Path) -> LogdirBuilder:
    """f, f again, and g: seven traces of three calls, the last one of no call."""
    built = logdir(directory).graph("")
    built.graph("g", outer="").op("Exp", "exp")
    built.graph("f", outer="").op("Log", "scope/log").op("Split", "split", outputs=20)
    built.trace("scope/log", nan=1).trace("split", slot=1).execution(F, graph="f")
    built.trace("split", slot=12).trace("scope/log").execution(F, graph="f")
    built.in_graph("g").trace("exp", nan=1).execution(G, graph="g")
    return built.trace("exp").in_graph("f").trace("never_made:7")


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return Program(program(tmp_path_factory.mktemp("traces")))


def matching(read: Program, wanted: TraceFilter) -> list[int]:
    positions = read.view.select_traces(wanted).positions
    return list(range(7)) if positions is None else positions.tolist()


def test_no_filter_lists_all_without_a_copy(read: Program) -> None:
    assert read.view.select_traces(TraceFilter()).positions is None


@pytest.mark.parametrize(
    ("text", "positions"),
    [
        ("log", [0, 3]),
        ("LOG", [0, 3]),
        ("scope/", [0, 3]),
        ("Spl", [1, 2]),
        ("exp", [4, 5]),
        ("g", [0, 3, 4, 5]),
        ("nothing", []),
        ("split:1", [1, 2]),
        ("split:12", [2]),
        ("SPLIT:12", [2]),
        ("split:2", []),
        ("lit:1", [1, 2]),
        ("split:", [1, 2]),
        (":1", [1, 2]),
        (":12", [2]),
        (":0", [0, 3, 4, 5, 6]),
        (":", [0, 1, 2, 3, 4, 5, 6]),
        ("log:0", [0, 3]),
        ("scope/log:0:", []),
        ("never_made", [6]),
        ("made:7", [6]),
        ("made:7:0", [6]),
        ("made:7:1", []),
        (":7", [6]),
        ("split:1x", []),
    ],
)
def test_text_is_part_of_tensor_type_or_graph_name(
    read: Program, text: str, positions: list[int]
) -> None:
    assert matching(read, TraceFilter(text=text)) == positions


@pytest.mark.parametrize(
    ("pattern", "positions"),
    [
        ("^split:1$", [1]),
        ("^split:1", [1, 2]),
        ("^(exp|scope/log):0$", [0, 3, 4, 5]),
        ("SPLIT", [1, 2]),
        ("^Log$", [0, 3]),
        ("^g$", [4, 5]),
        ("^$", []),
        (" ", []),
        (":7:0$", [6]),
        ("scope/log$", [0, 3]),
        ("[^a-z:/0]", [1, 2, 6]),
    ],
)
def test_an_expression_matches_in_tensor_type_or_graph_name(
    read: Program, pattern: str, positions: list[int]
) -> None:
    assert matching(read, TraceFilter(text=pattern, is_regex=True)) == positions


def test_what_is_no_expression_is_told(read: Program) -> None:
    with pytest.raises(BadPattern, match="missing"):
        matching(read, TraceFilter(text="(", is_regex=True))


def test_filters_add_up(read: Program) -> None:
    f, g = read.graph("f"), read.graph("g")
    assert matching(read, TraceFilter(values=BAD)) == [0, 4]
    assert matching(read, TraceFilter(graph=f)) == [0, 1, 2, 3, 6]
    assert matching(read, TraceFilter(op=read.op("f", "split"))) == [1, 2]
    assert matching(read, TraceFilter(execution_row=1)) == [2, 3]
    assert matching(read, TraceFilter(graph=f, values=BAD)) == [0]
    assert matching(read, TraceFilter(graph=g, text="log")) == []
    assert matching(read, TraceFilter(execution_row=0, text="split:1")) == [1]


def test_positions_are_those_of_time_order(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").op("Exp", "exp")
    built.trace("log", at=3.0).trace("exp", at=2.0).trace("log", at=1.0)
    assert matching(Program(built), TraceFilter(text="log")) == [0, 2]


def test_all_zeros_are_counted_zeros_of_some_elements(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Relu", "relu")
    built.trace("relu", value=Values(4, zero=4)).trace("relu", value=Values(4, zero=3))
    built.trace("relu", value=Values(0)).trace("relu", value=Values(1, zero=1))
    built.trace("relu", size=4, mode=debug_modes.CONCISE_HEALTH)
    built.trace("relu", size=4, mode=debug_modes.CURT_HEALTH)
    built.trace("relu", size=0, mode=debug_modes.SHAPE)
    assert matching(Program(built), TraceFilter(values=ALL_ZERO)) == [0, 3]


def test_zeros_too_many_for_their_column_are_all_there_is_beside_no_others(tmp_path: Path) -> None:
    many = 2**40
    built = logdir(tmp_path).graph("f").op("Relu", "relu")
    built.trace("relu", value=Values(many, zero=many)).trace("relu", value=Values(many, zero=2**35))
    built.trace("relu", value=Values(many, zero=many - 1, nan=1)).trace("relu", value=Values(many))
    assert matching(Program(built), TraceFilter(values=ALL_ZERO)) == [0]


def test_a_device_is_named_in_full(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log")
    read = Program(built.trace("log", device="/cpu:0").trace("log", device="/gpu:0"))
    assert matching(read, TraceFilter(device="/gpu:0")) == [1]
    assert matching(read, TraceFilter(device="gpu")) == []
    assert matching(read, TraceFilter(device="log")) == []


def test_a_range_of_time_is_half_open(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log")
    read = Program(built.trace("log", at=1.0).trace("log", at=2.0).trace("log", at=3.0))
    assert matching(read, TraceFilter(begin_time=2.0)) == [1, 2]
    assert matching(read, TraceFilter(end_time=2.0)) == [0]
    assert matching(read, TraceFilter(begin_time=2.0, end_time=3.0)) == [1]
    assert matching(read, TraceFilter(begin_time=3.0, end_time=2.0)) == []


def rows(read: Program, wanted: TraceFilter, begin: int, end: int) -> list[tuple[bool, int]]:
    is_heading, positions = read.view.select_traces(wanted).rows.slice(begin, end)
    return list(zip(is_heading.tolist(), positions.tolist(), strict=True))


LISTED = [
    (True, 0), (False, 0), (False, 1),
    (True, 2), (False, 2), (False, 3),
    (True, 4), (False, 4),
    (True, 5), (False, 5),
    (True, 6), (False, 6),
]  # fmt: skip


def test_a_heading_stands_before_each_change_of_call_or_graph(read: Program) -> None:
    listed = read.view.select_traces(TraceFilter()).rows
    assert (listed.num_rows, listed.num_traces) == (12, 7)
    assert rows(read, TraceFilter(), 0, 12) == LISTED


@pytest.mark.parametrize("begin", range(13))
@pytest.mark.parametrize("end", range(13))
def test_any_slice_is_the_same_part_of_the_whole(read: Program, begin: int, end: int) -> None:
    assert rows(read, TraceFilter(), begin, end) == LISTED[begin:end]


def test_a_slice_beyond_the_end_ends_there(read: Program) -> None:
    assert rows(read, TraceFilter(), 10, 99) == LISTED[10:]


def test_headings_follow_the_filter(read: Program) -> None:
    assert rows(read, TraceFilter(text="log"), 0, 9) == [
        (True, 0), (False, 0), (True, 3), (False, 3),
    ]  # fmt: skip
    assert rows(read, TraceFilter(text="nothing"), 0, 9) == []


@pytest.mark.parametrize("wanted", [TraceFilter(), TraceFilter(values=BAD), TraceFilter(text="1")])
def test_the_row_of_each_trace_is_where_it_is_listed(read: Program, wanted: TraceFilter) -> None:
    listed = read.view.select_traces(wanted).rows
    for place, position in enumerate(matching(read, wanted)):
        row = listed.row_of(place)
        assert rows(read, wanted, row, row + 1) == [(False, position)]


def test_a_run_without_traces_lists_nothing(tmp_path: Path) -> None:
    empty = Program(logdir(tmp_path))
    assert empty.view.select_traces(TraceFilter()).rows.num_rows == 0
    assert rows(empty, TraceFilter(), 0, 5) == []
