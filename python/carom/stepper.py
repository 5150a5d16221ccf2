"""A motion step by step, for control, learning and planning."""

from __future__ import annotations

import functools
import hashlib
import numbers
import sys
from typing import Any, Dict, Iterator, List, Mapping, MutableMapping, NoReturn, Optional, Sequence, Tuple, Union, overload

import numpy as np

from . import _calls
from ._arrays import doubles, pointer_to, view
from ._experiment import Experiment, exactly, option_list, refuse_name
from ._native import ffi, lib
from ._step import StepBase
from .errors import Interrupted, ModelError, StepError

_STATUS = ("open", "slip", "stick")
_MOST_STEPS = 2**62


class State:
    """What `Stepper.save` keeps: everything that later steps depend on. It can be pickled.

    Attributes
    ----------
    t : the time it was kept at
    """

    __slots__ = ("t", "_bytes", "_seal")

    def __init__(self, t: float, data: bytes, seal: bytes):
        self.t, self._bytes, self._seal = t, data, seal

    def __getstate__(self) -> Tuple[float, bytes, bytes]:
        return self.t, self._bytes, self._seal

    def __setstate__(self, state: Tuple[float, bytes, bytes]) -> None:
        self.t, self._bytes, self._seal = state

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self._bytes == other._bytes

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __repr__(self) -> str:
        return f"<State at t = {self.t:.6g}, {len(self._bytes)} bytes>"


class Contact:
    """A contact after a step, or a point at which two bodies touch.

    Attributes
    ----------
    name : of the contact; of bodies "a/b"
    gap : distance; negative: depth
    impulse : of the last step: normal, then tangents; of bodies a vector in space, which acts on the first one
    status : "open", "slip" or "stick"; without friction what touches slips
    bodies, place, normal : of bodies: both names, where the point is, unit normal from the second to the first
    """

    __slots__ = ("name", "gap", "impulse", "status", "bodies", "place", "normal")

    def __init__(self, name: str, gap: float, impulse: np.ndarray, status: str,
                 bodies: Optional[Tuple[str, str]] = None, place: Optional[np.ndarray] = None,
                 normal: Optional[np.ndarray] = None):
        self.name, self.gap, self.impulse, self.status = name, gap, impulse, status
        self.bodies, self.place, self.normal = bodies, place, normal

    def __repr__(self) -> str:
        return f"<{self.name}: {self.status}, gap {self.gap:.6g}, impulse {np.array2string(self.impulse, precision=6)}>"


class Contacts(Sequence):
    """Contacts in their order; contacts["floor"] is the first one of that name."""

    def __init__(self, items: List[Contact]):
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, key: Union[int, str]) -> Contact: ...

    @overload
    def __getitem__(self, key: slice) -> List[Contact]: ...

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return self._items[key]
        for item in self._items:
            if item.name == key:
                return item
        raise KeyError(f"there is no contact '{key}'; there are {', '.join(c.name for c in self._items) or 'none'}")

    def __repr__(self) -> str:
        return repr(self._items)


class Inputs(MutableMapping):
    """Values of the model's inputs from the next step on, by name."""

    def __init__(self, experiment: Experiment, values: np.ndarray):
        self._experiment, self._values = experiment, values
        self._places: Dict[str, Tuple[int, float, float]] = {}
        for name, place in experiment.inputs.items():
            info = experiment.parameter_info(name)
            self._places[name] = (place, max(info.min, -sys.float_info.max), min(info.max, sys.float_info.max))

    def _place(self, name: str) -> Tuple[int, float, float]:
        try:
            return self._places[name]
        except (KeyError, TypeError):
            raise refuse_name("input", str(name), list(self._places)) from None

    def __getitem__(self, name: str) -> float:
        return float(self._values[self._place(name)[0]])

    def __setitem__(self, name: str, value: Any) -> None:
        place, least, most = self._place(name)
        if not (isinstance(value, float) and least <= value <= most):  # what controllers give is soon found good
            value = self._experiment.in_range(name, value)
        self._values[place] = value

    def give(self, values: Mapping[str, Any]) -> None:
        """All of them, or none when one is wrong."""
        before = self._values.copy() if len(values) > 1 else None
        try:
            for name, value in values.items():
                self[name] = value
        except Exception:
            if before is not None:
                self._values[:] = before
            raise

    def __delitem__(self, name: str) -> None:
        raise TypeError("an input has a value always; give another one")

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(dict(self))


class Stepper(StepBase):
    """A motion in your hands: made by `Model.stepper`.

    >>> s = carom.experiment("moreau-1986/trial-04").stepper()
    >>> s.step()
    >>> s.run(100)
    >>> s.steps
    101
    >>> then = s.save()
    >>> s.run(50); there = s.q.copy()
    >>> s.restore(then); s.run(50)
    >>> bool((s.q == there).all())
    True

    Attributes
    ----------
    t : time
    q, v : positions and velocities: arrays of the stepper itself, which follow its steps; read-only, see `set`
    steps : how many were made since the start
    h : step
    scheme : name of the scheme
    input : values of the model's inputs by name: `s.input["u"] = 2`
    force : with `forces=True`: generalized forces in the order of `v`, to be written between steps
    """

    def __init__(self, experiment: Experiment, parameter: np.ndarray, scheme: Optional[str],
                 options: Mapping[str, Any], *, h: Any, t0: Any, q0: Any, v0: Any, forces: bool):
        self._arguments = (experiment, parameter, scheme, dict(options))
        self._keywords = {"h": h, "t0": t0, "q0": q0, "v0": v0, "forces": forces}
        self._experiment = experiment
        self._error = _calls.new_error()
        kept = _calls.Kept()
        request = ffi.new("carom_run_request *")
        request.experiment, request.parameter = experiment.pointer, pointer_to(parameter)
        request.scheme, request.option = kept.text(scheme), option_list(kept, options)
        for name, value in (("h", h), ("t0", t0)):
            if value is not None:
                setattr(request, name, exactly(name, value))
        start = []
        for name, value, names in (("q0", q0, experiment.coordinates), ("v0", v0, experiment.velocities)):
            if value is not None:
                start.append(doubles(value, name, len(names)))
                setattr(request, name, pointer_to(start[-1]))
        place = ffi.new("carom_python_stepper **")
        _calls.check(lib.carom_python_stepper_create(request, place, self._error), self._error)
        # the experiment is freed after the stepper, however both are forgotten
        self._pointer = ffi.gc(place[0], functools.partial(_free, experiment))
        self._bind(_address(ffi.addressof(lib, "carom_python_step")), _address(self._pointer), _address(self._error))
        data = lib.carom_python_stepper_data(self._pointer)
        self.q: np.ndarray = view(self._pointer, data.q, (len(experiment.coordinates),))
        self.v: np.ndarray = view(self._pointer, data.v, (len(experiment.velocities),))
        self.steps = 0
        model = experiment.pointer.model
        given = view(self._pointer, data.input, (model.parameters if data.input != ffi.NULL else 0,), writable=True)
        self.input = Inputs(experiment, given)
        self._force: Optional[np.ndarray] = given[model.parameters - model.dof :] if forces else None
        self._first = self.save()

    # ---- state

    @property
    def t(self) -> float:
        return lib.carom_python_stepper_time(self._pointer)[0]

    @property
    def force(self) -> np.ndarray:
        if self._force is None:
            raise AttributeError("this stepper has no forces; ask for them: model.stepper(forces=True)")
        return self._force

    def force_on(self, name: str) -> np.ndarray:
        """The part of `force` that belongs to a coordinate or a body (force, then torque), to be written.

        >>> s = carom.experiment("moreau-1986/trial-04").stepper(forces=True)
        >>> s.force_on(s.coordinates[0])[:] = 1.5
        >>> float(s.force[0])
        1.5
        """
        if not isinstance(name, str):
            raise TypeError(f"the name of a coordinate or a body is needed, not {type(name).__name__}")
        names = self._experiment.velocities
        for i, velocity in enumerate(names):
            if velocity == name:
                return self.force[i : i + 1]
        own = [i for i, velocity in enumerate(names) if velocity.rpartition(".")[0] == name]
        if not own:
            raise refuse_name("coordinate or body", str(name), names)
        return self.force[own[0] : own[-1] + 1]

    @property
    def coordinates(self) -> List[str]:
        """Names of the positions."""
        return list(self._experiment.coordinates)

    @property
    def velocities(self) -> List[str]:
        """Names of the velocities, which are those of the positions but for bodies in space."""
        return list(self._experiment.velocities)

    @property
    def energy(self) -> float:
        """Kinetic plus potential energy: the scheme's own where it conserves one."""
        energy = ffi.new("double *")
        _calls.check(lib.carom_python_stepper_energy(self._pointer, energy, self._error), self._error)
        return energy[0]

    @property
    def contacts(self) -> Contacts:
        """Contacts as the last step left them, of bodies by pairs: `s.contacts["floor"].gap`."""
        experiment = self._experiment
        count = len(experiment.contacts)
        gap, impulse, regime = ffi.new("double[]", count + 1), np.empty((count, 3)), ffi.new("int[]", count + 1)
        _calls.check(lib.carom_python_stepper_contacts(self._pointer, gap, pointer_to(impulse), regime, self._error),
                     self._error)
        info = experiment.pointer.model.contact
        return Contacts([Contact(name, gap[i], impulse[i, : 1 + info[i].tangents], _STATUS[regime[i]])
                         for i, name in enumerate(experiment.contacts)])

    @property
    def points(self) -> List[Contact]:
        """The points at which bodies touched in the last step, with place and normal."""
        if not self._experiment.pointer.model.has_bodies:
            return []
        room, count = 64, ffi.new("int *")
        while True:
            points, place = ffi.new("carom_body_point[]", room), np.empty((room, 3))
            status = lib.carom_python_stepper_points(self._pointer, room, points, pointer_to(place), count, self._error)
            _calls.check(status, self._error)
            if count[0] <= room:
                break
            room = count[0]
        return [self._point(points[i], place[i].copy()) for i in range(count[0])]

    def _point(self, point: Any, place: np.ndarray) -> Contact:
        model, room = self._experiment.pointer.model, ffi.new("char[320]")
        name = _calls.text_of(lib.carom_bodies_model_pair_name(model, point.a, point.b, room, len(room))) or ""
        normal, impulse = np.array(list(point.normal)), np.array(list(point.impulse))
        pushed = float(normal @ impulse)
        along = float(np.linalg.norm(impulse - pushed * normal))
        status = "open" if not impulse.any() else "slip" if along >= (1 - 1e-6) * point.friction * pushed else "stick"
        bodies = (_calls.text_of(lib.carom_python_stepper_body_name(self._pointer, point.a)) or "",
                  _calls.text_of(lib.carom_python_stepper_body_name(self._pointer, point.b)) or "")
        return Contact(name, point.gap, impulse, status, bodies, place, normal)

    # ---- steps

    def _step_with(self, n: int = 1, /, **inputs: Any) -> None:
        """`step` with arguments; without them it is in C."""
        if inputs:
            self.input.give(inputs)
        if isinstance(n, int) and n == 1 and n is not True:
            self.step()
        else:
            self.run(n)

    def run(self, n: int, /, **inputs: Any) -> None:
        """n steps, as fast as in C. Ctrl-C raises Interrupted after the step under way."""
        if isinstance(n, bool) or not isinstance(n, numbers.Integral) or not 0 <= n <= _MOST_STEPS:
            raise ValueError(f"n = {n!r}: a number of steps is needed, a whole number from 0 on")
        if inputs:
            self.input.give(inputs)
        done = ffi.new("long *")
        with _calls.interruptible() as call:
            status = lib.carom_python_stepper_run(self._pointer, int(n), done, self._error)
        self.steps += done[0]
        if call.asked:
            raise Interrupted(f"interrupted after {done[0]} of {n} steps, at t = {self.t:.10g}", self)
        if status:
            self._fail()

    def _fail(self) -> NoReturn:
        problem = _calls.exception_of(self._error.status, _calls.text_of(self._error.text) or "")
        if isinstance(problem, StepError):
            problem.result = self
        raise problem

    # ---- other states

    def set(self, q: Any = None, v: Any = None, t: Optional[float] = None) -> None:
        """Goes to another state: arrays, or values by name. What is left out is as it is.

        The scheme begins there anew, so that nothing it remembers belongs to the motion before. Inputs and forces stay.

        >>> s = carom.experiment("moreau-1986/trial-04").stepper()
        >>> s.set(q={s.coordinates[0]: 0.5}, t=0)
        >>> float(s.q[0]), s.t
        (0.5, 0.0)
        """
        q = self._values("q", q, self._experiment.coordinates, self.q)
        v = self._values("v", v, self._experiment.velocities, self.v)
        time = np.nan if t is None else float(t)
        if t is not None and not np.isfinite(time):
            raise ValueError(f"t = {time}: a finite number is needed")
        status = lib.carom_python_stepper_set(self._pointer, time, pointer_to(q), pointer_to(v), self._error)
        if status:
            self._fail()

    @staticmethod
    def _values(what: str, given: Any, names: List[str], now: np.ndarray) -> np.ndarray:
        if given is None:
            return now.copy()
        if not isinstance(given, Mapping):
            return doubles(given, what, len(names))
        values: List[Any] = list(now)
        for name, value in given.items():
            if name not in names:
                raise refuse_name("coordinate", str(name), names)
            values[names.index(name)] = value
        return doubles(values, what, len(names))

    def save(self) -> State:
        """The state with everything that the scheme remembers, for `restore`."""
        snapshot = ffi.new("carom_snapshot *")
        _calls.check(lib.carom_python_stepper_save(self._pointer, snapshot, self._error), self._error)
        try:
            data = bytes(ffi.buffer(snapshot.bytes, snapshot.length))
            return State(self.t, data, _seal_of(data))
        finally:
            lib.carom_snapshot_free(snapshot)

    def restore(self, state: State) -> None:
        """Back to a state that this stepper, or another one of the same model, scheme and step, has saved.

        The steps that follow have the same bits.
        """
        if not isinstance(state, State):
            raise TypeError(f"a state that save() made is needed, not {type(state).__name__}; for numbers there is set()")
        data = state._bytes
        if not isinstance(data, bytes) or _seal_of(data) != state._seal:
            raise ModelError("the state is damaged: it is not what save() made")
        _calls.check(lib.carom_python_stepper_restore(self._pointer, ffi.from_buffer(data), len(data), self._error),
                     self._error)

    def copy(self) -> "Stepper":
        """Another stepper in the same state, on its own from here on: for a look ahead, or for another thread."""
        other = Stepper(*self._arguments, **self._keywords)
        other.restore(self.save())
        other.steps, other._first = self.steps, self._first
        return other

    __copy__ = copy

    def __deepcopy__(self, memo: Dict[int, Any]) -> "Stepper":
        return self.copy()

    def reset(self) -> None:
        """Back to the start, with the inputs of the start."""
        self.restore(self._first)
        self.steps = 0

    def __repr__(self) -> str:
        name = _calls.text_of(self._experiment.pointer.name)
        return f"<Stepper {name}: t = {self.t:.6g} after {self.steps} steps of {self.h:g}, {self.scheme}>"

    @property
    def h(self) -> float:
        return lib.carom_python_stepper_step_size(self._pointer)

    @property
    def scheme(self) -> str:
        return _calls.text_of(lib.carom_python_stepper_scheme(self._pointer)) or ""


def _seal_of(data: bytes) -> bytes:
    """By which bytes that came by ways of their own are known to be those that were saved: the library believes them."""
    return hashlib.blake2b(data, digest_size=16, person=b"carom state").digest()


def _address(pointer: Any) -> int:
    return int(ffi.cast("uintptr_t", pointer))


def _free(experiment: Experiment, pointer: Any) -> None:
    lib.carom_python_stepper_free(pointer)
