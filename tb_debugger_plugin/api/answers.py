"""What every handler answers from: one run at one moment, with conversions of rows and names."""

from __future__ import annotations

from collections.abc import Callable

from tb_debugger_plugin.analyses.producers import Origin
from tb_debugger_plugin.analyses.time_order import TimeOrder
from tb_debugger_plugin.api.errors import NotFound, quote
from tb_debugger_plugin.api.pages import check_index
from tb_debugger_plugin.api.payloads import GraphReference, Producer, SourceLocation, TensorHealth
from tb_debugger_plugin.api.values import execution_health, trace_health
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey, OpKey
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.run import Run


class RunAnswer:
    """The moment of a run that one answer is given from: all in it agrees."""

    def __init__(self, run: Run) -> None:
        self.moment = run.moment
        self.view = self.moment.view
        self.snapshot: Snapshot = self.view.snapshot
        self.executions = TimeOrder.of_executions(self.snapshot)
        self.traces = TimeOrder.of_traces(self.snapshot)

    # Time order <-> rows.

    def execution_row(self, index: int) -> int:
        """The row of an execution.

        Raises:
          NotFound: There is no such execution.
        """
        return self.executions.row(check_index(index, len(self.executions), "execution"))

    def execution_index(self, row: int) -> int:
        """The index of an execution's row."""
        return self.executions.index(row)

    def trace_row(self, index: int) -> int:
        """The row of a graph execution trace.

        Raises:
          NotFound: There is no such trace.
        """
        return self.traces.row(check_index(index, len(self.traces), "graph execution"))

    def trace_index(self, row: int) -> int:
        """The index of a trace's row."""
        return self.traces.index(row)

    # Names.

    def string(self, string: int) -> str | None:
        """A string by id."""
        return None if string < 0 else self.snapshot.names.strings.values[string]

    def graph_id(self, graph: GraphKey | int) -> str:
        """A graph's id on disk."""
        return self.snapshot.names.graph_ids.values[graph]

    def graph_name(self, graph: GraphKey | int) -> str | None:
        """A graph's name; ``None`` for an outermost graph and one that is not on disk."""
        known = self.snapshot.graphs.get(GraphKey(int(graph)))
        return known.name if known else None

    def graph_reference(self, graph: GraphKey) -> GraphReference:
        """A graph as others refer to it."""
        per_graph = self.view.traces_per_graph
        return GraphReference(self.graph_id(graph), self.graph_name(graph), int(per_graph[graph]))

    def find_graph(self, graph_id: str) -> GraphKey:
        """A graph by its id.

        Raises:
          NotFound: No record names it.
        """
        graph = self.snapshot.find_graph(graph_id)
        if graph is None:
            raise NotFound(f"there is no graph with id {quote(graph_id)}")
        return graph

    def find_op(self, graph_id: str, op_name: str) -> OpKey:
        """An op by graph and name.

        Raises:
          NotFound: No record names it.
        """
        op = self.snapshot.find_op(self.find_graph(graph_id), op_name)
        if op is None:
            raise NotFound(
                f"there is no op named {quote(op_name)} in the graph with id {quote(graph_id)}"
            )
        return op

    def location_of_op(self, op: OpKey | int) -> int:
        """The code location that created an op; -1 if it is not on disk."""
        row = self.snapshot.row_of_op(op)
        return -1 if row is None else int(self.snapshot.ops.location[row])

    def user_source(self, location: int) -> SourceLocation | None:
        """The innermost user frame of a code location."""
        frame = self.view.code.innermost_user_frame(location)
        if frame is None:
            return None
        source = self.snapshot.sources[frame.source]
        return SourceLocation(
            source.host_name, source.file_path, frame.lineno, frame.function, frame.source
        )

    # Values.

    def output_value_row(self, execution_row: int, slot: int) -> int | None:
        """The row of an output's value; ``None`` where none is recorded for the slot."""
        executions = self.snapshot.executions
        value_row = int(executions.value_end[execution_row]) + slot
        if value_row >= executions.value_end[execution_row + 1]:
            return None
        known = self.view.output_slot_of_value(execution_row, value_row)
        return value_row if known == slot else None

    def producer(self, origin: Origin) -> Producer:
        """An origin as the wire says it."""
        graph = None if origin.op is None else self.snapshot.names.graph_of(origin.op)
        health: TensorHealth | None = None
        if origin.trace_row is not None:
            health = trace_health(self.snapshot, origin.trace_row)
        elif origin.execution_row is not None and origin.execution_slot is not None:
            value_row = self.output_value_row(origin.execution_row, origin.execution_slot)
            if value_row is not None:
                health = execution_health(self.snapshot, origin.execution_row, value_row)
        return Producer(
            graph_id=None if graph is None else self.graph_id(graph),
            graph_name=None if graph is None else self.graph_name(graph),
            op_name=None if origin.op is None else self.snapshot.names.op_name(origin.op),
            op_type=self._origin_type(origin),
            output_slot=origin.slot,
            graph_execution_trace_index=_map(self.trace_index, origin.trace_row),
            execution_index=_map(self.execution_index, origin.execution_row),
            execution_output_slot=origin.execution_slot,
            health=health,
            reason=origin.reason,
        )

    def _origin_type(self, origin: Origin) -> str | None:
        if origin.op is not None:
            return self.snapshot.op_type(origin.op)
        if origin.execution_row is not None:
            return self.string(int(self.snapshot.executions.op_type[origin.execution_row]))
        return None


def _map(convert: Callable[[int], int], row: int | None) -> int | None:
    return None if row is None else convert(row)


def answer_from(library: RunLibrary, name: str) -> RunAnswer:
    """The run of that name, as it is now.

    Raises:
      NotFound: There is none (yet).
    """
    run = library.find(name)
    if run is None:
        raise NotFound(f"there is no run {quote(name)}; /runs lists those that were found")
    return RunAnswer(run)
