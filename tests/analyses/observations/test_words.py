from __future__ import annotations

import pytest

from tb_debugger_plugin.analyses.observations.words import count_of, listed


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 ops"), (1, "1 op"), (1234567, "1,234,567 ops")]
)
def test_numbers_agree_with_their_nouns(number: int, words: str) -> None:
    assert count_of(number, "op") == words


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ],
)
def test_the_first_names_of_many(names: list[str], words: str) -> None:
    assert listed(names) == words
