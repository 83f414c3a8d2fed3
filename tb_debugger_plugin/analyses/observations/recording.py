"""What the program was told to record, and could."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tb_debugger_plugin.analyses.libraries import library_of
from tb_debugger_plugin.analyses.observations.observation import Observation, ObservationKind
from tb_debugger_plugin.analyses.observations.words import count_of, listed
from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.snapshot import Snapshot

_LIMITS: dict[int, tuple[ObservationKind, str]] = {
    debug_modes.NO_TENSOR: ("no_values", "tells which tensors were computed and nothing of them"),
    debug_modes.SHAPE: ("shapes_only", "tells dtypes and shapes of tensors, and no value"),
    debug_modes.CURT_HEALTH: (
        "no_counts",
        "tells of each tensor whether it holds NaN or ∞, not how many",
    ),
}


def limits_of_modes(snapshot: Snapshot) -> Iterator[Observation]:
    """Debug modes that leave questions open."""
    modes = np.bincount(snapshot.executions.mode, minlength=256)
    modes += np.bincount(snapshot.traces.mode, minlength=256)
    num_events = int(modes.sum())
    for mode, (kind, words) in _LIMITS.items():
        number = int(modes[mode])
        if number:
            verb = "was" if number == 1 else "were"
            some = f"{count_of(number, 'event')} {verb}"
            concerned = "All events were" if number == num_events > 1 else some
            yield Observation(
                kind,
                f"{concerned} recorded in {debug_modes.name(mode)} mode, which {words}.",
                num_records=number,
            )


def uncaptured_sources(snapshot: Snapshot) -> Iterator[Observation]:
    """The user's own files whose text is not on disk."""
    paths = [
        source.file_path
        for source in snapshot.sources
        if not source.num_lines and library_of(source.file_path) is None
    ]
    if paths:
        yield Observation(
            "source_not_captured",
            f"The text of {listed(paths)} was not recorded; line numbers were.",
            num_records=len(paths),
        )
