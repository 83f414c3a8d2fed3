from __future__ import annotations

from dataclasses import dataclass

from tb_debugger_plugin.analyses.recent import Recent


@dataclass
class Answer:
    nbytes: int


def test_an_answer_is_kept_while_it_is_asked_for() -> None:
    recent: Recent[Answer] = Recent(100)
    wanted = recent.get("wanted", lambda: Answer(1))
    for number in range(20):
        recent.get(number, lambda: Answer(1))
        assert recent.get("wanted", lambda: Answer(1)) is wanted


def test_the_oldest_of_eight_is_given_up() -> None:
    recent: Recent[Answer] = Recent(100)
    answers = [recent.get(number, lambda: Answer(1)) for number in range(9)]
    assert recent.get(1, lambda: Answer(1)) is answers[1]
    assert recent.get(0, lambda: Answer(1)) is not answers[0]


def test_answers_that_grow_too_large_are_given_up_but_the_last_one() -> None:
    recent: Recent[Answer] = Recent(100)
    small = recent.get("small", lambda: Answer(1))
    large = recent.get("large", lambda: Answer(1))
    large.nbytes = 1000
    assert recent.get("large", lambda: Answer(1)) is large
    assert recent.get("small", lambda: Answer(1)) is not small
    assert recent.get("large", lambda: Answer(1)) is not large
