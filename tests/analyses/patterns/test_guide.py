"""Every kind of pattern has its words, and its section in the document; and no other has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from tb_debugger_plugin.analyses.patterns.guide import anchor, build_guide
from tb_debugger_plugin.analyses.patterns.kinds import EXPLANATIONS
from tb_debugger_plugin.analyses.patterns.pattern import PatternKind
from tests.analyses.patterns.told import kinds
from tests.builders.logdir import logdir

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "alert-kinds.md").read_text(encoding="utf-8")
KINDS: tuple[PatternKind, ...] = get_args(PatternKind)


def test_the_guide_on_disk_is_what_the_page_says() -> None:
    assert build_guide() == GUIDE, (
        "docs/alert-kinds.md is out of date; run: "
        "python -m tb_debugger_plugin.analyses.patterns.guide docs/alert-kinds.md"
    )


def test_every_kind_has_its_words_and_no_other_has() -> None:
    assert set(EXPLANATIONS) == set(KINDS)


def test_every_kind_links_to_its_section() -> None:
    headings = re.findall(r"^#+ (.+)$", GUIDE, re.MULTILINE)
    anchors = [re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings]
    for kind in KINDS:
        assert anchors.count(anchor(kind).partition("#")[2]) == 1


def test_nothing_is_amiss_in_an_empty_run(tmp_path: Path) -> None:
    assert kinds(logdir(tmp_path)) == []
