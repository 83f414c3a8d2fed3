"""Whose code a file is: the user's, or which library's.

A user frame is one outside site-packages, the standard library and TensorFlow's own files.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PACKAGE = re.compile(r"[/\\](?:site|dist)-packages[/\\](?P<name>[^/\\]+)")
_STANDARD_LIBRARY = re.compile(
    r"(?:[/\\]lib(?:64)?[/\\]python3(?:\.\d+)?[/\\](?!(?:site|dist)-packages)"
    r"|[/\\]python3\d*(?:\.\d+)?[/\\]lib[/\\]"
    r"|[/\\](?:(?:ana|mini)conda|miniforge|mambaforge)\d*[/\\](?:envs[/\\][^/\\]+[/\\])?lib[/\\]"
    r"|[/\\]PythonSoftwareFoundation\.Python[^/\\]*[/\\]lib[/\\]"
    r"|^<frozen )",
    re.IGNORECASE,
)
_SOURCE_TREE = re.compile(r"[/\\](?P<name>tensorflow|keras)[/\\](?:python|src)[/\\]")
_GENERATED = re.compile(r"__autograph_generated_file[^/\\]*\.py$")
_KERNEL_LAUNCHER = re.compile(r"[/\\]ipykernel_launcher\.py$")

_DISPLAY_NAMES = {
    "tensorflow": "TensorFlow",
    "keras": "Keras",
    "tf_keras": "Keras",
    "numpy": "NumPy",
    "IPython": "IPython",
    "ipykernel": "IPython",
    "ipykernel_launcher": "IPython",
    "tornado": "IPython",
    "traitlets": "IPython",
}


@lru_cache(maxsize=1 << 14)
def library_of(file_path: str) -> str | None:
    """The library that a file belongs to, as users call it; ``None`` for a user's file.

    >>> library_of("/usr/lib/python3/dist-packages/tensorflow/python/eager/def_function.py")
    'TensorFlow'
    >>> library_of("/usr/lib/python3.11/threading.py")
    'Python'
    >>> library_of("/home/dev/project/train.py")
    """
    package = _PACKAGE.search(file_path)
    if package:
        name = package["name"].removesuffix(".py")
        return _DISPLAY_NAMES.get(name, name)
    if _GENERATED.search(file_path):
        return "TensorFlow"
    tree = _SOURCE_TREE.search(file_path)
    if tree:
        return _DISPLAY_NAMES[tree["name"]]
    if _STANDARD_LIBRARY.search(file_path):
        return "Python"
    if _KERNEL_LAUNCHER.search(file_path):
        return "IPython"
    return None


def is_generated(file_path: str) -> bool:
    """Whether AutoGraph made the file: a copy of the user's function, changed.

    >>> is_generated("/tmp/__autograph_generated_file1x.py"), is_generated("/home/me/train.py")
    (True, False)
    """
    return _GENERATED.search(file_path) is not None
