"""Numbers, texts and names of Python as the language writes them."""

from __future__ import annotations

import math
import re

LUA_KEYWORDS = frozenset(
    "and break do else elseif end false for function goto if in local nil not or repeat return then true until while".split()
)

_LONG = re.compile(r"e|\b0\.0000|0000\.0\Z")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def number(value: float) -> str:
    """A number that reads back to the same bits.

    >>> number(0.1), number(3), number(2.1e11), number(-math.inf)
    ('0.1', '3', '2.1e11', '-math.huge')
    """
    if isinstance(value, int):
        return str(value) if -(2**63) < value < 2**63 else number(float(value))
    if math.isnan(value):
        raise ValueError("NaN is not a number: a model cannot use it")
    if math.isinf(value):
        return "math.huge" if value > 0 else "-math.huge"
    text = repr(value)
    return _with_exponent(value, text) if _LONG.search(text) else text


def _with_exponent(value: float, text: str) -> str:
    """0.00021 as 2.1e-4, 1e-05 as 1e-5: the same digits."""
    if "e" not in text:
        digits = len(text.replace("-", "").replace(".", "").strip("0"))
        text = f"{value:.{digits - 1}e}"
    mantissa, exponent = text.split("e")
    return f"{mantissa}e{int(exponent)}"


def _escape(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    return "".join(f"\\{byte:03d}" for byte in char.encode("utf-8"))


def is_control(char: str) -> bool:
    return ord(char) < 32 or 127 <= ord(char) < 160


def quoted(text: str) -> str:
    """A text in quotes: whatever it holds, it stays a text.

    >>> print(quoted('say "no" ]] -- os.exit()'))
    "say \\"no\\" ]] -- os.exit()"
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"the text {text[:40]!r} is not UTF-8: it holds half of a pair of surrogates") from None
    return '"' + "".join(_escape(c) if c in _ESCAPES or is_control(c) else c for c in text) + '"'


def lines_of_text(text: str) -> str:
    """A text of several lines in long brackets; one that brackets cannot hold is quoted."""
    if "\n" not in text or any(is_control(c) and c != "\n" for c in text):
        return quoted(text)
    quoted(text)  # is it UTF-8?
    level = "="
    while "]" + level + "]" in text or text.endswith("]" + level):
        level += "="
    if "]]" not in text and not text.endswith("]"):
        level = ""
    return f"[{level}[\n{text}]{level}]"


def is_name(text: str) -> bool:
    """Whether a text can stand as a name in the language."""
    return bool(_NAME.match(text)) and text not in LUA_KEYWORDS


def key(text: str) -> str:
    """The key of a table: x = or ["x y"] =."""
    return text if is_name(text) else f"[{quoted(text)}]"
