"""Events that a circular buffer dropped, and calls that left traces but no execution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tb_debugger_plugin.analyses.lost_files import is_whole
from tb_debugger_plugin.analyses.observations.calls_seen import UnpairedCalls
from tb_debugger_plugin.analyses.observations.gaps import DEFAULT_BUFFER, Gap, Gaps
from tb_debugger_plugin.analyses.observations.observation import Observation
from tb_debugger_plugin.analyses.observations.words import count_of, graph_names, listed
from tb_debugger_plugin.index.snapshot import Snapshot

_DEFAULT = (
    f"Exactly {DEFAULT_BUFFER:,} {{events}} are on disk, as many as a circular buffer keeps by "
    "default: earlier ones were probably dropped."
)


def dropped_executions(snapshot: Snapshot, gaps: Gaps) -> Iterator[Observation]:
    """Executions that are missing from the timeline."""
    found = [gap for gap in gaps.executions if gap.cause == "dropped"]
    if not found:
        return
    leaps = [gap for gap in found if gap.index > 0]
    sentences = []
    if found[0].index == 0 and found[0].is_certain:
        sentences.append(
            "Executions before #0 are missing: a stack frame was recorded ahead of those on disk "
            "that belongs to none of them."
        )
    elif found[0].index == 0:
        sentences.append(_DEFAULT.format(events="executions"))
    if leaps:
        sentences.append(
            f"Executions before {_places(leaps)} are probably missing: tensor ids leap there, "
            "where graph executions are missing too."
        )
    sentences += _kept(found, len(snapshot.executions), "execution")
    yield Observation(
        "executions_dropped",
        " ".join(sentences),
        is_loss=any(gap.is_certain for gap in found),
        may_pass=all(gap.may_pass for gap in found),
        file=snapshot.file_sets[0].path("execution"),
    )


def dropped_traces(
    snapshot: Snapshot, gaps: Gaps, calls: Sequence[UnpairedCalls]
) -> Iterator[Observation]:
    """Traces that are missing from Graph Executions."""
    found = [gap for gap in gaps.traces if gap.cause == "dropped"]
    if not found:
        return
    functions = [function for function in calls if len(function.unobserved)]
    graphs = [function.graph for function in functions]
    message = _DEFAULT.format(events="graph executions")
    if functions:
        num_calls = sum(len(function.unobserved) for function in functions)
        message = (
            f"Graph executions before {_places(found)} are missing: "
            f"{count_of(num_calls, 'call')} of {graph_names(snapshot, graphs)} "
            "left none there, although other calls have some."
        )
    sentences = [message, *_kept(found, len(snapshot.traces), "graph execution")]
    yield Observation(
        "graph_executions_dropped",
        " ".join(sentences),
        is_loss=any(gap.is_certain for gap in found),
        may_pass=all(gap.may_pass for gap in found),
        file=snapshot.file_sets[0].path("graph_execution_traces"),
        graphs=tuple(graphs),
    )


def calls_without_execution(
    snapshot: Snapshot, gaps: Gaps, calls: Sequence[UnpairedCalls]
) -> Iterator[Observation]:
    """Calls that are seen by their traces only, where no buffer explains it."""
    functions = [function for function in calls if function.num_unreturned]
    if not functions or gaps.executions:
        return
    # Where executions are lost, they are the ones; where ops are, one may run twice in a loop.
    if not (is_whole(snapshot, "execution") and is_whole(snapshot, "graphs")):
        return
    num_calls = sum(function.num_unreturned for function in functions)
    graphs = [function.graph for function in functions]
    yield Observation(
        "calls_without_execution",
        f"{count_of(num_calls, 'call')} of {graph_names(snapshot, graphs)} "
        f"{'has' if num_calls == 1 else 'have'} graph executions and no execution in the timeline.",
        num_records=num_calls,
        graphs=tuple(graphs),
    )


def _kept(gaps: Sequence[Gap], num_events: int, event: str) -> Iterator[str]:
    """How many were kept, where they are certainly the last ones and nothing is missing between."""
    if len(gaps) == 1 and gaps[0].index == 0 and gaps[0].is_certain:
        verb = "was" if num_events == 1 else "were"
        yield f"Only the last {count_of(num_events, event)} {verb} kept."


def _places(gaps: Sequence[Gap]) -> str:
    return listed([f"#{gap.index}" for gap in gaps])
