"""Every debug mode shows what it records, and says what it cannot."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.debugger_page import DebuggerPage

HEALTH_MODES = ("CURT_HEALTH", "CONCISE_HEALTH", "FULL_HEALTH", "FULL_TENSOR")


@pytest.mark.parametrize("mode", HEALTH_MODES)
def test_modes_that_see_values_list_all_alerts(
    page: Page, corpus_tensorboard: str, mode: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=f"mlp_log0_{mode}").loaded()
    alerts = tab.region("Alerts")
    expect(alerts.get_by_role("button", name="NaN/∞ 123")).to_be_visible()
    alerts.get_by_role("option").first.click()
    expect(tab.region("Graph Executions").get_by_role("row", selected=True)).to_contain_text(
        "Log:0"
    )
    expect(
        tab.region("Source Code").locator(".cm-line", has_text="tf.math.log(probs)")
    ).to_be_in_viewport()


@pytest.mark.parametrize("mode", ["NO_TENSOR", "SHAPE"])
def test_modes_that_see_no_values_say_that_they_cannot_alert(
    page: Page, corpus_tensorboard: str, mode: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=f"mlp_log0_{mode}").loaded()
    alerts = tab.region("Alerts")
    expect(alerts).to_contain_text(mode)
    expect(alerts).to_contain_text("CONCISE_HEALTH")
    expect(tab.region("Graph Executions").get_by_role("row").nth(2)).to_be_visible()


def test_shapes_are_shown_where_the_mode_records_them(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_SHAPE", at="trace:1").loaded()
    expect(tab.region("Graph Executions").get_by_role("row", selected=True)).to_contain_text(
        re.compile(r"\[\d+,\s?\d+\]")
    )


def test_a_tf1_session_has_graph_executions_and_says_why_the_timeline_is_empty(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="tf1_session").loaded()
    expect(tab.region("Python Execution Timeline")).to_contain_text(re.compile("[Nn]o execution"))
    tab.region("Alerts").get_by_role("option").first.click()
    expect(tab.region("Graph Executions").get_by_role("row", selected=True)).to_be_visible()
    expect(tab.region("Stack Trace")).to_contain_text("tf1_session.py")


def test_a_notebook_cell_keeps_its_frame_and_says_that_its_source_is_not_captured(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="notebook").loaded()
    tab.region("Alerts").get_by_role("option").first.click()
    expect(tab.region("Stack Trace")).to_contain_text(
        re.compile("ipython-input|ipykernel|<string>")
    )
    expect(tab.region("Source Code")).to_contain_text(re.compile("not captured"))
