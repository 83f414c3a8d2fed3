from __future__ import annotations

import json
from pathlib import Path

from tb_debugger_plugin.api.app import HANDLERS
from tb_debugger_plugin.api.openapi import build_document
from tb_debugger_plugin.api.routes import ROUTES

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "openapi.json"

OLD_ROUTES = {
    "/runs",
    "/alerts",
    "/execution/digests",
    "/execution/data",
    "/graph_execution/digests",
    "/graph_execution/data",
    "/graphs/graph_info",
    "/graphs/op_info",
    "/source_files/list",
    "/source_files/file",
    "/stack_frames/stack_frames",
}


def test_the_document_on_disk_is_what_the_code_serves() -> None:
    on_disk = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    assert on_disk == build_document(), (
        "docs/openapi.json is out of date; run: "
        "python -m tb_debugger_plugin.api.openapi docs/openapi.json && npm run generate:api"
    )


def test_every_route_has_a_handler_and_every_handler_a_route() -> None:
    paths = [route.path for route in ROUTES]
    assert len(paths) == len(set(paths))
    assert set(paths) == set(HANDLERS)


def test_the_routes_of_the_bundled_plugin_are_all_there() -> None:
    assert set(HANDLERS) >= OLD_ROUTES


def test_every_reference_of_the_document_resolves() -> None:
    document = build_document()
    schemas = document["components"]["schemas"]
    text = json.dumps(document)
    named = {piece.partition('"')[0] for piece in text.split("#/components/schemas/")[1:]}
    assert named <= set(schemas)
    assert "ErrorPayload" in named


def test_every_field_without_a_default_is_required() -> None:
    schemas = build_document()["components"]["schemas"]
    assert schemas["Alert"]["required"] == list(schemas["Alert"]["properties"])
    assert "data" not in schemas["OpLink"]["required"]


def test_no_answer_has_a_field_that_the_document_does_not_tell() -> None:
    schemas = build_document()["components"]["schemas"]
    assert [name for name, schema in schemas.items() if schema["additionalProperties"]] == []


def test_every_failure_is_told() -> None:
    for path in build_document()["paths"].values():
        refusals = {k: v for k, v in path["get"]["responses"].items() if k != "200"}
        assert set(refusals) == {"400", "404", "405", "500"}
        for refusal in refusals.values():
            assert refusal["content"]["application/json"]["schema"]["$ref"].endswith("ErrorPayload")


def test_every_text_and_number_of_a_request_is_bounded() -> None:
    for path in build_document()["paths"].values():
        for parameter in path["get"]["parameters"]:
            schema = parameter["schema"]
            if schema.get("type") == "string":
                assert "maxLength" in schema or "enum" in schema, parameter
            if schema.get("type") == "integer":
                assert {"minimum", "maximum"} <= set(schema) or "enum" in schema, parameter


def test_every_route_tells_its_parameters() -> None:
    paths = build_document()["paths"]
    by_name = {p["name"]: p for p in paths["/alerts"]["get"]["parameters"]}
    assert by_name["run"]["required"]
    assert by_name["begin"]["schema"] == {
        "type": "integer", "minimum": 0, "maximum": 10**18 - 1, "default": 0
    }  # fmt: skip
    assert by_name["end"]["schema"]["default"] == -1
    assert not by_name["alert_type"]["required"]
    for route in ROUTES:
        names = [p["name"] for p in paths[route.path]["get"]["parameters"]]
        assert ("run" in names) == (route.path not in ("/runs", "/logdir"))
