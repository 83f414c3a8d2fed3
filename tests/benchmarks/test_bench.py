"""All of `make bench` in miniature, so that it still works when it is needed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from benchmarks import contenders
from benchmarks.first_alert import first_alert
from benchmarks.measuring import Result, measure
from benchmarks.pages import pages
from benchmarks.plan import Measure, Sizes, Step, make_plan
from benchmarks.processes import in_own_process
from benchmarks.programs import Program, Programs
from benchmarks.report import report
from benchmarks.scratch import scratch_folder
from tb_debugger_plugin.api.routes import ROUTES
from tests.benchmarks.test_logdirs import two_steps

MINIATURE = Sizes.divided_by(100_000, huge=True)


@pytest.fixture
def program(tmp_path: Path) -> Program:
    two_steps(tmp_path / "steps")
    return Program("steps", tmp_path / "steps")


def test_measures_of_a_logdir_become_tables_with_budgets(program: Program, tmp_path: Path) -> None:
    small = Step(program, 2, ("reading",))
    large = Step(program, 40, ("reading", "reopening", "refreshing", "requests"))
    results = [measure(step, tmp_path, rounds=1) for step in (small, large)]
    assert [result.num_events for result in results] == [12, 240]
    text = report(results)
    headings = re.findall("^## (.*)", text, flags=re.MULTILINE)
    assert headings == [
        "At a glance",
        "Reading a logdir, without a cache",
        "Time an event",
        "Memory",
        "Opening a run again, by its index on disk",
        "A run that grows",
        "First alert",
        "Pages",
        "Filters",
    ]
    for row in (
        r"\| peak memory an event: reading +\| +≤ 100 B \|",
        r"\| 240 steps +\|",
        r"\| `/graph_execution/rows` start +\| ≤ 10 ms \| +\d+.* ms [✓✗] \|",
        r"\| `/execution/digests` regular expression +\| ≤ 100 ms \| +\d+.* ms [✓✗] \|",
    ):
        assert re.search(row, text), row
    assert sorted(path.name for path in tmp_path.iterdir()) == ["steps"]


def test_a_budget_is_for_logdirs_of_a_size() -> None:
    answers = {"filters": {"/execution/digests text": 900.0}}
    small, huge = (
        Result("steps", 1, {"pages": {"events": events}, **answers}) for events in (1e6, 27e6)
    )
    assert "900 ms ✗" in report([small])
    assert "900 ms ✗" not in report([huge])
    assert "900 ms |" in report([huge])


def test_every_route_is_measured(program: Program) -> None:
    asked = {label.split(" ")[0] for label in pages(program.logdir) if label.startswith("/")}
    missing = {route.path for route in ROUTES} - asked
    assert not missing, "benchmarks/pages.py asks for every kind of page: add these"


def test_the_plan_measures_everything(program: Program) -> None:
    steps = list(make_plan(Programs(program, program, program, program), MINIATURE))
    assert {name for step in steps for name in step.measures} == set(get_args(Measure))
    assert max(step.times for step in steps) == 270 // 6


@pytest.mark.tensorflow
def test_tensorflow_reads_as_many_events(program: Program) -> None:
    ours = in_own_process(contenders.plugin, program.logdir)
    theirs = in_own_process(contenders.tensorflow, program.logdir)
    assert theirs["events"] == ours["events"] == 6


def test_the_first_alert_comes_from_a_real_tensorboard(program: Program) -> None:
    assert first_alert(program.logdir)["seconds"] > 0


def test_the_scratch_folder_is_gone_after_an_interruption(tmp_path: Path) -> None:
    def interrupted() -> None:
        with scratch_folder(tmp_path / "scratch") as scratch:
            (scratch / "large").write_bytes(b"much")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert not (tmp_path / "scratch").exists()


def test_a_request_that_fails_stops_the_benchmark(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="contenders:plugin failed"):
        in_own_process(contenders.plugin, tmp_path / "nothing")
