from __future__ import annotations

import os
import subprocess
import sys


def kind_in_a_fresh_process(**environment: str) -> tuple[str, str]:
    """The decoders that a new process uses, and what it logs."""
    program = "from tb_debugger_plugin.events.decoders import DECODERS; print(DECODERS.kind)"
    block = "import sys; sys.modules['tb_debugger_plugin.events._native'] = None; "
    if environment.pop("without_extension", ""):
        program = block + program
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout.strip(), ended.stderr


def test_the_native_decoder_is_used_where_it_is() -> None:
    assert kind_in_a_fresh_process() == ("native", "")


def test_without_the_extension_the_reference_is_used_and_that_is_said_once() -> None:
    kind, log = kind_in_a_fresh_process(without_extension="1")
    assert kind == "reference"
    assert log.count("the native decoder cannot be loaded") == 1


def test_the_reference_can_be_asked_for() -> None:
    assert kind_in_a_fresh_process(TB_DEBUGGER_REFERENCE_DECODER="1") == ("reference", "")
