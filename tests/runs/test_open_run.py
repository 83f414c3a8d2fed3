from __future__ import annotations

from pathlib import Path

import fsspec
import pytest

from tb_debugger_plugin import InfNanAlert, NoSuchRun, open_run
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.files import choose
from tests.builders.logdir import logdir
from tests.builders.tensors import Values


def test_a_run_is_opened_and_wholly_read(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log", size=9, neg_inf=2)
    built.execution("__inference_f_1", graph="f", nan=1).execution("Add")
    run = open_run(tmp_path)
    assert (run.name, run.run_id, run.hosts) == (".", "0123abcd", ["host"])
    assert (run.num_executions, run.num_graph_executions, len(run.ops)) == (2, 1, 1)
    assert (run.debug_modes, run.tensorflow_version) == (["FULL_HEALTH"], "2.21.0")
    trace, execution = run.alerts()
    assert isinstance(trace, InfNanAlert)
    assert (trace.op_type, trace.output_slot, trace.size) == ("Log", 0, 9)
    assert (trace.num_neg_inf, trace.num_pos_inf, trace.num_nan) == (2, 0, 0)
    assert (trace.graph_execution_index, trace.execution_index) == (0, None)
    assert (execution.graph_execution_index, execution.execution_index) == (None, 0)
    assert (execution.op_type, execution.num_nan) == ("__inference_f_1", 1)


def test_a_path_may_be_a_text_and_the_run_below_it(tmp_path: Path) -> None:
    logdir(tmp_path / "a" / "b").execution("Add")
    assert open_run(str(tmp_path)).name == "a/b"
    assert open_run(tmp_path, run="a/b").num_executions == 1
    assert open_run(tmp_path, run="a/b#0123abcd", cache=False).num_executions == 1


def test_an_alerts_index_is_a_place_in_time_order(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log")
    built.trace("log", at=5.0).trace("log", nan=1, at=3.0).trace("log", at=1.0)
    built.execution("Add", at=9.0).execution("Add", nan=1, at=4.0)
    trace, execution = open_run(tmp_path).alerts()
    assert (trace.graph_execution_index, execution.execution_index) == (1, 0)


def test_what_the_file_does_not_tell_is_none(tmp_path: Path) -> None:
    built = logdir(tmp_path, mode=debug_modes.CURT_HEALTH).graph("f").trace("lost", nan=1)
    built.execution("Next", outputs=[1, 2], values=[Values(3, nan=1)])
    trace, execution = open_run(tmp_path).alerts()
    assert (trace.op_type, trace.size, trace.num_nan) == ("", None, None)
    assert execution.output_slot is None


def test_counts_beyond_32_bits_are_whole(tmp_path: Path) -> None:
    built = logdir(tmp_path).graph("f").op("Log", "log").trace("log", size=2**40, nan=2**35)
    built.execution("Add", size=2**40, pos_inf=2**36)
    trace, execution = open_run(tmp_path).alerts()
    assert (trace.size, trace.num_nan, execution.num_pos_inf) == (2**40, 2**35, 2**36)


def test_where_there_is_no_run_the_message_tells_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRun, match=r"no tfdbg run at or below .*enable_dump_debug_info"):
        open_run(tmp_path)


def test_a_path_that_does_not_exist_is_said_not_to(tmp_path: Path) -> None:
    with pytest.raises(NoSuchRun, match=r"no tfdbg run at or below .*/missing': does not exist$"):
        open_run(tmp_path / "missing")


def test_of_a_url_whose_package_is_missing_the_message_tells_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lacking(*_: object, **__: object) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec, "filesystem", lacking)
    monkeypatch.setattr(choose, "_remote", {})
    with pytest.raises(NoSuchRun, match=r"s3fs.*pip install 'tb-debugger-plugin\[s3\]'"):
        open_run("s3://bucket/run")


def test_where_the_only_files_are_compressed_the_message_says_so(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "tfdbg_events.1700000000.vm.execution.gz").touch()
    with pytest.raises(NoSuchRun, match=r"/run': rejected: .*\.execution\.gz \(compressed\)$"):
        open_run(tmp_path)


def test_of_several_runs_one_has_to_be_named(tmp_path: Path) -> None:
    logdir(tmp_path / "a")
    logdir(tmp_path / "b")
    with pytest.raises(NoSuchRun, match=r"several runs .*: 'a', 'b'; name one with run=$"):
        open_run(tmp_path)
    assert open_run(tmp_path, run="b").name == "b"


def test_of_many_runs_the_first_few_are_named(tmp_path: Path) -> None:
    for number in range(30):
        logdir(tmp_path / f"run{number:02}")
    with pytest.raises(NoSuchRun, match=r"'run09' and 20 more; name one with run=$"):
        open_run(tmp_path)
    with pytest.raises(NoSuchRun, match=r"there are: 'run00', .* 'run09' and 20 more$"):
        open_run(tmp_path, run="run30")


@pytest.mark.parametrize("name", ["", "c", ".", "a#", "#0123abcd", "a/"])
def test_a_name_that_no_run_has_lists_those_there_are(tmp_path: Path, name: str) -> None:
    logdir(tmp_path / "a")
    with pytest.raises(NoSuchRun, match=r"no run .*; there are: 'a'"):
        open_run(tmp_path, run=name)


def test_no_such_run_is_a_lookup_error() -> None:
    assert issubclass(NoSuchRun, LookupError)


def test_a_run_can_be_refreshed(tmp_path: Path) -> None:
    built = logdir(tmp_path).execution("Add")
    run = open_run(tmp_path)
    before = run.view
    run.refresh()
    assert run.view is before
    built.execution("Add", nan=1)
    run.refresh()
    assert (run.num_executions, len(run.alerts())) == (2, 1)
    assert len(before.snapshot.executions) == 1
