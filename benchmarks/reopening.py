"""Opening a run that was read before, from the index that was kept on disk."""

from __future__ import annotations

import time
from pathlib import Path

from benchmarks.memory import Memory
from benchmarks.processes import Numbers


def opening(logdir: Path) -> Numbers:
    """Seconds until a run is there, by its index; the first time that is made, too."""
    import tb_debugger_plugin

    memory = Memory()
    start = time.perf_counter()
    run = tb_debugger_plugin.open_run(logdir, cache=True)
    seconds = time.perf_counter() - start
    events = run.num_executions + run.num_graph_executions
    return {"seconds": seconds, "events": events, "bytes": memory.peak}
