"""What each real logdir shows of how it was recorded: no more than what is so, and all of that.

Every case was looked at by hand; the table says why a kind is right. A case that is not in it is
whole, and shows nothing.
"""

from __future__ import annotations

import pytest

from tb_debugger_plugin import open_run
from tests.corpus.logdirs import absence
from tests.corpus.truth import RunTruth, runs

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

RUNS = [] if ABSENCE else runs()

SHOWN: dict[str, set[str]] = {
    # 160 executions and 240 graph executions, of which a buffer of 50 kept the last ones.
    "circ50": {"executions_dropped", "graph_executions_dropped"},
    # Copied while the program ran, before its first event was on disk...
    "flush_live/live_t0": {"events_not_written"},
    # ...and a little later: stack frames and ops are in blocks that were not written yet.
    "flush_live/live_t1": {"missing_stack_frames", "missing_ops"},
    # The child wrote what its parent had in memory when it was forked.
    "fork_child": {"shared_files"},
    "mlp_log0_CURT_HEALTH": {"no_counts"},
    "mlp_log0_NO_TENSOR": {"no_values"},
    "mlp_log0_SHAPE": {"shapes_only"},
    "nested_runs/run with spaces ü/x": {"shapes_only"},
    "ranks_SHAPE": {"shapes_only"},
    # Cells of a notebook, and a string that was run.
    "notebook": {"source_not_captured"},
    # Ended by os._exit while all events were in the circular buffer.
    "os_exit": {"events_not_written"},
    # Killed: the last block of stack frames was not written.
    "sigkill_nobuf": {"missing_stack_frames"},
    # Enabled again with another directory, which is this one.
    "switch_root/first_second": {"switched_dump_root"},
    "zero_step": {"nothing_recorded"},
}

GAPS: dict[str, tuple[list[int], list[int]]] = {"circ50": ([0], [0])}
"""Indices of executions and of graph executions before which some are missing."""


def place(run: RunTruth) -> str:
    return run.case if run.folder == "." else f"{run.case}/{run.folder}"


def test_the_table_names_runs_that_there_are() -> None:
    assert {*SHOWN, *GAPS} <= {place(run) for run in RUNS}


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_run_shows_what_is_so_and_no_more(run: RunTruth) -> None:
    observations = open_run(run.path, run=f".#{run.run_id}", cache=False).view.observations
    shown = [o.kind for o in (*observations.standing, *observations.passing)]
    assert len(shown) == len(set(shown))
    assert set(shown) == SHOWN.get(place(run), set())
    gaps = observations.gaps
    assert tuple([gap.index for gap in found] for found in (gaps.executions, gaps.traces)) == (
        GAPS.get(place(run), ([], []))
    )
