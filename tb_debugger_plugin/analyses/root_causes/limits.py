"""What a run cannot tell about its causes, and what to copy, or how to record, so that one can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tb_debugger_plugin.analyses.lost_files import absent_files, damaged_files
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.index.snapshot import Snapshot

RECORD_ALL = (
    "tf.debugging.experimental.enable_dump_debug_info("
    'dump_root, tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1)'
)

_WITHOUT_VALUES = (debug_modes.NO_TENSOR, debug_modes.SHAPE)
_OF_LOST_EVENTS = ("executions_dropped", "graph_executions_dropped", "calls_without_execution")
_OF_CODE_NOT_WATCHED = ("unobserved_calls",)

_CONTENTS: Mapping[FileKind, str] = {
    "execution": "what was executed eagerly, and what calls of functions returned",
    "graph_execution_traces": "what went on inside functions",
    "graphs": "what the ops inside functions are",
    "stack_frames": "at which lines of the program that was",
    "source_files": "in which files these lines are",
}
"""What causes are found by, or shown with."""


def limits_of(
    snapshot: Snapshot, observations: tuple[Observation, ...], num_not_looked_at: int = 0
) -> Iterator[str]:
    """Sentences, what was lost first, each with what would tell more, if something would.

    Args:
      snapshot: The run.
      observations: What it shows of how it was recorded.
      num_not_looked_at: The alerts of more ops than are looked at.

    """
    yield from _of_lost_files(snapshot)
    if num_not_looked_at:
        yield (
            f"So many ops went bad that what made {num_not_looked_at:,} of the alerts bad was not "
            "looked for. Mute what you know, or record a shorter run."
        )
    for mode in _WITHOUT_VALUES:
        if mode in snapshot.debug_modes:
            name = debug_modes.name(mode)
            yield f"{name} mode records no NaN or ∞. Record values with {RECORD_ALL}"
    if debug_modes.CURT_HEALTH in snapshot.debug_modes:
        yield (
            "CURT_HEALTH mode counts no elements: what kind of bad value it was is not known. "
            f"Record counts with {RECORD_ALL}"
        )
    if debug_modes.CONCISE_HEALTH in snapshot.debug_modes:
        yield (
            "CONCISE_HEALTH mode counts no zeros or negative elements: what an input held is not "
            f"known. Record them with {RECORD_ALL}"
        )
    kinds = {observation.kind for observation in observations}
    if kinds.intersection(_OF_LOST_EVENTS):
        yield (
            "Events are missing, so the first bad value may be among them. Keep all events with "
            f"{RECORD_ALL}"
        )
    if "only_graph_executions" in kinds:
        yield (
            "These are a worker's files alone. Copy those of the program that built the graphs "
            "into the same directory."
        )
    if kinds.intersection(_OF_CODE_NOT_WATCHED):
        yield (
            "Some functions or threads were not watched. Before any function is traced, and in the "
            f"thread that runs them, call {RECORD_ALL}"
        )


def _of_lost_files(snapshot: Snapshot) -> Iterator[str]:
    absent, damaged = absent_files(snapshot), damaged_files(snapshot)
    for kind, contents in _CONTENTS.items():
        if kind in absent:
            yield (
                f"A file `.{kind}` is missing or cannot be read: it tells {contents}. Copy it too "
                "from where the program ran, and see that it can be read."
            )
        if kind in damaged:
            yield (
                f"A file `.{kind}` is damaged: it tells {contents}. Copy it again from where the "
                "program ran."
            )
