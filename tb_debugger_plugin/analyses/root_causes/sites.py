"""Where in the program an event's op is, whichever version of a function it is in."""

from __future__ import annotations

from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent
from tb_debugger_plugin.analyses.root_causes.gradients import Forward
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

Site = tuple[int | str | None, ...]
"""Equal for two events of one place."""


class Sites:
    """Answers for one snapshot.

    A function that is traced anew has ops of the same names, made by the same lines: these are one
    place. An op is a place of its own where its line or its function's name is not known, and eager
    calls are one by code location and op type.
    """

    def __init__(self, snapshot: Snapshot, code: Code) -> None:
        self._snapshot = snapshot
        self._code = code

    def of(self, event: BadEvent | Forward) -> Site:
        """Where an event's op, or an eager op's call, is."""
        if event.op is None:
            return (event.location, event.op_type)
        name = self._function_of(event.op)
        frame = self._code.innermost_user_frame(event.location)
        if name is None or frame is None:
            return (event.op,)
        return (name, self._snapshot.names.op_name(event.op), frame.source, frame.lineno)

    def _function_of(self, op: OpKey) -> str | None:
        # Of loops and branches each version has a name of its own.
        path = self._snapshot.graph_path(self._snapshot.names.graph_of(op))
        named = [known.name for key in path if (known := self._snapshot.graphs.get(key))]
        return next((name for name in named if name), None)
