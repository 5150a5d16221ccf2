"""The solvers that there are, their options, their limits, and what they report."""

from __future__ import annotations

import numbers
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _calls
from ._native import ffi, lib
from .errors import ModelError

DIRECT = "direct"
_KINDS = {"coulomb": lib.CAROM_PROBLEM_COULOMB, "lcp": lib.CAROM_PROBLEM_LCP, "qp": lib.CAROM_PROBLEM_QP,
          "step": lib.CAROM_PROBLEM_STEP, "one-contact": lib.CAROM_PROBLEM_ONE_CONTACT}
_FOUND: Dict[Tuple[str, str], Any] = {}


class Option:
    """An option: name, default, min, max, words (None: a number), doc."""

    def __init__(self, info: Any):
        self.name, self.doc = _calls.text_of(info.name) or "", _calls.text_of(info.doc)
        count = lib.carom_option_word_count(ffi.addressof(info))
        self.words: Optional[List[str]] = [
            _calls.text_of(lib.carom_option_word(ffi.addressof(info), i)) or "" for i in range(count)] or None
        self.min, self.max = info.min, info.max
        self.default: Any = self.words[int(info.value)] if self.words else info.value

    def __repr__(self) -> str:
        words = f" ({', '.join(self.words)})" if self.words else ""
        default = self.default if self.words else f"{self.default:g}"
        return f"<{self.name} = {default}: {self.doc}{words}>"


class Solver:
    """A solver: name, kind, summary, tolerance and max_iterations by default, options by name."""

    def __init__(self, kind: str, ops: Any):
        self.kind, self.name = kind, _calls.text_of(ops.name) or ""
        self.summary = _calls.text_of(ops.summary) or ""
        self.tolerance, self.max_iterations = ops.tolerance, ops.max_iterations
        self.options = {option.name: option for option in
                        (Option(ops.options[i]) for i in range(ops.option_count))}

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"


def solvers() -> Dict[str, Dict[str, Solver]]:
    """All solvers by kind and name.

    "coulomb" is for `carom.solve`, "lcp" for `carom.lcp`, "qp" for `carom.qp`; "step" and "one-contact" are for the
    option `solver` of schemes. `carom.solve` of a global problem has "direct" beside those of "coulomb".

    >>> sorted(carom.solvers())
    ['coulomb', 'lcp', 'one-contact', 'qp', 'step']
    >>> carom.solvers()["lcp"]["lemke"]
    <lemke: complementary pivoting, copositive-plus matrix that need not be symmetric>
    >>> carom.solvers()["coulomb"]["auto"].options["patience"].default
    10.0
    """
    found: Dict[str, Dict[str, Solver]] = {}
    for word, kind in _KINDS.items():
        listed = [Solver(word, lib.carom_solver_at(kind, i)) for i in range(lib.carom_solver_count(kind))]
        found[word] = {solver.name: solver for solver in listed}
    return found


def find(kind: str, name: str) -> Tuple[Any, str]:
    """The solver of that name for C, and its name as the library writes it; ModelError lists the known ones."""
    known = _FOUND.get((kind, name))
    if known is None:
        if not isinstance(name, str):
            raise TypeError(f"solver: a name is needed, not {type(name).__name__}")
        error = _calls.new_error()
        ops = lib.carom_solver_find(_KINDS[kind], _calls.bytes_of(name), error)
        if ops == ffi.NULL:
            raise ModelError(_calls.text_of(error.text) or f"solver '{name}' is not known")
        known = _FOUND[(kind, name)] = (ops, _calls.text_of(ops.name) or "")
    return known


def option_list(kept: _calls.Kept, owner: str, options: Mapping[str, Any]) -> Any:
    """Options by name for C: numbers, yes and no, words."""
    entries = []
    for name, value in options.items():
        if isinstance(value, str):
            entries.append((kept.text(name), 0.0, kept.text(value)))
        elif isinstance(value, (numbers.Real, np.bool_)):
            entries.append((kept.text(name), float(value), ffi.NULL))
        else:
            raise TypeError(f"{owner}: option '{name}' is a number or a word, not {type(value).__name__}")
    entries.append((ffi.NULL, 0.0, ffi.NULL))
    return kept.array("carom_option[]", entries)


def set_limits(options: Any, tol: Any, max_iterations: Any, max_seconds: Any) -> None:
    """Fills a carom_solver_options; None: the solver's own, and no limit of time."""
    if tol is not None:
        if type(tol) is not float and (not isinstance(tol, numbers.Real) or isinstance(tol, bool)):
            raise TypeError(f"tol: a number is needed, not {type(tol).__name__}")
        if not 0.0 < float(tol) < 1.0:
            raise ValueError(f"tol = {tol}: between 0 and 1, such as 1e-8")
        options.tolerance = tol
    if max_iterations is not None:
        if not isinstance(max_iterations, numbers.Integral) or isinstance(max_iterations, bool):
            raise TypeError(f"max_iterations: a whole number is needed, not {type(max_iterations).__name__}")
        if not 1 <= int(max_iterations) < 2**31:
            raise ValueError(f"max_iterations = {max_iterations}: from 1 to {2**31 - 1}")
        options.max_iterations = int(max_iterations)
    if max_seconds is not None:
        if not isinstance(max_seconds, numbers.Real) or isinstance(max_seconds, bool):
            raise TypeError(f"max_seconds: a number is needed, not {type(max_seconds).__name__}")
        if not float(max_seconds) > 0.0:
            raise ValueError(f"max_seconds = {max_seconds}: above 0")
        options.max_seconds = max_seconds


_WORDS: Dict[int, str] = {}


def word_of(word: int) -> str:
    if word not in _WORDS:
        _WORDS[word] = _calls.text_of(lib.carom_solve_word_text(word)) or ""
    return _WORDS[word]


class Report:
    """What a solver says of its work.

    Attributes
    ----------
    status : "ok", or why it ended: "max-iterations", "timeout", "stalled", "diverged", "rounding", "infeasible",
        "interrupted", ...
    solver : its name
    iterations, inner_iterations, local_failures : counts; 0 where it has none
    error, tolerance : the problem's own error of what is returned, and what was asked of it
    seconds : of the library's function
    """

    __slots__ = ("status", "solver", "iterations", "inner_iterations", "local_failures", "error", "tolerance", "seconds")

    def __init__(self, solver: str, found: Any, seconds: float):
        self.status, self.solver, self.seconds = word_of(found.word), solver, seconds
        self.iterations, self.error, self.tolerance = found.iterations, found.error, found.tolerance
        self.inner_iterations, self.local_failures = found.inner_iterations, found.local_failures

    def to_dict(self) -> Dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def __repr__(self) -> str:
        many = "" if self.iterations == 1 else "s"
        return (f"<{self.solver}: {self.status}, error {self.error:.3e} after {self.iterations} iteration{many}, "
                f"{self.seconds:.3g} s>")

    def sentence(self) -> str:
        """Why it is not solved."""
        many = "" if self.iterations == 1 else "s"
        return (f"not solved by {self.solver} ({self.status} after {self.iterations} iteration{many}): best error "
                f"{self.error:.3e}, wanted {self.tolerance:.3g}")
