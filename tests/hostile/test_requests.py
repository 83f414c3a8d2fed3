"""Requests that no page sends, as bytes to a real TensorBoard: refused at once, with reasons."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

import pytest

from tests.analyses.observations.seen import whole_program
from tests.builders.logdir import logdir
from tests.e2e.tensorboard import running_tensorboard

MOST_SECONDS = 10.0
"""A hundred times what they take, for a machine that is busy."""
MOST_ANSWER = 1 << 20


@dataclass(frozen=True)
class Answer:
    """What came back, whole."""

    status: int
    head: bytes
    body: bytes


class Server:
    """A TensorBoard, at its plugin's routes."""

    def __init__(self, url: str) -> None:
        place = urlsplit(url)
        self._address = (str(place.hostname), int(place.port or 0))

    def send(self, target: str, method: str = "GET", headers: str = "") -> Answer:
        """Sends a request as it stands; nothing is quoted."""
        request = (
            f"{method} /data/plugin/tb_debugger{target} HTTP/1.1\r\nHost: localhost\r\n"
            f"Connection: close\r\n{headers}\r\n"
        )
        with socket.create_connection(self._address, timeout=MOST_SECONDS) as connection:
            connection.sendall(request.encode("latin-1"))
            answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
        head, _, body = answer.partition(b"\r\n\r\n")
        return Answer(int(head.split(maxsplit=2)[1]), head, body)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    built = whole_program(logdir(tmp_path_factory.mktemp("asked") / "r"), num_calls=500)
    for number in range(3000):
        built.op("Log", f"{'a' * 60}{number}")
    with running_tensorboard(built.directory.parent) as url:
        server = Server(url)
        deadline = time.monotonic() + 60
        while b'"num_executions":1000' not in server.send("/runs?read=r").body:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield server


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%2f..%2fsetup.py",
        "//etc/passwd",
        "/static/../plugin.py",
        "/static/%2e%2e/plugin.py",
        "/static/main.js/../../plugin.py",
        "/static/main.js%00.png",
        "/static/.inputs.sha256",
        "/static/",
        "/plugin.py",
        "/runs%0d%0aX-Made:1",
    ],
)
def test_no_path_leads_to_a_file(server: Server, path: str) -> None:
    answer = server.send(path)
    assert answer.status == 404
    assert b"X-Made" not in answer.head
    assert len(answer.body) < 1000


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/execution/digests?run=..%2F..%2Fetc", 404),
        ("/execution/digests?run=%2Fetc%2Fpasswd", 404),
        ("/execution/digests?run=%ff%fe", 404),
        ("/execution/digests?run=r%0d%0aX-Made:1", 404),
        ("/execution/digests?run=r&begin=0&end=999999999999999999", 400),
        ("/execution/digests?run=r&begin=0&end=" + "9" * 400, 400),
        ("/execution/digests?run=r&begin=1&begin=1", 400),
        ("/execution/digests?run=r&begin=%D9%A3", 400),
        ("/execution/digests?run=r&begin=-1", 400),
        ("/execution/digests?run=r&from=nan", 200),  # No parameter of this name: ignored.
        ("/execution/overview?run=r&buckets=999999999999", 400),
        ("/graph_execution/rows?run=r&end=-1", 200),
        ("/graph_execution/rows?run=r&regex=1&text=" + quote("(a+)+$"), 200),
        ("/graph_execution/rows?run=r&regex=1&text=" + quote("(a|a)*" * 40 + "b"), 200),
        ("/graph_execution/rows?run=r&regex=1&text=" + quote("(.*)*" * 100 + "x"), 200),
        ("/graph_execution/rows?run=r&regex=1&text=" + quote("(.{1,300}a){100}x"), 400),
        ("/graph_execution/rows?run=r&regex=1&text=" + quote("(" * 900), 400),
        ("/graph_execution/rows?run=r&regex=1&text=" + quote(r"(?<=a)\1"), 400),
        ("/graph_execution/rows?run=r&text=" + "a" * 1001, 400),
        ("/source_files/file?run=r&index=99", 404),
        ("/stack_frames/stack_frames?run=r&stack_frame_ids=" + "x," * 4000, 400),
        ("/graphs/op_info?run=r&graph_id=f-id&op_name=" + "x" * 30_000, 404),
        ("/runs?read=" + "x" * 60_000, 200),
        ("/runs?" + "&".join(f"a{number}=1" for number in range(5000)), 200),
        ("/runs?read=" + "x" * 70_000, 414),
    ],
)
def test_parameters_are_strict_and_answers_bounded(
    server: Server, target: str, status: int
) -> None:
    before = time.monotonic()
    answer = server.send(target)
    assert answer.status == status, answer.body[:200]
    assert time.monotonic() - before < MOST_SECONDS
    assert len(answer.body) < MOST_ANSWER
    assert b"X-Made" not in answer.head


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_there_is_nothing_but_reading(server: Server, method: str) -> None:
    for path in ("/runs", "/alerts?run=r"):
        answer = server.send(path, method, "Content-Length: 99999999999\r\n")
        assert answer.status in (405, 501)
