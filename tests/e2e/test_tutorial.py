"""The main job: from the alert to the line, with one click."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.debugger_page import DebuggerPage
from tests.e2e.tensorboard import running_tensorboard

REPOSITORY = Path(__file__).resolve().parents[2]
LOG_LINE = "-labels * tf.math.log(probabilities)"


@pytest.fixture(scope="module")
def demo_tensorboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """TensorBoard on a dump that the demo program has just made."""
    dump = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "demo/digits.py", "--max_steps=4", f"--dump_dir={dump}"]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True, timeout=300)
    with running_tensorboard(dump) as url:
        yield url


@pytest.mark.tensorflow
def test_one_click_on_the_alert_leads_to_the_line_of_the_demo(
    page: Page, demo_tensorboard: str
) -> None:
    tab = DebuggerPage(page, demo_tensorboard).open().loaded()
    tab.region("Alerts").get_by_role("button", name=re.compile(r"^NaN.∞ [\d,]+$")).click()

    row = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(row).to_contain_text("Log:0")
    expect(row).to_contain_text("−∞")
    graph = tab.region("Graph Structure")
    expect(graph.get_by_role("button", name=re.compile("^selected op: Log"))).to_be_visible()
    expect(graph.get_by_role("button", name=re.compile("^consumer of output 0"))).to_be_visible()
    stack = tab.region("Stack Trace")
    expect(stack).to_contain_text("digits.py")
    expect(stack.get_by_text(re.compile(r"\d+ frames? of TensorFlow")).first).to_be_visible()
    source = tab.region("Source Code")
    expect(source.locator(".cm-line", has_text=LOG_LINE)).to_be_in_viewport()


@pytest.mark.tensorflow
def test_next_alert_is_the_op_that_took_the_infinity(page: Page, demo_tensorboard: str) -> None:
    tab = DebuggerPage(page, demo_tensorboard).open().loaded()
    tab.region("Alerts").get_by_role("option").first.click()
    expect(tab.region("Alerts")).to_contain_text("1 of ")
    page.keyboard.press("n")
    expect(tab.region("Alerts")).to_contain_text("2 of ")
    row = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(row).to_contain_text("NaN")
    page.keyboard.press("p")
    expect(row).to_contain_text("Log:0")


def test_the_log_of_the_corpus_is_shown_with_its_callers_softmax(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH").loaded()
    tab.region("Alerts").get_by_role("option").first.click()
    rows = tab.region("Graph Executions")
    expect(rows.get_by_role("row", selected=True)).to_contain_text("Log:0")
    expect(rows.get_by_role("row").filter(has_text="in 0")).to_contain_text("Softmax:0")
    graph = tab.region("Graph Structure")
    expect(
        graph.get_by_role("button", name=re.compile("^passed as argument 0: model › Softmax"))
    ).to_be_visible()
    expect(
        tab.region("Source Code").locator(".cm-line", has_text="tf.math.log(probs)")
    ).to_be_in_viewport()


def test_an_eager_alert_leads_to_its_line_too(page: Page, corpus_tensorboard: str) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="eager_bad_FULL_HEALTH").loaded()
    tab.region("Alerts").get_by_role("option").nth(2).click()
    timeline = tab.region("Python Execution Timeline")
    expect(timeline.get_by_role("option", selected=True)).to_have_accessible_name(
        re.compile("execution 2, Log, 1 output with NaN or ∞")
    )
    expect(tab.region("Stack Trace")).to_contain_text("line 12")
    expect(tab.region("Graph Executions")).to_contain_text("No graph")


def test_a_call_and_its_graph_executions_lead_to_each_other(
    page: Page, corpus_tensorboard: str
) -> None:
    tab = DebuggerPage(page, corpus_tensorboard).open(run="mlp_log0_FULL_HEALTH", at="execution:52")
    timeline = tab.region("Python Execution Timeline")
    expect(timeline).to_contain_text("loss_fn")
    timeline.get_by_role("button", name="4 graph executions of this call").click()
    row = tab.region("Graph Executions").get_by_role("row", selected=True)
    expect(row).to_contain_text("Neg:0")
    timeline.get_by_role("option", name=re.compile("^execution 53, loss_fn")).click()
    expect(timeline.get_by_role("option", selected=True)).to_have_accessible_name(
        re.compile("^execution 53")
    )
    expect(tab.region("Stack Trace")).to_contain_text("execution 53")
