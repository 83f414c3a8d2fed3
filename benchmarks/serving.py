"""A run behind the real routes, asked in the same process, as the page asks."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from werkzeug.test import Client

from tb_debugger_plugin.api.app import make_apps
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.run import Run
from tb_debugger_plugin.runs.search import Root

MOST_SECONDS = 600.0
RUN = "."
ROWS = 200
"""A page of a list, as the front end asks for it."""

_COUNTS = {"/graph_execution/rows": "num_rows", "/execution/digests": "num_digests"}


class ServedRun:
    """The run of a logdir, wholly read. What is timed is a route's whole answer, gzip included."""

    def __init__(self, logdir: Path) -> None:
        self._library = RunLibrary([Root("", str(logdir))])
        self._apps = make_apps(self._library)
        deadline = time.monotonic() + MOST_SECONDS
        unfinished = ("unread", "loading")
        while not (runs := self.get("/runs", read=RUN)) or runs[RUN]["status"] in unfinished:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{logdir} is not read after {MOST_SECONDS} s")
            time.sleep(0.05)
        self.summary: dict[str, Any] = runs[RUN]

    @property
    def run(self) -> Run:
        """The run itself."""
        return self._library.runs()[RUN]

    @property
    def num_events(self) -> int:
        """Executions and graph execution traces, by now."""
        return self.run.num_executions + self.run.num_graph_executions

    def get(self, path: str, **parameters: object) -> Any:
        """The data of an answer.

        Raises:
          RuntimeError: The answer is an error; its message is in the exception's.
        """
        return self.timed(path, **parameters)[0]

    def timed(self, path: str, **parameters: object) -> tuple[Any, float]:
        """The data of an answer, and the milliseconds until it was there."""
        query = urlencode({"run": RUN, **parameters})
        client = Client(self._apps[path])
        start = time.perf_counter()
        answer = client.get(
            path=path, query_string=query, headers={"Accept-Encoding": "gzip, deflate"}
        )
        milliseconds = (time.perf_counter() - start) * 1e3
        body = answer.data
        if answer.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        if answer.status_code != 200:
            raise RuntimeError(f"{path}?{query}: {body.decode()}")
        return json.loads(body), milliseconds

    def start_of_list(self, path: str, **parameters: object) -> float:
        """Milliseconds until the front end can show a list: how many rows it has, and the first."""
        size, asked = self.timed(path, **parameters, begin=0, end=0)
        end = min(size[_COUNTS[path]], ROWS)
        return asked + self.timed(path, **parameters, begin=0, end=end)[1]

    def stop_reading(self) -> None:
        """Ends the thread that keeps the run up to date; what is read is served on."""
        self._library.close()
