"""A stranger's logdir: whatever it names is shown as text, runs nothing and moves nothing."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Dialog, Frame, Page, expect

from tests.builders.logdir import LogdirBuilder, logdir
from tests.e2e.debugger_page import REGIONS, DebuggerPage

MARKUP = "<script>window.top.ran=1</script><img src=x onerror=window.top.ran=1><x-made>"
LINK = "javascript:window.top.ran=1//"
TEMPLATE = "{{constructor.constructor('window.top.ran=1')()}}"
STEERING = "\u202egpj\u2066\x1b[31mred\x07\0\n\t\u061c\u200e\u200f\u2028\x9b1m"
HOSTILE = f'"{MARKUP}{LINK}{TEMPLATE}{STEERING}'
SHOWN = "\\u202egpj\\u2066\\x1b[31mred\\x07\\x00\\x0a\\x09\\u061c\\u200e\\u200f\\u2028\\x9b1m"
STEERS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
LONG = "w" * 3_000_000

# Each document notes what its policy refuses.
NOTE_VIOLATIONS = """
document.addEventListener('securitypolicyviolation', (event) => {
  (window.top.violations ??= []).push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


def program(directory: Path, name: str) -> LogdirBuilder:
    """A program in which all that can be named is named so."""
    built = logdir(directory, host="<img src=x onerror=window.top.ran=1>\u202eh")
    built.source(f"/{name}.py", lines=["import x", f"y = {name}", name * 3, "\ty"])
    frame = name[:1000]  # A stack of longer ids is taken for none.
    built.frame(frame, f"/{name}.py", line=2, function=name).device(name).graph("")
    built.graph(name, graph_id=f"{name}-id", outer="").op("Placeholder", f"{name}in", stack=[frame])
    built.op(name, name, inputs=[f"{name}in:0"], stack=[frame])
    built.op(name, f"{name}/out", inputs=[f"{name}:0"], stack=[frame])
    built.trace(f"{name}in", device=name).trace(name, nan=1, device=name)
    built.trace(f"{name}/out", neg_inf=1, device=name)
    return built.execution(name, graph=name, nan=1, stack=[frame]).execution(name, stack=[frame])


@pytest.fixture
def guarded(page: Page, scratch_tensorboard: str) -> Iterator[Page]:
    """A page that may load nothing from elsewhere, show no dialog and violate no policy."""
    elsewhere: list[str] = []
    host = urlsplit(scratch_tensorboard).netloc

    def note(url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != host:
            elsewhere.append(url)

    def close(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    dialogs: list[str] = []
    page.on("request", lambda request: note(request.url))
    page.on("dialog", close)
    page.add_init_script(NOTE_VIOLATIONS)
    yield page
    assert page.evaluate("window.violations ?? []") == []
    assert page.evaluate("window.ran ?? 0") == 0
    assert dialogs == []
    assert elsewhere == []


def frame_of(page: Page) -> Frame:
    return page.main_frame.child_frames[0]


def assert_nothing_steers(frame: Frame) -> None:
    """Not in the text, nor in what is told of elements, as titles and labels."""
    texts: list[str] = frame.evaluate(
        """() => [...document.querySelectorAll('*')].flatMap((element) => [
             ...[...element.attributes].map((attribute) => attribute.value),
             ...[...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data),
           ])"""
    )
    assert [text for text in texts if STEERS.search(text)] == []


def assert_no_element_was_made(frame: Frame) -> None:
    made = "script[src=''], script:not([src]), img[src='x'], [onerror], a[href^='javascript']"
    assert frame.locator(f":is(tbd-root) :is({made})").count() == 0
    assert frame.locator("x-made").count() == 0


def assert_layout_holds(page: Page, tab: DebuggerPage) -> None:
    sizes: dict[str, Any] = frame_of(page).evaluate(
        """() => ({ wide: document.documentElement.scrollWidth - innerWidth,
                    high: document.documentElement.scrollHeight - innerHeight })"""
    )
    assert sizes["wide"] <= 0
    assert sizes["high"] <= 0
    for name in REGIONS:
        expect(tab.region(name)).to_be_in_viewport()
        box = tab.region(name).bounding_box()
        assert box is not None
        assert box["width"] > 100
        assert box["height"] > 60


def look_at_everything(tab: DebuggerPage) -> None:
    """Through all panes by an alert."""
    tab.loaded()
    alert = tab.region("Alerts").get_by_role("option").first
    expect(alert).to_be_visible()
    alert.click()
    expect(tab.region("Graph Executions").get_by_role("row", selected=True)).to_be_visible()
    expect(tab.region("Stack Trace").get_by_role("listitem").first).to_be_visible()
    expect(tab.region("Source Code").locator(".cm-line").first).to_be_visible()
    expect(tab.region("Graph Structure")).to_contain_text("1 graph execution in this run")


def test_markup_templates_and_steering_characters_are_text(
    guarded: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    program(scratch / "<img src=x onerror=window.top.ran=1>\u202ehostile", HOSTILE)
    run = "<img src=x onerror=window.top.ran=1>\\u202ehostile"
    tab = DebuggerPage(guarded, scratch_tensorboard).open(run=run)
    look_at_everything(tab)
    for name in REGIONS:
        if name != "Python Execution Timeline":
            expect(tab.region(name)).to_contain_text(SHOWN[:20])
    assert_nothing_steers(frame_of(guarded))
    assert_no_element_was_made(frame_of(guarded))
    assert_layout_holds(guarded, tab)
    tab.frame.get_by_role("button", name=re.compile("^Run ")).click()
    expect(tab.frame.get_by_text(run).first).to_be_visible()
    assert_nothing_steers(frame_of(guarded))
    assert_no_element_was_made(frame_of(guarded))


def test_names_of_three_megabytes_are_shown_shortened(
    guarded: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    program(scratch / "long", LONG)
    tab = DebuggerPage(guarded, scratch_tensorboard).open(run="long")
    look_at_everything(tab)
    assert_layout_holds(guarded, tab)
    assert frame_of(guarded).evaluate("document.documentElement.outerHTML.length") < 2_000_000
    tab.frame.get_by_role("button", name=re.compile("problem|note")).click()
    expect(tab.frame.get_by_text("1,024 bytes").first).to_be_visible()


def test_normal_use_violates_no_policy(
    guarded: Page, scratch: Path, scratch_tensorboard: str
) -> None:
    """Panels, menus, the keys, filters, the editor's search and the dark theme."""
    program(scratch / "used", "Log").flip_bit("execution", -3)
    tab = DebuggerPage(guarded, scratch_tensorboard).open(run="used")
    look_at_everything(tab)
    for name in ("Run used, choose another", "Filters of executions"):
        tab.frame.get_by_role("button", name=name).click()
        guarded.keyboard.press("Escape")
    tab.frame.get_by_role("button", name=re.compile("^damaged · ")).click()
    expect(tab.frame.get_by_role("region", name="Lost")).to_be_visible()
    guarded.keyboard.press("Escape")
    guarded.keyboard.press("?")
    expect(tab.frame.get_by_text("Next alert").first).to_be_visible()
    guarded.keyboard.press("Escape")
    filter_field = tab.region("Graph Executions").get_by_label(
        re.compile("^Filter graph executions")
    )
    filter_field.fill("out")
    expect(
        tab.region("Graph Executions").get_by_role("row").filter(has_text="Log/out")
    ).to_be_visible()
    tab.region("Source Code").get_by_label("Find in this file").click()
    expect(tab.region("Source Code").locator(".cm-search")).to_be_visible()
    guarded.evaluate("document.body.classList.add('dark-mode')")
    expect(tab.frame.locator("html.dark")).to_have_count(1)


ATTEMPTS = {
    "an inline script": "add('script', { textContent: RUN })",
    "a script in text": "{ const s = document.createElement('script');"
    " s.append(RUN); document.head.append(s); }",
    "a script from elsewhere": "add('script', { src: ELSEWHERE + 'a.js' })",
    "evaluation": "(0, eval)(RUN)",
    "a function of text": "new Function(RUN)()",
    "a timer of text": "setTimeout(RUN, 0)",
    "markup": "document.body.insertAdjacentHTML('beforeend', `<img src=x onerror=${RUN}>`)",
    "a handler in an attribute": "add('img', { src: 'data:,' }).setAttribute('onerror', RUN)",
    "a link that runs": "add('a', { href: `javascript:${RUN}` }).click()",
    "a worker": "new Worker(ELSEWHERE + 'w.js')",
    "a frame": "add('iframe', { src: ELSEWHERE })",
    "a frame with markup": "add('iframe', { srcdoc: `<script>${RUN}</script>` })",
    "an image": "add('img', { src: ELSEWHERE + 'a.png' })",
    "an image of a style": "add('i', { style: `background: url(${ELSEWHERE}b.png)` })",
    "a sound": "add('audio', { src: ELSEWHERE + 'a.mp3' })",
    "an object": "add('object', { data: ELSEWHERE + 'a.pdf' })",
    "a style sheet": "add('link', { rel: 'stylesheet', href: ELSEWHERE + 'a.css' })",
    "a font": "await new FontFace('x', `url(${ELSEWHERE}x.woff2)`).load()",
    "a request": "await fetch(ELSEWHERE)",
    "a beacon": "navigator.sendBeacon(ELSEWHERE, 'x')",
    "a stream": "new EventSource(ELSEWHERE)",
    "a socket": "new WebSocket(ELSEWHERE.replace('http', 'ws'))",
    "another base": "{ const before = document.baseURI; add('base', { href: ELSEWHERE });"
    " if (document.baseURI === before) throw new Error(); }",
}
"""What a logdir could bring about if its text became markup or code, by what it is."""

TRY = """
async ({ elsewhere }) => {
  // What the browser's debugger runs by itself may do anything.
  await new Promise((resolve) => setTimeout(resolve));
  const refused = [];
  let violated = 0;
  document.addEventListener('securitypolicyviolation', () => violated++);
  const add = (name, properties) => {
    const element = Object.assign(document.createElement(name), properties);
    document.body.append(element);
    return element;
  };
  const tried = {
    %s
  };
  for (const [name, attempt] of Object.entries(tried)) {
    const before = violated;
    let thrown = false;
    try { await attempt(); } catch { thrown = true; }
    for (let i = 0; i < 20 && violated === before; i++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    if (thrown || violated > before) refused.push(name);
  }
  return refused;
}
"""


@contextmanager
def listening() -> Iterator[tuple[str, list[str]]]:
    """A server elsewhere, and who has asked it."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def note() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    asked.append(connection.recv(200).decode(errors="replace"))
                    connection.close()

        thread = threading.Thread(target=note)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/", asked
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def test_the_page_s_own_policy_refuses_what_a_logdir_could_ask_for(
    browser: Browser, scratch: Path, scratch_tensorboard: str
) -> None:
    logdir(scratch / "policy").execution("Log", nan=1)
    with browser.new_context() as context, listening() as (elsewhere, asked):
        page = context.new_page()
        tab = DebuggerPage(page, scratch_tensorboard).open(run="policy").loaded()
        expect(tab.region("Alerts").get_by_role("option")).to_be_visible()
        tried = ",\n".join(
            f"{name!r}: async () => {{ {code}; }}" for name, code in ATTEMPTS.items()
        )
        script = (
            (TRY % tried).replace("ELSEWHERE", "elsewhere").replace("RUN", "'window.top.ran=1'")
        )
        refused = frame_of(page).evaluate(script, {"elsewhere": elsewhere})
        assert refused == list(ATTEMPTS)
        assert page.evaluate("window.ran ?? 0") == 0
        assert asked == []
        # The page goes on.
        expect(tab.region("Alerts").get_by_role("option")).to_be_visible()
