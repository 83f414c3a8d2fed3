"""Measurements in processes of their own, taken in turns.

A measurement is a function of a logdir that answers numbers by name. It runs in a fresh process,
so that nothing is remembered from one to the next, neither answers nor memory.
"""

from __future__ import annotations

import importlib
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tb_debugger_plugin.index.cache import FOLDER_VARIABLE

Numbers = dict[str, float]
Measurement = Callable[[Path], Numbers]

REPOSITORY = Path(__file__).resolve().parent.parent


def environment(cache: Path | None) -> dict[str, str]:
    """A process's environment variables; ``None`` for no index on disk."""
    return {
        **os.environ,
        FOLDER_VARIABLE: "off" if cache is None else str(cache),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "CUDA_VISIBLE_DEVICES": "",
    }


def in_own_process(measurement: Measurement, logdir: Path, *, cache: Path | None = None) -> Numbers:
    """What a measurement answers in a new process.

    Args:
      measurement: A function of a module.
      logdir: What it is about.
      cache: Where indexes are kept; ``None`` for nowhere.

    Raises:
      RuntimeError: It failed; the message is what it wrote to stderr.
    """
    name = f"{measurement.__module__}:{measurement.__name__}"
    ended = subprocess.run(
        [sys.executable, "-m", "benchmarks.processes", name, str(logdir)],
        cwd=REPOSITORY,
        env=environment(cache),
        capture_output=True,
        text=True,
        check=False,
    )
    if ended.returncode:
        raise RuntimeError(f"{name} failed on {logdir}:\n{ended.stderr}")
    answer: Numbers = json.loads(ended.stdout.splitlines()[-1])
    return answer


def in_turns(
    measurements: Mapping[str, Callable[[], Numbers]],
    rounds: int,
    at_most: Mapping[str, int] | None = None,
) -> dict[str, Numbers]:
    """Medians over rounds, in each of which every measurement has its turn.

    Whatever else the machine does meanwhile thus meets all of them alike.

    Args:
      measurements: By name.
      rounds: How many.
      at_most: The rounds of those that have fewer, by name.
    """
    answers: dict[str, list[Numbers]] = {name: [] for name in measurements}
    for turn in range(rounds):
        for name, measure in measurements.items():
            if turn < (at_most or {}).get(name, rounds):
                answers[name].append(measure())
    return {name: medians(taken) for name, taken in answers.items()}


def medians(answers: Sequence[Numbers]) -> Numbers:
    """The median of each number."""
    return {key: statistics.median(answer[key] for answer in answers) for key in answers[0]}


def main() -> None:
    """Runs the measurement that the parent names, and prints a line of JSON."""
    name, logdir = sys.argv[1:]
    module, _, function = name.partition(":")
    measure: Measurement = getattr(importlib.import_module(module), function)
    print(json.dumps(measure(Path(logdir))))


if __name__ == "__main__":
    main()
