"""A motion that was computed: arrays over time, measures, events, and what it says of itself."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Mapping, Optional

import numpy as np

from . import _calls, page, picture, tables
from ._arrays import pointer_to, view
from ._experiment import Experiment
from ._native import ffi, lib
from .sensitivity import Sensitivity, Slopes


class _Rows:
    """Owns a carom_series."""

    def __init__(self) -> None:
        self.series = ffi.gc(ffi.new("carom_series *"), lib.carom_series_free)
        self.pushes = ffi.gc(ffi.new("carom_push_series *"), lib.carom_push_series_free)


class _Result:
    """Owns a carom_run_result."""

    def __init__(self) -> None:
        self.pointer = ffi.gc(ffi.new("carom_run_result *"), lib.carom_run_result_free)


class ByName(Mapping[str, np.ndarray]):
    """Arrays by name: r.impulses["floor"]. Made when they are asked for, on the memory of the run."""

    def __init__(self, what: str, names: List[str], make: Any):
        self._what, self._names, self._make = what, names, make

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            index = self._names.index(name)
        except ValueError:
            raise KeyError(f"there is no {self._what} '{name}'; there are {', '.join(self._names) or 'none'}") from None
        return self._make(index)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<arrays of {self._what}s: {', '.join(self._names) or 'none'}>"


class Event:
    """Something that happened at a contact: t, kind, contact, rates, impulse, energies."""

    __slots__ = ("t", "kind", "contact", "rate_before", "rate_after", "impulse", "energy_before", "energy_after")
    t: float
    kind: str
    contact: str

    def __init__(self, **values: Any):
        for name, value in values.items():
            setattr(self, name, value)

    def __repr__(self) -> str:
        return f"<{self.kind} of {self.contact} at t = {self.t:.6g}>"


def measured(value: Any) -> Any:
    """A number, an array, or None: a carom_measured, copied."""
    if value.is_array:
        return np.array(ffi.unpack(value.value, value.count)) if value.count else np.empty(0)
    return value.value[0] if value.count else None


_CERTIFICATE = ("trusted", "energy_initial", "energy_final", "forces", "contacts", "joints", "scheme", "energy_scale",
                "penetration", "penetration_time", "drift", "drift_time", "contact_error", "contact_error_time",
                "contact_tolerance", "unsolved_steps", "fixed_rows_steps", "crossings")


def certificate_of(pointer: Any) -> Dict[str, Any]:
    result: Dict[str, Any] = {name: getattr(pointer, name) for name in _CERTIFICATE}
    for name in ("penetration_contact", "crossing_contact", "stop"):
        result[name] = _calls.text_of(getattr(pointer, name)) or None
    kept = min(pointer.doubts, len(pointer.doubt))
    result["doubts"] = [_calls.text_of(pointer.doubt[i]) for i in range(kept)]
    return result


class Motion:
    """What `carom.run` and `Model.run` return, and `carom.load` reads.

    >>> r = carom.run("moreau-1986/trial-04")
    >>> r.status
    'ok'
    >>> r.t.shape == r.energy.shape
    True

    Attributes
    ----------
    t : times of the outputs
    q, v : positions and velocities, a row per output
    energy : kinetic plus potential energy
    impulses, gaps, regimes : by name of a contact; impulses have a column for the normal and one per tangent
    measures : dict of numbers and arrays
    status : "ok", "stopped", or why it ended before: "failed", "interrupted", ...
    certificate : dict: `trusted`, the balance of energy, deepest penetration, and `doubts` in words
    events : list of impacts, releases, stops ...; in the order of time
    sensitivity : derivatives, where `run(sensitivity=...)` asked for them; else None
    accuracy : dict: `met`, `measures` with the `value` and `error` of each, `tried`, `why`, where `run(accuracy=...)` asked for it

    Arrays are views on the memory of the run, read-only; they stay valid when the motion is gone.
    """

    def __init__(self, experiment: Experiment, parameter: np.ndarray, rows: Any, series: Any):
        self._experiment, self._parameter, self._rows, self._series = experiment, parameter, rows, series
        self._layout = series.layout
        self._table = view(rows, series.rows, (series.count, self._layout.width))
        self._result: Optional[_Result] = None
        self._stored: Any = None  # of a run file
        self.members: List[Motion] = []  # of a family, in a run file
        self.status: str = ""
        self.message: str = ""
        self.scheme: str = ""
        self.h: float = np.nan
        self.steps: int = 0
        self.seconds: float = 0.0
        self.measures: Dict[str, Any] = {}
        self.certificate: Dict[str, Any] = {}
        self.warnings: List[str] = []
        self._events: Optional[List[Event]] = None
        self.sensitivity: Optional[Sensitivity] = None
        self.accuracy: Optional[Dict[str, Any]] = None

    # ---- arrays

    @property
    def t(self) -> np.ndarray:
        return self._table[:, 0]

    @property
    def q(self) -> np.ndarray:
        return self._table[:, self._layout.q : self._layout.q + self._layout.positions]

    @property
    def v(self) -> np.ndarray:
        return self._table[:, self._layout.v : self._layout.v + self._layout.dof]

    @property
    def energy(self) -> np.ndarray:
        return self._table[:, self._layout.energy]

    @property
    def impulses(self) -> ByName:
        model = self._experiment.pointer.model

        def make(contact: int) -> np.ndarray:
            first = self._layout.impulse + 3 * contact
            return self._table[:, first : first + 1 + model.contact[contact].tangents]

        return ByName("contact", self._experiment.contacts, make)

    @property
    def gaps(self) -> ByName:
        return ByName("contact", self._experiment.contacts, lambda i: self._table[:, self._layout.gap + i])

    @property
    def regimes(self) -> ByName:
        """Per output 0: open, 1: slips or has no friction, 2: sticks."""
        return ByName("contact", self._experiment.contacts, lambda i: self._table[:, self._layout.regime + i])

    @property
    def columns(self) -> List[str]:
        """Names that r["name"] takes."""
        velocities = [f"dot({name})" for name in self._experiment.velocities]
        return ["t", *self._experiment.coordinates, *velocities, "energy", *self._experiment.columns]

    def __getitem__(self, name: str) -> np.ndarray:
        """A column: a coordinate "y", its velocity "dot(y)", "t", "energy", or what the model records."""
        return self._table[:, self._place(name)]

    def _place(self, name: str) -> int:
        experiment = self._experiment
        if name in experiment.columns:
            return self._layout.column + experiment.columns.index(name)
        if name in experiment.coordinates:
            return self._layout.q + experiment.coordinates.index(name)
        if name in ("t", "energy"):
            return 0 if name == "t" else self._layout.energy
        if name.startswith("dot(") and name.endswith(")") and name[4:-1] in experiment.velocities:
            return self._layout.v + experiment.velocities.index(name[4:-1])
        raise KeyError(f"there is no column '{name}'; there are {', '.join(self.columns)}")

    def __len__(self) -> int:
        return self._table.shape[0]

    # ---- what it says of itself

    @property
    def parameters(self) -> Dict[str, float]:
        """The values of this run."""
        return {name: float(self._parameter[i]) for name, i in self._experiment.parameters.items()}

    @property
    def trusted(self) -> bool:
        """Nothing speaks against its numbers; see certificate["doubts"]."""
        return bool(self.certificate.get("trusted", False))

    @property
    def events(self) -> List[Event]:
        if self._events is None:
            self._events = self._read_events()
        return self._events

    def _read_events(self) -> List[Event]:
        if self._result is None:
            return []
        result, model, room = self._result.pointer, self._experiment.pointer.model, ffi.new("char[320]")
        words: Dict[int, str] = {}
        events = []
        for i in range(result.event_count):
            event = result.event[i]
            kind = int(ffi.cast("int", event.kind))
            if kind not in words:
                words[kind] = _calls.text_of(lib.carom_event_word(event.kind)) or ""
            name = _calls.text_of(lib.carom_event_contact(model, ffi.addressof(event), room, len(room)))
            events.append(Event(t=event.t, kind=words[kind], contact=name, rate_before=event.rate_before,
                                rate_after=event.rate_after, impulse=event.impulse,
                                energy_before=event.energy_before, energy_after=event.energy_after))
        return events

    def __repr__(self) -> str:
        trust = "trusted" if self.trusted else f"{len(self.certificate.get('doubts', []))} doubts"
        end = self.t[-1] if len(self) else np.nan
        return f"<Motion {self.name}: {self.status}, {len(self)} outputs to t = {end:.6g}, {self.scheme}, {trust}>"

    @property
    def name(self) -> str:
        return _calls.text_of(self._experiment.pointer.name) or ""

    # ---- pictures and tables

    def plot(self, *names: str, ax: Any = None, which: Optional[str] = None) -> Any:
        """Draws with matplotlib: columns over time, or without names the model's own plot (`which`: one of `plots`).

        >>> r = carom.experiment("moreau-1986/trial-04").run()
        >>> axes = r.plot("x", "y")
        >>> figure = r.plot()
        """
        return picture.plot(self, names, ax, which)

    @property
    def plots(self) -> List[str]:
        """Names of the plots of the model file."""
        return picture.plots(self)

    def to_pandas(self) -> Any:
        """A pandas DataFrame: a column per name, the time as its index."""
        return tables.to_pandas(self)

    def to_xarray(self) -> Any:
        """An xarray Dataset over t, with gaps, impulses and regimes of contacts."""
        return tables.to_xarray(self)

    def report(self, path: "os.PathLike[str] | str") -> None:
        """Writes the report page: animation, plots, certificate, measures, as one HTML file.

        >>> carom.run("moreau-1986/trial-04").report("trial.html")
        """
        page.write(self, path)

    def _repr_html_(self) -> str:
        return page.in_notebook(self)

    # ---- files

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes a run file (HDF5), which `carom.load`, `carom plot` and `carom report` read.

        >>> carom.run("moreau-1986/trial-04").save("run.h5")
        >>> carom.load("run.h5").status
        'ok'
        """
        if self._result is None:
            raise ValueError("a motion that was read from a file is not written again; copy the file")
        error = _calls.new_error()
        slopes = self.sensitivity.pointer if self.sensitivity is not None else ffi.NULL
        status = lib.carom_python_save(_calls.bytes_of(os.fspath(path)), self._experiment.pointer,
                                       pointer_to(self._parameter), self._series, slopes, self._result.pointer, error)
        _calls.check(status, error)


def of_run(experiment: Experiment, parameter: np.ndarray, rows: _Rows, result: _Result,
           slopes: Optional[Slopes] = None) -> Motion:
    """The motion of a run that ended in one way or another."""
    motion = Motion(experiment, parameter, rows, rows.series)
    found = result.pointer
    motion._result = result
    motion.status, motion.message = _calls.text_of(found.word) or "", _calls.text_of(found.message) or ""
    motion.scheme = _calls.text_of(found.scheme.name) or "" if found.scheme != ffi.NULL else ""
    motion.h, motion.steps, motion.seconds = found.h, found.steps, found.wall_seconds
    motion.measures = {name: measured(found.measure[i]) for i, name in enumerate(experiment.measures)
                       if i < found.measure_count}
    motion.certificate = certificate_of(found.certificate)
    kept = min(found.warnings.count, len(found.warnings.text))
    motion.warnings = [_calls.text_of(found.warnings.text[i]) or "" for i in range(kept)]
    if slopes is not None and found.sensitivity != ffi.NULL:
        motion.sensitivity = Sensitivity(experiment, motion._layout, slopes, result, motion._place, measured)
    return motion


def load(path: "os.PathLike[str] | str") -> Motion:
    """Reads a run file that `Motion.save` or `carom run --out` has written.

    The members of a family are in `.members`.
    """
    place, error = ffi.new("carom_run_file **"), _calls.new_error()
    _calls.check(lib.carom_run_file_read(_calls.bytes_of(os.fspath(path)), place, error), error)
    file = ffi.gc(place[0], lib.carom_run_file_free)

    def read(member: Any) -> Motion:
        values = {_calls.text_of(member.override[i].name) or "": _calls.text_of(member.override[i].value) or ""
                  for i in range(member.override_count)}
        experiment = Experiment(name=_calls.text_of(file.name), file=_calls.text_of(file.file),
                                text=_calls.text_of(file.text), variant=_calls.text_of(file.variant) or None,
                                values=values)
        parameter = experiment.parameter_values({})
        motion = Motion(experiment, parameter, file, ffi.addressof(member, "series"))
        motion._stored = member
        motion.status = _calls.text_of(member.status) or ""
        motion.message = _calls.text_of(member.message) or ""
        motion.scheme = _calls.text_of(member.scheme) or ""
        motion.h = member.h
        motion.steps = max(0, int(round((member.t_end - member.t0) / member.h))) if member.h > 0 else 0
        motion.measures = {_calls.text_of(member.measure[i].name) or "": measured(member.measure[i].measured)
                           for i in range(member.measure_count)}
        motion.certificate = certificate_of(member.certificate) if member.has_certificate else {}
        if member.sensitivity.method != ffi.NULL and member.sensitivity.count > 0:
            motion.sensitivity = Sensitivity.of_file(motion._layout, file, member.sensitivity, motion._place, measured)
        return motion

    main = read(ffi.addressof(file, "main"))
    main.members = [read(file.member + i) for i in range(file.member_count)]
    return main
