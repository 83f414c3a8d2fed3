"""What each kind of page takes on a run that is read, and the memory that all of them need.

A page of a list is asked for at its start, middle and end, 200 rows as the front end does, each
time some rows further on. The first answer of a kind may have to derive something from the whole
run; that one is told apart.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.memory import PeakMemory
from benchmarks.processes import Numbers
from benchmarks.serving import ROWS, ServedRun

TIMES = 9
PLACES = ("start", "middle", "end")
FIRST = "first: "
"""Before a label: milliseconds of the first answer, not the median of those that follow."""

Ask = tuple[str, str, list[dict[str, object]]]
"""A label, a route, and the parameters of several requests."""


def pages(logdir: Path) -> Numbers:
    """Milliseconds by page; ``events``; peaks of memory in bytes: ``read``, then ``asked``."""
    memory = PeakMemory()
    served = ServedRun(logdir)
    numbers: Numbers = {"events": served.num_events, "read": memory.num_bytes}
    for asks in (_lists(served), _singles(served)):
        for label, path, requests in asks:
            times = [served.timed(path, **parameters)[1] for parameters in requests]
            numbers[FIRST + label] = times[0]
            numbers[label] = statistics.median(times[1:] or times)
    numbers["asked"] = memory.num_bytes
    served.stop_reading()
    return numbers


def _lists(served: ServedRun) -> Iterator[Ask]:
    # The front end asks how many rows there are before it asks for any.
    yield "/graph_execution/rows count", "/graph_execution/rows", [{"end": 0}] * TIMES
    totals = {
        "/graph_execution/rows": served.get("/graph_execution/rows", end=0)["num_rows"],
        "/graph_execution/data": served.summary["num_graph_executions"],
        "/execution/digests": served.summary["num_executions"],
        "/execution/data": served.summary["num_executions"],
        "/alerts": served.summary["num_alerts"],
        "/graphs/list": served.summary["num_graphs"],
    }
    for path, total in totals.items():
        for place, begin in zip(PLACES, _begins(total), strict=False):
            requests: list[dict[str, object]] = [
                {"begin": at, "end": min(at + ROWS, total)}
                for at in range(begin, begin + TIMES)
                if at <= total
            ]
            yield f"{path} {place}", path, requests


def _begins(total: int) -> list[int]:
    """Where the pages of a list are looked at; one that fits into a page is looked at once."""
    last = total - ROWS - TIMES
    return [0, last // 2, last] if last > 0 else [0] if total else []


def _singles(served: ServedRun) -> Iterator[Ask]:
    of_run = ("/devices", "/problems", "/source_files/list", "/source_files/summary")
    for path in ("/runs", "/logdir", *of_run):
        yield path, path, [{}] * TIMES
    yield "/execution/overview", "/execution/overview", [{"buckets": 400}] * TIMES
    executions, traces = (
        [{"index": total * i // TIMES} for i in range(TIMES)] if total else []
        for total in (served.summary["num_executions"], served.summary["num_graph_executions"])
    )
    if executions:
        stacks = [{"execution_index": request["index"]} for request in executions]
        yield "/execution/detail", "/execution/detail", executions
        yield "/stack_frames/stack_trace", "/stack_frames/stack_trace", stacks
    if traces:
        yield "/graph_execution/inputs", "/graph_execution/inputs", traces
        yield "/graph_execution/position", "/graph_execution/position", traces
        begin = served.summary["num_graph_executions"] // 2
        page = served.get("/graph_execution/data", begin=begin, end=begin + 1)
        trace = page["graph_executions"][0]
        op = {"graph_id": trace["graph_id"], "op_name": trace["op_name"]}
        call = {**op, "graph_execution_trace_index": trace["index"]}
        yield "/graphs/graph_info", "/graphs/graph_info", [{"graph_id": op["graph_id"]}] * TIMES
        yield "/graphs/op_info", "/graphs/op_info", [op] * TIMES
        yield "/graphs/neighborhood", "/graphs/neighborhood", [call] * TIMES
    files = served.get("/source_files/summary")["files"]
    if files:
        busiest = max(files, key=lambda file: file["num_ops"])["index"]
        for path in ("/source_files/file", "/source_files/annotations"):
            yield path, path, [{"index": busiest}] * TIMES
        lines = served.get("/source_files/annotations", index=busiest)["lines"]
        if lines:
            line = max(lines, key=lambda line: line["num_ops"])["lineno"]
            yield (
                "/source_files/line",
                "/source_files/line",
                [{"index": busiest, "lineno": line}] * TIMES,
            )
