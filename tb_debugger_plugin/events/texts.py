r"""Names as they are kept and shown: text that says what it is, whoever wrote it.

Control characters and those that steer the direction of the text around them are written out, as
``\x1b`` and ``\u202e``: they would reorder a page, colour a terminal or end a line. A long name is
shortened, with a checksum by which it stays another one than its like.
"""

from __future__ import annotations

import codecs
import re
import zlib

from tb_debugger_plugin.events.limits import MOST_LINE_BYTES, MOST_NAME_BYTES

_SHOWN_BYTES = 480
"""Of a long name, at its begin and as many at its end."""

_BEYOND_C0 = "\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_STEERING = re.compile(f"[\x00-\x1f{_BEYOND_C0}]")
_STEERING_BUT_TABS = re.compile(f"[\x00-\x08\x0a-\x1f{_BEYOND_C0}]")
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
_DECODER = codecs.getincrementaldecoder("utf-8")


def clean(octets: bytes) -> str:
    """A name's text; bytes that are not UTF-8 are replaced, for it is shown to people."""
    if len(octets) > MOST_NAME_BYTES:
        return _shortened(octets)
    text = octets.decode("utf-8", "replace")
    return text if text.isprintable() else written_out(text)


def written_out(text: str) -> str:
    r"""A text without characters that steer what is around them.

    >>> written_out("a\u202eb\n")
    'a\\u202eb\\x0a'
    """
    return _STEERING.sub(_escape, text)


def printable(path: str) -> str:
    r"""A path or file name as text that can be sent and typed.

    As ``written_out``; bytes that are not UTF-8 as ``\xe4``.
    """
    if path.isprintable():
        return path
    return written_out(_NOT_UTF8.sub(lambda found: rf"\x{ord(found[0]) & 0xFF:02x}", path))


def clean_line(octets: bytes) -> str:
    """A line of a source file: as ``written_out``, with its tabs, without an end of line.

    What stands behind 10,000 bytes is left out, and told.
    """
    rest = octets[MOST_LINE_BYTES:]
    text = _DECODER("replace").decode(octets[:MOST_LINE_BYTES], final=not rest)
    text = text if text.isprintable() else _STEERING_BUT_TABS.sub(_escape, text.removesuffix("\r"))
    return f"{text}… [{len(octets):,} bytes]" if rest else text


def _shortened(octets: bytes) -> str:
    begin = _DECODER("replace").decode(octets[:_SHOWN_BYTES])
    # An end that begins inside a character begins behind it.
    end = octets[-_SHOWN_BYTES:].lstrip(bytes(range(0x80, 0xC0))).decode("utf-8", "replace")
    # Without a comma: a list of ids has them between.
    told = f"…[{len(octets)} bytes {zlib.crc32(octets):08x}]…"
    return written_out(begin) + told + written_out(end)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
