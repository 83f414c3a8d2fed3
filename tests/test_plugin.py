from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tensorboard.plugins import base_plugin
from werkzeug.test import Client

from tb_debugger_plugin import static_files
from tb_debugger_plugin.api.routes import ROUTES
from tb_debugger_plugin.plugin import DebuggerPlugin
from tb_debugger_plugin.response_headers import SECURITY
from tests.builders.logdir import logdir

GUIDES = ("docs/problems.md", "docs/alert-kinds.md")

Start = Callable[..., DebuggerPlugin]


@pytest.fixture
def start() -> Iterator[Start]:
    """Makes plugins as TensorBoard does, and ends their threads."""
    started: list[DebuggerPlugin] = []

    def make(directory: object = "", flags: object = None) -> DebuggerPlugin:
        context = base_plugin.TBContext(logdir=directory, flags=flags)
        started.append(DebuggerPlugin(context))
        return started[-1]

    yield make
    for plugin in started:
        plugin._library.close()


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A built front end of three files."""
    for name, text in {"main.js": "start()", "a/b.css": "x{}", ".hidden": "", "x.bin": "x"}.items():
        (tmp_path / "static" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "static" / name).write_text(text)
    monkeypatch.setattr(static_files, "STATIC_DIRECTORY", tmp_path / "static")
    return tmp_path / "static"


def becomes_active(plugin: DebuggerPlugin) -> bool:
    pause = threading.Event()
    for _ in range(12_000):
        if plugin.is_active():
            return True
        pause.wait(0.005)
    return False


def searched(plugin: DebuggerPlugin) -> None:
    pause = threading.Event()
    for _ in range(12_000):
        if not plugin._library.searching:
            return
        pause.wait(0.005)
    raise AssertionError("waited in vain")


def test_an_empty_directory_is_not_active(start: Start, tmp_path: Path) -> None:
    plugin = start(str(tmp_path))
    searched(plugin)
    assert plugin.is_active() is False


def test_a_directory_with_a_run_is_active_once_it_was_found(start: Start, tmp_path: Path) -> None:
    logdir(tmp_path / "deep" / "er")
    assert becomes_active(start(str(tmp_path)))


def test_a_logdir_spec_is_searched(start: Start, tmp_path: Path) -> None:
    logdir(tmp_path)
    plugin = start("", SimpleNamespace(logdir="", logdir_spec=f"name:{tmp_path}"))
    assert becomes_active(plugin)
    assert list(plugin._library.found()) == ["name"]


@pytest.mark.parametrize("directory", ["", None, "missing", "\0", "gs://bucket/logs"])
@pytest.mark.parametrize(
    "flags",
    [
        None,
        SimpleNamespace(),
        SimpleNamespace(logdir_spec=None),
        SimpleNamespace(logdir_spec=""),
        SimpleNamespace(logdir_spec=",:,a:,:b"),
    ],
    ids=repr,
)
def test_no_flags_are_too_odd(start: Start, directory: str | None, flags: object) -> None:
    plugin = start(directory, flags)
    searched(plugin)
    assert plugin.is_active() is False
    assert plugin.get_plugin_apps()


def test_all_routes_and_files_are_served(start: Start, tmp_path: Path, built: Path) -> None:
    apps = start(str(tmp_path)).get_plugin_apps()
    assert set(apps) == {route.path for route in ROUTES} | {
        "/static/main.js",
        "/static/a/b.css",
        "/static/x.bin",
        "/docs/problems.md",
        "/docs/alert-kinds.md",
    }
    assert all(callable(app) for app in apps.values())
    assert Client(apps["/runs"]).get("/runs").status_code == 200


def test_without_a_build_the_routes_are_served(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "STATIC_DIRECTORY", tmp_path / "nothing")
    apps = start(str(tmp_path)).get_plugin_apps()
    assert set(apps) == {route.path for route in ROUTES} | {f"/{path}" for path in GUIDES}


def test_the_tab_is_an_es_module(start: Start, tmp_path: Path) -> None:
    metadata = start(str(tmp_path)).frontend_metadata()
    assert metadata.es_module_path == "/static/main.js"
    assert metadata.tab_name == "Debugger V2"
    assert DebuggerPlugin.plugin_name == "tb_debugger"


def static(path: str) -> Client:
    return Client(static_files.make_static_apps()[path])


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        ("/static/main.js", "text/javascript"),
        ("/static/a/b.css", "text/css"),
        ("/static/x.bin", "application/octet-stream"),
    ],
)
def test_files_have_their_type(built: Path, path: str, content_type: str) -> None:
    response = static(path).get(path)
    assert response.status_code == 200
    assert response.content_type == content_type
    assert dict(response.headers).items() >= SECURITY.items()


def test_a_file_that_is_known_is_not_sent_again(built: Path) -> None:
    first = static("/static/main.js").get("/")
    assert first.data == b"start()"
    again = static("/static/main.js").get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.content_type == first.content_type
    (built / "main.js").write_text("restart()")
    newer = static("/static/main.js").get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert (newer.status_code, newer.data) == (200, b"restart()")


def test_files_are_read_only(built: Path) -> None:
    refusal = static("/static/main.js").post("/")
    assert (refusal.status_code, refusal.content_type) == (405, "text/plain; charset=utf-8")
    assert dict(refusal.headers).items() >= SECURITY.items()
    head = static("/static/main.js").head("/")
    assert (head.status_code, head.data) == (200, b"")


def test_an_upgrade_changes_nothing_until_tensorboard_starts_again(built: Path) -> None:
    page = static("/static/main.js")
    (built / "main.js").write_text("import('./new-chunk.js')")
    assert page.get("/").data == b"start()"
    (built / "main.js").unlink()
    assert page.get("/").data == b"start()"


def test_metadata_of_the_entry_point_loads_this_class() -> None:
    from importlib.metadata import entry_points

    points: Any = entry_points(group="tensorboard_plugins")
    ours = [point for point in points if point.name == "tb_debugger"]
    assert [point.load() for point in ours] in ([], [DebuggerPlugin])


@pytest.mark.parametrize("path", GUIDES)
def test_a_guide_is_text_that_a_browser_shows(start: Start, tmp_path: Path, path: str) -> None:
    app = start(str(tmp_path)).get_plugin_apps()[f"/{path}"]
    answer = Client(app).get(f"/{path}")
    assert answer.content_type == "text/plain; charset=utf-8"
    assert answer.text == Path(__file__).parents[1].joinpath(path).read_text(encoding="utf-8")
