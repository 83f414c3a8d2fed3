"""What each kind of page takes on a run that is read, and the memory that all of them need.

A page of a list is asked for at its start, middle and end, 200 rows as the front end does, each
time some rows further on. The first answer of a kind may have to derive something from the whole
run; that one is told apart.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path

from benchmarks.memory import Memory
from benchmarks.processes import Numbers
from benchmarks.serving import ROWS, ServedRun

TIMES = 9
PLACES = ("start", "middle", "end")
FIRST = "first: "
"""Before a label: milliseconds of the first answer, not the median of those that follow."""

Ask = tuple[str, str, list[dict[str, object]]]
"""A label, a route, and the parameters of several requests."""


def pages(logdir: Path) -> Numbers:
    """Milliseconds by page; ``events``; memory in bytes.

    ``read`` and ``asked`` are the peaks by then, ``kept`` what is held in the end.
    """
    memory = Memory()
    served = ServedRun(logdir)
    numbers: Numbers = {"events": served.num_events, "read": memory.peak}
    for asks in (_lists(served), _singles(served)):
        for label, path, requests in asks:
            times = [served.timed(path, **parameters)[1] for parameters in requests]
            numbers[FIRST + label] = times[0]
            numbers[label] = statistics.median(times[1:] or times)
    numbers["asked"], numbers["kept"] = memory.peak, memory.kept
    served.stop_reading()
    return numbers


def _lists(served: ServedRun) -> Iterator[Ask]:
    # The front end asks how many rows there are before it asks for any.
    yield "/graph_execution/rows count", "/graph_execution/rows", [{"end": 0}] * TIMES
    totals = {
        "/graph_execution/rows": served.get("/graph_execution/rows", end=0)["num_rows"],
        "/graph_execution/data": served.summary["num_graph_executions"],
        "/graph_execution/digests": served.summary["num_graph_executions"],
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
    """Everything else: what has an index at several of them, the rest again and again."""
    facets = ("/execution/facets", "/graph_execution/facets")
    of_run = ("/devices", "/problems", "/gaps", "/root_causes", "/alerts/patterns", *facets)
    for path in ("/runs", "/logdir", *of_run, "/source_files/list", "/source_files/summary"):
        yield path, path, [{}] * TIMES
    yield "/execution/overview", "/execution/overview", [{"buckets": 400}] * TIMES
    yield from _at_executions(served)
    yield from _at_traces(served)
    yield from _at_source_lines(served)


def _at_executions(served: ServedRun) -> Iterator[Ask]:
    indices = _spread(served.summary["num_executions"])
    if not indices:
        return
    by_index: list[dict[str, object]] = [{"index": index} for index in indices]
    by_name: list[dict[str, object]] = [{"execution_index": index} for index in indices]
    yield "/execution/detail", "/execution/detail", by_index
    total = served.summary["num_executions"]
    shown: list[dict[str, object]] = [
        {"execution_indices": ",".join(map(str, range(index, min(index + ROWS, total))))}
        for index in indices
    ]
    yield "/alerts/roles", "/alerts/roles", shown
    yield "/execution/position", "/execution/position", by_index
    yield "/alerts/around execution", "/alerts/around", by_name
    yield "/stack_frames/stack_trace", "/stack_frames/stack_trace", by_name
    page = served.get("/execution/data", begin=indices[0], end=indices[0] + 1)
    if frames := page["executions"][0]["stack_frame_ids"]:
        ids: dict[str, object] = {"stack_frame_ids": ",".join(frames)}
        yield "/stack_frames/stack_frames", "/stack_frames/stack_frames", [ids] * TIMES


def _at_traces(served: ServedRun) -> Iterator[Ask]:
    indices = _spread(served.summary["num_graph_executions"])
    if not indices:
        return
    by_index: list[dict[str, object]] = [{"index": index} for index in indices]
    by_name: list[dict[str, object]] = [{"graph_execution_trace_index": i} for i in indices]
    yield "/graph_execution/inputs", "/graph_execution/inputs", by_index
    yield "/graph_execution/position", "/graph_execution/position", by_index
    yield "/alerts/around trace", "/alerts/around", by_name
    traces = [
        served.get("/graph_execution/data", begin=i, end=i + 1)["graph_executions"][0]
        for i in indices
    ]
    graphs = [{"graph_id": trace["graph_id"]} for trace in traces]
    ops = [{"graph_id": trace["graph_id"], "op_name": trace["op_name"]} for trace in traces]
    calls = [{**op, **name} for op, name in zip(ops, by_name, strict=True)]
    yield "/graphs/graph_info", "/graphs/graph_info", graphs
    yield "/graphs/op_info", "/graphs/op_info", ops
    yield "/graphs/neighborhood", "/graphs/neighborhood", calls


def _at_source_lines(served: ServedRun) -> Iterator[Ask]:
    """The file whose lines made the most, and its busiest line."""
    files = served.get("/source_files/summary")["files"]
    if not files:
        return
    file = {"index": max(files, key=lambda file: file["num_ops"])["index"]}
    yield "/source_files/file", "/source_files/file", [file] * TIMES
    yield "/source_files/annotations", "/source_files/annotations", [file] * TIMES
    if lines := served.get("/source_files/annotations", **file)["lines"]:
        line = {**file, "lineno": max(lines, key=lambda line: line["num_ops"])["lineno"]}
        yield "/source_files/line", "/source_files/line", [line] * TIMES


def _spread(total: int) -> list[int]:
    """Indices from the middle on, round to before it."""
    return [(total // 2 + total * i // TIMES) % total for i in range(TIMES)] if total else []
