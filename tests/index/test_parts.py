from __future__ import annotations

from tb_debugger_plugin.index.parts import part


class Sum:
    def __init__(self) -> None:
        self.num_made = 0

    @part
    def total(self) -> int:
        """How often it was made."""
        self.num_made += 1
        return self.num_made


def test_a_part_is_made_once() -> None:
    owner = Sum()
    assert [owner.total, owner.total] == [1, 1]


def test_a_part_that_was_forgotten_is_made_once_more() -> None:
    owner = Sum()
    assert owner.total == 1
    Sum.total.forget(owner)
    assert [owner.total, owner.total] == [2, 2]


def test_a_part_that_was_never_made_may_be_forgotten() -> None:
    owner = Sum()
    Sum.total.forget(owner)
    assert owner.total == 1
