"""Runs, their devices, and where runs were looked for."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.answers import answer_from
from tb_debugger_plugin.api.pages import MAX_PAGE
from tb_debugger_plugin.api.payloads import (
    Device,
    Devices,
    LogdirSearch,
    RunSummary,
    SearchedDirectory,
)
from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.index.file_sets import set_prefix
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.moment import RunMoment
from tb_debugger_plugin.runs.problem_kinds import severity_of
from tb_debugger_plugin.runs.search import MAX_DIRECTORIES, Origin

_MOST_DIRECTORIES_LISTED = 100
_MOST_HOSTS_LISTED = 100


def runs(library: RunLibrary, request: requests.RunToRead) -> dict[str, RunSummary]:
    """All runs found so far."""
    if request.read is not None:
        library.find(request.read)
    in_memory = library.runs()
    return {
        name: _summary(in_memory[name].moment)
        if name in in_memory
        else _summary_of_unread(found.origin)
        for name, found in library.found().items()
    }


def _summary(moment: RunMoment) -> RunSummary:
    snapshot, problems = moment.snapshot, moment.problems
    return RunSummary(
        start_time=moment.start_time,
        status=moment.status,
        bytes_indexed=moment.bytes_read,
        bytes_total=moment.bytes_total,
        num_executions=len(snapshot.executions),
        num_graph_executions=len(snapshot.traces),
        num_alerts=len(moment.view.alerts),
        num_graphs=len(snapshot.graphs),
        num_ops=len(snapshot.ops),
        num_source_files=len(snapshot.sources),
        num_stack_frames=len(snapshot.frames),
        num_problems=len(problems),
        num_notes=sum(severity_of(p.kind, p.is_loss) == "note" for p in problems),
        problem_kinds=sorted({problem.kind for problem in problems}),
        debug_modes=moment.debug_modes,
        tensorflow_version=moment.tensorflow_version,
        run_id=moment.run_id,
        hosts=moment.hosts[:_MOST_HOSTS_LISTED],
    )


@lru_cache(maxsize=MAX_DIRECTORIES)
def _summary_of_unread(origin: Origin) -> RunSummary:
    return RunSummary(
        start_time=origin.start_time,
        status="unread",
        bytes_indexed=0,
        bytes_total=None,
        num_executions=None,
        num_graph_executions=None,
        num_alerts=None,
        num_graphs=None,
        num_ops=None,
        num_source_files=None,
        num_stack_frames=None,
        num_problems=None,
        num_notes=None,
        problem_kinds=None,
        debug_modes=None,
        tensorflow_version=origin.tensorflow_version,
        run_id=origin.run_id,
        hosts=list(origin.hosts[:_MOST_HOSTS_LISTED]),
    )


def logdir(library: RunLibrary, request: requests.NoParameters) -> LogdirSearch:
    """Where runs were looked for."""
    directories = library.directories
    telling = sorted(directories, key=lambda d: (not d.is_odd, not d.runs))
    return LogdirSearch(
        logdir=printable(", ".join(root.path for root in library.roots)),
        searching=library.searching,
        num_directories=len(directories),
        num_runs=library.num_found,
        directories=[
            SearchedDirectory(printable(d.path), d.note, d.is_odd)
            for d in telling[:_MOST_DIRECTORIES_LISTED]
        ],
    )


def devices(library: RunLibrary, request: requests.OfRun) -> Devices:
    """Device names by id."""
    snapshot = answer_from(library, request.run).snapshot
    hosts = {set_prefix(p): h for p, h in zip(snapshot.paths, snapshot.host_of_file, strict=True)}
    return Devices(
        [
            Device(key.device_id, name, hosts.get(key.set_prefix))
            for key, name in islice(snapshot.devices.items(), MAX_PAGE)
        ]
    )
