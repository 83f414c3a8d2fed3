"""Where chains begin, however long they are and wherever one sets out."""

from __future__ import annotations

from collections import UserDict

import pytest

from tb_debugger_plugin.analyses.patterns.chains import begins_of_chains


def test_a_chain_begins_where_nothing_explains() -> None:
    causes = {"c": "b", "a": None, "b": "a", "alone": None}
    assert begins_of_chains(causes) == {"c": "a", "a": "a", "b": "a", "alone": "alone"}


@pytest.mark.parametrize("causes", [{"a": "a"}, {"a": "b", "b": "a"}, {"b": "a", "a": "b"}])
def test_a_circle_begins_nowhere(causes: dict[str, str | None]) -> None:
    assert begins_of_chains({**causes, "behind": "a"}) == dict.fromkeys([*causes, "behind"])


class Counting(UserDict[int, int | None]):
    """Counts how often it is looked at."""

    num_looks = 0

    def __getitem__(self, key: int) -> int | None:
        self.num_looks += 1
        return super().__getitem__(key)


@pytest.mark.parametrize("step", [1, -1], ids=["from its beginning", "from its end"])
def test_each_link_of_a_long_chain_is_followed_once(step: int) -> None:
    number = 5000
    links = list(range(number))[::step]
    causes = Counting({link: link - 1 if link else None for link in links})
    assert begins_of_chains(causes) == dict.fromkeys(links, 0)
    assert causes.num_looks == number
