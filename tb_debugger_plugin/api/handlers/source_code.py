"""Recorded source files and what their lines made."""

from __future__ import annotations

from tb_debugger_plugin.analyses.code import MOST_EVENTS_OF_A_LINE
from tb_debugger_plugin.analyses.libraries import library_of
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.errors import NotFound
from tb_debugger_plugin.api.pages import MAX_FILES, check_index
from tb_debugger_plugin.api.payloads import (
    LineAnnotation,
    LineAnnotations,
    LineEvent,
    LineEvents,
    SourceFile,
    SourceFiles,
    SourceFileSummary,
)
from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.index.tables import OpKey, Source
from tb_debugger_plugin.runs.library import RunLibrary

_MOST_FILES_NAMED = 10_000


def listing(library: RunLibrary, request: requests.OfRun) -> list[tuple[str, str]]:
    """Host and path of every recorded file."""
    sources = answer_from(library, request.run).snapshot.sources
    return [(source.host_name, source.file_path) for source in sources[:_MOST_FILES_NAMED]]


def summary(library: RunLibrary, request: requests.OfRun) -> SourceFiles:
    """Every recorded file with what its lines made."""
    answer = answer_from(library, request.run)
    files = []
    sources = answer.snapshot.sources
    for index, source in enumerate(sources[:MAX_FILES]):
        counts = answer.view.code.line_counts(index)
        files.append(
            SourceFileSummary(
                index=index,
                host_name=source.host_name,
                file_path=source.file_path,
                num_lines=source.num_lines,
                library=library_of(source.file_path),
                num_ops=sum(line.num_events for line in counts),
                num_bad=sum(line.num_bad for line in counts),
            )
        )
    return SourceFiles(len(sources), files)


def file(library: RunLibrary, request: requests.AtIndex) -> SourceFile:
    """A file's text."""
    answer = answer_from(library, request.run)
    source = _source(answer, request.index)
    try:
        lines = answer.snapshot.read_source_lines(source)
    except OSError as error:
        path = answer.snapshot.paths[source.file]
        raise NotFound(f"{printable(path)} cannot be read: {error.strerror or error}") from None
    return SourceFile(source.host_name, source.file_path, lines)


def line_annotations(library: RunLibrary, request: requests.AtIndex) -> LineAnnotations:
    """How many events each line of a file made."""
    answer = answer_from(library, request.run)
    _source(answer, request.index)
    counts = answer.view.code.line_counts(request.index)
    return LineAnnotations(
        request.index,
        [LineAnnotation(line.lineno, line.num_events, line.num_bad) for line in counts],
    )


def line(library: RunLibrary, request: requests.LineOf) -> LineEvents:
    """What one line made, bad events first."""
    answer = answer_from(library, request.run)
    _source(answer, request.index)
    made = answer.view.code.events_of_line(request.index, request.lineno)
    events = [_op_event(answer, row) for row in made.ops.tolist()]
    events += [_execution_event(answer, row) for row in made.executions.tolist()]
    events.sort(key=lambda event: event.num_alerts == 0)
    return LineEvents(
        request.index, request.lineno, made.num_events, events[:MOST_EVENTS_OF_A_LINE]
    )


def _source(answer: RunAnswer, index: int) -> Source:
    sources = answer.snapshot.sources
    return sources[check_index(index, len(sources), "source file")]


def _op_event(answer: RunAnswer, row: int) -> LineEvent:
    snapshot = answer.snapshot
    op = OpKey(int(snapshot.ops.op[row]))
    positions = answer.view.producers.trace_positions(op)
    graph = snapshot.names.graph_of(op)
    return LineEvent(
        op_type=snapshot.op_type(op) or "",
        graph_id=answer.graph_id(graph),
        graph_name=answer.graph_name(graph),
        op_name=snapshot.names.op_name(op),
        execution_index=None,
        first_graph_execution_index=answer.view.code.telling_trace(op, positions),
        num_alerts=int(answer.view.code.num_alerts_of_op[op]),
    )


def _execution_event(answer: RunAnswer, row: int) -> LineEvent:
    executions = answer.snapshot.executions
    index = answer.execution_index(row)
    return LineEvent(
        op_type=answer.snapshot.names.strings.values[executions.op_type[row]],
        graph_id=None,
        graph_name=None,
        op_name=None,
        execution_index=index,
        first_graph_execution_index=None,
        num_alerts=len(answer.view.alerts.around_execution(index)),
    )
