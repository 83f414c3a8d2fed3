"""Origins grouped into root causes, and their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.arithmetic import GROWING, HALF
from tb_debugger_plugin.analyses.provenance.provenance import Provenance
from tb_debugger_plugin.analyses.root_causes.gradients import is_gradient_name
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.events.batches import Float64s, Int32s, Int64s, UInt8s
from tb_debugger_plugin.index.snapshot import Snapshot

_MOST_NAMES = 1000
"""Of ops that are looked at."""
_NOT_LOOKED_AT = np.iinfo(np.int64).min
"""The site of what was not looked at: that of no op, nor of eager calls."""
_MOST_ROUNDS = 64
"""How many causes on from each other harm is followed back."""


@dataclass(frozen=True)
class OriginGroup:
    """The origins of one op in a graph, or of one eager call site; ``first`` is an alert."""

    first: int
    num_origins: int
    num_alerts: int
    is_harmless: bool
    is_incomplete: bool


@dataclass(frozen=True)
class OriginGroups:
    """The first groups, the likeliest first, and how many there are in all, beside muted ones."""

    listed: list[OriginGroup]
    total: int
    num_muted: int


def group_origins(
    snapshot: Snapshot,
    alerts: AlertTable,
    provenance: Provenance,
    most: int,
    muted: Mask | None = None,
    *,
    has_lost_events: bool = False,
) -> OriginGroups:
    """Groups by time, behind them those with missing records, and last those that do no harm.

    Of those at one time, the one from which more alerts descend comes first. Where a record is
    missing, the bad value may have been in it.

    No harm does what leads to no NaN and to no infinite result: an infinite mask, an initial
    minimum; but a sum or product that is too large was not meant, except of float16 gradients,
    of which a loss scale looks for the end, and of what was infinite but recorded too late. Nor
    does a constant that reaches nothing.

    With ``has_lost_events`` what put a bad value into a variable may have been in those.

    A muted group is left out, and a muted alert counts in none; what descends from either stays
    what it is: unexplained, or explained by what made it bad.
    """
    roots = provenance.roots
    if not len(roots):
        return OriginGroups([], 0, 0)
    origins = np.flatnonzero(provenance.parents < 0)
    sites = _site_of_each(snapshot, alerts)[origins]
    # One group, which is left out in the end: what made these bad was not looked for.
    sites[provenance.not_looked_at[origins]] = _NOT_LOOKED_AT
    # Of each group the first origin: origins ascend.
    _, first, group_of_origin = np.unique(sites, return_index=True, return_inverse=True)
    group_of_alert = np.zeros(len(roots), dtype=np.int32)
    group_of_alert[origins] = group_of_origin.reshape(-1)
    group_of_alert = group_of_alert[roots]
    num_groups = len(first)
    num_alerts = np.bincount(group_of_alert, minlength=num_groups)
    num_origins = np.bincount(group_of_origin.reshape(-1), minlength=num_groups)
    firsts = origins[first]
    harmless = _harmless(snapshot, alerts, provenance, firsts, group_of_alert)
    harmless |= (num_alerts == num_origins) & provenance.is_constant[firsts]
    _unmark_inputs_of_harm(harmless, *(group_of_alert[n] for n in provenance.other_inputs))
    incomplete = provenance.lost_input[firsts]
    if has_lost_events:
        incomplete |= np.isin(_op_types(snapshot, alerts)[firsts], _ids_of(snapshot, READS))
    times = _wall_times(snapshot, alerts)[firsts]
    order = np.lexsort((firsts, -num_alerts, times, incomplete, harmless))
    order = order[~provenance.not_looked_at[firsts[order]]]
    num_looked_at = len(order)
    if muted is not None:
        # All origins of a group are of one op or line, so they are muted together.
        order = order[~muted[firsts[order]]]
        num_alerts = np.bincount(group_of_alert[~muted], minlength=num_groups)
    listed = [
        OriginGroup(
            int(firsts[group]),
            int(num_origins[group]),
            int(num_alerts[group]),
            bool(harmless[group]),
            bool(incomplete[group]),
        )
        for group in order[:most].tolist()
    ]
    return OriginGroups(listed, len(order), num_looked_at - len(order))


def _harmless(
    snapshot: Snapshot,
    alerts: AlertTable,
    provenance: Provenance,
    firsts: Int64s,
    group_of_alert: Int32s,
) -> Mask:
    """Whether from each group only infinities descend that were no result, and may be meant."""
    harms = provenance.has_nan | provenance.leaves_call
    finite_else = np.bincount(group_of_alert[harms], minlength=len(firsts)) == 0
    grows = np.isin(_op_types(snapshot, alerts)[firsts], _ids_of(snapshot, GROWING))
    harmless: Mask = finite_else & ~grows
    in_half = _dtypes(snapshot, alerts)[firsts] == HALF
    sites = _site_of_each(snapshot, alerts)[firsts]
    for group in np.flatnonzero(finite_else & grows)[:_MOST_NAMES].tolist():
        op = int(sites[group])
        is_scaled = in_half[group] and op >= 0 and is_gradient_name(snapshot.names.op_name(op))
        harmless[group] = is_scaled or provenance.was_given_bad(int(firsts[group]))
    results = np.flatnonzero(harmless[group_of_alert] & provenance.is_execution)
    harmless[group_of_alert[results[provenance.is_unused(results)]]] = False
    return harmless


def _unmark_inputs_of_harm(harmless: Mask, groups: Int32s, of_groups: Int32s) -> None:
    """What is an input of something harmful does harm too, though that descends from another."""
    keys = np.unique(groups.astype(np.int64) * len(harmless) + of_groups)
    groups, of_groups = np.divmod(keys, len(harmless))
    for _ in range(_MOST_ROUNDS):
        wrong = harmless[groups] & ~harmless[of_groups]
        if not wrong.any():
            return
        harmless[groups[wrong]] = False


def _ids_of(snapshot: Snapshot, op_types: Iterable[str]) -> list[int]:
    strings = snapshot.names.strings
    return [number for name in op_types if (number := strings.find(name)) is not None]


def _op_types(snapshot: Snapshot, alerts: AlertTable) -> Int32s:
    """The op type of each alert, as the id of a string; -1 where it is not known."""
    types = np.full(len(alerts), -1, dtype=np.int32)
    trace_rows, execution_rows = _rows(snapshot, alerts)
    if len(snapshot.ops):
        ops = snapshot.op_row[snapshot.traces.op[trace_rows]]
        types[alerts.traces[1]] = np.where(ops < 0, -1, snapshot.ops.op_type[ops])
    types[alerts.values[2]] = snapshot.executions.op_type[execution_rows]
    return types


def _dtypes(snapshot: Snapshot, alerts: AlertTable) -> UInt8s:
    """The DataType number of each alert's tensor."""
    dtypes = np.zeros(len(alerts), dtype=np.uint8)
    trace_rows, _ = _rows(snapshot, alerts)
    values, _, numbers = alerts.values
    dtypes[alerts.traces[1]] = snapshot.traces.values.dtype[trace_rows]
    dtypes[numbers] = snapshot.executions.values.dtype[values]
    return dtypes


def _wall_times(snapshot: Snapshot, alerts: AlertTable) -> Float64s:
    """When each alert's event was, in seconds since the Unix epoch."""
    times = np.zeros(len(alerts), dtype=np.float64)
    trace_rows, execution_rows = _rows(snapshot, alerts)
    times[alerts.traces[1]] = snapshot.traces.wall_time[trace_rows]
    times[alerts.values[2]] = snapshot.executions.wall_time[execution_rows]
    return times


def _site_of_each(snapshot: Snapshot, alerts: AlertTable) -> Int64s:
    """A number for the op, or for the op type and code location, of each alert."""
    sites = np.zeros(len(alerts), dtype=np.int64)
    trace_rows, execution_rows = _rows(snapshot, alerts)
    sites[alerts.traces[1]] = snapshot.traces.op[trace_rows]
    executions = snapshot.executions
    num_locations = len(snapshot.names.locations) + 1
    eager = executions.op_type[execution_rows].astype(np.int64) * num_locations
    eager += executions.location[execution_rows]
    # Below zero, and so apart from ops.
    sites[alerts.values[2]] = -2 - eager
    return sites


def _rows(snapshot: Snapshot, alerts: AlertTable) -> tuple[Int64s, Int64s]:
    """The rows of the traces with an alert, and of the executions of values with one."""
    traces, executions = alerts.traces[0], alerts.values[1]
    of_trace, of_execution = snapshot.trace_order, snapshot.execution_order
    return (
        (traces if of_trace is None else of_trace[traces]).astype(np.int64),
        (executions if of_execution is None else of_execution[executions]).astype(np.int64),
    )
