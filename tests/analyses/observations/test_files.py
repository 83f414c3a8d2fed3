"""What the files themselves tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import FileKind
from tests.analyses.observations.seen import kinds, only, seen, whole_program
from tests.builders.logdir import logdir


def test_a_program_that_enabled_the_debugger_and_ended_recorded_nothing(tmp_path: Path) -> None:
    observation = only(logdir(tmp_path))
    assert (observation.kind, observation.is_loss) == ("nothing_recorded", False)


def test_a_killed_program_leaves_both_files_of_events_empty(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x = 1"]).source("more.py", lines=["y"])
    built.truncate("source_files", 5)
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("events_not_written", True)
    assert observation.file == str(built.path("execution"))
    assert "1 source file were recorded" not in observation.message
    assert "the program did not end by itself" in observation.message


def test_what_is_on_disk_is_told_where_it_is_a_graph_only(tmp_path: Path) -> None:
    told = {each.kind: each.message for each in seen(logdir(tmp_path).graph("f"))}
    assert told["events_not_written"] == "Both files of events are empty; on disk: 1 graph."


def test_frames_of_no_op_tell_that_events_took_place_before_the_program_was_killed(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x = 1"]).frame("top", "train.py")
    built.graph("").graph("f", outer="").op("Sqrt", "Sqrt", stack=["top"])
    built.frame("call", "train.py")
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("events_not_written", True)
    assert "tell of executions that took place" in observation.message


def test_a_program_that_only_built_graphs_may_have_lost_nothing(tmp_path: Path) -> None:
    built = logdir(tmp_path).source("train.py", lines=["x = 1"]).frame("top", "train.py")
    built.graph("").graph("f", outer="").op("Sqrt", "Sqrt", stack=["top"])
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("events_not_written", False)


def test_a_worker_of_another_host_that_has_written_nothing_yet_is_nothing_odd(
    tmp_path: Path,
) -> None:
    built = whole_program(logdir(tmp_path))
    built.add_host("worker")
    assert kinds(built) == []


def test_a_child_that_was_forked_writes_what_its_parent_had_in_memory_again(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).execution("Add", at=5.0).execution("Mul", at=6.0)
    built.append("execution", built.path("execution").read_bytes())
    observation = only(built.execution("Log", at=7.0))
    assert (observation.kind, observation.is_loss) == ("shared_files", True)
    assert observation.message.startswith("2 executions are on disk twice")
    assert observation.file == str(built.path("execution"))


def test_executions_of_threads_that_stand_out_of_order_are_not_there_twice(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add", at=6.0).execution("Mul", at=5.0)
    built.execution("Log", at=6.0).execution("Assign", outputs=[], values=[], at=6.0)
    assert kinds(built.execution("Assign", outputs=[], values=[], at=6.0)) == []


def test_files_whose_records_do_not_follow_one_another_were_perhaps_shared(tmp_path: Path) -> None:
    built = whole_program(logdir(tmp_path))
    built.insert("graphs", built.record_offsets("graphs")[2], b"from another process")
    built.flip_bit("execution", built.record_offsets("execution")[2] + 20)
    assert "shared_files" not in kinds(built)
    built.insert("stack_frames", built.record_offsets("stack_frames")[1], b"and here")
    shared, *_ = seen(built)
    assert (shared.kind, shared.is_loss) == ("shared_files", False)
    assert "In 2 files of the set" in shared.message
    assert "were damaged, or perhaps" in shared.message


def test_a_second_dump_root_has_no_sources_and_not_the_graphs_around_its_own(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).frame("f1", 7).frame("f2", 8)
    built.graph("f", outer="of the first directory").op("Sqrt", "Sqrt", stack=["f1", "gone"])
    observation = only(built.trace("Sqrt").execution("Mul", stack=["f2"]))
    assert (observation.kind, observation.is_loss) == ("switched_dump_root", True)
    assert "2 stack frames refer to some, and 1 graph" in observation.message
    assert observation.file == str(built.path("source_files"))


@pytest.mark.parametrize("kind", ["source_files", "stack_frames", "graphs"])
def test_what_would_be_in_a_file_that_was_not_copied_is_not_told_besides(
    tmp_path: Path, kind: FileKind
) -> None:
    """The missing file says it all; the program neither was killed nor chose another directory."""
    assert kinds(whole_program(logdir(tmp_path)).remove(kind)) == []


def test_a_worker_s_files_alone_tell_of_no_graph(tmp_path: Path) -> None:
    built = logdir(tmp_path, host="worker").in_graph("g1").trace("Sqrt").trace("mul")
    observation = only(built)
    assert (observation.kind, observation.is_loss) == ("only_graph_executions", False)
    assert observation.message.startswith("2 graph executions of worker are all")


def test_metadata_of_another_version_and_without_run_id(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Mul")
    built.metadata(file_version="debug.Event:7", run_id="", tensorflow_version="2.3.0")
    version, run_id = seen(built)
    assert (version.kind, version.file) == ("unknown_file_version", str(built.path("metadata")))
    assert "'debug.Event:7'" in version.message
    assert run_id.kind == "no_run_id"
    assert "2.3.0" in run_id.message


def test_events_of_which_a_file_was_not_copied_are_not_said_to_be_unwritten(
    tmp_path: Path,
) -> None:
    built = logdir(tmp_path).source("a.py", lines=["x"]).frame("f1", "a.py").remove("execution")
    assert kinds(built) == []


def test_a_program_whose_other_files_were_not_copied_is_no_worker(tmp_path: Path) -> None:
    built = logdir(tmp_path).in_graph("g1").trace("Sqrt").remove("graphs")
    assert "only_graph_executions" not in kinds(built)


def test_an_empty_file_of_sources_may_have_been_emptied(tmp_path: Path) -> None:
    built = logdir(tmp_path).frame("f1", 7).execution("Mul", stack=["f1"])
    assert "perhaps" in only(built).message
