"""Serves a logdir and asks all of it, in a process that notes what it opens, writes and starts.

    python -m tests.hostile.watched_serving <logdir>

Prints JSON: what was opened for reading, what was written to or changed, what else was reached for.
"""

from __future__ import annotations

import json
import os
import sys
import time
from types import SimpleNamespace
from typing import Any

from werkzeug.test import Client

from tb_debugger_plugin.api.routes import ROUTES
from tb_debugger_plugin.plugin import DebuggerPlugin
from tests.hostile.strangers import NAMES

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "os.utime")
REACHES = (
    "socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "os.exec",
    "os.posix_spawn", "os.fork", "urllib.Request", "exec", "import",
)  # fmt: skip


class Watch:
    """Notes what happens while it is on."""

    def __init__(self) -> None:
        self.read: set[str] = set()
        self.written: set[str] = set()
        self.reached: set[str] = set()
        self.is_on = False
        sys.addaudithook(self._note)

    def _note(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_on:
            return
        if event == "open":
            path, _, flags = arguments
            if isinstance(path, str | bytes):
                (self.written if flags & WRITES else self.read).add(os.fsdecode(path))
        elif event in ("os.listdir", "os.scandir"):
            self.read.add(str(arguments[0]))
        elif event in CHANGES:
            self.written.add(str(arguments[0]))
        elif event in REACHES and event not in ("exec", "import"):
            self.reached.add(f"{event} {arguments[:2]}")


def ask_all(plugin: DebuggerPlugin) -> list[int]:
    """Every route with every name in every parameter that takes text; the statuses."""
    apps = plugin.get_plugin_apps()
    statuses = []
    for route in ROUTES:
        for name in [None, *NAMES]:
            query: dict[str, Any] = {"run": ".", "index": 0, "lineno": 1, "execution_index": 0}
            if name is not None:
                query |= {"graph_id": name, "op_name": name, "stack_frame_ids": name}
                query |= {"text": name, "device": name}
            for run in (".", name):
                client = Client(apps[route.path])
                asked = {**query, "run": run} if run is not None else query
                statuses.append(client.get(route.path, query_string=asked).status_code)
    return statuses


def main() -> None:
    # All that Python loads by itself is loaded first.
    warm = DebuggerPlugin(SimpleNamespace(logdir="/nowhere", flags=None))
    ask_all(warm)
    watch = Watch()
    watch.is_on = True
    plugin = DebuggerPlugin(SimpleNamespace(logdir=sys.argv[1], flags=None))
    runs = Client(plugin.get_plugin_apps()["/runs"])
    for _ in range(1200):
        found = runs.get("/runs", query_string={"read": "."}).get_json()
        if found and found["."]["status"] not in ("unread", "loading"):
            break
        time.sleep(0.05)
    statuses = ask_all(plugin)
    time.sleep(2.0)  # The index is stored behind the answers.
    watch.is_on = False
    json.dump(
        {
            "statuses": sorted(set(statuses)),
            "read": sorted(watch.read),
            "written": sorted(watch.written),
            "reached": sorted(watch.reached),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
