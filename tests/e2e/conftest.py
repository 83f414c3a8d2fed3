"""One TensorBoard a kind of logdir, one browser for all tests, a fresh page for each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tb_debugger_plugin.static_files import STATIC_DIRECTORY
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.e2e.browser import launch
from tests.e2e.tensorboard import running_tensorboard

CASES = (
    "mlp_log0_",
    "eager_bad_FULL_H",
    "tf1_session",
    "notebook",
    "while_cond",
    "nested4",
    "retrace",
    "dead_relu",
)
# What TensorBoard's page and the browser say, whatever the plugin does.
_FOREIGN_MESSAGES = ("Multiple instances of Three.js", "Failed to load resource")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not (STATIC_DIRECTORY / "main.js").exists():
        pytest.fail("the page is not built: run `make build`")
    with sync_playwright() as playwright:
        browser = launch(playwright, scrollbars=True)
        yield browser
        browser.close()


@contextmanager
def watched_page(browser: Browser) -> Iterator[Page]:
    """A page in a context of its own.

    Raises:
      AssertionError: The page has logged an error or thrown.
    """
    context = browser.new_context(viewport={"width": 1600, "height": 1000})
    page = context.new_page()
    page.set_default_timeout(20_000)
    faults: list[str] = []

    def note(message: ConsoleMessage) -> None:
        foreign = any(text in message.text for text in _FOREIGN_MESSAGES)
        if message.type == "error" and not foreign:
            faults.append(message.text)

    page.on("console", note)
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert not faults, faults


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of its own; the test fails if the page logs an error or throws."""
    with watched_page(browser) as page:
        yield page


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A logdir in which tests make their own runs, each in a directory of its own."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture(scope="session")
def scratch_tensorboard(scratch: Path) -> Iterator[str]:
    with running_tensorboard(scratch) as url:
        yield url


@pytest.fixture(scope="session")
def corpus_tensorboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """TensorBoard on the corpus cases that the journeys go through."""
    reason = absence()
    if reason:
        pytest.skip(reason)
    chosen = tmp_path_factory.mktemp("corpus")
    for case in sorted(unpacked_corpus().iterdir()):
        if case.name.startswith(CASES):
            shutil.copytree(case, chosen / case.name)
    with running_tensorboard(chosen) as url:
        yield url
