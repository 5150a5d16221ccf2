"""Impacts: one instant at which contacts are struck, by the laws of the library."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional

import numpy as np

from . import _calls, _matrix, _solvers
from ._arrays import doubles, view
from ._experiment import refuse_name
from ._native import ffi, lib
from .errors import Interrupted, ModelError, SolverError

_LAWS: Dict[str, Any] = {}


def _at(array: np.ndarray, kind: str = "double[]") -> Any:
    return ffi.from_buffer(kind, array)


class ImpactLaw:
    """A law of impact: name, summary, options by name, has_course."""

    def __init__(self, ops: Any):
        self.name, self.summary = _calls.text_of(ops.name) or "", _calls.text_of(ops.summary) or ""
        self.options = {option.name: option for option in
                        (_solvers.Option(ops.options[i]) for i in range(ops.option_count))}
        self.has_course = bool(ops.tells & lib.CAROM_IMPACT_TELLS_COURSE)

    def __repr__(self) -> str:
        return f"<{self.name}: {self.summary}>"


def impact_laws() -> Dict[str, ImpactLaw]:
    """All laws of impact by name.

    >>> list(carom.impact_laws())
    ['moreau', 'newton', 'poisson', 'binary', 'lzb']
    """
    found = (ImpactLaw(lib.carom_impact_law_at(i)) for i in range(lib.carom_impact_law_count()))
    return {law.name: law for law in found}


def _find(name: str) -> Any:
    law = _LAWS.get(name) if isinstance(name, str) else None
    if law is None:
        if not isinstance(name, str):
            raise TypeError(f"law: a name is needed, not {type(name).__name__}")
        error = _calls.new_error()
        law = lib.carom_impact_law_find(_calls.bytes_of(name), error)
        if law == ffi.NULL:
            raise ModelError(_calls.text_of(error.text) or f"impact law '{name}' is not known")
        _LAWS[name] = law
    return law


class Course:
    """The course of an impact: t, and in rows energies and forces of the contacts, velocities."""

    def __init__(self, owner: Any, contacts: int):
        table = view(owner, owner.rows, (owner.count, owner.width))
        self.t = table[:, 0]
        self.energies, self.forces = table[:, 1 : 1 + contacts], table[:, 1 + contacts : 1 + 2 * contacts]
        self.velocities = table[:, 1 + 2 * contacts :]

    def __repr__(self) -> str:
        return f"<Course: {self.t.size} instants>"


class ImpactResult:
    """What `carom.impact` returns.

    Attributes
    ----------
    velocity, impulses : after the impact, per coordinate; per contact
    gamma_before, gamma_after : velocities of the contacts; negative ones approach
    energy_before, energy_after, energy_ratio, work : kinetic energies, after over before, and the work of the impulses
    status : "ok", "no-impact" (no contact approaches), "not-converged", "ended-by-rounding", "infeasible"
    ok : the status is one of the first two
    kinematic, kinetic, energetic : no contact approaches any more; impulses push and momentum is kept; no energy is won
    residual, momentum_residual : of the law's own conditions, in velocities; of the impact equation, relative
    notes : what a user should know, in words
    collisions, steps, duration : of laws that count them
    compression, closings, repeats, peak_forces : per contact, of laws that know them; else None
    joint_impulses, joint_residual : of a system with joints; else None
    course : energies, forces and velocities over time, with history=True; else None
    law, seconds : its name, and the time of the library's function
    coordinates, contacts, joints : names, of the impact of a model; else None
    """

    coordinates: Optional[List[str]] = None
    contacts: Optional[List[str]] = None
    joints: Optional[List[str]] = None
    course: Optional[Course] = None

    def __init__(self, law: Any, impact: Any, call: Any, arrays: Dict[str, np.ndarray]):
        found = call.result
        self.law, self.seconds = _calls.text_of(law.name) or "", call.seconds
        self.status = _calls.text_of(lib.carom_impact_word_text(found.word)) or ""
        self.ok = found.word in (lib.CAROM_IMPACT_OK, lib.CAROM_IMPACT_NONE)
        self.velocity, self.impulses = arrays["velocity"], arrays["impulse"]
        for name in ("energy_before", "energy_after", "work", "residual", "collisions", "steps", "duration"):
            setattr(self, name, getattr(found, name))
        self.energy_ratio: float = found.energy_after / found.energy_before if found.energy_before > 0 else np.nan
        self.momentum_residual: float = found.imbalance
        self.kinematic, self.kinetic, self.energetic = found.kinematic, found.kinetic, found.energetic
        self.notes = [_calls.text_of(lib.carom_impact_note_text(bit)) or "" for bit in range(lib.CAROM_IMPACT_NOTES)
                      if found.notes >> bit & 1]
        tells = law.tells
        counts = tells & lib.CAROM_IMPACT_TELLS_COURSE
        self.compression = arrays["compression"] if tells & lib.CAROM_IMPACT_TELLS_COMPRESSION else None
        self.closings, self.repeats, self.peak_forces = (
            (arrays["closings"], arrays["repeats"], arrays["peak_force"]) if counts else (None, None, None))
        jointed = impact.joints > 0
        self.joint_impulses = arrays["reaction"] if jointed else None
        self.joint_residual: Optional[float] = found.slippage if jointed else None
        if tells & lib.CAROM_IMPACT_TELLS_COLLISIONS:
            self.smallest_approach, self.largest_left = found.smallest_approach, found.largest_left
        self.gamma_before = _rates(impact, impact.velocity)
        self.gamma_after = _rates(impact, _at(self.velocity))

    energy_before: float
    energy_after: float
    work: float
    residual: float
    collisions: int
    steps: int
    duration: float

    def __repr__(self) -> str:
        return f"<ImpactResult {self.law}: {self.status}, energy {self.energy_before:.6g} -> {self.energy_after:.6g}>"


def _rates(impact: Any, velocity: Any) -> np.ndarray:
    """W^T v + rate, as `carom impact` sums it."""
    gamma = np.zeros(impact.contacts)
    if impact.contacts == 0:
        return gamma
    start = ffi.unpack(impact.column_start, impact.contacts + 1)
    row, value = ffi.unpack(impact.row, start[-1]), ffi.unpack(impact.value, start[-1])
    for j in range(impact.contacts):
        sum_ = impact.rate[j] if impact.rate != ffi.NULL else 0.0
        for k in range(start[j], start[j + 1]):
            sum_ += value[k] * velocity[row[k]]
        gamma[j] = sum_
    return gamma


def _per_contact(kept: _calls.Kept, name: str, given: Any, contacts: int) -> np.ndarray:
    values = doubles(given, name)
    if np.ndim(given) == 0:
        values = np.full(contacts, values[0])
    if values.size != contacts:
        raise ValueError(f"{name}: one number, or {contacts}, one per contact, not {values.size}")
    kept.keep(values)
    return values


def _strike(kept: _calls.Kept, impact: Any, law: Optional[str], allow_gain: bool, history: bool, strict: bool,
            options: Mapping[str, Any], names: Optional[Dict[str, List[str]]] = None) -> ImpactResult:
    """The impact by a law; None: Moreau's, or Newton's where restitutions differ, which is the same but for that."""
    contacts = impact.contacts
    if law is None:
        same = all(impact.restitution[j] == impact.restitution[0] for j in range(1, contacts))
        law = "moreau" if same else "newton"
    ops, call = _find(law), ffi.new("carom_python_impact_call *")
    if options:
        call.option = _solvers.option_list(kept, f"impact law '{law}'", options)
    call.allow_gain = bool(allow_gain)
    if history:
        if not ops.tells & lib.CAROM_IMPACT_TELLS_COURSE:
            having = [name for name, known in impact_laws().items() if known.has_course]
            raise ModelError(f"impact law '{law}' has no course over time; {', '.join(having)} has one")
        course = kept.keep(ffi.gc(ffi.new("carom_python_course *"), lib.carom_python_course_free))
        call.course = course
    arrays: Dict[str, np.ndarray] = {"velocity": np.zeros(impact.coordinates), "impulse": np.zeros(contacts), "compression": np.zeros(contacts),
              "peak_force": np.zeros(contacts), "closings": np.zeros(contacts, dtype=np.int32),
              "repeats": np.zeros(contacts, dtype=np.int32), "reaction": np.zeros(impact.joints)}
    for name, array in arrays.items():
        setattr(call.result, name, kept.keep(_at(array, "int[]" if array.dtype == np.int32 else "double[]")))
    status = lib.carom_python_impact(ops, impact, call)
    if status == lib.CAROM_FAILED:
        raise SolverError(_calls.text_of(call.error.text) or "the impact was not solved")
    _calls.check(status, call.error)
    result = ImpactResult(ops, impact, call, arrays)
    if history:
        result.course = Course(course, contacts)
    for name, values in (names or {}).items():
        setattr(result, name, values)
    if call.interrupted:
        raise Interrupted(f"interrupted; the impact is {result.status}", result)
    if strict and not result.ok:
        notes = "".join(f"; {note}" for note in result.notes)
        raise SolverError(f"law '{law}': {result.status}, residual {result.residual:.3g}{notes}", result)
    return result


def impact(M: Any, W: Any, v: Any, *, e: Any, law: Optional[str] = None, rate: Any = None, stiffness: Any = None,
           exponent: Any = None, joints: Any = None, allow_gain: bool = False, history: bool = False,
           strict: bool = True, **options: Any) -> ImpactResult:
    """One impact: M (v+ - v-) = W p, with impulses p >= 0 that a law chooses.

    Parameters
    ----------
    M : mass matrix, or one row of numbers, its diagonal
    W : directions of the contacts, a row per coordinate, a column per contact; contacts have the velocities W^T v + rate,
        negative when they approach
    v : velocities before
    e : restitution, one for all contacts or one each, from 0 to 1
    law : a name of `carom.impact_laws()`; None: "moreau", and "newton" where restitutions differ
    rate : velocities of obstacles that move
    stiffness, exponent : of the force K x^n in each contact, which lzb reads; default: 1 and 1.5
    joints : rows J with J v+ = J v-, whose impulses have either sign
    allow_gain : restitutions above 1
    history : keep the course of the impact, for laws that have one (lzb)
    strict : raise SolverError when it is not converged or infeasible; False: return what was found
    options : the law's own, by name: `order="rl"`, `method="time"`, ...

    Three balls in a row, the first one strikes the others:

    >>> W = [[-1, 0], [1, -1], [0, 1]]
    >>> carom.impact([1, 1, 1], W, [1, 0, 0], e=1).velocity
    array([-0.33333333,  0.66666667,  0.66666667])
    >>> carom.impact([1, 1, 1], W, [1, 0, 0], e=1, law="binary").velocity.round(12)
    array([0., 0., 1.])
    """
    kept, place = _calls.Kept(), ffi.new("carom_impact *")
    before, directions = doubles(v, "v"), _matrix.matrix("W", W)
    if directions.rows != before.size:
        raise ValueError(f"W is {directions.rows} x {directions.columns}; with {before.size} numbers in v it must have "
                         f"{before.size} rows, one per coordinate")
    arena, error = kept.keep(ffi.gc(lib.carom_arena_create(), lib.carom_arena_free)), _calls.new_error()
    if arena == ffi.NULL:
        raise MemoryError("out of memory")
    _calls.check(lib.carom_python_impact_columns(arena, directions.pointer, place, error), error)
    place.velocity = kept.keep(_at(before))
    _set_mass(kept, place, M, before.size)
    for name, given, member in (("e", e, "restitution"), ("rate", rate, "rate"), ("stiffness", stiffness, "stiffness"),
                                ("exponent", exponent, "exponent")):
        if given is not None:
            setattr(place, member, kept.keep(_at(_per_contact(kept, name, given, directions.columns))))
        elif name == "e":
            raise TypeError("e is missing: a restitution for all contacts, or one each")
    if joints is not None:
        rows = _matrix.to_dense("joints", joints)
        if rows.shape[1] != before.size:
            raise ValueError(f"joints is {rows.shape[0]} x {rows.shape[1]}; it must have {before.size} columns, one per "
                             "coordinate")
        place.joints, place.joint = rows.shape[0], kept.keep(_at(rows))
    return _strike(kept, place, law, allow_gain, history, strict, options)


def _set_mass(kept: _calls.Kept, place: Any, M: Any, size: int) -> None:
    if np.ndim(M) == 1 and not _matrix.is_sparse(M):
        place.masses = kept.keep(_at(doubles(M, "M", size)))
        return
    if size > 46340:
        raise ValueError(f"M: a full mass matrix of {size} coordinates is too large; give its diagonal, one row of numbers")
    mass = _matrix.to_dense("M", M)
    if mass.shape != (size, size):
        raise ValueError(f"M is {mass.shape[0]} x {mass.shape[1]}; with {size} numbers in v it must be {size} x {size}, or "
                         "one row of numbers, its diagonal")
    place.mass = kept.keep(_at(mass))


def of_model(model: Any, law: Optional[str], restitution: Any, q: Any, v: Any, t: Optional[float], gap_tolerance: Optional[float],
             allow_gain: bool, history: bool, strict: bool, options: Optional[Mapping[str, Any]],
             values: Mapping[str, Any]) -> ImpactResult:
    """`Model.strike`."""
    known = impact_laws()[_calls.text_of(_find(law).name) or ""].options if law is not None else {}
    plain = model._experiment({})
    own = {name: value for name, value in values.items()
           if name in known and name not in plain.parameters and name not in plain.settings}
    rest = {name: value for name, value in values.items() if name not in own}
    for name in rest:
        if name not in plain.parameters and name not in plain.settings:
            raise refuse_name("parameter, setting or option of the law", name, [*plain.parameters, *plain.settings, *known])
    experiment, parameter, _ = model._prepare(rest, None, None)
    kept, request, dof = _calls.Kept(), ffi.new("carom_model_impact_request *"), experiment.pointer.model.dof
    request.experiment, request.parameter = experiment.pointer, kept.keep(_at(parameter))
    if q is not None:
        request.position = kept.keep(_at(doubles(q, "q", dof)))
    if v is not None:
        request.velocity = kept.keep(_at(doubles(v, "v", dof)))
    if t is not None:
        request.t = float(doubles(t, "t", 1)[0]) or 5e-324
    if gap_tolerance is not None:
        request.gap_tolerance = float(doubles(gap_tolerance, "gap_tolerance", 1)[0])
        if request.gap_tolerance <= 0:
            raise ValueError(f"gap_tolerance = {gap_tolerance}: above 0")
    place, error = ffi.new("carom_python_model_impact **"), _calls.new_error()
    _calls.check(lib.carom_python_model_impact_take(request, place, error), error)
    taken = kept.keep(ffi.gc(place[0], lib.carom_python_model_impact_free)).model
    made = taken.impact
    names = {"coordinates": _texts(taken.coordinate, made.coordinates), "contacts": _texts(taken.contact, made.contacts),
             "joints": _texts(taken.joint, made.joints)}
    if restitution is not None:
        made.restitution = kept.keep(_at(_per_contact(kept, "restitution", restitution, made.contacts)))
    for j in range(made.contacts):
        if np.isnan(made.restitution[j]):
            raise ModelError(f"contact '{names['contacts'][j]}' of {model.name} has no restitution in the model: give "
                             "restitution")
    _calls.check(lib.carom_model_impact_check(ffi.addressof(taken), ffi.addressof(made), error), error)
    return _strike(kept, ffi.addressof(made), law, allow_gain, history, strict, {**own, **(options or {})}, names)


def _texts(pointer: Any, count: int) -> List[str]:
    return [_calls.text_of(pointer[i]) or "" for i in range(count)]
