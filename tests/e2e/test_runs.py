"""Logdirs without data, with growing data, with several runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.builders.logdir import logdir
from tests.e2e.debugger_page import REGIONS, DebuggerPage
from tests.e2e.tensorboard import running_tensorboard


def test_an_empty_logdir_says_what_was_searched_and_how_to_record(
    page: Page, tmp_path: Path
) -> None:
    with running_tensorboard(tmp_path) as url:
        tab = DebuggerPage(page, url).open()
        body = tab.frame.locator("body")
        expect(body).to_contain_text("enable_dump_debug_info")
        expect(body).to_contain_text(str(tmp_path))
        expect(body).to_contain_text("no tfdbg_events")
        # The program starts while the page is open.
        logdir(tmp_path / "late").execution("Log", nan=1)
        expect(tab.region("Alerts")).to_contain_text("1", timeout=60_000)


def test_a_growing_run_shows_new_alerts_and_rows_in_place(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    run = logdir(scratch / "growing").source("train.py", lines=["x = 1"]).graph("step")
    run.op("Add", "AddV2").op("Log", "Log", inputs=["Add:0"])
    for _ in range(60):
        run.trace("Add")
    tab = DebuggerPage(page, scratch_tensorboard).open(run="growing", at="trace:0")
    rows = tab.region("Graph Executions")
    expect(rows.get_by_role("row", selected=True)).to_contain_text("Add:0")
    expect(rows).to_contain_text("60")
    run.trace("Log", neg_inf=3)
    expect(tab.region("Alerts").get_by_role("button", name="NaN/∞ 1")).to_be_visible(timeout=30_000)
    expect(rows).to_contain_text("61")
    # What the user reads has not moved.
    expect(rows.get_by_role("row", selected=True)).to_be_in_viewport()
    expect(tab.frame.get_by_text(re.compile("^live · "))).to_be_visible()


def test_a_link_to_a_row_that_is_not_written_yet_leads_there_when_it_is(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    run = logdir(scratch / "early").graph("step").op("Add", "AddV2").op("Log", "Log")
    for _ in range(60):
        run.trace("Add")
    tab = DebuggerPage(page, scratch_tensorboard).open(run="early", at="trace:150")
    rows = tab.region("Graph Executions")
    expect(rows).to_contain_text("This run has no graph execution #150")
    for _ in range(100):
        run.trace("Log")
    selected = rows.get_by_role("row", selected=True)
    expect(selected).to_contain_text("150", timeout=60_000)
    expect(selected).to_be_in_viewport()


def test_a_program_that_ran_again_in_the_same_directory_is_what_all_panes_show(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    def program(run_id: str, op: str) -> None:
        run = logdir(scratch / "again", run_id=run_id).source("train.py", lines=["x", f"{op}(x)"])
        run.frame("f1", "train.py", line=2, function=op).graph("step").op(op, op, stack=["f1"])
        run.trace(op, nan=1).execution(op, nan=1)

    program("aaaaaaaa", "Log")
    tab = DebuggerPage(page, scratch_tensorboard).open(run="again", at="trace:0")
    for name in REGIONS:
        expect(tab.region(name)).to_contain_text("L" if "Timeline" in name else "Log")
    shutil.rmtree(scratch / "again")
    program("bbbbbbbb", "Exp")  # Its files have the sizes of the former ones.
    for name in REGIONS:
        expect(tab.region(name)).to_contain_text("E" if "Timeline" in name else "Exp")
        expect(tab.region(name)).not_to_contain_text("Log")


def test_several_runs_are_listed_and_one_is_chosen(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    logdir(scratch / "ü run" / "a", run_id="aaaaaaaa").execution("Log", nan=1)
    logdir(scratch / "both", run_id="bbbbbbbb").execution("Sqrt", nan=1)
    logdir(scratch / "both", run_id="cccccccc", started=1_700_000_009).execution("Exp", pos_inf=1)
    tab = DebuggerPage(page, scratch_tensorboard).open(run="both#cccccccc")
    expect(tab.region("Alerts").get_by_role("option")).to_have_accessible_name(
        re.compile("Exp"), timeout=60_000
    )
    tab.frame.get_by_role("button", name=re.compile("^Run both#cccccccc")).click()
    tab.frame.get_by_text("ü run/a").click()
    expect(tab.region("Alerts").get_by_role("option")).to_have_accessible_name(re.compile("Log"))
    assert "run=ü run/a" in tab.address()


def test_a_damaged_run_says_so_and_shows_the_rest(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    run = logdir(scratch / "damaged")
    for _ in range(3):
        run.execution("Log", nan=1)
    run.flip_bit("execution", run.record_offsets("execution")[1] + 20)
    tab = DebuggerPage(page, scratch_tensorboard).open(run="damaged")
    expect(tab.region("Alerts").get_by_role("button", name="NaN/∞ 2")).to_be_visible(timeout=60_000)
    expect(tab.frame.get_by_text(re.compile("^damaged · "))).to_be_visible()
    tab.frame.get_by_role("button", name=re.compile("1 problem")).click()
    expect(tab.frame.get_by_text("checksum is wrong")).to_be_visible()


def test_what_could_not_be_loaded_is_shown_once_tensorboard_answers_again(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    run = logdir(scratch / "away").source("train.py", lines=["x = 1"]).frame("f1", "train.py")
    run.execution("Log", nan=1, stack=["f1"]).execution("Mul", stack=["f1"])
    tab = DebuggerPage(page, scratch_tensorboard).open(run="away").loaded()
    timeline = tab.region("Python Execution Timeline")
    routes = "**/data/plugin/tb_debugger/**"
    page.route(routes, lambda route: route.abort())
    timeline.get_by_role("option").nth(1).click()
    expect(timeline).to_contain_text("Could not load execution 1.")
    expect(timeline).to_contain_text("TensorBoard does not answer. Is it still running?")
    expect(tab.region("Stack Trace")).to_contain_text("Could not load this.")
    expect(tab.region("Alerts").get_by_role("option")).to_have_count(1)  # What is there stays.
    page.unroute(routes)
    expect(timeline).not_to_contain_text("Could not load")
    expect(timeline.locator("tbd-execution-detail")).to_contain_text("Mul")
    expect(tab.region("Stack Trace")).to_contain_text("line 1")


def test_one_execution_and_two_hundred_thousand(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    logdir(scratch / "one").execution("Log", nan=1)
    tab = DebuggerPage(page, scratch_tensorboard).open(run="one")
    boxes = tab.region("Python Execution Timeline").get_by_role("option")
    expect(boxes).to_have_count(1, timeout=60_000)

    many = logdir(scratch / "many").execution("Add")
    record = many.path("execution").read_bytes()
    many.append("execution", record * 199_998)
    many.execution("Log", nan=1)
    tab.open(run="many")
    page.reload()
    timeline = tab.region("Python Execution Timeline")
    expect(timeline).to_contain_text("200,000", timeout=120_000)
    tab.region("Alerts").get_by_role("option").first.click()
    expect(timeline.get_by_role("option", selected=True)).to_have_accessible_name(
        re.compile("^execution 199999, Log"), timeout=60_000
    )
    expect(timeline.get_by_role("option", selected=True)).to_be_in_viewport()
    timeline.get_by_role("slider").press("Home")
    expect(timeline.get_by_role("option").first).to_have_accessible_name(
        re.compile("^execution 0,")
    )


def test_a_thousand_runs_are_listed_and_one_is_found(page: Page, tmp_path: Path) -> None:
    one = logdir(tmp_path / "group 0" / "run 0000").execution("Log", nan=1).directory
    for number in range(1, 1_000):
        shutil.copytree(one, tmp_path / f"group {number % 10}" / f"run {number:04}")
    with running_tensorboard(tmp_path) as url:
        tab = DebuggerPage(page, url).open(run="group 0/run 0000").loaded()
        tab.frame.get_by_role("button", name="Run group 0/run 0000").click()
        expect(tab.frame.get_by_text("1,000 runs", exact=True)).to_be_visible()
        assert tab.frame.get_by_role("option").count() < 100  # Those in view.
        words = tab.frame.get_by_label("Filter runs by name")
        words.fill("run 0417")
        expect(tab.frame.get_by_text("1 of 1,000 runs")).to_be_visible()
        expect(tab.frame.get_by_role("listbox", name="Runs")).to_contain_text("not read yet")
        words.press("Enter")
        expect(tab.frame.get_by_role("button", name="Run group 7/run 0417")).to_be_visible()
        expect(tab.region("Alerts").get_by_role("option")).to_have_count(1)
