"""What is measured on which logdirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Literal

from benchmarks.programs import Program, Programs

Measure = Literal[
    "reading",
    "reading beside TensorFlow",
    "reading beside TensorFlow, unmonitored",
    "reopening",
    "refreshing",
    "requests",
    "first alert",
]


@dataclass(frozen=True)
class Step:
    """A logdir, made by a program that repeats itself, and what is measured on it."""

    program: Program
    times: int
    measures: tuple[Measure, ...]


@dataclass(frozen=True)
class Sizes:
    """Events of the logdirs, and bytes of those that are told by bytes; 0 for none."""

    small: int = 270_000
    large: int = 2_700_000
    huge: int = 27_000_000
    whole_tensors_bytes: int = 1_000_000_000
    large_file_bytes: int = 2_000_000_000

    @classmethod
    def divided_by(cls, divisor: int, *, huge: bool) -> Sizes:
        """All sizes in miniature, to try."""
        full = cls(huge=cls.huge if huge else 0)
        return cls(*(size // divisor for size in astuple(full)))


def make_plan(programs: Programs, sizes: Sizes) -> Iterator[Step]:
    """All steps, from small to large."""
    summaries = (programs.graph_executions, programs.executions, programs.keras)
    for program in summaries:
        alert: tuple[Measure, ...] = ("first alert",) if program is programs.executions else ()
        yield Step(
            program,
            program.times_for_events(sizes.small),
            ("reading beside TensorFlow", "reopening", *alert, "refreshing"),
        )
    yield Step(
        programs.whole_tensors,
        programs.whole_tensors.times_for_bytes(sizes.whole_tensors_bytes),
        ("reading beside TensorFlow, unmonitored", "reopening", "requests"),
    )
    for program in summaries:
        alert = ("first alert",) if program is programs.executions else ()
        yield Step(
            program,
            program.times_for_events(sizes.large),
            ("reading", "reopening", *alert, "refreshing", "requests"),
        )
    yield Step(
        programs.executions,
        programs.executions.times_for_bytes(sizes.large_file_bytes),
        ("refreshing",),
    )
    if sizes.huge:
        for program in (programs.graph_executions, programs.executions):
            yield Step(
                program,
                program.times_for_events(sizes.huge),
                ("reading", "reopening", "refreshing", "requests"),
            )
