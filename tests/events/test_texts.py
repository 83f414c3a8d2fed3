"""Names of anybody's making, as they are kept and shown."""

from __future__ import annotations

import os

import pytest

from tb_debugger_plugin.events.limits import MOST_LINE_BYTES, MOST_NAME_BYTES
from tb_debugger_plugin.events.texts import clean, clean_line, printable, written_out

STEERING = [
    *range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, 0x2028, 0x2029,
    *range(0x202A, 0x202F), *range(0x2066, 0x206A),
]  # fmt: skip


@pytest.mark.parametrize(
    "name", ["", "while/Add_2", "a b\\n", "é∞漢字🦀", "نام\u200cها", "<script>", "\ufffd", "\ue000"]
)
def test_a_name_is_its_text(name: str) -> None:
    assert clean(name.encode()) == name


@pytest.mark.parametrize("code", STEERING)
def test_what_steers_the_text_around_it_is_written_out(code: int) -> None:
    written = f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
    assert clean(f"a{chr(code)}b".encode()) == f"a{written}b"
    assert written_out(chr(code) * 2) == written * 2


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    assert clean(b"a\xffb\xed\xa0\x80") == "a\ufffdb\ufffd\ufffd\ufffd"


class TestLongNames:
    def test_a_name_at_the_bound_is_kept_whole(self) -> None:
        assert clean(b"x" * MOST_NAME_BYTES) == "x" * MOST_NAME_BYTES

    def test_a_longer_one_keeps_its_begin_its_end_and_its_length(self) -> None:
        name = clean(b"begin" + b"x" * 10_000_000 + b"end")
        assert name.startswith("beginx")
        assert name.endswith("xend")
        assert "…[10000008 bytes " in name
        assert len(name) < MOST_NAME_BYTES

    def test_two_that_differ_in_the_middle_stay_two(self) -> None:
        one, other = b"a" * 9_000 + b"x" + b"a" * 9_000, b"a" * 9_000 + b"y" + b"a" * 9_000
        assert clean(one) != clean(other)
        assert clean(one) == clean(one)

    def test_no_character_is_cut_in_two(self) -> None:
        for shift in range(4):
            name = clean(b"x" * shift + "🦀".encode() * 1_000)
            assert "\ufffd" not in name
            assert name.count("🦀") >= 2 * (480 // 4 - 1)

    @pytest.mark.parametrize("octets", [b"\x80", b"\0", "\u202e".encode(), b"\xf0"])
    def test_no_name_is_long_once_it_is_kept(self, octets: bytes) -> None:
        assert len(clean(octets * 1_000_000)) < 4 * MOST_NAME_BYTES


class TestLines:
    def test_a_line_keeps_its_tabs(self) -> None:
        assert clean_line(b"\tif x:  # \xc3\xa9") == "\tif x:  # é"

    def test_a_line_is_one_line(self) -> None:
        assert clean_line(b"a\nb\rc\x0bd\xe2\x80\xa8e\r") == "a\\x0ab\\x0dc\\x0bd\\u2028e"

    def test_what_hides_code_is_written_out(self) -> None:
        line = clean_line("access = 'user\u202e \u2066# admin\u2069 \u2066'".encode())
        assert line == "access = 'user\\u202e \\u2066# admin\\u2069 \\u2066'"

    def test_a_long_line_is_cut(self) -> None:
        assert clean_line(b"x" * MOST_LINE_BYTES) == "x" * MOST_LINE_BYTES
        assert clean_line(b"x" * 10_000_000) == "x" * MOST_LINE_BYTES + "… [10,000,000 bytes]"
        assert "\ufffd" not in clean_line("é".encode() * MOST_LINE_BYTES + b"x")
        assert "\ufffd" not in clean_line(b"x" + "é".encode() * MOST_LINE_BYTES)


def test_a_path_is_text_whatever_its_bytes_are() -> None:
    assert printable("läuft ü/🙂\\x") == "läuft ü/🙂\\x"
    assert printable(os.fsdecode(b"l\xe4uft\xff")) == "l\\xe4uft\\xff"
    assert printable("/logs/\u202egpj.\x1b[31m\n") == "/logs/\\u202egpj.\\x1b[31m\\x0a"
