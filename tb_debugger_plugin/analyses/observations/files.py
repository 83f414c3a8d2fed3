"""What the files themselves tell: not written, written by two processes, or somewhere else."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tb_debugger_plugin.analyses.lost_files import absent_files
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.analyses.observations.words import count_of, listed
from tb_debugger_plugin.analyses.stacks import Stacks
from tb_debugger_plugin.analyses.time_order import TimeOrder
from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind, FileSet, set_prefix
from tb_debugger_plugin.index.snapshot import Snapshot

_EVENTS: frozenset[FileKind] = frozenset({"execution", "graph_execution_traces"})
_KNOWN_FILE_VERSION = "debug.Event:1"


def filled_files(snapshot: Snapshot, file_set: FileSet) -> set[FileKind]:
    """The kinds of a set's files that were not empty; metadata aside."""
    return {
        file.kind
        for file in snapshot.progress
        if file.size and set_prefix(file.path) == file_set.prefix
    }


def events_not_written(snapshot: Snapshot, stacks: Stacks) -> Iterator[Observation]:
    """Programs that did something and wrote no event, and those that did nothing."""
    filled = [filled_files(snapshot, file_set) for file_set in snapshot.file_sets]
    if not any(filled):
        if any(len(file_set.kinds) < len(FILE_KINDS) for file_set in snapshot.file_sets):
            return
        yield Observation(
            "nothing_recorded",
            "All files but the metadata are empty: the debugger was enabled, and then no op was "
            "built or run in its sight, or the program was killed before it was written.",
        )
        return
    cut = {problem.file for problem in snapshot.problems if problem.kind == "cut_record"}
    orphans = ~(stacks.of_executions | stacks.of_ops)
    for file_set, kinds in zip(snapshot.file_sets, filled, strict=True):
        if not kinds or kinds & _EVENTS or not file_set.kinds >= _EVENTS:
            continue
        was_killed = any(file_set.path(kind) in cut for kind in kinds)
        has_stacks = bool(orphans.any()) and len(snapshot.file_sets) == 1
        message = f"Both files of events are empty; on disk: {_contents(snapshot)}."
        if was_killed:
            message += " Another file ends inside a record: the program did not end by itself."
        elif has_stacks:
            message += " Stack frames that belong to no op tell of executions that took place."
        yield Observation(
            "events_not_written",
            message,
            is_loss=was_killed or has_stacks,
            file=file_set.path("execution"),
        )


def _contents(snapshot: Snapshot) -> str:
    counts = [
        (len(snapshot.sources), "source file"),
        (len(snapshot.frames), "stack frame"),
        (len(snapshot.ops), "op"),
        (len(snapshot.graphs), "graph"),
    ]
    return listed([count_of(number, noun) for number, noun in counts if number])


def shared_files(snapshot: Snapshot) -> Iterator[Observation]:
    """File sets that two processes wrote to: what each had in memory stands there twice."""
    executions = snapshot.executions
    order = TimeOrder.of_executions(snapshot)
    if order.rows_in_order is not None:
        rows = order.rows_in_order
        rows = rows[np.diff(executions.output_end)[rows] > 0]
        times = executions.wall_time[rows]
        first_ids = executions.output_tensor_id[executions.output_end[rows]]
        again = (np.diff(times) == 0) & (np.diff(first_ids.astype(np.int64)) == 0)
        if again.any():
            number = int(again.sum())
            yield Observation(
                "shared_files",
                f"{count_of(number, 'execution')} {'is' if number == 1 else 'are'} on disk twice, "
                "with the same time and tensor: two processes wrote what they both had in memory, "
                "as after a fork.",
                is_loss=True,
                file=snapshot.paths[int(executions.file[rows[1:][again][0]])],
                num_records=number,
            )
            return
    for file_set in snapshot.file_sets:
        broken = {p.file for p in snapshot.problems if p.kind == "bad_length"} & {
            file_set.path(kind) for kind in file_set.kinds
        }
        if len(broken) > 1:
            yield Observation(
                "shared_files",
                f"In {len(broken)} files of the set records do not follow one another. The files "
                "were damaged, or perhaps two processes on one host, started in the same second, "
                "wrote to files of the same name.",
                file=file_set.path("metadata"),
            )


def switched_dump_root(snapshot: Snapshot) -> Iterator[Observation]:
    """A second directory of one program, which refers to what was written to the first."""
    frames = snapshot.frames.values()
    if not is_second_dump_root(snapshot):
        return
    undeclared = {
        graph.outer
        for graph in snapshot.graphs.values()
        if graph.outer is not None and graph.outer not in snapshot.graphs
    }
    yield Observation(
        "switched_dump_root",
        f"No source file is on disk, but {count_of(len(frames), 'stack frame')} refer to some"
        + (
            f", and {count_of(len(undeclared), 'graph')} that others are in "
            f"{'is' if len(undeclared) == 1 else 'are'} not there either"
            if undeclared
            else ""
        )
        + ": perhaps they were written to the directory that was enabled first.",
        is_loss=True,
        file=snapshot.file_sets[0].path("source_files"),
        num_records=len(frames),
    )


def is_second_dump_root(snapshot: Snapshot) -> bool:
    """Whether frames are there and no source file is, of all that they name."""
    return (
        bool(snapshot.frames)
        and all(frame.source is None for frame in snapshot.frames.values())
        and not any("source_files" in filled_files(snapshot, s) for s in snapshot.file_sets)
        and all("source_files" in file_set.kinds for file_set in snapshot.file_sets)
    )


def only_traces(snapshot: Snapshot) -> Iterator[Observation]:
    """Workers' file sets without that of the program that built the graphs."""
    if has_only_traces(snapshot):
        yield Observation(
            "only_graph_executions",
            f"{count_of(len(snapshot.traces), 'graph execution')} of "
            f"{listed(sorted({s.host_name for s in snapshot.file_sets}))} are all that is on disk: "
            "no graph, op, stack or source file.",
        )


def has_only_traces(snapshot: Snapshot) -> bool:
    """Whether there are traces and nothing that tells of what, though all files are there."""
    return (
        bool(len(snapshot.traces))
        and not absent_files(snapshot)
        and all(
            filled_files(snapshot, file_set) <= {"graph_execution_traces"}
            for file_set in snapshot.file_sets
        )
    )


def metadata_oddities(snapshot: Snapshot) -> Iterator[Observation]:
    """Versions of the format that are not known, and sets without a run id."""
    for file_set in snapshot.file_sets:
        metadata = file_set.metadata
        if metadata is None:
            continue
        if metadata.file_version != _KNOWN_FILE_VERSION:
            yield Observation(
                "unknown_file_version",
                f"The files say that they are of version {metadata.file_version[:60]!r}; "
                f"known is {_KNOWN_FILE_VERSION!r}.",
                file=file_set.path("metadata"),
            )
        if not metadata.run_id:
            yield Observation(
                "no_run_id",
                "The metadata has no run id: it was written by an old TensorFlow, "
                f"{metadata.tensorflow_version[:40] or 'of unknown version'}.",
                file=file_set.path("metadata"),
            )
