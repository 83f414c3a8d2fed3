"""Muted alerts: left out of lists, counts and causes, here and for whom the link is sent to."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.debugger_page import DebuggerPage


def alerts_of(page: Page, url: str) -> Locator:
    return DebuggerPage(page, url).open(run="mlp_log0_FULL_HEALTH").loaded().region("Alerts")


def muted(alerts: Locator, words: str) -> Locator:
    """The row that says what is muted."""
    return alerts.get_by_role("button", name=words, exact=True)


def test_a_muted_op_type_stays_muted_here_and_in_the_link(
    page: Page, browser: Browser, corpus_tensorboard: str
) -> None:
    alerts = alerts_of(page, corpus_tensorboard)
    expect(alerts.get_by_text("1 cause explains 123 of 123 alerts")).to_be_visible()
    alerts.get_by_role("button", name="Mute some of NaN/∞").click()
    menu = alerts.get_by_role("menuitem")
    expect(menu.first).to_have_accessible_name("Mute op type MatMul")
    expect(menu.first).to_be_focused()
    page.keyboard.press("Enter")

    expect(muted(alerts, "Muted (16 alerts, 1 rule)")).to_be_visible()
    expect(alerts.get_by_text("107 of 123", exact=True)).to_be_visible()
    expect(alerts.get_by_text("1 cause explains 107 of 107 alerts, 16 muted")).to_be_visible()
    page.reload()
    expect(muted(alerts, "Muted (16 alerts, 1 rule)")).to_be_visible()
    expect(alerts.get_by_text("come from the link")).not_to_be_attached()

    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    teammate = context.new_page()
    teammate.goto(page.url)
    theirs = DebuggerPage(teammate, corpus_tensorboard).loaded().region("Alerts")
    expect(muted(theirs, "Muted (16 alerts, 1 rule)")).to_be_visible()
    expect(theirs.get_by_text("These rules come from the link.")).to_be_visible()
    theirs.get_by_role("button", name="Mute nothing").click()
    expect(theirs.get_by_text("1 cause explains 123 of 123 alerts")).to_be_visible()
    context.close()

    muted(alerts, "Muted (16 alerts, 1 rule)").click()
    alerts.get_by_role("button", name="Restore op type MatMul").click()
    expect(muted(alerts, "Muted: nothing")).to_be_visible()
    expect(alerts.get_by_text("1 cause explains 123 of 123 alerts")).to_be_visible()
    expect(page).not_to_have_url(re.compile("mute"))


def test_rules_of_a_link_go_with_its_address(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard)
    for entries in ("", "&p.tb_debugger.run=mlp_log0_FULL_HEALTH"):
        tab.open(run="mlp_log0_FULL_HEALTH", mute="op_type:MatMul").loaded()
        expect(muted(tab.region("Alerts"), "Muted (16 alerts, 1 rule)")).to_be_visible()
        page.evaluate("hash => { location.hash = hash }", "#tb_debugger" + entries)
        expect(muted(tab.region("Alerts"), "Muted: nothing")).to_be_visible()
        expect(page).not_to_have_url(re.compile("mute"))


def test_the_cause_itself_can_be_muted_by_the_keyboard_and_comes_back(
    page: Page, corpus_tensorboard: str
) -> None:
    alerts = alerts_of(page, corpus_tensorboard)
    alerts.get_by_role("option").first.click()
    expect(alerts.get_by_text("1 of 123", exact=True)).to_be_visible()
    page.keyboard.press("m")
    expect(alerts.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(alerts.get_by_role("menuitem", name="Mute line mlp_log0.py:24")).to_be_focused()
    page.keyboard.press("Enter")
    expect(alerts.get_by_text(re.compile(r"alerts left; their cause is among"))).to_be_visible()
    expect(alerts.get_by_text("muted", exact=True).first).to_be_visible()
    alerts.get_by_role("button", name="Undo").click()
    expect(alerts.get_by_text("1 of 123", exact=True)).to_be_visible()


def test_what_is_typed_is_muted_or_refused_with_the_reason(
    page: Page, corpus_tensorboard: str
) -> None:
    alerts = alerts_of(page, corpus_tensorboard)
    muted(alerts, "Muted: nothing").click()
    field = alerts.get_by_role("textbox", name=re.compile("^Mute ops whose name"))
    field.fill("/gradients(/")
    field.press("Enter")
    expect(alerts.get_by_role("alert")).to_contain_text("missing )")
    field.fill("/^gradients/")
    field.press("Enter")
    expect(alerts.get_by_role("listitem")).to_contain_text("op name matches")
    expect(field).to_have_value("")


def test_marks_lead_from_a_consequence_back_to_the_cause(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard)
    tab.open(run="mlp_log0_FULL_HEALTH", at="trace:73").loaded()
    rows, graph = tab.region("Graph Executions"), tab.region("Graph Structure")
    selected = rows.get_by_role("row", selected=True)
    selected.get_by_role("button", name="Propagated from mul:0, #72: go there").click()
    expect(selected).to_contain_text("mul:0")
    expect(graph.get_by_role("img", name=re.compile("^Cause: "))).to_be_visible()
    page.keyboard.press("b")
    expect(selected).to_contain_text("Log:0")
    expect(selected.get_by_role("img", name=re.compile("^Cause: "))).to_be_visible()
