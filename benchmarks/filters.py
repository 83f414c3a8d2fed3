"""What a filter takes that was not asked for before, over all events of a run that is read.

As in the front end that is two requests: how many rows there are, and the first 200 of them. Each
filter is asked for once in a process: lists that are remembered are no measure. The unfiltered
list was looked at before, as by any user.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.processes import Numbers
from benchmarks.serving import ServedRun

Filters = dict[str, dict[str, object]]


def filters(logdir: Path) -> Numbers:
    """Milliseconds by route and filter."""
    served = ServedRun(logdir)
    numbers: Numbers = {}
    for path, asked in (
        ("/graph_execution/rows", _trace_filters(served)),
        ("/execution/digests", _execution_filters(served)),
    ):
        if asked:
            served.start_of_list(path)
        for label, parameters in asked.items():
            numbers[f"{path} {label}"] = served.start_of_list(path, **parameters)
    served.stop_reading()
    return numbers


def _trace_filters(served: ServedRun) -> Filters:
    total = served.summary["num_graph_executions"]
    if not total:
        return {}
    early, trace, late = (
        served.get("/graph_execution/data", begin=at, end=at + 1)["graph_executions"][0]
        for at in (total // 3, total // 2, 2 * total // 3)
    )
    filters: Filters = {
        **_texts(trace["op_type"]),
        "NaN and infinity only": {"inf_nan": 1},
        "all zero only": {"all_zero": 1},
        "dtype": {"dtype": "float32"},
        "device": {"device": trace["device_name"]},
        "graph": {"graph_id": trace["graph_id"]},
        "op": {"graph_id": trace["graph_id"], "op_name": trace["op_name"]},
        "a third of the time": {"begin_time": early["wall_time"], "end_time": late["wall_time"]},
        "loops collapsed": {"collapse": 1},
    }
    if trace["execution_index"] is not None:
        filters["call"] = {"execution_index": trace["execution_index"]}
    filters["several at once, collapsed"] = {
        "text": trace["op_type"][1:],
        "dtype": "float32",
        "graph_id": trace["graph_id"],
        "begin_time": early["wall_time"],
        "collapse": 1,
    }
    return filters


def _execution_filters(served: ServedRun) -> Filters:
    total = served.summary["num_executions"]
    if not total:
        return {}
    early, execution, late = (
        served.get("/execution/data", begin=at, end=at + 1)["executions"][0]
        for at in (total // 3, total // 2, 2 * total // 3)
    )
    devices = served.get("/devices")["devices"]
    graphs = served.get("/graphs/list")["graphs"]
    filters: Filters = {
        **_texts(execution["op_type"]),
        "NaN and infinity only": {"inf_nan": 1},
        "all zero only": {"all_zero": 1},
        "dtype": {"dtype": "float32"},
        "a third of the time": {"begin_time": early["wall_time"], "end_time": late["wall_time"]},
        "several at once": {
            "text": execution["op_type"][1:],
            "inf_nan": 1,
            "dtype": "float32",
            "begin_time": early["wall_time"],
        },
    }
    if devices:
        filters["device"] = {"device": devices[0]["device_name"]}
    if graphs:
        filters["graph"] = {"graph_id": graphs[-1]["graph_id"]}
    return filters


def _texts(op_type: str) -> Filters:
    """A text that some events have, and patterns of which one part matches some as well."""
    start = op_type.lstrip("_")[:3]
    return {
        "text": {"text": start.lower()},
        "text of none": {"text": "no such op"},
        "regular expression": {"text": f"^{start}[A-Za-z0-9_]*$|grad.*[0-9]$", "regex": 1},
    }
