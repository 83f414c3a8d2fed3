from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from tb_debugger_plugin.api import requests
from tb_debugger_plugin.api.errors import InvalidArgument
from tb_debugger_plugin.api.parameters import is_list, parse_parameters, scalar_kinds
from tb_debugger_plugin.api.routes import ROUTES


class Example(msgspec.Struct, frozen=True, kw_only=True):
    text: str
    number: Annotated[int, msgspec.Meta(ge=-5, le=10)] = 3
    flag: bool = False
    names: Annotated[tuple[str, ...], msgspec.Meta(max_length=2)] = ()
    name: Annotated[str, msgspec.Meta(min_length=1)] | None = None
    time: float | None = None


def parse(**values: str) -> Example:
    return parse_parameters(Example, {name: [value] for name, value in values.items()})


def refusal(**values: str) -> str:
    with pytest.raises(InvalidArgument) as refused:
        parse(**values)
    return str(refused.value)


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("10", 10), ("-5", -5), ("-0", 0)])
def test_an_integer_is_its_digits(text: str, number: int) -> None:
    assert parse(text="", number=text).number == number


@pytest.mark.parametrize(
    "text",
    [
        "+1", " 1", "1 ", "1\n", "1_0", "1.0", "1e0", "0x1", "", "-", "--1", "- 1",
        "٣", "１", "²", "one", "None", "true", "1,2", "1\0", str(10**30), "-" + "9" * 40,
    ],
)  # fmt: skip
def test_what_is_no_plain_integer_is_refused_by_name(text: str) -> None:
    assert "parameter 'number' must be an integer" in refusal(text="", number=text)


@pytest.mark.parametrize("text", ["11", "-6", "999999999999999999"])
def test_an_integer_out_of_its_bounds_is_refused_by_name(text: str) -> None:
    assert "parameter 'number': expected `int`" in refusal(text="", number=text)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("0", 0.0),
        ("-0.5", -0.5),
        ("1700000000.123456", 1700000000.123456),
        ("1e-7", 1e-7),
        ("1.5E+2", 150.0),
        ("1e308", 1e308),
        ("1e-999", 0.0),
    ],
)
def test_a_number_is_decimal(text: str, time: float) -> None:
    assert parse(text="", time=text).time == time


@pytest.mark.parametrize(
    "text",
    [
        "nan", "NaN", "inf", "-inf", "Infinity", "1e400", "-1e400", "1e9999", "", ".", ".5", "5.",
        "+1", " 1", "1 ", "1_0", "0x1p3", "1e", "e5", "1e5.0", "--1", "1,5", "٣", "1\0", "9" * 41,
        "1." + "0" * 41, "true",
    ],
)  # fmt: skip
def test_what_is_no_finite_number_is_refused_by_name(text: str) -> None:
    assert "parameter 'time' must be a finite number" in refusal(text="", time=text)


@pytest.mark.parametrize(("text", "flag"), [("0", False), ("1", True)])
def test_a_boolean_is_0_or_1(text: str, flag: bool) -> None:
    assert parse(text="", flag=text).flag is flag


@pytest.mark.parametrize("text", ["", "true", "True", "2", "-1", "01", "1.0", " 1", "١"])
def test_no_other_text_is_a_boolean(text: str) -> None:
    assert "parameter 'flag' must be 0 or 1" in refusal(text="", flag=text)


@pytest.mark.parametrize("text", ["", ".", "a_b", "a b", "ü", "a,b/c:0", "1", "\0", "x" * 100_000])
def test_a_text_is_taken_as_it_stands(text: str) -> None:
    assert parse(text=text).text == text


def test_a_text_too_long_is_refused_without_being_repeated() -> None:
    message = refusal(text="x" * 100_001)
    assert "parameter 'text' is longer than 100000 characters" in message


def test_a_missing_parameter_is_named() -> None:
    assert refusal(number="1") == "parameter 'text' is not provided"


def test_an_optional_parameter_has_its_default() -> None:
    assert parse(text="x") == Example(text="x", number=3, flag=False, name=None, time=None)


def test_an_optional_text_that_is_given_obeys_its_bounds() -> None:
    assert "parameter 'name'" in refusal(text="", name="")


def test_a_repeated_parameter_is_refused_even_if_its_values_agree() -> None:
    with pytest.raises(InvalidArgument, match="'number' is given 2 times"):
        parse_parameters(Example, {"text": ["x"], "number": ["1", "1"]})


def test_a_list_takes_every_value_that_is_given() -> None:
    assert parse_parameters(Example, {"text": ["x"], "names": ["b", "a"]}).names == ("b", "a")
    with pytest.raises(InvalidArgument, match="parameter 'names'"):
        parse_parameters(Example, {"text": ["x"], "names": ["a", "b", "c"]})


def test_unknown_parameters_are_ignored_however_often_they_are_given() -> None:
    assert parse_parameters(Example, {"text": ["x"], "trace_id": ["a", "b"]}).text == "x"


@pytest.mark.parametrize(
    ("declared", "kinds"),
    [
        (int, {int}),
        (bool, {bool}),
        (str | None, {str}),
        (requests.Begin, {int}),
        (requests.GraphId | None, {str}),
        (requests.InfNanOnly, {bool}),
        (requests.BeginTime | None, {float}),
    ],
)
def test_annotations_are_seen_through(declared: object, kinds: set[type]) -> None:
    assert scalar_kinds(declared) == kinds


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_every_parameter_of_every_route_has_a_parser(route: object) -> None:
    for field in msgspec.structs.fields(route.request):  # type: ignore[attr-defined]
        assert is_list(field.type) or len(scalar_kinds(field.type)) == 1
