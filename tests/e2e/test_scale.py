"""Three million executions and as many graph executions: the page is as it is with a few."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Frame, Locator, Page, Request, expect

from benchmarks.logdirs import prolong_program
from tests.builders.logdir import logdir
from tests.e2e.debugger_page import DebuggerPage
from tests.e2e.tensorboard import running_tensorboard

# A GB, which takes as long to make as half of the tests: `make clean` removes it.
SCALE = Path(__file__).resolve().parents[2] / ".cache" / "scale"
NUM_STEPS = {"long": 300_000, "short": 300}
EAGER_OPS = ("Shape", "Cast", "Pack", "Mul", "Sum", "Sqrt", "Neg", "Exp", "Mean")
GRAPH_OPS = ("x", "w", "MatMul", "b", "add", "Relu", "Softmax", "Log", "mul", "loss")
PER_STEP = 10
NUM_EVENTS = NUM_STEPS["long"] * PER_STEP


def training_step(directory: Path) -> None:
    """One call of a graph with ten ops, of which Log gives -inf, and nine eager ops."""
    run = logdir(directory).source("train.py", lines=["loss(x)"]).device()
    run.frame("f1", "train.py", line=1, function="<module>").graph("step")
    for name in GRAPH_OPS:
        run.op(name, name, stack=["f1"])
    for name in GRAPH_OPS:
        run.trace(name, size=8, neg_inf=4 if name == "Log" else 0)
    run.execution("__inference_step_1", graph="step", nan=1, stack=["f1"])
    for op_type in EAGER_OPS:
        run.execution(op_type, size=8, stack=["f1"])


def scale_runs(scratch: Path) -> Path:
    """The folder with the runs; they are made where those of an earlier session are not there."""
    training_step(scratch)
    digest = hashlib.sha256(repr(NUM_STEPS).encode())
    for file in sorted(scratch.iterdir()):
        digest.update(file.read_bytes())
    runs = SCALE / digest.hexdigest()[:16]
    if not runs.exists():
        shutil.rmtree(SCALE, ignore_errors=True)
        for name, num_steps in NUM_STEPS.items():
            prolong_program(scratch, SCALE / "unfinished" / name, num_steps)
        os.replace(SCALE / "unfinished", runs)
    return runs


@pytest.fixture(scope="module")
def scale_tensorboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_tensorboard(scale_runs(tmp_path_factory.mktemp("step"))) as url:
        yield url


@dataclass
class Traffic:
    """The requests of one route, and how many were on their way at once."""

    started: int = 0
    finished: int = 0
    aborted: int = 0
    most_at_once: int = 0
    _route: str = field(default="", repr=False)

    @staticmethod
    def of(page: Page, route: str) -> Traffic:
        traffic = Traffic(_route=route)
        page.on("request", traffic._start)
        page.on("requestfinished", lambda r: traffic._end(r, aborted=False))
        page.on("requestfailed", lambda r: traffic._end(r, aborted=True))
        return traffic

    def _start(self, request: Request) -> None:
        if self._route in request.url:
            self.started += 1
            at_once = self.started - self.finished - self.aborted
            self.most_at_once = max(self.most_at_once, at_once)

    def _end(self, request: Request, *, aborted: bool) -> None:
        if self._route not in request.url:
            return
        if aborted:
            self.aborted += 1
        else:
            self.finished += 1


def open_run(page: Page, url: str, run: str) -> tuple[DebuggerPage, Frame]:
    tab = DebuggerPage(page, url).open(run=run).loaded()
    expect(tab.region("Graph Executions").get_by_role("row").nth(3)).to_be_visible()
    return tab, page.main_frame.child_frames[0]


def scroller(tab: DebuggerPage) -> Locator:
    return tab.region("Graph Executions").locator("tbd-virtual-rows")


def all_rows_are_there(tab: DebuggerPage) -> None:
    expect(scroller(tab).locator("tbd-trace-row").first).to_be_visible()
    expect(scroller(tab).get_by_label("Not loaded yet")).to_have_count(0)


def test_every_row_is_reached_by_its_number_and_by_the_keys(
    page: Page, scale_tensorboard: str
) -> None:
    tab, _ = open_run(page, scale_tensorboard, "long")
    rows = tab.region("Graph Executions")
    selected = rows.get_by_role("row", selected=True)
    expect(rows.get_by_text(f"{NUM_EVENTS:,}", exact=True)).to_be_visible()
    for index in (0, NUM_EVENTS // 2 + 7, NUM_EVENTS - 1):
        rows.get_by_label("Go to graph execution number").fill(str(index))
        page.keyboard.press("Enter")
        expect(selected).to_contain_text(f"{index} {GRAPH_OPS[index % PER_STEP]}:0")
        expect(selected).to_be_in_viewport()
    page.keyboard.press("Home")
    expect(selected).to_contain_text(f"0 {GRAPH_OPS[0]}:0")
    page.keyboard.press("End")
    expect(selected).to_contain_text(f"{NUM_EVENTS - 1} {GRAPH_OPS[-1]}:0")
    expect(selected).to_be_in_viewport()
    scroller(tab).evaluate("(list) => { list.scrollTop = list.scrollHeight / 3 }")
    all_rows_are_there(tab)
    number, name = re.match(
        r"\s*(\d+)\s*(\w+):0", scroller(tab).locator("tbd-trace-row").nth(8).inner_text()
    ).groups()  # type: ignore[union-attr]
    assert 0.3 < int(number) / NUM_EVENTS < 0.37
    assert name == GRAPH_OPS[int(number) % PER_STEP]


def test_every_execution_is_reached_by_its_number_and_by_the_keys(
    page: Page, scale_tensorboard: str
) -> None:
    tab, _ = open_run(page, scale_tensorboard, "long")
    timeline = tab.region("Python Execution Timeline")
    selected = timeline.get_by_role("option", selected=True)
    names = ("step", *EAGER_OPS)
    for index in (0, NUM_EVENTS // 2 + 7, NUM_EVENTS - 1):
        timeline.get_by_label("Go to execution number").fill(str(index))
        page.keyboard.press("Enter")
        expect(selected).to_have_accessible_name(
            re.compile(f"^execution {index}, {names[index % PER_STEP]}")
        )
        expect(selected).to_be_in_viewport()
    selected.focus()
    page.keyboard.press("Home")
    expect(selected).to_have_accessible_name(re.compile("^execution 0, step"))
    page.keyboard.press("End")
    expect(selected).to_have_accessible_name(re.compile(f"^execution {NUM_EVENTS - 1}, Mean"))
    page.keyboard.press("ArrowLeft")
    expect(selected).to_have_accessible_name(re.compile(f"^execution {NUM_EVENTS - 2}, Exp"))


def test_alerts_are_stepped_through_from_the_first_to_the_last(
    page: Page, scale_tensorboard: str
) -> None:
    tab, _ = open_run(page, scale_tensorboard, "long")
    alerts = tab.region("Alerts")
    num_alerts = 2 * NUM_STEPS["long"]
    alerts.get_by_role("option").first.click()
    expect(alerts).to_contain_text(f"1 of {num_alerts:,}")
    page.keyboard.press("End")
    expect(alerts).to_contain_text(f"{num_alerts:,} of {num_alerts:,}")
    expect(alerts.get_by_role("option", selected=True)).to_be_in_viewport()
    # A trace that is no alert: the next one is the Log of its call.
    rows = tab.region("Graph Executions")
    rows.get_by_label("Go to graph execution number").fill(str(NUM_EVENTS // 2))
    page.keyboard.press("Enter")
    selected = rows.get_by_role("row", selected=True)
    expect(selected).to_contain_text(f"{NUM_EVENTS // 2} x:0")
    page.keyboard.press("n")
    expect(selected).to_contain_text(f"{NUM_EVENTS // 2 + GRAPH_OPS.index('Log')} Log:0")


def test_filters_leave_every_match_in_reach(page: Page, scale_tensorboard: str) -> None:
    tab, _ = open_run(page, scale_tensorboard, "long")
    rows = tab.region("Graph Executions")
    rows.get_by_role("textbox", name=re.compile("^Filter")).fill("^Log|loss$")
    rows.get_by_role("button", name="Regular expression").click()
    expect(rows).to_contain_text(f"{2 * NUM_STEPS['long']:,} of {NUM_EVENTS:,}")
    rows.get_by_role("grid").focus()
    page.keyboard.press("End")
    selected = rows.get_by_role("row", selected=True)
    expect(selected).to_contain_text(f"{NUM_EVENTS - 1} loss:0")
    page.keyboard.press("ArrowUp")
    expect(selected).to_contain_text(f"{NUM_EVENTS - 3} Log:0")


# Every frame: whether rows fill the view, and the line that tells the place of those to come.
_WATCH = """(list) => {
  window.watched = {frames: 0, blank: 0, places: []};
  window.longTasks = 0;
  new PerformanceObserver((tasks) => {
    for (const task of tasks.getEntries()) window.longTasks += task.duration;
  }).observe({type: 'longtask'});
  const look = () => {
    const view = list.getBoundingClientRect();
    let filled = 0;
    for (const row of list.querySelectorAll('.rows [role=row]')) {
      const box = row.getBoundingClientRect();
      filled += Math.max(0, Math.min(box.bottom, view.bottom) - Math.max(box.top, view.top));
    }
    window.watched.frames++;
    if (filled < view.height - 1) window.watched.blank++;
    const place = list.querySelector('.place')?.textContent.trim();
    if (place) window.watched.places.push(place);
    window.watching = requestAnimationFrame(look);
  };
  look();
}"""


def test_a_drag_through_all_rows_is_never_blank_and_gives_up_what_it_passes(
    page: Page, scale_tensorboard: str
) -> None:
    tab, frame = open_run(page, scale_tensorboard, "long")
    rows = scroller(tab)
    traffic = Traffic.of(page, "/graph_execution/rows")
    network = page.context.new_cdp_session(page)
    # A request takes longer than the thumb stays anywhere.
    network.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 200, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    box = rows.bounding_box()
    assert box is not None
    x, top = box["x"] + box["width"] - 7, box["y"] + 22
    rows.evaluate(_WATCH)
    start = frame.evaluate("performance.now()")
    page.mouse.move(x, top)
    page.mouse.down()
    moves = 80
    for step in range(moves):
        page.mouse.move(x, top + step * (box["height"] - 60) / moves)
        page.wait_for_timeout(16)
    dragged_ms = frame.evaluate("performance.now()") - start
    during = Traffic(traffic.started, traffic.finished, traffic.aborted, traffic.most_at_once)
    page.mouse.up()
    all_rows_are_there(tab)
    assert rows.evaluate("(list) => list.scrollTop / list.scrollHeight") > 0.5
    # What is in view at the end, and the pages beside it.
    assert traffic.started - during.started <= 4
    assert during.most_at_once <= 4
    # Two pages in view, ten times a second.
    assert during.started <= 2 * (dragged_ms / 100 + 2)
    assert during.aborted >= during.started / 2
    watched = frame.evaluate("window.watched")
    assert watched["frames"] > 10
    assert watched["blank"] == 0
    assert re.fullmatch(rf"≈ [\d,]+ of {NUM_EVENTS:,}", watched["places"][-1])
    assert frame.evaluate("window.longTasks") < dragged_ms / 2


def test_a_drag_over_the_overview_ends_at_loaded_boxes(page: Page, scale_tensorboard: str) -> None:
    tab, _ = open_run(page, scale_tensorboard, "long")
    timeline = tab.region("Python Execution Timeline")
    traffic = Traffic.of(page, "/execution/digests")
    strip = timeline.locator("tbd-overview-strip .strip").bounding_box()
    assert strip is not None
    page.mouse.move(strip["x"] + 2, strip["y"] + 10)
    page.mouse.down()
    moves = 60
    for step in range(moves):
        page.mouse.move(strip["x"] + step * strip["width"] / moves, strip["y"] + 10)
        page.wait_for_timeout(16)
    page.mouse.up()
    boxes = timeline.get_by_role("option")
    expect(boxes.first).to_have_accessible_name(re.compile(r"^execution 2\d{6}, \w+"))
    expect(timeline.get_by_role("option", name=re.compile("loading"))).to_have_count(0)
    assert traffic.most_at_once <= 4
    # A window of boxes is in one page or in two.
    assert traffic.started <= 2 * moves


@dataclass
class Footprint:
    """What a tab holds after a collection of garbage."""

    heap_bytes: int
    nodes: int

    @staticmethod
    def of(page: Page) -> Footprint:
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        heap = session.send("Runtime.getHeapUsage")["usedSize"]
        nodes = session.send("Memory.getDOMCounters")["nodes"]
        session.detach()
        return Footprint(int(heap), int(nodes))


_SCROLL_THROUGH = """async (list, places) => {
  const frame = () => new Promise(requestAnimationFrame);
  for (let place = 0; place < places; place++) {
    list.scrollTop = (place / places) * list.scrollHeight;
    await frame();
    while (!list.querySelector('tbd-trace-row') || list.querySelector('.skeleton')) await frame();
  }
}"""


def scroll_through(tab: DebuggerPage, places: int) -> None:
    """Looks at that many places from the first row to the last, and waits for the rows at each."""
    scroller(tab).evaluate(_SCROLL_THROUGH, places)


def test_the_memory_of_the_tab_does_not_grow_with_the_number_of_events(
    page: Page, scale_tensorboard: str
) -> None:
    footprints = {}
    for run in ("short", "long"):
        tab, _ = open_run(page, scale_tensorboard, run)
        page.reload()
        tab.loaded()
        scroll_through(tab, places=50)
        footprints[run] = Footprint.of(page)
    scroll_through(tab, places=70)
    again = Footprint.of(page)
    short, long = footprints["short"], footprints["long"]
    assert long.heap_bytes < 1.5 * short.heap_bytes, footprints
    assert long.nodes < 1.3 * short.nodes, footprints
    assert again.heap_bytes < 1.2 * long.heap_bytes, (long, again)
    assert again.nodes < 1.2 * long.nodes, (long, again)


def test_the_overview_is_one_request_of_a_size_that_does_not_depend_on_the_events(
    page: Page, scale_tensorboard: str
) -> None:
    asked: list[str] = []
    sizes: list[int] = []
    page.on("request", lambda request: asked.append(request.url))
    for run in ("short", "long"):
        page.goto("about:blank")
        with page.expect_response(re.compile("/execution/overview")) as answer:
            tab = DebuggerPage(page, scale_tensorboard).open(run=run)
        sizes.append(len(answer.value.body()))
        tab.loaded()
        scroll_through(tab, places=5)
    short, long = sizes
    assert long < 2 * short
    assert len([url for url in asked if "/execution/overview" in url]) == 2
