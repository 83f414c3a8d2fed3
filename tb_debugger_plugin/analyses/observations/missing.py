"""References to records that are not on disk, though the file is in which they would be."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from tb_debugger_plugin.analyses.lost_files import absent_files, damaged_files
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.analyses.observations.words import count_of, graph_names, listed
from tb_debugger_plugin.analyses.stacks import Stacks
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.index.problems import DAMAGE
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey

_MOST_OPS = 10_000
"""Names of so many inputs are looked at."""

_NEVER_RECORDED = re.compile(
    r"(?:.*/)?(?:Stateful)?PartitionedCall(?:_\d+)?|(?:.*/)?Initializer/.*|(?:.*/)?zeros(?:_\d+)?",
    re.DOTALL,
)
"""Calls of functions inside a graph, and what helpers make of a variable's initial value."""


def missing_frames(snapshot: Snapshot, stacks: Stacks) -> Iterator[Observation]:
    """Stacks that name frames which are not on disk, and frames that name files which are not."""
    absent = absent_files(snapshot)
    executions = int(stacks.num_executions[stacks.is_missing].sum())
    ops = int(stacks.num_ops[stacks.is_missing].sum())
    if (executions or ops) and "stack_frames" not in absent:
        counts = [(executions, "execution"), (ops, "op")]
        concerned = listed([count_of(number, noun) for number, noun in counts if number])
        yield Observation(
            "missing_stack_frames",
            f"The stack traces of {concerned} name frames that are not on disk.",
            is_loss=True,
            file=_file(snapshot, "stack_frames"),
            num_records=executions + ops,
        )
    homeless = sum(frame.source is None for frame in snapshot.frames.values())
    if homeless and "source_files" not in absent:
        is_damaged = "source_files" in damaged_files(snapshot)
        why = "known: records of `.source_files` are damaged" if is_damaged else "on disk"
        yield Observation(
            "missing_source_files",
            f"{count_of(homeless, 'stack frame')} of {len(snapshot.frames):,} "
            f"{'names a source file that is' if homeless == 1 else 'name source files that are'} "
            f"not {why}.",
            is_loss=True,
            file=_file(snapshot, "source_files"),
            num_records=homeless,
        )


def missing_graphs(snapshot: Snapshot) -> Iterator[Observation]:
    """Graphs that are named and not declared."""
    number = len(snapshot.names.graph_ids) - len(snapshot.graphs)
    if number > 0 and "graphs" not in absent_files(snapshot):
        yield Observation(
            "missing_graphs",
            f"{count_of(number, 'graph')} {'is' if number == 1 else 'are'} named by other records "
            f"and {'is' if number == 1 else 'are'} not on disk.",
            is_loss=True,
            file=_file(snapshot, "graphs"),
            num_records=number,
        )


def missing_ops(snapshot: Snapshot, traces_per_op: Int64s) -> Iterator[Observation]:
    """Traces whose op is not on disk, and graphs of which no op is."""
    if "graphs" in absent_files(snapshot):
        return
    num_graphs = len(snapshot.names.graph_ids)
    graph_of_op = snapshot.names.op_graph.view()
    ops_per_graph = np.bincount(graph_of_op.take(snapshot.ops.op), minlength=num_graphs)
    traced = np.flatnonzero(traces_per_op)
    lost = traced[snapshot.op_row[traced] < 0]
    of_empty_graph = ops_per_graph[graph_of_op.take(lost)] == 0
    file = _file(snapshot, "graphs")
    is_whole = not any(
        p.file == file and (p.kind in DAMAGE or p.kind == "cut_record") for p in snapshot.problems
    )
    if is_whole:
        yield from _graphs_without_ops(snapshot, ops_per_graph, lost[of_empty_graph], traces_per_op)
        lost = lost[~of_empty_graph]
    if len(lost):
        num_traces = int(traces_per_op[lost].sum())
        graphs = [GraphKey(key) for key in np.unique(graph_of_op.take(lost)).tolist()]
        yield Observation(
            "missing_ops",
            f"{count_of(len(lost), 'op')} of {graph_names(snapshot, graphs)} "
            f"{'has' if len(lost) == 1 else 'have'} {count_of(num_traces, 'graph execution')} and "
            f"{'is' if len(lost) == 1 else 'are'} not on disk.",
            is_loss=True,
            file=file,
            num_records=len(lost),
            graphs=tuple(graphs),
        )


def _graphs_without_ops(
    snapshot: Snapshot, ops_per_graph: Int64s, traced: Int64s, traces_per_op: Int64s
) -> Iterator[Observation]:
    """Graphs that are there, but not one of their ops.

    Threads that each enabled the debugger declare each other's functions too, without ops; so a
    function counts only if no other graph of its name has some.
    """
    has_traces = set(snapshot.names.op_graph.view().take(traced).tolist())
    known = {graph.name for key, graph in snapshot.graphs.items() if ops_per_graph[key]}
    graphs = [
        key
        for key, graph in snapshot.graphs.items()
        if not ops_per_graph[key]
        and (key in has_traces or (graph.name is not None and graph.name not in known))
    ]
    if graphs:
        num_traces = int(traces_per_op[traced].sum())
        yield Observation(
            "graphs_without_ops",
            f"No op of {graph_names(snapshot, graphs)} was recorded"
            + (f", but {count_of(num_traces, 'graph execution')} of them" if num_traces else "")
            + ".",
            file=_file(snapshot, "graphs"),
            num_records=num_traces or None,
            graphs=tuple(graphs),
        )


def dangling_inputs(snapshot: Snapshot) -> Iterator[Observation]:
    """Inputs of ops that no recorded op makes, though such ops are mostly recorded."""
    names = snapshot.names
    producers = np.unique(snapshot.ops.input_op)
    unknown = producers[snapshot.op_row[producers] < 0]
    dangling = [
        op
        for op in unknown[:_MOST_OPS].tolist()
        if not _NEVER_RECORDED.fullmatch(names.op_name(op))
    ]
    if dangling:
        number = int(np.isin(snapshot.ops.input_op, dangling).sum())
        graphs = list(dict.fromkeys(names.graph_of(op) for op in dangling))
        yield Observation(
            "dangling_inputs",
            f"{count_of(number, 'input')} of ops in {graph_names(snapshot, graphs)} "
            f"{'comes' if number == 1 else 'come'} from ops that are not on disk: "
            f"{listed([names.op_name(op) for op in dangling])}.",
            file=_file(snapshot, "graphs"),
            num_records=number,
            graphs=tuple(graphs),
        )


def _file(snapshot: Snapshot, kind: FileKind) -> str | None:
    """The one file of a kind; ``None`` where there are several."""
    sets = snapshot.file_sets
    return sets[0].path(kind) if len(sets) == 1 else None
