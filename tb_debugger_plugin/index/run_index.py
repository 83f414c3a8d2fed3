"""The writer's side of a run: reads new bytes of its files and publishes snapshots.

One thread at a time calls ``refresh``. Readers take ``snapshot``, which is replaced as a whole and
never changes, so what a reader computes from it is consistent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tb_debugger_plugin.events.batches import (
    ExecutionBatch,
    GraphsBatch,
    SourceFileRecord,
    StackFrameRecord,
    TraceBatch,
)
from tb_debugger_plugin.index.file_sets import FileKind, FileSet, set_prefix
from tb_debugger_plugin.index.names import Names
from tb_debugger_plugin.index.problems import Problem, ProblemLog
from tb_debugger_plugin.index.rows import ExecutionRows, FromFile, OpRows, TraceRows
from tb_debugger_plugin.index.set_reader import SetReader
from tb_debugger_plugin.index.snapshot import FileProgress, Snapshot
from tb_debugger_plugin.index.state import BadState, DeviceState, IndexState, StoredColumns
from tb_debugger_plugin.index.tables import (
    DeviceKey,
    Frame,
    Graph,
    GraphKey,
    Source,
    columns_of,
)

# References first, so that most events find what they refer to.
_READING_ORDER: tuple[FileKind, ...] = (
    "source_files",
    "stack_frames",
    "graphs",
    "execution",
    "graph_execution_traces",
)

_BATCHES_A_SNAPSHOT = 4


class RunIndex:
    """All that is known of one run."""

    def __init__(
        self,
        file_sets: Sequence[FileSet],
        state: IndexState | None = None,
        columns: StoredColumns | None = None,
    ) -> None:
        """An index that has read nothing, or as much as another one when it was stored.

        Raises:
          BadState: ``state`` and ``columns`` do not fit together, or not the file sets.
          FileReplaced: A file is not the one that was read.
          OSError: A file that was read cannot be read any more.
        """
        self.names = Names(state.names if state else None)
        self._problems = ProblemLog()
        self._executions = ExecutionRows()
        self._traces = TraceRows()
        self._ops = OpRows()
        self._graphs: dict[GraphKey, Graph] = {}
        self._devices: dict[DeviceKey, str] = {}
        self._sources: list[Source] = []
        self._source_rows: dict[tuple[str, str], int] = {}
        self._frames: dict[str, Frame] = {}
        self._frames_published = False
        self._readers: list[SetReader] = []
        self._paths: list[str] = []
        self._complete_pass = False
        self._is_exhausted = False
        self.num_bytes_stored = 0
        """Bytes of the files that the index on disk is of; 0 if there is none."""
        if state is not None and columns is not None:
            self._restore(file_sets, state, columns)
        else:
            self.set_file_sets(file_sets)

    def _restore(
        self, file_sets: Sequence[FileSet], state: IndexState, columns: StoredColumns
    ) -> None:
        if len(file_sets) != len(state.file_sets):
            raise BadState("there are other file sets")
        self._readers = [
            SetReader(file_set, self, known)
            for file_set, known in zip(file_sets, state.file_sets, strict=True)
        ]
        self._executions.restore(columns.executions)
        self._traces.restore(columns.traces)
        self._ops.restore(columns.ops)
        self._graphs = {graph.key: graph for graph in state.graphs}
        self._devices = {
            DeviceKey(file_sets[device.file_set].prefix, device.device_id): device.name
            for device in state.devices
        }
        self._sources = state.sources
        self._source_rows = {
            (source.host_name, source.file_path): row for row, source in enumerate(state.sources)
        }
        self._frames = {frame.frame_id: frame for frame in state.frames}
        self._problems.restore(state.problems, self._paths, state.num_problems_dropped)
        self._complete_pass = True
        self.snapshot = self._make_snapshot()
        self.num_bytes_stored = sum(p.bytes_read for p in self.snapshot.progress)

    def stored(self) -> tuple[IndexState, StoredColumns]:
        """What another index can go on from. To be called between refreshes.

        Raises:
          OSError: A file cannot be read.
        """
        prefixes = [reader.file_set.prefix for reader in self._readers]
        state = IndexState(
            names=self.names.state(),
            file_sets=[reader.state() for reader in self._readers],
            graphs=list(self._graphs.values()),
            devices=[
                DeviceState(prefixes.index(key.set_prefix), key.device_id, name)
                for key, name in self._devices.items()
            ],
            sources=self._sources,
            frames=list(self._frames.values()),
            problems=self._problems.state(self._paths),
            num_problems_dropped=self._problems.num_dropped,
        )
        columns = StoredColumns(
            executions=columns_of(self._executions.view()),
            traces=columns_of(self._traces.view()),
            ops=columns_of(self._ops.view()),
        )
        return state, columns

    def set_file_sets(self, file_sets: Sequence[FileSet]) -> None:
        """Adds further hosts' file sets, and takes over what was learnt of those that are read.

        A snapshot is published that knows of them.
        """
        readers = {reader.file_set.prefix: reader for reader in self._readers}
        for file_set in file_sets:
            if file_set.prefix in readers:
                readers[file_set.prefix].file_set = file_set
            else:
                self._readers.append(SetReader(file_set, self))
                self._complete_pass = False
        self.snapshot = self._make_snapshot()

    def close(self) -> None:
        """Lets go of the files, so that memory is free as soon as nobody holds a snapshot."""
        self._readers.clear()

    @property
    def file_sets(self) -> list[FileSet]:
        """The sets that are read."""
        return [reader.file_set for reader in self._readers]

    @property
    def is_at_end(self) -> bool:
        """Whether the last refresh read all that the files had."""
        return not self._is_exhausted and all(reader.is_at_end for reader in self._readers)

    def refresh(self) -> None:
        """Reads all that the files have gained.

        Raises:
          FileReplaced: A file is not the one read before; the index has to be made anew.
        """
        for _ in self.refresh_by_piece():
            pass

    def refresh_by_piece(self) -> Iterator[None]:
        """Like ``refresh``, in steps of a piece of a file. May be left at any step.

        A snapshot is published every few steps, and at the end. If memory does not suffice, the
        last one stays, and nothing more is read.
        """
        if self._is_exhausted:
            return
        changed = not self._complete_pass
        for reader in self._readers:
            reader.look()
        for kind in _READING_ORDER:
            for reader in self._readers:
                try:
                    for number, _ in enumerate(reader.read_new(kind)):
                        changed = True
                        if number % _BATCHES_A_SNAPSHOT == 0:
                            self.snapshot = self._make_snapshot()
                        yield
                except MemoryError:
                    self._exhaust(reader.file_set.path(kind))
                    return
        self._complete_pass = True
        if changed or self._has_other_files():
            self.snapshot = self._make_snapshot()

    def _exhaust(self, path: str) -> None:
        """Columns may have been left with unequal numbers of rows, so no other snapshot is made."""
        self._is_exhausted = True
        problem = Problem("out_of_memory", path, None, None, None, is_loss=True)
        problems = (*self.snapshot.problems, problem)
        self.snapshot = replace(self.snapshot, problems=problems, is_whole=True)

    def _has_other_files(self) -> bool:
        """Whether the files are in another state than the snapshot says, read or not."""
        return self.snapshot.progress != self._progress() or self.snapshot.problems != (
            self._problems.with_passing(self._passing_problems())
        )

    def _passing_problems(self) -> Iterator[Problem]:
        for reader in self._readers:
            yield from reader.passing_problems()

    def register_file(self, path: str) -> int:
        """The number by which rows name a file."""
        self._paths.append(path)
        return len(self._paths) - 1

    def add_problem(self, problem: Problem) -> None:
        """Notes a problem that stays."""
        self._problems.add(problem)

    def add_executions(self, batch: ExecutionBatch, source: FromFile) -> None:
        """Takes over decoded executions."""
        self._executions.append(batch, source)

    def add_traces(self, batch: TraceBatch, source: FromFile) -> None:
        """Takes over decoded graph execution traces."""
        self._traces.append(batch, source)

    def add_graphs(self, batch: GraphsBatch, source: FromFile) -> None:
        """Takes over decoded op creations, graphs and devices."""
        self._ops.append(batch, source)
        ids = source.ids
        for record in batch.graphs:
            key = ids.graph_id(record.graph)
            self._graphs.setdefault(
                key,
                Graph(
                    key=key,
                    graph_id=self.names.graph_ids.values[key],
                    name=record.name or None,
                    outer=ids.graph_id(record.outer) if record.outer >= 0 else None,
                    wall_time=record.wall_time,
                ),
            )
        for device in batch.devices:
            key_of_device = DeviceKey(set_prefix(self._paths[source.number]), device.device_id)
            self._devices.setdefault(key_of_device, device.device_name)

    def add_source(self, record: SourceFileRecord, file: int) -> int:
        """Takes over a source file; the answer is its position in the run's sources."""
        key = (record.host_name, record.file_path)
        if key not in self._source_rows:
            self._source_rows[key] = len(self._sources)
            self._sources.append(
                Source(
                    record.host_name,
                    record.file_path,
                    record.num_lines,
                    file,
                    record.offset,
                )
            )
        return self._source_rows[key]

    def add_frame(self, record: StackFrameRecord, source: int | None) -> None:
        """Takes over a stack frame, or tells where its file is after all."""
        if self._frames_published:
            self._frames = dict(self._frames)
            self._frames_published = False
        self._frames[record.frame_id] = Frame(
            record.frame_id, source, record.lineno, record.function
        )

    def _make_snapshot(self) -> Snapshot:
        self._frames_published = True
        return Snapshot(
            names=self.names,
            executions=self._executions.view(),
            traces=self._traces.view(),
            ops=self._ops.view(),
            graphs=dict(self._graphs),
            devices=dict(self._devices),
            sources=tuple(self._sources),
            frames=self._frames,
            file_sets=tuple(self.file_sets),
            paths=tuple(self._paths),
            progress=self._progress(),
            problems=self._problems.with_passing(self._passing_problems()),
            num_problems_dropped=self._problems.num_dropped,
            is_whole=self._complete_pass,
        )

    def _progress(self) -> tuple[FileProgress, ...]:
        return tuple(p for reader in self._readers for p in reader.progress())
