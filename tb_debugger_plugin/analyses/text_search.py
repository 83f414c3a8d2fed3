"""Text that is looked for in names: part of them, or a regular expression.

Expressions come from whoever reaches the server. RE2 takes time that is linear in the name,
whatever they are, and the memory that it is given; what large expressions take for many names is
bounded here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import cycle

import re2

_MOST_BYTES = 1 << 20
"""What an expression with its automaton may take."""

_MOST_SECONDS = 5.0
"""What all names together may take of a processor: a hundred times what is common."""

_LONGEST_NAME = 4096
"""Characters of a name that an expression sees; TensorFlow's have a tenth of that."""


class BadPattern(ValueError):
    """A text that cannot be used as a regular expression; the message says why.

    ``pattern`` is the text, ``fragment`` the part of it that is wrong, "" where RE2 does not tell.
    """

    def __init__(self, pattern: str, reason: str, fragment: str = "") -> None:
        super().__init__(reason)
        self.pattern = pattern
        self.fragment = fragment


def matcher(text: str, *, is_regex: bool, num_sharing: int = 1) -> Callable[[str], bool]:
    """A function that tells whether a name has the text in it, in any case.

    Args:
      text: What to look for.
      is_regex: Whether it is a regular expression.
      num_sharing: How many expressions of one request share the time that one may take. Their
        functions are made and used one after the other: time runs from the making on.

    Raises:
      BadPattern: ``text`` is to be a regular expression and cannot be used; the function raises
        it too, when names have taken too long.
    """
    if is_regex:
        return _expression(text, num_sharing)
    folded = text.casefold()
    return lambda name: folded in name.casefold()


def _expression(pattern: str, num_sharing: int) -> Callable[[str], bool]:
    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    options.max_mem = _MOST_BYTES
    options.never_capture = True
    re2.purge()  # Else the module keeps the last 128 expressions with all that they took.
    try:
        search = re2.compile(pattern, options).search
    except UnicodeEncodeError:
        raise BadPattern(pattern, "not all of its characters are characters") from None
    except re2.error as error:
        reason, _, fragment = error.args[0].decode("utf-8", "replace").partition(": ")
        raise BadPattern(pattern, reason, fragment) from None
    ends = time.thread_time() + _MOST_SECONDS / num_sharing
    # To look at the clock takes a third of what to look at a name does.
    is_time_to_look = cycle([True] + [False] * 15)

    def matches(name: str) -> bool:
        if next(is_time_to_look) and time.thread_time() > ends:
            raise BadPattern(pattern, "it takes too long on the names of this run")
        return search(name[:_LONGEST_NAME].encode()) is not None

    return matches
