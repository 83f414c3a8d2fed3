"""One thing that a run shows of how it was recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tb_debugger_plugin.index.tables import GraphKey

ObservationKind = Literal[
    "executions_dropped",
    "graph_executions_dropped",
    "events_not_written",
    "calls_without_execution",
    "shared_files",
    "switched_dump_root",
    "missing_stack_frames",
    "missing_source_files",
    "missing_graphs",
    "missing_ops",
    "graphs_without_ops",
    "only_graph_executions",
    "dangling_inputs",
    "unobserved_calls",
    "unobserved_functions",
    "no_values",
    "shapes_only",
    "no_counts",
    "unknown_file_version",
    "no_run_id",
    "source_not_captured",
    "nothing_recorded",
]


@dataclass(frozen=True)
class Observation:
    """What the data shows, at most one a kind and file.

    Attributes:
      message: One or two sentences: what was seen, with numbers.
      is_loss: Whether something that was recorded is known to be missing.
      may_pass: Whether what is written next may refute it.
      file: The path of the file that it is about; ``None`` for the run as a whole.
      num_records: Events, ops or frames that it concerns, where they can be counted.
      graphs: The graphs that it concerns.
      offset: ``None``: it is about no single place, unlike a ``Problem``.
      num_bytes: ``None``, likewise.
    """

    kind: ObservationKind
    message: str
    is_loss: bool = False
    may_pass: bool = False
    file: str | None = None
    num_records: int | None = None
    graphs: tuple[GraphKey, ...] = ()
    offset: None = None
    num_bytes: None = None
