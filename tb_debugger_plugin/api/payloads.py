"""What each route answers: one struct a payload, the single source of the wire format.

``docs/openapi.json`` is generated from these structs and the page's TypeScript types from that
document, so a field changes here and nowhere else.

Conventions that hold for every field:

* Times are seconds since the Unix epoch as floats (microseconds on disk).
* An ``index`` is a position in the run's list at the moment of the answer, from 0.
* ``None`` means "not recorded" or "does not apply"; no float is ever NaN or infinite.
* ``graph_id``, ``stack_frame_ids`` and tensor ids are those on disk.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from tb_debugger_plugin.analyses.alert_roles import AlertRoleName
from tb_debugger_plugin.analyses.mutes import MOST_MUTES, MOST_OP_TYPES
from tb_debugger_plugin.analyses.patterns.pattern import PatternKind
from tb_debugger_plugin.analyses.patterns.thresholds import MOST_ARGUMENTS, MOST_VERSIONS
from tb_debugger_plugin.analyses.root_causes.cause import CauseKind, Confidence
from tb_debugger_plugin.analyses.root_causes.found import MOST_CAUSES, MOST_LINKS
from tb_debugger_plugin.api.pages import MAX_FILES, MAX_PAGE
from tb_debugger_plugin.runs.problem_kinds import ProblemKind, Severity

RunStatus = Literal["unread", "loading", "live", "complete", "damaged"]
AlertType = Literal["InfNanAlert"]
FunctionKind = Literal["forward", "backward", "inference"]

PAGE = msgspec.Meta(max_length=MAX_PAGE)
Index = Annotated[int, msgspec.Meta(ge=0)]
"""A place in one of the run's lists."""
Count = Annotated[int, msgspec.Meta(ge=0)]
Slot = Annotated[int, msgspec.Meta(ge=0)]
Seconds = Annotated[float, msgspec.Meta(ge=0, lt=1e12)]
"""A time, since the Unix epoch."""


class ErrorDetail(msgspec.Struct, frozen=True):
    """Why a request failed: ``code`` for programs, ``message`` for people."""

    code: Literal["invalid_argument", "not_found", "method_not_allowed", "internal"]
    message: str


class ErrorPayload(msgspec.Struct, frozen=True):
    """The one shape of every answer that is not 2xx."""

    error: ErrorDetail


# ---------------------------------------------------------------- runs


class RunSummary(msgspec.Struct, frozen=True):
    """A run's state and size, cheap enough to be polled.

    A run is read when a route is asked for it, or ``/runs`` itself to read it, and may be let go of
    when others were asked for since. Until then its status is "unread" and what its events would
    tell is ``None``.
    """

    start_time: Seconds | None
    status: RunStatus
    bytes_indexed: Count
    bytes_total: Count | None
    num_executions: Count | None
    num_graph_executions: Count | None
    num_alerts: Count | None
    num_graphs: Count | None
    num_ops: Count | None
    num_source_files: Count | None
    num_stack_frames: Count | None
    num_problems: Count | None
    num_notes: Count | None
    """Problems that are only good to know."""
    problem_kinds: list[ProblemKind] | None
    debug_modes: list[str] | None
    tensorflow_version: str | None
    run_id: str
    hosts: Annotated[list[str], msgspec.Meta(max_length=100)]
    """The first ones only."""


class SearchedDirectory(msgspec.Struct, frozen=True):
    """A directory that was looked into, and what was found in words.

    ``is_odd``: it cannot be read, or holds something of a debugger that is not read.
    """

    path: str
    found: str
    is_odd: bool


class LogdirSearch(msgspec.Struct, frozen=True):
    """Where runs were looked for; the answer to "why is my run not here?"."""

    logdir: str
    searching: bool
    num_directories: Count
    num_runs: Count
    directories: list[SearchedDirectory]
    """The first ones only: odd ones, then those with runs, then all others."""


class GraphReference(msgspec.Struct, frozen=True):
    """A graph by id and name; ``num_graph_executions`` are its own, not of graphs within it."""

    graph_id: str
    name: str | None
    num_graph_executions: Count


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that was lost, cannot be shown or is good to know.

    ``message`` tells what was seen in this run. The rest is of its kind: ``meaning`` tells what
    follows from it, ``signs`` how it is recognised, ``remedy`` what to do, and ``remedy_code`` what
    to write in the program. In all of them `code` stands between backticks.
    """

    kind: ProblemKind
    severity: Severity
    title: str
    file: str | None
    """``None`` for the run as a whole."""
    offset: Count | None
    message: str
    meaning: str
    signs: str
    remedy: str
    remedy_code: str | None
    docs: str
    """The section about its kind: a path in the project's repository, and an anchor."""
    bytes_affected: Count | None
    records_affected: Count | None
    is_loss: bool
    """Whether data is missing because of it (the run's status is then "damaged")."""
    num_graphs: Count
    graphs: Annotated[list[GraphReference], PAGE]
    """The first graphs that it concerns."""


class Problems(msgspec.Struct, frozen=True):
    """A page of problems: losses, then limits, then notes; of each kind some come first."""

    begin: Index
    end: Index
    num_problems: Count
    problems: Annotated[list[Problem], PAGE]


class Gap(msgspec.Struct, frozen=True):
    """Events are missing right before the one at ``index``.

    "dropped" is by a circular buffer, "damaged" with a part of the file.
    """

    index: Index
    cause: Literal["dropped", "damaged"]
    is_certain: bool


class Gaps(msgspec.Struct, frozen=True):
    """The first gaps of both lists, by index."""

    executions: Annotated[list[Gap], PAGE]
    graph_executions: Annotated[list[Gap], PAGE]


class Device(msgspec.Struct, frozen=True):
    """A device by the id that executions use for it."""

    device_id: int
    device_name: str
    host_name: str | None


class Devices(msgspec.Struct, frozen=True):
    """The devices that the run named; the first 1000 if there are more."""

    devices: Annotated[list[Device], PAGE]


# ---------------------------------------------------------------- values


class TensorHealth(msgspec.Struct, frozen=True):
    """What is known of one tensor's values, whatever debug mode recorded it.

    A field is ``None`` where the mode does not record it. ``shape`` entries are ``None`` for
    leading dimensions that SHAPE mode drops beyond six.
    """

    dtype: str | None
    rank: Count | None
    shape: list[Count | None] | None
    size: Count | None
    num_neg_inf: Count | None
    num_pos_inf: Count | None
    num_nan: Count | None
    num_negative: Count | None
    num_zero: Count | None
    num_positive: Count | None
    has_inf_nan: bool | None


class SourceLocation(msgspec.Struct, frozen=True):
    """A line of a recorded source file. ``file_index`` is its position in /source_files/list."""

    host_name: str | None
    file_path: str
    lineno: int
    function: str
    file_index: Index | None


# ---------------------------------------------------------------- alerts


class Alert(msgspec.Struct, frozen=True):
    """One output tensor that holds NaN or infinity.

    Exactly one of ``execution_index`` and ``graph_execution_trace_index`` is set.
    ``output_slot`` is ``None`` where the file does not tell which output the value belongs to.
    ``function_name`` is the Python name of the function that the execution ran or whose graph
    holds the op; ``function_kind`` is ``None`` for a graph that serves forward and inference.
    ``source`` is the innermost user frame.
    """

    alert_type: AlertType
    index: Index
    op_type: str
    function_name: str | None
    function_kind: FunctionKind | None
    op_name: str | None
    graph_id: str | None
    graph_name: str | None
    output_slot: Slot | None
    size: Count | None
    num_neg_inf: Count | None
    num_pos_inf: Count | None
    num_nan: Count | None
    execution_index: Index | None
    graph_execution_trace_index: Index | None
    wall_time: Seconds
    host_name: str | None
    source: SourceLocation | None


class NumAlertsOfType(msgspec.Struct, frozen=True):
    """How many alerts an op type, or a function by its concrete name, has."""

    op_type: str
    num_alerts: Count


class Alerts(msgspec.Struct, frozen=True):
    """A page of alerts in time order. There is no cap, so the limit is ``None``.

    ``begin``, ``end`` and the counts are of those that are not muted, while an alert's own
    ``index`` counts all, so that it stays what it is. ``num_muted_by`` tells of each rule how many
    it takes, whatever others do. ``op_types`` are the most frequent ones of those not muted.
    """

    begin: Index
    end: Index
    alert_type: AlertType | None
    num_alerts: Count
    alerts_breakdown: dict[str, Count]
    num_muted: Count
    num_muted_by: Annotated[list[Count], msgspec.Meta(max_length=MOST_MUTES)]
    op_types: Annotated[list[NumAlertsOfType], msgspec.Meta(max_length=MOST_OP_TYPES)]
    per_type_alert_limit: int | None
    alerts: Annotated[list[Alert], PAGE]


class AlertsAround(msgspec.Struct, frozen=True):
    """The alerts nearest to an event, as places in /alerts under the same rules.

    ``at`` is the event's first alert, ``None`` if it has none that is not muted. ``previous`` and
    ``next`` are the last one of an earlier event and the first one of a later one.
    """

    previous: Index | None
    at: Index | None
    next: Index | None
    num_alerts: Count


# ---------------------------------------------------------------- root causes


class CauseLink(msgspec.Struct, frozen=True):
    """A bad tensor between a cause and its first visible damage.

    ``alert_index`` is its place in /alerts. ``op_name`` and ``graph_id`` are ``None`` for an eager
    op; ``output_slot`` where the file does not tell which output the value belongs to.
    """

    alert_index: Index
    op_type: str
    op_name: str | None
    graph_id: str | None
    execution_index: Index | None
    graph_execution_trace_index: Index | None
    output_slot: Slot | None


class ChainLink(CauseLink, frozen=True):
    """A step from a cause to the damage.

    ``is_guess``: that the step before made it bad is not recorded, but taken for likely.
    ``num_skipped`` steps before it are left out.
    """

    is_guess: bool
    num_skipped: Count


class RootCause(CauseLink, frozen=True):
    """An op in a graph, or an eager call site, that made bad values though nothing bad went in.

    What ``CauseLink`` names is its first time. ``call_number`` counts the calls of ``called``, the
    Python function that the op ran in or the eager op, from 1, up to that time. ``source`` is the
    line to blame: of the op, or of the call that brought bad data in. ``forward_source`` is the
    line of the op whose gradient it computes. ``num_origins`` counts such times, ``num_alerts``
    the alerts that descend from them, and from what is one bug with it. ``is_harmless``: meant to
    be bad, as far as the run shows, as a mask of -inf. ``chain`` begins with the cause and ends
    with the damage; of a long one the middle is left out.
    """

    kind: CauseKind
    graph_name: str | None
    call_number: Annotated[int, msgspec.Meta(ge=1)] | None
    called: str | None
    source: SourceLocation | None
    forward_source: SourceLocation | None
    evidence: str
    advice: str
    confidence: Confidence
    is_harmless: bool
    num_origins: Count
    num_alerts: Count
    chain: Annotated[list[ChainLink], msgspec.Meta(max_length=MOST_LINKS)]


class RootCauses(msgspec.Struct, frozen=True):
    """The first of ``num_causes`` root causes, the likeliest first, harmless ones last.

    ``num_explained`` of the ``num_alerts`` alerts descend from those listed. None of these count
    ``num_muted_causes`` and ``num_muted`` alerts, which are left out. ``limits`` say what the run
    cannot tell, and how to record it.
    """

    causes: Annotated[list[RootCause], msgspec.Meta(max_length=MOST_CAUSES)]
    num_causes: Count
    num_muted_causes: Count
    num_alerts: Count
    num_muted: Count
    num_explained: Count
    limits: Annotated[list[str], msgspec.Meta(max_length=10)]


class AlertRole(msgspec.Struct, frozen=True):
    """What an event's alert is to others.

    "cause": the first origin of one of /root_causes that does harm. "origin": nothing bad is known
    to have gone in. "propagated": its bad values came from ``parent``, which is ``None`` otherwise.
    Of an execution with several alerts, that of the first origin among those that are not muted,
    else of the first one. ``is_muted``: all of the event's alerts are.
    """

    alert_index: Index
    execution_index: Index | None
    graph_execution_trace_index: Index | None
    role: AlertRoleName
    is_muted: bool
    parent: CauseLink | None


class AlertRoles(msgspec.Struct, frozen=True):
    """Those of the events asked for that have an alert, executions first, as they were asked."""

    roles: Annotated[list[AlertRole], msgspec.Meta(max_length=2000)]


class GivenArgument(msgspec.Struct, frozen=True):
    """What a function was given at a call; ``None`` for what is not recorded."""

    name: str
    dtype: str | None
    rank: Count | None
    shape: list[int] | None
    size: Count | None


class FunctionVersion(msgspec.Struct, frozen=True):
    """A concrete function. ``source`` is the line of its first call."""

    graph_id: str
    first_execution_index: Index | None
    num_calls: Count
    source: SourceLocation | None
    arguments: Annotated[list[GivenArgument], msgspec.Meta(max_length=MOST_ARGUMENTS)]


class Pattern(msgspec.Struct, frozen=True):
    """Something amiss that ``num_events`` events show together, and none of them alone.

    It is of an op's output, or of a function: ``op_name`` and ``output_slot`` are then ``None``.
    The two indices name an example, the last event that shows it; both are ``None`` where nothing
    was run. ``versions`` are the first of the ``num_versions`` of a function that is compiled again
    and again; other kinds have none. ``is_usual``: healthy programs show the same.
    """

    kind: PatternKind
    op_type: str
    op_name: str | None
    graph_id: str | None
    graph_name: str | None
    output_slot: Slot | None
    execution_index: Index | None
    graph_execution_trace_index: Index | None
    source: SourceLocation | None
    evidence: str
    num_events: Count
    versions: Annotated[list[FunctionVersion], msgspec.Meta(max_length=MOST_VERSIONS)]
    num_versions: Count
    is_usual: bool


class KindOfPattern(msgspec.Struct, frozen=True):
    """What a kind means, and how many there are of it. In its words `code` is in backticks.

    ``num_alerts`` leaves out the ``num_usual`` that healthy programs show too.
    """

    kind: PatternKind
    title: str
    rule: str
    """From when on it is told."""
    advice: str
    docs: str
    """The section about it: a path in the project's repository, and an anchor."""
    num_alerts: Count
    num_usual: Count
    usual: str
    """Which of them are usual, and why; "" where none can be."""
    needs: list[str]
    """Debug modes of which one would have recorded it; empty where the run's modes do."""


class Patterns(msgspec.Struct, frozen=True):
    """All kinds, and of each the first alerts, usual ones last, in the same order."""

    kinds: list[KindOfPattern]
    alerts: list[Pattern]


# ---------------------------------------------------------------- what occurs


class Facet(msgspec.Struct, frozen=True):
    """A dtype or device that occurs, and how many events a filter by it would leave."""

    name: str
    num_events: Count


class GraphFacet(msgspec.Struct, frozen=True):
    """A graph that occurs, and how many events a filter by it would leave."""

    graph_id: str
    graph_name: str | None
    num_events: Count


class Facets(msgspec.Struct, frozen=True):
    """What there is to filter by, most frequent first, at most 1000 of each."""

    dtypes: Annotated[list[Facet], PAGE]
    devices: Annotated[list[Facet], PAGE]
    graphs: Annotated[list[GraphFacet], PAGE]


# ---------------------------------------------------------------- executions


class ExecutionDigest(msgspec.Struct, frozen=True, kw_only=True):
    """One timeline box. ``function_name`` is the Python name where the op is a function.

    ``output_tensor_device_ids`` tells of the first 1000 outputs only, and ``misses_frames`` that a
    frame of its stack is not on disk.
    """

    index: Index
    wall_time: Seconds
    op_type: str
    output_tensor_device_ids: list[int] | None
    function_name: str | None
    function_kind: FunctionKind | None
    num_alerts: Count
    misses_frames: bool


class ExecutionDigests(msgspec.Struct, frozen=True):
    """A page of timeline boxes; ``num_digests`` counts those that pass the filters."""

    begin: Index
    end: Index
    num_digests: Count
    execution_digests: Annotated[list[ExecutionDigest], PAGE]


class Execution(ExecutionDigest, frozen=True, kw_only=True):
    """An execution's full record.

    ``debug_tensor_values`` has one entry an output slot. Where the file holds fewer values than
    outputs and does not tell which are missing, every entry is ``None`` and the values are in
    ``unaligned_debug_tensor_values``.
    """

    host_name: str | None
    stack_frame_ids: list[str]
    tensor_debug_mode: Annotated[int, msgspec.Meta(ge=0, le=255)]
    graph_id: str | None
    input_tensor_ids: list[int] | None
    output_tensor_ids: list[int] | None
    debug_tensor_values: list[list[float] | None] | None
    unaligned_debug_tensor_values: list[list[float] | None] | None


class Executions(msgspec.Struct, frozen=True):
    """A page of full records; ``num_executions`` counts those that pass the filters."""

    begin: Index
    end: Index
    num_executions: Count
    executions: Annotated[list[Execution], PAGE]


class ExecutionPosition(msgspec.Struct, frozen=True):
    """Where an execution stands among those that pass; ``None`` if the filters hide it.

    ``nearest_row`` is then the row of the next execution that passes, ``None`` if none does.
    ``num_rows`` counts those that pass.
    """

    row: Index | None
    nearest_row: Index | None
    num_rows: Count


class ExecutionInput(msgspec.Struct, frozen=True):
    """An input tensor and the earlier execution that made it, where one is recorded."""

    tensor_id: int
    execution_index: Index | None
    output_slot: Slot | None
    op_type: str | None
    function_name: str | None


class ExecutionOutput(msgspec.Struct, frozen=True):
    """An output; ``output_slot`` is ``None`` for a value whose slot the file does not tell."""

    output_slot: Slot | None
    tensor_id: int | None
    device_id: int | None
    device_name: str | None
    health: TensorHealth | None
    alert_index: Index | None


class ExecutionDetail(msgspec.Struct, frozen=True):
    """All that the page says of the focused execution.

    ``num_graph_executions`` counts the graph execution traces of this very call, of which the
    first is at ``first_graph_execution_index``. A forward function's outputs from
    ``num_results`` on are not its results: they are saved for its gradient. ``None`` where that
    is not known, or for anything else. ``inputs`` and ``outputs`` are the first 1000 of each;
    ``execution`` has the ids of all.
    """

    execution: Execution
    mode: str
    time_since_start: float | None
    inputs: list[ExecutionInput]
    outputs: list[ExecutionOutput]
    num_results: Count | None
    num_graph_executions: Count
    first_graph_execution_index: Index | None


class ExecutionOverview(msgspec.Struct, frozen=True):
    """The whole timeline in buckets of consecutive executions, as parallel lists."""

    num_executions: Count
    begins: list[Index]
    num_functions: list[Count]
    num_alerts: list[Count]
    """Executions of the bucket that have an alert that is not muted."""


# ---------------------------------------------------------------- graph executions


class GraphExecutionDigest(msgspec.Struct, frozen=True, kw_only=True):
    """One graph execution trace in brief."""

    index: Index
    wall_time: Seconds
    op_type: str
    op_name: str
    output_slot: Slot
    graph_id: str


class GraphExecutionDigests(msgspec.Struct, frozen=True):
    """A page of traces in brief; ``num_digests`` counts those that pass the filters."""

    begin: Index
    end: Index
    num_digests: Count
    graph_execution_digests: Annotated[list[GraphExecutionDigest], PAGE]


class GraphExecution(GraphExecutionDigest, frozen=True, kw_only=True):
    """A trace's full record.

    ``op_type`` is "" while the op's creation is not on disk. ``execution_index`` is the call it
    belongs to, ``None`` where that cannot be told (asynchronous functions, other threads).
    """

    graph_ids: list[str]
    graph_name: str | None
    tensor_debug_mode: Annotated[int, msgspec.Meta(ge=0, le=255)]
    debug_tensor_value: list[float] | None
    device_name: str | None
    host_name: str | None
    health: TensorHealth | None
    execution_index: Index | None
    alert_index: Index | None


class GraphExecutions(msgspec.Struct, frozen=True):
    """A page of full records."""

    begin: Index
    end: Index
    num_digests: Count
    graph_executions: Annotated[list[GraphExecution], PAGE]


class CallHeader(msgspec.Struct, frozen=True):
    """The heading of a run of traces that belong to one graph in one call."""

    graph_id: str
    graph_name: str | None
    execution_index: Index | None
    execution_op_type: str | None
    execution_function_name: str | None


class Passes(msgspec.Struct, frozen=True):
    """The passes of a loop over one tensor in one call, listed as the first of them.

    Counted are those that pass the filters. ``first_bad_index`` is the first pass with NaN or
    infinity, ``last_index`` the last pass.
    """

    num_passes: Count
    num_bad: Count
    first_bad_index: Index | None
    last_index: Index


class GraphExecutionRow(msgspec.Struct, frozen=True):
    """One row of the list: a heading or a trace, never both.

    ``passes`` is ``None`` unless the row stands for several traces.
    """

    call: CallHeader | None
    graph_execution: GraphExecution | None
    passes: Passes | None


class GraphExecutionRows(msgspec.Struct, frozen=True):
    """Rows as the page lists them: traces that pass the filters, headings between them.

    ``begin``, ``end`` and ``num_rows`` count rows, headings included; ``num_graph_executions``
    counts the traces that pass, those that are folded into another's row too.
    """

    begin: Index
    end: Index
    num_rows: Count
    num_graph_executions: Count
    rows: Annotated[list[GraphExecutionRow], PAGE]


class GraphExecutionPosition(msgspec.Struct, frozen=True):
    """Where a trace stands among the rows; ``None`` if the filters hide it.

    A trace that is folded into another's row stands at that row. ``nearest_row`` is the row of the
    next trace that passes if the filters hide this one, ``None`` if none does.
    """

    row: Index | None
    nearest_row: Index | None
    num_rows: Count


class Producer(msgspec.Struct, frozen=True):
    """What made a value at one call, as far back as it was recorded.

    ``graph_execution_trace_index`` is the row that holds the value. For an eager tensor
    ``execution_index`` and ``execution_output_slot`` tell who made it. All are ``None`` where
    nothing was recorded, and ``reason`` says why.
    """

    graph_id: str | None
    graph_name: str | None
    op_name: str | None
    op_type: str | None
    output_slot: Slot | None
    graph_execution_trace_index: Index | None
    execution_index: Index | None
    execution_output_slot: Slot | None
    health: TensorHealth | None
    reason: str | None


class GraphExecutionInput(msgspec.Struct, frozen=True):
    """An input of a trace's op at that call.

    ``op_name``/``output_slot`` are the recorded input. ``argument_index`` is set where that is an
    argument of the function, and ``producer`` is then the caller's.
    """

    input_slot: Slot
    op_name: str
    op_type: str | None
    output_slot: Slot
    argument_index: Count | None
    producer: Producer


class GraphExecutionInputs(msgspec.Struct, frozen=True):
    """The inputs of one trace's op, in slot order: the first 500."""

    index: Index
    inputs: list[GraphExecutionInput]


# ---------------------------------------------------------------- graphs


class GraphInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A graph: a FuncGraph of a tf.function or control-flow body, or an outermost graph.

    ``inner_graph_ids`` are the first 1000.
    """

    name: str | None
    graph_id: str
    outer_graph_id: str | None
    inner_graph_ids: list[str]
    num_ops: Count
    num_graph_executions: Count


class Graphs(msgspec.Struct, frozen=True):
    """A page of graphs in the order of their creation."""

    begin: Index
    end: Index
    num_graphs: Count
    graphs: Annotated[list[GraphInfo], PAGE]


class OpLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """An input's producer; ``data`` is absent if its creation was not recorded in that graph."""

    op_name: str
    output_slot: Slot
    data: OpDigest | None = None


class ConsumerLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """A consumer of an output."""

    op_name: str
    input_slot: Slot
    data: OpDigest | None = None


class OpDigest(msgspec.Struct, frozen=True, kw_only=True):
    """A graph op's creation; nested one level deep its links carry no ``data``.

    Lists have the first entries only, fewer where it is nested: ``num_outputs`` and
    ``num_consumers`` count all.
    """

    wall_time: Seconds
    op_type: str
    op_name: str
    output_tensor_ids: list[int] | None
    num_outputs: Count
    host_name: str | None
    stack_frame_ids: list[str]
    device_name: str | None
    graph_ids: list[str]
    inputs: list[OpLink]
    consumers: list[list[ConsumerLink]]
    num_consumers: list[Count]
    """Consumers of each output slot in all; ``consumers`` lists the first ones only."""


class NodeOutput(msgspec.Struct, frozen=True):
    """An output of a node with its value at the call in view."""

    output_slot: Slot
    graph_execution_trace_index: Index | None
    health: TensorHealth | None


class FunctionArgument(msgspec.Struct, frozen=True):
    """The argument that a Placeholder stands for, and who passed its value."""

    argument_index: Count
    producer: Producer


class OpNode(msgspec.Struct, frozen=True):
    """A box of Graph Structure. ``op_type`` is ``None`` where its creation was not recorded.

    ``num_outputs`` may exceed ``len(outputs)``: the list is bounded.
    """

    graph_id: str
    op_name: str
    op_type: str | None
    num_outputs: Count
    outputs: list[NodeOutput]
    argument: FunctionArgument | None


class InputEdge(msgspec.Struct, frozen=True):
    """Output ``output_slot`` of ``node`` feeds input ``input_slot`` of the op."""

    input_slot: Slot
    output_slot: Slot
    node: OpNode


class ConsumerEdge(msgspec.Struct, frozen=True):
    """The op's output feeds input ``input_slot`` of ``node``."""

    input_slot: Slot
    node: OpNode


class OutputEdges(msgspec.Struct, frozen=True):
    """All consumers of an output are counted, the first ones are listed."""

    output_slot: Slot
    num_consumers: Count
    consumers: list[ConsumerEdge]


class Neighborhood(msgspec.Struct, frozen=True):
    """An op, what feeds it and what it feeds.

    With ``graph_execution_trace_index`` in the request all values are those of that very call.
    ``num_graph_executions`` counts the op's traces over the run, ``num_alerts`` the bad ones.
    """

    graph_path: list[GraphReference]
    op: OpNode
    num_inputs: Count
    inputs: list[InputEdge]
    outputs: list[OutputEdges]
    execution_index: Index | None
    num_graph_executions: Count
    num_alerts: Count
    first_graph_execution_index: Index | None


# ---------------------------------------------------------------- source code


class SourceFile(msgspec.Struct, frozen=True):
    """A recorded file's text; ``lines`` is empty where the source was not captured.

    A line is one line: characters that would end it or steer the text around it are written out.
    """

    host_name: str
    file_path: str
    lines: list[str]


class SourceFileSummary(msgspec.Struct, frozen=True):
    """A file as the picker lists it.

    ``library`` is ``None`` for the user's own files, else who it belongs to ("TensorFlow").
    ``num_ops`` counts graph ops and eager executions whose innermost frame in this file is the
    innermost user frame; ``num_bad`` those of them with an alert.
    """

    index: Index
    host_name: str
    file_path: str
    num_lines: Count
    library: str | None
    num_ops: Count
    num_bad: Count


class SourceFiles(msgspec.Struct, frozen=True):
    """Recorded files in the order of /source_files/list: the first 2000 of ``num_files``."""

    num_files: Count
    files: Annotated[list[SourceFileSummary], msgspec.Meta(max_length=MAX_FILES)]


class LineAnnotation(msgspec.Struct, frozen=True):
    """How many graph ops and eager executions a line made, and how many of them went bad."""

    lineno: int
    num_ops: Count
    num_bad: Count


class LineAnnotations(msgspec.Struct, frozen=True):
    """The annotated lines of one file, in line order."""

    index: Index
    lines: list[LineAnnotation]


class LineEvent(msgspec.Struct, frozen=True):
    """A graph op or an eager execution that a source line made.

    A graph op has ``graph_id`` and ``op_name``; ``first_graph_execution_index`` is its first bad
    trace, else its first one. An eager execution has ``execution_index``.
    """

    op_type: str
    graph_id: str | None
    graph_name: str | None
    op_name: str | None
    execution_index: Index | None
    first_graph_execution_index: Index | None
    num_alerts: Count


class LineEvents(msgspec.Struct, frozen=True):
    """What one line made: the first events, bad ones first, and how many there are."""

    index: Index
    lineno: int
    num_events: Count
    events: list[LineEvent]


class StackFrames(msgspec.Struct, frozen=True):
    """``[host_name, file_path, lineno, function]`` for each requested id, in request order."""

    stack_frames: list[tuple[str, str, int, str]]


class StackFrame(msgspec.Struct, frozen=True):
    """One frame. ``source`` is ``None`` while the frame is not on disk.

    ``library`` is ``None`` for a user frame, else who the file belongs to.
    """

    stack_frame_id: str
    source: SourceLocation | None
    library: str | None


class StackTrace(msgspec.Struct, frozen=True):
    """The frames of one event, outermost first.

    ``innermost_user_frame`` is a position in ``frames``; ``None`` also where it may be another one
    further inside, of which the file is not known.
    """

    host_name: str | None
    frames: list[StackFrame]
    innermost_user_frame: Index | None
