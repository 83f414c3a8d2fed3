"""Whatever a client asks, it gets an answer of the declared type or an error of the one shape."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote_plus

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tb_debugger_plugin.api.parameters import scalar_kinds
from tb_debugger_plugin.api.routes import ROUTES, Route
from tests.api.serving import Server, checked, error_message
from tests.builders.logdir import CPU

QUIET = settings(
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

KNOWN = {
    "run": [".", ".#0123abcd"],
    "graph_id": ["loss_fn-id", "outermost-id"],
    "op_name": ["mul", "scope/Log", "probs", "done", "Identity"],
    "stack_frame_ids": ["f1", "f1,f2,f3"],
    "alert_type": ["InfNanAlert"],
    "text": ["log", ":0", "mul:", ":", "loss", "^mul:0$", "a|b", "(", "(a+)+$", "a{1000}{1000}"],
    "dtype": ["float32", "int64", "float33"],
    "device": [CPU, "/nowhere"],
    "begin_time": ["0", "1700000000.005", "1e400", "nan"],
    "end_time": ["1700000000.005", "1e12", "-1"],
}
HOSTILE = st.one_of(
    st.text(max_size=20),
    st.sampled_from(
        ["", "0", "-1", "+1", " 1", "1_0", "1.0", "٣", str(10**30), "9" * 18, "NaN", "null", "\0",
         "%", "a.b", "a_b", "a:0", "../..", "1e3", "0x1", "true", "inf", "1e400", "[", "*", "\\"]
    ),
)  # fmt: skip


@st.composite
def queries(draw: st.DrawFn) -> tuple[Route, list[tuple[str, str]]]:
    """A route, and parameters that are mostly its own and mostly right."""
    route = draw(st.sampled_from(ROUTES))
    pairs = []
    for field in msgspec.structs.fields(route.request):
        if not draw(st.integers(0, 9)) or (not field.required and draw(st.booleans())):
            continue
        numbers = st.integers(-2, 7).map(str) if scalar_kinds(field.type) != {str} else st.nothing()
        right = st.sampled_from(KNOWN[field.name]) if field.name in KNOWN else numbers
        value = draw(right if draw(st.integers(0, 5)) else HOSTILE)
        pairs += [(field.name, value)] * (1 if draw(st.integers(0, 19)) else 2)
    return route, draw(st.permutations(pairs))


def check(path: str, response: Any) -> None:
    if response.status_code == 200:
        checked(path, response)
    else:
        assert response.status_code in (400, 404)
        error_message(response)


@QUIET
@given(asked=queries())
def test_parameters_of_any_value(
    served: Server, asked: tuple[Route, list[tuple[str, str]]]
) -> None:
    route, pairs = asked
    query = "&".join(f"{name}={quote_plus(value, errors='surrogatepass')}" for name, value in pairs)
    check(route.path, served.request(route.path, query=query))


@QUIET
@given(
    route=st.sampled_from(ROUTES),
    query=st.text(st.characters(min_codepoint=0, max_codepoint=255), max_size=60),
)
def test_a_query_string_of_any_bytes(served: Server, route: Route, query: str) -> None:
    overrides = {"QUERY_STRING": f"run=.&{query}"}
    check(route.path, served.request(route.path, environ_overrides=overrides))
