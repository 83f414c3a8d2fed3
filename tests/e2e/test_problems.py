"""From the status of a run to what is lost, why, and what to write in the program."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.analyses.observations.seen import call, whole_program
from tests.builders.logdir import LogdirBuilder, logdir
from tests.e2e.debugger_page import DebuggerPage
from tests.e2e.test_appearance import serious_faults


def ended(built: LogdirBuilder) -> LogdirBuilder:
    """As if its last write was an hour ago."""
    for path in built.directory.iterdir():
        modified = path.stat().st_mtime - 3600
        os.utime(path, (modified, modified))
    return built


def test_a_run_that_lost_its_beginning_says_so_where_it_is_seen_and_what_to_do(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    built = whole_program(logdir(scratch / "dropped"), num_calls=0)
    for _ in range(3):
        call(built, ops=())
    for _ in range(3):
        call(built)
    ended(built)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab = DebuggerPage(page, scratch_tensorboard).open(run="dropped").loaded()

    line = tab.region("Graph Executions").get_by_role(
        "img", name="Graph executions are missing before this one"
    )
    expect(line).to_be_visible()
    tab.frame.get_by_role("button", name="damaged · 18 events 1 problem").click()
    lost = tab.frame.get_by_role("region", name="Lost")
    expect(lost).to_contain_text("Graph executions were dropped")
    expect(lost).to_contain_text("3 calls of f left none there")
    code = lost.get_by_label("Remedy: Graph executions were dropped")
    expect(code).to_contain_text(f'"{scratch / "dropped"}"')
    expect(code).to_contain_text("circular_buffer_size=-1")
    lost.get_by_role("button", name="Copy the code").click()
    expect(lost.get_by_role("button", name="Copied")).to_be_visible()
    path = lost.get_by_title(str(built.path("graph_execution_traces")))
    expect(path).to_have_text(built.path("graph_execution_traces").name)
    lost.get_by_text("How it is recognised").click()
    with page.context.expect_page() as opened:
        lost.get_by_role("link", name="docs/problems.md").click()
    expect(opened.value.locator("body")).to_contain_text("(`graph_executions_dropped`)")
    opened.value.close()
    page.keyboard.press("Escape")
    expect(lost).to_have_count(0)


def test_an_empty_pane_leads_to_what_to_do(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    built = logdir(scratch / "killed").source("train.py", lines=["x = 1"])
    ended(built.source("more.py", lines=["y = 2"]).truncate("source_files", 5))
    tab = DebuggerPage(page, scratch_tensorboard).open(run="killed").loaded()
    for name in ("Alerts", "Python Execution Timeline", "Graph Executions"):
        expect(tab.region(name)).to_contain_text("reached the disk")
    tab.region("Graph Executions").get_by_role("button", name="What to do").click()
    lost = tab.frame.get_by_role("region", name="Lost")
    expect(lost).to_contain_text("No event was written")
    expect(lost.get_by_label("Remedy: No event was written")).to_be_in_viewport()


def test_what_is_missing_is_marked_where_it_is_missed(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    built = logdir(scratch / "holes").source("train.py", lines=["x = 1"]).frame("top", "train.py")
    built.graph("").graph("f", outer="").op("Sqrt", "Sqrt", stack=["top"])
    built.trace("Sqrt").trace("gone")
    built.execution("Add", stack=["top"]).execution("Mul", stack=["top", "gone"])
    ended(built)
    tab = DebuggerPage(page, scratch_tensorboard).open(run="holes", at="trace:1").loaded()
    rows = tab.region("Graph Executions").get_by_role("row")
    lost_op = rows.filter(has_text="gone:0")
    expect(
        lost_op.get_by_role("img", name="The creation of this op is not on disk")
    ).to_be_visible()
    expect(
        tab.region("Graph Structure").get_by_role("img", name=re.compile("^Ops are missing"))
    ).to_be_visible()
    boxes = tab.region("Python Execution Timeline").get_by_role("option")
    expect(boxes.nth(0)).to_have_accessible_name("execution 0, Add")
    expect(boxes.nth(1)).to_have_accessible_name(
        "execution 1, Mul, part of its stack trace is not on disk"
    )
    boxes.nth(1).click()
    expect(
        tab.region("Python Execution Timeline").get_by_role("img", name="Part of its stack trace")
    ).to_be_visible()


def test_a_run_of_which_nothing_is_lost_says_that_too(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    ended(whole_program(logdir(scratch / "whole")))
    tab = DebuggerPage(page, scratch_tensorboard).open(run="whole").loaded()
    tab.frame.get_by_role("button", name="complete · 12 events").click()
    expect(tab.frame.get_by_text("No problem was found.")).to_be_visible()
    expect(tab.frame.get_by_role("img", name="missing")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_the_problems_and_their_marks(
    page: Page, scratch: Path, scratch_tensorboard: str, theme: str
) -> None:
    built = whole_program(logdir(scratch / f"axe {theme}")).source("<stdin>")
    call(built, ops=()).trace("gone").execution("Mul", stack=["gone"])
    ended(call(built))
    tab = DebuggerPage(page, scratch_tensorboard).open(run=f"axe {theme}", at="execution:8")
    tab.loaded()
    if theme == "dark":
        page.evaluate("document.body.classList.add('dark-mode')")
    expect(tab.region("Graph Executions").locator("tbd-gap-line")).to_be_visible()
    assert serious_faults(page) == []
    tab.frame.get_by_role("button", name=re.compile("^damaged")).click()
    expect(tab.frame.get_by_role("region", name="Good to know")).to_be_visible()
    for summary in tab.frame.locator("summary").all():
        if summary.is_visible():
            summary.evaluate("(one) => (one.parentElement.open = true)")
    assert serious_faults(page) == []
