"""Debian's Chromium, or the one that CHROMIUM names."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Browser, Playwright, expect

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launch(playwright: Playwright, *, scrollbars: bool = False) -> Browser:
    """Starts the browser; whoever waits for something on a page waits as a busy machine needs.

    Args:
      playwright: Playwright.
      scrollbars: Shows them, as users see them; headless Chromium has none by itself.

    Raises:
      RuntimeError: It is not installed.
    """
    if not Path(CHROMIUM).exists():
        raise RuntimeError(f"no browser at {CHROMIUM}: `make browser` installs it, or set CHROMIUM")
    expect.set_options(timeout=30_000)
    unwanted = ["--hide-scrollbars"] if scrollbars else []
    return playwright.chromium.launch(
        executable_path=CHROMIUM, args=_FLAGS, ignore_default_args=unwanted
    )
