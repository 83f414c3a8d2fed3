"""docs/benchmarks.md: every measure beside its budget."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version

from benchmarks import budgets
from benchmarks.budgets import Budget
from benchmarks.measuring import Result
from benchmarks.pages import FIRST
from benchmarks.processes import Numbers
from benchmarks.serving import ROWS
from benchmarks.tables import NOTHING, Judgements, table

_INTRODUCTION = """\
`make bench` writes this file, `make bench HUGE=1` with logdirs of 27 million events too. Every
logdir is made of real records: a program's dump is prolonged as if it had done all that it did
over and over again. Every number is the median of rounds in which all contenders take their turns,
each in a process of its own; files were read once before, so the disk is not what is measured.
Compare the ratios: the seconds are those of one machine
({cores} cores, {memory:.0f} GiB, Python {python}, TensorFlow {tensorflow}).

- *graph executions*, *executions*: a healthy tf.function and a NaN-ridden network trained by eager
  ops, in FULL_HEALTH mode. *events of Keras*: `fit()` with NaN, in CONCISE_HEALTH mode; its traces
  are not in order of time. *whole tensors*: FULL_TENSOR mode, 8 to 32 KiB a tensor as a rule.
- The *limit* reads the bytes into one buffer and takes one CRC over them: no reader is faster.
- *TensorFlow* is its own reader with its NaN monitor, as the bundled plugin uses them. At whole
  tensors the two wait for each other forever; the reader alone, which looks for no NaN, is in
  brackets.
- ✓ and ✗ tell whether a budget holds.
"""


def report(results: Sequence[Result]) -> str:
    """The whole document."""
    judged = Judgements()
    sections = [
        _reading(results, judged),
        _linearity(results, judged),
        _memory(results, judged),
        _reopening(results),
        _refreshing(results, judged),
        _first_alert(results),
        _pages(results, judged),
        _first_pages(results),
        _filters(results, judged),
    ]
    introduction = _INTRODUCTION.format(
        cores=os.cpu_count(),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30,
        python=platform.python_version(),
        tensorflow=_tensorflow_version(),
    )
    lines = ["# Benchmarks", "", introduction, "## At a glance", "", *judged.table()]
    return "\n".join(lines + [line for section in sections for line in section])


def _reading(results: Sequence[Result], judged: Judgements) -> list[str]:
    rows = []
    for result in _with(results, "plugin"):
        limit, plugin = (result.answers[name]["seconds"] for name in ("limit", "plugin"))
        budget = budgets.TIMES_LIMIT.get(result.program)
        rows.append(
            [
                result.name,
                f"{result.num_bytes / 1e6:,.0f} MB",
                _seconds(limit),
                _seconds(plugin),
                *_beside_tensorflow(result, plugin, judged),
                judged.cell(plugin / limit, budget, result.name)
                if budget
                else f"{plugin / limit:.1f}×",
            ]
        )
    columns = ["logdir", "size", "limit", "this project", "TensorFlow"]
    columns += [
        f"as fast as TensorFlow ({budgets.TIMES_TENSORFLOW})",
        "beside the limit",
    ]
    return ["## Reading a logdir, without a cache", "", *table(columns, rows)]


def _beside_tensorflow(result: Result, plugin: float, judged: Judgements) -> tuple[str, str]:
    """TensorFlow's time, and how many times as fast this project is."""
    if answer := result.answers.get("tensorflow"):
        theirs = answer["seconds"]
        times = judged.cell(theirs / plugin, budgets.TIMES_TENSORFLOW, result.name)
        return _seconds(theirs), times
    if answer := result.answers.get("unmonitored"):
        theirs = answer["seconds"]
        return f"({_seconds(theirs)})", f"({budgets.TIMES_TENSORFLOW.show(theirs / plugin)})"
    return NOTHING, NOTHING


def _linearity(results: Sequence[Result], judged: Judgements) -> list[str]:
    rows = []
    for program, of_program in _by_program(_with(results, "plugin")):
        if len(of_program) < 2:
            continue
        each = [
            1e6 * result.answers["plugin"]["seconds"] / result.num_events for result in of_program
        ]
        cells = [
            f"{microseconds:.2f} µs at {result.num_events / 1e3:,.0f} k"
            for microseconds, result in zip(each, of_program, strict=True)
        ]
        growth = judged.cell(each[-1] / each[0], budgets.GROWTH, program)
        rows.append([program, ", ".join(cells), growth])
    columns = ["program", "time an event", f"largest beside smallest ({budgets.GROWTH})"]
    return ["## Time an event", "", *table(columns, rows)]


def _memory(results: Sequence[Result], judged: Judgements) -> list[str]:
    rows = []
    for result in _with(results, "plugin"):
        events = result.num_events
        read = result.answers["plugin"]["bytes"]
        theirs = result.answers.get("tensorflow")
        rows.append(
            [
                result.name,
                f"{read / 1e6:,.0f} MB",
                judged.cell(read / events, budgets.MEMORY, result.name),
                *_memory_of_pages(result, judged),
                f"{theirs['bytes'] / 1e6:,.0f} MB" if theirs else NOTHING,
            ]
        )
    columns = ["logdir", "reading", f"an event ({budgets.MEMORY})"]
    columns += ["kept after every page", f"an event ({budgets.MEMORY_KEPT})", "at most meanwhile"]
    columns += ["TensorFlow, reading"]
    return [
        "## Memory",
        "",
        "The peak of the process, or what it keeps; without what it held when all was imported.",
        "",
        *table(columns, rows),
    ]


def _memory_of_pages(result: Result, judged: Judgements) -> list[str]:
    pages = result.answers.get("pages")
    if not pages:
        return [NOTHING] * 3
    kept, budget = pages["kept"] / result.num_events, budgets.MEMORY_KEPT
    return [
        f"{pages['kept'] / 1e6:,.0f} MB",
        judged.cell(kept, budget, result.name)
        if budget.is_for(result.num_events)
        else budget.show(kept),
        f"{pages['asked'] / 1e6:,.0f} MB",
    ]


def _reopening(results: Sequence[Result]) -> list[str]:
    rows = []
    for result in _with(results, "reopened"):
        first, again = result.answers["filling"], result.answers["reopened"]
        rows.append(
            [
                result.name,
                _seconds(first["seconds"]),
                _seconds(again["seconds"]),
                f"{first['seconds'] / again['seconds']:.1f}×",
                f"{again['bytes'] / 1e6:,.0f} MB",
                f"{first['kept'] / 1e6:,.0f} MB",
            ]
        )
    columns = ["logdir", "first time", "again", "as fast", "memory again", "index on disk"]
    return [
        "## Opening a run again, by its index on disk",
        "",
        "The first time the index is written, too. Small runs have none.",
        "",
        *table(columns, rows),
    ]


def _refreshing(results: Sequence[Result], judged: Judgements) -> list[str]:
    rows = []
    for program, of_program in _by_program(_with(results, "refreshing")):
        answers = [(result, result.answers["refreshing"]) for result in of_program]
        for result, answer in answers:
            rows.append(
                [
                    result.name,
                    f"{answer['bytes'] / 1e6:,.0f} MB",
                    f"{answer['refresh']:.1f} ms",
                    judged.cell(
                        answer["refresh"] / answers[0][1]["refresh"],
                        budgets.REFRESH_GROWTH,
                        program,
                    ),
                    f"{answer['pages']:.0f} ms",
                ]
            )
    columns = ["logdir", "file", "refresh", f"beside the smallest ({budgets.REFRESH_GROWTH})"]
    return [
        "## A run that grows",
        "",
        "1 MB was appended. The last column is what a page in view asks for then: the run's "
        f"counts, the number of rows and {ROWS} of them.",
        "",
        *table([*columns, "first answers then"], rows),
    ]


def _first_alert(results: Sequence[Result]) -> list[str]:
    rows = []
    for result in _with(results, "first alert"):
        bare, first, again = (
            result.answers[name]["seconds"] for name in ("bare", "first alert", "first alert again")
        )
        rows.append(
            [
                result.name,
                f"{bare:.1f} s",
                *(f"{took:.1f} s ({took - bare:+.1f} s)" for took in (first, again)),
            ]
        )
    return [
        "## First alert",
        "",
        "From the start of a real `tensorboard` process to the first answer over HTTP that holds "
        "an alert, beside TensorBoard's first answer of any kind on an empty logdir.",
        "",
        *table(["logdir", "TensorBoard alone", "first alert", "again, with an index"], rows),
    ]


def _pages(results: Sequence[Result], judged: Judgements) -> list[str]:
    return [
        "## Pages",
        "",
        f"{ROWS} rows of a list; the whole answer, gzip included, in the server's process.",
        "",
        *_requests(_with(results, "pages"), "pages", budgets.PAGE, judged),
    ]


def _filters(results: Sequence[Result], judged: Judgements) -> list[str]:
    return [
        "## Filters",
        "",
        f"The number of rows and the first {ROWS} of them; no filter was asked for before. "
        "The budget is for 2.7 million events.",
        "",
        *_requests(_with(results, "filters"), "filters", budgets.FILTER, judged),
    ]


def _requests(asked: Sequence[Result], kind: str, budget: Budget, judged: Judgements) -> list[str]:
    """A row a request, a column a logdir."""
    rows = []
    for label in _labels([result.answers[kind] for result in asked]):
        cells = []
        for result in asked:
            took = result.answers[kind].get(label)
            if took is None:
                cells.append(NOTHING)
            elif not budget.is_for(result.num_events):
                cells.append(budget.show(took))
            else:
                where = f"{_request(label)}, {result.name}"
                cells.append(judged.cell(took, budget, where))
        rows.append([_request(label), str(budget), *cells])
    return table(["request", "budget", *(result.name for result in asked)], rows)


def _first_pages(results: Sequence[Result]) -> list[str]:
    asked = _with(results, "pages")
    rows = []
    for label in _labels([result.answers["pages"] for result in asked]):
        took = [result.answers["pages"].get(FIRST + label) for result in asked]
        if not all(budgets.PAGE.holds(milliseconds or 0.0) for milliseconds in took):
            rows.append([_request(label), *map(_milliseconds, took)])
    return [
        "### First answers",
        "",
        "What is derived from the whole run is derived once, by who asks first, in this order. "
        f"Listed is what then took more than {budgets.PAGE.bound:g} ms.",
        "",
        *table(["request", *(result.name for result in asked)], rows),
    ]


def _labels(answers: Sequence[Numbers]) -> list[str]:
    """All requests that any of the answers tells of, in the order of who tells of most."""
    longest_first = sorted(answers, key=len, reverse=True)
    labels = dict.fromkeys(label for numbers in longest_first for label in numbers)
    return [label for label in labels if label.startswith("/")]


def _request(label: str) -> str:
    """A request as Markdown: the route as code."""
    route, _, what = label.partition(" ")
    return f"`{route}` {what}".rstrip()


def _with(results: Sequence[Result], answer: str) -> list[Result]:
    return [result for result in results if answer in result.answers]


def _by_program(results: Sequence[Result]) -> list[tuple[str, list[Result]]]:
    """Results of each program, from small to large."""
    by_size = sorted(results, key=lambda result: result.num_bytes)
    programs = dict.fromkeys(result.program for result in results)
    return [(p, [result for result in by_size if result.program == p]) for p in programs]


def _tensorflow_version() -> str:
    try:
        return version("tensorflow")
    except PackageNotFoundError:
        return "none"


def _seconds(seconds: float) -> str:
    return f"{seconds:.3f} s" if seconds < 10 else f"{seconds:.1f} s"


def _milliseconds(milliseconds: float | None) -> str:
    return NOTHING if milliseconds is None else f"{milliseconds:.0f} ms"
