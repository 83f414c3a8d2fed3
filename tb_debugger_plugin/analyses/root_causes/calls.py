"""Which call of a function an execution is."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses.function_names import FunctionName, parse_function_name
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.parts import part
from tb_debugger_plugin.index.snapshot import Snapshot

MANY_CALLS = 4
"""What is too large from this call on, but was not before, is taken to have grown."""


class CallNumbers:
    """Numbers calls from 1, those of a function whatever it was traced for."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    def of(self, execution_row: int) -> tuple[int, str]:
        """How often a function, or an eager op, had been run by an execution, and its name."""
        executions, index = self._snapshot.executions, self._snapshot.execution_index_of_row
        same = self._alike[executions.op_type] == self._alike[executions.op_type[execution_row]]
        if index is None:
            same = same[: execution_row + 1]
        else:
            same &= index <= index[execution_row]
        op_type = self._snapshot.names.strings.values[executions.op_type[execution_row]]
        function = parse_function_name(op_type)
        return int(np.count_nonzero(same)), function.python_name if function else op_type

    @part
    def _alike(self) -> Int64s:
        """A number for each op type, by string id: that of the first one of the same function."""
        used = np.flatnonzero(np.bincount(self._snapshot.executions.op_type))
        alike = np.arange(int(used.max(initial=-1)) + 1, dtype=np.int64)
        first: dict[tuple[str, bool], int] = {}
        for number in used.tolist():
            function = parse_function_name(self._snapshot.names.strings.values[number])
            if isinstance(function, FunctionName):
                key = (function.python_name, function.kind == "backward")
                alike[number] = first.setdefault(key, number)
        return alike
