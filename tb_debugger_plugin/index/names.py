"""What the run's records name, with one id each for all of its files.

Only the index's writer adds names; readers use ids from the tables of their snapshot, and lists
never shrink or change, so no lock is needed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from tb_debugger_plugin.events.batches import Int32s, Vocabulary
from tb_debugger_plugin.index.columns import GrowingColumn, narrowest
from tb_debugger_plugin.index.state import NamesState
from tb_debugger_plugin.index.tables import GraphKey, OpKey

KeyT = TypeVar("KeyT")


class Interned(Generic[KeyT]):
    """Distinct values and their ids, in order of first appearance.

    Values are found by a ``key`` whose hash is a secret of the process, as that of text and bytes
    is: else a file could name values of one hash, each of which is compared with all others.
    """

    def __init__(
        self, values: Sequence[KeyT], key: Callable[[KeyT], Hashable] | None = None
    ) -> None:
        self.values = list(values)
        self._key = key
        keys = self.values if key is None else map(key, self.values)
        self._ids: dict[Hashable, int] = {each: place for place, each in enumerate(keys)}

    def __len__(self) -> int:
        return len(self.values)

    def add(self, value: KeyT) -> int:
        """The value's id, a new one if it is new."""
        key = value if self._key is None else self._key(value)
        found = self._ids.get(key)
        if found is None:
            found = len(self.values)
            self.values.append(value)
            self._ids[key] = found
        return found

    def find(self, value: KeyT) -> int | None:
        """The value's id; ``None`` if it was never added."""
        return self._ids.get(value if self._key is None else self._key(value))

    def find_all(self, values: Iterable[KeyT]) -> list[int]:
        """The ids of those of some values that were ever added."""
        return [number for value in values if (number := self.find(value)) is not None]


class Names:
    """All interned names of a run."""

    def __init__(self, state: NamesState | None = None) -> None:
        known = state or NamesState([], [], [], [], [])
        self.strings = Interned(known.strings)
        self.graph_ids = Interned(known.graph_ids)
        self.locations = Interned(known.locations)
        self.shapes = Interned(known.shapes, key=_octets)
        self.op_refs = Interned(known.op_refs)
        self.op_graph: GrowingColumn[np.int32] = GrowingColumn(np.int32)
        """The graph's ``GraphKey`` of every ``OpKey``."""
        self.op_graph.append(np.array([graph for graph, _ in known.op_refs], dtype=np.int32))

    def state(self) -> NamesState:
        """All names as they are now."""
        return NamesState(
            strings=self.strings.values,
            graph_ids=self.graph_ids.values,
            locations=self.locations.values,
            shapes=self.shapes.values,
            op_refs=self.op_refs.values,
        )

    def add_op_ref(self, graph: int, op_name: str) -> int:
        """The ``OpKey`` of the op ``op_name`` in a graph."""
        known = len(self.op_refs)
        key = self.op_refs.add((graph, op_name))
        if key == known:
            self.op_graph.append(np.array([graph], dtype=np.int32))
        return key

    def op_name(self, op: OpKey | int) -> str:
        """An op's name, without slot."""
        return self.op_refs.values[op][1]

    def graph_of(self, op: OpKey | int) -> GraphKey:
        """The graph that an op is in."""
        return GraphKey(self.op_refs.values[op][0])


def _octets(shape: Sequence[int]) -> bytes:
    return array("q", shape).tobytes()


class Translation:
    """One file's ids -> the run's ids; grows with the file's vocabulary.

    Ids come as narrow as all of their kind so far allow.
    """

    def __init__(self, vocabulary: Vocabulary, names: Names) -> None:
        self._vocabulary = vocabulary
        self._names = names
        self._strings = _IdMap()
        self._graph_ids = _IdMap()
        self._op_refs = _IdMap()
        self._locations = _IdMap()
        self._shapes = _IdMap()

    def extend(self) -> None:
        """Takes over what the decoder has added to its vocabulary."""
        words, names = self._vocabulary, self._names
        self._strings.extend(words.strings, names.strings.add)
        self._graph_ids.extend(words.graph_ids, names.graph_ids.add)
        self._op_refs.extend(
            words.op_refs, lambda ref: names.add_op_ref(self._graph_ids[ref[0]], ref[1])
        )
        self._locations.extend(words.locations, names.locations.add)
        self._shapes.extend(words.shapes, names.shapes.add)

    def strings(self, ids: Int32s) -> npt.NDArray[Any]:
        """Ids of strings."""
        return self._strings.translate(ids)

    def graph_ids(self, ids: Int32s) -> npt.NDArray[Any]:
        """Ids of graph ids, i.e. ``GraphKey``s."""
        return self._graph_ids.translate(ids)

    def graph_id(self, graph: int) -> GraphKey:
        """One ``GraphKey``."""
        return GraphKey(self._graph_ids[graph])

    def op_refs(self, ids: Int32s) -> npt.NDArray[Any]:
        """``OpKey``s."""
        return self._op_refs.translate(ids)

    def locations(self, ids: Int32s) -> npt.NDArray[Any]:
        """Ids of code locations."""
        return self._locations.translate(ids)

    def shapes(self, ids: Int32s) -> npt.NDArray[Any]:
        """Ids of shapes."""
        return self._shapes.translate(ids)


class _IdMap:
    """Old id -> new id; the last entry maps -1 to -1."""

    def __init__(self) -> None:
        self._ids: list[int] = []
        self._array: npt.NDArray[Any] = np.array([-1], dtype=np.int8)
        self._is_same = True
        """Whether each id stays what it is, as those of a run's first file do."""

    def __getitem__(self, old: int) -> int:
        return self._ids[old]

    def extend(self, values: Sequence[KeyT], add: Callable[[KeyT], int]) -> None:
        if len(values) == len(self._ids):
            return
        for old, value in enumerate(values[len(self._ids) :], len(self._ids)):
            new = add(value)
            self._ids.append(new)
            self._is_same &= new == old
        self._array = np.array([*self._ids, -1], dtype=narrowest(max(self._ids)))

    def translate(self, ids: Int32s) -> npt.NDArray[Any]:
        return ids.astype(self._array.dtype) if self._is_same else self._array[ids]
