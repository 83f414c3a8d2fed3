"""Patterns that the user does not want to hear of, by the same rules as other alerts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tb_debugger_plugin.analyses.code import Code
from tb_debugger_plugin.analyses.function_names import all_names
from tb_debugger_plugin.analyses.mutes import Mute, MuteKind
from tb_debugger_plugin.analyses.patterns.pattern import Pattern, PatternKind, PatternsOfKind
from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.index.snapshot import Snapshot


def without_muted(
    found: Mapping[PatternKind, PatternsOfKind],
    mutes: tuple[Mute, ...],
    snapshot: Snapshot,
    code: Code,
) -> Mapping[PatternKind, PatternsOfKind]:
    """The patterns that no rule is about. Those that are not kept count as before.

    Raises:
      BadPattern: A text is no regular expression, or takes too long.
    """
    if not mutes:
        return found
    rules = _Rules(mutes, snapshot, code)
    rules.search(each for patterns in found.values() for each in patterns.kept)
    left: dict[PatternKind, PatternsOfKind] = {}
    for kind, patterns in found.items():
        kept = tuple(each for each in patterns.kept if not rules.are_about(each))
        num_usual_muted = _count_usual(patterns.kept) - _count_usual(kept)
        num_muted = len(patterns.kept) - len(kept) - num_usual_muted
        left[kind] = PatternsOfKind(
            kept, patterns.total - num_muted, patterns.num_usual - num_usual_muted
        )
    return left


def _count_usual(patterns: Iterable[Pattern]) -> int:
    return sum(each.is_usual for each in patterns)


class _Rules:
    """Rules together, so that what they are held against is looked up once for all of them."""

    def __init__(self, mutes: tuple[Mute, ...], snapshot: Snapshot, code: Code) -> None:
        self._snapshot = snapshot
        self._code = code
        self._op_types = _texts(mutes, "op_type")
        self._ops = _texts(mutes, "op")
        self._functions = _texts(mutes, "function")
        self._lines = {(mute.text, mute.lineno) for mute in mutes if mute.kind == "line"}
        self._searches = [mute for mute in mutes if mute.kind in ("text", "regex")]
        self._matched: set[str] = set()

    def search(self, patterns: Iterable[Pattern]) -> None:
        """Looks for texts and expressions in the names of patterns, in each name once.

        Raises:
          BadPattern: A text is no regular expression, or takes too long.
        """
        if not self._searches:
            return
        # One after the other, so that each has its share of the time for itself.
        names = {name for each in patterns if (name := self._name(each)) is not None}
        num_expressions = sum(mute.kind == "regex" for mute in self._searches)
        for mute in self._searches:
            is_regex = mute.kind == "regex"
            matches = matcher(mute.text, is_regex=is_regex, num_sharing=num_expressions)
            matched = {name for name in names if matches(name)}
            names -= matched
            self._matched |= matched

    def are_about(self, pattern: Pattern) -> bool:
        """Whether one of them is about a pattern whose name has been searched."""
        called, name = self._called(pattern), self._name(pattern)
        return (
            (pattern.op_type or called) in self._op_types
            or name in self._ops
            or name in self._matched
            or self._are_of_code(pattern, called)
        )

    def _name(self, pattern: Pattern) -> str | None:
        if pattern.op is None:
            return self._called(pattern)
        return self._snapshot.names.op_name(pattern.op)

    def _called(self, pattern: Pattern) -> str | None:
        """The op type of an execution, which it goes by for its name, as an eager op does."""
        row = pattern.execution_row
        if row is None:
            return None
        op_type = int(self._snapshot.executions.op_type[row])
        return self._snapshot.names.strings.values[op_type]

    def _are_of_code(self, pattern: Pattern, called: str | None) -> bool:
        graph = None if pattern.graph is None else self._snapshot.graphs.get(pattern.graph)
        functions = all_names(called) | all_names(None if graph is None else graph.name)
        frame = self._code.innermost_user_frame(pattern.location)
        if frame is not None:
            functions.add(frame.function)
            path = self._snapshot.sources[frame.source].file_path
            if (path, frame.lineno) in self._lines:
                return True
        return not functions.isdisjoint(self._functions)


def _texts(mutes: tuple[Mute, ...], kind: MuteKind) -> set[str]:
    return {mute.text for mute in mutes if mute.kind == kind}
