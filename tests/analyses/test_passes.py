from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.analyses.passes import Passes
from tb_debugger_plugin.analyses.trace_rows import TraceFilter
from tb_debugger_plugin.analyses.value_rows import ValueFilter
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder, logdir

F, G = "__inference_f_1", "__inference_g_2"


def loop(directory: Path) -> LogdirBuilder:
    """A function with a loop over mul and log, whose log goes bad in its second pass."""
    built = logdir(directory).graph("f").op("Exp", "exp").op("While", "while")
    built.graph("body", outer="f").op("Mul", "mul").op("Log", "log")
    built.in_graph("f").trace("exp").in_graph("body")
    built.trace("mul").trace("log").trace("mul").trace("log", nan=1).trace("mul").trace("log")
    return built.in_graph("f").trace("while").execution(F, graph="f")


def folded(read: Program, wanted: TraceFilter | None = None) -> dict[int, Passes | None]:
    """The traces that stay listed, with what they stand for."""
    selected = read.view.select_traces(wanted or TraceFilter())
    positions = selected.folding.positions
    listed = range(len(selected)) if positions is None else positions.tolist()
    return {position: selected.folding.passes(position) for position in listed}


def test_the_passes_of_a_loop_are_listed_as_the_first(tmp_path: Path) -> None:
    assert folded(Program(loop(tmp_path))) == {
        0: None,
        1: Passes(num_passes=3, num_bad=0, first_bad_index=None, last_index=5),
        2: Passes(num_passes=3, num_bad=1, first_bad_index=4, last_index=6),
        7: None,
    }


def test_passes_that_a_filter_hides_do_not_count(tmp_path: Path) -> None:
    bad = TraceFilter(values=ValueFilter(inf_nan=True))
    assert folded(Program(loop(tmp_path)), bad) == {4: None}
    late = TraceFilter(begin_time=Program(loop(tmp_path)).snapshot.traces.wall_time[3])
    assert folded(Program(loop(tmp_path)), late) == {
        3: Passes(2, 0, None, 5),
        4: Passes(2, 1, 4, 6),
        7: None,
    }


def test_each_call_has_passes_of_its_own(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log")
    for _ in range(2):
        built.trace("log").trace("log").execution(F, graph="f")
    assert folded(Program(built)) == {0: Passes(2, 0, None, 1), 2: Passes(2, 0, None, 3)}


def test_outputs_of_one_op_are_not_passes_of_each_other(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Split", "split", outputs=2)
    built.trace("split").trace("split", slot=1).trace("split").execution(F, graph="f")
    assert folded(Program(built)) == {0: Passes(2, 0, None, 2), 1: None}


def test_traces_of_no_call_are_not_folded(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("pipeline").op("Log", "log")
    assert folded(Program(built.trace("log").trace("log"))) == {0: None, 1: None}


def test_calls_of_two_threads_at_once_are_folded_each_on_its_own(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for function in ("f", "g"):
        built.graph(f"outer_{function}").graph(function, outer=f"outer_{function}")
        built.op("Log", "log")
    for number in range(3):
        built.in_graph("f").trace("log", nan=number)
        built.in_graph("g").trace("log")
    built.execution(F, graph="f").execution(G, graph="g")
    assert Program(built).calls() == [("log", F), ("log", G)] * 3
    assert folded(Program(built)) == {0: Passes(3, 2, 2, 4), 1: Passes(3, 0, None, 5)}


def test_a_list_without_repetitions_is_not_copied(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log").execution(F, graph="f")
    assert Program(built).view.select_traces(TraceFilter()).folding.positions is None


def test_a_run_without_traces_has_nothing_to_fold(tmp_path: Path) -> None:
    assert folded(Program(logdir(tmp_path))) == {}
