"""``docs/problems.md`` from the words for each kind of problem.

Run ``python -m tb_debugger_plugin.runs.problem_guide docs/problems.md`` after a change of them; a
test fails while the file on disk differs.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tb_debugger_plugin.runs.problem_kinds import (
    EXPLANATIONS,
    ProblemKind,
    Severity,
    remedy_code,
)

GUIDE = "docs/problems.md"

SEVERITIES: dict[Severity, tuple[str, str]] = {
    "loss": (
        "Loss",
        "Something that the program recorded is missing. The run counts as *damaged*.",
    ),
    "limit": (
        "Limit",
        "Something cannot be shown, or is probably missing. The same problem is a *loss* where it "
        "is certain that something is missing.",
    ),
    "note": ("Note", "Good to know; nothing is wrong."),
}

_INTRODUCTION = """\
# Problems, and what to do about them

The page shows all that it can read of a run, and says what it cannot. Its *problems*, behind the
status in the toolbar, are of the kinds below. Each says what was seen in this run, and what is said
here: what it means, how it is recognised, and what to do. While a program may still be writing,
what is missing may only be late: such problems appear a minute after the last write.

<!-- Made by `make generate` from tb_debugger_plugin/runs/problem_kinds.py. -->
"""


def heading(kind: ProblemKind) -> str:
    """A kind's heading in the guide."""
    return f"{EXPLANATIONS[kind].title} (`{kind}`)"


def anchor(kind: ProblemKind) -> str:
    """Where a kind is explained: the guide's path, and its heading as Markdown viewers name it."""
    kept = re.sub(r"[^\w\- ]", "", heading(kind).lower())
    return f"{GUIDE}#{kept.replace(' ', '-')}"


def build_guide() -> str:
    """The document, a section a kind, under a heading a severity."""
    return "\n".join([_INTRODUCTION, *_sections()])


def _sections() -> Iterator[str]:
    for severity, (title, meaning) in SEVERITIES.items():
        yield f"## {title}\n\n{meaning}\n"
        for kind, explanation in EXPLANATIONS.items():
            if explanation.severity == severity:
                yield f"### {heading(kind)}\n\n{_section(kind)}\n"


def _section(kind: ProblemKind) -> str:
    explanation = EXPLANATIONS[kind]
    parts = [
        _filled(explanation.meaning),
        _filled(f"**How it is recognised.** {explanation.signs}"),
        _filled(f"**What to do.** {explanation.remedy}"),
    ]
    if explanation.code:
        parts.append(f"```python\n{remedy_code(kind, '/path/to/logdir', None)}\n```")
    return "\n\n".join(parts)


def _filled(text: str) -> str:
    return textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)


def main() -> None:
    """Writes the document to the path given as the only argument."""
    Path(sys.argv[1]).write_text(build_guide(), encoding="utf-8")


if __name__ == "__main__":
    main()
