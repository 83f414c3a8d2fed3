"""Links, history, keys, and requests that fail."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.e2e.debugger_page import REGIONS, DebuggerPage

RUN = "mlp_log0_FULL_HEALTH"


def test_reload_and_a_copied_address_restore_the_view(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    tab.region("Alerts").get_by_role("option").nth(1).click()
    selected = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(selected).to_contain_text("mul:0")
    tab.region("Graph Executions").get_by_role("button", name="NaN / ∞ only").click()
    expect(tab.region("Graph Executions")).to_contain_text("70 of 150")
    # The address follows a little later, so that a held key does not flood it.
    expect(page).to_have_url(re.compile("infnan=1"))
    address = page.url
    page.reload()
    expect(selected).to_contain_text("mul:0")
    expect(tab.region("Graph Executions")).to_contain_text("70 of 150")
    other = page.context.new_page()
    other.goto(address)
    colleague = DebuggerPage(other, corpus_tensorboard)
    expect(colleague.region("Graph Executions").get_by_role("row", selected=True)).to_contain_text(
        "mul:0"
    )
    expect(colleague.region("Stack Trace")).to_contain_text("line 24")
    other.close()


def test_back_and_forward_walk_through_what_was_selected(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    tab.region("Alerts").get_by_role("option").nth(0).click()
    selected = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(selected).to_contain_text("Log:0")
    expect(tab.region("Stack Trace")).to_contain_text("creation of Log")
    graph = tab.region("Graph Structure")
    graph.get_by_role("button", name=re.compile("^consumer of output 0: mul")).click()
    expect(selected).to_contain_text("mul:0")
    page.go_back()
    expect(selected).to_contain_text("Log:0")
    page.go_forward()
    expect(selected).to_contain_text("mul:0")
    tab.frame.get_by_role("button", name="Back", exact=True).click()
    expect(selected).to_contain_text("Log:0")


def test_the_whole_way_with_the_keyboard_alone(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    expect(tab.region("Alerts").get_by_role("option").first).to_be_visible()
    tab.frame.locator("body").press("n")
    rows = tab.region("Graph Executions")
    expect(rows.get_by_role("row", selected=True)).to_contain_text("Log:0")
    page.keyboard.press("/")
    expect(rows.get_by_role("textbox", name=re.compile("Filter"))).to_be_focused()
    page.keyboard.type("loss_fn")
    expect(rows).to_contain_text("20 of 150")
    page.keyboard.press("Escape")
    rows.get_by_role("grid").focus()
    page.keyboard.press("ArrowDown")
    expect(rows.get_by_role("row", selected=True)).to_contain_text("mul:0")
    page.keyboard.press("?")
    keys = tab.frame.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("Next alert")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    # Tab alone reaches every pane.
    reached: set[str] = set()
    tab.frame.locator("body").press("Tab")
    for _ in range(120):
        name = tab.frame.locator(":focus").evaluate_all(
            "(found) => found[0]?.closest('section')?.getAttribute('aria-label') ?? ''"
        )
        reached.add(name)
        page.keyboard.press("Tab")
    assert set(REGIONS) <= reached


def test_a_request_that_fails_is_said_and_tried_again(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    expect(tab.region("Alerts").get_by_role("option").first).to_be_visible()
    broken = re.compile(r"/(stack_frames|graphs|graph_execution)/")

    def fail(route: Route) -> None:
        route.abort()

    page.route(broken, fail)
    tab.region("Alerts").get_by_role("option").first.click()
    expect(tab.region("Graph Structure")).to_contain_text(re.compile("does not answer|Could not"))
    page.unroute(broken, fail)
    expect(
        tab.region("Graph Structure").get_by_role("button", name=re.compile("^selected op: Log"))
    ).to_be_visible(timeout=45_000)
    expect(tab.region("Stack Trace")).to_contain_text("line 24", timeout=45_000)


def test_a_hidden_tab_asks_nothing(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    expect(tab.region("Alerts").get_by_role("option").first).to_be_visible()
    page.evaluate("location.hash = '#timeseries'")
    expect(page.locator("iframe[src*='tb_debugger']")).not_to_be_visible()
    page.wait_for_timeout(1_000)
    asked: list[str] = []
    page.on("request", lambda r: asked.append(r.url) if "/tb_debugger/" in r.url else None)
    page.wait_for_timeout(6_000)
    assert asked == []
