"""The sources of many ops' inputs as columns, so that NumPy looks them up together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.provenance.recorded_sources import (
    ArgumentSource,
    Source,
    TracedSource,
    UnseenSource,
)
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.tables import OpKey

_TRACED, _INITIAL, _UNSEEN, _UNSEEN_CALL, _ARGUMENT, _NONE = range(6)


@dataclass(frozen=True)
class PlainOp:
    """An op that is looked at together with others.

    ``members`` are its alerts, as places among those of traces. ``inputs`` has the sources of each
    input, of which the traced ones are the only outputs of their ops, and ``handle`` those of the
    variable that it reads.
    """

    op: OpKey
    op_type: str
    members: Int64s
    inputs: list[list[Source]]
    handle: list[Source]

    @property
    def num_sources(self) -> int:
        """The most that an input has."""
        return max(map(len, [*self.inputs, self.handle]))


@dataclass(frozen=True)
class SourceColumn:
    """A source a row, or none.

    ``op`` is what was traced or not seen, or the Placeholder of an argument; ``argument`` and
    ``num_parameters`` are -1 for what is no argument of the function ``graph``.
    """

    kind: Int64s
    op: Int64s
    argument: Int64s
    num_parameters: Int64s
    graph: Int64s

    @property
    def is_traced(self) -> Mask:
        """Where a tensor left traces."""
        is_traced: Mask = (self.kind == _TRACED) | self.is_initial
        return is_traced

    @property
    def is_initial(self) -> Mask:
        """Where of those a loop was given it, which may have returned another one."""
        is_initial: Mask = self.kind == _INITIAL
        return is_initial

    @property
    def is_unseen(self) -> Mask:
        """Where a tensor left none."""
        is_unseen: Mask = (self.kind == _UNSEEN) | (self.kind == _UNSEEN_CALL)
        return is_unseen

    @property
    def is_call(self) -> Mask:
        """Where a function that the graph calls made a tensor without traces."""
        is_call: Mask = self.kind == _UNSEEN_CALL
        return is_call

    def take(self, rows: Int64s) -> SourceColumn:
        """Some rows."""
        return SourceColumn(
            self.kind[rows],
            self.op[rows],
            self.argument[rows],
            self.num_parameters[rows],
            self.graph[rows],
        )


def source_columns(inputs: list[list[Source]]) -> Iterator[SourceColumn]:
    """The first sources of some inputs, then the second ones, as far as any has one."""
    for number in range(max(map(len, inputs), default=0)):
        rows = [_row(sources[number] if number < len(sources) else None) for sources in inputs]
        yield SourceColumn(*np.array(rows, dtype=np.int64).T)


def argument_column(source: ArgumentSource, num_rows: int) -> SourceColumn:
    """An argument, once for each of some rows."""
    return SourceColumn(*np.repeat([_row(source)], num_rows, axis=0).T)


def _row(source: Source | None) -> tuple[int, int, int, int, int]:
    if isinstance(source, TracedSource):
        return _INITIAL if source.is_initial else _TRACED, source.op, -1, -1, -1
    if isinstance(source, UnseenSource):
        return _UNSEEN_CALL if source.is_call else _UNSEEN, source.op, -1, -1, -1
    if isinstance(source, ArgumentSource):
        placeholder = source.placeholder
        return _ARGUMENT, placeholder, source.argument, source.num_parameters, source.graph
    return _NONE, -1, -1, -1, -1
