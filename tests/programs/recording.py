"""Runs programs one after another, with a dump of each, in a process of its own.

``python -m tests.programs.recording FOLDER forward.log_of_zero=FULL_HEALTH ...`` makes a folder a
program. TensorFlow takes seconds to start, and so does so once for all of them.
"""

import importlib
import sys
from pathlib import Path

import tensorflow as tf


def record(directory: Path, name: str, mode: str) -> None:
    module, function = name.split(".")
    program = getattr(importlib.import_module(f"tests.programs.{module}"), function)
    # Some weights of a model and orders of its data have a second, true cause.
    tf.keras.utils.set_random_seed(1)
    tf.debugging.experimental.enable_dump_debug_info(
        str(directory / name), tensor_debug_mode=mode, circular_buffer_size=-1
    )
    program()
    tf.debugging.experimental.disable_dump_debug_info()


if __name__ == "__main__":
    for argument in sys.argv[2:]:
        record(Path(sys.argv[1]), *argument.split("="))
