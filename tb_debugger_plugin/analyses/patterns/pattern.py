"""A pattern: something amiss that no single event shows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tb_debugger_plugin.analyses.patterns.thresholds import MOST_LISTED
from tb_debugger_plugin.index.tables import GraphKey, OpKey

PatternKind = Literal[
    "retracing",
    "dead_activation",
    "zero_gradient",
    "all_zero",
    "shape_change",
    "magnitude_growth",
    "unchanged",
    "unobserved_function",
]


@dataclass(frozen=True)
class Argument:
    """What a version of a function was compiled for.

    ``execution_row`` and ``value_row`` find the value that was given at its first call; ``None``
    where that is not recorded.
    """

    name: str
    execution_row: int | None = None
    value_row: int | None = None


@dataclass(frozen=True)
class Version:
    """One concrete function of a function that was compiled several times.

    ``first_call`` is the row of its first execution, ``None`` if none is recorded.
    """

    graph: GraphKey
    first_call: int | None
    num_calls: int
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Pattern:
    """One alert. Where a tensor is meant, ``op`` and ``slot`` name it, else they are ``None``.

    Attributes:
      op_type: Of the op; "" for a function.
      graph: Where the op is, or the function itself; of several versions the last one.
      execution_row: The row of the example, the last event that shows it, if that is an execution.
      trace_row: The same if it is a graph execution trace. Both are ``None`` if nothing ran.
      location: The code location of the op or call; -1 for none.
      evidence: What was seen, in words and numbers.
      num_events: How many events show it.
      versions: Those of a retraced function, the first ones.
      num_versions: How many there are.
      is_usual: Whether healthy programs show the same.
    """

    kind: PatternKind
    op_type: str
    op: OpKey | None
    graph: GraphKey | None
    slot: int | None
    execution_row: int | None
    trace_row: int | None
    location: int
    evidence: str
    num_events: int
    versions: tuple[Version, ...] = ()
    num_versions: int = 0
    is_usual: bool = False


@dataclass(frozen=True)
class PatternsOfKind:
    """The first patterns of a kind, usual ones last, and how many there are.

    ``total`` leaves out those that healthy programs show too; these are ``num_usual`` more. More
    are kept than are listed: they come up when others are muted.
    """

    kept: tuple[Pattern, ...] = ()
    total: int = 0
    num_usual: int = 0

    @property
    def listed(self) -> tuple[Pattern, ...]:
        """``MOST_LISTED`` of them at most."""
        return self.kept[:MOST_LISTED]
