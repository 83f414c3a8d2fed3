"""A logdir in an object store, behind a real S3 server on loopback."""

from __future__ import annotations

import json
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest
from moto.server import ThreadedMotoServer

from tb_debugger_plugin.files import choose
from tb_debugger_plugin.files.remote import RemoteFiles
from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.index.file_sets import FILE_KINDS, find_file_sets
from tb_debugger_plugin.index.run_index import RunIndex
from tests.api.serving import Server, wait_until
from tests.builders.logdir import LogdirBuilder, logdir
from tests.corpus.logdirs import absence, unpacked_corpus
from tests.e2e.tensorboard import running_tensorboard

BUCKET = "s3://dumps"
ROUTES: dict[str, dict[str, Any]] = {
    "/alerts": {"begin": 0, "end": 100},
    "/execution/data": {"begin": 0, "end": 100},
    "/graph_execution/rows": {"begin": 0, "end": 100},
    "/graphs/list": {},
    "/source_files/summary": {},
    "/source_files/file": {"index": 0},
    "/devices": {},
}


WITHOUT_TENSORFLOW = """
import sys, types
sys.modules["tensorboard.compat.notf"] = types.ModuleType("notf")
from tensorboard.main import run_main
run_main()
"""
"""TensorBoard reads buckets through fsspec or boto only where TensorFlow is not installed."""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """An empty bucket of an S3 server; all of this process and its children's S3 goes there."""
    started = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    started.start()
    host, port = started.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", "nobody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "nothing")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setattr(choose, "_remote", {})
        fsspec.filesystem("s3").mkdir("dumps")
        yield BUCKET
    started.stop()


class Bucket:
    """Objects of the bucket, and what the plugin reads of them."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.num_bytes_read = 0
        self._files = fsspec.filesystem("s3")

    def put(self, directory: Path, name: str) -> None:
        for file in sorted(directory.iterdir()):
            self._files.pipe_file(f"{self.url}/{name}/{file.name}", file.read_bytes())

    def remove(self) -> None:
        for path in self._files.ls(self.url, refresh=True):
            self._files.rm(path, recursive=True)


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    made = Bucket(server)
    read_range = RemoteFiles._range

    def counting(files: RemoteFiles, path: str, begin: int, end: int) -> bytes:
        content = read_range(files, path, begin, end)
        # Each search looks into the small metadata again.
        if not path.endswith(".metadata"):
            made.num_bytes_read += len(content)
        return content

    monkeypatch.setattr(RemoteFiles, "_range", counting)
    yield made
    made.remove()


def small_program(tmp_path: Path) -> LogdirBuilder:
    built = logdir(tmp_path / "program").source("a.py", lines=["x = 1"] * 50).frame("f1", "a.py")
    built.graph("f").op("Log", "log", stack=["f1"]).execution("Mul", nan=1, stack=["f1"])
    return built.trace("log").trace("log", size=1 << 40, nan=1 << 33)


def num_executions(server: Server) -> int:
    runs = server.answer("/runs")
    return int(runs["run"]["num_executions"]) if "run" in runs else -1


@pytest.mark.skipif(absence() is not None, reason=str(absence()))
@pytest.mark.parametrize("case", ["mlp_log0_FULL_HEALTH", "nested4", "tf1_session"])
def test_a_logdir_in_a_bucket_answers_like_one_on_disk(bucket: Bucket, case: str) -> None:
    bucket.put(unpacked_corpus() / case, case)
    remote, local = Server(f"{bucket.url}/{case}").load(), Server(unpacked_corpus() / case).load()
    (run,) = local.answer("/runs")
    for path, parameters in ROUTES.items():
        answers = [s.ask(path, run=run, **parameters).data for s in (remote, local)]
        assert answers[0] == answers[1], path


def test_nothing_is_downloaded_twice(bucket: Bucket, tmp_path: Path) -> None:
    built = small_program(tmp_path)
    bucket.put(built.directory, "run")
    server = Server(bucket.url).load()
    assert bucket.num_bytes_read == sum(
        built.size(kind) for kind in FILE_KINDS if kind != "metadata"
    )
    before = bucket.num_bytes_read
    for path in ("/alerts", "/execution/data", "/graph_execution/rows", "/graphs/list"):
        server.answer(path, run="run")
    # One number does not fit the columns: its record is read, and no more.
    assert bucket.num_bytes_read - before <= 3 * built.size("graph_execution_traces")
    before = bucket.num_bytes_read
    server.answer("/source_files/file", run="run", index=0)
    assert bucket.num_bytes_read - before <= built.size("source_files")


def test_what_is_appended_is_all_that_is_read_of_a_larger_object(
    bucket: Bucket, tmp_path: Path
) -> None:
    built = small_program(tmp_path)
    bucket.put(built.directory, "run")
    server = Server(bucket.url).load()
    before, old_size = bucket.num_bytes_read, built.size("execution")
    built.execution("Exp").execution("Log")
    bucket.put(built.directory, "run")
    server.library.wake()
    wait_until(lambda: num_executions(server) == 3)
    appended = built.size("execution") - old_size
    # And a few bytes before the end of each object, which tell that it is still the same one.
    assert bucket.num_bytes_read - before <= appended + 64 * len(FILE_KINDS)


def test_another_object_of_the_same_name_is_read_anew(bucket: Bucket, tmp_path: Path) -> None:
    built = small_program(tmp_path)
    bucket.put(built.directory, "run")
    server = Server(bucket.url).load()
    shutil.rmtree(built.directory)
    bucket.remove()
    other = logdir(tmp_path / "program").execution("Exp").execution("Log")
    bucket.put(other.directory, "run")
    server.library.wake()
    wait_until(lambda: num_executions(server) == 2)
    assert server.answer("/runs")["run"]["num_graph_executions"] == 0


def test_a_bucket_that_is_not_there_is_said_not_to_be(server: str) -> None:
    searched = Server(f"{server}-not-there/logs")
    searched.library.wake()
    wait_until(lambda: not searched.library.searching)
    (directory,) = searched.answer("/logdir")["directories"]
    assert directory["path"] == f"{server}-not-there/logs"
    assert directory["found"] == "does not exist"


def test_an_index_of_a_bucket_is_kept_and_recognised(bucket: Bucket, tmp_path: Path) -> None:
    built = small_program(tmp_path)
    bucket.put(built.directory, "run")
    cache = IndexCache(tmp_path / "cache", smallest_run=0)
    file_sets = find_file_sets(f"{bucket.url}/run", [p.name for p in built.directory.iterdir()])
    index = RunIndex(file_sets)
    index.refresh()
    cache.store(index)
    before = bucket.num_bytes_read
    again = cache.load(file_sets)
    assert again is not None
    assert list(again.refresh_by_piece()) == []
    # The first and the last bytes of each file, and no more: small files are read twice by it.
    assert bucket.num_bytes_read - before <= 2 * sum(built.size(kind) for kind in FILE_KINDS)
    bucket.put(logdir(tmp_path / "program" / "other").execution("Exp").directory, "run")
    assert cache.load(file_sets) is None


def test_tensorboard_shows_a_bucket(bucket: Bucket, tmp_path: Path) -> None:
    bucket.put(small_program(tmp_path).directory, "run")
    with running_tensorboard(bucket.url, program=("-c", WITHOUT_TENSORFLOW)) as url:

        def runs() -> dict[str, Any]:
            with urllib.request.urlopen(f"{url}/data/plugin/tb_debugger/runs?read=run") as answer:
                found: dict[str, Any] = json.loads(answer.read())
            return found

        wait_until(lambda: runs().get("run", {}).get("status") in ("live", "complete"))
        assert runs()["run"]["num_alerts"] == 2
