"""Takes the steps of a plan: makes each logdir, measures, deletes it."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import contenders
from benchmarks.filters import filters
from benchmarks.first_alert import bare_start, first_alert
from benchmarks.logdirs import num_bytes, warm
from benchmarks.pages import pages
from benchmarks.plan import Measure, Step
from benchmarks.processes import Measurement, Numbers, in_own_process, in_turns
from benchmarks.refreshing import refreshing
from benchmarks.reopening import opening

MOST_SLOW_ROUNDS = 3
"""What takes seconds has no more rounds than this: it varies less."""
_LARGE_BYTES = 4e9


@dataclass
class Result:
    """What was measured on a logdir: medians by measurement."""

    program: str
    num_bytes: int
    answers: dict[str, Numbers] = field(default_factory=dict)

    @property
    def num_events(self) -> int:
        """As this project counts them."""
        told = (answer["events"] for answer in self.answers.values() if answer.get("events"))
        return int(next(told))

    @property
    def name(self) -> str:
        """The logdir in few words."""
        return f"{self.num_events:,} {self.program}"


def measure(step: Step, scratch: Path, rounds: int) -> Result:
    """Takes a step.

    Args:
      step: What to make and to measure.
      scratch: A folder on disk; as it was before, afterwards.
      rounds: How many medians are of.
    """
    _say(f"{step.times} times {step.program.name}")
    with step.program.prolong(scratch, step.times) as logdir:
        warm(logdir)
        result = Result(step.program.name, num_bytes(logdir))
        for name in step.measures:
            slow = name in ("requests", "first alert") or result.num_bytes > _LARGE_BYTES
            taken = in_turns(
                _contenders(name, logdir, scratch),
                min(rounds, MOST_SLOW_ROUNDS) if slow else rounds,
                at_most=dict.fromkeys(("tensorflow", "unmonitored"), MOST_SLOW_ROUNDS),
            )
            result.answers |= taken
            _say(f"  {name}: {_in_short(taken)}")
    return result


def _contenders(name: Measure, logdir: Path, scratch: Path) -> dict[str, Callable[[], Numbers]]:
    """What takes turns in a measure."""

    def on(measurement: Measurement) -> Callable[[], Numbers]:
        return lambda: in_own_process(measurement, logdir)

    reading = {"limit": on(contenders.limit), "plugin": on(contenders.plugin)}
    if name == "reading":
        return reading
    if name == "reading beside TensorFlow":
        return {**reading, "tensorflow": on(contenders.tensorflow)}
    if name == "reading beside TensorFlow, unmonitored":
        return {**reading, "unmonitored": on(contenders.tensorflow_unmonitored)}
    index = scratch / "index"
    if name == "reopening":
        return {
            "filling": lambda: _fill(index, logdir),
            "reopened": lambda: in_own_process(opening, logdir, cache=index),
        }
    if name == "refreshing":
        return {"refreshing": on(refreshing)}
    if name == "requests":
        return {"pages": on(pages), "filters": on(filters)}
    _fill(index, logdir)
    return {
        "bare": lambda: bare_start(scratch),
        "first alert": lambda: first_alert(logdir),
        "first alert again": lambda: first_alert(logdir, cache=index),
    }


def _fill(index: Path, logdir: Path) -> Numbers:
    """Opens a run that has no index yet; ``kept`` are the bytes of the one that it has then."""
    shutil.rmtree(index, ignore_errors=True)
    answer = in_own_process(opening, logdir, cache=index)
    kept = sum(file.stat().st_size for file in index.rglob("*") if file.is_file())
    return {**answer, "kept": kept}


def _in_short(answers: dict[str, Numbers]) -> str:
    """One number a contender, for who looks on."""
    return ", ".join(
        f"{name} {next(iter(numbers.values())):.3g}" for name, numbers in answers.items()
    )


def _say(line: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {line}", file=sys.stderr, flush=True)
