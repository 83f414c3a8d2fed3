"""`make bench`: speed and memory beside TensorFlow's own reader, in one run.

Prints the tables and writes them to docs/benchmarks.md; tells on stderr how far it is.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.measuring import measure
from benchmarks.plan import Sizes, make_plan
from benchmarks.processes import REPOSITORY
from benchmarks.programs import recorded_programs
from benchmarks.report import report
from benchmarks.scratch import scratch_folder
from tests.corpus.logdirs import absence


def main() -> None:
    """Measures, prints, and writes the document."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--huge", action="store_true", help="27 M events too: 16 GB of disk")
    parser.add_argument("--shrink", type=int, default=1, help="divide all sizes by this, to try")
    parser.add_argument("--output", type=Path, default=REPOSITORY / "docs" / "benchmarks.md")
    options = parser.parse_args()
    if reason := absence():
        raise SystemExit(f"no benchmark: {reason}")
    sizes = Sizes.divided_by(options.shrink, huge=options.huge)
    with scratch_folder(REPOSITORY / ".cache" / "benchmarks") as scratch:
        programs = recorded_programs(scratch)
        results = [measure(step, scratch, options.rounds) for step in make_plan(programs, sizes)]
    text = report(results)
    sys.stdout.write(text)
    options.output.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
