"""What the names that TensorFlow gives to concrete functions and their graphs say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

FunctionKind = Literal["forward", "backward", "inference"]

_BACKWARD = re.compile(r"(?:__inference_)?__backward_(?P<name>.+?)(?:_\d+){1,2}", re.DOTALL)
_FORWARD = re.compile(r"__(?P<kind>forward|inference)_(?P<name>.+?)(?:_\d+)?", re.DOTALL)


@dataclass(frozen=True)
class FunctionName:
    """A concrete function: the Python function's name and what is computed of it."""

    python_name: str
    kind: FunctionKind


@lru_cache(maxsize=1 << 14)
def parse_function_name(op_type: str) -> FunctionName | None:
    """The function that an execution's op type names; ``None`` for an op.

    >>> parse_function_name("__inference___backward_model_105_224")
    FunctionName(python_name='model', kind='backward')
    >>> parse_function_name("__forward_loss_fn_305")
    FunctionName(python_name='loss_fn', kind='forward')
    >>> parse_function_name("MatMul")
    """
    backward = _BACKWARD.fullmatch(op_type)
    if backward:
        return FunctionName(backward["name"], "backward")
    forward = _FORWARD.fullmatch(op_type)
    if forward:
        return FunctionName(
            forward["name"], "forward" if forward["kind"] == "forward" else "inference"
        )
    return None


def all_names(name: str | None) -> set[str]:
    """What users may call a function, given a name of it: that name, and the one in Python.

    The name of an op is all that it has; ``None`` is no name.

    >>> sorted(all_names("__forward_loss_fn_305"))
    ['__forward_loss_fn_305', 'loss_fn']
    """
    if name is None:
        return set()
    parsed = parse_function_name(name)
    return {name} if parsed is None else {name, parsed.python_name}


def is_backward_graph(graph_name: str | None) -> bool:
    """Whether a graph computes gradients."""
    return graph_name is not None and graph_name.startswith("__backward_")
