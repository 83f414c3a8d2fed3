"""What is measured, each in a process of its own: `python -m benchmarks.contenders NAME LOGDIR`.

Prints one line of JSON: seconds, events, and peak resident memory beyond the imports, in bytes.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

PIECE = 1 << 20


def forget_peak() -> None:
    """The process's peak memory is counted from here on (Linux)."""
    Path("/proc/self/clear_refs").write_text("5")


def peak_bytes() -> int:
    """The process's peak resident memory."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("/proc/self/status tells no VmHWM")


def limit(logdir: str) -> Callable[[], int]:
    """Reading the bytes into one buffer, and one CRC over them: nothing can be faster."""
    from tb_debugger_plugin.events import _native

    def run() -> int:
        buffer = bytearray(PIECE)
        for file in sorted(Path(logdir).iterdir()):
            with file.open("rb", buffering=0) as opened:
                while count := opened.readinto(buffer):
                    _native.crc32c(memoryview(buffer)[:count])
        return 0

    return run


def plugin(logdir: str) -> Callable[[], int]:
    """This project: a run wholly indexed, without a cache."""
    import tb_debugger_plugin

    def run() -> int:
        opened = tb_debugger_plugin.open_run(logdir, cache=False)
        return opened.num_executions + opened.num_graph_executions

    return run


def tensorflow(logdir: str) -> Callable[[], int]:
    """TensorFlow's own reader with its NaN monitor, as TensorBoard's bundled plugin uses them."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    from tensorflow.python.debug.lib import debug_events_monitors, debug_events_reader

    def run() -> int:
        reader = debug_events_reader.DebugDataReader(logdir)
        debug_events_monitors.InfNanMonitor(reader, limit=1000)
        reader.update()
        return int(reader.num_executions() + reader.num_graph_execution_traces())

    return run


CONTENDERS = {"limit": limit, "plugin": plugin, "tensorflow": tensorflow}


def main() -> None:
    """Measures one contender once."""
    name, logdir = sys.argv[1:]
    run = CONTENDERS[name](logdir)
    forget_peak()
    base = peak_bytes()
    start = time.perf_counter()
    events = run()
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "events": events, "bytes": peak_bytes() - base}))


if __name__ == "__main__":
    main()
