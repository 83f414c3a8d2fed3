"""A program writes while its files are read: no good record is lost, and no row is ever wrong."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tb_debugger_plugin.events.framing import split_records
from tb_debugger_plugin.index.file_sets import FILE_KINDS, split_file_name
from tb_debugger_plugin.index.snapshot import Snapshot
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.index.reading import index_of, op_types, traced_ops

pytestmark = pytest.mark.skipif(absence() is not None, reason=str(absence()))

WRITER = """
import random, sys, time
chance = random.Random(int(sys.argv[1]))
files = [(open(path, "rb").read(), open(target, "ab", buffering=0))
         for path, target in zip(sys.argv[2::2], sys.argv[3::2])]
places = [0] * len(files)
while any(place < len(content) for place, (content, _) in zip(places, files)):
    number = chance.randrange(len(files))
    content, file = files[number]
    size = chance.choice([1, 7, 100, 4096, 50_000])
    file.write(content[places[number] : places[number] + size])
    places[number] += size
    if chance.random() < 0.1:
        time.sleep(0.001)
"""
"""Appends to each target what its source holds, in pieces that end anywhere."""


def damaged(content: bytes, chance: random.Random) -> bytes:
    """A bit of one record in twenty is flipped: in its length, a checksum or its payload."""
    octets = bytearray(content)
    records = split_records(memoryview(content))
    for start, length in zip(records.starts, records.lengths, strict=True):
        if chance.random() < 0.05:
            octets[start - 12 + chance.randrange(length + 16)] ^= 1 << chance.randrange(8)
    return bytes(octets)


def seen(snapshot: Snapshot) -> dict[str, list[object]]:
    """What a reader sees, by name: ids differ from one index to another."""
    return {
        "op types": list(op_types(snapshot)),
        "traced ops": list(traced_ops(snapshot)),
        "execution offsets": snapshot.executions.offset.tolist(),
        "trace offsets": snapshot.traces.offset.tolist(),
        "trace counts": snapshot.traces.values.num_nan.tolist(),
    }


@pytest.mark.parametrize("case", ["mlp_log0_FULL_HEALTH", "while_cond_CONCISE_HEALTH"])
@pytest.mark.parametrize("seed", [1, 2])
def test_files_that_are_written_and_damaged_meanwhile(tmp_path: Path, case: str, seed: int) -> None:
    chance = random.Random(seed)
    source, target = tmp_path / "source", tmp_path / "target"
    source.mkdir()
    target.mkdir()
    arguments = []
    for file in sorted((unpacked_corpus() / case).iterdir()):
        kind = (split_file_name(file.name) or ("", FILE_KINDS[0]))[1]
        content = file.read_bytes()
        is_events = kind in ("execution", "graph_execution_traces")
        (source / file.name).write_bytes(damaged(content, chance) if is_events else content)
        (target / file.name).write_bytes(content if kind == "metadata" else b"")
        if kind != "metadata":
            arguments += [str(source / file.name), str(target / file.name)]
    index = index_of(target)
    published = []
    with subprocess.Popen([sys.executable, "-c", WRITER, str(seed), *arguments]) as writer:
        while writer.poll() is None:
            for _ in index.refresh_by_piece():
                published.append(index.snapshot)
            published.append(index.snapshot)
    assert writer.returncode == 0
    index.refresh()
    whole = index_of(source)
    whole.refresh()
    final = seen(index.snapshot)
    assert final == seen(whole.snapshot)
    assert sorted((p.kind, p.offset, p.num_bytes) for p in index.snapshot.problems) == sorted(
        (p.kind, p.offset, p.num_bytes) for p in whole.snapshot.problems
    )
    assert len({id(snapshot) for snapshot in published}) > 3
    for place in np.linspace(0, len(published) - 1, 12, dtype=int):
        for name, rows in seen(published[place]).items():
            assert rows == final[name][: len(rows)], name


def test_every_good_record_around_the_damage_is_read(tmp_path: Path) -> None:
    source = unpacked_corpus() / "mlp_log0_FULL_HEALTH"
    path = next(source.glob("*.execution"))
    content = path.read_bytes()
    records = split_records(memoryview(content))
    for number in range(0, len(records.starts), 9):
        for place in (-12, -4, 0, records.lengths[number] // 2, records.lengths[number] + 1):
            octets = bytearray(content)
            octets[records.starts[number] + place] ^= 16
            directory = tmp_path / f"{number}_{place}"
            directory.mkdir()
            for other in source.iterdir():
                os.link(other, directory / other.name) if other != path else None
            (directory / path.name).write_bytes(bytes(octets))
            index = index_of(directory)
            index.refresh()
            offsets = [start - 12 for start in records.starts]
            assert index.snapshot.executions.offset.tolist() == (
                offsets[:number] + offsets[number + 1 :]
            )
