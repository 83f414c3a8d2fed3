"""``tbdbg``: what a logdir holds, without a browser.

tbdbg runs LOGDIR            the runs at or below LOGDIR, with their sizes, and what was lost
                             (loss), cannot be shown (limit) or is good to know (note)
tbdbg alerts LOGDIR          tensors with NaN or infinity, in time order, with their lines
tbdbg causes LOGDIR          what made values bad in the first place, the likeliest first
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tb_debugger_plugin.analyses.lost_files import is_whole
from tb_debugger_plugin.analyses.observations.words import count_of, listed
from tb_debugger_plugin.analyses.root_causes.cause import RootCause
from tb_debugger_plugin.analyses.root_causes.limits import limits_of
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.index.file_sets import FileKind
from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.runs.moment import RunProblem
from tb_debugger_plugin.runs.open_run import NoSuchRun, SeveralRuns, open_run
from tb_debugger_plugin.runs.problem_kinds import severity_of
from tb_debugger_plugin.runs.run import InfNanAlert, Run
from tb_debugger_plugin.runs.search import Root, search

_TELL_LINES: tuple[FileKind, ...] = ("graphs", "stack_frames", "source_files")
_MOST_PROBLEMS = 3
_LOGDIR = "a directory that holds runs, itself or below; or a URL as s3://bucket/run"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the answer is the exit code (2 where the logdir has no such run)."""
    options = _parser().parse_args(arguments)
    try:
        lines: list[str] = options.command(options)
    except SeveralRuns as error:
        print(f"tbdbg: {error.found}; name one with --run", file=sys.stderr)
        return 2
    except NoSuchRun as error:
        print(f"tbdbg: {error}", file=sys.stderr)
        return 2
    try:
        print("\n".join(lines))
    except BrokenPipeError:  # `tbdbg ... | head` has seen enough.
        sys.stderr.close()
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="tbdbg",
        description="Reads what tf.debugging.experimental.enable_dump_debug_info wrote.",
        epilog="Exits with 0 whatever a run holds, and with 2 where there is no such run.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    runs = commands.add_parser("runs", help="list the runs at or below a directory")
    runs.add_argument("logdir", metavar="LOGDIR", help=_LOGDIR)
    runs.set_defaults(command=_list_runs)
    alerts = commands.add_parser("alerts", help="list tensors with NaN or infinity")
    alerts.add_argument("logdir", metavar="LOGDIR", help=_LOGDIR)
    alerts.add_argument("--run", help="which run, as `tbdbg runs` names it, if there are several")
    alerts.add_argument(
        "--limit", type=int, default=50, metavar="N", help="the first N only (50); 0 for all"
    )
    alerts.set_defaults(command=_list_alerts)
    causes = commands.add_parser("causes", help="list what made values bad in the first place")
    causes.add_argument("logdir", metavar="LOGDIR", help=_LOGDIR)
    causes.add_argument("--run", help="which run, as `tbdbg runs` names it, if there are several")
    causes.set_defaults(command=_list_causes)
    return parser


def _list_runs(options: argparse.Namespace) -> list[str]:
    found = [r for directory in search([Root("", options.logdir)]) for r in directory.runs]
    if not found:
        open_run(options.logdir)  # Says what is missing.
    cache = IndexCache.of_user()
    lines = []
    for each in found:
        run = Run(each.name, each.file_sets, cache)
        run.refresh()
        lines.append(_describe(run))
        lines += [_describe_problem(problem) for problem in run.problems]
    return lines


def _describe_problem(problem: RunProblem) -> str:
    severity = severity_of(problem.kind, problem.is_loss)
    file = f"{printable(problem.file)}: " if problem.file else ""
    return f"    {severity}: {file}{problem.message}"


def _describe(run: Run) -> str:
    modes = ", ".join(run.debug_modes) or "no mode recorded"
    return (
        f"{run.name}  {run.status}  {modes}  {run.num_executions} executions  "
        f"{run.num_graph_executions} graph executions  {len(run.alerts())} alerts"
    )


def _list_alerts(options: argparse.Namespace) -> list[str]:
    run = open_run(options.logdir, run=options.run)
    alerts = run.alerts()
    shown = alerts[: options.limit] if options.limit > 0 else alerts
    lines = [_describe_alert(alert, run.snapshot) for alert in shown]
    if len(shown) < len(alerts):
        lines.append(f"... {len(alerts) - len(shown)} more; --limit 0 lists all")
    return (lines or [_nothing_bad(run)]) + _gravest_problems(run)


def _nothing_bad(run: Run) -> str:
    if any(problem.is_loss for problem in run.problems):
        return "no tensor with NaN or infinity is in what could be read, which is not all"
    events = run.num_executions or run.num_graph_executions
    nothing = "no tensor with NaN or infinity" if events else "no execution and no graph execution"
    if run.status == "live":
        return f"{nothing} was recorded so far; the program may still be writing"
    return f"{nothing} was recorded"


def _gravest_problems(run: Run) -> list[str]:
    """What may hide further alerts and causes; nothing if all that there was is known."""
    grave = [
        problem
        for severity in ("loss", "limit")
        for problem in run.problems
        if severity_of(problem.kind, problem.is_loss) == severity
    ]
    if not grave:
        return []
    shown = [_describe_problem(problem) for problem in grave[:_MOST_PROBLEMS]]
    found = count_of(len(grave) + run.snapshot.num_problems_dropped, "problem")
    more = ", the gravest first" if len(grave) > 1 else ""
    return [f"this may not be all: {found}{more} (see `tbdbg runs`)", *shown]


def _describe_alert(alert: InfNanAlert, snapshot: Snapshot) -> str:
    slot = "?" if alert.output_slot is None else alert.output_slot
    if alert.graph_execution_index is not None:
        place = f"#{alert.graph_execution_index}"
        name = f"{alert.op_name}:{slot} in {alert.graph_name or 'the outermost graph'}"
    else:
        place = f"e{alert.execution_index}"
        name = f"{alert.op_type}:{slot}, eager"
    counts = [("NaN", alert.num_nan), ("-inf", alert.num_neg_inf), ("+inf", alert.num_pos_inf)]
    bad = " ".join(f"{sign} x{count}" for sign, count in counts if count) or "NaN or infinity"
    size = "" if alert.size is None else f" of {alert.size}"
    source = alert.source
    line = (
        f"{source.file_path}:{source.lineno} in {source.function}"
        if source
        else f"line unknown{_why_unknown(snapshot)}"
    )
    return f"{place:>8}  {name}  {bad}{size}  {line}"


def _list_causes(options: argparse.Namespace) -> list[str]:
    run = open_run(options.logdir, run=options.run)
    view = run.view
    found = view.root_causes
    lines = []
    for number, cause in enumerate(found.listed, 1):
        lines += _describe_cause(view, number, cause)
    if len(found.listed) < found.total:
        lines.append(f"... {found.total - len(found.listed)} more")
    lines = lines or [_nothing_bad(run)]
    observations = view.observations.standing + view.observations.passing
    limits = limits_of(view.snapshot, observations, found.num_not_looked_at)
    return lines + [f"note: {limit}" for limit in limits] + _gravest_problems(run)


def _describe_cause(view: View, number: int, cause: RootCause) -> list[str]:
    word = "harmless" if cause.is_harmless else f"{cause.confidence} confidence"
    alerts = "1 alert" if cause.num_alerts == 1 else f"{cause.num_alerts} alerts"
    lines = [
        f"{number}. {cause.first.op_type} at {_line(view, cause.location)}"
        f" ({word}, explains {alerts})"
    ]
    if cause.forward_location is not None:
        lines.append(f"   gradient of the op at {_line(view, cause.forward_location)}")
    return [*lines, f"   {cause.evidence}", f"   {cause.advice}"]


def _line(view: View, location: int) -> str:
    frame = view.code.innermost_user_frame(location)
    if frame is None:
        return f"an unknown line{_why_unknown(view.snapshot)}"
    return f"{view.snapshot.sources[frame.source].file_path}:{frame.lineno} in {frame.function}"


def _why_unknown(snapshot: Snapshot) -> str:
    """In brackets, which of the files that tell lines are not whole; "" if all are."""
    broken = [f"`.{kind}`" for kind in _TELL_LINES if not is_whole(snapshot, kind)]
    return f" ({listed(broken)} damaged or missing)" if broken else ""
