"""How much has to arrive before the page can be used."""

from __future__ import annotations

import gzip
import re

from tb_debugger_plugin.static_files import STATIC_DIRECTORY

MOST_BYTES = 250_000
_STATIC_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["']\./([\w-]+\.js)["']""")


def test_the_page_starts_with_at_most_250_kb_of_javascript() -> None:
    # What main.js imports at once, and what that imports; import() is for later.
    waiting, initial = ["main.js"], set[str]()
    while waiting:
        name = waiting.pop()
        if name not in initial:
            initial.add(name)
            waiting += _STATIC_IMPORT.findall((STATIC_DIRECTORY / name).read_text("utf-8"))
    sizes = {name: len(gzip.compress((STATIC_DIRECTORY / name).read_bytes())) for name in initial}
    assert len(sizes) > 1
    assert sum(sizes.values()) <= MOST_BYTES, sizes
