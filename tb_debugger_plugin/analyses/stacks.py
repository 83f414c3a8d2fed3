"""Which stack frames the events of a snapshot name, and which of those are on disk."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int32s, Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot

MOST_LOCATIONS = 20_000
"""Further code locations are not looked at: each takes microseconds."""


class Stacks:
    """The stacks of the first code locations of a snapshot.

    Frames are numbered in the order in which they were written.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.num_locations = min(len(snapshot.names.locations), MOST_LOCATIONS)

    @property
    def all_are_known(self) -> bool:
        """Whether no location was left out."""
        return self.num_locations == len(self._snapshot.names.locations)

    @part
    def is_missing(self) -> Mask:
        """Whether each location names a frame that is not on disk."""
        missing = np.zeros(self.num_locations, dtype=np.bool_)
        missing[self._location_of_entry[self._frame_of_entry < 0]] = True
        return missing

    def misses_frames(self, locations: Int32s) -> Mask:
        """Whether each of some locations names a frame that is not on disk; -1 names none."""
        # The last entry is for -1, and for those that were not looked at.
        missing = np.append(self.is_missing, False)
        return missing[np.minimum(locations, self.num_locations)]

    @part
    def num_executions(self) -> Int64s:
        """How many executions were made at each location."""
        return self._count(self._snapshot.executions.location)

    @part
    def num_ops(self) -> Int64s:
        """How many graph ops were made at each location."""
        return self._count(self._snapshot.ops.location)

    @part
    def of_executions(self) -> Mask:
        """Which frames are in the stack of an execution."""
        return self._frames_of(self.num_executions > 0)

    @part
    def of_ops(self) -> Mask:
        """Which frames are in the stack of a graph op."""
        return self._frames_of(self.num_ops > 0)

    def _frames_of(self, locations: Mask) -> Mask:
        named = np.zeros(len(self._snapshot.frames), dtype=np.bool_)
        frames = self._frame_of_entry[locations[self._location_of_entry]]
        named[frames[frames >= 0]] = True
        return named

    def _count(self, locations: Int32s) -> Int64s:
        # -1, which stands for no location, is counted first.
        counts = np.bincount(locations.astype(np.int64) + 1, minlength=self.num_locations + 1)
        return counts[1 : self.num_locations + 1]

    @part
    def _location_of_entry(self) -> Int64s:
        return self._entries[0]

    @part
    def _frame_of_entry(self) -> Int64s:
        """-1 for a frame that is not on disk."""
        return self._entries[1]

    @part
    def _entries(self) -> tuple[Int64s, Int64s]:
        """All frames of all stacks, one after another: location and frame number of each."""
        snapshot = self._snapshot
        number_of = {frame_id: number for number, frame_id in enumerate(snapshot.frames)}
        frames: list[int] = []
        lengths: list[int] = []
        for location in range(self.num_locations):
            frame_ids = snapshot.location(location).frame_ids
            frames.extend(number_of.get(frame_id, -1) for frame_id in frame_ids)
            lengths.append(len(frame_ids))
        locations = np.repeat(np.arange(len(lengths)), lengths)
        return locations, np.array(frames, dtype=np.int64)
