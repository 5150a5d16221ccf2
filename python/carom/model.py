"""Models: from a file, from text, by the name of an experiment; and what can be done with them."""

from __future__ import annotations

import os
import pathlib
import threading
from typing import Any, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _calls, _files, motion
from ._arrays import doubles, pointer_to
from ._experiment import Experiment, as_text, find_scheme, option_list
from ._native import ffi, lib
from .errors import Interrupted, ModelError, StepError
from .impact import ImpactResult, of_model

_PUSHES_MOST = 2_000_000


class Parameter:
    """A parameter of a model: name, value, unit, doc, min, max, integer."""

    def __init__(self, name: str, info: Any, value: float):
        self.name, self.value = name, value
        self.unit, self.doc = _calls.text_of(info.unit), _calls.text_of(info.doc)
        self.min, self.max, self.integer = info.min, info.max, bool(info.integer)

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        doc = f" ({self.doc})" if self.doc else ""
        return f"<{self.name} = {self.value:g}{unit}{doc}>"


class Model:
    """A model with all that its file says: start, scheme, measures, plots.

    >>> ball = carom.Model('''
    ... local y = coordinates("y")
    ... local e = param("e", 0.8)
    ... mass(1)  potential(9.81 * y)
    ... contact { "floor", gap = y, restitution = e }
    ... initial { y = 1 }
    ... integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
    ... ''')
    >>> ball.coordinates
    ['y']
    >>> ball.run(e=0.5).status
    'ok'
    """

    def __init__(self, source: "os.PathLike[str] | str", *, variant: Optional[str] = None, **values: Any):
        self._lock = threading.Lock()
        self._source = _source_of(source, variant)
        self._values: Dict[str, Any] = dict(values)
        self._experiments: Dict[Tuple[Tuple[str, str], ...], Experiment] = {}
        self._experiment({})  # what is wrong is said here

    def _experiment(self, settings: Mapping[str, Any]) -> Experiment:
        """The model with these settings, read once."""
        texts = {name: as_text(name, value) for name, value in {**self._values, **settings}.items()}
        key = tuple(sorted(texts.items()))
        with self._lock:
            if key not in self._experiments:
                if len(self._experiments) > 16:
                    self._experiments.pop(next(iter(self._experiments)))
                self._experiments[key] = Experiment(**self._source, values=texts)
            return self._experiments[key]

    # ---- what it is

    @property
    def name(self) -> str:
        return _calls.text_of(self._experiment({}).pointer.name) or ""

    @property
    def title(self) -> Optional[str]:
        return _calls.text_of(self._experiment({}).pointer.title)

    @property
    def text(self) -> str:
        """The model file."""
        return _calls.text_of(self._experiment({}).pointer.text) or ""

    @property
    def parameters(self) -> Dict[str, Parameter]:
        experiment = self._experiment({})
        return {name: Parameter(name, experiment.parameter_info(name), experiment.pointer.parameter[i])
                for name, i in experiment.parameters.items()}

    @property
    def settings(self) -> Dict[str, Any]:
        """Values that shape the model: its size, its kind."""
        return dict(self._experiment({}).settings)

    @property
    def coordinates(self) -> List[str]:
        return list(self._experiment({}).coordinates)

    @property
    def contacts(self) -> List[str]:
        return list(self._experiment({}).contacts)

    @property
    def joints(self) -> List[str]:
        return list(self._experiment({}).joints)

    @property
    def measures(self) -> List[str]:
        return list(self._experiment({}).measures)

    @property
    def variants(self) -> List[str]:
        pointer = self._experiment({}).pointer
        return [_calls.text_of(pointer.variants[i].name) or "" for i in range(pointer.variant_count)]

    def schemes(self) -> List[str]:
        """Names of the schemes that can integrate it.

        >>> "moreau-jean" in carom.experiment("moreau-1986/trial-04").schemes()
        True
        """
        pointer, names = self._experiment({}).pointer, []
        for i in range(lib.carom_scheme_count()):
            scheme = lib.carom_scheme_at(i)
            if lib.carom_scheme_accepts(scheme, pointer.model, ffi.NULL) == lib.CAROM_OK:
                names.append(_calls.text_of(scheme.name) or "")
        return names

    def __repr__(self) -> str:
        experiment = self._experiment({})
        return (f"<Model {self.name}: {len(experiment.coordinates)} coordinates, "
                f"{len(experiment.contacts)} contacts, {len(experiment.joints)} joints>")

    # ---- what it does

    def _prepare(self, values: Mapping[str, Any], scheme: Optional[str],
                 options: Optional[Mapping[str, Any]]) -> Tuple[Experiment, np.ndarray, Dict[str, Any]]:
        """Experiment, parameters and options of the scheme for keywords of a call."""
        plain = self._experiment({})
        chosen = find_scheme(scheme if scheme is not None else _calls.text_of(plain.pointer.scheme))
        parameters, settings, others = plain.split(values, chosen)
        experiment = self._experiment(settings) if settings else plain
        return experiment, experiment.parameter_values(parameters), {**others, **(options or {})}

    def run(self, *, scheme: Optional[str] = None, h: Optional[float] = None, until: Optional[float] = None,
            t0: Optional[float] = None, q0: Any = None, v0: Any = None, every: int = 1, events: bool = True,
            max_steps: Optional[int] = None, options: Optional[Mapping[str, Any]] = None, strict: bool = True,
            **values: Any) -> motion.Motion:
        """Computes the motion.

        Keywords are parameters and settings of the model, and options of the scheme (`theta=1`, `solver="nsgs"`);
        what is left out is as the model says.

        Parameters
        ----------
        scheme : how it is integrated; see `schemes()`
        h, until, t0 : step, end and start
        q0, v0 : positions and velocities at the start
        every : keep every so many outputs; measures see all
        events : keep the impacts, releases and stops
        max_steps : stop after so many
        options : options of the scheme as a dict, where a parameter has the same name
        strict : raise StepError when the motion cannot go on; False: return it with its status

        >>> r = carom.experiment("moreau-1986/trial-04").run()
        >>> r.status, r.trusted
        ('ok', True)
        """
        experiment, parameter, chosen = self._prepare(values, scheme, options)
        kept = _calls.Kept()
        request = ffi.new("carom_run_request *")
        request.experiment, request.parameter = experiment.pointer, pointer_to(parameter)
        request.scheme = kept.text(scheme)
        request.option = option_list(kept, chosen)
        for name, value in (("h", h), ("until", until), ("t0", t0)):
            if value is not None:
                setattr(request, name, _exactly(name, value))
        starts = [self._start(request, "q0", q0, len(experiment.coordinates)),
                  self._start(request, "v0", v0, len(experiment.velocities))]
        if not isinstance(every, (int, np.integer)) or not 1 <= every < 2**31:
            raise ValueError(f"every = {every!r}: a whole number from 1 on is needed")
        request.record_every, request.events, request.event_points = int(every), events, events
        if max_steps is not None:
            request.max_steps = int(max_steps)
        rows, result, error = motion._Rows(), motion._Result(), _calls.new_error()
        rows.series.layout = lib.carom_row_layout_of(experiment.pointer)
        rows.pushes.limit = _PUSHES_MOST
        recorders = [lib.carom_series_recorder(rows.series)]
        if experiment.pointer.model.has_bodies:
            recorders.append(lib.carom_push_series_recorder(rows.pushes))
        request.recorder_count, request.recorder = len(recorders), kept.array("carom_recorder[]", recorders)
        request.progress = lib.carom_python_progress(ffi.NULL)
        with _calls.interruptible() as call:
            status = lib.carom_run(request, result.pointer, error)
        del starts
        if status in (lib.CAROM_BAD_INPUT, lib.CAROM_NO_MEMORY):
            _calls.check(status, error)
        found = motion.of_run(experiment, parameter, rows, result)
        if call.asked:
            raise Interrupted(found.message or "interrupted", found)
        if status != lib.CAROM_OK and strict:
            raise StepError(found.message, found)
        return found

    def impact(self, law: Optional[str] = None, *, restitution: Any = None, q: Any = None, v: Any = None,
               t: Optional[float] = None, gap_tolerance: Optional[float] = None, allow_gain: bool = False, history: bool = False,
               strict: bool = True, options: Optional[Mapping[str, Any]] = None, **values: Any) -> ImpactResult:
        """The impact of its closed contacts at the start, or at other positions and velocities.

        Keywords are parameters and settings of the model, and options of the law (`options` where a parameter has the same
        name). Contacts are closed up to a gap of `gap_tolerance`, 1e-9; `restitution`, one number or one per closed contact,
        replaces theirs. See `carom.impact`.

        >>> ball = carom.Model('''
        ... local y = coordinates("y")
        ... mass(2)  contact { "floor", gap = y, restitution = 0.5 }
        ... initial { y = 0, [dot(y)] = -1 }
        ... integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
        ... ''')
        >>> result = ball.impact()
        >>> result.contacts, result.velocity, result.impulses
        (['floor'], array([0.5]), array([3.]))
        >>> ball.impact(v=[-4], restitution=0).velocity
        array([0.])
        """
        return of_model(self, law, restitution, q, v, t, gap_tolerance, allow_gain, history, strict, options, values)

    @staticmethod
    def _start(request: Any, name: str, given: Any, count: int) -> Optional[np.ndarray]:
        if given is None:
            return None
        array = doubles(given, name, count)
        setattr(request, name, pointer_to(array))
        return array


def _exactly(name: str, value: Any) -> float:
    """A number that a request takes as given: 0 means "not given" there, and stands for itself as the smallest one."""
    number = float(value)
    if not np.isfinite(number):
        raise ModelError(f"{name} = {number}: a finite number is needed")
    return number if number != 0.0 else 5e-324


def _source_of(source: Any, variant: Optional[str]) -> Dict[str, Any]:
    """What carom_experiment_load is to read: a text with several lines, a file, or an experiment by its name."""
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return {"text": source, "file": "(text)", "variant": variant}
    path = pathlib.Path(os.fspath(source))
    if path.is_file() or path.suffix == ".lua":
        return {"file": str(path), "variant": variant}
    file, found = _files.find(str(source))
    return {"file": str(file), "name": str(source), "variant": variant or found}


def experiment(name: str, **values: Any) -> Model:
    """A published experiment by its name.

    >>> carom.experiment("moreau-1986/trial-04").name
    'moreau-1986/trial-04'
    """
    return Model(name, **values)


def run(source: "os.PathLike[str] | str | Model", **keywords: Any) -> motion.Motion:
    """Computes the motion of a model file, a text, or an experiment by its name.

    >>> r = carom.run("moreau-1986/trial-04")
    >>> len(r.t) == len(r.energy)
    True
    """
    model = source if isinstance(source, Model) else Model(source)
    return model.run(**keywords)
