"""Contact problems with Coulomb friction: FC(W, q, mu) and its global form; files of FCLIB."""

from __future__ import annotations

import functools
import os
import threading
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _calls, _matrix, _solvers
from ._arrays import doubles, view
from ._native import ffi, lib
from ._solve import SolveBase, SolvedBase
from .errors import FileError, Interrupted, ModelError, SolverError

_SIZE_OF_CALL = ffi.sizeof("carom_python_solving")
_REGIMES = ("open", "slip", "stick")


def _address(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def _at(array: np.ndarray) -> Any:
    return ffi.from_buffer("double[]", array)


def _check(status: int, error: Any) -> None:
    """Data that do not make a problem (M is singular) are the caller's mistake."""
    if status == lib.CAROM_FAILED:
        raise ModelError(_calls.text_of(error.text) or "the problem is singular")
    _calls.check(status, error)


def _members(pointer: Any, names: Tuple[str, ...]) -> Dict[str, Any]:
    return {name: getattr(pointer, name) for name in names}


class Solution:
    """Reactions and velocities as a file holds them: r, u, v and l; None where they are not there."""

    def __init__(self, owner: Any, pointer: Any, sizes: Mapping[str, int]):
        for name, size in sizes.items():
            data = getattr(pointer, name)
            setattr(self, name, None if data == ffi.NULL else view(owner, data, (size,)))

    r: Optional[np.ndarray]
    u: Optional[np.ndarray]
    v: Optional[np.ndarray]
    l: Optional[np.ndarray]  # noqa: E741

    def __repr__(self) -> str:
        there = [name for name in "ruvl" if getattr(self, name, None) is not None]
        return f"<Solution: {', '.join(there) or 'nothing'}>"


class ContactProblem(SolveBase):
    """A frictional contact problem, checked and kept in the form that the solvers read.

    Local form, with 3 (or 2, in the plane) numbers per contact, the normal one first:

        u = W r + q,   and with equations   u = W r + V l + q,  0 = V^T r + R l + s

    Global form, with the equations of motion:

        M v = H r + f,  u = H^T v + w,   and with equations   M v = H r + G l + f,  G^T v + b = 0

    Every contact obeys Signorini's condition and Coulomb's law with its mu. With mu_r it resists rolling as well, and has 5 numbers
    (normal, two tangents, two moments; in the plane, dimension=3: normal, tangent, moment), with mu_t 6 of them (torsion); their
    law is that of docs/solvers.md, "Rolling friction". Matrices are numpy arrays or scipy sparse
    matrices; M may be one row of numbers, its diagonal; mu may be one number for all contacts.

    >>> problem = carom.ContactProblem(W=np.eye(3), q=[-1, 0.3, 0], mu=0.5)
    >>> problem.solve().r
    array([ 1. , -0.3,  0. ])

    Attributes
    ----------
    contacts, dimension : number of contacts, and of numbers per contact
    is_global : has M and H
    W, V, R, M, H, G : scipy.sparse.csc_matrix, a copy; None where there is none
    q, s, f, w, b, mu, mu_r, mu_t : read-only arrays; None where there is none
    title, description, math_info : texts of a file, or what `write_fclib` is to write; None: none
    solution, guesses : what a file holds
    """

    def __init__(self, W: Any = None, q: Any = None, mu: Any = None, *, M: Any = None, H: Any = None, f: Any = None,
                 w: Any = None, G: Any = None, b: Any = None, V: Any = None, R: Any = None, s: Any = None,
                 mu_r: Any = None, mu_t: Any = None, dimension: Optional[int] = None, title: Optional[str] = None,
                 description: Optional[str] = None, math_info: Optional[str] = None):
        friction = _Friction(mu, mu_r, mu_t, dimension)
        place, error = ffi.new("carom_python_contact **"), _calls.new_error()
        if M is None and H is None and f is None and w is None and G is None and b is None:
            made = _local_problem(place, error, friction, W, q, V, R, s)
        else:
            for name, value in {"W": W, "q": q, "V": V, "R": R, "s": s}.items():
                if value is not None:
                    raise TypeError(f"{name} of a local problem beside matrices of a global one: give W, q, mu or M, H, f, "
                                    "w, mu")
            made = _global_problem(place, error, friction, M, H, f, w, G, b)
        if made != lib.CAROM_OK:
            _check(made, error)
        self._take(place[0])
        self._texts = {"title": title, "description": description, "math_info": math_info}
        self._own_texts = True

    def _take(self, pointer: Any) -> None:
        self._pointer = ffi.gc(pointer, lib.carom_python_contact_free)
        self._content = self._pointer.content
        self._lock = threading.Lock()
        self.is_global: bool = bool(self._content.is_global)
        self._form = getattr(self._content, "global" if self.is_global else "local")
        self.contacts: int = self._form.contacts
        self.dimension: int = self._form.dimension
        self._rolls: bool = bool(self._pointer.is_rolling)
        self._reduced = False

    # ---- what it is

    def _vector(self, name: str, size: int) -> Optional[np.ndarray]:
        pointer = getattr(self._form, name)
        return None if pointer == ffi.NULL else view(self._pointer, pointer, (size,))

    def _sparse(self, name: str, needs_columns: bool = False) -> Any:
        sparse = getattr(self._form, name)
        return None if needs_columns and sparse.columns == 0 else _matrix.to_scipy(sparse)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        size = self.dimension * self.contacts
        if name in ("W", "q", "V", "R", "s"):
            if self.is_global:
                return None
            if name == "q":
                return self._vector("q", size)
            return self._vector("s", self._form.R.columns) if name == "s" else self._sparse(name, name != "W")
        if name in ("M", "H", "f", "w", "G", "b"):
            if not self.is_global:
                return None
            sizes = {"f": self._form.M.rows, "w": size, "b": self._form.G.columns}
            return self._vector(name, sizes[name]) if name in sizes else self._sparse(name, name == "G")
        raise AttributeError(f"a contact problem has no '{name}'")

    @property
    def mu(self) -> np.ndarray:
        return view(self._pointer, self._form.mu, (self.contacts,))

    @property
    def mu_r(self) -> Optional[np.ndarray]:
        return self._vector("mu_r", self.contacts)

    @property
    def mu_t(self) -> Optional[np.ndarray]:
        return self._vector("mu_t", self.contacts)

    @property
    def _sizes(self) -> Dict[str, int]:
        size, form = self.dimension * self.contacts, self._form
        if self.is_global:
            return {"r": size, "u": size, "v": form.M.rows, "l": form.G.columns}
        return {"r": size, "u": size, "v": 0, "l": form.R.columns}

    @property
    def solution(self) -> Solution:
        return Solution(self._pointer, self._content.solution, self._sizes)

    @property
    def guesses(self) -> List[Solution]:
        return [Solution(self._pointer, self._content.guess[i], self._sizes)
                for i in range(self._content.guess_count)]

    def _text(self, name: str) -> Optional[str]:
        return self._texts[name] if self._own_texts else _calls.text_of(getattr(self._content, name))

    def _set_text(self, name: str, text: Optional[str]) -> None:
        if text is not None and not isinstance(text, str):
            raise TypeError(f"{name}: a text is needed, not {type(text).__name__}")
        if not self._own_texts:
            self._texts = {key: self._text(key) for key in ("title", "description", "math_info")}
            self._own_texts = True
        self._texts[name] = text

    title = property(lambda self: self._text("title"), lambda self, text: self._set_text("title", text))
    description = property(lambda self: self._text("description"),
                           lambda self, text: self._set_text("description", text))
    math_info = property(lambda self: self._text("math_info"), lambda self, text: self._set_text("math_info", text))

    def __repr__(self) -> str:
        form = "global" if self.is_global else "local"
        if self._rolls:
            return f"<ContactProblem: {form}, {self.contacts} contacts with rolling friction, {self.dimension} numbers each>"
        return f"<ContactProblem: {form}, {self.contacts} contacts in {self.dimension} dimensions>"

    # ---- what it does

    def _reduce(self) -> None:
        """W and q of a problem with equations of motion, the plane in space; once."""
        with self._lock:
            error = _calls.new_error()
            _check(lib.carom_python_contact_reduce(self._pointer, error), error)
            self._problem = ffi.addressof(self._pointer, "problem")
            if not self._rolls:  # whose numbers are not those of its parts
                self._bind(_address(ffi.addressof(lib, "carom_python_contact_solve")), _address(self._pointer),
                           _address(ContactResult._ops), self.contacts, self.dimension, ContactResult)
            self._reduced = True

    @property
    def _parts(self) -> int:
        """Contacts of the reduced problem: with rolling friction its parts."""
        return self._problem.contacts if self._rolls else self.contacts

    def _embed(self, given: np.ndarray) -> np.ndarray:
        """Three numbers per contact, of which the library may change its copy."""
        if self._rolls:
            three = np.zeros(3 * self._parts)
            lib.carom_python_contact_pack(self._pointer, False, _at(given), _at(three))
            return three
        if self.dimension == 3:
            return given.copy()
        three = np.zeros(3 * self.contacts)
        three.reshape(-1, 3)[:, :2] = given.reshape(-1, 2)
        return three

    def _extract(self, three: np.ndarray, velocities: bool = False) -> np.ndarray:
        if self._rolls:
            given = np.empty(self.dimension * self.contacts)
            lib.carom_python_contact_unpack(self._pointer, velocities, _at(three), _at(given))
            return given
        return three if self.dimension == 3 else three.reshape(-1, 3)[:, :2].reshape(-1)

    def error(self, r: Any) -> float:
        """How far reactions are from the law: the natural map relative to |q|, whoever computed them.

        >>> problem = carom.ContactProblem(W=np.eye(3), q=[-1, 0, 0], mu=0.5)
        >>> problem.error([1, 0, 0]), problem.error([0, 0, 0]) > 0.5
        (0.0, True)
        """
        given = doubles(r, "r", self.dimension * self.contacts)
        if not self._reduced:
            self._reduce()
        return lib.carom_python_contact_error(self._pointer, _at(self._embed(given)))

    def _solve_with(self, tol: Optional[float] = 1e-8, solver: str = "auto", *, r0: Any = None,
                    max_iterations: Optional[int] = None, max_seconds: Optional[float] = None, history: bool = False,
                    prove: bool = True, strict: bool = True, **options: Any) -> "ContactResult":
        """What `solve`, which is in C, leaves to Python: everything but another tol, prove or strict."""
        if solver == _solvers.DIRECT:
            return self._solve_directly(tol, r0, max_iterations, max_seconds, history, prove, strict, options)
        ops, name = _solvers.find("coulomb", solver)
        if not self._reduced:
            self._reduce()
        call = ffi.new("carom_python_solving *")
        _solvers.set_limits(call.options, tol, max_iterations, max_seconds)
        kept = self._details(call, name, history, options) if options or history else None
        r = np.zeros(3 * self._parts) if r0 is None else \
            self._embed(doubles(r0, "r0", self.dimension * self.contacts))
        solved = lib.carom_python_contact_solve(self._pointer, ops, ffi.from_buffer("double[]", r), call)
        result = ContactResult(self, ops, name, r, call, kept)
        return result if solved else self._unsolved(result, prove, strict)

    _solve_with.__qualname__ = "ContactProblem.solve"  # which messages of wrong calls name

    def _solve_directly(self, tol: Any, r0: Any, max_iterations: Any, max_seconds: Any, history: bool, prove: bool,
                        strict: bool, options: Mapping[str, Any]) -> "ContactResult":
        if not self.is_global:
            raise ModelError("solver 'direct' keeps the equations of motion of a global problem (M, H, f, w); this one is "
                             "local")
        if options:
            raise ModelError(f"solver 'direct' has no options; got '{next(iter(options))}'")
        call, size = ffi.new("carom_python_solving *"), self.dimension * self.contacts
        _solvers.set_limits(call.options, tol, max_iterations, max_seconds)
        kept = self._details(call, _solvers.DIRECT, history, {})
        r = np.zeros(size) if r0 is None else doubles(r0, "r0", size).copy()
        v = np.zeros(self._form.M.rows)
        solved = lib.carom_python_contact_solve_directly(self._pointer, _at(v), _at(r), call)
        ops = ffi.NULL
        if self._rolls:  # what else is asked of the result is found with W
            ops = _solvers.find("coulomb", "auto")[0]
            if not self._reduced:
                self._reduce()
        result = ContactResult(self, ops, _solvers.DIRECT, self._embed(r), call, kept)
        return result if solved else self._unsolved(result, prove, strict)

    @staticmethod
    def _details(call: Any, name: str, history: bool, options: Mapping[str, Any]) -> _calls.Kept:
        kept = _calls.Kept()
        if options:
            call.options.option = _solvers.option_list(kept, f"solver '{name}'", options)
        if history:
            call.history = kept.keep(ffi.gc(ffi.new("carom_python_history *"), lib.carom_python_history_free))
        return kept

    @staticmethod
    def _unsolved(result: "ContactResult", prove: bool, strict: bool) -> "ContactResult":
        call = result._call
        if call.status != lib.CAROM_OK:
            _check(call.status, call.error)
        if call.interrupted:
            raise Interrupted("interrupted" if result.ok else result.report.sentence(), result)
        if prove:
            result._look_for_proof(call.report.word)
        if strict:
            raise SolverError(result._why(), result)
        return result


def _same(name: str, found: Tuple[int, int], wanted: Tuple[int, int], why: str) -> None:
    if found != wanted:
        raise ValueError(f"{name} is {found[0]} x {found[1]}; {why} it must be {wanted[0]} x {wanted[1]}")


class _Friction:
    """Coefficients as they are given; `fit` makes them those of a problem with these velocities, q or w."""

    def __init__(self, mu: Any, mu_r: Any, mu_t: Any, dimension: Optional[int]):
        self.given, self.dimension = {"mu": mu, "mu_r": mu_r, "mu_t": mu_t}, dimension
        if mu_t is not None and mu_r is None:
            raise TypeError("mu_t without mu_r: torsional friction stands beside rolling friction")

    def fit(self, name: str, velocity: np.ndarray) -> Tuple[int, int]:
        """Dimension and number of contacts; the coefficients are in mu, mu_r and mu_t then."""
        rolls, twists = self.given["mu_r"] is not None, self.given["mu_t"] is not None
        allowed = (6,) if twists else (3, 5) if rolls else (2, 3)
        if self.dimension is not None and self.dimension not in allowed:
            what = "6 with torsional friction" if twists else \
                "3 in the plane or 5 in space with rolling friction" if rolls else "2 in the plane or 3 in space"
            raise ValueError(f"dimension = {self.dimension!r}: {what}")
        each, contacts, self.mu = _sizes_of(name, velocity, self.given["mu"],
                                            self.dimension or (6 if twists else 5 if rolls else None))
        self.mu_r, self.mu_t = self._moments("mu_r", contacts), self._moments("mu_t", contacts)
        return each, contacts

    def _moments(self, name: str, contacts: int) -> Optional[np.ndarray]:
        value = self.given[name]
        if value is None:
            return None
        numbers = doubles(value, name)
        if np.ndim(value) == 0:
            return np.full(contacts, numbers[0])
        if numbers.size != contacts:
            raise ValueError(f"{name} has {numbers.size} numbers; there must be one, or one per contact: {contacts}")
        return numbers

    @property
    def pointers(self) -> Tuple[Any, Any, Any]:
        mu_r, mu_t = (ffi.NULL if value is None else _at(value) for value in (self.mu_r, self.mu_t))
        return _at(self.mu), mu_r, mu_t


def _sizes_of(name: str, velocity: np.ndarray, mu: Any, dimension: Optional[int]) -> Tuple[int, int, np.ndarray]:
    """Dimension, contacts and mu for the velocities q or w."""
    if mu is None:
        raise TypeError("mu is missing: one number, or one per contact")
    friction = doubles(mu, "mu")
    if type(mu) is float or np.ndim(mu) == 0:
        each = dimension or 3
        if velocity.size % each:
            raise ValueError(f"{name} has {velocity.size} numbers, which is not {each} per contact; dimension = 2 is a "
                             "problem in the plane")
        friction = np.full(velocity.size // each, friction[0])
    else:
        each = dimension or (2 if 2 * friction.size == velocity.size and friction.size else 3)
        if velocity.size != each * friction.size:
            raise ValueError(f"{name} has {velocity.size} numbers and mu {friction.size}; there must be "
                             f"{'2 or 3' if dimension is None else each} numbers per contact")
    return each, friction.size, friction


def _needed(values: Mapping[str, Any], form: str) -> None:
    for name, value in values.items():
        if value is None:
            raise TypeError(f"{name} is missing: a {form} problem has {', '.join(values)} and mu")


def _local_problem(place: Any, error: Any, friction: _Friction, W: Any, q: Any, V: Any, R: Any, s: Any) -> int:
    if W is None or q is None:
        _needed({"W": W, "q": q}, "local")
    velocity = doubles(q, "q")
    each, contacts = friction.fit("q", velocity)
    matrix = _matrix.matrix("W", W)
    _same("W", (matrix.rows, matrix.columns), (velocity.size, velocity.size), "with this q")
    if V is None and R is None and s is None:
        return lib.carom_python_contact_local(each, contacts, matrix.pointer, ffi.NULL, ffi.NULL, _at(velocity),
                                              ffi.NULL, *friction.pointers, place, error)
    if V is None or R is None or s is None:
        raise TypeError("V, R and s belong together: u = W r + V l + q, 0 = V^T r + R l + s")
    rest, columns, square = doubles(s, "s"), _matrix.matrix("V", V), _matrix.matrix("R", R)
    _same("V", (columns.rows, columns.columns), (velocity.size, rest.size), "with these q and s")
    _same("R", (square.rows, square.columns), (rest.size, rest.size), "with this s")
    return lib.carom_python_contact_local(each, contacts, matrix.pointer, columns.pointer, square.pointer,
                                          _at(velocity), _at(rest), *friction.pointers, place, error)


def _global_problem(place: Any, error: Any, friction: _Friction, M: Any, H: Any, f: Any, w: Any, G: Any,
                    b: Any) -> int:
    _needed({"M": M, "H": H, "f": f, "w": w}, "global")
    force, velocity = doubles(f, "f"), doubles(w, "w")
    each, contacts = friction.fit("w", velocity)
    mass, directions = _matrix.matrix("M", M, diagonal=True), _matrix.matrix("H", H)
    _same("M", (mass.rows, mass.columns), (force.size, force.size), "with this f")
    _same("H", (directions.rows, directions.columns), (force.size, velocity.size), "with these f and w")
    if (G is None) != (b is None):
        raise TypeError("G and b belong together: M v = H r + G l + f, G^T v + b = 0")
    if G is None:
        return lib.carom_python_contact_global(each, contacts, mass.pointer, directions.pointer, ffi.NULL, _at(force),
                                               _at(velocity), ffi.NULL, *friction.pointers, place, error)
    rows, rates = _matrix.matrix("G", G), doubles(b, "b")
    _same("G", (rows.rows, rows.columns), (force.size, rates.size), "with these f and b")
    return lib.carom_python_contact_global(each, contacts, mass.pointer, directions.pointer, rows.pointer, _at(force),
                                           _at(velocity), _at(rates), *friction.pointers, place, error)


class ContactResult(SolvedBase):
    """What `carom.solve` returns.

    Attributes
    ----------
    r : reactions, as many numbers per contact as the problem has
    u : relative velocities W r + q
    v, l : of a global problem the velocities, of one with equations their multipliers; None where there are none
    error : the problem's own error of r, whatever solver found it
    ok : the error is within the tolerance, and known that well
    report : status, solver, iterations, seconds ...
    regimes : "open", "slip" or "stick" for every contact
    summary : sizes of q, r and u, energy, dissipation, numbers of open, sliding and sticking contacts
    residual : the law part by part: velocity, reaction, complementarity, and rounding; None for cones that are not round
    existence : of a problem that is not solved: "none" (it is proved that there is no solution), "doubtful",
        "not-attempted" (too many contacts); None: nothing is known
    direction : along which reactions grow then; with "none" the proof, whose numbers are in `proof`
    history : iteration, error and seconds in rows, with history=True; else None
    problem : what was solved
    """

    existence: Optional[str] = None
    direction: Optional[np.ndarray] = None
    proof: Optional[Dict[str, float]] = None
    _report: Optional[_solvers.Report] = None
    _look: Any = None
    _motion: Any = None

    # `solve` in C sets `problem` and `_memory`, a carom_python_solving and three numbers per contact after it. What else there is
    # is made when it is asked for: it would take longer than a small problem.
    _kept: Any = None
    _ops, _solver = _solvers.find("coulomb", "auto")

    def __init__(self, problem: ContactProblem, ops: Any, solver: str, three: np.ndarray, call: Any, kept: Any):
        self._keep(problem, problem._extract(three))
        self._ops, self._solver, self._three, self._call, self._kept = ops, solver, three, call, kept

    @functools.cached_property
    def _call(self) -> Any:
        return ffi.from_buffer("carom_python_solving *", self._memory)

    @functools.cached_property
    def _three(self) -> np.ndarray:
        return np.frombuffer(self._memory, offset=_SIZE_OF_CALL)

    @property
    def report(self) -> _solvers.Report:
        if self._report is None:
            self._report = _solvers.Report(self._solver, self._call.report, self._call.seconds)
        return self._report

    @property
    def error(self) -> float:
        return self._call.report.error

    @property
    def ok(self) -> bool:
        return self._call.status == lib.CAROM_OK and self._call.report.word == lib.CAROM_SOLVE_OK

    @property
    def status(self) -> str:
        return self.report.status

    @property
    def history(self) -> Optional[np.ndarray]:
        points = self._call.history
        return None if points == ffi.NULL else view(self._kept, points.point, (points.count, 3))

    @property
    def _is_round(self) -> bool:
        return not self._call.orthotropic

    def _summarised(self) -> Tuple[np.ndarray, np.ndarray, Dict[str, Any]]:
        """u, regimes and summary, computed when one of them is asked for."""
        if self._look is None:
            problem = self.problem
            direct = self._ops == ffi.NULL
            u = np.empty(problem.dimension * problem.contacts if direct else 3 * problem._parts)
            regime = np.zeros(problem._parts, dtype=np.uint8)
            summary, error = ffi.new("carom_coulomb_summary *"), _calls.new_error()
            marks = ffi.from_buffer("unsigned char[]", regime)
            if direct:
                status = lib.carom_coulomb_summarise_global(ffi.addressof(problem._content, "global"), _at(self.r),
                                                            _at(u), marks, summary, error)
            else:
                status = lib.carom_python_contact_summarise(problem._pointer, self._ops, self._call.options.option,
                                                            _at(self._three), _at(u), marks, summary, error)
            _check(status, error)
            names = ("q_norm", "r_norm", "u_norm", "error", "absolute_error", "energy", "dissipation", "open", "sliding",
                     "sticking")
            self._look = (u if direct else problem._extract(u, velocities=True), regime[:problem.contacts],
                          _members(summary, names))
        return self._look

    @property
    def u(self) -> np.ndarray:
        return self._summarised()[0]

    @property
    def regimes(self) -> List[str]:
        return [_REGIMES[k] for k in self._summarised()[1]]

    @property
    def summary(self) -> Dict[str, Any]:
        return dict(self._summarised()[2])

    @property
    def residual(self) -> Optional[Dict[str, float]]:
        if not self._is_round:
            return None
        problem = self.problem
        if self._ops == ffi.NULL:
            found, error = ffi.new("carom_coulomb_residual *"), _calls.new_error()
            _check(lib.carom_coulomb_residuals_global(ffi.addressof(problem._content, "global"), _at(self.r), found,
                                                      error), error)
        else:
            found = lib.carom_coulomb_residuals(problem._problem, _at(self._three))
        return _members(found, ("velocity", "reaction", "complementarity", "rounding"))

    def _moved(self) -> Tuple[Optional[np.ndarray], Optional[np.ndarray]]:
        if self._motion is None:
            problem, sizes, error = self.problem, self.problem._sizes, _calls.new_error()
            v, l = np.empty(sizes["v"]), np.empty(sizes["l"])  # noqa: E741
            if problem.is_global:
                _check(lib.carom_coulomb_motion(ffi.addressof(problem._content, "global"), _at(self.r), _at(v), _at(l),
                                                error), error)
            elif l.size:
                _check(lib.carom_coulomb_multipliers(ffi.addressof(problem._content, "local"), _at(self.r), _at(l),
                                                     error), error)
            self._motion = (v if problem.is_global else None, l if l.size else None)
        return self._motion

    @property
    def v(self) -> Optional[np.ndarray]:
        return self._moved()[0]

    @property
    def l(self) -> Optional[np.ndarray]:  # noqa: E743
        return self._moved()[1]

    def _look_for_proof(self, word: int) -> None:
        """Not solved: is there a solution?"""
        problem = self.problem
        if word in (lib.CAROM_SOLVE_MEMORY, lib.CAROM_SOLVE_REFUSED) or not self._is_round:
            return
        if problem.contacts > lib.CAROM_PROOF_CONTACTS:
            self.existence = "not-attempted"
            if not problem._reduced:
                return
        if not problem._reduced:
            problem._reduce()
        d, proof = np.zeros(3 * problem._parts), ffi.new("carom_coulomb_proof *")
        if lib.carom_coulomb_infeasible(problem._problem, self.report.tolerance, _at(d), proof):
            self.existence, self.report.status = "none", _solvers.word_of(lib.CAROM_SOLVE_INFEASIBLE)
            self.proof = _members(proof, ("W_d", "q_d", "largest_r", "least_error"))
        elif lib.carom_coulomb_find_doubt(problem._problem, _at(d)):
            self.existence = "doubtful"
        else:
            return
        self.direction = problem._extract(d)

    def _why(self) -> str:
        text = self.report.sentence()
        if self.proof is not None:
            most = f" up to |r| = {self.proof['largest_r']:.3g}" if np.isfinite(self.proof["largest_r"]) else ""
            text += (f". There is no solution: a direction d of normal reactions has q.d = {self.proof['q_d']:.3g} |q| "
                     f"and |W^T d| = {self.proof['W_d']:.3g}; no r{most} has an error below "
                     f"{self.proof['least_error']:.3g}")
        elif self.existence == "doubtful":
            text += (". It is not sure that there is a solution: a direction d in the cone has |W d| <= 1e-3 |W| and "
                     "q.d < 0, reactions may grow along it")
        elif self.report.status == "rounding":
            text += (f". |r| = {self.summary['r_norm']:.3g} is so large that u = W r + q is not known well enough: the "
                     "error says nothing")
        return text

    def __repr__(self) -> str:
        return f"<ContactResult {self.report!r}>"


def solve(W: Any = None, q: Any = None, mu: Any = None, tol: Optional[float] = 1e-8, solver: str = "auto", *,
          M: Any = None, H: Any = None, f: Any = None, w: Any = None, G: Any = None, b: Any = None, V: Any = None,
          R: Any = None, s: Any = None, mu_r: Any = None, mu_t: Any = None, dimension: Optional[int] = None, r0: Any = None,
          max_iterations: Optional[int] = None, max_seconds: Optional[float] = None, history: bool = False,
          prove: bool = True, strict: bool = True, **options: Any) -> ContactResult:
    """Solves a frictional contact problem: FC(W, q, mu), or the global form of M, H, f, w and mu.

    `carom.solve(problem)` takes a `ContactProblem`, too. What a problem is: `carom.ContactProblem`; what the other
    keywords are: `ContactProblem.solve`.

    One contact that is pressed on the ground and pulled sideways sticks while |r_T| <= mu r_N, and slides beyond:

    >>> W = np.eye(3)
    >>> carom.solve(W, [-1, 0.3, 0], 0.5).regimes
    ['stick']
    >>> result = carom.solve(W, [-1, 2, 0], 0.5)
    >>> result.r[:2], result.u[:2]
    (array([ 1. , -0.5]), array([0. , 1.5]))
    >>> carom.solve(M=[2.0, 2.0, 2.0], H=np.eye(3), f=[-2, 4, 0], w=[0, 0, 0], mu=0.5).v
    array([0. , 1.5, 0. ])
    """
    if isinstance(W, ContactProblem):
        if not (q is mu is M is H is f is w is G is b is V is R is s is mu_r is mu_t is dimension is None):
            given = {"q": q, "mu": mu, "M": M, "H": H, "f": f, "w": w, "G": G, "b": b, "V": V, "R": R, "s": s,
                     "mu_r": mu_r, "mu_t": mu_t, "dimension": dimension}
            name = next(name for name, value in given.items() if value is not None)
            raise TypeError(f"{name} beside a ContactProblem, which has its own")
        problem = W
    else:
        problem = ContactProblem(W, q, mu, M=M, H=H, f=f, w=w, G=G, b=b, V=V, R=R, s=s, mu_r=mu_r, mu_t=mu_t,
                                 dimension=dimension)
    return problem.solve(tol, solver, r0=r0, max_iterations=max_iterations, max_seconds=max_seconds, history=history,
                         prove=prove, strict=strict, **options)


# ---- files


def read_fclib(path: "os.PathLike[str] | str") -> ContactProblem:
    """Reads a problem of FCLIB, the public collection of frictional contact problems (HDF5).

    >>> carom.write_fclib("one.hdf5", carom.ContactProblem(np.eye(3), [-1, 0, 0], 0.5, title="one contact"))
    >>> problem = carom.read_fclib("one.hdf5")
    >>> problem, problem.title
    (<ContactProblem: local, 1 contacts in 3 dimensions>, 'one contact')
    """
    file, place, error = os.fspath(path), ffi.new("carom_python_contact **"), _calls.new_error()
    status = lib.carom_python_contact_read(_calls.bytes_of(file), place, error)
    if status == lib.CAROM_BAD_INPUT and not (os.path.isfile(file) and os.access(file, os.R_OK)):
        raise FileError(_calls.text_of(error.text) or f"cannot read {file}")
    _calls.check(status, error)
    problem = ContactProblem.__new__(ContactProblem)
    problem._texts, problem._own_texts = {}, False
    problem._take(place[0])
    return problem


def write_fclib(path: "os.PathLike[str] | str", problem: ContactProblem, overwrite: bool = False,
                solution: Optional[ContactResult] = None) -> None:
    """Writes a problem as a file of FCLIB, with what its file held as solution and guesses, or with a result.

    What is read again is the same to the last bit.

    >>> problem = carom.ContactProblem(np.eye(3), [-1, 0, 0], 0.5)
    >>> carom.write_fclib("solved.hdf5", problem, solution=problem.solve())
    >>> carom.read_fclib("solved.hdf5").solution.r
    array([1., 0., 0.])
    """
    if not isinstance(problem, ContactProblem):
        raise TypeError(f"a ContactProblem is needed, not {type(problem).__name__}")
    kept, error, found = _calls.Kept(), _calls.new_error(), ffi.NULL
    if solution is not None:
        found = _stored(kept, problem, solution)
    texts = [kept.text(problem._text(name)) for name in ("title", "description", "math_info")]
    status = lib.carom_python_contact_write(_calls.bytes_of(os.fspath(path)), problem._pointer, problem._own_texts,
                                            *texts, found, bool(overwrite), error)
    _calls.check(status, error)


def _stored(kept: _calls.Kept, problem: ContactProblem, result: ContactResult) -> Any:
    if not isinstance(result, ContactResult):
        raise TypeError(f"solution: what solve returned is needed, not {type(result).__name__}")
    if result.problem is not problem:
        raise ValueError("solution: it is the solution of another problem")
    if not result._is_round:
        raise ValueError("solution: a file has one mu per contact and no place for orthotropic friction (ratio, "
                         "slip_ratio, angle)")
    stored = kept.keep(ffi.new("carom_fclib_solution *"))
    for name in ("r", "u", "v", "l"):
        array = getattr(result, name)
        if array is not None:
            setattr(stored, name, kept.keep(ffi.from_buffer("double[]", np.ascontiguousarray(array))))
    return stored
