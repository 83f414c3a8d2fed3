"""Patterns that the user does not want to hear of, by the same rules as other alerts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tb_debugger_plugin.analyses.code import Code, UserFrame
from tb_debugger_plugin.analyses.function_names import parse_function_name
from tb_debugger_plugin.analyses.mutes import Mute
from tb_debugger_plugin.analyses.patterns.pattern import Pattern, PatternKind, PatternsOfKind
from tb_debugger_plugin.analyses.text_search import matcher
from tb_debugger_plugin.index.snapshot import Snapshot

_Test = Callable[[Pattern], bool]


def without_muted(
    found: Mapping[PatternKind, PatternsOfKind],
    mutes: tuple[Mute, ...],
    snapshot: Snapshot,
    code: Code,
) -> Mapping[PatternKind, PatternsOfKind]:
    """The patterns that no rule is about. Those that are not listed count as before.

    Raises:
      BadPattern: A text is no regular expression, or all of them take too long.
    """
    num_expressions = sum(mute.kind == "regex" for mute in mutes)
    rules = _Rules(snapshot, code)
    tests = [rules.test(mute, num_expressions) for mute in mutes]
    if not tests:
        return found
    left: dict[PatternKind, PatternsOfKind] = {}
    for kind, patterns in found.items():
        listed = tuple(
            each for each in patterns.listed if not any(is_muted(each) for is_muted in tests)
        )
        num_usual_muted = _count_usual(patterns.listed) - _count_usual(listed)
        num_muted = len(patterns.listed) - len(listed) - num_usual_muted
        left[kind] = PatternsOfKind(
            listed, patterns.total - num_muted, patterns.num_usual - num_usual_muted
        )
    return left


def _count_usual(patterns: tuple[Pattern, ...]) -> int:
    return sum(each.is_usual for each in patterns)


class _Rules:
    def __init__(self, snapshot: Snapshot, code: Code) -> None:
        self._snapshot = snapshot
        self._code = code

    def test(self, mute: Mute, num_expressions: int) -> _Test:
        text = mute.text
        if mute.kind == "op_type":
            return lambda pattern: pattern.op_type == text
        if mute.kind == "op":
            return lambda pattern: self._op_name(pattern) == text
        if mute.kind == "function":
            return lambda pattern: self._is_in_function(pattern, text)
        if mute.kind == "line":
            return lambda pattern: self._is_of_line(pattern, text, mute.lineno)
        matches = matcher(text, is_regex=mute.kind == "regex", num_sharing=num_expressions)
        return lambda pattern: pattern.op is not None and matches(self._op_name(pattern) or "")

    def _op_name(self, pattern: Pattern) -> str | None:
        return None if pattern.op is None else self._snapshot.names.op_name(pattern.op)

    def _frame(self, pattern: Pattern) -> UserFrame | None:
        return self._code.innermost_user_frame(pattern.location)

    def _is_in_function(self, pattern: Pattern, function: str) -> bool:
        graph = None if pattern.graph is None else self._snapshot.graphs.get(pattern.graph)
        name = None if graph is None else graph.name
        parsed = None if name is None else parse_function_name(name)
        frame = self._frame(pattern)
        return function in {
            name,
            None if parsed is None else parsed.python_name,
            None if frame is None else frame.function,
        }

    def _is_of_line(self, pattern: Pattern, file_path: str, lineno: int) -> bool:
        frame = self._frame(pattern)
        if frame is None or frame.lineno != lineno:
            return False
        return self._snapshot.sources[frame.source].file_path == file_path
