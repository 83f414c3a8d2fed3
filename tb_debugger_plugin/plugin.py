"""The TensorBoard plugin: puts the parts together and does nothing itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tensorboard.plugins import base_plugin

from tb_debugger_plugin.api.app import make_apps
from tb_debugger_plugin.index.cache import IndexCache
from tb_debugger_plugin.runs.library import RunLibrary
from tb_debugger_plugin.runs.search import parse_roots
from tb_debugger_plugin.static_files import make_guide_apps, make_static_apps

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication


class DebuggerPlugin(base_plugin.TBPlugin):  # type: ignore[misc]
    """Debugger V2. TensorBoard's bundled plugin of that tab name is called ``debugger-v2``."""

    plugin_name = "tb_debugger"

    def __init__(self, context: Any) -> None:
        """Starts the search for runs in the background; nothing waits for it.

        Args:
          context: TensorBoard's ``TBContext``; ``logdir`` and ``flags`` are read.
        """
        spec = getattr(context.flags, "logdir_spec", "") or "" if context.flags else ""
        self._library = RunLibrary(parse_roots(context.logdir or "", spec), IndexCache.of_user())
        self._library.wake()

    def get_plugin_apps(self) -> dict[str, WSGIApplication]:
        """All routes, below ``/data/plugin/tb_debugger``."""
        return {**make_apps(self._library), **make_static_apps(), **make_guide_apps()}

    def is_active(self) -> bool:
        """Whether a run was found so far; answers at once."""
        self._library.wake()
        return self._library.num_found > 0

    def frontend_metadata(self) -> base_plugin.FrontendMetadata:
        """The tab: an ES module that TensorBoard loads into a frame."""
        return base_plugin.FrontendMetadata(
            es_module_path="/static/main.js", tab_name="Debugger V2", disable_reload=False
        )
