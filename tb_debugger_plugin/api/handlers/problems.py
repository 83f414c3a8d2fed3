"""What was lost or cannot be shown, and where it is missing from the lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from tb_debugger_plugin.analyses.observations.gaps import Gap
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.api import payloads, requests
from tb_debugger_plugin.api.answers import RunAnswer, answer_from
from tb_debugger_plugin.api.pages import cut_page
from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.moment import RunProblem
from tb_debugger_plugin.runs.problem_guide import anchor
from tb_debugger_plugin.runs.problem_kinds import EXPLANATIONS, Severity, remedy_code, severity_of

_MOST_GRAPHS_NAMED = 20
_MOST_AHEAD_OF_OTHER_KINDS = 50


def problems(library: RunLibrary, request: requests.PageOfRun) -> payloads.Problems:
    """All problems of a run, gravest first."""
    answer = answer_from(library, request.run)
    found = _by_severity(answer.moment.problems)
    begin, end = cut_page(request.begin, request.end, len(found))
    return payloads.Problems(
        begin, end, len(found), [_problem(answer, problem) for problem in found[begin:end]]
    )


def gaps(library: RunLibrary, request: requests.OfRun) -> payloads.Gaps:
    """Where events are missing, as far as that is known."""
    found = answer_from(library, request.run).moment.gaps
    return payloads.Gaps(_gaps(found.executions), _gaps(found.traces))


def _gaps(found: Sequence[Gap]) -> list[payloads.Gap]:
    return [payloads.Gap(gap.index, gap.cause, gap.is_certain) for gap in found]


def _by_severity(found: Sequence[RunProblem]) -> list[RunProblem]:
    """Gravest first, kind by kind. One that is there ten thousand times leaves room for others."""
    severities = get_args(Severity)
    kinds = list(EXPLANATIONS)
    num_before: Counter[str] = Counter()
    keys = []
    for problem in found:
        severity = severities.index(severity_of(problem.kind, problem.is_loss))
        is_late = num_before[problem.kind] >= _MOST_AHEAD_OF_OTHER_KINDS
        keys.append((severity, is_late, kinds.index(problem.kind)))
        num_before[problem.kind] += 1
    return [problem for _, problem in sorted(zip(keys, found, strict=True), key=lambda p: p[0])]


def _problem(answer: RunAnswer, problem: RunProblem) -> payloads.Problem:
    explanation = EXPLANATIONS[problem.kind]
    graphs = problem.graphs if isinstance(problem, Observation) else ()
    modes = answer.moment.debug_modes
    sets = answer.snapshot.file_sets
    return payloads.Problem(
        kind=problem.kind,
        severity=severity_of(problem.kind, problem.is_loss),
        title=explanation.title,
        file=problem.file and printable(problem.file),
        offset=problem.offset,
        message=problem.message,
        meaning=explanation.meaning,
        signs=explanation.signs,
        remedy=explanation.remedy,
        remedy_code=remedy_code(
            problem.kind,
            dump_root=sets[0].directory if sets else "",
            mode=modes[0] if len(modes) == 1 else None,
        )
        or None,
        docs=anchor(problem.kind),
        bytes_affected=problem.num_bytes,
        records_affected=problem.num_records,
        is_loss=problem.is_loss,
        num_graphs=len(graphs),
        graphs=[answer.graph_reference(graph) for graph in graphs[:_MOST_GRAPHS_NAMED]],
    )
