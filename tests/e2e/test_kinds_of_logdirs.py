"""What the page shows of each kind of run: status, problems, counts, and the mark where it matters.

All are in one logdir and looked at one after the other in one page, as a user goes through them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.conftest import watched_page
from tests.e2e.debugger_page import DebuggerPage, Region
from tests.e2e.kinds_of_logdirs import build_all, goes_on
from tests.e2e.tensorboard import running_tensorboard

TIMELINE: Region = "Python Execution Timeline"
TRACES: Region = "Graph Executions"


@dataclass(frozen=True)
class Seen:
    """What a user sees of a run.

    Attributes:
      status: The toolbar's pill.
      problems: Titles in the panel that it opens, gravest first.
      counts: Alerts, executions and graph executions, as the panes head them.
      said: A text in each of some panes.
      marked: What a mark in each of some panes says.
      boxes: Executions in view, by what is said of them.
      at: What is selected.
      origin: The pill that tells version and hosts.
    """

    status: str
    problems: tuple[str, ...] = ()
    counts: tuple[str, str, str] = ("0", "0", "0")
    said: dict[Region, str] = field(default_factory=dict)
    marked: dict[Region, str] = field(default_factory=dict)
    boxes: tuple[str, ...] = ()
    at: str = ""
    origin: str = "TensorFlow 2.21.0 · host"


SEEN = {
    "two programs#aaaaaaaa": Seen(
        "complete · 1 event", counts=("1", "1", "0"), said={TRACES: "ran its ops eagerly"}
    ),
    "two programs#bbbbbbbb": Seen(
        "complete · 2 events",
        counts=("0", "2", "0"),
        said={"Alerts": "No alert: nothing recorded holds NaN or ∞."},
    ),
    "hosts": Seen(
        "complete · 6 events",
        counts=("2", "2", "4"),
        at="trace:2",
        said={TRACES: "not part of a call", "Stack Trace": "client"},
        origin="TensorFlow 2.21.0 · client · worker-0 · worker-1",
    ),
    "killed": Seen(
        "damaged · 11 events 3 problems",
        ("File ends inside a record", "Stack frames are missing"),
        ("0", "5", "6"),
        at="execution:4",
        said={
            "Alerts": "No alert in what is left: a part of what was recorded is lost.",
            "Stack Trace": "frame not recorded",
        },
        marked={TIMELINE: "Part of its stack trace"},
        boxes=("execution 4, f, function, part of its stack trace is not on disk",),
    ),
    "ring buffer": Seen(
        "damaged · 50 events 2 problems",
        ("Executions were dropped", "Graph executions were dropped"),
        ("0", "26", "24"),
        at="trace:12",
        said={"Alerts": "No alert in what is left: a part of the events was dropped."},
        marked={
            TRACES: "Graph executions are missing before this one: a circular buffer kept only "
            "the 12 that follow.",
            TIMELINE: "Executions are missing before this one: a circular buffer kept only the 12 "
            "that follow.",
        },
        boxes=(
            "execution 0, f, function, Executions are missing before this one",
            "execution 12, f, function, Executions are probably missing before this one",
        ),
    ),
    "tf1 session": Seen(
        "complete · 4 events",
        counts=("2", "0", "4"),
        at="trace:1",
        said={TIMELINE: "sessions of TensorFlow 1", TRACES: "run by a TF1 session"},
    ),
    "no metadata": Seen(
        "complete · 12 events 1 problem",
        ("Metadata is missing",),
        ("0", "6", "6"),
        origin="host",
    ),
    "damaged": Seen(
        "damaged · 11 events 2 problems",
        ("Damaged record", "A file of the set is missing"),
        ("0", "6", "5"),
        at="execution:5",
        said={"Source Code": "is empty or lost", "Stack Trace": "file not recorded"},
        marked={TRACES: "a part of the file is damaged"},
    ),
    "no tensor": Seen(
        "complete · 12 events 1 problem",
        ("Values were not recorded",),
        ("0", "6", "6"),
        at="execution:5",
        said={
            "Alerts": "NO_TENSOR cannot alert",
            TIMELINE: "NO_TENSOR records no values",
            TRACES: "NO_TENSOR mode records which tensors were computed, not their values",
        },
    ),
    "compiled": Seen(
        "complete · 13 events 1 problem",
        ("Calls that were not observed",),
        ("0", "7", "6"),
        at="execution:6",
        said={
            "Alerts": "nothing tells whether the rest is healthy",
            TIMELINE: "no graph execution recorded",
            "Graph Structure": "nothing was traced inside it",
        },
        marked={TIMELINE: "not observed", "Graph Structure": "not observed"},
    ),
    "no step": Seen(
        "complete · 0 events 1 note",
        ("Nothing was recorded",),
        said={
            "Alerts": "the program recorded nothing",
            TIMELINE: "The program recorded nothing.",
            TRACES: "The program recorded nothing.",
        },
    ),
    "notebook": Seen(
        "complete · 1 event 1 note",
        ("Source not captured",),
        ("1", "1", "0"),
        at="execution:0",
        said={"Source Code": "it is a cell of a notebook", "Stack Trace": "1234.py"},
    ),
    "dangling": Seen(
        "complete · 17 events 1 problem",
        ("Inputs whose producer is not recorded",),
        ("1", "8", "9"),
        at="trace:6",
        said={TRACES: "gone:0"},
        marked={"Graph Structure": "The creation of this op is not on disk"},
    ),
    "threads": Seen(
        "complete · 18 events 2 problems",
        ("Calls without an execution", "Functions without recorded ops"),
        ("0", "8", "10"),
        said={"Alerts": "nothing tells whether the rest is healthy"},
    ),
    "running": Seen(
        "live · 14 events",
        counts=("1", "7", "7"),
        at="trace:6",
        said={TRACES: "Not known: the creation of this op is not on disk."},
        marked={TRACES: "The creation of this op is not on disk"},
        boxes=("execution 6, Add, part of its stack trace is not on disk",),
    ),
    "deep/läuft 走る & #1 50%": Seen(
        "complete · 15 events",
        counts=("1", "8", "7"),
        at="trace:6",
        said={"Source Code": "x * y", "Stack Trace": "train.py"},
    ),
}
"""By the run's name."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("kinds")
    build_all(directory)
    return directory


@pytest.fixture(scope="module")
def tab(browser: Browser, logs: Path) -> Iterator[DebuggerPage]:
    with running_tensorboard(logs) as url, watched_page(browser) as page:
        yield DebuggerPage(page, url)


@pytest.mark.parametrize("name", SEEN)
def test_a_run_is_shown_for_what_it_is(tab: DebuggerPage, logs: Path, name: str) -> None:
    seen = SEEN[name]
    if name == "running":
        goes_on(logs)
    tab.open(run=name, **({"at": seen.at} if seen.at else {}))
    expect(tab.frame.get_by_role("button", name=f"Run {name}, choose another")).to_be_visible()
    status = tab.frame.get_by_role("button", name=re.compile("^(complete|live|damaged) · "))
    expect(status).to_have_accessible_name(seen.status)
    expect(tab.frame.get_by_role("banner")).to_contain_text(seen.origin)
    panes: tuple[Region, ...] = ("Alerts", TIMELINE, TRACES)
    for region, count in zip(panes, seen.counts, strict=True):
        expect(tab.region(region).locator("header")).to_have_text(
            re.compile(rf"^{region} *{count if count != '0' else '0?'}(?!\d)")
        )
    for region, text in seen.said.items():
        expect(tab.region(region)).to_contain_text(text)
    for region, text in seen.marked.items():
        marks = tab.region(region).get_by_role("img", name=text)
        expect(marks.first).to_be_visible()
    for text in seen.boxes:
        box = tab.region(TIMELINE).get_by_role("option", name=text)
        expect(box).to_be_visible()

    status.click()
    titles = tab.frame.locator("tbd-problem-list .title")
    expect(titles).to_have_text(list(seen.problems))
    if not seen.problems:
        expect(tab.frame.get_by_text("No problem was found.")).to_be_visible()
    tab.page.keyboard.press("Escape")
    expect(tab.frame.locator("tbd-problem-list")).to_have_count(0)
