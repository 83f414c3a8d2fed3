"""Reads one file set into a run's tables.

A ``SetReader`` owns what has a meaning inside its set only: how far each file is read, the files'
local ids, and the order of source files by which stack frames name them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, TypeVar

from tb_debugger_plugin.events.batches import (
    ExecutionBatch,
    GraphsBatch,
    SourceFileRecord,
    StackFrameRecord,
    TraceBatch,
)
from tb_debugger_plugin.events.decoders import DECODERS, MakeDecoder
from tb_debugger_plugin.events.reference import Loss
from tb_debugger_plugin.index.file_sets import FileKind, FileSet
from tb_debugger_plugin.index.file_tail import FileTail
from tb_debugger_plugin.index.names import Names, Translation
from tb_debugger_plugin.index.problems import Problem
from tb_debugger_plugin.index.rows import FromFile
from tb_debugger_plugin.index.snapshot import FileProgress
from tb_debugger_plugin.index.source_numbers import SourceNumbers
from tb_debugger_plugin.index.state import SetState, TailState

BatchT = TypeVar("BatchT")


class RecordSink(Protocol):
    """Where decoded records go: the run's tables."""

    names: Names

    def register_file(self, path: str) -> int:
        """The number by which rows name a file."""

    def add_problem(self, problem: Problem) -> None:
        """Notes a problem that stays."""

    def add_executions(self, batch: ExecutionBatch, source: FromFile) -> None:
        """Takes over decoded executions."""

    def add_traces(self, batch: TraceBatch, source: FromFile) -> None:
        """Takes over decoded graph execution traces."""

    def add_graphs(self, batch: GraphsBatch, source: FromFile) -> None:
        """Takes over decoded op creations, graphs and devices."""

    def add_source(self, record: SourceFileRecord, file: int) -> int:
        """Takes over a source file; the answer is its position in the run's sources."""

    def add_frame(self, record: StackFrameRecord, source: int | None) -> None:
        """Takes over a stack frame, or tells where its file is after all."""


class SetReader:
    """Reads one file set. Owns what has a meaning inside the set only: the order of its files."""

    def __init__(self, file_set: FileSet, sink: RecordSink, state: SetState | None = None) -> None:
        """Begins at the begin of all files, or where ``state`` was taken.

        Raises:
          FileReplaced: A file is not the one that ``state`` was taken of.
          OSError: A file that ``state`` knows cannot be read.
        """
        known = state or SetState({}, None, [])
        self.file_set = file_set
        self._sink = sink
        self._source_numbers = SourceNumbers(known.source_numbers)
        self._waiting_frames = list(known.waiting_frames)
        self._errors: dict[FileKind, str] = {}

        def tail(kind: FileKind, make: MakeDecoder[BatchT]) -> _Tail[BatchT]:
            return _Tail(file_set.path(kind), make, sink, known.tails.get(kind))

        self._executions = tail("execution", DECODERS.executions)
        self._traces = tail("graph_execution_traces", DECODERS.traces)
        self._graphs = tail("graphs", DECODERS.graphs)
        self._source_files = tail("source_files", DECODERS.source_files)
        self._stack_frames = tail("stack_frames", DECODERS.stack_frames)
        self._tails: dict[FileKind, FileTail[Any]] = {
            "source_files": self._source_files,
            "stack_frames": self._stack_frames,
            "graphs": self._graphs,
            "execution": self._executions,
            "graph_execution_traces": self._traces,
        }

    def state(self) -> SetState:
        """What it takes to go on later; ``OSError`` if a file cannot be read."""
        states = {kind: tail.state() for kind, tail in self._tails.items()}
        return SetState(
            tails={kind: state for kind, state in states.items() if state},
            source_numbers=self._source_numbers.state(),
            waiting_frames=self._waiting_frames,
        )

    def look(self) -> None:
        """Learns how much there is to read."""
        for tail in self._tails.values():
            tail.look()

    def read_new(self, kind: FileKind) -> Iterator[None]:
        """Reads a file's new pieces; one step a piece."""
        try:
            yield from self._read(kind)
            self._errors.pop(kind, None)
        except FileNotFoundError:
            return
        except OSError as error:
            self._errors[kind] = error.strerror or str(error)

    def _read(self, kind: FileKind) -> Iterator[None]:
        # A batch is let go of before the next one, which may then have its memory.
        sink = self._sink
        if kind == "execution":
            for executions in self._executions.read_new():
                self._executions.note(executions.losses)
                sink.add_executions(executions.batch, self._executions.source())
                del executions
                yield
        elif kind == "graph_execution_traces":
            for traces in self._traces.read_new():
                self._traces.note(traces.losses)
                sink.add_traces(traces.batch, self._traces.source())
                del traces
                yield
        elif kind == "graphs":
            for graphs in self._graphs.read_new():
                self._graphs.note(graphs.losses)
                sink.add_graphs(graphs.batch, self._graphs.source())
                del graphs
                yield
        elif kind == "source_files":
            for files in self._source_files.read_new():
                self._source_files.note(files.losses)
                self._add_sources(files.batch, files.losses)
                yield
        elif kind == "stack_frames":
            for frames in self._stack_frames.read_new():
                self._stack_frames.note(frames.losses)
                self._add_frames(frames.batch)
                yield
            self._settle_sources()

    def _add_sources(self, records: Sequence[SourceFileRecord], losses: Sequence[Loss]) -> None:
        numbers = self._source_numbers
        entries: list[SourceFileRecord | Loss] = [*records, *losses]
        for entry in sorted(entries, key=lambda entry: entry.offset):
            if isinstance(entry, SourceFileRecord):
                numbers.add(self._sink.add_source(entry, self._source_files.number))
            elif entry.kind == "bad_length":
                numbers.break_off()
            elif entry.kind != "long_name":
                numbers.add_lost()
        self._add_waiting_frames()

    def _settle_sources(self) -> None:
        files = self._source_files
        if files.is_at_end and not files.unread_bytes and self._source_numbers.settle():
            self._add_waiting_frames()

    def _add_waiting_frames(self) -> None:
        waiting, self._waiting_frames = self._waiting_frames, []
        self._add_frames(waiting)

    def _add_frames(self, records: Sequence[StackFrameRecord]) -> None:
        numbers = self._source_numbers
        for record in records:
            numbers.name(record.file_index)
            self._sink.add_frame(record, numbers.source(record.file_index))
            if not numbers.knows(record.file_index) and not numbers.is_broken:
                self._waiting_frames.append(record)

    @property
    def is_at_end(self) -> bool:
        """Whether each file was read to its end when it was last looked at."""
        return not self._errors and all(tail.is_at_end for tail in self._tails.values())

    def progress(self) -> Iterator[FileProgress]:
        """How far each file is read."""
        for kind, tail in self._tails.items():
            yield FileProgress(tail.path, kind, tail.offset, tail.size, tail.modified)

    def passing_problems(self) -> Iterator[Problem]:
        """Problems of the files as they are now; each may pass."""
        if self.file_set.metadata is None:
            path = self.file_set.path("metadata")
            yield Problem("missing_metadata", path, None, None, None, is_loss=False)
        for kind, tail in self._tails.items():
            if kind not in self.file_set.kinds and not tail.size and kind not in self._errors:
                yield Problem(
                    "missing_file", tail.path, None, None, None, is_loss=True, detail=f"`.{kind}`."
                )
        for kind, message in self._errors.items():
            path = self.file_set.path(kind)
            yield Problem("unreadable_file", path, None, None, None, is_loss=True, detail=message)
        for tail in self._tails.values():
            if tail.unread_bytes:
                yield Problem(
                    "cut_record", tail.path, tail.offset, tail.unread_bytes, 1, is_loss=True
                )


class _Tail(FileTail[BatchT]):
    """A file of the set with its number and the translation of its ids."""

    def __init__(
        self,
        path: str,
        make_decoder: MakeDecoder[BatchT],
        sink: RecordSink,
        state: TailState | None,
    ) -> None:
        super().__init__(path, make_decoder, state)
        self.number = sink.register_file(path)
        self._sink = sink
        self._translation = Translation(self.decoder.vocabulary, sink.names)

    def source(self) -> FromFile:
        """What the last batch is from, with all ids that it needs."""
        self._translation.extend()
        return FromFile(self._translation, self.number, self.ahead)

    def note(self, losses: Sequence[Loss]) -> None:
        """Turns the decoder's losses into problems."""
        for loss in losses:
            records = None if loss.kind == "bad_length" else 1
            is_loss = loss.kind != "long_name"
            self._sink.add_problem(
                Problem(loss.kind, self.path, loss.offset, loss.num_bytes, records, is_loss=is_loss)
            )
