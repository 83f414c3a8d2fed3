"""The WSGI apps of all routes: parse the request, ask the handler, send the answer.

Every failure becomes one shape here, and nowhere else.
"""

from __future__ import annotations

import gzip
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec
from werkzeug.wrappers import Request, Response

from tb_debugger_plugin.analyses.text_search import BadPattern
from tb_debugger_plugin.api.errors import InvalidArgument, MethodNotAllowed, RequestError, quote
from tb_debugger_plugin.api.handlers import (
    alert_roles,
    alerts,
    executions,
    graph_executions,
    graphs,
    patterns,
    problems,
    root_causes,
    runs,
    source_code,
    stack_frames,
)
from tb_debugger_plugin.api.parameters import parse_parameters
from tb_debugger_plugin.api.payloads import ErrorDetail, ErrorPayload
from tb_debugger_plugin.api.routes import ROUTES, Route
from tb_debugger_plugin.events.texts import printable
from tb_debugger_plugin.response_headers import SECURITY
from tb_debugger_plugin.runs.library import RunLibrary

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_log = logging.getLogger(__name__)

Handler = Callable[[RunLibrary, Any], object]

HANDLERS: dict[str, Handler] = {
    "/runs": runs.runs,
    "/logdir": runs.logdir,
    "/problems": problems.problems,
    "/gaps": problems.gaps,
    "/devices": runs.devices,
    "/alerts": alerts.alerts,
    "/alerts/around": alerts.around,
    "/alerts/roles": alert_roles.roles,
    "/alerts/patterns": patterns.patterns,
    "/root_causes": root_causes.root_causes,
    "/execution/digests": executions.digests,
    "/execution/data": executions.data,
    "/execution/position": executions.position,
    "/execution/facets": executions.facets,
    "/execution/detail": executions.detail,
    "/execution/overview": executions.overview,
    "/graph_execution/digests": graph_executions.digests,
    "/graph_execution/data": graph_executions.data,
    "/graph_execution/rows": graph_executions.rows,
    "/graph_execution/position": graph_executions.position,
    "/graph_execution/facets": graph_executions.facets,
    "/graph_execution/inputs": graph_executions.inputs,
    "/graphs/list": graphs.listing,
    "/graphs/graph_info": graphs.graph_info,
    "/graphs/op_info": graphs.op_info,
    "/graphs/neighborhood": graphs.neighborhood,
    "/source_files/list": source_code.listing,
    "/source_files/summary": source_code.summary,
    "/source_files/file": source_code.file,
    "/source_files/annotations": source_code.line_annotations,
    "/source_files/line": source_code.line,
    "/stack_frames/stack_frames": stack_frames.stack_frames,
    "/stack_frames/stack_trace": stack_frames.stack_trace,
}

_GZIP_FROM_BYTES = 1400
_encoder = msgspec.json.Encoder()


def make_apps(library: RunLibrary) -> dict[str, WSGIApplication]:
    """The app of each route, by path."""
    return {route.path: _make_app(route, HANDLERS[route.path], library) for route in ROUTES}


def _make_app(route: Route, handler: Handler, library: RunLibrary) -> WSGIApplication:
    def app(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        request = Request(environ)
        try:
            body, status = _answer(route, handler, library, request), 200
        except RequestError as error:
            body, status = _encode_error(error.code, str(error)), error.status
        except Exception:  # Whatever a file held, the page gets an answer it can show.
            _log.exception("tb_debugger: %s failed", route.path)
            message = "the plugin failed; the reason is in TensorBoard's log"
            body, status = _encode_error("internal", message), 500
        return _respond(request, body, status)(environ, start_response)

    return app


def _answer(route: Route, handler: Handler, library: RunLibrary, request: Request) -> bytes:
    if request.method not in ("GET", "HEAD"):
        raise MethodNotAllowed(f"{request.method} is not served; use GET")
    try:
        query = dict(request.args.lists())
    except ValueError:
        raise InvalidArgument("the query string cannot be read") from None
    parameters = parse_parameters(route.request, query)
    library.wake()
    try:
        answer = handler(library, parameters)
    except BadPattern as error:
        raise InvalidArgument(_explain(error, parameters)) from None
    try:
        return _encoder.encode(answer)
    except UnicodeEncodeError:  # A file or directory has a name that is not UTF-8.
        return _encoder.encode(_with_printable_texts(msgspec.to_builtins(answer)))


def _explain(error: BadPattern, parameters: Any) -> str:
    message = f"parameter 'text' cannot be used as a regular expression: {error}"
    # RE2 quotes what is wrong, but tells no place; the whole text is no news.
    if error.fragment not in ("", parameters.text):
        message += f": {quote(error.fragment)}"
        if parameters.text.count(error.fragment) == 1:
            message += f", at character {parameters.text.index(error.fragment) + 1}"
    return message


def _with_printable_texts(data: Any) -> Any:
    if isinstance(data, str):
        return printable(data)
    if isinstance(data, dict):
        return {_with_printable_texts(k): _with_printable_texts(v) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [_with_printable_texts(item) for item in data]
    return data


def _encode_error(code: Any, message: str) -> bytes:
    return _encoder.encode(ErrorPayload(ErrorDetail(code, printable(message))))


def _respond(request: Request, body: bytes, status: int) -> Response:
    response = Response(body, status=status, content_type="application/json")
    if len(body) >= _GZIP_FROM_BYTES and request.accept_encodings.quality("gzip") > 0:
        response.data = gzip.compress(body, compresslevel=3)
        response.headers["Content-Encoding"] = "gzip"
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = "no-store"
    response.headers.update(SECURITY)
    if status == 405:
        response.headers["Allow"] = "GET, HEAD"
    return response
