"""Stack frames."""

from __future__ import annotations

from tb_debugger_plugin.analyses.libraries import library_of
from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.errors import InvalidArgument, NotFound, quote
from tb_debugger_plugin.api.pages import MAX_PAGE
from tb_debugger_plugin.api.payloads import SourceLocation, StackFrame, StackFrames, StackTrace
from tb_debugger_plugin.runs.library import RunLibrary


def stack_frames(library: RunLibrary, request: requests.StackFramesOf) -> StackFrames:
    """Frames by id, in the order asked for."""
    answer = answer_from(library, request.run)
    found = []
    frame_ids = request.stack_frame_ids.split(",", MAX_PAGE)
    if len(frame_ids) > MAX_PAGE:
        raise InvalidArgument(f"parameter 'stack_frame_ids' names more than {MAX_PAGE} frames")
    for frame_id in frame_ids:
        frame = _frame(answer, frame_id)
        if frame.source is None:
            raise NotFound(f"there is no stack frame with id {quote(frame_id)} (yet)")
        source = frame.source
        found.append((source.host_name or "", source.file_path, source.lineno, source.function))
    return StackFrames(found)


def stack_trace(library: RunLibrary, request: requests.StackTraceOf) -> StackTrace:
    """The stack of an execution or of a graph op's creation; frames may be missing."""
    answer = answer_from(library, request.run)
    location = answer.snapshot.location(_location(answer, request))
    frames = [_frame(answer, frame_id) for frame_id in location.frame_ids]
    return StackTrace(
        host_name=location.host_name or None,
        frames=frames,
        innermost_user_frame=answer.view.code.innermost_user_place(location.frame_ids),
    )


def _location(answer: RunAnswer, request: requests.StackTraceOf) -> int:
    if request.execution_index is not None:
        row = answer.execution_row(request.execution_index)
        return int(answer.snapshot.executions.location[row])
    if request.graph_id is None or request.op_name is None:
        raise InvalidArgument("give 'execution_index', or 'graph_id' and 'op_name'")
    return answer.location_of_op(answer.find_op(request.graph_id, request.op_name))


def _frame(answer: RunAnswer, frame_id: str) -> StackFrame:
    frame = answer.snapshot.find_frame(frame_id)
    if frame is None:
        return StackFrame(frame_id, None, None)
    if frame.source is None:
        # The frame is there, its file is not: file sets of a switched dump root look like this.
        is_damaged = answer.view.code.has_damaged_sources
        why = "(file unknown: .source_files is damaged)" if is_damaged else "(file not recorded)"
        missing = SourceLocation(None, why, frame.lineno, frame.function, None)
        return StackFrame(frame_id, missing, "unknown")
    source = answer.snapshot.sources[frame.source]
    return StackFrame(
        frame_id,
        SourceLocation(
            source.host_name, source.file_path, frame.lineno, frame.function, frame.source
        ),
        library_of(source.file_path),
    )
