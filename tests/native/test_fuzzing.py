"""The C++ decoder under AddressSanitizer and UBSan, fed by a coverage-guided fuzzer for a while.

By hand, for longer: ``FUZZ_SECONDS=600 python -m pytest tests/native``. An input that breaks it is
kept in ``tests/native/seeds`` and so becomes a test.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tb_debugger_plugin.events.framing import split_records
from tb_debugger_plugin.index.file_sets import FileKind
from tests.builders.logdir import logdir

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tb_debugger_plugin" / "events" / "native"
SECONDS = int(os.environ.get("FUZZ_SECONDS", "20"))
SOURCES = ("crc32c", "framing", "vocabulary", "tensors", "decoders")

# In the order in which the target numbers its decoders.
KINDS: tuple[FileKind, ...] = (
    "execution",
    "graph_execution_traces",
    "graphs",
    "source_files",
    "stack_frames",
)


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("clang++")
    if compiler is None:
        pytest.skip("no clang++: Debian's packages clang and libclang-rt-14-dev bring it")
    target = tmp_path_factory.mktemp("fuzzer") / "fuzz_decoders"
    sanitizers = "-fsanitize=fuzzer,address,undefined"
    command = [compiler, "-std=c++17", "-O1", "-g", sanitizers, "-fno-sanitize-recover=all"]
    command += [str(HERE / "fuzz_decoders.cpp"), *(str(NATIVE / f"{s}.cpp") for s in SOURCES)]
    command += ["-o", str(target)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    if "cannot find" in built.stderr and "libclang_rt" in built.stderr:
        pytest.skip("clang has no sanitizer runtime: Debian's libclang-rt-14-dev brings it")
    assert built.returncode == 0, built.stderr
    return target


def write_seeds(folder: Path, scratch: Path) -> None:
    """Real records of every kind, whole files and bare payloads."""
    built = logdir(scratch).source("train.py", lines=["x = 1"])
    built.frame("f1", "train.py", line=1, function="f").device()
    built.graph("f").op("Log", "Log", inputs=["x:0"], stack=["f1"]).trace("Log", nan=3, size=9)
    built.execution("Log", nan=1, stack=["f1"])
    for number, kind in enumerate(KINDS):
        content = built.path(kind).read_bytes()
        (folder / f"{kind}_file").write_bytes(bytes([number, 0]) + content)
        records = split_records(memoryview(content))
        payloads = [
            content[start : start + length]
            for start, length in zip(records.starts, records.lengths, strict=True)
        ]
        joined = b"\xfa\xce".join(payloads)
        (folder / f"{kind}_payloads").write_bytes(bytes([number, 0x80]) + joined)


def test_no_input_reads_out_of_bounds(fuzzer: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    write_seeds(corpus, tmp_path / "logdir")
    for seed in (HERE / "seeds").glob("*"):
        shutil.copy(seed, corpus)
    command = [str(fuzzer), f"-max_total_time={SECONDS}", "-max_len=4096", "-rss_limit_mb=2048"]
    command += [f"-artifact_prefix={tmp_path}/", str(corpus)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr[-4000:]
    assert "Done" in ended.stderr
