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
        if self.kind == "study" or self.keys is not None:
            return True
        return re.search(rf"\b{re.escape(self.name)}\s*\{{", self.example) is not None

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
            self.words[name] = Word(name, summary, example, None if keys is None else tuple(keys), "statement")
        for name, (summary, example) in measures.items():
            self.words[name] = Word(name, summary, example, None, "measure")
        for name, (summary, inputs) in studies.items():
            self.words[name] = Word(name, summary, "", None if inputs is None else tuple(inputs), "study")
        self.options: Optional[List[str]] = None if options is None else sorted(options)

    def __contains__(self, name: str) -> bool:
        return name in self.words

    def get(self, name: str) -> Optional[Word]:
        return self.words.get(name)

    @classmethod
    def of_program(cls, program: str) -> "Vocabulary":
        """What `carom list statements --json` and its kin print."""

        def listed(what: str) -> List[Dict[str, Any]]:
            done = subprocess.run([program, "list", what, "--json"], capture_output=True, check=True, text=True)
            return json.loads(done.stdout)[what]

        return cls(
            {w["name"]: (w["summary"], w["example"], w.get("keys")) for w in listed("statements")},
            {w["name"]: (w["summary"], w["example"]) for w in listed("measures")},
            {w["name"]: (w["summary"], None) for w in listed("studies")},
            None,
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
