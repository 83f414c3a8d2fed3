from __future__ import annotations

from pathlib import Path

import pytest

from tb_debugger_plugin.index.file_sets import split_file_name
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.corpus.observation import count_records, observe
from tests.corpus.truth import RunTruth, agree, runs

ABSENCE = absence()
pytestmark = pytest.mark.skipif(ABSENCE is not None, reason=str(ABSENCE))

RUNS = [] if ABSENCE else runs()
each_run = pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)


def test_every_folder_with_a_file_set_has_a_truth() -> None:
    folders = {
        path.parent
        for path in unpacked_corpus().rglob("tfdbg_events.*")
        if split_file_name(path.name)
    }
    assert folders == {Path(run.path) for run in RUNS}
    assert len({run.case for run in RUNS}) == 48


@each_run
def test_counts_are_those_of_the_bytes(run: RunTruth) -> None:
    counts = observe(run.path, run.run_id).counts
    if run.is_damaged:
        assert all(counts[name] >= run.counts[name] for name in run.counts)
    else:
        assert counts == run.counts


@each_run
def test_every_intact_record_is_decoded(run: RunTruth) -> None:
    records = count_records(run.path, run.run_id)
    if run.is_damaged:
        assert all(records[kind] >= run.records[kind] for kind in run.records)
    else:
        assert records == run.records


@each_run
def test_first_alerts_are_the_first_in_time(run: RunTruth) -> None:
    alerts = observe(run.path, run.run_id).first_alerts
    assert agree(alerts, run.first_alerts)


@each_run
def test_the_only_losses_are_those_of_the_bytes(run: RunTruth) -> None:
    losses = [problem for problem in observe(run.path, run.run_id).problems if problem.is_loss]
    lost_bytes: dict[str, int] = {}
    for problem in losses:
        kind = problem.file.rpartition(".")[2]
        lost_bytes[kind] = lost_bytes.get(kind, 0) + (problem.num_bytes or 0)
    assert lost_bytes.keys() == run.trailing_bytes.keys()
    for kind in lost_bytes.keys() - {"source_files"}:
        assert lost_bytes[kind] == run.trailing_bytes[kind]
