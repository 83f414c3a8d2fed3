"""Themes, narrow windows, and accessibility by axe."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.e2e.debugger_page import REGIONS, DebuggerPage

RUN = "mlp_log0_FULL_HEALTH"


def _background(tab: DebuggerPage) -> tuple[int, int, int]:
    text = tab.frame.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
    red, green, blue = re.findall(r"\d+", text)[:3]
    return int(red), int(green), int(blue)


def test_the_page_follows_tensorboards_theme(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN, at="trace:71").loaded()
    expect(
        tab.region("Graph Structure").get_by_role("button", name=re.compile("Log")).first
    ).to_be_visible()
    assert min(_background(tab)) > 240
    page.evaluate("document.body.classList.add('dark-mode')")
    expect(tab.frame.locator("html.dark")).to_have_count(1)
    assert max(_background(tab)) < 60


@pytest.mark.parametrize("width", [1000, 1280])
def test_in_a_narrow_window_every_pane_can_be_reached(
    page: Page, corpus_tensorboard: str, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    tab.region("Alerts").get_by_role("option").first.click()
    expect(tab.region("Graph Executions").get_by_role("row", selected=True)).to_be_in_viewport()
    for name in REGIONS:
        region = tab.region(name)
        region.scroll_into_view_if_needed()
        expect(region).to_be_in_viewport(ratio=0.3)
        box = region.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1, name


def test_a_pane_can_be_maximised_and_restored(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN).loaded()
    tab.frame.get_by_role("button", name="Maximise Graph Executions").click()
    box = tab.region("Graph Executions").bounding_box()
    assert box is not None
    assert box["width"] > 1500
    page.keyboard.press("Escape")
    expect(tab.region("Alerts")).to_be_visible()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    "entries",
    [
        {"run": RUN},
        {"run": RUN, "at": "trace:71", "alert": "0"},
        {"run": RUN, "at": "execution:52"},
        {"run": "mlp_log0_NO_TENSOR"},
        {"run": "no such run"},
        {"run": RUN, "dtype": "float32", "call": "52", "xfilter": "(", "xregex": "1"},
        {"run": "while_cond_CONCISE_HEALTH", "collapse": "1", "at": "trace:26"},
    ],
    ids=["start", "alert", "execution", "no-values", "no-run", "filters", "collapsed"],
)
def test_axe_finds_nothing_serious(
    page: Page, corpus_tensorboard: str, entries: dict[str, str], theme: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(**entries)
    if theme == "dark":
        page.evaluate("document.body.classList.add('dark-mode')")
    expect(tab.frame.get_by_role("button").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert serious_faults(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("menu", ["More filters of graph executions", "Filters of executions"])
def test_axe_finds_nothing_serious_in_an_open_menu(
    page: Page, corpus_tensorboard: str, menu: str, theme: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run=RUN, at="trace:71").loaded()
    if theme == "dark":
        page.evaluate("document.body.classList.add('dark-mode')")
    tab.frame.get_by_role("button", name=menu).click()
    expect(tab.frame.get_by_label("dtype")).to_be_visible()
    assert serious_faults(page) == []


def serious_faults(page: Page) -> list[tuple[str, str, list[str]]]:
    """What axe finds in the tab: rule, impact, and the first elements."""
    results = Axe().run(
        page, context={"include": {"fromFrames": ["iframe[src*='tb_debugger']", "body"]}}
    )
    return [
        (v["id"], v["impact"], [node["html"][:160] for node in v["nodes"]][:3])
        for v in results.response["violations"]
        if v["impact"] in ("serious", "critical")
    ]
