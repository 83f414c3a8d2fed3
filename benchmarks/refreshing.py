"""A run that grows: indexing what was appended, and the first pages after that."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path

from benchmarks.logdirs import EVENT_KINDS, TimedRecords, find_file
from benchmarks.processes import Numbers
from benchmarks.serving import ServedRun

APPENDED = 1 << 20
TIMES = 5


def refreshing(logdir: Path) -> Numbers:
    """Milliseconds of a refresh and of the first pages then; the logdir is as before afterwards.

    What is appended to the largest file of events is its first MiB, moved in time behind all else.
    """
    files = [file for kind in EVENT_KINDS if (file := find_file(logdir, kind))]
    file = max(files, key=lambda file: file.stat().st_size)
    size = file.stat().st_size
    served = ServedRun(logdir)
    served.stop_reading()
    run, num_events = served.run, served.num_events
    route = "/execution/digests" if file.name.endswith(".execution") else "/graph_execution/rows"
    with file.open("rb") as opened:
        records = TimedRecords(opened.read(APPENDED))
    times = records.wall_times
    last = max(
        float(table.wall_time.max())
        for table in (run.executions, run.graph_executions)
        if len(table)
    )
    refreshes, pages = [], []
    try:
        for _ in range(TIMES):
            records.move(last - min(times) + 0.001)
            times = records.wall_times
            last = max(times)
            with file.open("ab") as opened:
                opened.write(records.content)
            before = served.num_events
            start = time.perf_counter()
            run.refresh()
            refreshes.append((time.perf_counter() - start) * 1e3)
            assert served.num_events == before + len(records)
            pages.append(served.timed("/runs")[1] + served.start_of_list(route))
    finally:
        os.truncate(file, size)
    return {
        "refresh": statistics.median(refreshes),
        "pages": statistics.median(pages),
        "events": num_events,
        "bytes": size,
    }
