"""`make bench`: speed and memory beside TensorFlow's own reader, in one run.

Makes its logdirs by repeating records of the corpus, measures every contender in processes of its
own, several rounds, side by side, and writes medians with ratios to docs/benchmarks.md.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from werkzeug.test import Client

from benchmarks.logdirs import repeat_records
from tb_debugger_plugin.api.app import make_apps
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.search import Root
from tests.corpus.logdirs import absence, unpacked_corpus

REPOSITORY = Path(__file__).resolve().parent.parent
RESULT = REPOSITORY / "docs" / "benchmarks.md"
SOURCES: dict[str, tuple[str, FileKind]] = {
    "graph executions": ("long_run", "graph_execution_traces"),
    "executions": ("mlp_log0_FULL_HEALTH", "execution"),
}


def measure(contender: str, logdir: Path) -> dict[str, float]:
    """One process's answer."""
    command = [sys.executable, "-m", "benchmarks.contenders", contender, str(logdir)]
    ended = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, check=True)
    answer: dict[str, float] = json.loads(ended.stdout.splitlines()[-1])
    return answer


def ingest_rows(scratch: Path, num_events: int, rounds: int, with_tensorflow: bool) -> list[str]:
    """A table of cold reading, contenders side by side."""
    rows = []
    for what, (case, kind) in SOURCES.items():
        logdir = scratch / f"{kind}_{num_events}"
        repeat_records(unpacked_corpus() / case, logdir, kind, num_events)
        size = sum(file.stat().st_size for file in logdir.iterdir()) / 1e6
        measured: dict[str, list[dict[str, float]]] = {"limit": [], "plugin": [], "tensorflow": []}
        for turn in range(rounds):
            measured["limit"].append(measure("limit", logdir))
            measured["plugin"].append(measure("plugin", logdir))
            if with_tensorflow and turn < 2:
                measured["tensorflow"].append(measure("tensorflow", logdir))
        seconds = {
            name: statistics.median(m["seconds"] for m in answers)
            for name, answers in measured.items()
            if answers
        }
        events = measured["plugin"][0]["events"]
        memory = statistics.median(m["bytes"] for m in measured["plugin"]) / events
        theirs = seconds.get("tensorflow")
        beside = f"{theirs:.1f} s | {theirs / seconds['plugin']:.0f}" if theirs else " | "
        rows.append(
            f"| {events:,.0f} {what} | {size:,.0f} MB | {seconds['limit']:.3f} s "
            f"| {seconds['plugin']:.3f} s | {beside} "
            f"| {seconds['plugin'] / seconds['limit']:.1f} | {memory:.0f} B |"
        )
    return rows


def median_ms(ask: Callable[[], Any], rounds: int) -> float:
    """Median milliseconds of a call, after one to warm up."""
    ask()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        ask()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3


def query_rows(scratch: Path, num_events: int, rounds: int) -> list[str]:
    """A table of what requests take on a loaded run, and of a refresh after an append."""
    rows = []
    for what, (case, kind) in SOURCES.items():
        logdir = scratch / f"{kind}_{num_events}"
        repeat_records(unpacked_corpus() / case, logdir, kind, num_events)
        library = RunLibrary([Root("", str(logdir))])
        apps = make_apps(library)

        def get(path: str, **query: object) -> Any:
            answer = Client(apps[path]).get("/?" + urlencode(query))  # noqa: B023
            assert answer.status_code == 200, answer.data
            return json.loads(answer.data)

        while not (runs := get("/runs")) or runs["."]["status"] == "loading":
            time.sleep(0.1)
        route, total = (
            ("/graph_execution/rows", get("/graph_execution/rows", run=".")["num_rows"])
            if kind == "graph_execution_traces"
            else ("/execution/digests", runs["."]["num_executions"])
        )
        asked = {
            f"200 {what} at the {place}": (route, {"begin": begin, "end": begin + 200})
            for place, begin in (("start", 0), ("middle", total // 2), ("end", total - 200))
        }
        asked["alerts, first 200"] = (
            "/alerts",
            {"begin": 0, "end": min(200, runs["."]["num_alerts"])},
        )
        for label, (path, query) in asked.items():
            took = median_ms(lambda: get(path, run=".", **query), rounds * 4)  # noqa: B023
            rows.append(f"| {label} of {num_events:,} | {took:.1f} ms |")
        if kind == "graph_execution_traces":
            # Each filter is a new one: an answer that is remembered is no measure.
            fresh = iter([text[:n] for text in ("ReadVariableOp", "MatMul") for n in range(2, 7)])
            took = median_ms(
                lambda: get("/graph_execution/rows", run=".", text=next(fresh)),  # noqa: B023
                5,
            )
            rows.append(f"| a new text filter over {num_events:,} | {took:.1f} ms |")
        library.close()
        rows.append(_refresh_row(logdir, kind, what, num_events))
    return rows


def _refresh_row(logdir: Path, kind: FileKind, what: str, num_events: int) -> str:
    from tb_debugger_plugin.runs.open_run import open_run

    run = open_run(logdir, cache=False)
    file = next(logdir.glob(f"*.{kind}"))
    whole = next((unpacked_corpus() / SOURCES[what][0]).glob(f"*.{kind}")).read_bytes()
    times = []
    for _ in range(5):
        with file.open("ab") as out:
            out.write(whole * max(1, (1 << 20) // len(whole)))
        start = time.perf_counter()
        run.refresh()
        times.append(time.perf_counter() - start)
    took = statistics.median(times) * 1e3
    return f"| refresh after 1 MB was appended to {num_events:,} {what} | {took:.1f} ms |"


def main() -> None:
    """Measures, prints, and writes docs/benchmarks.md."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--huge", action="store_true", help="27 million events too (16 GB of disk)")
    options = parser.parse_args()
    if reason := absence():
        raise SystemExit(f"no benchmark: {reason}")
    lines = [
        "# Benchmarks",
        "",
        "`make bench` writes this file. Times are medians of processes measured in turns in one "
        "run; compare the ratios, the seconds are one machine's "
        f"({os.cpu_count()} cores, Python {platform.python_version()}).",
        "",
        "The *limit* reads the bytes into one buffer and takes one CRC over them. *TensorFlow* is "
        "its own reader with its NaN monitor.",
        "",
        "## Reading a logdir, without a cache",
        "",
        "| events | size | limit | plugin | TensorFlow | times as fast | times the limit "
        "| memory an event |",
        "|---|---|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory(dir=REPOSITORY / ".cache") as folder:
        scratch = Path(folder)
        lines += ingest_rows(scratch, 250_000, options.rounds, with_tensorflow=True)
        lines += ingest_rows(scratch, 2_700_000, 3, with_tensorflow=False)
        if options.huge:
            lines += ingest_rows(scratch, 27_000_000, 1, with_tensorflow=False)
        lines += ["", "## Asking a run that is read", "", "| request | time |", "|---|---|"]
        lines += query_rows(scratch, 2_700_000, options.rounds)
    text = "\n".join(lines) + "\n"
    print(text)
    RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
