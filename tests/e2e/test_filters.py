"""What the lists leave out and what they fold, by mouse, by keys and by link."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.builders.logdir import logdir
from tests.builders.tensors import Values
from tests.e2e.debugger_page import DebuggerPage

RUN = "mlp_log0_FULL_HEALTH"


def test_a_link_shares_what_is_filtered_by(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN, at="execution:52").loaded()
    rows = tab.region("Graph Executions")
    rows.get_by_role("button", name="More filters of graph executions").click()
    rows.get_by_label("call 52 only").check()
    rows.get_by_label("NaN / ∞ only").check()
    rows.get_by_label("dtype").select_option("float32")
    page.keyboard.press("Escape")
    expect(rows.get_by_role("button", name="More filters of graph executions")).to_be_focused()
    expect(rows).to_contain_text("3 of 150")
    expect(page).to_have_url(re.compile(r"call=52.*dtype=float32"))

    other = page.context.new_page()
    other.goto(page.url)
    colleague = DebuggerPage(other, corpus_tensorboard).region("Graph Executions")
    expect(colleague).to_contain_text("3 of 150")
    colleague.get_by_role("button", name="Remove filter call 52").click()
    expect(colleague).to_contain_text("70 of 150")
    colleague.get_by_role("button", name="Remove filter float32").click()
    expect(colleague.get_by_role("button", name=re.compile("^Remove filter"))).to_have_count(0)
    other.close()


def test_a_bad_pattern_is_explained_while_the_rows_stay(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    rows = tab.region("Graph Executions")
    rows.get_by_role("button", name="Regular expression").click()
    page.keyboard.press("/")
    page.keyboard.type("^Log|^mul$|(")
    expect(rows).to_contain_text("The text cannot be used as a regular expression")
    expect(rows.get_by_role("row").nth(3)).to_be_visible()
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    expect(rows).to_contain_text("10 of 150")
    expect(rows).not_to_contain_text("regular expression")


def test_times_and_zeros_and_devices_are_filtered_by(
    page: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    run = logdir(scratch / "filters", started=1_700_000_000).device()
    run.graph("step").op("Relu", "Relu")
    for second in range(10):
        zeros = 8 if second % 2 else 1
        run.trace("Relu", value=Values(8, zero=zeros), at=1_700_000_000 + second)
    run.trace("Relu", device="/job:worker/replica:0/task:1/device:GPU:0", at=1_700_000_010)
    tab = DebuggerPage(page, scratch_tensorboard).open(run="filters")
    rows = tab.region("Graph Executions")
    expect(rows.get_by_role("row").nth(3)).to_be_visible(timeout=60_000)
    rows.get_by_role("button", name="More filters of graph executions").click()
    rows.get_by_label("all zero only").check()
    expect(rows).to_contain_text("5 of 11")
    rows.get_by_label("From, in seconds since the start").fill("4")
    page.keyboard.press("Enter")
    expect(rows).to_contain_text("3 of 11")
    rows.get_by_label("To, in seconds since the start").fill("soon")
    page.keyboard.press("Enter")
    expect(rows).to_contain_text("Type a time in seconds")
    rows.get_by_label("To, in seconds since the start").fill("6")
    page.keyboard.press("Enter")
    expect(rows).to_contain_text("1 of 11")
    expect(rows.get_by_role("button", name="Remove filter 4 s to 6 s")).to_be_visible()
    page.keyboard.press("Escape")
    rows.get_by_role("button", name="Clear all").click()
    rows.get_by_role("button", name="More filters of graph executions").click()
    rows.get_by_label("device").select_option(label="GPU:0 · 1")
    expect(rows).to_contain_text("1 of 11")


def test_executions_are_filtered_and_those_left_are_walked_through(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN, at="execution:35").loaded()
    timeline = tab.region("Python Execution Timeline")
    timeline.get_by_role("button", name="Filters of executions").click()
    timeline.get_by_label("Filter executions by op type").fill("loss_fn")
    timeline.get_by_label("NaN / ∞ only").check()
    page.keyboard.press("Escape")
    boxes = timeline.get_by_role("option")
    expect(boxes).to_have_count(6)
    expect(timeline).to_contain_text("6 of 101")
    expect(timeline).to_contain_text("Execution 35 is hidden by the filter")
    boxes.first.click()
    page.keyboard.press("ArrowRight")
    selected = timeline.get_by_role("option", selected=True)
    expect(selected).to_have_accessible_name(re.compile("^execution 53, loss_fn"))
    expect(page).to_have_url(re.compile("xfilter=loss_fn"))
    page.reload()
    expect(boxes).to_have_count(6)
    timeline.get_by_role("button", name="Remove filter NaN / ∞ only").click()
    timeline.get_by_role("button", name="Remove filter “loss_fn”").click()
    expect(timeline).to_contain_text(re.compile(r"101 · \d+(–\d+)? shown"))
    expect(selected).to_be_in_viewport()


@pytest.mark.parametrize(
    ("run", "row", "passes", "first_bad"),
    [
        ("while_cond_CONCISE_HEALTH", "1 while/Placeholder_1:0", 6, 26),
        ("nested4", "11 Log:0", 2, 16),
    ],
)
def test_passes_of_a_loop_are_one_row_that_leads_to_the_first_bad_one(
    page: Page, corpus_tensorboard: str, run: str, row: str, passes: int, first_bad: int
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=run).loaded()
    rows = tab.region("Graph Executions")
    rows.get_by_role("button", name="Collapse loops").click()
    expect(page).to_have_url(re.compile("collapse=1"))
    folded = rows.get_by_role("row").filter(has_text=row)
    expect(folded).to_contain_text(f"×{passes}")
    expect(folded).to_contain_text("bad →")
    folded.locator(".named").click()
    page.keyboard.press("ArrowRight")
    selected = rows.get_by_role("row", selected=True)
    expect(selected).to_contain_text(f"{first_bad} {row.split()[1]}")
    expect(rows.locator("tbd-trace-row")).to_have_count(passes)
    page.keyboard.press("ArrowLeft")
    expect(selected).to_contain_text(f"×{passes}")
    expect(rows).to_contain_text(f"#{first_bad} ")
    expect(rows).to_contain_text(f"is one of {passes} passes in the selected row")
    folded.get_by_role("button", name=re.compile("Go to the first")).click()
    expect(selected).to_contain_text(f"{first_bad} {row.split()[1]}")
    expect(rows.get_by_role("grid")).to_be_focused()
    page.go_back()
    expect(selected).to_contain_text(f"×{passes}")


def test_a_run_without_loops_is_not_offered_to_collapse_any(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    rows = tab.region("Graph Executions")
    expect(rows.get_by_role("row").nth(3)).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(rows.get_by_role("button", name="Collapse loops")).to_have_count(0)


def test_alerts_are_stepped_through_from_an_event_that_is_none(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN, at="trace:77").loaded()
    selected = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(selected).to_contain_text("77")
    tab.frame.locator("body").press("n")
    expect(selected).to_contain_text("78")
    page.go_back()
    expect(selected).to_contain_text("77")
    tab.frame.locator("body").press("p")
    expect(selected).to_contain_text("76")


def test_g_goes_to_the_number_field_of_the_pane_with_the_focus(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN, at="execution:35").loaded()
    timeline, rows = tab.region("Python Execution Timeline"), tab.region("Graph Executions")
    tab.frame.locator("body").press("g")
    expect(rows.get_by_label("Go to graph execution number")).to_be_focused()
    page.keyboard.type("71")
    page.keyboard.press("Enter")
    expect(rows.get_by_role("row", selected=True)).to_contain_text("Log:0")
    timeline.get_by_role("option").first.focus()
    page.keyboard.press("g")
    expect(timeline.get_by_label("Go to execution number")).to_be_focused()
    page.keyboard.type("100")
    page.keyboard.press("Enter")
    expect(timeline.get_by_role("option", selected=True)).to_have_accessible_name(
        re.compile("^execution 100,")
    )
