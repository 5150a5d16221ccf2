"""Long-term behaviour: bifurcation diagrams and basins of attraction, on all cores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _calls
from ._arrays import pointer_to
from ._experiment import Experiment, find_scheme
from ._native import ffi, lib
from ._studies import copied, number, positive, pyplot, refuse_study, scheme_options, split_values, text_list, whole
from .errors import FileError, Interrupted, ModelError

if TYPE_CHECKING:
    from .model import Model

_AXES_MOST = 2
_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#333333"]


def _state_names(experiment: Experiment) -> List[str]:
    return [*experiment.coordinates, *(f"v:{name}" for name in experiment.velocities)]


def _place(names: Sequence[str], name: Any) -> int:
    bare = name[2:] if isinstance(name, str) and name.startswith("q:") else name
    if bare not in names:
        raise ModelError(f"there is no '{name}' in a state of this model; it has {', '.join(names)}")
    return names.index(bare)


def _save(path: "os.PathLike[str] | str", write: Any) -> None:
    name = os.fspath(path)
    if not name.endswith((".h5", ".hdf5")):
        raise ValueError(f"'{name}': a name that ends in .h5 or .hdf5 is needed")
    error = _calls.new_error()
    status = write(_calls.bytes_of(name), error)
    if status == lib.CAROM_BAD_INPUT:
        raise FileError(_calls.text_of(error.text) or "")
    _calls.check(status, error)


def _ints(count: int) -> Tuple[np.ndarray, Any]:
    found = np.zeros(count, dtype=np.intc)
    return found, ffi.from_buffer("int[]", found)


class Diagram:
    """What `Model.bifurcation` returns: the looks of a motion over a parameter, course by course.

    >>> d = carom.experiment("oscillators/impact").bifurcation("w", 2.5, 2.7, 5, skip=1000, iterates=8)
    >>> d.period[0].tolist(), d["x"].shape
    ([1, 1, 1, 1, 2], (1, 5, 8))

    Attributes
    ----------
    parameter : its name
    values : courses x points, in the order in which a course goes
    directions : "up" or "down" of each course; starts : number of its start, from 0
    period : of each value, in looks; 0: not periodic up to `longest`
    impacts : in one period; without one in all looks
    forcing : forcing period of each value
    status : "returned", "escaped", "no-impact", "failed"; messages : why, None where nothing failed
    t : times of the looks
    scheme : that computed it

    `d["x"]` and `d["v:x"]` are positions and velocities, courses x points x looks, NaN where there is no look.
    """

    def __init__(self, experiment: Experiment, pointer: Any, parameter: str):
        self._experiment, self._pointer, self.parameter = experiment, pointer, parameter
        self.names = _state_names(experiment)
        shape = (pointer.courses, pointer.points)
        count = shape[0] * shape[1]
        values, forcing = np.empty(count), np.empty(count)
        (period, to_period), (impacts, to_impacts), (end, to_end) = (_ints(count) for _ in range(3))
        lib.carom_python_diagram_points(pointer, pointer_to(values), pointer_to(forcing), to_period, to_impacts, to_end)
        self.values, self.forcing = values.reshape(shape), forcing.reshape(shape)
        self.period, self.impacts = period.reshape(shape), impacts.reshape(shape)
        self.done = (end >= 0).reshape(shape)
        words = ["interrupted", *(_calls.text_of(lib.carom_return_word(i)) or "" for i in range(lib.CAROM_RETURN_FAILED + 1))]
        self.status = np.array(words)[end + 1].reshape(shape)
        messages = np.full(count, None, dtype=object)
        for i in np.flatnonzero(end == lib.CAROM_RETURN_FAILED):
            messages[i] = _calls.text_of(pointer.point[int(i)].message)
        self.messages = messages.reshape(shape)
        two = pointer.directions == 2
        self.directions = [("down" if (i % 2 if two else pointer.first_is_down) else "up") for i in range(shape[0])]
        self.starts = [i // pointer.directions for i in range(shape[0])]
        self.longest, self.tolerance = int(pointer.longest), float(pointer.tolerance)
        self.scheme = _calls.text_of(pointer.scheme.name)
        self.threads, self.wall_seconds = int(pointer.threads), float(pointer.wall_seconds)
        self._looks = lib.carom_python_diagram_looks(pointer)
        self._states: Dict[int, np.ndarray] = {}

    def _state(self, entry: int) -> np.ndarray:
        if entry not in self._states:
            found = np.empty((*self.values.shape, self._looks))
            lib.carom_python_diagram_states(self._pointer, entry, self._looks, pointer_to(found))
            self._states[entry] = found
        return self._states[entry]

    @property
    def t(self) -> np.ndarray:
        return self._state(-1)

    def __getitem__(self, name: str) -> np.ndarray:
        bare = name[2:] if name.startswith("q:") else name
        if bare not in self.names:
            raise KeyError(f"there is no '{name}'; there are {', '.join(self.names)}")
        return self._state(self.names.index(bare))

    def __repr__(self) -> str:
        courses, points = self.values.shape
        return (f"<Diagram of {_calls.text_of(self._experiment.pointer.name)} over {self.parameter}: {points} values, "
                f"{courses} course{'s' if courses > 1 else ''} of {self._looks} looks>")

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes an HDF5 file, as `carom bifurcation --out` does.

        >>> carom.experiment("oscillators/impact").bifurcation("w", 2.5, 2.7, 3).save("diagram.h5")
        """
        _save(path, lambda name, error: lib.carom_diagram_write_file(
            name, self._experiment.pointer, _calls.bytes_of(self.parameter), self._pointer, error))

    def plot(self, name: Optional[str] = None) -> Any:
        """Draws a position or velocity, the first position unless told, over the parameter, a colour per direction or start.

        >>> figure = carom.experiment("oscillators/impact").bifurcation("w", 2.5, 2.7, 5).plot("x")
        """
        shown = self.names[0] if name is None else name
        value = self[shown]
        figure, place = pyplot().subplots(figsize=(9, 5))
        by = self.starts if len(set(self.directions)) == 1 else [int(d == "down") for d in self.directions]
        for course in range(len(value)):
            x = np.repeat(self.values[course], value.shape[2])
            place.plot(x, value[course].reshape(-1), ",", color=_COLOURS[by[course] % len(_COLOURS)], alpha=0.5)
        place.set_xlabel(self.parameter)
        place.set_ylabel(shown)
        return figure


class Basin:
    """What `Model.basin` returns: where motions end up.

    >>> b = carom.experiment("oscillators/impact").basin({"q:x": (0, 2, 12), "v:x": (-2, 2, 12)})
    >>> [(a["period"], a["impacts"]) for a in b.attractors], b.attractor.shape
    ([(3, 3), (1, 1)], (12, 12))

    Attributes
    ----------
    axes : dict of arrays: the values of each axis
    attractor : of each cell, its place in `attractors`; -1: none
    attractors : dicts with `period` (0: not periodic), `impacts` per period (None: not periodic), `impacts_per_period`, `share`,
        `cells`, and `points`, an array of its states once per forcing period
    end : words of the cells: "periodic", "not-periodic", "unsettled", "escaped", "failed", "outside"
    period, impacts : of the cells
    last : state of each cell at the end, positions and velocities
    shares : of the ends, a dict; names : of the entries of a state
    """

    def __init__(self, experiment: Experiment, pointer: Any, names: Sequence[str]):
        self._experiment, self._pointer = experiment, pointer
        self.names = _state_names(experiment)
        self.axes: Dict[str, np.ndarray] = {}
        for i, name in enumerate(names):
            axis = ffi.addressof(pointer.axis, i)
            self.axes[name] = np.array([lib.carom_basin_axis_value(axis, k) for k in range(axis.count)])
        self.shape = tuple(len(values) for values in self.axes.values())
        count = pointer.cells
        (attractor, to_attractor), (end, to_end), (period, to_period), (impacts, to_impacts) = (_ints(count) for _ in range(4))
        lib.carom_python_basin_cells(pointer, to_attractor, to_end, to_period, to_impacts)
        self.attractor, self.period, self.impacts = (a.reshape(self.shape) for a in (attractor, period, impacts))
        words = ["interrupted", *(_calls.text_of(lib.carom_basin_end_word(i)) or "" for i in range(6))]
        self.end = np.array(words)[end + 1].reshape(self.shape)
        self.last = copied(pointer.last, *self.shape, pointer.state)
        self.shares: Dict[str, float] = {word: float(np.mean(self.end == word)) for word in words[1:]}
        self.attractors: List[Dict[str, Any]] = [self._attractor(pointer.attractor[i]) for i in range(pointer.attractor_count)]
        self.periods, self.forcing = int(pointer.periods), float(pointer.period)
        self.scheme = _calls.text_of(pointer.scheme.name)
        self.threads, self.wall_seconds = int(pointer.threads), float(pointer.wall_seconds)

    def _attractor(self, found: Any) -> Dict[str, Any]:
        periodic = found.end == lib.CAROM_BASIN_PERIODIC
        states = found.period if periodic and not self._pointer.by_name else 1
        return {"period": int(found.period), "impacts": int(found.impacts) if periodic else None,
                "impacts_per_period": float(found.impact_rate), "share": found.cells / self._pointer.cells,
                "cells": int(found.cells), "points": copied(found.point, states, self._pointer.state)}

    def __repr__(self) -> str:
        over = ", ".join(f"{name} ({len(values)} values)" for name, values in self.axes.items())
        return (f"<Basin of {_calls.text_of(self._experiment.pointer.name)} over {over}: {len(self.attractors)} attractor"
                f"{'' if len(self.attractors) == 1 else 's'}>")

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes an HDF5 file, as `carom basin --out` does.

        >>> carom.experiment("oscillators/impact").basin({"q:x": (0, 2, 5)}).save("basin.h5")
        """
        kept = _calls.Kept()
        axes = text_list(kept, list(self.axes))
        _save(path, lambda name, error: lib.carom_basin_write_file(name, self._experiment.pointer, axes, self._pointer, error))

    def plot(self) -> Any:
        """Draws the map of two axes, a colour per attractor; of one axis its attractors as steps.

        >>> figure = carom.experiment("oscillators/impact").basin({"q:x": (0, 2, 8), "v:x": (-2, 2, 8)}).plot()
        """
        figure, place = pyplot().subplots(figsize=(7, 6))
        (across, columns), *rest = self.axes.items()
        place.set_xlabel(across)
        if not rest:
            place.step(columns, self.attractor, where="mid")
            place.set_ylabel("attractor")
            return figure
        ((up, rows),) = rest
        colours = place.pcolormesh(columns, rows, np.where(self.attractor < 0, np.nan, self.attractor).T, shading="nearest")
        place.set_ylabel(up)
        figure.colorbar(colours, ax=place, label="attractor")
        return figure


# ---- calls


def _begin(model: "Model", scheme: Any, h: Any, options: Optional[Mapping[str, Any]], values: Mapping[str, Any],
           kept: _calls.Kept, returns: Any) -> Experiment:
    """Reads the model with the values and fills what both requests have."""
    refuse_study(model)
    integrate = model._integration(scheme, h, 1.0)
    plain = model._experiment({}, integrate)
    own = _calls.text_of(plain.pointer.scheme)
    schemes = [find_scheme(name) for name in [scheme or own] if name is not None]
    fixed, others = split_values(plain, values, schemes)
    experiment = model._read(fixed, integrate)
    returns.experiment = experiment.pointer
    returns.scheme = kept.text(None if scheme is None else str(scheme))
    returns.h = positive("h", h) if h is not None else 0.0
    returns.option = scheme_options(kept, others, options)
    return experiment


def _start(kept: _calls.Kept, names: Sequence[str], given: Mapping[str, Any], own: Tuple[np.ndarray, np.ndarray]) -> Any:
    state = np.concatenate(own)
    for name, value in given.items():
        state[_place(names, name)] = number(name, value)
    numbers = kept.array("double[]", [float(x) for x in state])
    return numbers, numbers + len(own[0])


def bifurcation(model: "Model", parameter: str, start: Any, end: Any, points: Any, iterates: Any, skip: Any, direction: str,
                restart: bool, starts: Any, section: Optional[str], wait: Any, period: Any, longest: Any, tolerance: Any,
                escape: Any, scheme: Any, h: Any, threads: Any, options: Optional[Mapping[str, Any]],
                values: Mapping[str, Any]) -> Diagram:
    """Model.bifurcation."""
    if direction not in ("up", "down", "both"):
        raise ValueError(f"direction = {direction!r}: 'up', 'down' or 'both' is needed")
    if parameter in values:
        raise ModelError(f"'{parameter}' varies and has one value: leave it out")
    kept = _calls.Kept()
    request = ffi.new("carom_diagram_request *")
    experiment = _begin(model, scheme, h, options, values, kept, request.returns)
    if not isinstance(parameter, str) or parameter not in experiment.parameters:
        raise ModelError(f"there is no parameter '{parameter}'; there are {', '.join(experiment.parameters) or 'none'}")
    request.parameter = kept.text(parameter)
    setattr(request, "from", number("start", start))
    request.to = number("end", end)
    request.points = whole("points", points, 1, 10_000_000)
    request.iterates = whole("iterates", iterates, 1, 1_000_000)
    request.skip = whole("skip", skip, 0, 2_000_000_000) or -1
    request.up, request.down, request.restart = direction != "down", direction != "up", bool(restart)
    if section is not None:
        request.returns.at_impact = True
        if section not in experiment.contacts:
            raise ModelError(f"there is no contact '{section}'; there are {', '.join(experiment.contacts) or 'none'}")
        request.returns.contact = experiment.contacts.index(section)
    for name, value in (("period", period), ("wait", wait), ("escape", escape)):
        if value is not None:
            setattr(request.returns, name, positive(name, value))
    if longest is not None:
        request.longest = whole("longest", longest, 1, 10000)
    if tolerance is not None:
        request.tolerance = positive("tolerance", tolerance)
    request.threads = whole("threads", threads, 0, 256)
    if starts is not None:
        names, run = _state_names(experiment), model.stepper(scheme=scheme, h=h, **values)
        own = np.array(run.q, dtype=float), np.array(run.v, dtype=float)
        request.start_count = len(starts)
        request.start = kept.array("carom_diagram_start[]", [_start(kept, names, given, own) for given in starts])
    pointer = ffi.gc(ffi.new("carom_diagram *"), lib.carom_diagram_free)
    error = _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_python_diagram(request, pointer, error)
    if status not in (lib.CAROM_OK, lib.CAROM_INTERRUPTED):
        model._check(status, error)
    found = Diagram(experiment, pointer, parameter)
    if call.asked or status == lib.CAROM_INTERRUPTED:
        raise Interrupted(_calls.text_of(error.text) or "interrupted", found)
    return found


def _axis(experiment: Experiment, name: str, over: Any, to: Any) -> None:
    if not isinstance(over, (tuple, list)) or len(over) != 3:
        raise ModelError(f"{name}: an axis is (from, to, count), such as (0, 2, 64)")
    setattr(to, "from", number(name, over[0]))
    to.to, to.count = number(name, over[1]), whole(name, over[2], 2, 100_000)
    positions = len(experiment.coordinates)
    if name.startswith(("q:", "v:")):
        place = _place(_state_names(experiment), name)
        to.kind = lib.CAROM_BASIN_POSITION if place < positions else lib.CAROM_BASIN_VELOCITY
        to.index = place if place < positions else place - positions
    elif name in experiment.parameters:
        to.kind, to.index = lib.CAROM_BASIN_PARAMETER, experiment.parameters[name]
    else:
        raise ModelError(f"'{name}' is no axis: starts are q:NAME and v:NAME; parameters: {', '.join(experiment.parameters) or 'none'}")


def basin(model: "Model", over: Mapping[str, Any], periods: Any, period: Any, longest: Any, tolerance: Any, escape: Any,
          scheme: Any, h: Any, threads: Any, options: Optional[Mapping[str, Any]], values: Mapping[str, Any]) -> Basin:
    """Model.basin."""
    if not isinstance(over, Mapping) or not 1 <= len(over) <= _AXES_MOST:
        raise ModelError("over: a dict with one or two axes is needed, such as {'q:x': (0, 2, 64), 'v:x': (-1, 1, 64)}")
    kept = _calls.Kept()
    request = ffi.new("carom_basin_request *")
    experiment = _begin(model, scheme, h, options, values, kept, request.returns)
    request.axis_count = len(over)
    for i, (name, values_of) in enumerate(over.items()):
        _axis(experiment, name, values_of, request.axis[i])
    request.periods = whole("periods", periods, 1, 100_000_000)
    for name, value in (("period", period), ("escape", escape)):
        if value is not None:
            setattr(request.returns, name, positive(name, value))
    if longest is not None:
        request.longest = whole("longest", longest, 1, 10000)
    if tolerance is not None:
        request.tolerance = positive("tolerance", tolerance)
    request.threads = whole("threads", threads, 0, 256)
    pointer = ffi.gc(ffi.new("carom_basin *"), lib.carom_basin_free)
    error = _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_python_basin(request, pointer, error)
    if status not in (lib.CAROM_OK, lib.CAROM_INTERRUPTED):
        model._check(status, error)
    found = Basin(experiment, pointer, list(over))
    if call.asked or status == lib.CAROM_INTERRUPTED:
        raise Interrupted(_calls.text_of(error.text) or "interrupted", found)
    return found
