"""Order studies: how fast the errors of schemes fall with the step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional

import numpy as np

from . import _calls
from ._arrays import doubles, pointer_to
from ._experiment import find_scheme
from ._native import ffi, lib
from ._studies import computed, copied, number, pyplot, refuse_study, scheme_options, split_values, text_list, words
from .errors import Interrupted, ModelError

if TYPE_CHECKING:
    from .model import Model


class Convergence:
    """What `Model.converge` returns. Curves are "q" (positions), "v" (velocities), and the quantities asked for.

    >>> ball = carom.experiment("moreau-1986/trial-04")
    >>> study = ball.converge(h=[4e-3, 2e-3, 1e-3])
    >>> study.schemes
    ['elast']
    >>> study.errors["elast"]["q"].shape
    (3,)
    >>> bool(study.orders["elast"]["q"] > 0.8)
    True

    Attributes
    ----------
    h : the steps, the largest first
    schemes, curves : names
    errors : errors["scheme"]["q"] is an array over h; NaN where a run failed or there is nothing to compare with
    orders : orders["scheme"]["q"] is the slope of log error over log h; NaN with fewer than two errors
    local_orders : the same from each h to the next, NaN at the first
    at_rounding : True where an error is so small that it was left out of the orders
    reference : dict: kind, scheme, h, interpolated
    status, messages, steps, seconds : of the runs, by scheme
    t0, until : the time that is compared
    """

    def __init__(self, name: str, quantities: List[str], pointer: Any):
        self.name, self.curves = name, ["q", "v", *quantities]
        self.t0, self.until = pointer.t0, pointer.until
        count = pointer.h_count
        self.h = copied(pointer.h, count)
        kinds = {lib.CAROM_REFERENCE_FINE: "fine", lib.CAROM_REFERENCE_EVENT_DRIVEN: "event-driven",
                 lib.CAROM_REFERENCE_EXACT: "exact"}
        scheme = pointer.reference_scheme
        self.reference: Dict[str, Any] = {
            "kind": kinds[pointer.reference], "scheme": None if scheme == ffi.NULL else _calls.text_of(scheme.name),
            "h": pointer.reference_h, "interpolated": bool(pointer.interpolated)}
        self.schemes: List[str] = []
        self.errors: Dict[str, Dict[str, np.ndarray]] = {}
        self.orders: Dict[str, Dict[str, float]] = {}
        self.local_orders: Dict[str, Dict[str, np.ndarray]] = {}
        self.at_rounding: Dict[str, Dict[str, np.ndarray]] = {}
        self.status: Dict[str, List[str]] = {}
        self.messages: Dict[str, List[Optional[str]]] = {}
        self.steps: Dict[str, np.ndarray] = {}
        self.seconds: Dict[str, np.ndarray] = {}
        for i in range(pointer.scheme_count):
            self._read_scheme(pointer.scheme[i], count)

    def _read_scheme(self, scheme: Any, count: int) -> None:
        name = _calls.text_of(scheme.scheme.name) or ""
        self.schemes.append(name)
        if scheme.curve == ffi.NULL or scheme.run == ffi.NULL:
            return
        curves = {curve: scheme.curve[i] for i, curve in enumerate(self.curves)}
        self.errors[name] = {key: copied(curve.error, count) for key, curve in curves.items()}
        self.orders[name] = {key: curve.order for key, curve in curves.items()}
        self.local_orders[name] = {key: copied(curve.local, count) for key, curve in curves.items()}
        self.at_rounding[name] = {key: np.array(ffi.unpack(curve.at_rounding, count)) for key, curve in curves.items()}
        runs = [scheme.run[i] for i in range(count)]
        self.status[name] = [_calls.text_of(run.word) or "" for run in runs]
        self.messages[name] = [_calls.text_of(run.message) for run in runs]
        self.steps[name] = np.array([run.steps for run in runs])
        self.seconds[name] = np.array([run.wall_seconds for run in runs])

    def __repr__(self) -> str:
        orders = ", ".join(f"{name} {found['q']:.2f}" for name, found in self.orders.items())
        return f"<Convergence of {self.name}: {len(self.h)} steps, orders in q: {orders}>"

    def plot(self, *curves: str) -> Any:
        """Draws errors over h, both logarithmic, a panel per curve. Returns the figure of matplotlib.

        >>> study = carom.experiment("moreau-1986/trial-04").converge(h=[4e-3, 2e-3, 1e-3])
        >>> figure = study.plot("q")
        """
        for name in curves:
            if name not in self.curves:
                raise KeyError(f"there is no curve '{name}'; there are {', '.join(self.curves)}")
        shown = list(curves) or [curve for curve in self.curves
                                 if any(np.isfinite(self.errors[s][curve]).any() for s in self.errors)]
        if not shown:
            raise ValueError("there are no errors to draw")
        figure, places = pyplot().subplots(1, len(shown), squeeze=False, layout="constrained",
                                           figsize=(1.6 + 4.0 * len(shown), 4.2))
        for place, curve in zip(places[0], shown):
            for scheme, errors in self.errors.items():
                order = self.orders[scheme][curve]
                fitted = "" if np.isnan(order) else f", order {order:.2f}"
                place.loglog(self.h, errors[curve], "o-", label=f"{scheme}{fitted}")
            if len(self.h) <= 6:
                place.set_xticks(self.h, [f"{h:g}" for h in self.h])
                place.set_xticks([], minor=True)
            place.set_xlabel("h")
            place.set_ylabel(f"error of {curve}")
            place.legend()
            place.grid(True, which="both", alpha=0.3)
        return figure


_REFERENCES = {"fine": "CAROM_REFERENCE_FINE", "event-driven": "CAROM_REFERENCE_EVENT_DRIVEN",
               "exact": "CAROM_REFERENCE_EXACT"}


def run(model: "Model", h: Any, schemes: Any, reference: str, reference_scheme: Optional[str], reference_h: Any,
        quantities: Any, until: Any, options: Optional[Mapping[str, Any]], values: Mapping[str, Any]) -> Convergence:
    """Model.converge."""
    refuse_study(model)
    steps = doubles(h, "h")
    names = words("schemes", schemes) if schemes is not None else []
    integrate = model._integration(names[0] if names else None, steps[0] if steps.size else None, until)
    plain = model._experiment({}, integrate)
    own = _calls.text_of(plain.pointer.scheme)
    names = [own] if schemes is None and own else names
    if not names:
        raise ModelError("schemes: no scheme is given, and the model has none of its own" if schemes is None
                         else "schemes: give at least one, or leave it out for the model's own")
    if reference not in _REFERENCES:
        raise ModelError(f"reference is fine, event-driven or exact; got {reference!r}")
    if reference != "fine" and (reference_scheme is not None or reference_h is not None):
        raise ModelError("reference_scheme and reference_h belong to reference='fine'")
    known = [find_scheme(name) for name in [*names, reference_scheme] if name is not None]
    fixed, others = split_values(plain, values, known)
    wanted = [] if quantities is None else words("quantities", quantities)

    kept = _calls.Kept()
    request = ffi.new("carom_convergence_request *")
    experiment = computed(model, fixed, integrate)
    request.experiment = experiment.pointer
    request.scheme_count, request.scheme = len(names), text_list(kept, names)
    request.h_count, request.h = steps.size, pointer_to(steps)
    if until is not None:
        request.until = number("until", until) or 5e-324
    request.reference = getattr(lib, _REFERENCES[reference])
    request.reference_scheme = kept.text(reference_scheme)
    if reference_h is not None:
        request.reference_h = number("reference_h", reference_h, above_zero=True)
    request.quantity_count, request.quantity = len(wanted), text_list(kept, wanted)
    request.option = scheme_options(kept, others, options)
    request.progress = lib.carom_python_progress(ffi.NULL)
    study = ffi.gc(ffi.new("carom_convergence *"), lib.carom_convergence_free)
    error = _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_converge(request, study, error)
    if status not in (lib.CAROM_OK, lib.CAROM_INTERRUPTED):
        model._check(status, error)
    found = Convergence(model.name, wanted, study)
    if call.asked or status == lib.CAROM_INTERRUPTED:
        raise Interrupted(_calls.text_of(error.text) or "interrupted", found)
    return found
