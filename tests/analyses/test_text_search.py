from __future__ import annotations

import time

import pytest

from tb_debugger_plugin.analyses import text_search
from tb_debugger_plugin.analyses.text_search import BadPattern, matcher


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("log", "scope/Log:0", True),
        ("LOG:0", "scope/Log:0", True),
        ("log$", "scope/Log", False),
        ("ÄÖ", "größe/äö", True),
        ("ss", "Straße", True),
        ("(", "a(b", True),
    ],
)
def test_text_is_part_of_a_name_in_any_case(text: str, name: str, found: bool) -> None:
    assert matcher(text, is_regex=False)(name) is found


@pytest.mark.parametrize(
    ("pattern", "name", "found"),
    [
        ("log", "scope/Log:0", True),
        ("^log", "scope/Log:0", False),
        ("LOG:0$", "scope/Log:0", True),
        ("^MatMul:0$", "MatMul:0", True),
        ("^MatMul:0$", "MatMul_1:0", False),
        ("(?-i:log)", "Log", False),
        ("[äö]{2}", "größe/ÄÖ", True),
        ("^.$", "ü", True),
        ("a|b", "B", True),
        (r"\d{3}$", "conv_123", True),
        ("a.b", "a\nb", False),
        ("", "anything", True),
        ("\0", "a\0b", True),
    ],
)
def test_an_expression_matches_anywhere_in_any_case(pattern: str, name: str, found: bool) -> None:
    assert matcher(pattern, is_regex=True)(name) is found


@pytest.mark.parametrize(
    ("pattern", "reason", "fragment"),
    [
        ("x(a", "missing )", "x(a"),
        ("a)", "unexpected )", "a)"),
        ("ab**", "bad repetition operator", "**"),
        ("*a", "no argument for repetition operator", "*"),
        ("a{1001}", "invalid repetition size", "{1001}"),
        ("(?:a{1000}){1000}", "invalid repetition size", "{1000}"),
        ("a{1000}{1000}", "bad repetition operator", "{1000}{1000}"),
        ("[z-a]", "invalid character class range", "z-a"),
        ("[ü", "missing ]", "[ü"),
        (r"(a)\1", "invalid escape sequence", r"\1"),
        ("(?=a)", "invalid perl operator", "(?="),
        ("a\\", "trailing \\", ""),
        (r"\pL{500}", "pattern too large - compile failed", ""),
        ("\ud800", "not all of its characters are characters", ""),
    ],
)
def test_what_is_no_expression_is_told(
    capfd: pytest.CaptureFixture[str], pattern: str, reason: str, fragment: str
) -> None:
    with pytest.raises(BadPattern) as caught:
        matcher(pattern, is_regex=True)
    assert (str(caught.value), caught.value.fragment) == (reason, fragment)
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "pattern",
    [
        "(a+)+$",
        "(a|a)*$",
        "(a*)*b",
        "(.*)*x",
        "(" * 500 + ")" * 500,
        "(a?){300}a{300}$",
        "x{0,1000}",
    ],
)
def test_an_expression_that_would_stall_others_is_fast(pattern: str) -> None:
    matches = matcher(pattern, is_regex=True)
    start = time.thread_time()
    for _ in range(20):
        matches("a" * 4000 + "!")
    assert time.thread_time() - start < 2.0


def test_an_expression_may_take_its_time_but_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_search, "_MOST_SECONDS", 0.05)
    matches = matcher("(.{1,30}a){10}x", is_regex=True)
    start = time.thread_time()
    with pytest.raises(BadPattern, match="too long"):
        sum(matches("a/b_c" * 100) for _ in range(100_000))
    assert time.thread_time() - start < 2.0


def test_a_name_of_a_megabyte_is_not_searched_to_its_end() -> None:
    matches = matcher("(.{1,30}a){10}x", is_regex=True)
    start = time.thread_time()
    assert not matches("a" * 1_000_000 + "x")
    assert time.thread_time() - start < 1.0
