"""A run at one moment: whatever is said of it is of one snapshot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tb_debugger_plugin.analyses.observations.gaps import Gaps
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index import file_sets
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.problems import Problem
from tb_debugger_plugin.index.snapshot import Snapshot

RunProblem = Problem | Observation

RunStatus = Literal["loading", "live", "complete", "damaged"]

LIVE_SECONDS = 60.0
"""A run written to this recently counts as still running: files have no end mark."""


@dataclass(frozen=True)
class RunMoment:
    """What was read of a run, at a time in seconds since the epoch."""

    view: View
    time: float

    @property
    def snapshot(self) -> Snapshot:
        """The run's tables."""
        return self.view.snapshot

    @property
    def status(self) -> RunStatus:
        """How far the run is read and in what state its files are."""
        if not self.snapshot.is_whole:
            return "loading"
        if any(problem.is_loss for problem in self.problems):
            return "damaged"
        return "live" if self.is_live else "complete"

    @property
    def is_live(self) -> bool:
        """Whether the program may still be writing."""
        modified = max((p.modified for p in self.snapshot.progress), default=0.0)
        # A file server's clock may be ahead.
        return abs(self.time - modified) < LIVE_SECONDS

    @part
    def problems(self) -> list[RunProblem]:
        """What was lost, cannot be shown or is good to know.

        While the run is written to, what may only be late is left out; while it is read for the
        first time, all that is told of the whole.
        """
        observations = self.view.observations
        is_read, has_ended = self.snapshot.is_whole, not self.is_live
        found: list[RunProblem] = [
            problem
            for problem in self.snapshot.problems
            if problem.kind != "cut_record" or (is_read and has_ended)
        ]
        if is_read:
            found += [o for o in observations.standing if has_ended or not o.may_pass]
        if is_read and has_ended:
            found += observations.passing
        return found

    @property
    def gaps(self) -> Gaps:
        """Where events are missing from the lists; none while the run is read for the first time.

        While it is written to, only those that will last.
        """
        if not self.snapshot.is_whole:
            return Gaps((), ())
        gaps = self.view.observations.gaps
        return gaps.lasting if self.is_live else gaps

    @property
    def run_id(self) -> str:
        """The tfdbg run id; "" where none is recorded."""
        return file_sets.run_id(self.snapshot.file_sets)

    @property
    def start_time(self) -> float | None:
        """When the debugger was enabled, in seconds since the epoch."""
        return file_sets.start_time(self.snapshot.file_sets)

    @property
    def tensorflow_version(self) -> str | None:
        """The TensorFlow that wrote the run."""
        return file_sets.tensorflow_version(self.snapshot.file_sets)

    @property
    def hosts(self) -> list[str]:
        """Names of the hosts that wrote the run."""
        return file_sets.host_names(self.snapshot.file_sets)

    @property
    def debug_modes(self) -> list[str]:
        """Names of the tensor debug modes that records have."""
        return [debug_modes.name(number) for number in sorted(self.snapshot.debug_modes)]

    @property
    def bytes_read(self) -> int:
        """Bytes of the run's files that were read."""
        return sum(progress.bytes_read for progress in self.snapshot.progress)

    @property
    def bytes_total(self) -> int:
        """Bytes of the run's files when they were last looked at."""
        return sum(progress.size for progress in self.snapshot.progress)
