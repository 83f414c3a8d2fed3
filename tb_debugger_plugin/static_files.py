"""The built page and the guides, one route a file: no path of a request is opened."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from werkzeug.datastructures import Headers
from werkzeug.wrappers import Request, Response

from tb_debugger_plugin.analyses.patterns import guide as alert_guide
from tb_debugger_plugin.response_headers import SECURITY
from tb_debugger_plugin.runs import problem_guide

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

STATIC_DIRECTORY = Path(__file__).parent / "static"

_TYPES = {".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}


def make_static_apps() -> dict[str, WSGIApplication]:
    """An app for every file of the build, by its path below ``/static/``.

    The files are read here: after an upgrade this process goes on with the page that its own
    routes belong to, whose parts name one another.
    """
    return {
        f"/static/{path.relative_to(STATIC_DIRECTORY).as_posix()}": _serve(
            path.read_bytes(), _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        )
        for path in sorted(STATIC_DIRECTORY.rglob("*"))
        if path.is_file() and not path.name.startswith(".")
    }


def make_guide_apps() -> dict[str, WSGIApplication]:
    """The guides to problems and to kinds of alerts, as text that a browser shows."""
    guides = {
        problem_guide.GUIDE: problem_guide.build_guide(),
        alert_guide.GUIDE: alert_guide.build_guide(),
    }
    return {
        f"/{path}": _serve(text.encode(), "text/plain; charset=utf-8")
        for path, text in guides.items()
    }


class _StaticResponse(Response):
    """TensorBoard wants a type on every answer, on 304 too, from which Werkzeug takes it."""

    def get_wsgi_headers(self, environ: WSGIEnvironment) -> Headers:
        headers = super().get_wsgi_headers(environ)
        headers.setdefault("Content-Type", self.content_type or "application/octet-stream")
        return headers


def _serve(content: bytes, content_type: str | None) -> WSGIApplication:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request = Request(environ)
        if request.method not in ("GET", "HEAD"):
            refusal = Response("use GET\n", status=405, headers={"Allow": "GET, HEAD"})
            refusal.headers.update(SECURITY)
            return refusal(environ, start_response)
        response = _StaticResponse(content, content_type=content_type or "application/octet-stream")
        response.headers.update(SECURITY)
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        return response.make_conditional(request)(environ, start_response)

    return app
