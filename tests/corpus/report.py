"""Prints what the reader makes of every run of the corpus: ``python -m tests.corpus.report``."""

from __future__ import annotations

import sys

from tests.corpus.logdirs import absence
from tests.corpus.observation import Observation, observe
from tests.corpus.truth import COUNTS, RunTruth, agree, runs


def main() -> int:
    """Prints the table; the answer is the exit code."""
    reason = absence()
    if reason:
        print(reason, file=sys.stderr)
        return 2
    print(_row("", "run", COUNTS, "first alerts"))
    num_different = 0
    for run in runs():
        observation = observe(run.path, run.run_id)
        cells = [_cell(run, observation, name) for name in COUNTS]
        alerts_agree = agree(observation.first_alerts, run.first_alerts)
        agrees = alerts_agree and not any("/" in cell for cell in cells)
        num_different += not agrees
        verdict = "same" if alerts_agree else "DIFFERENT"
        print(_row(" " if agrees else "!", run.name, cells, verdict))
    print(f"{len(runs())} runs, {num_different} different from the truth (shown as read/truth)")
    return 1 if num_different else 0


def _cell(run: RunTruth, observation: Observation, name: str) -> str:
    read, truth = observation.counts[name], run.counts[name]
    agrees = read >= truth if run.is_damaged else read == truth
    return str(read) if agrees else f"{read}/{truth}"


def _row(mark: str, name: str, cells: tuple[str, ...] | list[str], last: str) -> str:
    return f"{mark:1} {name:44}" + "".join(f"{cell:>13}" for cell in cells) + f"  {last}"


if __name__ == "__main__":
    sys.exit(main())
