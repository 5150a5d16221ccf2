"""The words of the language, as the library has them: every word works, also one that is registered after this was written."""

from __future__ import annotations

import difflib
import json
import re
import subprocess
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple


class Word(NamedTuple):
    """A word of the language."""

    name: str
    summary: str
    example: str  # a line of a model file
    keys: Optional[Tuple[str, ...]]  # of its table; None: they are not fixed, or it has none
    kind: str  # "statement", "measure", "study"

    @property
    def takes_table(self) -> bool:
        """word { ... } rather than word(...)."""
        if self.kind != "statement":
            return self.kind == "study"
        return bool(self.keys) or re.search(rf"\b{re.escape(self.name)}\s*\{{", self.example) is not None

    @property
    def doc(self) -> str:
        keys = f"\n\nKeys: {', '.join(self.keys)}." if self.keys else ""
        example = f"\n\nIn a model file: {self.example}" if self.example else ""
        return f"{self.summary[:1].upper()}{self.summary[1:]}.{keys}{example}"


class Vocabulary:
    """Words by name, and the options of schemes.

    Parameters
    ----------
    statements : name -> (summary, example, keys), keys a list or None
    measures : name -> (summary, example)
    studies : name -> (summary, inputs), inputs a list of names or None
    options : names that integrate takes beside its own; None: they are not known, any name is taken
    """

    def __init__(self, statements: Mapping[str, tuple] = {}, measures: Mapping[str, tuple] = {},
                 studies: Mapping[str, tuple] = {}, options: Optional[Iterable[str]] = None):  # fmt: skip
        self.words: Dict[str, Word] = {}
        for name, (summary, example, keys) in statements.items():
            self.words[name] = Word(name, summary, example, tuple(keys) if keys else None, "statement")
        for name, (summary, example) in measures.items():
            self.words[name] = Word(name, summary, example, None, "measure")
        for name, (summary, inputs) in studies.items():
            self.words[name] = Word(name, summary, "", tuple(inputs) if inputs else None, "study")
        self.options: Optional[List[str]] = None if options is None else sorted(options)

    def __contains__(self, name: str) -> bool:
        return name in self.words

    def get(self, name: str) -> Optional[Word]:
        return self.words.get(name)

    @classmethod
    def of_program(cls, program: str) -> "Vocabulary":
        """What `carom list` and `carom show` print of all words."""

        def asked(*what: str) -> Dict[str, Any]:
            done = subprocess.run([program, *what, "--json"], capture_output=True, check=True, text=True)
            return json.loads(done.stdout)

        def entries(word: Dict[str, Any], kind: str, key: str) -> List[str]:
            return [entry["name"] for entry in asked("show", kind, word["name"])[key]]

        return cls(
            {w["name"]: (w["summary"], w["example"], entries(w, "statement", "keys")) for w in asked("list", "statements")["statements"]},
            {w["name"]: (w["summary"], w["example"]) for w in asked("list", "measures")["measures"]},
            {w["name"]: (w["summary"], entries(w, "study", "inputs")) for w in asked("list", "studies")["studies"]},
        )


def nearest(name: str, known: Iterable[str]) -> List[str]:
    """Names that were probably meant.

    >>> nearest("frction", ["friction", "gap", "restitution"])
    ['friction']
    """
    return difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """A message for a name that is not known."""
    known = list(known)
    meant = nearest(name, known)
    if meant:
        return f"{what} '{name}'; did you mean {' or '.join(repr(m) for m in meant)}?"
    shown = ", ".join(known) if known else "none"
    return f"{what} '{name}'; known are {shown}"
