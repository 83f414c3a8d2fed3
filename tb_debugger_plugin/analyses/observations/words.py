"""Numbers and names as an observation's sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

from tb_debugger_plugin.index.snapshot import Snapshot
from tb_debugger_plugin.index.tables import GraphKey

_MOST_NAMED = 3


def count_of(number: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> count_of(1, "execution"), count_of(2000, "call")
    ('1 execution', '2,000 calls')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], number: int | None = None) -> str:
    """The first names of as many as there are.

    >>> listed(["f"]), listed(["f", "g"]), listed(["f", "g", "h", "i", "j"])
    ('f', 'f and g', 'f, g, h and 2 more')
    """
    shown = list(names[:_MOST_NAMED])
    more = (len(names) if number is None else number) - len(shown)
    if more > 0:
        shown.append(f"{more:,} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]])) if shown else ""


def graph_names(snapshot: Snapshot, graphs: Sequence[GraphKey]) -> str:
    """The graphs' names, each once, in order."""
    names = {
        known.name or "the outermost graph": None
        for key in graphs
        if (known := snapshot.graphs.get(key))
    }
    return listed(list(names)) or "a graph that is not on disk"
