from __future__ import annotations

import numpy as np

from tb_debugger_plugin.events.batches import Vocabulary
from tb_debugger_plugin.index.names import Interned, Names, Translation


def ids(*numbers: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(numbers, dtype=np.int32)


def test_equal_values_have_one_id_in_order_of_first_appearance() -> None:
    names: Interned[str] = Interned(())
    assert [names.add(value) for value in ("b", "a", "b")] == [0, 1, 0]
    assert (names.values, len(names)) == (["b", "a"], 2)
    assert (names.find("a"), names.find("c")) == (1, None)


def test_two_files_ids_of_one_name_become_one() -> None:
    names = Names()
    one = Vocabulary(strings=["Mul", "Log"])
    other = Vocabulary(strings=["Log", "Mul", "Exp"])
    translations = [Translation(one, names), Translation(other, names)]
    for translation in translations:
        translation.extend()
    assert translations[0].strings(ids(0, 1, 1)).tolist() == [0, 1, 1]
    assert translations[1].strings(ids(0, 1, 2)).tolist() == [1, 0, 2]


def test_none_stays_none() -> None:
    translation = Translation(Vocabulary(), Names())
    translation.extend()
    for translate in (
        translation.strings,
        translation.graph_ids,
        translation.locations,
        translation.shapes,
        translation.op_refs,
    ):
        assert translate(ids(-1, -1)).tolist() == [-1, -1]


def test_a_translation_grows_with_its_file_s_vocabulary() -> None:
    names = Names()
    words = Vocabulary(strings=["a"])
    translation = Translation(words, names)
    translation.extend()
    names.strings.add("of another file")
    words.strings.append("b")
    translation.extend()
    assert translation.strings(ids(0, 1, -1)).tolist() == [0, 2, -1]


def test_ops_of_one_name_are_told_apart_by_their_graph_across_files() -> None:
    names = Names()
    one = Vocabulary(graph_ids=["g"], op_refs=[(0, "Log")])
    other = Vocabulary(graph_ids=["h", "g"], op_refs=[(0, "Log"), (1, "Log")])
    first, second = Translation(one, names), Translation(other, names)
    first.extend()
    second.extend()
    assert first.op_refs(ids(0)).tolist() == [0]
    assert second.op_refs(ids(0, 1)).tolist() == [1, 0]
    assert names.op_graph.view().tolist() == [0, 1]
    assert (names.op_name(1), names.graph_of(1)) == ("Log", 1)
