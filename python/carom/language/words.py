"""Words as functions of Python: a signature says what is an entry and what is a key.

    @statement
    def contact(self, name, shapes=None, *, gap=None, slip=None): ...

Parameters before the star are entries of the table, in order; those behind it are its keys, written in the order in which they are given.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar

import numpy

from .tables import LuaTable, plain_key
from .trace import Trace
from .values import Points
from .vocabulary import Vocabulary, unknown

F = TypeVar("F", bound=Callable)


class WordError(TypeError):
    """A word of the language was given arguments that it does not take."""


class Shape:
    """How a word is written.

    form      "table": word { entries, key = value };  "call": word(entries, { key = value })
    effect    it says something about the model; otherwise it is only a value
    made      class of what it returns; None: nothing
    rename    keys whose name in Python is another one
    keyed     parameters that can be given by place, and are keys nevertheless
    whole     one list is the table itself: box([1, 2]) is box { 1, 2 }
    named     its first entry is a name, which the variable in the text gets, too
    """

    def __init__(self, word: str, form: str = "table", effect: bool = True, made: Optional[type] = None,
                 rename: Optional[Dict[str, str]] = None, keyed: Tuple[str, ...] = (), whole: bool = True, named: bool = False):  # fmt: skip
        self.word = word
        self.form = form
        self.effect = effect
        self.made = made
        self.rename = rename or {}
        self.keyed = keyed
        self.whole = whole
        self.named = named


class Signature:
    """What a function of Python takes, split into entries and keys."""

    def __init__(self, shape: Shape, function: Callable):
        self.shape = shape
        self.places: List[inspect.Parameter] = []
        self.keys: List[str] = []
        self.any_entries = self.any_keys = False
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            if parameter.kind is parameter.VAR_POSITIONAL:
                self.any_entries = True
            elif parameter.kind is parameter.VAR_KEYWORD:
                self.any_keys = True
            elif parameter.kind is parameter.KEYWORD_ONLY:
                self.keys.append(plain_key(parameter.name))
            else:
                self.places.append(parameter)

    def bind(self, args: tuple, given: Dict[str, Any], more: Tuple[str, ...]) -> Tuple[list, List[Tuple[Any, Any]]]:
        """Entries and keys of a call; `more`: keys that the library knows."""
        word, places = self.shape.word, self.places
        entries: List[Any] = list(args[: len(places)])
        rest = list(args[len(places) :])
        if rest and not self.any_entries:
            raise WordError(f"{word} takes {len(places)} argument{'s' if len(places) != 1 else ''} by place; got {len(args)}")
        entries += [inspect.Parameter.empty] * (len(places) - len(entries))
        keys: List[Tuple[Any, Any]] = []
        names = {plain_key(p.name): i for i, p in enumerate(places)}
        for name, value in given.items():
            name = plain_key(name)
            if name in names:
                if entries[names[name]] is not inspect.Parameter.empty:
                    raise WordError(f"{word}: '{name}' is given twice")
                entries[names[name]] = value
            elif name in self.keys or self.any_keys or name in more or name in self.shape.rename:
                keys.append((self.shape.rename.get(name, name), value))
            else:
                raise WordError(unknown(f"{word}: unknown keyword", name, dict.fromkeys([*names, *self.keys, *more])))
        return self._complete(entries, keys) + rest, keys

    def _complete(self, entries: list, keys: list) -> list:
        kept = []
        for parameter, value in zip(self.places, entries):
            if value is inspect.Parameter.empty:
                if parameter.default is parameter.empty:
                    raise WordError(f"{self.shape.word}: '{parameter.name}' is missing")
                value = parameter.default
            if parameter.name in self.shape.keyed:
                keys.append((parameter.name, value))
            else:
                kept.append(value)
        return kept


def word(form: str = "table", **details: Any) -> Callable[[F], F]:
    """Makes a function of Python out of a signature with a docstring."""

    def decorate(function: F) -> F:
        name = details.pop("name", function.__name__.rstrip("_"))
        shape = Shape(name, form, **details)
        signature = Signature(shape, function)

        @functools.wraps(function)
        def speak(self: Any, *args: Any, **given: Any) -> Any:
            entries, keys = signature.bind(args, given, self._known_keys(name))
            return self._say(shape, entries, keys)

        speak.word = name  # type: ignore[attr-defined]
        return speak  # type: ignore[return-value]

    return decorate


def statement(function: F) -> F:
    """word { ... } that says something and returns nothing."""
    return word()(function)


class Speaker:
    """Records words. What carom.Model inherits through Language."""

    @property
    def _trace(self) -> Trace:
        raise NotImplementedError

    @property
    def _vocabulary(self) -> Vocabulary:
        raise NotImplementedError

    def _known_keys(self, name: str) -> Tuple[str, ...]:
        known = self._vocabulary.get(name)
        return known.keys or () if known is not None else ()

    def _say(self, shape: Shape, entries: list, keys: List[Tuple[Any, Any]]) -> Any:
        trace = self._trace
        while entries and entries[-1] is None:
            entries.pop()
        keys = [(k, v) for k, v in keys if v is not None]
        if shape.form == "table":
            args = [self._whole(shape, entries, keys)]
        else:
            if any(e is None for e in entries):
                raise WordError(f"{shape.word}: an argument before the last one is None")
            args = [trace.argument(e, shape.word) for e in entries]
            if keys:
                args.append(trace.table((), keys, shape.word))
        hint = entries[0] if shape.named and entries and isinstance(entries[0], str) else None
        node = trace.record("call", shape.word, args, effect=shape.effect, hint=hint)
        if shape.made is None:
            return None
        return shape.made(trace, node)

    def _whole(self, shape: Shape, entries: list, keys: List[Tuple[Any, Any]]) -> Any:
        """The table of a statement. Dicts by place add keys; one list is the table."""
        trace = self._trace
        if len(entries) == 1 and isinstance(entries[0], Points):
            if keys:
                raise WordError(f"{shape.word} takes these points as they are, without further keywords")
            return trace.argument(entries[0], shape.word)
        listed = []
        for entry in entries:
            if isinstance(entry, dict) and shape.whole:
                keys = list(entry.items()) + keys
            else:
                listed.append(entry)
        if shape.whole and len(listed) == 1 and _is_list(listed[0]):
            listed = list(listed[0])
        if shape.whole and len(listed) == 1 and isinstance(listed[0], LuaTable):
            keys = list(listed[0].keys) + keys
            listed = list(listed[0].entries)
        return trace.table(listed, keys, shape.word)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, range)) or (isinstance(value, numpy.ndarray) and value.ndim > 0)

