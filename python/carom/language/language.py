"""The model language in Python: what is said becomes the text of a model file."""

from __future__ import annotations

import os
import re
from typing import Any, Iterable, List, Optional, Tuple

from .bodies import Bodies
from .library import Library
from .mechanics import Mechanics
from .outputs import Outputs
from .pictures import Drawing, Plots
from .places import Place
from .tables import LuaTable, plain_key, table
from .trace import Trace
from .values import Value
from .vocabulary import Vocabulary, Word, unknown
from .words import Shape, WordError
from .writer import text_of

_default = Vocabulary()


def set_default_vocabulary(vocabulary: Vocabulary) -> None:
    """The words of the library, for all models that are made without a vocabulary of their own."""
    global _default
    _default = vocabulary


class Language(Mechanics, Outputs, Plots, Drawing, Bodies, Library):
    """Describes a model by the words of the language.

    Every word is a method. Those that the library has and this class does not are there all the same, by their name.

    >>> m = Language()
    >>> x, y = m.coordinates("x", "y")
    >>> m.mass(1)
    >>> m.potential(9.81 * y)
    >>> print(m.text, end="")
    local x, y = coordinates("x", "y")
    mass(1)
    potential(9.81 * y)
    """

    _own_vocabulary: Optional[Vocabulary] = None

    def __init__(self, vocabulary: Optional[Vocabulary] = None):
        self._own_vocabulary = vocabulary

    @property
    def _vocabulary(self) -> Vocabulary:
        return self._own_vocabulary if self._own_vocabulary is not None else _default

    @property
    def _trace(self) -> Trace:
        made = self.__dict__.get("_recorded")
        if made is None:
            made = self.__dict__["_recorded"] = Trace()
        return made

    # ---- the text ---------------------------------------------------------------------------------------------------

    def _written(self) -> Tuple[str, List[Optional[Place]]]:
        trace = self._trace
        kept = self.__dict__.get("_text_made")
        if kept is None or kept[0] != trace.count:
            kept = self.__dict__["_text_made"] = (trace.count, text_of(trace.file, self._reserved()))
        return kept[1]

    def _reserved(self) -> Iterable[str]:
        """Names that variables of the text must not have."""
        own = {name.rstrip("_") for name in dir(Language) if not name.startswith("_")}
        return (own - {"explained", "lua", "part", "save", "says", "where", "word"}) | set(self._vocabulary.words)

    @property
    def text(self) -> str:
        """The model file."""
        return self._written()[0]

    def says(self, word: str) -> bool:
        """Whether a statement has been made.

        >>> m.says("integrate")
        False
        """
        return any(node.effect and node.form == "call" and node.word == word for node in self._trace.file.nodes)

    def where(self, line: int) -> Optional[Tuple[str, int]]:
        """File and line of Python that made a line of the text (from 1); None where there is none."""
        places = self._written()[1]
        place = places[line - 1] if 1 <= line <= len(places) else None
        return None if place is None else (place.file, place.line)

    def explained(self, message: str, file: str) -> str:
        """A message of the library about the text, with lines of Python in place of "file:line"; lines that Python did not make stay.

        >>> m.explained("(text):1000: something", "(text)")
        '(text):1000: something'
        """

        def python_line(found: "re.Match[str]") -> str:
            place = self.where(int(found["line"]))
            return found[0] if place is None else f"{found['before'] or ''}{place[0]}:{place[1]}"

        return re.sub(rf"(?:{re.escape(file)}:|(?P<before>\()line )(?P<line>\d+)", python_line, message)

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes the model file, for ``carom run``."""
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.text)

    # ---- tables, and words that have no function here -----------------------------------------------------------------

    @staticmethod
    def table(*entries: Any, **keys: Any) -> LuaTable:
        """A table with entries and keys at once, { "stop", x = 10 }.

        >>> m.table("stop", x=10, lower=-0.1)
        table('stop', x=10, lower=-0.1)
        """
        return table(*entries, **keys)

    def word(self, name: str) -> Any:
        """A word of the language as a function, whatever its name is.

        >>> m.word("friction_force")("dry", slip=m.dot(x), bound=0.1)
        """
        own = getattr(type(self), name, None)
        if callable(own) and getattr(own, "word", None) == name:
            return getattr(self, name)
        return self._generic(name, self._vocabulary.get(name))

    def _generic(self, name: str, known: Optional[Word]) -> Any:
        shape = Shape(name, "table" if known is None or known.takes_table else "call", made=Value)
        fixed = None if known is None else known.keys

        def speak(*args: Any, **given: Any) -> Value:
            keys = [(plain_key(k), v) for k, v in given.items()]
            for key, _ in keys:
                if fixed is not None and key not in fixed:
                    raise WordError(unknown(f"{name}: unknown keyword", key, fixed))
            return self._say(shape, list(args), keys)

        speak.__name__ = speak.__qualname__ = name
        speak.__doc__ = None if known is None else known.doc
        return speak

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        known = self._vocabulary.get(plain_key(name)) or self._vocabulary.get(name[:-1] if name.endswith("_") else name)
        if known is None:
            words = {n for n in dir(type(self)) if not n.startswith("_")} | set(self._vocabulary.words)
            raise AttributeError(unknown("the language has no word", name, sorted(words)))
        return self._generic(known.name, known)

    def __dir__(self) -> Iterable[str]:
        return sorted({*super().__dir__(), *self._vocabulary.words})
