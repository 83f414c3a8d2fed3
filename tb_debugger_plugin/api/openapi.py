"""``docs/openapi.json`` from the route table.

Run ``python -m tb_debugger_plugin.api.openapi docs/openapi.json`` after a change of a payload, a
request or a route; a test fails while the file on disk differs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from tb_debugger_plugin.api.payloads import ErrorPayload
from tb_debugger_plugin.api.routes import ROUTES, Route

_REF = "#/components/schemas/{name}"


def build_document() -> dict[str, Any]:
    """The OpenAPI 3.1 document of all routes, as plain JSON data."""
    types = [route.response for route in ROUTES] + [ErrorPayload]
    schemas, components = msgspec.json.schema_components(types, ref_template=_REF)
    for schema in components.values():
        _say_all_that_is_sent(schema)
    error = schemas[-1]
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "tb-debugger-plugin",
            "version": "1",
            "description": "Routes below /data/plugin/tb_debugger of TensorBoard.",
        },
        "paths": {
            route.path: {"get": _operation(route, schema, error)}
            for route, schema in zip(ROUTES, schemas, strict=False)
        },
        "components": {"schemas": components},
    }


def _say_all_that_is_sent(schema: dict[str, Any]) -> None:
    """A field without a default is always in the answer; null is then one of its types."""
    for properties in schema.get("properties", {}).values():
        properties.pop("default", None)
    schema["additionalProperties"] = False


def _operation(route: Route, schema: dict[str, Any], error: dict[str, Any]) -> dict[str, Any]:
    def answer(description: str, body: dict[str, Any]) -> dict[str, Any]:
        return {"description": description, "content": {"application/json": {"schema": body}}}

    return {
        "summary": route.summary,
        "operationId": route.path.strip("/").replace("/", "_"),
        "parameters": _parameters(route.request),
        "responses": {
            "200": answer("The answer.", schema),
            "400": answer("A parameter is missing, malformed or out of range.", error),
            "404": answer("Nothing of that name or index.", error),
            "405": answer("Only GET and HEAD are served.", error),
            "500": answer("The plugin failed; TensorBoard's log tells why.", error),
        },
    }


def _parameters(request: type[msgspec.Struct]) -> list[dict[str, Any]]:
    parameters = []
    for field in msgspec.structs.fields(request):
        schema = msgspec.json.schema(field.type)
        variants = [s for s in schema.get("anyOf", [schema]) if s.get("type") != "null"]
        description = schema.get("description") or variants[0].get("description")
        plain = {k: v for k, v in variants[0].items() if k != "description"}
        if plain.get("type") == "boolean":
            plain = {"type": "integer", "enum": [0, 1]}
        if not field.required and field.default is not None:
            plain["default"] = _as_json(field.default)
        parameters.append(
            {
                "name": field.encode_name,
                "in": "query",
                "required": field.required,
                "schema": plain,
                **({"description": description} if description else {}),
            }
        )
    return parameters


def _as_json(default: Any) -> Any:
    if isinstance(default, tuple):
        return list(default)
    return int(default) if isinstance(default, bool) else default


def main() -> None:
    """Writes the document to the path given as the only argument."""
    document = json.dumps(build_document(), indent=1, sort_keys=False, ensure_ascii=False)
    Path(sys.argv[1]).write_text(document + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
