"""The rules that keep the package's layers apart, read from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = "tb_debugger_plugin"
ROOT = Path(__file__).resolve().parents[1]

LAYERS = {
    "files": 1,
    "events": 1,
    "index": 2,
    "analyses": 3,
    "runs": 4,
    "response_headers": 4,
    "api": 5,
    "static_files": 5,
    "plugin": 6,
    "cli": 6,
}
"""A part of the package imports parts of a lower number, and itself."""

OPEN_TO_ALL = {"debug_modes", "dtypes", "batches", "texts"}
"""Modules of ``events`` that say what values and names mean, not how bytes hold them."""

FILES = sorted((ROOT / PACKAGE).rglob("*.py"))
each_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix()
)


def part_of(path: Path) -> str:
    return path.relative_to(ROOT / PACKAGE).with_suffix("").parts[0]


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_modules(path: Path) -> Iterator[str]:
    """Dotted names of all that a file imports, wherever the import stands."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imported_parts(path: Path) -> Iterator[list[str]]:
    """What a file imports of the package, as steps below it."""
    for module in imported_modules(path):
        steps = module.split(".")
        if steps[0] == PACKAGE:
            yield steps[1:]


@each_file
def test_imports_point_to_lower_layers_only(path: Path) -> None:
    own = part_of(path)
    if own == "__init__":
        return
    wrong = [
        ".".join(steps)
        for steps in imported_parts(path)
        if steps[0] != own and LAYERS[steps[0]] >= LAYERS[own]
    ]
    assert not wrong, f"{own} is a lower layer than what it imports"


def test_every_part_of_the_package_has_a_layer() -> None:
    assert {part_of(path) for path in FILES} - {"__init__"} <= set(LAYERS)


@each_file
def test_only_events_knows_how_bytes_hold_records(path: Path) -> None:
    if part_of(path) in ("events", "index"):
        return
    wrong = [
        ".".join(steps)
        for steps in imported_parts(path)
        if steps[0] == "events"
        and len(steps) > 1
        and steps[1] not in OPEN_TO_ALL
        and steps[1:] != ["tensors", "Counts"]
    ]
    assert not wrong, "these modules decode bytes; ask the snapshot instead"


@each_file
def test_only_api_and_plugin_know_http(path: Path) -> None:
    if LAYERS.get(part_of(path), 0) >= LAYERS["api"]:
        return
    libraries = {module.partition(".")[0] for module in imported_modules(path)}
    assert not libraries & {"werkzeug", "tensorboard", "http", "wsgiref"}


@each_file
def test_what_is_sent_or_kept_is_made_of_plain_classes_elsewhere(path: Path) -> None:
    if part_of(path) == "api" or path == ROOT / PACKAGE / "index" / "cache.py":
        return
    assert "msgspec" not in {module.partition(".")[0] for module in imported_modules(path)}


@each_file
def test_tensorflow_is_never_needed(path: Path) -> None:
    libraries = {module.partition(".")[0] for module in imported_modules(path)}
    assert not libraries & {"tensorflow", "keras"}


@each_file
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(parse(path)), "a module without a docstring"


@each_file
def test_no_module_is_a_drawer_of_odds_and_ends(path: Path) -> None:
    assert path.stem not in {"utils", "util", "helpers", "misc", "common"}
