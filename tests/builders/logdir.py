"""Small tfdbg2 logdirs for tests that read like bug reports.

    logdir(tmp_path)
        .source("train.py", lines=["import tensorflow as tf", "loss = f(x)"])
        .frame("f1", "train.py", line=2, function="<module>")
        .graph("loss_fn")
        .op("Log", "Log", inputs=["probs:0"], stack=["f1"])
        .trace("Log", neg_inf=24)
        .execution("__inference_loss_fn_1", graph="loss_fn", nan=1, stack=["f1"])

Every call appends to its file at once, so a test makes a logdir grow simply by going on. Times
rise by a millisecond a record unless ``at`` tells another one.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from pathlib import Path

from tb_debugger_plugin.events import debug_modes
from tb_debugger_plugin.index.file_sets import FILE_KINDS, FileKind
from tests.builders import wire
from tests.builders.tensors import Values

PROJECT = "/home/dev/project"
CPU = "/job:localhost/replica:0/task:0/device:CPU:0"

_METADATA, _SOURCE_FILE, _STACK_FRAME, _OP_CREATION = 3, 4, 6, 7
_GRAPH, _EXECUTION, _TRACE, _DEVICE = 8, 9, 10, 12

TensorValue = Values | bytes
"""A tensor as its counts, or as an encoded TensorProto."""


def logdir(
    directory: str | os.PathLike[str],
    *,
    run_id: str = "0123abcd",
    host: str = "host",
    started: int = 1_700_000_000,
    mode: int = debug_modes.FULL_HEALTH,
    tensorflow_version: str = "2.21.0",
) -> LogdirBuilder:
    """A new file set: metadata, and five empty files.

    Args:
      directory: Where the files go; made if it is not there.
      run_id: The tfdbg run id.
      host: The host's name, as in the files' names and in code locations.
      started: Unix seconds, as in the files' names.
      mode: The TensorDebugMode of records that tell no other.
      tensorflow_version: As the metadata has it.

    """
    run = _Run(Path(directory), run_id, mode, tensorflow_version, float(started))
    return LogdirBuilder(run, host, started)


class _Run:
    """What all hosts of a run share."""

    def __init__(
        self, directory: Path, run_id: str, mode: int, tensorflow_version: str, clock: float
    ) -> None:
        self.directory = directory
        self.run_id = run_id
        self.mode = mode
        self.tensorflow_version = tensorflow_version
        self.clock = clock
        self.graph_ids: dict[str, str] = {}
        self.tensor_ids: dict[tuple[str, str, int], int] = {}
        self.next_eager_tensor_id = 1

    def graph_id(self, graph: str) -> str:
        """The id of the graph that was last made under that name; else the name is the id."""
        return self.graph_ids.get(graph, graph)

    def symbolic_tensor_id(self, graph_id: str, op_name: str, slot: int) -> int:
        return self.tensor_ids.setdefault((graph_id, op_name, slot), len(self.tensor_ids) + 1)

    def eager_tensor_ids(self, count: int) -> list[int]:
        first = self.next_eager_tensor_id
        self.next_eager_tensor_id += count
        return list(range(first, first + count))


class LogdirBuilder:
    """Writes one file set. See the module's example."""

    def __init__(self, run: _Run, host: str, started: int) -> None:
        self._run = run
        self._host = host
        self._started = started
        self._source_paths: list[str] = []
        self._graph = ""
        self._num_devices = 0
        run.directory.mkdir(parents=True, exist_ok=True)
        self.metadata()  # First, as TensorFlow does.
        for kind in FILE_KINDS:
            if kind != "metadata":
                self.path(kind).write_bytes(b"")

    # The file set.

    @property
    def directory(self) -> Path:
        """Where the files are."""
        return self._run.directory

    @property
    def now(self) -> float:
        """The time of the last record that told none."""
        return self._run.clock

    def path(self, kind: FileKind) -> Path:
        """Where a kind's file is."""
        return self.directory / f"tfdbg_events.{self._started:010d}.{self._host}.{kind}"

    def size(self, kind: FileKind) -> int:
        """A file's size in bytes."""
        return self.path(kind).stat().st_size

    def add_host(self, host: str, *, started: int | None = None) -> LogdirBuilder:
        """Another host's file set of the same run, with the run's graphs and clock."""
        return LogdirBuilder(self._run, host, self._started if started is None else started)

    def metadata(
        self,
        *,
        run_id: str | None = None,
        tensorflow_version: str | None = None,
        file_version: str = "debug.Event:1",
        at: float | None = None,
    ) -> LogdirBuilder:
        """Writes the metadata anew."""
        message = b"".join(
            (
                wire.text(1, tensorflow_version or self._run.tensorflow_version),
                wire.text(2, file_version),
                wire.text(3, self._run.run_id if run_id is None else run_id),
            )
        )
        self.path("metadata").write_bytes(b"")
        return self._event("metadata", _METADATA, message, at)

    def drop_eager_tensors(self, count: int) -> LogdirBuilder:
        """Lets tensor ids go on as if executions had made so many tensors and were not recorded."""
        self._run.eager_tensor_ids(count)
        return self

    # Records.

    def source(
        self, path: str, lines: Sequence[str] = (), *, host: str | None = None
    ) -> LogdirBuilder:
        """A source file; a relative path is one below the project's folder."""
        path = _absolute(path)
        if path not in self._source_paths:
            self._source_paths.append(path)
        message = wire.text(1, path) + wire.text(2, host or self._host) + wire.texts(3, lines)
        return self._event("source_files", _SOURCE_FILE, message)

    def frame(
        self, frame_id: str, file: str | int, *, line: int = 1, function: str = "<module>"
    ) -> LogdirBuilder:
        """A stack frame in a file: one of ``source``, or a number in the order of sources."""
        index = file if isinstance(file, int) else self._source_paths.index(_absolute(file))
        place = wire.integer(1, index) + wire.integer(2, line) + wire.text(4, function)
        message = wire.text(1, frame_id) + wire.message(2, place)
        return self._event("stack_frames", _STACK_FRAME, message)

    def device(self, name: str = CPU, *, device_id: int | None = None) -> LogdirBuilder:
        """A device; numbered from 1 on unless ``device_id`` tells another number."""
        self._num_devices += 1
        number = self._num_devices if device_id is None else device_id
        return self._event("graphs", _DEVICE, wire.text(1, name) + wire.integer(2, number))

    def graph(
        self, name: str = "", *, graph_id: str | None = None, outer: str | None = None
    ) -> LogdirBuilder:
        """A graph, which the ops and traces from here on are in.

        Args:
          name: The function's name; "" for an outermost graph.
          graph_id: Its id; ``<name>-id`` unless told.
          outer: Name or id of the graph around it; "" for the outermost one.

        """
        graph_id = graph_id or f"{name or 'outermost'}-id"
        self._run.graph_ids[name] = graph_id
        self._graph = graph_id
        message = b"".join(
            (
                wire.text(1, graph_id),
                wire.text(2, name),
                wire.text(6, "" if outer is None else self._run.graph_id(outer)),
            )
        )
        return self._event("graphs", _GRAPH, message)

    def in_graph(self, graph: str) -> LogdirBuilder:
        """Puts the ops and traces from here on into a graph, by name or id. Writes nothing."""
        self._graph = self._run.graph_id(graph)
        return self

    def op(
        self,
        op_type: str,
        name: str,
        *,
        inputs: Sequence[str] = (),
        outputs: int = 1,
        stack: Sequence[str] = (),
        at: float | None = None,
    ) -> LogdirBuilder:
        """The creation of an op in the current graph; ``inputs`` as ``"op:slot"``."""
        tensor_ids = [
            self._run.symbolic_tensor_id(self._graph, name, slot) for slot in range(outputs)
        ]
        message = b"".join(
            (
                wire.text(1, op_type),
                wire.text(2, name),
                wire.text(4, self._graph),
                wire.texts(6, inputs),
                wire.integer(7, outputs),
                self._code_location(8, stack),
                wire.integers(9, tensor_ids) if tensor_ids else b"",
            )
        )
        return self._event("graphs", _OP_CREATION, message, at)

    def trace(
        self,
        op_name: str,
        *,
        slot: int = 0,
        value: TensorValue | None = None,
        size: int | None = None,
        neg_inf: int = 0,
        pos_inf: int = 0,
        nan: int = 0,
        mode: int | None = None,
        device: str = CPU,
        at: float | None = None,
    ) -> LogdirBuilder:
        """One run of an op of the current graph.

        Without ``value`` the tensor has the counts given, and as many elements, or one.
        """
        mode = self._run.mode if mode is None else mode
        if value is None:
            value = _counted(size, neg_inf, pos_inf, nan)
        if isinstance(value, Values):
            tensor_id = self._run.symbolic_tensor_id(self._graph, op_name, slot)
            value = value.tensor_proto(mode, tensor_id)
        message = b"".join(
            (
                wire.text(1, self._graph),
                wire.text(2, op_name),
                wire.integer(3, slot) if slot else b"",
                wire.integer(4, mode),
                wire.message(5, value),
                wire.text(6, device),
            )
        )
        return self._event("graph_execution_traces", _TRACE, message, at)

    def execution(
        self,
        op_type: str,
        *,
        graph: str = "",
        inputs: Sequence[int] = (),
        outputs: Sequence[int] | None = None,
        values: Sequence[TensorValue] | None = None,
        size: int | None = None,
        neg_inf: int = 0,
        pos_inf: int = 0,
        nan: int = 0,
        device_id: int = 1,
        stack: Sequence[str] = (),
        mode: int | None = None,
        at: float | None = None,
    ) -> LogdirBuilder:
        """An eager op or a function call.

        Args:
          op_type: The op's type or the function's name.
          graph: Name or id of the function's graph.
          inputs: Tensor ids.
          outputs: Tensor ids; new ones, one a value, unless told.
          values: The outputs' values; one with the counts given unless told.
          size: Its element count; as many as are counted, or one, unless told.
          neg_inf: Its elements that are -inf.
          pos_inf: Its elements that are +inf.
          nan: Its elements that are NaN.
          device_id: The device of all outputs.
          stack: Frame ids, outermost first.
          mode: TensorDebugMode.
          at: Wall time.

        """
        mode = self._run.mode if mode is None else mode
        if values is None:
            values = (
                [] if mode == debug_modes.NO_TENSOR else [_counted(size, neg_inf, pos_inf, nan)]
            )
        if outputs is None:
            outputs = self._run.eager_tensor_ids(max(len(values), 1))
        tensors = [v.tensor_proto(mode, -1) if isinstance(v, Values) else v for v in values]
        message = b"".join(
            (
                wire.text(1, op_type),
                wire.integer(2, len(outputs)),
                wire.text(3, self._run.graph_id(graph) if graph else ""),
                wire.integers(4, inputs) if inputs else b"",
                wire.integers(5, outputs) if outputs else b"",
                wire.integer(6, mode),
                *(wire.message(7, tensor) for tensor in tensors),
                self._code_location(8, stack),
                wire.integers(9, [device_id] * len(outputs)) if outputs else b"",
            )
        )
        return self._event("execution", _EXECUTION, message, at)

    def raw_record(self, kind: FileKind, payload: bytes) -> LogdirBuilder:
        """A record of any bytes, rightly framed."""
        return self.append(kind, wire.record(payload))

    # Damage.

    def append(self, kind: FileKind, octets: bytes) -> LogdirBuilder:
        """Adds bytes to a file, framed or not."""
        with self.path(kind).open("ab") as file:
            file.write(octets)
        return self

    def insert(self, kind: FileKind, offset: int, octets: bytes) -> LogdirBuilder:
        """Puts bytes in the middle of a file."""
        content = self.path(kind).read_bytes()
        self.path(kind).write_bytes(content[:offset] + octets + content[offset:])
        return self

    def truncate(self, kind: FileKind, num_bytes: int) -> LogdirBuilder:
        """Takes bytes off a file's end."""
        os.truncate(self.path(kind), max(self.size(kind) - num_bytes, 0))
        return self

    def flip_bit(self, kind: FileKind, offset: int, bit: int = 0) -> LogdirBuilder:
        """Flips a bit of the byte at ``offset``, from the end where negative."""
        content = bytearray(self.path(kind).read_bytes())
        content[offset] ^= 1 << bit
        with self.path(kind).open("r+b") as file:
            file.write(content)
        return self

    def remove(self, kind: FileKind) -> LogdirBuilder:
        """Deletes a file."""
        self.path(kind).unlink()
        return self

    def record_offsets(self, kind: FileKind) -> list[int]:
        """Where the records of an undamaged file start, and where the last one ends."""
        content = self.path(kind).read_bytes()
        offsets = [0]
        while offsets[-1] < len(content):
            (length,) = struct.unpack_from("<Q", content, offsets[-1])
            offsets.append(offsets[-1] + 16 + length)
        return offsets

    def _event(
        self, kind: FileKind, member: int, message: bytes, at: float | None = None
    ) -> LogdirBuilder:
        if at is None:
            self._run.clock += 0.001
            at = self._run.clock
        return self.raw_record(kind, wire.event(at, member, message))

    def _code_location(self, number: int, stack: Sequence[str]) -> bytes:
        return wire.message(number, wire.text(1, self._host) + wire.texts(2, stack))


def _absolute(path: str) -> str:
    return path if path.startswith(("/", "<")) else f"{PROJECT}/{path}"


def _counted(size: int | None, neg_inf: int, pos_inf: int, nan: int) -> Values:
    least = max(neg_inf + pos_inf + nan, 1)
    return Values(least if size is None else size, neg_inf, pos_inf, nan)
