"""What a circular buffer has dropped, told by what it has left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import FileKind
from tests.analyses.observations.seen import call, kinds, observations, only, seen, whole_program
from tests.builders.logdir import LogdirBuilder, logdir


def places(built: LogdirBuilder) -> tuple[list[str], list[str]]:
    """Gaps in executions and in traces; "?" behind those that are guessed."""
    gaps = observations(built).gaps
    executions, traces = (
        [f"{gap.index}{'' if gap.is_certain else '?'}" for gap in found]
        for found in (gaps.executions, gaps.traces)
    )
    return executions, traces


def test_a_program_of_which_all_is_on_disk_has_no_gap(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path), num_calls=20)
    assert places(built) == ([], [])
    assert kinds(built) == []


def test_a_frame_of_no_event_tells_of_an_execution_that_was_dropped(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["w = init()", "step()"])
    built.frame("setup", "train.py", line=1).frame("loop", "train.py", line=2)
    for _ in range(5):
        built.execution("Mul", stack=["loop"])
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("executions_dropped", True)
    assert observation.file == str(built.path("execution"))
    assert places(built) == (["0"], [])


def test_a_frame_whose_execution_was_not_written_yet_tells_of_no_loss(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["a", "b"])
    built.frame("loop", "train.py", line=1).frame("last", "train.py", line=2)
    built.execution("Mul", stack=["loop"])
    assert places(built) == ([], [])


def test_calls_without_traces_before_the_first_one_tell_that_traces_were_dropped(
    tmp_path: Path,
) -> None:
    built = whole_program(logdir(tmp_path), num_calls=0)
    for _ in range(3):
        call(built, ops=())
    call(built, ops=("mul",))  # The buffer was cut within this call.
    for _ in range(4):
        call(built)
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("graph_executions_dropped", True)
    assert "before #0 are missing: 3 calls of f left none" in observation.message
    assert places(built) == ([], ["0"])


def test_a_call_whose_first_ops_were_dropped_has_its_gap_before_what_is_left(
    tmp_path: Path,
) -> None:
    built = whole_program(logdir(tmp_path), num_calls=0).op("Exp", "Exp", inputs=["mul:0"])
    call(built, ops=("Sqrt", "mul", "Exp"))
    call(built, ops=("Exp",))
    for _ in range(3):
        call(built, ops=("Sqrt", "mul"))
    # Sqrt and mul bear witness of four calls, and the second one has three traces before it.
    assert places(built) == ([], ["3"])


def test_calls_at_the_end_whose_traces_are_not_written_yet_are_no_gap(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path))
    call(built, ops=())
    assert places(built) == ([], [])


def test_a_buffer_that_was_flushed_leaves_gaps_in_the_middle_of_both_lists(
    tmp_path: Path,
) -> None:
    built = whole_program(logdir(tmp_path), num_calls=3)
    # Executions were dropped behind the flush, and with them tensor ids.
    built._run.next_eager_tensor_id += 100
    call(built, ops=())
    for _ in range(3):
        call(built)
    dropped_executions, dropped_traces = seen(built)
    assert places(built) == (["6?"], ["6"])
    assert "before #6 are probably missing" in dropped_executions.message
    assert not dropped_executions.is_loss
    assert dropped_traces.is_loss


def test_tensor_ids_that_do_not_leap_at_a_flush_tell_of_no_lost_execution(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path), num_calls=3)
    call(built, ops=())
    call(built)
    assert places(built) == ([], ["6"])


def test_as_many_events_as_the_default_buffer_holds_are_probably_the_last_ones(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path)
    built._run.next_eager_tensor_id = 4000
    built.execution("Mul")
    record = built.path("execution").read_bytes()
    built.append("execution", record * 999)
    built.graph("").op("Sqrt", "Sqrt").trace("Sqrt")
    built.append("graph_execution_traces", built.path("graph_execution_traces").read_bytes() * 999)
    assert places(built) == (["0?"], ["0?"])
    for observation in seen(built):
        assert "Exactly 1,000" in observation.message
        assert "probably" in observation.message
        assert not observation.is_loss


def test_a_thousand_executions_from_the_program_s_first_one_on_are_all(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for _ in range(1000):
        built.execution("Mul")
    assert places(built) == ([], [])


def test_a_call_that_only_traces_show_was_made_by_another_thread_or_failed(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path))
    call(built, executed=False)
    call(built)
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("calls_without_execution", False)
    assert observation.message.startswith("1 call of f has graph executions")
    assert places(built) == ([], [])


def test_a_call_that_is_not_over_at_the_end_is_not_without_execution(tmp_path: Path) -> None:
    built = call(whole_program(logdir(tmp_path)), executed=False)
    assert kinds(built) == []


@pytest.mark.parametrize("kind", ["graphs", "execution"])
def test_where_records_are_damaged_no_call_is_said_to_have_no_execution(
    tmp_path: Path, kind: FileKind
) -> None:
    """The execution may be lost, or the op that makes a loop of what looks like two calls."""
    built = whole_program(logdir(tmp_path))
    call(built, executed=False)
    call(built)
    built.flip_bit(kind, built.record_offsets(kind)[-2] + 20)
    assert "calls_without_execution" not in kinds(built)


def test_loops_of_tensorflow_1_run_an_op_many_times_in_a_call(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path), num_calls=0).op("Enter", "Enter", inputs=["x:0"])
    for _ in range(3):
        call(built, ops=("Sqrt", "mul", "mul", "mul"))
    assert kinds(built) == []


def two_threads(built: LogdirBuilder) -> LogdirBuilder:
    """Each thread's function, and three calls of each that overlap."""
    for name in ("fa", "fb"):
        built.graph("", graph_id=f"outer of {name}").graph(name, outer=f"outer of {name}")
        built.op("Sqrt", "Sqrt")
    for _ in range(3):
        built.in_graph("fa").trace("Sqrt").in_graph("fb").trace("Sqrt")
        built.execution("__inference_fb_1", graph="fb").execution("__inference_fa_1", graph="fa")
    return built


def test_calls_of_threads_may_overlap_and_be_under_way_at_the_end(tmp_path: Path) -> None:
    built = two_threads(logdir(tmp_path)).in_graph("fa").trace("Sqrt").in_graph("fb").trace("Sqrt")
    built.execution("__inference_fb_1", graph="fb")
    assert kinds(built) == []


def test_more_calls_of_overlapping_threads_ended_than_began(tmp_path: Path) -> None:
    built = two_threads(logdir(tmp_path)).execution("__inference_fb_1", graph="fb")
    built.in_graph("fa").trace("Sqrt")
    assert places(built) == ([], ["6"])


def test_damage_is_a_gap_where_events_follow_it(tmp_path: Path) -> None:
    built = logdir(tmp_path)
    for _ in range(4):
        built.execution("Mul")
    _, second, *_ = built.record_offsets("execution")
    built.flip_bit("execution", second + 20)
    gaps = observations(built).gaps.executions
    assert [(gap.index, gap.cause) for gap in gaps] == [(1, "damaged")]
    built.flip_bit("execution", -1)
    gaps = observations(built).gaps.executions
    assert [(gap.index, gap.cause) for gap in gaps] == [(1, "damaged")]


def test_what_damage_explains_is_not_laid_to_a_buffer(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path), num_calls=4)
    offsets = built.record_offsets("graph_execution_traces")
    for record in (2, 3):  # Both traces of the second call.
        built.flip_bit("graph_execution_traces", offsets[record] + 20)
    assert kinds(built) == []
    gaps = observations(built).gaps.traces
    assert [(gap.index, gap.cause) for gap in gaps] == [(2, "damaged")]
