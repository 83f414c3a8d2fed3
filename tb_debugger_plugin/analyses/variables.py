"""Variables: which ops read and update them."""

from __future__ import annotations

import re

READS = frozenset({"ReadVariableOp", "ResourceGather", "ResourceGatherNd"})
RESTORES = frozenset({"Restore", "RestoreSlice", "RestoreV2"})
HANDLES = frozenset({"VarHandleOp", "VariableV2", "Variable"})
_UPDATES = re.compile(r"Assign\w*VariableOp|Resource(Sparse)?Apply\w+|ResourceScatter\w+|Assign\w*")


def is_update(op_type: str) -> bool:
    """Whether an op updates the variable whose handle is its first input.

    >>> is_update("AssignSubVariableOp"), is_update("ResourceApplyAdam"), is_update("Sub")
    (True, True, False)
    """
    return _UPDATES.fullmatch(op_type) is not None
