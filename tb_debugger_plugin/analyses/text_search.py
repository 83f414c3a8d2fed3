"""Text that is looked for in names: part of them, or a regular expression.

Expressions come from whoever reaches the server. RE2 matches them in time that is linear in the
name, whatever they are, and within the memory that it is given.
"""

from __future__ import annotations

from collections.abc import Callable

import re2

MAX_PATTERN = 1000
"""Characters of a regular expression at most."""

_MAX_MEMORY = 1 << 20
"""Bytes that an expression and its automaton may take."""


class BadPattern(ValueError):
    """A text that is no regular expression, or too large a one; the message says why."""


def matcher(text: str, *, is_regex: bool) -> Callable[[str], bool]:
    """A function that tells whether a name has the text in it, in any case.

    Raises:
      BadPattern: ``text`` is to be a regular expression and is none.
    """
    if is_regex:
        return _expression_matcher(text)
    folded = text.casefold()
    return lambda name: folded in name.casefold()


def _expression_matcher(pattern: str) -> Callable[[str], bool]:
    if len(pattern) > MAX_PATTERN:
        raise BadPattern(f"it has {len(pattern)} characters; at most {MAX_PATTERN} are taken")
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    options.never_capture = True
    try:
        search = re2.compile(pattern, options).search
    except (re2.error, UnicodeEncodeError) as error:
        raise BadPattern(str(error)) from None
    return lambda name: search(name) is not None
