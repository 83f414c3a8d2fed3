"""Graphs that nobody would make: no answer takes the time of their number squared."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.api.serving import Server
from tests.hostile.asking import answers
from tests.hostile.webs import WEBS, Web

NUMBER = 3000
MOST_SECONDS = 5.0
"""Of a processor. What looks at each of them for each of them takes minutes."""


@pytest.mark.parametrize("web", WEBS, ids=lambda web: web.__name__)
def test_every_route_answers_in_time(tmp_path: Path, web: Web) -> None:
    web(tmp_path, NUMBER)
    server = Server(tmp_path).load()
    for path, answer in answers(server).items():
        assert answer.status in (200, 404), path
        assert answer.seconds < MOST_SECONDS, path
        assert answer.num_bytes < 64 << 20, path
    server.library.close()
