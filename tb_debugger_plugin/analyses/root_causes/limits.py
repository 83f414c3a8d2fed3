"""What a run cannot tell about its causes, and how to record it so that the next one can."""

from __future__ import annotations

from collections.abc import Iterator

from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.snapshot import Snapshot

RECORD_ALL = (
    "tf.debugging.experimental.enable_dump_debug_info("
    'dump_root, tensor_debug_mode="FULL_HEALTH", circular_buffer_size=-1)'
)

_WITHOUT_VALUES = (debug_modes.NO_TENSOR, debug_modes.SHAPE)
_OF_LOST_EVENTS = ("executions_dropped", "graph_executions_dropped", "calls_without_execution")
_OF_CODE_NOT_WATCHED = ("unobserved_calls", "only_graph_executions")


def limits_of(
    snapshot: Snapshot, observations: tuple[Observation, ...], num_not_looked_at: int = 0
) -> Iterator[str]:
    """Sentences, each with the call that would have recorded more, if one would.

    Args:
      snapshot: The run.
      observations: What it shows of how it was recorded.
      num_not_looked_at: The alerts of more ops than are looked at.

    """
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
    if kinds.intersection(_OF_CODE_NOT_WATCHED):
        yield (
            "Some functions or threads were not watched. Before any function is traced, and in the "
            f"thread that runs them, call {RECORD_ALL}"
        )
