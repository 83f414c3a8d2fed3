"""Markdown tables, and cells that say whether a budget holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks import budgets
from benchmarks.budgets import Budget

NOTHING = ""


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A table's lines, with an empty one behind; columns but the first stand to the right."""
    widths = [max(len(cell) for cell in column) for column in zip(columns, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, widths, strict=True)
        padded = [first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]
        return f"| {' | '.join(padded)} |"

    rule = [f":{'-' * (widths[0] - 1)}", *(f"{'-' * (width - 1)}:" for width in widths[1:])]
    return [line(columns), f"|{'|'.join(f' {dashes} ' for dashes in rule)}|", *map(line, rows), ""]


def mark(holds: bool) -> str:
    """The sign of a budget that holds, or does not."""
    return "✓" if holds else "✗"


@dataclass
class Judgements:
    """All measures that were held against a budget, for the table at the top."""

    _values: dict[Budget, list[tuple[float, str]]] = field(default_factory=dict)

    def cell(self, value: float, budget: Budget, where: str) -> str:
        """A cell with a value, marked. ``where`` tells what it was measured on."""
        self.note(value, budget, where)
        return f"{budget.show(value)} {mark(budget.holds(value))}"

    def note(self, value: float, budget: Budget, where: str) -> None:
        """Holds a value against a budget."""
        self._values.setdefault(budget, []).append((value, where))

    def table(self) -> list[str]:
        """Each budget beside the worst that was measured, and where."""
        rows = []
        for budget in budgets.ALL:
            if not (values := self._values.get(budget)):
                continue
            worst = budget.worst([value for value, _ in values])
            where = next(where for value, where in values if value == worst)
            held = sum(budget.holds(value) for value, _ in values)
            rows.append(
                [
                    budget.measure,
                    str(budget),
                    budget.show(worst),
                    where,
                    f"{held} of {len(values)} {mark(held == len(values))}",
                ]
            )
        return table(["measure", "budget", "worst", "measured on", "holds"], rows)
