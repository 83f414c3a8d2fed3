"""Who reads a logdir from its first byte to its last: a bound, this project, and TensorFlow.

Each answers seconds, events and the peak of memory in bytes; what it imports counts for neither.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.logdirs import read_pieces
from benchmarks.memory import Memory
from benchmarks.processes import Numbers


def limit(logdir: Path) -> Numbers:
    """Reading the bytes into one buffer, and one CRC over them: no reader can be faster."""
    from tb_debugger_plugin.events import _native

    def read() -> int:
        for piece in read_pieces(logdir):
            _native.crc32c(piece)
        return 0

    return _timed(read)


def plugin(logdir: Path) -> Numbers:
    """This project: a run wholly indexed, without a cache."""
    import tb_debugger_plugin

    def read() -> int:
        run = tb_debugger_plugin.open_run(logdir, cache=False)
        return run.num_executions + run.num_graph_executions

    return _timed(read)


def tensorflow(logdir: Path) -> Numbers:
    """TensorFlow's own reader with its NaN monitor, as TensorBoard's bundled plugin uses them."""
    return _tensorflow(logdir, monitored=True)


def tensorflow_unmonitored(logdir: Path) -> Numbers:
    """TensorFlow's own reader alone, which looks for no NaN.

    At a tensor that was recorded whole its monitor waits forever for a lock that its reader holds.
    """
    return _tensorflow(logdir, monitored=False)


def _tensorflow(logdir: Path, *, monitored: bool) -> Numbers:
    from tensorflow.python.debug.lib import debug_events_monitors, debug_events_reader

    def read() -> int:
        reader = debug_events_reader.DebugDataReader(str(logdir))
        if monitored:
            debug_events_monitors.InfNanMonitor(reader, limit=1000)
        reader.update()
        return int(reader.num_executions() + reader.num_graph_execution_traces())

    return _timed(read)


def _timed(read: Callable[[], int]) -> Numbers:
    memory = Memory()
    start = time.perf_counter()
    events = read()
    seconds = time.perf_counter() - start
    return {"seconds": seconds, "events": events, "bytes": memory.peak}
