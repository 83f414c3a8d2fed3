"""The Debugger V2 tab as a user sees it: regions by name, rows by what they say."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import quote

from playwright.sync_api import FrameLocator, Locator, Page, expect

Region = Literal[
    "Alerts",
    "Python Execution Timeline",
    "Graph Executions",
    "Graph Structure",
    "Source Code",
    "Stack Trace",
]
REGIONS: tuple[Region, ...] = (
    "Alerts",
    "Python Execution Timeline",
    "Graph Executions",
    "Graph Structure",
    "Source Code",
    "Stack Trace",
)

SELECTED = re.compile(r"\bselected\b")


class DebuggerPage:
    """Opens the tab in a browser page and finds things in its frame."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.frame: FrameLocator = page.frame_locator("iframe[src*='tb_debugger']")

    def open(self, **entries: str) -> DebuggerPage:
        """Opens the tab; entries go into the address (``run="mlp"``)."""
        pairs = "".join(f"&p.tb_debugger.{key}={quote(value)}" for key, value in entries.items())
        self.page.goto(f"{self.url}/#tb_debugger{pairs}")
        return self

    def loaded(self) -> DebuggerPage:
        """Waits until the run is read: until then the first alert may become another."""
        status = self.frame.get_by_text(re.compile(r"^(complete|live|damaged) · "))
        expect(status).to_be_visible(timeout=120_000)
        return self

    def region(self, name: Region) -> Locator:
        """A pane."""
        return self.frame.get_by_role("region", name=name, exact=True)

    def address(self) -> str:
        """The page's address, with what is selected."""
        return str(self.page.evaluate("decodeURIComponent(location.hash)"))
