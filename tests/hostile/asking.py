"""Asks every route of a run, once."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import msgspec

from tb_debugger_plugin.api.routes import ROUTES, Route
from tests.api.serving import Server

LISTS = {"begin", "end"}


@dataclass(frozen=True)
class Answer:
    """How an answer came: ``seconds`` are those of a processor."""

    status: int
    seconds: float
    num_bytes: int


def answers(server: Server) -> dict[str, Answer]:
    """What each route answers when it is asked of the first of everything."""
    return {route.path: _ask(server, route) for route in ROUTES}


def _ask(server: Server, route: Route) -> Answer:
    query = query_of(server, route)
    before = time.thread_time()
    response = server.ask(route.path, **query)
    seconds = time.thread_time() - before
    return Answer(response.status_code, round(seconds, 3), len(response.data))


def query_of(server: Server, route: Route) -> dict[str, Any]:
    """What a route needs. Lists are asked for from their begin, without filters."""
    fields = {field.name for field in msgspec.structs.fields(route.request)}
    if "run" not in fields:
        return {}
    ((name, run),) = server.library.runs().items()
    names = run.snapshot.names
    graph, op = names.op_refs.values[0] if len(names.op_refs) else (0, "none")
    first = {
        "index": 0,
        "lineno": 1,
        "graph_id": names.graph_ids.values[graph] if len(names.graph_ids) else "none",
        "op_name": op,
        "stack_frame_ids": ",".join(list(run.snapshot.frames)[:1000]) or "none",
        "execution_index": 0,
    }
    needed = set() if fields >= LISTS else fields & set(first)
    if route.path == "/stack_frames/stack_trace":
        needed = {"execution_index"}
    return {"run": name, **{each: first[each] for each in needed}}
