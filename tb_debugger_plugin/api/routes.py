"""The list of routes: path, what it takes, what it answers, in words.

Handlers are bound in ``app.py``; this table alone makes ``docs/openapi.json``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from tb_debugger_plugin.api import payloads, requests


@dataclass(frozen=True)
class Route:
    """One GET route below ``/data/plugin/tb_debugger``."""

    path: str
    request: type[msgspec.Struct]
    response: Any
    summary: str


ROUTES: tuple[Route, ...] = (
    Route(
        "/runs",
        requests.RunToRead,
        dict[str, payloads.RunSummary],
        "All runs found so far, by name.",
    ),
    Route(
        "/logdir",
        requests.NoParameters,
        payloads.LogdirSearch,
        "Which directories were searched for runs, and what was found.",
    ),
    Route(
        "/problems",
        requests.PageOfRun,
        payloads.Problems,
        "What was lost, what cannot be shown, and what to do about it.",
    ),
    Route("/gaps", requests.OfRun, payloads.Gaps, "Where events are missing from the lists."),
    Route("/devices", requests.OfRun, payloads.Devices, "Device names by id."),
    Route("/alerts", requests.AlertsPage, payloads.Alerts, "Tensors with NaN or infinity."),
    Route(
        "/alerts/around",
        requests.AlertsAroundEvent,
        payloads.AlertsAround,
        "The alerts before, at and after an event.",
    ),
    Route(
        "/alerts/roles",
        requests.AlertRolesOf,
        payloads.AlertRoles,
        "Which of some events' bad values came up there, and what made the others bad.",
    ),
    Route(
        "/alerts/patterns",
        requests.PatternsOf,
        payloads.Patterns,
        "What is amiss over many events, by kind.",
    ),
    Route(
        "/root_causes",
        requests.RootCausesOf,
        payloads.RootCauses,
        "What made values bad in the first place, the likeliest first.",
    ),
    Route(
        "/execution/digests",
        requests.ExecutionsPage,
        payloads.ExecutionDigests,
        "Eager op and function executions in brief.",
    ),
    Route(
        "/execution/data",
        requests.ExecutionsPage,
        payloads.Executions,
        "Eager op and function executions in full.",
    ),
    Route(
        "/execution/position",
        requests.ExecutionAt,
        payloads.ExecutionPosition,
        "The row of an execution under the filters.",
    ),
    Route(
        "/execution/facets",
        requests.OfRun,
        payloads.Facets,
        "The dtypes, devices and graphs that executions can be filtered by.",
    ),
    Route(
        "/execution/detail",
        requests.AtIndex,
        payloads.ExecutionDetail,
        "One execution with the makers of its inputs and its outputs' values.",
    ),
    Route(
        "/execution/overview",
        requests.Buckets,
        payloads.ExecutionOverview,
        "The whole timeline in buckets.",
    ),
    Route(
        "/graph_execution/digests",
        requests.GraphExecutionsPage,
        payloads.GraphExecutionDigests,
        "Graph execution traces in brief, in time order.",
    ),
    Route(
        "/graph_execution/data",
        requests.GraphExecutionsPage,
        payloads.GraphExecutions,
        "Graph execution traces in full, in time order.",
    ),
    Route(
        "/graph_execution/rows",
        requests.GraphExecutionRowsPage,
        payloads.GraphExecutionRows,
        "Graph execution traces with a heading where another call or graph begins.",
    ),
    Route(
        "/graph_execution/position",
        requests.GraphExecutionAt,
        payloads.GraphExecutionPosition,
        "The row of a trace under the filters.",
    ),
    Route(
        "/graph_execution/facets",
        requests.OfRun,
        payloads.Facets,
        "The dtypes, devices and graphs that traces can be filtered by.",
    ),
    Route(
        "/graph_execution/inputs",
        requests.AtIndex,
        payloads.GraphExecutionInputs,
        "What made the inputs of a trace's op at that very call.",
    ),
    Route("/graphs/list", requests.PageOfRun, payloads.Graphs, "Graphs in creation order."),
    Route("/graphs/graph_info", requests.GraphOf, payloads.GraphInfo, "One graph."),
    Route("/graphs/op_info", requests.OpOf, payloads.OpDigest, "A graph op's creation and links."),
    Route(
        "/graphs/neighborhood",
        requests.NeighborhoodOf,
        payloads.Neighborhood,
        "An op between its inputs and consumers, with values at one call.",
    ),
    Route(
        "/source_files/list",
        requests.OfRun,
        list[tuple[str, str]],
        "[host_name, file_path] of every recorded file.",
    ),
    Route(
        "/source_files/summary",
        requests.OfRun,
        payloads.SourceFiles,
        "Recorded files with what their lines made.",
    ),
    Route("/source_files/file", requests.AtIndex, payloads.SourceFile, "A recorded file's text."),
    Route(
        "/source_files/annotations",
        requests.AtIndex,
        payloads.LineAnnotations,
        "How many ops each line of a file made, and how many went bad.",
    ),
    Route("/source_files/line", requests.LineOf, payloads.LineEvents, "What one line made."),
    Route(
        "/stack_frames/stack_frames",
        requests.StackFramesOf,
        payloads.StackFrames,
        "Stack frames by id.",
    ),
    Route(
        "/stack_frames/stack_trace",
        requests.StackTraceOf,
        payloads.StackTrace,
        "The stack of an execution or of a graph op's creation.",
    ),
)
