"""Derivatives of a motion by parameters and initial values."""

from __future__ import annotations

from typing import Any, Dict, List, Sequence, Tuple

import numpy as np

from . import _calls
from ._arrays import view
from ._experiment import Experiment
from ._native import ffi, lib


class Slopes:
    """Owns a carom_python_slopes: the derivatives of all outputs."""

    def __init__(self, names: int, width: int) -> None:
        self.pointer = ffi.gc(ffi.new("carom_python_slopes *"), lib.carom_python_slopes_free)
        self.pointer.names, self.pointer.width = names, width


def names_of(given: Any) -> List[str]:
    """"e,q:y", ["e", "q:y"]: what derivatives are asked by."""
    names = given.split(",") if isinstance(given, str) else list(given)
    for name in names:
        if not isinstance(name, str) or not name:
            raise TypeError(f"sensitivity: names such as 'e' or 'q:y' are needed, not {name!r}")
    return names


class Sensitivity:
    """Derivatives of a motion: `r.sensitivity` of `run(sensitivity=["e", "q:y"])`, or of a run file that has them.

    >>> r = carom.Model('''
    ... local e = param { "e", 0.8 }
    ... local y = coordinates("y")
    ... mass(1)  potential(9.81 * y)  contact { "floor", gap = y, restitution = e }
    ... initial { y = 1 }  integrate { scheme = "event-driven", h = 0.01, until_t = 0.8 }
    ... ''').run(sensitivity=["e", "q:y"])
    >>> s = r.sensitivity
    >>> s["y", "e"].shape == r.t.shape, s.method
    (True, 'exact')
    >>> round(float(s["y", "e"][-1]), 10) == round(float(s.q[0, 0]), 10)
    True

    Attributes
    ----------
    names : what the derivatives are by: a parameter "e", the start of a position "q:y" or of a velocity "v:y"
    method : "exact", or "differences" of whole runs, and then `why`, with the estimated relative `error`
    q, v : of the last positions and velocities; a column per name
    measures : of every measure a dict by name; None where it has no derivative, or none is known
    event_times : of the times of events, a row per event of `r.events` and a column per name; of schemes that locate them
    breaks : places without a derivative: (t, why)

    s["y", "e"] is d y / d e over the outputs, for every column that r["y"] takes. NaN: not known.
    """

    def __init__(self, experiment: Experiment, layout: Any, slopes: Slopes, result: Any, place: Any,
                 measured: Any):
        found = result.pointer.sensitivity
        self._place, self._slopes = place, slopes
        self.names: List[str] = [_calls.text_of(found.name[i]) or "" for i in range(found.count)]
        self.method = "exact" if found.exact else "differences"
        self.why, self.error = _calls.text_of(found.why) or "", found.error
        kept = slopes.pointer
        table = view(slopes, kept.rows, (kept.count, kept.names, kept.width))
        self._tables = [table[:, i] for i in range(kept.names)]
        final = view(result, found.final, (found.count, found.width)) if found.final != ffi.NULL else \
            np.full((found.count, found.width), np.nan)
        self.q = final[:, layout.q : layout.q + layout.positions].T
        self.v = final[:, layout.v : layout.v + layout.dof].T
        self.measures: Dict[str, Dict[str, Any]] = {
            measure: {name: measured(found.measure[i * found.count + k]) for k, name in enumerate(self.names)}
            for i, measure in enumerate(experiment.measures) if i < found.measure_count}
        self.event_times = np.empty((0, found.count)) if found.event_time == ffi.NULL else \
            view(result, found.event_time, (found.event_count, found.count))
        self.breaks: List[Tuple[float, str]] = [
            (found.breaks[i].t, _calls.text_of(found.breaks[i].why) or "") for i in range(found.breaks_kept)]
        self.break_count: int = found.break_count

    @classmethod
    def of_file(cls, layout: Any, owner: Any, stored: Any, place: Any, measured: Any) -> "Sensitivity":
        """Derivatives that a run file has; the arrays are views on `owner`, which holds the file."""
        self = cls.__new__(cls)
        names = [stored.name[i] for i in range(stored.count)]
        self._place, self._slopes = place, owner
        self.names = [_calls.text_of(name.name) or "" for name in names]
        self.method, self.why, self.error = _calls.text_of(stored.method) or "", _calls.text_of(stored.why) or "", stored.error
        self._tables = [view(owner, name.series.rows, (name.series.count, layout.width))
                        if name.has_series and name.series.layout.width == layout.width else np.empty((0, layout.width)) for name in names]
        self.q = np.column_stack([view(owner, name.q, (name.positions,)) for name in names])
        self.v = np.column_stack([view(owner, name.v, (name.dof,)) for name in names])
        known = [{_calls.text_of(name.measure[i].name) or "": measured(name.measure[i].measured)
                  for i in range(name.measure_count)} for name in names]
        self.measures = {measure: {name: found.get(measure) for name, found in zip(self.names, known)}
                         for measure in sorted({measure for found in known for measure in found})}
        self.event_times = np.empty((0, stored.count))
        self.breaks = [(stored.breaks[i].t, _calls.text_of(stored.breaks[i].why) or "") for i in range(stored.breaks_kept)]
        self.break_count = stored.break_count
        return self

    @property
    def pointer(self) -> Any:
        """The carom_python_slopes behind the arrays of a run."""
        return self._slopes.pointer

    def __getitem__(self, names: Sequence[str]) -> np.ndarray:
        """d column / d name over the outputs: s["y", "e"]."""
        if isinstance(names, str) or len(names) != 2:
            raise KeyError(f"{names!r}: a column and what it is differentiated by are needed, such as s['y', '{self.names[0]}']")
        column, by = names
        if by not in self.names:
            raise KeyError(f"'{by}' was not asked for; there are {', '.join(self.names)}")
        return self._tables[self.names.index(by)][:, self._place(column)]

    def __repr__(self) -> str:
        breaks = f", {self.break_count} places without a derivative" if self.break_count else ""
        return f"<Sensitivity by {', '.join(self.names)}: {self.method}{breaks}>"
