"""The failures that a request can meet, and nothing else: each becomes one ``ErrorPayload``."""

from __future__ import annotations

_MOST_QUOTED = 80


def quote(text: str) -> str:
    """A parameter's value as a message repeats it: never much, however long the value is."""
    return repr(text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}…")


class RequestError(Exception):
    """A request that cannot be answered. Subclasses fix the HTTP status and the code."""

    status = 500
    code = "internal"


class InvalidArgument(RequestError):
    """A parameter is missing, malformed or out of range; the message names it."""

    status = 400
    code = "invalid_argument"


class NotFound(RequestError):
    """The parameter is well formed but names nothing in this run."""

    status = 404
    code = "not_found"


class MethodNotAllowed(RequestError):
    """Only GET and HEAD are served."""

    status = 405
    code = "method_not_allowed"
