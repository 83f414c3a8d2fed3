"""All observations of one snapshot, each looked for when it is asked for, and once."""

from __future__ import annotations

from collections.abc import Iterator

from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.lost_files import is_whole
from tb_debugger_plugin.analyses.observations.calls_seen import UnpairedCalls, unpaired_calls
from tb_debugger_plugin.analyses.observations.dropped import (
    calls_without_execution,
    dropped_executions,
    dropped_traces,
)
from tb_debugger_plugin.analyses.observations.files import (
    events_not_written,
    has_only_traces,
    is_second_dump_root,
    metadata_oddities,
    only_traces,
    shared_files,
    switched_dump_root,
)
from tb_debugger_plugin.analyses.observations.gaps import Gaps, find_gaps
from tb_debugger_plugin.analyses.observations.missing import (
    dangling_inputs,
    missing_frames,
    missing_graphs,
    missing_ops,
)
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.analyses.observations.recording import limits_of_modes, uncaptured_sources
from tb_debugger_plugin.analyses.observations.unobserved import unobserved_functions
from tb_debugger_plugin.analyses.stacks import Stacks
from tb_debugger_plugin.index.parts import part


class Observations:
    """What one snapshot shows of how it was recorded."""

    def __init__(self, traces: JoinedTraces) -> None:
        self._traces = traces
        self._snapshot = traces.snapshot

    @part
    def stacks(self) -> Stacks:
        """Which frames the events name."""
        return Stacks(self._snapshot)

    @part
    def calls(self) -> list[UnpairedCalls]:
        """Calls that only one of the two lists shows."""
        return unpaired_calls(self._traces)

    @part
    def gaps(self) -> Gaps:
        """Where events are missing from the lists."""
        return find_gaps(self._traces, self.stacks, self.calls)

    @part
    def standing(self) -> tuple[Observation, ...]:
        """Those that stay true, however much the program writes from here on."""
        return tuple(self._find_standing())

    @part
    def passing(self) -> tuple[Observation, ...]:
        """Those that may pass while the program writes: what is missing may only be late."""
        return tuple(self._find_passing())

    def _find_standing(self) -> Iterator[Observation]:
        snapshot = self._snapshot
        yield from shared_files(snapshot)
        yield from dropped_executions(snapshot, self.gaps)
        yield from dropped_traces(snapshot, self.gaps, self.calls)
        yield from limits_of_modes(snapshot)
        yield from metadata_oddities(snapshot)
        yield from uncaptured_sources(snapshot)

    def _find_passing(self) -> Iterator[Observation]:
        snapshot = self._snapshot
        yield from events_not_written(snapshot, self.stacks)
        if is_second_dump_root(snapshot):
            yield from switched_dump_root(snapshot)
        elif has_only_traces(snapshot):
            yield from only_traces(snapshot)
        else:
            yield from missing_frames(snapshot, self.stacks)
            yield from missing_graphs(snapshot)
            yield from missing_ops(snapshot, self._traces.per_op)
            yield from dangling_inputs(snapshot)
        yield from calls_without_execution(snapshot, self.gaps, self.calls)
        if not self.gaps.traces and is_whole(snapshot, "graph_execution_traces"):
            yield from unobserved_functions(snapshot, self._traces.per_graph)
