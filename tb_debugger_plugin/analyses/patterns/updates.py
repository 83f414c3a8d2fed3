"""Variables that a function updates."""

from __future__ import annotations

from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.variables import READS, is_update
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import OpKey

_MOST_USES = 64
"""Of a variable's handle that are looked at."""


def is_read(snapshot: Snapshot, op: OpKey) -> bool:
    """Whether an op reads a variable."""
    return snapshot.op_type(op) in READS


def is_read_and_updated(snapshot: Snapshot, functions: GraphFunctions, op: OpKey) -> bool:
    """Whether an op reads a variable that its own graph updates."""
    handle = functions.input_at(op, 0)
    if not is_read(snapshot, op) or handle is None:
        return False
    consumers = functions.consumers(handle.op, _MOST_USES, 1)
    return any(
        slot == 0 and is_update(snapshot.op_type(user) or "")
        for uses in consumers.values()
        for user, slot in uses.first
    )
