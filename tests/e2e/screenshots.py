"""Makes the README's pictures from the real page: `make screenshots`.

python -m tests.e2e.screenshots docs/images
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.e2e.browser import launch
from tests.e2e.debugger_page import DebuggerPage
from tests.e2e.tensorboard import running_tensorboard
from tests.logdirs.shown import end_programs

BROKEN, REPAIRED = "digits", "digits_repaired"
WIDTH, HEIGHT = 1440, 900
REPOSITORY = Path(__file__).resolve().parents[2]


def main() -> None:
    """Writes the pictures into the folder that is the only argument."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        # The pictures show the program's path: not that of this checkout.
        program = Path(scratch, "project", "digits.py")
        program.parent.mkdir()
        shutil.copy(REPOSITORY / "demo" / "digits.py", program)
        dump = Path(scratch, "logs")
        command = [sys.executable, str(program)]
        subprocess.run([*command, f"--dump_dir={dump}/{BROKEN}"], check=True)
        subprocess.run([*command, f"--dump_dir={dump}/{REPAIRED}", "--fix"], check=True)
        end_programs(dump)
        with running_tensorboard(dump) as url, sync_playwright() as playwright:
            browser = launch(playwright)
            page = browser.new_page(
                viewport={"width": WIDTH, "height": HEIGHT}, device_scale_factor=1.5
            )
            _take(page, url, folder)
            page.evaluate("document.body.classList.remove('dark-mode')")
            _take_repaired(page, url, folder)
            browser.close()


def _take(page: Page, url: str, folder: Path) -> None:
    tab = DebuggerPage(page, url).open(run=BROKEN).loaded()
    alerts = tab.region("Alerts")
    expect(alerts.get_by_text(re.compile("explains"))).to_be_visible()
    page.wait_for_load_state("networkidle")
    alerts.screenshot(path=folder / "cause.png")
    alerts.get_by_role("button", name=re.compile("^Show Log")).click()
    expect(
        tab.region("Graph Structure").get_by_role("button", name=re.compile("^selected op: Log"))
    ).to_be_visible()
    expect(
        tab.region("Source Code").locator(".cm-line", has_text="tf.math.log")
    ).to_be_in_viewport()
    page.wait_for_load_state("networkidle")
    page.screenshot(path=folder / "alert.png")
    tab.region("Source Code").screenshot(path=folder / "source.png")
    page.evaluate("document.body.classList.add('dark-mode')")
    expect(tab.frame.locator("html.dark")).to_have_count(1)
    page.screenshot(path=folder / "dark.png")


def _take_repaired(page: Page, url: str, folder: Path) -> None:
    # No row is told apart because the pointer is left on it.
    page.mouse.move(0, 0)
    tab = DebuggerPage(page, url).open(run=REPAIRED).loaded()
    page.wait_for_load_state("networkidle")
    expect(tab.region("Alerts").get_by_text("No NaN/∞ alert")).to_be_visible()
    page.screenshot(path=folder / "repaired.png")


if __name__ == "__main__":
    main()
