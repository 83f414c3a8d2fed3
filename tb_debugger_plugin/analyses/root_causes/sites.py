"""Where in the program an event's op is, whichever version of a function it is in."""

from __future__ import annotations

import re

from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.root_causes.cause import BadEvent
from tb_debugger_plugin.analyses.root_causes.gradients import Forward
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

Site = tuple[object, ...]
"""Equal for two events of one place."""

_NUMBER_OF_VERSION = re.compile(r"_\d+\Z")


class Sites:
    """Answers for one snapshot.

    A function that is traced anew has ops of the same types and names, made by the same lines:
    these are one place. An op is a place of its own where its line or its function's name is not
    known, and eager calls are one by code location and op type.
    """

    def __init__(self, snapshot: Snapshot, code: Code) -> None:
        self._snapshot = snapshot
        self._code = code

    def of(self, event: BadEvent | Forward) -> Site:
        """Where an event's op, or an eager op's call, is."""
        if event.op is None:
            return (event.location, event.op_type)
        functions = self._functions_around(event.op)
        if not functions or self._code.innermost_user_frame(event.location) is None:
            return (event.op,)
        name = self._snapshot.names.op_name(event.op)
        return (*functions, event.op_type, name, *self._lines(event.location, functions[0]))

    def _functions_around(self, op: OpKey) -> list[str]:
        """Names of the functions, loops and branches that it is in, outermost first."""
        path = self._snapshot.graph_path(self._snapshot.names.graph_of(op))
        known = [graph for key in path if (graph := self._snapshot.graphs.get(key)) and graph.name]
        names = [graph.name or "" for graph in known]
        # Loops and branches have another number in each version.
        return names[:1] + [_NUMBER_OF_VERSION.sub("", name) for name in names[1:]]

    def _lines(self, location: int, function: str) -> list[tuple[int | None, int]]:
        """The user's lines in a function, outermost first; with its callers' if it is not found."""
        frame_ids = self._snapshot.location(location).frame_ids
        frames = [frame for each in frame_ids if (frame := self._snapshot.frames.get(each))]
        users = [frame for frame in frames if self._code.is_user_frame(frame)]
        own = [place for place, frame in enumerate(users) if frame.function == function]
        return [(frame.source, frame.lineno) for frame in users[own[0] if own else 0 :]]
