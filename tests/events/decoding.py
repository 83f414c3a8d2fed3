"""Decodes byte streams in pieces, and states the answer in a form that can be compared.

Ids mean something inside a batch only, so rows are compared with what their ids stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from tb_debugger_plugin.events import reference
from tb_debugger_plugin.events.batches import (
    ExecutionBatch,
    GraphsBatch,
    TensorValues,
    TraceBatch,
    Vocabulary,
)
from tb_debugger_plugin.events.reference import Decoder, Loss
from tb_debugger_plugin.index.file_sets import FileKind

DECODERS: dict[FileKind, type[Decoder[Any]]] = {
    "metadata": reference.MetadataDecoder,
    "source_files": reference.SourceFilesDecoder,
    "stack_frames": reference.StackFramesDecoder,
    "graphs": reference.GraphsDecoder,
    "execution": reference.ExecutionDecoder,
    "graph_execution_traces": reference.TraceDecoder,
}

Row = tuple[Any, ...]


@dataclass
class Decoded:
    """All that a stream yielded, however it was cut."""

    rows: list[Row] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    """Those that go on where the last one ended are one."""
    consumed: int = 0

    def offsets(self) -> list[int]:
        return [row[0] for row in self.rows]


class Stream:
    """Feeds a decoder as a reader of a growing file does."""

    def __init__(self, kind: FileKind) -> None:
        self.decoder = DECODERS[kind]()
        self.decoded = Decoded()
        self._pending = b""

    def append(self, octets: bytes) -> None:
        self._pending += octets
        fed = self.decoder.feed(self._pending)
        assert 0 <= fed.consumed <= len(self._pending)
        self._pending = self._pending[fed.consumed :]
        self.decoded.consumed += fed.consumed
        self.decoded.rows += rows_of(fed.batch, self.decoder.vocabulary)
        for loss in fed.losses:
            _add_loss(self.decoded.losses, loss)


def decode(kind: FileKind, data: bytes, cuts: Sequence[int] = ()) -> Decoded:
    """Decodes a stream that arrives in pieces ending at ``cuts``."""
    stream = Stream(kind)
    bounds = [0, *sorted(cuts), len(data)]
    for begin, end in pairwise(bounds):
        stream.append(data[begin:end])
    return stream.decoded


def _add_loss(losses: list[Loss], loss: Loss) -> None:
    last = losses[-1] if losses else None
    if (
        last
        and last.kind == loss.kind == "bad_length"
        and last.offset + last.num_bytes == loss.offset
    ):
        losses[-1] = Loss("bad_length", last.offset, last.num_bytes + loss.num_bytes)
    else:
        losses.append(loss)


def rows_of(batch: Any, vocabulary: Vocabulary) -> list[Row]:
    """A batch's rows, after a check that its columns fit together."""
    if isinstance(batch, ExecutionBatch):
        return _execution_rows(batch, vocabulary)
    if isinstance(batch, TraceBatch):
        return _trace_rows(batch, vocabulary)
    if isinstance(batch, GraphsBatch):
        return _graphs_rows(batch, vocabulary)
    # Records that carry no offset have their place in the order only.
    return [(getattr(record, "offset", None), record) for record in batch]


def _execution_rows(batch: ExecutionBatch, words: Vocabulary) -> list[Row]:
    columns = (batch.wall_time, batch.op_type, batch.graph, batch.location, batch.mode)
    _check_length(len(batch.offset), *columns, batch.num_inputs, batch.num_outputs)
    _check_length(len(batch.offset), batch.num_values)
    _check_length(int(batch.num_outputs.sum()), batch.output_tensor_id, batch.output_device_id)
    _check_length(int(batch.num_inputs.sum()), batch.input_tensor_id)
    inputs = _split(batch.input_tensor_id, batch.num_inputs)
    outputs = _split(batch.output_tensor_id, batch.num_outputs)
    devices = _split(batch.output_device_id, batch.num_outputs)
    values = _value_rows(batch.values, int(batch.num_values.sum()), words)
    ends = np.cumsum(batch.num_values).tolist()
    return [
        (
            int(batch.offset[row]),
            float(batch.wall_time[row]),
            words.strings[batch.op_type[row]],
            _name(words.graph_ids, batch.graph[row]),
            _name(words.locations, batch.location[row]),
            int(batch.mode[row]),
            inputs[row],
            outputs[row],
            devices[row],
            values[ends[row] - int(batch.num_values[row]) : ends[row]],
        )
        for row in range(len(batch.offset))
    ]


def _trace_rows(batch: TraceBatch, words: Vocabulary) -> list[Row]:
    columns = (batch.wall_time, batch.op, batch.output_slot, batch.mode, batch.device)
    _check_length(len(batch.offset), *columns, batch.tensor_id)
    values = _value_rows(batch.values, len(batch.offset), words)
    return [
        (
            int(batch.offset[row]),
            float(batch.wall_time[row]),
            _op(words, batch.op[row]),
            int(batch.output_slot[row]),
            int(batch.mode[row]),
            _name(words.strings, batch.device[row]),
            int(batch.tensor_id[row]),
            values[row],
        )
        for row in range(len(batch.offset))
    ]


def _graphs_rows(batch: GraphsBatch, words: Vocabulary) -> list[Row]:
    columns = (batch.wall_time, batch.op, batch.op_type, batch.location)
    _check_length(len(batch.offset), *columns, batch.num_inputs, batch.num_outputs)
    _check_length(int(batch.num_inputs.sum()), batch.input_op, batch.input_slot)
    _check_length(int(batch.num_outputs.sum()), batch.output_tensor_id)
    input_ops = _split(batch.input_op, batch.num_inputs)
    input_slots = _split(batch.input_slot, batch.num_inputs)
    outputs = _split(batch.output_tensor_id, batch.num_outputs)
    rows: list[Row] = [
        (
            int(batch.offset[row]),
            float(batch.wall_time[row]),
            _op(words, batch.op[row]),
            words.strings[batch.op_type[row]],
            _name(words.locations, batch.location[row]),
            [_op(words, op) for op in input_ops[row]],
            input_slots[row],
            outputs[row],
        )
        for row in range(len(batch.offset))
    ]
    rows += [
        (g.offset, g.wall_time, words.graph_ids[g.graph], g.name, _name(words.graph_ids, g.outer))
        for g in batch.graphs
    ]
    # Devices have no offset; they stand behind the batch's other rows.
    return sorted(rows) + [(None, device) for device in batch.devices]


def _value_rows(values: TensorValues, length: int, words: Vocabulary) -> list[Row]:
    assert len(values.counts) == 6
    _check_length(length, values.dtype, values.rank, values.size, values.shape, values.bad)
    _check_length(length, *values.counts)
    return [
        (
            int(values.dtype[row]),
            int(values.rank[row]),
            int(values.size[row]),
            _name(words.shapes, values.shape[row]),
            [int(column[row]) for column in values.counts],
            int(values.bad[row]),
        )
        for row in range(length)
    ]


def _check_length(length: int, *columns: np.ndarray[Any, Any]) -> None:
    assert [len(column) for column in columns] == [length] * len(columns)


def _split(column: np.ndarray[Any, Any], lengths: np.ndarray[Any, Any]) -> list[list[int]]:
    ends = np.cumsum(lengths)
    return [column[end - length : end].tolist() for end, length in zip(ends, lengths, strict=True)]


def _name(names: Sequence[Any], number: Any) -> Any:
    assert -1 <= number < len(names)
    return None if number < 0 else names[number]


def _op(words: Vocabulary, number: int) -> tuple[str, str]:
    graph, name = words.op_refs[number]
    return words.graph_ids[graph], name
