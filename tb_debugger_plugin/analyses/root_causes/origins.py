"""Origins grouped into root causes, and their order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tb_debugger_plugin.analyses.alerts import AlertTable
from tb_debugger_plugin.analyses.graph_functions import GraphFunctions
from tb_debugger_plugin.analyses.provenance.provenance import Provenance
from tb_debugger_plugin.analyses.root_causes.alert_columns import AlertColumns
from tb_debugger_plugin.analyses.root_causes.harm import Harm
from tb_debugger_plugin.analyses.time_order import Mask
from tb_debugger_plugin.analyses.variables import READS
from tb_debugger_plugin.events.batches import Int64s
from tb_debugger_plugin.index.snapshot import Snapshot

_NOT_LOOKED_AT = np.iinfo(np.int64).min
"""The site of what was not looked at: that of no op, nor of eager calls."""


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
    """The first groups, the likeliest first, and how many there are in all; likewise muted ones."""

    listed: list[OriginGroup]
    total: int
    muted: list[OriginGroup]
    num_muted: int


def group_origins(
    snapshot: Snapshot,
    alerts: AlertTable,
    provenance: Provenance,
    functions: GraphFunctions,
    most: int,
    muted: Mask | None = None,
    *,
    has_lost_events: bool = False,
) -> OriginGroups:
    """Groups by time, behind them those with missing records, and last those that do no harm.

    Of those at one time, the one from which more alerts descend comes first. Where a record is
    missing, the bad value may have been in it.

    What does no harm is told by ``Harm``.

    With ``has_lost_events`` what put a bad value into a variable may have been in those.

    A muted group is left out, and a muted alert counts in none; what descends from either stays
    what it is: unexplained, or explained by what made it bad.
    """
    roots = provenance.roots
    if not len(roots):
        return OriginGroups([], 0, [], 0)
    origins = np.flatnonzero(provenance.parents < 0)
    columns = AlertColumns(snapshot, alerts)
    sites = columns.sites[origins]
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
    harm = Harm(
        snapshot,
        alerts,
        columns,
        provenance,
        functions,
        firsts,
        group_of_alert,
        has_lost_events=has_lost_events,
    )
    harmless = harm.harmless_groups()
    incomplete = provenance.lost_input[firsts]
    if has_lost_events:
        incomplete |= np.isin(columns.op_types[firsts], snapshot.names.strings.find_all(READS))
    times = columns.wall_times[firsts]
    order = np.lexsort((firsts, -num_alerts, times, incomplete, harmless))
    order = order[~provenance.not_looked_at[firsts[order]]]
    left, left_out = order, order[:0]
    if muted is not None:
        # All origins of a group are of one op or line, so they are muted together.
        left, left_out = order[~muted[firsts[order]]], order[muted[firsts[order]]]
        num_alerts = np.bincount(group_of_alert[~muted], minlength=num_groups)

    def told(groups: Int64s) -> list[OriginGroup]:
        return [
            OriginGroup(
                int(firsts[group]),
                int(num_origins[group]),
                int(num_alerts[group]),
                bool(harmless[group]),
                bool(incomplete[group]),
            )
            for group in groups[:most].tolist()
        ]

    return OriginGroups(told(left), len(left), told(left_out), len(left_out))
