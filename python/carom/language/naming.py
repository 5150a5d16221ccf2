"""Names of local variables in the text: those of Python where they are known, never those of the language."""

from __future__ import annotations

import re
from typing import Iterable, Optional

from .literals import LUA_KEYWORDS

# Of Lua, of the sandbox, and what the library of the language defines for itself.
_TAKEN = frozenset(
    """assert error ipairs next pairs print rawequal rawget rawlen rawset tonumber tostring type table string math select
    pi ground distance_of_bodies beam_beside_bodies kept self _G _ENV _VERSION
    sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs sign min max atan2 hypot""".split()
)

# A function of Lua has at most 200 variables, and 255 registers for these and for lists that are being made (50 entries at a time, in each
# other). Values that come after so many go into a table; those that functions use stay variables, since only these become plain numbers
# for a function that computes.
MOST_LOCALS = 110
MOST_CAPTURED = 170


class Names:
    """Gives each value a name of its own."""

    def __init__(self, words: Iterable[str]):
        self._taken = set(_TAKEN) | set(LUA_KEYWORDS) | set(words)
        self._words = frozenset(self._taken)
        self._next: dict = {}

    def take(self, hint: Optional[str]) -> str:
        """A name like the hint; without one e1, e2, ..."""
        base = re.sub(r"[^A-Za-z0-9_]", "_", hint or "e")
        if not re.match(r"[A-Za-z_]", base) or not base.strip("_"):
            base = "e_" + base.strip("_")
        if base in self._words:
            base += "_"
        name = base
        counter = base if hint else ""
        number = self._next.get(counter, 2 if hint else 1)
        while name in self._taken or (not hint and name == base):
            name = f"{base}_{number}" if hint else f"{base}{number}"
            number += 1
        self._next[counter] = number
        self._taken.add(name)
        return name
