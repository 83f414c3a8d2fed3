from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

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


def test_an_answer_that_takes_long_keeps_no_other_one_waiting() -> None:
    recent: Recent[Answer] = Recent(100)
    began, go_on = threading.Event(), threading.Event()

    def take_long() -> Answer:
        began.set()
        assert go_on.wait(10)
        return Answer(1)

    with ThreadPoolExecutor(2) as threads:
        slow = [threads.submit(recent.get, "slow", take_long) for _ in range(2)]
        assert began.wait(10)
        quick = recent.get("quick", lambda: Answer(1))
        go_on.set()
        assert slow[0].result() is slow[1].result() is not quick


def test_an_answer_that_cannot_be_made_can_be_asked_for_again() -> None:
    recent: Recent[Answer] = Recent(100)
    with pytest.raises(ZeroDivisionError):
        recent.get("answer", lambda: Answer(1 // 0))
    assert recent.get("answer", lambda: Answer(1)).nbytes == 1


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
