"""Logdirs of any size, made by repeating the records of real ones."""

from __future__ import annotations

from pathlib import Path

from tb_debugger_plugin.events.framing import split_records
from tb_debugger_plugin.index.file_sets import FileKind, split_file_name


def repeat_records(source: Path, target: Path, kind: FileKind, num_events: int) -> int:
    """Writes a logdir whose file of one kind is repeated until it has about ``num_events``.

    Returns:
      How many events the file then has.
    """
    target.mkdir(parents=True, exist_ok=True)
    repeated = 0
    for file in sorted(source.iterdir()):
        split = split_file_name(file.name)
        if split is None:
            continue
        content = file.read_bytes()
        times = 1
        if split[1] == kind:
            records = len(split_records(memoryview(content)).starts)
            times = max(1, round(num_events / records))
            repeated = records * times
        with (target / file.name).open("wb") as out:
            for _ in range(times):
                out.write(content)
    return repeated
