"""Single records read again by offset: what an index does not hold."""

from __future__ import annotations

import io
from typing import Any, BinaryIO

import numpy.typing as npt

from tb_debugger_plugin.events import texts, wire
from tb_debugger_plugin.events.framing import (
    FRAME_BYTES,
    HEADER_BYTES,
    MAX_PAYLOAD_BYTES,
    expected_frame_bytes,
    split_records,
)
from tb_debugger_plugin.events.tensors import Counts, content_elements, parse_tensor, summarize

_FIRST_READ = 4096

_SOURCE_FILE, _EXECUTION, _TRACE = 4, 9, 10

_HOST_TAG, _ID_TAG = 0x0A, b"\x12"
_ID_ENTRY_BYTES = 2 + 36


def parse_code_location(location: bytes) -> tuple[str, list[str]]:
    """A CodeLocation message's host name and stack frame ids, outermost first.

    Raises:
      wire.WireError: The bytes are not a CodeLocation.

    """
    as_written = _parse_uuids(location)
    if as_written is not None:
        return as_written
    host_name = ""
    frame_ids = []
    for entry in wire.fields(location, 0, len(location)):
        if entry[0] == 1:
            host_name = texts.clean(wire.payload(location, entry))
        elif entry[0] == 2:
            frame_ids.append(texts.clean(wire.payload(location, entry)))
    return host_name, frame_ids


def _parse_uuids(location: bytes) -> tuple[str, list[str]] | None:
    """The same for what TensorFlow writes, ten times as fast: ASCII, and all ids of 36 bytes."""
    if len(location) < 2 or location[0] != _HOST_TAG or location[1] >= 0x80:
        return None
    begin = 2 + location[1]
    num_ids, rest = divmod(len(location) - begin, _ID_ENTRY_BYTES)
    tags, lengths = location[begin::_ID_ENTRY_BYTES], location[begin + 1 :: _ID_ENTRY_BYTES]
    if rest or begin > len(location) or tags + lengths != _ID_TAG * num_ids + b"\x24" * num_ids:
        return None
    try:
        text = location.decode("ascii")
    except UnicodeDecodeError:
        return None
    starts = range(begin + 2, len(text), _ID_ENTRY_BYTES)
    host_name, frame_ids = text[2:begin], [text[start : start + 36] for start in starts]
    return (host_name, frame_ids) if "".join([host_name, *frame_ids]).isprintable() else None


class RecordTooLarge(OSError):
    """A record takes more memory than its reader has for it."""


def read_record(file: BinaryIO, offset: int, most_bytes: int = MAX_PAYLOAD_BYTES) -> bytes | None:
    """The payload of the record whose frame starts at ``offset``; ``None`` if it is gone.

    Args:
      file: An open file.
      offset: Where the frame starts.
      most_bytes: What the payload may take.

    Raises:
      RecordTooLarge: It takes more.
      OSError: The file cannot be read.
    """
    rest = file.seek(0, io.SEEK_END) - offset
    file.seek(offset)
    frame = _read(file, _FIRST_READ)
    size = expected_frame_bytes(memoryview(frame)) or 0
    # What it claims may not be there any more, and memory is taken for all of it at once.
    if size > min(rest, MAX_PAYLOAD_BYTES + FRAME_BYTES):
        return None
    if size > most_bytes + FRAME_BYTES:
        raise RecordTooLarge(f"it takes {size:,} bytes, more than is shown")
    if len(frame) < size:
        frame += _read(file, size - len(frame))
    records = split_records(memoryview(frame[:size]))
    if not records.starts or records.starts[0] != HEADER_BYTES:
        return None
    return frame[HEADER_BYTES : HEADER_BYTES + records.lengths[0]]


def _read(file: BinaryIO, num_bytes: int) -> bytes:
    """As many bytes as there are: one read may fall short."""
    parts = []
    while num_bytes and (part := file.read(num_bytes)):
        parts.append(part)
        num_bytes -= len(part)
    return b"".join(parts)


def tensor_counts(payload: bytes) -> list[Counts]:
    """The element counts of every value in an Execution's or a trace's DebugEvent."""
    counts = []
    for event in wire.fields(payload, 0, len(payload)):
        if event[0] not in (_EXECUTION, _TRACE):
            continue
        mode_field, tensor_field = (6, 7) if event[0] == _EXECUTION else (4, 5)
        mode = 0
        tensors = []
        for entry in wire.fields(payload, *wire.span(event)):
            if entry[0] == mode_field:
                mode = wire.integer(entry)
            elif entry[0] == tensor_field:
                tensors.append(wire.span(entry))
        counts += [
            summarize(payload, parse_tensor(payload, start, end), mode).counts
            for start, end in tensors
        ]
    return counts


def trace_elements(payload: bytes) -> npt.NDArray[Any] | None:
    """The elements of the tensor in a graph execution trace's DebugEvent, in one dimension.

    ``None`` where there are none, and where they are no numbers.

    Raises:
      wire.WireError: The bytes are not a DebugEvent.
    """
    for event in wire.fields(payload, 0, len(payload)):
        if event[0] == _TRACE:
            for entry in wire.fields(payload, *wire.span(event)):
                if entry[0] == 5:
                    return content_elements(parse_tensor(payload, *wire.span(entry)))
    return None


def source_lines(payload: bytes) -> list[str]:
    """The lines of a SourceFile's DebugEvent, each as ``texts.clean_line`` has it."""
    lines = []
    for event in wire.fields(payload, 0, len(payload)):
        if event[0] == _SOURCE_FILE:
            for entry in wire.fields(payload, *wire.span(event)):
                if entry[0] == 3:
                    lines.append(texts.clean_line(wire.payload(payload, entry)))
    return lines
