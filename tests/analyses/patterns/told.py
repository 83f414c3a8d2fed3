"""The patterns of a small logdir."""

from __future__ import annotations

from tb_debugger_plugin.analyses.patterns.pattern import Pattern, PatternKind
from tests.analyses.program import Program
from tests.builders.logdir import LogdirBuilder

F = "__inference_f_1"


def patterns(built: LogdirBuilder, kind: PatternKind) -> tuple[Pattern, ...]:
    return Program(built).view.patterns[kind].listed


def kinds(built: LogdirBuilder) -> list[PatternKind]:
    """The kinds that there are patterns of."""
    return [kind for kind, found in Program(built).view.patterns.items() if found.total]
