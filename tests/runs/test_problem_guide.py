"""Every kind of problem has its words, and its section in the document; and no other has."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from tb_debugger_plugin.runs.problem_guide import anchor, build_guide, heading
from tb_debugger_plugin.runs.problem_kinds import (
    EXPLANATIONS,
    ProblemKind,
    Severity,
    remedy_code,
    severity_of,
)

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "problems.md").read_text(encoding="utf-8")
KINDS: tuple[ProblemKind, ...] = get_args(ProblemKind)

each_kind = pytest.mark.parametrize("kind", KINDS)


def anchors(markdown: str) -> list[str]:
    """The anchors that viewers of Markdown give to headings."""
    headings = re.findall(r"^#+ (.+)$", markdown, re.MULTILINE)
    return [re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in headings]


def test_the_guide_on_disk_is_what_the_page_says() -> None:
    assert build_guide() == GUIDE, (
        "docs/problems.md is out of date; run: "
        "python -m tb_debugger_plugin.runs.problem_guide docs/problems.md"
    )


def test_every_kind_has_its_words_and_no_other_has() -> None:
    assert set(EXPLANATIONS) == set(KINDS)


def test_the_guide_has_a_section_a_kind_and_no_other() -> None:
    sections = re.findall(r"^### .+ \(`(\w+)`\)$", GUIDE, re.MULTILINE)
    assert sorted(sections) == sorted(KINDS)


@each_kind
def test_a_section_says_what_it_means_how_it_is_known_and_what_to_do(kind: ProblemKind) -> None:
    _, _, rest = GUIDE.partition(f"### {heading(kind)}\n")
    section, _, _ = rest.partition("\n#")
    words = " ".join(section.split())
    explanation = EXPLANATIONS[kind]
    for text in (explanation.meaning, explanation.signs, explanation.remedy):
        assert " ".join(text.split()) in words


@each_kind
def test_a_kind_links_to_its_section(kind: ProblemKind) -> None:
    path, _, fragment = anchor(kind).partition("#")
    assert (ROOT / path).is_file()
    assert anchors(GUIDE).count(fragment) == 1


@each_kind
def test_what_to_write_is_python_and_names_the_run_s_directory(kind: ProblemKind) -> None:
    code = remedy_code(kind, dump_root='/logs/it\'s "a" {mode}\\n', mode="CONCISE_HEALTH")
    assert "{dump_root" not in code
    if "%%" not in code:
        compile(code, kind, "exec")
    if "enable_dump_debug_info" in code:
        assert 'it\'s \\"a\\" {mode}\\\\n' in code
        assert "circular_buffer_size=-1" in code


def test_the_remedy_keeps_the_run_s_mode_unless_the_mode_is_at_fault() -> None:
    assert '"CONCISE_HEALTH"' in remedy_code("executions_dropped", "/logs", "CONCISE_HEALTH")
    assert '"FULL_HEALTH"' in remedy_code("executions_dropped", "/logs", None)
    assert '"FULL_HEALTH"' in remedy_code("no_values", "/logs", "NO_TENSOR")


@pytest.mark.parametrize(
    ("kind", "is_loss", "severity"),
    [
        ("cut_record", True, "loss"),
        ("missing_metadata", False, "limit"),
        ("executions_dropped", False, "limit"),
        ("executions_dropped", True, "loss"),
        ("no_counts", False, "note"),
    ],
)
def test_what_is_lost_is_graver_than_what_cannot_be_shown(
    kind: ProblemKind, is_loss: bool, severity: Severity
) -> None:
    assert severity_of(kind, is_loss) == severity
