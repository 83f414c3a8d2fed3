"""Where chains of things that are explained by one another begin."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

LinkT = TypeVar("LinkT", bound=Hashable)


def begins_of_chains(causes: Mapping[LinkT, LinkT | None]) -> dict[LinkT, LinkT | None]:
    """What explains each thing in the end; ``None`` for what leads in a circle.

    What nothing explains is its own beginning. Each link is followed once.

    Args:
      causes: What explains each thing at once; ``None`` for nothing. All causes are keys, too.
    """
    begins: dict[LinkT, LinkT | None] = {}
    for link in causes:
        passed = []
        at = link
        while at not in begins:
            # Should the way lead back to here, it is a circle.
            begins[at] = None
            passed.append(at)
            cause = causes[at]
            if cause is None:
                begins[at] = at
            else:
                at = cause
        begins.update(dict.fromkeys(passed, begins[at]))
    return begins
