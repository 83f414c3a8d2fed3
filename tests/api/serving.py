"""The real WSGI apps over a logdir, as a client meets them."""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any

import msgspec
from werkzeug.test import Client, TestResponse

from tb_debugger_plugin.api.app import make_apps
from tb_debugger_plugin.api.payloads import ErrorPayload
from tb_debugger_plugin.api.routes import ROUTES
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import Root

MOST_SECONDS = 60.0
"""How long a test waits for what should come at once, on a machine that is busy."""

RESPONSES = {route.path: route.response for route in ROUTES}


def wait_until(is_so: Callable[[], bool]) -> None:
    """Waits, within bounds, for another thread."""
    pause = threading.Event()
    end = time.monotonic() + MOST_SECONDS
    while time.monotonic() < end:
        if is_so():
            return
        pause.wait(0.005)
    raise AssertionError("waited in vain")


def impatient_clock() -> Callable[[], float]:
    """A clock by which every interval of the library is over at its next look."""
    return itertools.count(0.0, 1000.0).__next__


class Server:
    """Serves what is at or below directories."""

    def __init__(self, *directories: str | os.PathLike[str] | Root) -> None:
        roots = [
            each if isinstance(each, Root) else Root("", os.fspath(each)) for each in directories
        ]
        self.library = RunLibrary(roots, clock=impatient_clock())
        self.apps = make_apps(self.library)

    def load(self) -> Server:
        """Waits until all runs are found and read: as many as are kept in memory."""
        self.library.wake()
        wait_until(lambda: not self.library.searching)
        for name in self.library.found():
            self.read(name)
        return self

    def read(self, name: str) -> Run:
        """Waits until a run is read."""
        run = self.library.find(name)
        assert run is not None, name
        self.library.wake()
        wait_until(lambda: run.snapshot.is_whole)
        return run

    def request(self, path: str, query: str | None = None, **options: Any) -> TestResponse:
        """Any request; ``query`` is sent as it stands."""
        return Client(self.apps[path]).open(path=path, query_string=query or "", **options)

    def ask(self, path: str, **parameters: Any) -> TestResponse:
        """A GET with parameters."""
        return Client(self.apps[path]).get(path=path, query_string=parameters)

    def answer(self, path: str, **parameters: Any) -> Any:
        """The JSON data of an answer that has to be as the OpenAPI document promises."""
        response = self.ask(path, **parameters)
        assert response.status_code == 200, response.text
        return checked(path, response)

    def refusal(self, path: str, status: int, **parameters: Any) -> str:
        """The message of an answer that has to be an error of that status."""
        response = self.ask(path, **parameters)
        assert response.status_code == status, response.text
        return error_message(response)


def checked(path: str, response: TestResponse) -> Any:
    """A 200's data, strictly of the type that the route declares."""
    assert response.content_type == "application/json"
    data = strict_json(response.text)
    msgspec.convert(data, RESPONSES[path], strict=True)
    return data


_CODES = {400: "invalid_argument", 404: "not_found", 405: "method_not_allowed", 500: "internal"}


def error_message(response: TestResponse) -> str:
    """The message of an error, which has the one shape of all errors."""
    assert response.content_type == "application/json"
    data = strict_json(response.text)
    error = msgspec.convert(data, ErrorPayload, strict=True).error
    assert data == {"error": {"code": error.code, "message": error.message}}
    assert error.code == _CODES[response.status_code]
    assert error.message
    return error.message


def strict_json(text: str) -> Any:
    """JSON without the tokens that JSON does not have."""

    def refuse(token: str) -> None:
        raise AssertionError(f"{token} is no JSON")

    return json.loads(text, parse_constant=refuse)
