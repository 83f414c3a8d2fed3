"""What is amiss over many calls: its rows, its events, and the versions of a function."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.debugger_page import DebuggerPage


def test_a_dead_activation_leads_to_its_line(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="dead_relu").loaded()
    alerts = tab.region("Alerts")
    expect(alerts.get_by_text("No NaN/∞ alert: nothing recorded")).to_be_visible()
    alerts.get_by_role("button", name=re.compile(r"^Relu:0")).click()
    row = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(row).to_contain_text("Relu:0")
    expect(
        tab.region("Source Code").locator(".cm-line", has_text="tf.nn.relu(x@w1+b1)")
    ).to_be_in_viewport()
    expect(alerts.locator("[aria-current=true]")).to_contain_text("All of 40 elements were zero")


def test_a_pattern_is_muted_beside_its_row_and_comes_back(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="dead_relu").loaded()
    alerts = tab.region("Alerts")
    row = alerts.get_by_role("button", name=re.compile(r"^Relu:0"))
    row.hover()
    alerts.get_by_role("button", name="Mute alerts like Relu:0").click()
    expect(alerts.get_by_role("menuitem")).to_have_count(4)
    expect(alerts.get_by_role("menuitem").first).to_be_focused()
    alerts.get_by_role("menuitem", name="Mute op type Relu").click()
    expect(row).not_to_be_attached()
    expect(alerts.get_by_role("button", name="Dead activations")).not_to_be_attached()

    alerts.get_by_role("button", name="Muted (1 rule)", exact=True).click()
    alerts.get_by_role("button", name="Restore op type Relu").click()
    expect(row).to_be_visible()


def test_versions_of_a_retraced_function_stand_side_by_side(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="retrace").loaded()
    alerts = tab.region("Alerts")
    compare = alerts.get_by_role("button", name="Compare 20 versions")
    compare.click()
    dialog = alerts.get_by_role("dialog", name="20 versions of f")
    rows = dialog.get_by_role("row")
    expect(rows).to_have_count(21)
    expect(rows.nth(2)).to_contain_text(re.compile(r"≠\s*2 elements"))
    expect(rows.nth(2)).to_contain_text("retrace.py:11")
    expect(rows.nth(10)).to_contain_text("nothing recorded")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    compare.click()
    dialog.get_by_role("button", name="#21", exact=True).click()
    expect(dialog).to_be_hidden()
    expect(
        tab.region("Source Code").locator(".cm-line", has_text="f(tf.ones([2]),k)").first
    ).to_be_in_viewport()
    expect(tab.region("Python Execution Timeline")).to_contain_text("21 f (function)")


def test_a_kind_that_is_switched_off_stays_off(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="dead_relu").loaded()
    alerts = tab.region("Alerts")
    switch = alerts.get_by_role("switch", name="Show zero gradients")
    switch.uncheck()
    page.reload()
    tab.loaded()
    expect(switch).not_to_be_checked()
    expect(alerts.get_by_role("button", name="Zero gradients off")).to_be_disabled()


def test_open_patterns_leave_room_for_alerts(page: Page, corpus_tensorboard: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH").loaded()
    alerts = tab.region("Alerts")
    alerts.get_by_role("button", name="Patterns over many calls").click()
    alerts.get_by_text("kinds looked for and not found").click()
    box = alerts.get_by_role("listbox").bounding_box()
    assert box is not None
    assert box["height"] > 2 * 40
    expect(alerts.get_by_role("button", name="Next alert")).to_be_in_viewport(ratio=1)
