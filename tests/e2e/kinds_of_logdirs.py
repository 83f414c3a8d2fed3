"""One small run of each important kind, as programs, crashes and copies leave them behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from tb_debugger_plugin.events import debug_modes
from tests.analyses.observations.seen import call, whole_program
from tests.builders.logdir import CPU, logdir

WORKER = "/job:worker/replica:0/task:{}/device:CPU:0"


def two_run_ids(directory: Path) -> None:
    """Two programs recorded into one directory."""
    logdir(directory, run_id="aaaaaaaa").execution("Sqrt", nan=1)
    logdir(directory, run_id="bbbbbbbb", started=1_700_000_060).execution("Exp").execution("Add")


def hosts(directory: Path) -> None:
    """A client and two workers."""
    client = whole_program(logdir(directory, host="client"), num_calls=1)
    for task in range(2):
        worker = client.add_host(f"worker-{task}", started=1_700_000_002 + task)
        worker.in_graph("f").trace("Sqrt", nan=1, device=WORKER.format(task))


def killed(directory: Path) -> None:
    """The end of two files was still in memory."""
    built = whole_program(logdir(directory))
    built.truncate("execution", 9).truncate("stack_frames", 9)


def ring_buffer(directory: Path) -> None:
    """Both buffers overflowed before a flush and again behind it."""
    built = whole_program(logdir(directory), num_calls=0)
    built.frame("setup", "train.py", line=2).frame("loop", "train.py", line=1)
    for _ in range(6):
        built.trace("Sqrt").trace("mul").execution("__inference_f_1", graph="f", stack=["loop"])
        built.execution("Mul", stack=["loop"])
    built.drop_eager_tensors(100)
    call(built, ops=())
    for _ in range(6):
        call(built)


def tf1_session(directory: Path) -> None:
    """``Session.run``, twice."""
    run = logdir(directory).source("train.py", lines=["y = tf.log(x)"]).frame("f1", "train.py")
    run.graph("").op("Placeholder", "x", stack=["f1"])
    run.op("Log", "log", inputs=["x:0"], stack=["f1"])
    for _ in range(2):
        run.trace("x").trace("log", neg_inf=1)


def no_metadata(directory: Path) -> None:
    """All files but one were copied."""
    whole_program(logdir(directory)).remove("metadata")


def damaged(directory: Path) -> None:
    """A bit of one record is wrong, and one file is not there."""
    built = whole_program(logdir(directory)).remove("source_files")
    offset = built.record_offsets("graph_execution_traces")[2]
    built.flip_bit("graph_execution_traces", offset + 20)


def no_tensor(directory: Path) -> None:
    """The mode that records no values."""
    whole_program(logdir(directory, mode=debug_modes.NO_TENSOR))


def compiled(directory: Path) -> None:
    """XLA compiled one of two functions."""
    built = whole_program(logdir(directory)).graph("compiled", outer="").op("Exp", "Exp")
    built.execution("__inference_compiled_1", graph="compiled", stack=["top"])


def no_step(directory: Path) -> None:
    """The program ended before its first op."""
    logdir(directory)


def notebook(directory: Path) -> None:
    """The program is a cell."""
    cell = "/tmp/ipykernel_7/1234.py"
    run = logdir(directory).source(cell).frame("f", cell, line=3, function="<cell line: 1>")
    run.execution("Log", nan=1, stack=["f"])


def dangling(directory: Path) -> None:
    """An op has an input that nothing makes."""
    built = whole_program(logdir(directory)).op("Log", "log", inputs=["gone:0"], stack=["top"])
    built.trace("log", nan=1)
    call(built)


def running(directory: Path) -> None:
    """The program goes on; the files of what its events refer to lag behind."""
    built = whole_program(logdir(directory))
    built.trace("not written yet", nan=1).execution("Add", stack=["top", "nor this"])


def threads(directory: Path) -> None:
    """One thread calls a function, and another builds one, without the debugger."""
    built = call(call(whole_program(logdir(directory)), executed=False))
    built.graph("", graph_id="of the thread").graph("elsewhere", outer="of the thread")


def whole(directory: Path) -> None:
    """Nothing is amiss but a NaN."""
    built = whole_program(logdir(directory)).device(CPU)
    built.trace("Sqrt", nan=2)
    call(built, ops=())


KINDS: Mapping[str, Callable[[Path], None]] = {
    "two programs": two_run_ids,
    "hosts": hosts,
    "killed": killed,
    "ring buffer": ring_buffer,
    "tf1 session": tf1_session,
    "no metadata": no_metadata,
    "damaged": damaged,
    "no tensor": no_tensor,
    "compiled": compiled,
    "no step": no_step,
    "notebook": notebook,
    "dangling": dangling,
    "deep/läuft 走る & #1 50%": whole,
    "threads": threads,
    "running": running,
}
"""By the run's directory."""


def build_all(directory: Path) -> None:
    """Makes all of them, as if they had ended an hour ago."""
    for name, build in KINDS.items():
        build(directory / name)
        for path in (directory / name).iterdir():
            modified = path.stat().st_mtime - 3600
            os.utime(path, (modified, modified))


def goes_on(directory: Path) -> None:
    """Lets the program of the run that is still going write now."""
    for path in (directory / "running").iterdir():
        os.utime(path)
