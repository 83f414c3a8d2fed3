"""Query string -> request struct, strictly.

A parameter is given once, unless it is a list of texts; an integer is ASCII digits with an optional
minus, a number is that with an optional fraction and exponent, a boolean is 0 or 1, one of several
texts is that very text; a missing or unknown value is an error that names the parameter. Unknown
parameters are ignored, as the bundled plugin does, so that an older page works with a newer server.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

import msgspec

from tb_debugger_plugin.api.errors import InvalidArgument, quote
from tb_debugger_plugin.api.requests import LONGEST_TEXT

RequestT = TypeVar("RequestT", bound=msgspec.Struct)

_INTEGER = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,40}(\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?", re.ASCII)


def parse_parameters(request_type: type[RequestT], query: Mapping[str, Iterable[str]]) -> RequestT:
    """Turns query parameters into ``request_type``.

    Args:
      request_type: A struct of ``requests.py``.
      query: Every value given for each parameter name.

    Raises:
      InvalidArgument: A parameter is missing, repeated, malformed or out of its bounds.

    """
    values: dict[str, Any] = {}
    for field in _fields(request_type):
        given = list(query.get(field.encode_name, ()))
        if not given:
            if field.required:
                raise InvalidArgument(f"parameter {field.encode_name!r} is not provided")
            continue
        if is_list(field.type):
            values[field.name] = [_parse_value(field.encode_name, str, text) for text in given]
            continue
        if len(given) > 1:
            raise InvalidArgument(f"parameter {field.encode_name!r} is given {len(given)} times")
        values[field.name] = _parse_value(field.encode_name, field.type, given[0])
    try:
        return msgspec.convert(values, request_type)
    except msgspec.ValidationError as error:
        raise InvalidArgument(_explain(error)) from None


@cache
def _fields(request_type: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """To find them takes longer than most answers."""
    return msgspec.structs.fields(request_type)


def _parse_value(name: str, declared: Any, text: str) -> str | int | float | bool:
    if len(text) > LONGEST_TEXT:
        raise InvalidArgument(f"parameter {name!r} is longer than {LONGEST_TEXT} characters")
    kinds = scalar_kinds(declared)
    if bool in kinds:
        if text not in ("0", "1"):
            raise InvalidArgument(f"parameter {name!r} must be 0 or 1, not {quote(text)}")
        return text == "1"
    if int in kinds:
        if not _INTEGER.fullmatch(text):
            raise InvalidArgument(f"parameter {name!r} must be an integer, not {quote(text)}")
        return int(text)
    if float in kinds:
        if not _NUMBER.fullmatch(text) or not math.isfinite(float(text)):
            raise InvalidArgument(f"parameter {name!r} must be a finite number, not {quote(text)}")
        return float(text)
    choice = choices(declared)
    if choice and text not in choice:
        raise InvalidArgument(f"parameter {name!r} must be one of {choice}, not {quote(text)}")
    return text


@cache
def scalar_kinds(declared: Any) -> set[type]:
    """The Python types inside a field's annotation: ``Annotated[int | None, ...]`` -> int."""
    by_info: dict[type, type] = {
        msgspec.inspect.BoolType: bool,
        msgspec.inspect.IntType: int,
        msgspec.inspect.FloatType: float,
        msgspec.inspect.StrType: str,
        msgspec.inspect.LiteralType: str,
    }
    return {by_info[type(member)] for member in _members(declared) if type(member) in by_info}


@cache
def is_list(declared: Any) -> bool:
    """Whether a field takes several texts, each as a parameter of its own."""
    members = _members(declared)
    return any(isinstance(member, msgspec.inspect.VarTupleType) for member in members)


@cache
def choices(declared: Any) -> tuple[Any, ...]:
    """The texts that a field may have; none where it may have any."""
    literals = [m for m in _members(declared) if isinstance(m, msgspec.inspect.LiteralType)]
    return tuple(value for literal in literals for value in literal.values)


def _members(declared: Any) -> list[msgspec.inspect.Type]:
    """The types of a union, or the only one, without what is said of them."""
    info = _bare(msgspec.inspect.type_info(declared))
    members = info.types if isinstance(info, msgspec.inspect.UnionType) else (info,)
    return [_bare(member) for member in members]


def _bare(info: msgspec.inspect.Type) -> msgspec.inspect.Type:
    return info.type if isinstance(info, msgspec.inspect.Metadata) else info


def _explain(error: msgspec.ValidationError) -> str:
    """``Expected `int` >= 0 - at `$.begin``` -> ``parameter 'begin': expected `int` >= 0``."""
    what, _, where = str(error).partition(" - at `$.")
    if not where:
        return str(error)
    return f"parameter {where.rstrip('`')!r}: {what[0].lower()}{what[1:]}"
