"""Rules of what is muted, as they stand in a request."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from tb_debugger_plugin.analyses.mutes import Mute, MuteKind, Muting
from tb_debugger_plugin.analyses.text_search import BadPattern
from tb_debugger_plugin.api.answers import RunAnswer
from tb_debugger_plugin.api.errors import InvalidArgument, quote


def parse_mutes(rules: tuple[str, ...]) -> tuple[Mute, ...]:
    """The rules of a parameter, whose syntax ``requests.MuteRule`` has checked.

    Raises:
      InvalidArgument: A rule ends with a line break, which the syntax lets pass.
    """
    return tuple(_parse(rule) for rule in rules)


def _parse(rule: str) -> Mute:
    kind, _, text = rule.partition(":")
    if text.endswith("\n"):  # As far as "$" is concerned that is the end.
        raise InvalidArgument("parameter 'mute': a rule ends with a line break")
    if kind == "line":
        text, _, lineno = text.rpartition(":")
        return Mute("line", text, int(lineno))
    return Mute(cast(MuteKind, kind), text)


def muting(answer: RunAnswer, mutes: tuple[Mute, ...]) -> Muting:
    """The alerts that are left under rules.

    Raises:
      InvalidArgument: An expression cannot be used.
    """
    with refusing_bad_expressions():
        return answer.view.muting(mutes)


@contextmanager
def refusing_bad_expressions() -> Iterator[None]:
    """Tells the client which expression is at fault.

    Raises:
      InvalidArgument: One cannot be used.
    """
    try:
        yield
    except BadPattern as error:
        rule = quote(f"regex:{error.pattern}")
        message = f"parameter 'mute': {rule} cannot be used as a regular expression: {error}"
        # RE2 quotes what is wrong; the whole expression is no news.
        if error.fragment not in ("", error.pattern):
            message += f": {quote(error.fragment)}"
        raise InvalidArgument(message) from None
