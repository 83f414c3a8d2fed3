"""What the filters of executions and of graph execution traces have in common on the wire."""

from __future__ import annotations

import numpy as np

from tb_debugger_plugin.analyses import facets
from tb_debugger_plugin.api.answers import RunAnswer
from tb_debugger_plugin.api.errors import InvalidArgument, quote
from tb_debugger_plugin.api.payloads import Facet, Facets, GraphFacet
from tb_debugger_plugin.events import dtypes
from tb_debugger_plugin.events.batches import Int32s, Int64s

_MOST_LISTED = 1000

_DTYPES = {name: number for number in range(256) if (name := dtypes.name(number)) is not None}


def search_text(text: str | None, *, is_regex: bool) -> str | None:
    """The text to look for; ``None`` for none. Blanks around it count in an expression only."""
    return (text if is_regex else (text or "").strip()) or None


def dtype_number(name: str | None) -> int | None:
    """The DataType of a name.

    Raises:
      InvalidArgument: TensorFlow has none of that name.
    """
    if name is not None and name not in _DTYPES:
        raise InvalidArgument(f"parameter 'dtype': there is no dtype {quote(name)}")
    return None if name is None else _DTYPES[name]


def page_of(matches: Int32s | None, begin: int, end: int) -> Int64s:
    """The indices of a page of those that pass; ``None`` are all."""
    return np.arange(begin, end) if matches is None else matches[begin:end].astype(np.int64)


def place_of(matches: Int32s | None, index: int) -> int:
    """How many of those that pass come before an index."""
    return index if matches is None else int(np.searchsorted(matches, np.int32(index)))


def nearest(matches: Int32s | None, index: int) -> int | None:
    """The first index from ``index`` on that passes; ``None`` if none does."""
    if matches is None:
        return index
    place = place_of(matches, index)
    return int(matches[place]) if place < len(matches) else None


def facets_payload(answer: RunAnswer, found: facets.Facets) -> Facets:
    """What occurs as the wire says it; dtypes that have no name are left out."""
    return Facets(
        dtypes=[
            Facet(name, count)
            for dtype, count in found.dtypes.most_common(_MOST_LISTED)
            if (name := dtypes.name(dtype)) is not None
        ],
        devices=[Facet(name, count) for name, count in found.devices.most_common(_MOST_LISTED)],
        graphs=[
            GraphFacet(answer.graph_id(graph), answer.graph_name(graph), count)
            for graph, count in found.graphs.most_common(_MOST_LISTED)
        ],
    )
