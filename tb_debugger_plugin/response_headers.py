"""What every answer tells a browser, be it a file of the page or data."""

from __future__ import annotations

from types import MappingProxyType

SECURITY = MappingProxyType(
    {
        # Nothing that is served is a document: opened as one, it loads and runs nothing. The page's
        # document is TensorBoard's, to whose policy the page adds its own.
        "Content-Security-Policy": (
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
    }
)
