"""``docs/alert-kinds.md`` from the words for each kind of pattern.

Run ``python -m tb_debugger_plugin.analyses.patterns.guide docs/alert-kinds.md`` after a change of
them; a test fails while the file on disk differs.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tb_debugger_plugin.analyses.patterns.kinds import EXPLANATIONS
from tb_debugger_plugin.analyses.patterns.pattern import PatternKind
from tb_debugger_plugin.analyses.patterns.thresholds import MOST_LISTED, MOST_TENSORS

GUIDE = "docs/alert-kinds.md"

_INTRODUCTION = f"""\
# Kinds of alerts

*NaN/∞* is an alert a tensor: it holds a NaN or an infinity, as the debug mode counted them
(CURT_HEALTH, CONCISE_HEALTH and FULL_HEALTH) or as its values show (FULL_TENSOR). What made them
bad in the first place is told by the [root causes](root-causes.md).

*Patterns* are seen over many events, none of which is wrong by itself. Each kind can be switched
off in the page. What was not recorded is never taken for healthy, nor for sick: a kind that needs
more than the debug mode recorded stays silent.

The first {MOST_LISTED:,} of a kind that are not muted are listed, and the others counted. Where
more than {MOST_TENSORS:,} tensors look suspicious, only so many are looked into, and no others are
counted.

<!-- Made by `make generate` from tb_debugger_plugin/analyses/patterns/kinds.py. -->
"""


def heading(kind: PatternKind) -> str:
    """A kind's heading in the guide."""
    return f"{EXPLANATIONS[kind].title} (`{kind}`)"


def anchor(kind: PatternKind) -> str:
    """Where a kind is explained: the guide's path, and its heading as Markdown viewers name it."""
    kept = re.sub(r"[^\w\- ]", "", heading(kind).lower())
    return f"{GUIDE}#{kept.replace(' ', '-')}"


def build_guide() -> str:
    """The document, a section a kind."""
    return "\n".join([_INTRODUCTION, *_sections()])


def _sections() -> Iterator[str]:
    for kind, words in EXPLANATIONS.items():
        parts = (words.rule, words.usual, words.details, f"**What to do.** {words.advice}")
        yield "\n\n".join([f"## {heading(kind)}", *map(_filled, filter(None, parts))]) + "\n"


def _filled(text: str) -> str:
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def main() -> None:
    """Writes the document to the path given as the only argument."""
    Path(sys.argv[1]).write_text(build_guide(), encoding="utf-8")


if __name__ == "__main__":
    main()
