"""What an event's alert is to others: an origin, or made bad by another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tb_debugger_plugin.analyses.mutes import Mute
from tb_debugger_plugin.analyses.view import View
from tb_debugger_plugin.index.tables import ExecutionIndex, TraceIndex

AlertRoleName = Literal["cause", "origin", "propagated"]


@dataclass(frozen=True)
class AlertRole:
    """The role of one alert, which stands for its event.

    A "cause" is the first origin of a root cause that does harm. ``parent`` is the alert that a
    "propagated" one came from. ``is_muted``: all alerts of the event are.
    """

    alert: int
    role: AlertRoleName
    is_muted: bool
    parent: int | None


class AlertRoles:
    """Answers for one view, under rules of what is muted."""

    def __init__(self, view: View, mutes: tuple[Mute, ...]) -> None:
        self._alerts = view.alerts
        self._parents = view.provenance.parents
        self._muted = view.muting(mutes).muted
        # A muted cause is one all the same; another may be found in its place.
        listed = view.root_causes.listed + view.root_causes_without(mutes).listed
        self._causes = {cause.first.alert for cause in listed if not cause.is_harmless}

    def of_execution(self, index: ExecutionIndex) -> AlertRole | None:
        """That of an execution's first cause, else origin, else alert; muted ones behind others."""
        return self._of_event(self._alerts.around_execution(index))

    def of_trace(self, index: TraceIndex) -> AlertRole | None:
        """That of a trace; ``None`` if it has no alert."""
        return self._of_event(self._alerts.around_trace(index))

    def _of_event(self, alerts: range) -> AlertRole | None:
        return min(map(self._of_alert, alerts), key=_rank, default=None)

    def _of_alert(self, alert: int) -> AlertRole:
        parent = int(self._parents[alert])
        role: AlertRoleName = "propagated"
        if parent < 0:
            role = "cause" if alert in self._causes else "origin"
        is_muted = self._muted is not None and bool(self._muted[alert])
        return AlertRole(alert, role, is_muted, None if parent < 0 else parent)


def _rank(role: AlertRole) -> tuple[bool, int, int]:
    return role.is_muted, ("cause", "origin", "propagated").index(role.role), role.alert
