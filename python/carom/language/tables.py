"""Tables of the language that hold entries by place and by key at once, which Python's lists and dicts do not."""

from __future__ import annotations

import keyword
from typing import Any

from .literals import LUA_KEYWORDS


def plain_key(name: str) -> str:
    """from_ is from: a keyword of Python or of the language takes an underscore behind it.

    >>> plain_key("from_"), plain_key("x_"), plain_key("until_")
    ('from', 'x_', 'until')
    """
    if name.endswith("_") and (keyword.iskeyword(name[:-1]) or name[:-1] in LUA_KEYWORDS):
        return name[:-1]
    return name


class LuaTable:
    """What table(...) returns."""

    __slots__ = ("entries", "keys")

    def __init__(self, entries: tuple, keys: tuple):
        self.entries = entries
        self.keys = keys

    def __repr__(self) -> str:
        shown = [repr(e) for e in self.entries] + [f"{k}={v!r}" for k, v in self.keys]
        return f"table({', '.join(shown)})"


def table(*entries: Any, **keys: Any) -> LuaTable:
    """A table with entries and keys, { "stop", x = 10, lower = -0.1 }.

    >>> table("stop", x=10, lower=-0.1)
    table('stop', x=10, lower=-0.1)
    """
    return LuaTable(entries, tuple((plain_key(k), v) for k, v in keys.items()))
