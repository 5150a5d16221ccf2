"""Models: from a file, from text, by the name of an experiment; and what can be done with them."""

from __future__ import annotations

import os
import pathlib
import threading
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _calls, _files, motion
from . import accuracy as accuracy_of
from ._arrays import doubles, pointer_to
from ._experiment import Experiment, as_text, exactly, find_scheme, option_list
from ._native import ffi, lib
from ._vocabulary import vocabulary
from .errors import Interrupted, ModelError, StepError
from .impact import ImpactResult, of_model
from .language import Language, set_default_vocabulary
from .sensitivity import Slopes, names_of
from .stepper import Stepper
from .studies import Studies

set_default_vocabulary(vocabulary())

_PUSHES_MOST = 2_000_000
_SAID = "(python)"  # the file of a model that was built here
_INTEGRATE = 'integrate {{ scheme = "{}", h = {!r}, until_t = {!r} }}\n'


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


class Names(Sequence[str]):
    """Names of coordinates, looked up when they are asked for; called, it is the statement that makes them: m.coordinates("x", "y")."""

    def __init__(self, names: Callable[[], Iterable[str]], statement: Callable[..., Any]):
        self._names, self._statement = names, statement

    def __call__(self, *names: Any) -> Any:
        return self._statement(*names)

    def __getitem__(self, index: Any) -> Any:
        return list(self._names())[index]

    def __len__(self) -> int:
        return len(list(self._names()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Names, list, tuple)):
            return NotImplemented
        return list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))


class Model(Studies, Language):
    """A model with all that its file says: start, scheme, measures, plots.

    From a file, from text, by the name of an experiment:

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

    or built in Python, where every word of the language is a method:

    >>> m = carom.Model()
    >>> y = m.coordinates("y")
    >>> e = m.param("e", 0.8)
    >>> m.mass(1)
    >>> m.potential(9.81 * y)
    >>> m.contact("floor", gap=y, restitution=e)
    >>> m.initial(y=1)
    >>> bool((m.run(h=1e-3, until=2, e=0.5).q == ball.run(e=0.5).q).all())
    True
    """

    def __init__(self, source: "os.PathLike[str] | str | None" = None, *, variant: Optional[str] = None, **values: Any):
        super().__init__()
        self._lock = threading.Lock()
        self._source = None if source is None else _source_of(source, variant)
        self._values: Dict[str, Any] = dict(values)
        self._experiments: Dict[Any, Experiment] = {}
        if self._source is not None:
            self._experiment({})  # what is wrong is said here

    def _experiment(self, settings: Mapping[str, Any], integrate: str = "", force_inputs: bool = False) -> Experiment:
        """The model with these settings, read once; `integrate` is that statement of a model that has none, `force_inputs`
        adds an input to the force on every velocity."""
        texts = {name: as_text(name, value) for name, value in {**self._values, **settings}.items()}
        source = self._source or {"text": self._said(integrate), "file": _SAID, "name": "model"}
        key = (tuple(sorted(texts.items())), None if self._source else source["text"], force_inputs)
        with self._lock:
            if key not in self._experiments:
                if len(self._experiments) > 16:
                    self._experiments.pop(next(iter(self._experiments)))
                self._experiments[key] = self._load({**source, "force_inputs": force_inputs}, texts)
            return self._experiments[key]

    def _load(self, source: Mapping[str, Any], values: Mapping[str, str]) -> Experiment:
        try:
            return Experiment(**source, values=values)
        except ModelError as problem:
            if self._source:
                raise
            raise ModelError(self.explained(str(problem), _SAID)) from None

    def _check(self, status: int, error: Any) -> None:
        """Raises what a status stands for, with lines of Python where the model was built there."""
        try:
            _calls.check(status, error)
        except ModelError as problem:
            if self._source:
                raise
            raise ModelError(self.explained(str(problem), _SAID)) from None

    def _said(self, integrate: str) -> str:
        """The text of a model that was built in Python, complete."""
        said = Language.text.fget(self)  # type: ignore[attr-defined]
        return said if self._integrates() else said + (integrate or _INTEGRATE.format("moreau-jean", 1e-3, 1.0))

    def _integrates(self) -> bool:
        """Does the model itself say how it is integrated?"""
        return bool(self._source) or self.says("integrate")

    @property
    def _trace(self) -> Any:
        """What was said in Python."""
        if self._source:
            raise ModelError("this model was read as a whole, nothing is added to it; carom.Model() begins an empty one")
        return super()._trace

    def _read(self, values: Mapping[str, Any], integrate: str = "") -> Experiment:
        """The model with these values, read anew for one call, which may change it."""
        texts = {name: as_text(name, value) for name, value in {**self._values, **values}.items()}
        return self._load(self._source or {"text": self._said(integrate), "file": _SAID, "name": "model"}, texts)

    # ---- what it is

    @property
    def name(self) -> str:
        return _calls.text_of(self._experiment({}).pointer.name) or ""

    @property
    def title(self) -> Optional[str]:
        return _calls.text_of(self._experiment({}).pointer.title)

    @property
    def text(self) -> str:
        """The model file, whether it was read or is what was said in Python."""
        if self._source is None:
            return Language.text.fget(self)  # type: ignore[attr-defined]
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
    def coordinates(self) -> Names:
        """Their names; and the statement that makes them, m.coordinates("x", "y")."""
        return Names(lambda: self._experiment({}).coordinates, super().coordinates)

    @property
    def contacts(self) -> List[str]:
        return list(self._experiment({}).contacts)

    @property
    def joints(self) -> List[str]:
        return list(self._experiment({}).joints)

    @property
    def inputs(self) -> List[str]:
        """Names of its inputs, whose values a stepper may change from step to step."""
        return list(self._experiment({}).inputs)

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

    def _prepare(self, values: Mapping[str, Any], scheme: Optional[str], options: Optional[Mapping[str, Any]],
                 integrate: str = "", force_inputs: bool = False) -> Tuple[Experiment, np.ndarray, Dict[str, Any]]:
        """Experiment, parameters and options of the scheme for keywords of a call."""
        plain = self._experiment({}, integrate)
        chosen = find_scheme(scheme if scheme is not None else _calls.text_of(plain.pointer.scheme))
        parameters, settings, others = plain.split(values, chosen)
        again = bool(settings) or force_inputs
        experiment = self._experiment(settings, integrate, force_inputs) if again else plain
        return experiment, experiment.parameter_values(parameters), {**others, **(options or {})}

    def run(self, *, scheme: Optional[str] = None, h: Optional[float] = None, until: Optional[float] = None,
            t0: Optional[float] = None, q0: Any = None, v0: Any = None, every: int = 1, events: bool = True,
            max_steps: Optional[int] = None, options: Optional[Mapping[str, Any]] = None, strict: bool = True,
            sensitivity: Any = None, accuracy: Any = None, **values: Any) -> motion.Motion:
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
        sensitivity : names by which derivatives are wanted, such as ["e", "q:y"]: parameters, and the start of positions
            (q:NAME) and velocities (v:NAME); see `Sensitivity`
        accuracy : largest relative error of every measure, such as 1e-3, or a dict {"height": 1e-5, None: 1e-3}, None for
            all others. The step is refined, and a scheme that nobody names is chosen; `accuracy` of the motion says what
            is known. One that is not met raises nothing

        >>> r = carom.experiment("moreau-1986/trial-04").run()
        >>> r.status, r.trusted
        ('ok', True)
        """
        integrate = self._integration(scheme, h, until, named=accuracy is None)
        experiment, parameter, chosen = self._prepare(values, scheme, options, integrate)
        kept = _calls.Kept()
        request = ffi.new("carom_run_request *")
        request.experiment, request.parameter = experiment.pointer, pointer_to(parameter)
        request.scheme = kept.text(scheme)
        request.option = option_list(kept, chosen)
        for name, value in (("h", h), ("until", until), ("t0", t0)):
            if value is not None:
                setattr(request, name, exactly(name, value))
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
        slopes = None
        if sensitivity is not None:
            names = names_of(sensitivity)
            slopes = Slopes(len(names), rows.series.layout.width)
            recorders.append(lib.carom_python_slopes_recorder(slopes.pointer))
            request.sensitivity_count = len(names)
            request.sensitivity = kept.array("const char *[]", [kept.text(name) for name in names])
        request.recorder_count, request.recorder = len(recorders), kept.array("carom_recorder[]", recorders)
        request.progress = lib.carom_python_progress(ffi.NULL)
        known = None
        with _calls.interruptible() as call:
            if accuracy is not None:
                known, status, error = accuracy_of.search(request, kept, accuracy)
                if status in (lib.CAROM_BAD_INPUT, lib.CAROM_NO_MEMORY):
                    self._check(status, error)
            if not call.asked:
                status = lib.carom_run(request, result.pointer, error)
        del starts
        if status in (lib.CAROM_BAD_INPUT, lib.CAROM_NO_MEMORY):
            self._check(status, error)
        if result.pointer.final == ffi.NULL:
            raise Interrupted("interrupted", None)
        found = motion.of_run(experiment, parameter, rows, result, slopes)
        if known is not None:
            found.accuracy = accuracy_of.describe(known)
        if call.asked:
            raise Interrupted(found.message or "interrupted", found)
        if status != lib.CAROM_OK and strict:
            raise StepError(found.message, found)
        return found

    def _integration(self, scheme: Optional[str], h: Optional[float], until: Optional[float], named: bool = True) -> str:
        """The statement integrate of a model that was built without it. Without a scheme it names the default, if it is to."""
        if self._integrates():
            return ""
        for name, value in (("h", h), ("until", until)):
            if value is None:
                raise ModelError(f"{name} is needed: run({name}=...), or m.integrate(scheme=..., h=..., until=...) in the model")
        text = _INTEGRATE.format(scheme or "moreau-jean", exactly("h", h), float(until or 0.0))
        return text if scheme or named else text.replace('scheme = "moreau-jean", ', "", 1)

    def stepper(self, *, h: Optional[float] = None, scheme: Optional[str] = None, q0: Any = None, v0: Any = None,
                t0: Optional[float] = None, forces: bool = False, options: Optional[Mapping[str, Any]] = None,
                **values: Any) -> "Stepper":
        """The motion step by step, for control and learning; see `Stepper`.

        Keywords are as for `run`; the value of an input is what it is until it is changed. With `forces` there is a
        generalized force on every velocity, `s.force`, beside those of the model.

        >>> ball = carom.Model('''
        ... local y = coordinates("y")
        ... mass(1)  potential(9.81 * y)  contact { "floor", gap = y, restitution = 0.8 }
        ... initial { y = 1 }  integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
        ... ''')
        >>> s = ball.stepper(forces=True)
        >>> s.force[0] = 9.81
        >>> s.run(100)
        >>> float(s.q[0])
        1.0
        """
        integrate = self._integration(scheme, h, 1.0)  # a stepper has no end
        experiment, parameter, chosen = self._prepare(values, scheme, options, integrate, forces)
        return Stepper(experiment, parameter, scheme, chosen, h=h, t0=t0, q0=q0, v0=v0, forces=forces)

    def strike(self, law: Optional[str] = None, *, restitution: Any = None, q: Any = None, v: Any = None,
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
        >>> result = ball.strike()
        >>> result.contacts, result.velocity, result.impulses
        (['floor'], array([0.5]), array([3.]))
        >>> ball.strike(v=[-4], restitution=0).velocity
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
    if source is None:
        raise TypeError("run: a model, a path, a text or the name of an experiment is needed, not None")
    model = source if isinstance(source, Model) else Model(source)
    return model.run(**keywords)
