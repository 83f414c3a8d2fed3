"""What the project promises of its speed and memory, and what a measure is held against."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Budget:
    """A bound that a measure must not pass, on logdirs of ``least_events`` to ``most_events``."""

    measure: str
    bound: float
    unit: str
    at_least: bool = False
    least_events: float = 0
    most_events: float = math.inf

    def is_for(self, num_events: float) -> bool:
        """Whether logdirs of that many events are held to it."""
        return self.least_events <= num_events <= self.most_events

    def holds(self, value: float) -> bool:
        """Whether a value is within."""
        return value >= self.bound if self.at_least else value <= self.bound

    def worst(self, values: list[float]) -> float:
        """The one that is the nearest to the bound, or the farthest beyond."""
        return min(values) if self.at_least else max(values)

    def show(self, value: float) -> str:
        """A value in the budget's unit."""
        digits = 0 if abs(value) >= 20 else 1
        return f"{value:,.{digits}f}{self.unit}"

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}{self.unit}"


TIMES_TENSORFLOW = Budget("reading: as fast as TensorFlow's reader", 60, "×", at_least=True)
TIMES_LIMIT = {
    "graph executions": Budget("reading graph executions: time beside the limit", 8, "×"),
    "executions": Budget("reading executions: time beside the limit", 3.5, "×"),
}
"""By program: small records take more time a byte than large ones."""
GROWTH = Budget("reading: time an event, largest logdir beside smallest", 1.2, "×")
MEMORY = Budget("peak memory an event: reading", 100, " B")
MEMORY_KEPT = Budget("memory an event: kept after every kind of page", 100, " B", least_events=1e6)
REFRESH_GROWTH = Budget("refresh after 1 MB: time, any logdir beside the smallest", 2, "×")
PAGE = Budget("a page, in up to 3 million events", 10, " ms", most_events=3e6)
FILTER = Budget(
    "a new filter with its first page, in 2.7 million events", 100, " ms", most_events=3e6
)

ALL = (
    TIMES_TENSORFLOW,
    *TIMES_LIMIT.values(),
    GROWTH,
    MEMORY,
    MEMORY_KEPT,
    REFRESH_GROWTH,
    PAGE,
    FILTER,
)
