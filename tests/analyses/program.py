"""A recorded program and the questions that tests of analyses put to it."""

from __future__ import annotations

from tb_debugger_plugin import open_run
from tb_debugger_plugin.analyses.graph_functions import OpInput
from tb_debugger_plugin.analyses.producers import Call, Origin, Producers
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey
from tests.builders.logdir import LogdirBuilder


class Program:
    """What was built, read back. Graphs and ops are named as they were built."""

    def __init__(self, built: LogdirBuilder) -> None:
        self.view: View = open_run(built.directory, cache=False).view
        self.snapshot: Snapshot = self.view.snapshot

    @property
    def producers(self) -> Producers:
        return self.view.producers

    def graph(self, name: str) -> GraphKey:
        """The last graph of that name; "" is the outermost one."""
        graphs = self.snapshot.graphs.values()
        return [graph.key for graph in graphs if (graph.name or "") == name][-1]

    def op(self, graph: str, name: str) -> OpKey:
        found = self.snapshot.find_op(self.graph(graph), name)
        assert found is not None
        return found

    def op_name(self, op: OpKey) -> str:
        return self.snapshot.names.op_name(op)

    def op_of_trace(self, row: int) -> str:
        return self.op_name(OpKey(int(self.snapshot.traces.op[row])))

    def calls(self) -> list[tuple[str, str | None]]:
        """Each trace in the order of the file: its op, and the op type of its execution."""
        executions, strings = self.snapshot.executions, self.snapshot.names.strings.values
        return [
            (
                self.op_of_trace(row),
                None if execution < 0 else strings[executions.op_type[execution]],
            )
            for row, execution in enumerate(self.view.calls.tolist())
        ]

    def call(self, execution: int) -> Call:
        """A call with all of its traces in view."""
        return Call(execution, len(self.snapshot.traces))

    def inputs_of_trace(self, row: int) -> list[Origin]:
        """Where the inputs of a trace's op were recorded, at the trace's own call."""
        call = self.producers.call_of_trace(row)
        op = OpKey(int(self.snapshot.traces.op[row]))
        return [self.producers.origin(tensor, call) for tensor in self.view.functions.inputs(op)]

    def origin(self, graph: str, op: str, execution: int, slot: int = 0) -> Origin:
        """Where the value of an op's output was recorded, at the end of a call."""
        return self.producers.origin(OpInput(self.op(graph, op), slot), self.call(execution))
