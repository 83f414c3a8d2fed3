"""Functions of the user that are compiled again and again, and what differed between the versions.

A graph is recorded for each concrete function, under the Python function's name. Its ops tell the
lines of that function, and so which function of that name it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.function_names import is_backward_graph, parse_function_name
from tb_debugger_plugin.analyses.graph_functions import PLACEHOLDERS, GraphFunctions
from tb_debugger_plugin.analyses.joined_traces import JoinedTraces
from tb_debugger_plugin.analyses.observations.words import count_of, listed
from tb_debugger_plugin.analyses.patterns.given import GivenValues
from tb_debugger_plugin.analyses.patterns.pattern import Argument, Pattern, Version
from tb_debugger_plugin.analyses.patterns.thresholds import (
    AMONG_CALLS,
    COMPILED,
    COMPILED_FOR_ONE_CALL,
    MOST_ARGUMENTS,
    MOST_VERSIONS,
)
from tb_debugger_plugin.analyses.time_order import TimeOrder
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.tables import Graph, GraphKey, OpKey

_MOST_OPS = 64
"""Of a graph whose lines are looked at."""


@dataclass(frozen=True)
class _Lines:
    """Where the ops of a graph were made, in the function that it is of."""

    source: int
    first: int
    last: int


class Retracing:
    """Looks for the functions of one snapshot that are compiled again and again."""

    def __init__(self, joined: JoinedTraces, functions: GraphFunctions, code: Code) -> None:
        self._joined = joined
        self._snapshot = joined.snapshot
        self._functions = functions
        self._code = code
        self._order = TimeOrder.of_executions(joined.snapshot)
        self._num_versions_left = 10 * MOST_VERSIONS
        self._places: dict[tuple[int, str], tuple[int, int] | None] = {}

    def patterns(self) -> Iterator[Pattern]:
        """Patterns in order of the functions' creation."""
        for name, graphs in self._by_name().items():
            if len(graphs) >= COMPILED_FOR_ONE_CALL:
                for same in self._same_function(name, graphs):
                    if len(same) >= COMPILED_FOR_ONE_CALL:
                        yield from self._pattern(name, same)

    def _by_name(self) -> dict[str, list[Graph]]:
        """Functions that the program calls: those within others are compiled with these."""
        found: dict[str, list[Graph]] = {}
        graphs = self._snapshot.graphs
        for graph in graphs.values():
            outer = graphs.get(graph.outer) if graph.outer is not None else None
            is_outermost = outer is None or not outer.name
            if graph.name and is_outermost and not is_backward_graph(graph.name):
                found.setdefault(graph.name, []).append(graph)
        return found

    def _same_function(self, name: str, graphs: list[Graph]) -> Iterator[list[GraphKey]]:
        """The graphs of each function of a name: lines of two functions do not overlap."""
        known = [(self._lines(graph.key, name), graph.key) for graph in graphs]
        placed = [(lines, key) for lines, key in known if lines is not None]
        placed.sort(key=lambda each: (each[0].source, each[0].first))
        same: list[GraphKey] = []
        source, last = -1, -1
        for lines, key in placed:
            if lines.source != source or lines.first > last:
                if same:
                    yield sorted(same)
                same, source, last = [], lines.source, lines.last
            same.append(key)
            last = max(last, lines.last)
        if same:
            yield sorted(same)

    def _lines(self, graph: GraphKey, name: str) -> _Lines | None:
        """``None`` for a function that is not the user's, or whose frames are not on disk."""
        locations = self._snapshot.ops.location[self._functions.op_rows(graph)[:_MOST_OPS]]
        found = {self._place(each, name) for each in set(locations.tolist())} - {None}
        places = sorted(place for place in found if place is not None)
        if not places:
            return None
        source = places[0][0]
        linenos = [lineno for of_source, lineno in places if of_source == source]
        return _Lines(source, linenos[0], linenos[-1])

    def _place(self, location: int, name: str) -> tuple[int, int] | None:
        """The source and line of a code location's frame in the user's function of a name."""
        if (location, name) not in self._places:
            self._places[location, name] = self._find_place(location, name)
        return self._places[location, name]

    def _find_place(self, location: int, name: str) -> tuple[int, int] | None:
        snapshot = self._snapshot
        for frame_id in snapshot.location(location).frame_ids:
            frame = snapshot.frames.get(frame_id)
            if frame is not None and frame.function == name and self._code.is_user_frame(frame):
                return (frame.source, frame.lineno) if frame.source is not None else None
        return None

    def _pattern(self, name: str, graphs: list[GraphKey]) -> Iterator[Pattern]:
        rows, versions = self._calls(name, graphs)
        compiled, first = np.unique(versions, return_index=True)
        firsts = np.sort(first)
        num_calls = dict(zip(compiled.tolist(), np.bincount(versions)[compiled], strict=True))
        if not _is_often(firsts, [int(num_calls[key]) for key in versions[firsts].tolist()]):
            return
        first_call = dict(zip(compiled.tolist(), rows[first].tolist(), strict=True))
        calls = [first_call.get(graph) for graph in graphs]
        told = [
            Version(graph, call, int(num_calls.get(graph, 0)), arguments)
            for graph, call, arguments in zip(
                graphs, calls, self._arguments(graphs, calls), strict=True
            )
        ]
        last = int(rows[firsts[-1]])
        shown = tuple(told[: min(MOST_VERSIONS, self._num_versions_left)])
        self._num_versions_left -= len(shown)
        yield Pattern(
            kind="retracing",
            op_type="",
            op=None,
            graph=GraphKey(int(versions[firsts[-1]])),
            slot=None,
            execution_row=last,
            trace_row=None,
            location=int(self._snapshot.executions.location[last]),
            evidence=self._evidence(told, len(rows)),
            num_events=len(firsts),
            versions=shown,
            num_versions=len(told),
        )

    def _calls(self, name: str, graphs: list[GraphKey]) -> tuple[Int64s, Int64s]:
        """The rows of the function's calls in time order, and the version of each."""
        snapshot, executions = self._snapshot, self._snapshot.executions
        strings = snapshot.names.strings.values
        op_types = [
            number
            for number in np.flatnonzero(np.bincount(executions.op_type)).tolist()
            if (parsed := parse_function_name(strings[number])) is not None
            and parsed.python_name == name
            and parsed.kind != "backward"
        ]
        rows = np.flatnonzero(np.isin(executions.op_type, op_types))
        rows = np.asarray(self._order.rows(self._order.indices(rows)))
        versions = executions.graph[rows].astype(np.int64)
        # A call that is made for gradients names no graph: it is of the last one made before.
        made = np.array([snapshot.graphs[graph].wall_time for graph in graphs])
        for op_type in np.flatnonzero(np.bincount(executions.op_type[rows[versions < 0]])).tolist():
            of_type = np.flatnonzero((executions.op_type[rows] == op_type) & (versions < 0))
            called = executions.wall_time[rows[of_type[0]]]
            place = int(np.searchsorted(made, called)) - 1
            versions[of_type] = graphs[place] if place >= 0 else -1
        is_known = np.isin(versions, graphs)
        return rows[is_known], versions[is_known]

    def _arguments(
        self, graphs: list[GraphKey], calls: Sequence[int | None]
    ) -> list[tuple[Argument, ...]]:
        """What each graph was given at its first call."""
        executions = self._snapshot.executions
        names = [self._parameters(graph) for graph in graphs]
        ids, rows = [], []
        for own, call in zip(names, calls, strict=True):
            begin = 0 if call is None else int(executions.input_end[call])
            end = 0 if call is None else int(executions.input_end[call + 1])
            given = executions.input_tensor_id[begin:end][: len(own)].tolist()
            # No tensor has the id -1.
            ids += given + [-1] * (len(own) - len(given))
            rows += [call or 0] * len(own)
        wanted = np.array(ids, dtype=np.int64), np.array(rows, dtype=np.int64)
        made_by, values = (found.tolist() for found in self._joined.eager_tensors.values(*wanted))
        places = iter(zip(made_by, values, strict=True))
        return [
            tuple(
                Argument(name, *(place if place[1] >= 0 else (None, None)))
                for name, place in zip(own, places, strict=False)
            )
            for own in names
        ]

    def _parameters(self, graph: GraphKey) -> list[str]:
        """The Placeholders that stand before all other ops; those behind them are captures."""
        snapshot, names = self._snapshot, []
        for row in self._functions.op_rows(graph)[:MOST_ARGUMENTS].tolist():
            name = snapshot.names.op_name(OpKey(int(snapshot.ops.op[row])))
            op_type = snapshot.names.strings.values[snapshot.ops.op_type[row]]
            if op_type not in PLACEHOLDERS or "/" in name:
                break
            names.append(name)
        return names

    def _evidence(self, versions: Sequence[Version], num_calls: int) -> str:
        """What differed, as far as it is recorded."""
        given = GivenValues(self._snapshot)
        compiled = sum(version.first_call is not None for version in versions)
        said = [f"{compiled:,} of {count_of(num_calls, 'call')} compiled a new version."]
        numbers = {len(version.arguments) for version in versions}
        if len(numbers) > 1:
            texts = [str(number) for number in sorted(numbers)]
            said.append(f"They take {listed(texts)} tensors.")
        forms: dict[str, dict[str, None]] = {}
        for version in versions:
            for argument in version.arguments:
                form = given.words(argument)
                if form is not None:
                    forms.setdefault(argument.name, {})[form] = None
        said += [
            f"{name} was given as {listed(list(each))}."
            for name, each in forms.items()
            if len(each) > 1
        ][:3]
        seen = {tuple(map(given.words, version.arguments)) for version in versions}
        number = len(versions) - len(seen)
        if number:
            of = "They differ"
            if len(seen) > 1:
                of = f"{count_of(number, 'version')} {'differs' if number == 1 else 'differ'}"
            said.append(f"{of} in what was not recorded: {self._not_recorded(given, versions)}.")
        return " ".join(said)

    def _not_recorded(self, given: GivenValues, versions: Sequence[Version]) -> str:
        forms = [given.form(each) for version in versions for each in version.arguments]
        if all(form is not None and form.is_whole for form in forms):
            return "a Python value, or another object or tf.function"
        return "a Python value perhaps, or a dtype or shape"


def _is_often(firsts: Int64s, num_calls: list[int]) -> bool:
    """Whether so many calls were first ones, or the only ones, of a version.

    Args:
      firsts: Which calls of the function, counted from 0, were the first of a version.
      num_calls: How many calls each of these versions had.
    """
    if np.any(firsts[COMPILED - 1 :] - firsts[: 1 - COMPILED] < AMONG_CALLS):
        return True
    number = COMPILED_FOR_ONE_CALL
    return any(
        firsts[place + number - 1] - firsts[place] == number - 1
        and set(num_calls[place : place + number]) == {1}
        for place in range(len(firsts) - number + 1)
    )
