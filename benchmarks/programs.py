"""The programs whose records the logdirs are made of."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.logdirs import EVENT_KINDS, count_records, find_file, prolong_program
from benchmarks.processes import REPOSITORY
from tb_debugger_plugin.index.file_sets import FileKind
from tests.corpus.logdirs import unpacked_corpus


@dataclass(frozen=True)
class Program:
    """A real program's logdir, and what of it goes on in a longer one."""

    name: str
    logdir: Path
    prolonged: tuple[FileKind, ...] = EVENT_KINDS

    def times_for_events(self, num_events: int) -> int:
        """How often it has to repeat itself to have that many events at least."""
        return math.ceil(num_events / sum(count_records(self.logdir, k) for k in self.prolonged))

    def times_for_bytes(self, num_bytes: int) -> int:
        """How often it has to repeat itself to fill that many bytes at least."""
        files = (find_file(self.logdir, kind) for kind in self.prolonged)
        return math.ceil(num_bytes / sum(file.stat().st_size for file in files if file))

    @contextmanager
    def prolong(self, scratch: Path, times: int) -> Iterator[Path]:
        """A logdir of ``times`` repetitions, deleted in the end."""
        with TemporaryDirectory(dir=scratch) as folder:
            prolong_program(self.logdir, Path(folder), times, self.prolonged)
            yield Path(folder)


@dataclass(frozen=True)
class Programs:
    """Programs by what most of their events are; half of those of Keras have alerts."""

    graph_executions: Program
    executions: Program
    keras: Program
    whole_tensors: Program


def recorded_programs(scratch: Path) -> Programs:
    """Three of the corpus, and one that is run now: whole tensors are tiny in the corpus."""
    corpus = unpacked_corpus()
    whole_tensors = scratch / "whole_tensors"
    subprocess.run(
        [sys.executable, "-m", "benchmarks.full_tensor_program", str(whole_tensors)],
        cwd=REPOSITORY,
        capture_output=True,
        check=True,
    )
    return Programs(
        graph_executions=Program("graph executions", corpus / "long_run"),
        executions=Program("executions", corpus / "mlp_log0_FULL_HEALTH", ("execution",)),
        keras=Program("events of Keras", corpus / "keras_fit_nan_CONCISE_HEALTH"),
        whole_tensors=Program("whole tensors", whole_tensors),
    )
