"""What each route accepts: one struct a query string.

A field's type is its parser (see ``parameters.py``), its default makes it optional, and its
``Meta`` description is the documentation in ``docs/openapi.json``.
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from tb_debugger_plugin.analyses.mutes import MOST_MUTES
from tb_debugger_plugin.api.payloads import AlertType

MOST_INTEGER = 10**18 - 1
"""An integer has 18 digits at most."""
LONGEST_TEXT = 100_000
"""Characters of any parameter."""

Run = Annotated[
    str, msgspec.Meta(max_length=LONGEST_TEXT, description="The run's name, a key of /runs.")
]
Begin = Annotated[int, msgspec.Meta(ge=0, le=MOST_INTEGER, description="First index of the page.")]
End = Annotated[
    int,
    msgspec.Meta(
        ge=-MOST_INTEGER,
        le=MOST_INTEGER,
        description="Index after the last; negative: to the end, as far as a page reaches.",
    ),
]
Index = Annotated[
    int, msgspec.Meta(ge=0, le=MOST_INTEGER, description="Position in the run's list.")
]
EventIndex = Annotated[int, msgspec.Meta(ge=0, le=MOST_INTEGER)]
GraphId = Annotated[
    str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT, description="A graph's id.")
]
OpName = Annotated[
    str,
    msgspec.Meta(min_length=1, max_length=LONGEST_TEXT, description="An op's name, without :slot."),
]


MuteRule = Annotated[
    str,
    msgspec.Meta(
        max_length=2000,
        pattern=r"^(?:(?:op_type|op|text|regex|function):[^\n]+|line:[^\n]+:[1-9][0-9]{0,8})$",
    ),
]
Mutes = Annotated[
    tuple[MuteRule, ...],
    msgspec.Meta(
        max_length=MOST_MUTES,
        description=(
            "Rules of alerts to leave out, one a parameter: op_type:<op type>, op:<name>, "
            "text:<part of op names>, regex:<expression (RE2) for op names>, "
            "function:<Python or concrete name>, line:<file path>:<line number>."
        ),
    ),
]


class NoParameters(msgspec.Struct, frozen=True):
    """A route about the whole logdir."""


class RunToRead(msgspec.Struct, frozen=True, kw_only=True):
    """The list of runs, of which one is shown."""

    read: (
        Annotated[
            str,
            msgspec.Meta(
                max_length=LONGEST_TEXT,
                description="The name of a run to read, and to keep in memory, if there is one.",
            ),
        ]
        | None
    ) = None


class OfRun(msgspec.Struct, frozen=True, kw_only=True):
    """A route about one run."""

    run: Run


class PageOfRun(OfRun, frozen=True, kw_only=True):
    """A page of one of a run's lists."""

    begin: Begin = 0
    end: End = -1


AlertTypeName = Annotated[AlertType, msgspec.Meta(description="Only alerts of this type.")]
Text = Annotated[
    str,
    msgspec.Meta(
        max_length=1000,
        description="Part of the tensor's name, op type or graph name, in any case.",
    ),
]
OpTypeText = Annotated[
    str, msgspec.Meta(max_length=1000, description="Part of the op type, in any case.")
]
IsRegex = Annotated[
    bool, msgspec.Meta(description="The text is a regular expression (RE2), matched anywhere.")
]
InfNanOnly = Annotated[bool, msgspec.Meta(description="Only tensors with NaN or infinity.")]
AllZeroOnly = Annotated[
    bool, msgspec.Meta(description="Only tensors with elements, all of them known to be zero.")
]
OfDtype = Annotated[
    str,
    msgspec.Meta(
        max_length=LONGEST_TEXT,
        description='Only tensors of this dtype, as "float32".',
    ),
]
OfDevice = Annotated[
    str,
    msgspec.Meta(max_length=LONGEST_TEXT, description="Only tensors on this device, by full name."),
]
OfExecution = Annotated[
    int, msgspec.Meta(ge=0, le=MOST_INTEGER, description="Only traces of this execution.")
]
BeginTime = Annotated[
    float, msgspec.Meta(description="Only from this time on: seconds since the epoch.")
]
EndTime = Annotated[
    float, msgspec.Meta(description="Only before this time: seconds since the epoch.")
]
Collapse = Annotated[
    bool, msgspec.Meta(description="List the passes of one tensor in one call once.")
]


class AlertsPage(PageOfRun, frozen=True, kw_only=True):
    """A page of alerts, of one type or of all."""

    alert_type: AlertTypeName | None = None
    mute: Mutes = ()


class AlertsAroundEvent(OfRun, frozen=True, kw_only=True):
    """An event: an execution, a graph execution trace or an alert by its index, one of these."""

    execution_index: EventIndex | None = None
    graph_execution_trace_index: EventIndex | None = None
    alert_index: EventIndex | None = None
    alert_type: AlertTypeName | None = None
    mute: Mutes = ()


EventIndices = Annotated[
    str,
    msgspec.Meta(
        max_length=20_000,
        pattern=r"^(?:[0-9]{1,18}(?:,[0-9]{1,18})*)?$",
        description="Indices, separated by commas; 1000 at most.",
    ),
]


class AlertRolesOf(OfRun, frozen=True, kw_only=True):
    """Events of which it is asked what their alerts are to others."""

    execution_indices: EventIndices = ""
    graph_execution_trace_indices: EventIndices = ""
    mute: Mutes = ()


class RootCausesOf(OfRun, frozen=True, kw_only=True):
    """The alerts that are not muted."""

    mute: Mutes = ()


class PatternsOf(OfRun, frozen=True, kw_only=True):
    """The patterns that are not muted."""

    mute: Mutes = ()


class ExecutionFilter(OfRun, frozen=True, kw_only=True):
    """Which executions: those that pass every filter given.

    One output's value has to pass ``inf_nan``, ``all_zero`` and ``dtype`` together: an execution
    that has a NaN in one output and a float16 in another is none with a NaN in float16.
    """

    text: OpTypeText | None = None
    regex: IsRegex = False
    inf_nan: InfNanOnly = False
    all_zero: AllZeroOnly = False
    dtype: OfDtype | None = None
    device: OfDevice | None = None
    graph_id: GraphId | None = None
    begin_time: BeginTime | None = None
    end_time: EndTime | None = None


class ExecutionsPage(ExecutionFilter, frozen=True, kw_only=True):
    """A page of the executions that pass the filters."""

    begin: Begin = 0
    end: End = -1


class ExecutionAt(ExecutionFilter, frozen=True, kw_only=True):
    """An execution, seen through the filters."""

    index: Index


class GraphExecutionFilter(OfRun, frozen=True, kw_only=True):
    """Which graph execution traces: those that pass every filter given."""

    text: Text | None = None
    regex: IsRegex = False
    inf_nan: InfNanOnly = False
    all_zero: AllZeroOnly = False
    dtype: OfDtype | None = None
    device: OfDevice | None = None
    graph_id: GraphId | None = None
    op_name: OpName | None = None
    execution_index: OfExecution | None = None
    begin_time: BeginTime | None = None
    end_time: EndTime | None = None


class GraphExecutionsPage(GraphExecutionFilter, frozen=True, kw_only=True):
    """A page of the traces that pass the filters."""

    begin: Begin = 0
    end: End = -1


class GraphExecutionRowsPage(GraphExecutionsPage, frozen=True, kw_only=True):
    """A page of the list as shown."""

    collapse: Collapse = False


class GraphExecutionAt(GraphExecutionFilter, frozen=True, kw_only=True):
    """A trace, seen in the list as shown."""

    collapse: Collapse = False
    index: Index


class AtIndex(OfRun, frozen=True, kw_only=True):
    """One item of a run's list."""

    index: Index


class Buckets(OfRun, frozen=True, kw_only=True):
    """How finely the overview is cut."""

    buckets: Annotated[
        int, msgspec.Meta(ge=1, le=4000, description="Number of buckets at most.")
    ] = 400
    mute: Mutes = ()


class GraphOf(OfRun, frozen=True, kw_only=True):
    """A graph."""

    graph_id: GraphId


class OpOf(GraphOf, frozen=True, kw_only=True):
    """An op of a graph."""

    op_name: OpName


TraceInView = Annotated[
    int,
    msgspec.Meta(
        ge=0,
        le=MOST_INTEGER,
        description="A trace of this op, or of another in its call: values are that call's.",
    ),
]


class NeighborhoodOf(OpOf, frozen=True, kw_only=True):
    """An op, with the call in view."""

    graph_execution_trace_index: TraceInView | None = None
    limit: Annotated[
        int, msgspec.Meta(ge=1, le=500, description="Consumers listed for each output.")
    ] = 50


class LineOf(AtIndex, frozen=True, kw_only=True):
    """A line of a source file."""

    lineno: Annotated[int, msgspec.Meta(ge=1, le=MOST_INTEGER, description="Line number, from 1.")]


class StackFramesOf(OfRun, frozen=True, kw_only=True):
    """Frames by id."""

    stack_frame_ids: Annotated[
        str,
        msgspec.Meta(
            min_length=1,
            max_length=LONGEST_TEXT,
            description="Stack frame ids, separated by commas; 1000 at most.",
        ),
    ]


class StackTraceOf(OfRun, frozen=True, kw_only=True):
    """An execution (``execution_index``) or a graph op (``graph_id`` and ``op_name``)."""

    execution_index: EventIndex | None = None
    graph_id: GraphId | None = None
    op_name: OpName | None = None
