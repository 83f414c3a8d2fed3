"""Single records read again by offset: what an index does not hold."""

from __future__ import annotations

from typing import BinaryIO

from tb_debugger_plugin.events import wire
from tb_debugger_plugin.events.framing import split_records

_SOURCE_FILE, _EXECUTION, _TRACE = 4, 9, 10


def parse_code_location(location: bytes) -> tuple[str, list[str]]:
    """A CodeLocation message's host name and stack frame ids, outermost first.

    Raises:
      wire.WireError: The bytes are not a CodeLocation.

    """
    host_name = ""
    frame_ids = []
    for entry in wire.fields(location, 0, len(location)):
        if entry[0] == 1:
            host_name = wire.text(location, entry)
        elif entry[0] == 2:
            frame_ids.append(wire.text(location, entry))
    return host_name, frame_ids


def read_record(file: BinaryIO, offset: int, num_bytes: int) -> bytes | None:
    """The payload of the record whose frame starts at ``offset``; ``None`` if it is gone.

    Args:
      file: An open file.
      offset: Where the frame starts.
      num_bytes: The frame's size at least.

    """
    file.seek(offset)
    frame = file.read(num_bytes)
    records = split_records(memoryview(frame))
    if not records.starts or records.starts[0] > 12:
        return None
    start = records.starts[0]
    return frame[start : start + records.lengths[0]]


def source_lines(payload: bytes) -> list[str]:
    """The lines of a SourceFile's DebugEvent."""
    lines = []
    for event in wire.fields(payload, 0, len(payload)):
        if event[0] == _SOURCE_FILE:
            for entry in wire.fields(payload, *wire.span(event)):
                if entry[0] == 3:
                    lines.append(wire.text(payload, entry))
    return lines
