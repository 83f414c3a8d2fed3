"""The card above the alerts: what caused them, and the way from there to the damage."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.debugger_page import DebuggerPage


def test_one_cause_explains_all_alerts_and_leads_to_its_line(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH").loaded()
    alerts = tab.region("Alerts")
    expect(alerts.get_by_text("1 cause explains 123 of 123 alerts")).to_be_visible()
    alerts.get_by_role("button", name="Show Log in loss_fn mlp_log0.py:24").click()
    row = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(row).to_contain_text("Log:0")
    expect(
        tab.region("Source Code").locator(".cm-line", has_text="tf.math.log(probs)")
    ).to_be_in_viewport()
    expect(tab.region("Stack Trace")).to_contain_text("line 24")

    alerts.get_by_role("button", name="Next step to the damage").click()
    expect(row).to_contain_text("mul:0")
    expect(alerts.get_by_text("step 1 of 3", exact=True)).to_be_visible()


def test_what_is_joined_to_the_shown_op_is_in_view(page: Page, corpus_tensorboard: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    for run in ("mlp_log0_FULL_HEALTH", "while_cond_CONCISE_HEALTH"):
        tab = DebuggerPage(page, corpus_tensorboard).open(run=run).loaded()
        tab.region("Alerts").get_by_role("button", name=re.compile("^Show Log")).click()
        boxes = tab.region("Graph Structure").get_by_role("group", name="Neighbours in the graph")
        for place in ("selected op", "input 0", "consumer"):
            box = boxes.get_by_role("button", name=re.compile(f"^{place}")).first
            expect(box).to_be_in_viewport(ratio=0.99)


def test_folded_card_stays_folded(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH").loaded()
    headline = tab.region("Alerts").get_by_role("button", name=re.compile("^1 cause explains"))
    headline.click()
    expect(headline).to_have_attribute("aria-expanded", "false")
    page.reload()
    expect(tab.loaded().region("Alerts").get_by_role("option").first).to_be_visible()
    expect(headline).to_have_attribute("aria-expanded", "false")


def test_the_first_cause_is_in_view_without_a_scroll(page: Page, corpus_tensorboard: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH").loaded()
    alerts = tab.region("Alerts")
    expect(alerts.get_by_role("button", name="Show Log in loss_fn")).to_be_in_viewport(ratio=1)
    expect(alerts.get_by_text("Log Log:0 of loss_fn() made 24 −∞")).to_be_in_viewport(ratio=1)
    more = alerts.get_by_role("button", name="More evidence and advice")
    expect(more).to_be_in_viewport(ratio=1)
    more.click()
    expect(alerts.get_by_role("button", name="Less evidence and advice")).to_be_visible()


def test_the_alert_that_is_stepped_to_is_in_view_below_the_cause(
    page: Page, corpus_tensorboard: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH").loaded()
    pane = tab.region("Alerts")
    show = pane.get_by_role("button", name="Show Log in loss_fn")
    show.click()
    expect(show).to_be_in_viewport(ratio=1)
    for _ in range(3):
        page.keyboard.press("n")
    selected = pane.get_by_role("option", selected=True)
    expect(pane.get_by_text("4 of 123", exact=True)).to_be_visible()
    expect(selected).to_be_in_viewport(ratio=1)
