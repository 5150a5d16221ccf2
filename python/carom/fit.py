"""Fits: the parameters of a model from measured data, with their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _calls
from ._arrays import pointer_to
from ._experiment import find_scheme
from ._native import ffi, lib
from ._studies import computed, copied, number, positive, pyplot, refuse_study, scheme_options, split_values, text_list, whole, words
from .errors import Interrupted, ModelError

if TYPE_CHECKING:
    from .model import Model

_CURVE_POINTS = 2000
_DERIVATIVES = {"best": "CAROM_FIT_BEST", "exact": "CAROM_FIT_EXACT", "differences": "CAROM_FIT_DIFFERENCES"}


class Estimate:
    """One parameter that was found; `float(estimate)` is its value.

    Attributes
    ----------
    value, error : the estimate and its standard error
    low, high : 95 % interval. NaN, as the error is, at a bound and where the data do not determine it
    start : where the search began
    bound : "low" or "high" where it ended at a bound, else None
    determined : False where the data do not tell it
    """

    def __init__(self, pointer: Any):
        self.name = _calls.text_of(pointer.name) or ""
        self.value, self.error, self.low, self.high = pointer.value, pointer.error, pointer.low, pointer.high
        self.start, self.determined = pointer.start, bool(pointer.determined)
        self.bound = {lib.CAROM_FIT_AT_LOW: "low", lib.CAROM_FIT_AT_HIGH: "high"}.get(pointer.bound)

    def __float__(self) -> float:
        return float(self.value)

    def __repr__(self) -> str:
        return f"{self.name} = {self.value:.6g} +- {self.error:.2g}"


class Fit:
    """What `Model.fit` returns.

    >>> ball = carom.Model('''
    ... local e = param { "e", 0.6, min = 0, max = 1 }
    ... local y = coordinates("y")
    ... mass(1)  potential(9.81 * y)  contact { "floor", gap = y, restitution = e }
    ... initial { y = 1 }  integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
    ... ''')
    >>> r = ball.fit({"t": [0, 0.2, 0.4, 0.6, 0.8], "height": [1, 0.8038, 0.2152, 0.4182, 0.6388]}, map={"height": "y"}, params="e")
    >>> r.status, round(r["e"].value, 2), r.data[0]["height"]["residual"].shape
    ('ok', 0.8, (5,))

    Attributes
    ----------
    status : "ok", "undetermined" (the data do not tell all parameters), "not-converged"
    params : dict of estimates; `r["e"]` is one
    correlation : matrix in the order of params
    rms : of data minus fit; of several columns, of the weighted residuals
    variance : of the weighted residuals
    runs, failed_runs, iterations : motions computed; steps of the search
    exact : were the derivatives exact, or differences of runs?
    data : per motion a dict of arrays: t, and per column data, fit, residual
    curves : per motion t and the columns of the fitted motion between the data
    undetermined : what the data do not tell, in words
    warnings : texts
    """

    def __init__(self, columns: Sequence[str], data: Sequence["_Data"], pointer: Any):
        self.status = _calls.text_of(pointer.word) or ""
        estimates = [Estimate(pointer.parameter[i]) for i in range(pointer.count)]
        self.params: Dict[str, Estimate] = {one.name: one for one in estimates}
        self.correlation = copied(pointer.correlation, pointer.count, pointer.count)
        self.rms, self.misfit, self.variance = pointer.rms, pointer.misfit, pointer.variance
        self.runs, self.failed_runs, self.iterations = pointer.runs, pointer.failed_runs, pointer.iterations
        self.exact = bool(pointer.exact)
        self.starts, self.starts_here = pointer.starts, pointer.same_end
        self.wall_seconds = pointer.wall_seconds
        self.undetermined = [_calls.text_of(pointer.direction[i].text) or "" for i in range(pointer.direction_count)]
        self.warnings = [_calls.text_of(pointer.warning[i]) or "" for i in range(pointer.warnings)]
        self.columns = list(columns)
        self.data: List[Dict[str, Any]] = []
        self.curves: List[Dict[str, np.ndarray]] = []
        for i, given in enumerate(data):
            self._read_motion(given, copied(pointer.fitted[i], *given.value.shape), pointer.curve[i])

    def _read_motion(self, given: "_Data", fitted: np.ndarray, curve: Any) -> None:
        columns = {name: {"data": given.value[:, k], "fit": fitted[:, k], "residual": given.value[:, k] - fitted[:, k]}
                   for k, name in enumerate(self.columns)}
        self.data.append({"t": given.t, **columns})
        values = copied(curve.value, curve.count, len(self.columns)) if curve.count else np.empty((0, len(self.columns)))
        self.curves.append({"t": copied(curve.t, curve.count), **{name: values[:, k] for k, name in enumerate(self.columns)}})

    def __getitem__(self, name: str) -> Estimate:
        if name not in self.params:
            raise KeyError(f"there is no parameter '{name}'; there are {', '.join(self.params)}")
        return self.params[name]

    def __repr__(self) -> str:
        return f"<Fit: {self.status}, {', '.join(map(repr, self.params.values()))}, {self.runs} runs>"

    def plot(self) -> Any:
        """Draws data beside the fit, and residuals, a pair of panels per column. Returns the figure of matplotlib.

        >>> fall = carom.Model('local y = coordinates("y")  mass(1)  potential(9.81 * y)  integrate { h = 0.01, until_t = 1 }')
        >>> figure = fall.fit({"t": [0, 0.2, 0.4], "height": [1, 0.8, 0.2]}, map={"height": "y"}, params="q:y").plot()
        """
        figure, places = pyplot().subplots(2 * len(self.columns), 1, squeeze=False, sharex=True, layout="constrained",
                                           figsize=(6.4, 4.4 * len(self.columns)),
                                           height_ratios=[2, 1] * len(self.columns))
        for k, name in enumerate(self.columns):
            above, below = places[2 * k, 0], places[2 * k + 1, 0]
            for i, (motion, curve) in enumerate(zip(self.data, self.curves)):
                colour = f"C{i % 10}"
                drawn = curve if len(curve["t"]) else {"t": motion["t"], name: motion[name]["fit"]}
                above.plot(drawn["t"], drawn[name], color=colour)
                above.plot(motion["t"], motion[name]["data"], "o", markersize=3, markerfacecolor="none", color=colour)
                below.plot(motion["t"], motion[name]["residual"], "o", markersize=3, markerfacecolor="none", color=colour)
            below.axhline(0.0, color="0.5", linewidth=0.8)
            above.set_ylabel(name)
            below.set_ylabel("data - fit")
        places[-1, 0].set_xlabel("t")
        return figure


class _Data:
    """What was measured in one motion, as arrays for C."""

    def __init__(self, number_of: int, given: Any, columns: Sequence[str], time: str, sigma: Mapping[str, Any], events: bool):
        given, self.set = given if isinstance(given, tuple) else (given, {})
        if not isinstance(self.set, Mapping):
            raise TypeError(f"data: beside the columns of a motion stands a dict of its values, not {type(self.set).__name__}")
        self.name = f"data {number_of + 1}"
        self.t = _column(given, time)
        if events:
            self.value = self.t.reshape(-1, 1).copy()
            self.t = np.arange(1.0, len(self.value) + 1)
        else:
            self.value = np.column_stack([_column(given, name) for name in columns])
        if len(self.t) != len(self.value):
            raise ModelError(f"data: column '{time}' has {len(self.t)} numbers, the others {len(self.value)}")
        self.sigma = np.full(self.value.shape, np.nan)
        for k, name in enumerate(columns):
            if name in sigma:
                one = sigma[name]
                self.sigma[:, k] = _column(given, one) if isinstance(one, str) else np.asarray(one, dtype=float)


def _column(given: Any, name: str) -> np.ndarray:
    try:
        column = given[name]
    except (KeyError, IndexError, TypeError, ValueError):
        known = list(given.keys()) if hasattr(given, "keys") else []
        raise ModelError(f"data: there is no column '{name}'; there are {', '.join(map(str, known)) or 'none'}") from None
    found = np.ascontiguousarray(column, dtype=float)
    if found.ndim != 1:
        raise ModelError(f"data: column '{name}' has shape {found.shape}: one row of numbers is needed")
    return found


def _pair(name: str, given: Any) -> Tuple[float, float]:
    try:
        low, high = given
    except (TypeError, ValueError):
        raise TypeError(f"bounds of {name}: a pair (low, high) is needed") from None
    return (np.nan if low is None else _given(f"lower bound of {name}", low),
            np.nan if high is None else _given(f"upper bound of {name}", high))


def _given(name: str, value: Any) -> float:
    """A number for C, where 0 says that nothing is given."""
    return number(name, value) or 5e-324


def _parameters(kept: _calls.Kept, params: Any, each: Any, start: Mapping[str, Any], bounds: Mapping[str, Any],
                sizes: Mapping[str, Any]) -> Tuple[int, Any]:
    names = [] if params is None else words("params", params)
    own = [] if each is None else words("each", each)
    for given, what in ((start, "start"), (bounds, "bounds"), (sizes, "sizes")):
        for name in given:
            if name not in [*names, *own]:
                raise ModelError(f"{what}: '{name}' is not among params")
    entries = ffi.new("carom_fit_parameter[]", max(1, len(names) + len(own)))
    for i, name in enumerate([*names, *own]):
        entries[i].name, entries[i].each = kept.text(name), i >= len(names)
        if name in start:
            entries[i].start = _given(f"start of {name}", start[name])
        if name in bounds:
            entries[i].low, entries[i].high = _pair(name, bounds[name])
        if name in sizes:
            entries[i].scale = positive(f"size of {name}", sizes[name])
    return len(names) + len(own), kept.keep(entries)


def _data(kept: _calls.Kept, found: Sequence[_Data]) -> Any:
    entries = ffi.new("carom_fit_data[]", len(found))
    for entry, one in zip(entries, found):
        entry.name, entry.count = kept.text(one.name), len(one.t)
        kept.keep(one)
        entry.t, entry.value, entry.sigma = pointer_to(one.t), pointer_to(one.value), pointer_to(one.sigma)
        values = [(kept.text(name), number(name, value)) for name, value in one.set.items()]
        entry.set_count, entry.set = len(values), kept.array("carom_fit_value[]", values)
    return kept.keep(entries)


def _word(name: str, given: Any, known: Sequence[str]) -> int:
    if given not in known:
        raise ModelError(f"{name} is {', '.join(known[:-1])} or {known[-1]}; got {given!r}")
    return list(known).index(given)


def run(model: "Model", data: Any, outputs: Optional[Mapping[str, str]], params: Any, each: Any, time: str,
        events: Optional[str], sigma: Any, start: Any, bounds: Any, sizes: Any, loss: str, scale: Any, starts: int,
        stages: int, seed: int, jacobian: str, iterations: Any, tolerance: Any, threads: int, scheme: Optional[str], h: Any,
        options: Optional[Mapping[str, Any]], values: Mapping[str, Any]) -> Fit:
    """Model.fit."""
    refuse_study(model)
    if (outputs is None) == (events is None):
        raise ModelError("map says what the columns are, such as map={'height': 'y'}; or events names the contact whose "
                         "impacts were timed")
    columns = [events] if events is not None else list(outputs or {})
    motions = list(data) if isinstance(data, list) else [data]
    found = [_Data(i, one, columns, time, sigma or {}, events is not None) for i, one in enumerate(motions)]
    integrate = model._integration(scheme, h, 1.0)  # the data say where a motion ends
    plain = model._experiment({}, integrate)
    chosen = scheme or _calls.text_of(plain.pointer.scheme)
    fixed, others = split_values(plain, values, [] if chosen is None else [find_scheme(chosen)])

    kept = _calls.Kept()
    request = ffi.new("carom_fit_request *")
    experiment = computed(model, fixed, integrate)
    request.experiment = experiment.pointer
    if events is None:
        request.output_count, request.output = len(columns), text_list(kept, [str(one) for one in (outputs or {}).values()])
    request.events = kept.text(events)
    request.data_count, request.data = len(found), _data(kept, found)
    request.parameter_count, request.parameter = _parameters(kept, params, each, start or {}, bounds or {}, sizes or {})
    losses = [_calls.text_of(lib.carom_fit_loss_word(i)) or "" for i in range(4)]
    request.loss = _word("loss", loss, losses)
    request.loss_scale = 0.0 if scale is None else positive("scale", scale)
    request.derivatives = getattr(lib, _DERIVATIVES[list(_DERIVATIVES)[_word("jacobian", jacobian, list(_DERIVATIVES))]])
    request.scheme = kept.text(scheme)
    if h is not None:
        request.h = positive("h", h)
    request.option = scheme_options(kept, others, options)
    request.starts, request.stages = whole("starts", starts, 1, 100000), whole("stages", stages, 0, 1000)
    request.seed, request.threads = whole("seed", seed, 1, 2**31 - 1), whole("threads", threads, 0, 256)
    request.max_iterations = 0 if iterations is None else whole("iterations", iterations, 1, 100000)
    request.tolerance = 0.0 if tolerance is None else positive("tolerance", tolerance)
    request.curve_points = _CURVE_POINTS
    request.progress = lib.carom_python_progress(ffi.NULL)
    pointer = ffi.gc(ffi.new("carom_fit *"), lib.carom_fit_free)
    error = _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_fit_run(request, pointer, error)
    if status not in (lib.CAROM_OK, lib.CAROM_INTERRUPTED):
        model._check(status, error)
    result = Fit(columns, found, pointer) if pointer.count > 0 else None
    if call.asked or status == lib.CAROM_INTERRUPTED:
        raise Interrupted(_calls.text_of(error.text) or "interrupted", result)
    assert result is not None
    return result
