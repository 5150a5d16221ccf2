"""Periodic motions with impacts: one, branches of them over a parameter, and all of a linear model."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Tuple

import numpy as np

from . import _calls
from ._arrays import doubles, pointer_to
from ._experiment import Experiment, as_text
from ._further import Further, Locus
from ._native import ffi, lib
from ._studies import computed, copied, given_or_none, number, positive, pyplot, split_values, text_list, whole
from .errors import CaromError, Interrupted, ModelError, StepError

if TYPE_CHECKING:
    from .model import Model


class Impact:
    """An impact of a periodic motion: contact, t, approach (speed), impulse, and the flight that follows it."""

    __slots__ = ("contact", "t", "approach", "impulse", "flight")

    def __init__(self, contact: str, t: float, approach: float, impulse: float, flight: float):
        self.contact, self.t, self.approach, self.impulse, self.flight = contact, t, approach, impulse, flight

    def __repr__(self) -> str:
        return f"<{self.contact} struck at t = {self.t:.6g} with {self.approach:.6g}>"


class Orbit:
    """What `Model.orbit` returns: a periodic motion.

    Attributes
    ----------
    status : "motion", "leaves" (followed by the event-driven scheme it does not stay) or "no-motion"
    verdict, method, guess : in words: what it is, and how it was found
    period, energy : of the motion
    q0, v0, t0 : state right after the first impact, and when that is; `model.run(q0=o.q0, v0=o.v0, t0=o.t0)` goes on
        from there
    t, q, v : the motion over one period: times, and rows of positions and velocities; `o["x"]` and `o["dot(x)"]` are columns
    impacts : list of impacts: contact, t, approach, impulse, flight
    multipliers : Floquet multipliers, complex; empty where an impact has no speed
    largest_multiplier, stable : their largest modulus, and whether it is at most 1; stable is None without multipliers
    margin : dict: the smallest gap between impacts, its contact and t
    candidates : number of motions found with these impacts; `pick` chooses
    iterations, residual : of shooting
    verify : dict, where it was asked for: periods, done, stays, growth, message, deviation (an array)
    """

    def __init__(self, experiment: Experiment, found: Any):
        n = len(experiment.velocities)
        self._coordinates, self._name = experiment.coordinates, _calls.text_of(experiment.pointer.name)
        self.parameters = {name: experiment.pointer.parameter[i] for name, i in experiment.parameters.items()}
        self.is_motion, self.found = bool(found.is_motion), bool(found.found)
        self.status = "motion" if self.is_motion else "no-motion"
        self.verdict, self.method = _calls.text_of(found.verdict) or "", _calls.text_of(found.method) or ""
        self.guess = given_or_none(found.guess)
        self.iterations, self.residual = found.iterations, found.residual
        self.candidates, self.period = found.solutions, found.period
        self.energy, self.t0 = (found.energy, found.t0) if found.found else (np.nan, np.nan)
        self.q0, self.v0 = (copied(found.q, n), copied(found.v, n)) if found.found else (np.empty(0), np.empty(0))
        self.impacts = [Impact(experiment.contacts[found.contact[i]], found.time[i], found.approach[i],
                               found.impulse[i], found.flight[i]) for i in range(found.impacts if found.found else 0)]
        rows = copied(found.row, found.rows if found.found else 0, 1 + 2 * n)
        self.t, self.q, self.v = rows[:, 0], rows[:, 1 : 1 + n], rows[:, 1 + n :]
        count = found.multipliers if found.found else 0
        self.multipliers = copied(found.real, count) + 1j * copied(found.imaginary, count)
        self.largest_multiplier: float = found.largest if count else np.nan
        self.stable: Optional[bool] = bool(found.stable) if count else None
        near = found.margin_contact if found.found and np.isfinite(found.margin) else -1
        self.margin: Dict[str, Any] = {"gap": found.margin, "contact": experiment.contacts[near] if near >= 0 else None,
                                       "t": found.margin_time}
        self.verify: Optional[Dict[str, Any]] = None

    def _read_verified(self, verified: Any) -> None:
        self.verify = {"periods": verified.periods, "done": verified.done, "stays": not verified.leaves,
                       "growth": verified.growth, "message": given_or_none(verified.stopped),
                       "deviation": copied(verified.deviation, verified.done)}
        if self.is_motion and verified.leaves:
            self.status = "leaves"

    def __getitem__(self, name: str) -> np.ndarray:
        """A column over one period: "t", a coordinate "x", its velocity "dot(x)"."""
        if name == "t":
            return self.t
        if name in self._coordinates:
            return self.q[:, self._coordinates.index(name)]
        if name.startswith("dot(") and name.endswith(")") and name[4:-1] in self._coordinates:
            return self.v[:, self._coordinates.index(name[4:-1])]
        known = [*self._coordinates, *(f"dot({c})" for c in self._coordinates)]
        raise KeyError(f"there is no column '{name}'; there are t, {', '.join(known)}")

    def __repr__(self) -> str:
        stability = {None: "", True: ", stable", False: ", unstable"}[self.stable]
        return f"<Orbit of {self._name}: {self.status}, period {self.period:.10g}, by {self.method}{stability}>"

    def plot(self) -> Any:
        """Draws the motion over a period, its phase portrait, and the multipliers beside the unit circle.

        Returns the figure of matplotlib.
        """
        if not self.found:
            raise ValueError(f"there is no motion to draw: {self.verdict}")
        figure, (over_time, phase, circle) = pyplot().subplots(1, 3, layout="constrained", figsize=(12.0, 3.8))
        for i, name in enumerate(self._coordinates[:12]):
            over_time.plot(self.t, self.q[:, i], label=name)
            phase.plot(self.q[:, i], self.v[:, i], label=name)
        over_time.set_xlabel("t")
        over_time.set_ylabel("position")
        over_time.legend()
        phase.set_xlabel("position")
        phase.set_ylabel("velocity")
        angle = np.linspace(0.0, 2.0 * np.pi, 241)
        circle.plot(np.cos(angle), np.sin(angle), color="0.7")
        circle.plot(self.multipliers.real, self.multipliers.imag, "o")
        circle.set_aspect("equal")
        circle.set_xlabel("Re")
        circle.set_ylabel("Im")
        circle.set_title("multipliers")
        return figure


_POINT_NUMBERS = {"parameter": "parameter", "period": "period", "energy": "energy", "multiplier": "largest_multiplier",
                  "gap": "margin", "impulse": "approach"}
_POINT_FLAGS = ("stable", "fold", "admissible", "crossing")


class _Points:
    """Points of a branch as arrays."""

    def _read_points(self, points: Any, count: int) -> None:
        for member, name in _POINT_NUMBERS.items():
            setattr(self, name, np.array([getattr(points[i], member) for i in range(count)], dtype=float))
        for name in _POINT_FLAGS:
            setattr(self, name, np.array([getattr(points[i], name) for i in range(count)], dtype=bool))

    def __len__(self) -> int:
        return len(self.period)  # type: ignore[attr-defined]


class Branch(_Points):
    """What `Model.continue_` returns: periodic motions over a parameter.

    Attributes
    ----------
    parameter, period, energy, largest_multiplier, margin, approach : arrays over the points: where it is, smallest gap between
        impacts, smallest speed of an impact
    impacts : number of impacts at each point
    stable, fold, admissible, crossing : flags: is it stable; does the parameter turn back here; is it a motion; does the
        stability change here
    special : what happens at points that were located: "fold", "flip", "branch-point", "neimark-sacker", "grazing", "corner",
        "sticking", "energy-fold", "stability"; "" at the others
    q, v : states right after the first impact, a row per point
    flights : list of arrays: times from each impact to the next
    over : name of the parameter, or "period"
    start : the Orbit at which it begins
    end, end_text : why it ends, in a word ("range", "points", "junction", "graze", "sticking", "energy", "lost") and in words
    status : "done", "limit" (as many points as asked for) or "lost"
    crossings, folds : values of the parameter where the stability changes, and where it turns back
    patterns : list of dicts, where it was followed as a pattern: impacts, from, to, end, contact, t; else None
    branches : list of Branch: what branches off, with `switch`; those of these follow them in the list
    times, origin : of such a one: how many times the period of the start its motions have, and the value of the parameter where
        it begins; 1 and None of the branch itself
    locus : Locus, with `locus`; else None
    """

    parameter: np.ndarray
    period: np.ndarray
    energy: np.ndarray
    largest_multiplier: np.ndarray
    margin: np.ndarray
    approach: np.ndarray
    stable: np.ndarray
    fold: np.ndarray
    admissible: np.ndarray
    crossing: np.ndarray

    def __init__(self, experiment: Experiment, over: str, start: Orbit, branch: Any, patterns: Any):
        n, count = len(experiment.velocities), branch.count
        self._name = _calls.text_of(experiment.pointer.name)
        self.over, self.start = over, start
        self._read_points(branch.point, count)
        self.impacts = np.array([branch.point[i].impacts for i in range(count)], dtype=int)
        self.special = [_calls.text_of(lib.carom_special_word(branch.point[i].special)) or "" for i in range(count)]
        unknown = copied(branch.unknown, count, branch.width)
        self.q, self.v = unknown[:, :n], unknown[:, n : 2 * n]
        self.flights = [unknown[i, 2 * n : 2 * n + self.impacts[i]] for i in range(count)]
        self.end, self.end_text = _calls.text_of(lib.carom_branch_end_word(branch.end)) or "", _calls.text_of(branch.text)
        self.status = {"lost": "lost", "points": "limit"}.get(self.end, "done")
        self.crossings, self.folds = self.parameter[self.crossing], self.parameter[self.fold]
        self.patterns = None if patterns is None else [_pattern(experiment, patterns, patterns.stretch[i])
                                                       for i in range(patterns.stretch_count)]
        self.branches: List["Branch"] = []
        self.times, self.origin = 1, None  # type: int, Optional[float]
        self.locus: Optional["Locus"] = None

    def __repr__(self) -> str:
        return (f"<Branch of {self._name} over {self.over}: {len(self)} points, "
                f"{np.count_nonzero(self.stable)} stable, end: {self.end}>")

    def to_pandas(self) -> Any:
        """A data frame with a row per point."""
        import pandas

        names = [*_POINT_NUMBERS.values(), "impacts", *_POINT_FLAGS]
        return pandas.DataFrame({name: getattr(self, name) for name in names})

    def plot(self) -> Any:
        """Draws energy and largest multiplier over the parameter, stable parts solid, unstable ones dashed.

        Returns the figure of matplotlib.
        """
        figure, places = pyplot().subplots(2, 1, sharex=True, layout="constrained", figsize=(6.4, 6.4))
        for place, values, name in zip(places, (self.energy, self.largest_multiplier), ("energy", "largest multiplier")):
            _draw_stability(place, self.parameter, values, self.stable, "C0")
            for k, branch in enumerate(self.branches):
                other = branch.energy if name == "energy" else branch.largest_multiplier
                _draw_stability(place, branch.parameter, other, branch.stable, f"C{4 + k % 6}")
            for flags, marker, colour, label in ((self.crossing, "o", "C3", "stability changes"), (self.fold, "s", "C2", "fold")):
                if flags.any():
                    place.plot(self.parameter[flags], values[flags], marker, color=colour, label=label)
            place.set_ylabel(name)
        places[1].set_xlabel(self.over)
        if len(self.crossings) or len(self.folds):
            places[0].legend()
        places[0].set_title(f"end: {self.end_text}", fontsize="small")
        return figure


def _draw_stability(place: Any, x: np.ndarray, y: np.ndarray, stable: np.ndarray, colour: str) -> None:
    """Stretches of one kind, each up to the first point of the next."""
    cuts = np.flatnonzero(np.diff(stable.astype(int))) + 1
    for first, last in zip([0, *cuts], [*cuts, len(x)]):
        kind = "-" if len(stable) and stable[first] else "--"
        place.plot(x[first : last + 1], y[first : last + 1], kind, color=colour)


def _pattern(experiment: Experiment, patterns: Any, stretch: Any) -> Dict[str, Any]:
    names = [f"{experiment.contacts[c]}@{phase}" for kind, phase in ((lib.CAROM_PHASE_START, "0"), (lib.CAROM_PHASE_HALF, "0.5"))
             for c in range(patterns.contacts) if stretch.pattern[c] == kind]
    return {"impacts": ",".join(names), "from": patterns.point[stretch.first].value, "to": stretch.end_value,
            "end": _calls.text_of(lib.carom_orbit_branch_end_text(stretch.end)),
            "contact": experiment.contacts[stretch.contact] if stretch.contact >= 0 else None,
            "t": stretch.time if stretch.contact >= 0 else None}


class Window:
    """Periods with motions of one impact: period, energy and end of both sides, and when the gap touches at a junction."""

    def __init__(self, window: Any):
        self.period, self.energy = (window.period[0], window.period[1]), (window.energy[0], window.energy[1])
        self.end = tuple(_calls.text_of(lib.carom_branch_end_word(window.end[k])) or "" for k in (0, 1))
        self.touch_time = tuple(window.touch_time[k] if window.end[k] == lib.CAROM_END_JUNCTION else None for k in (0, 1))

    def __repr__(self) -> str:
        return f"<Window of periods {self.period[0]:.6g} ({self.end[0]}) .. {self.period[1]:.6g} ({self.end[1]})>"


class ModeBranch(_Points):
    """Motions with so many impacts per period: arrays period, energy, largest_multiplier, stable, fold; ends, end_texts."""

    period: np.ndarray
    energy: np.ndarray
    largest_multiplier: np.ndarray
    stable: np.ndarray
    fold: np.ndarray

    def __init__(self, branch: Any):
        self.impacts = branch.impacts
        self._read_points(branch.point, branch.count)
        self.ends = tuple(_calls.text_of(lib.carom_branch_end_word(branch.end[k])) or "" for k in (0, 1))
        self.end_texts = tuple(_calls.text_of(branch.text[k]) or "" for k in (0, 1))

    def __repr__(self) -> str:
        return f"<ModeBranch with {self.impacts} impacts: {len(self)} points, from {self.ends[0]} to {self.ends[1]}>"


class Modes:
    """What `Model.modes` returns: the periodic motions of a linear model against one contact.

    Attributes
    ----------
    omega, period, grazing_energy : of the linear modes: circular frequency, period, energy at which it just touches
    shapes : column j is mode j: its displacement in each coordinate, normed by the mass matrix
    periods : the range that was looked at
    windows : periods with motions of one impact, and how they end
    branches : motions by number of impacts: arrays period, energy (the backbone curves), largest_multiplier, stable
    sticking : list of dicts of motions with one phase of contact: period, flight, contact, energy, least_reaction, and
        displacement and velocity at release; None: not asked for
    complete : nothing is known to be missing
    """

    def __init__(self, experiment: Experiment, basis: Any, survey: Any, sticking: bool):
        n = basis.size
        self._name = _calls.text_of(experiment.pointer.name)
        self.contact = experiment.contacts[0]
        self.omega = copied(basis.frequency, n)
        self.period = 2.0 * np.pi / self.omega
        self.grazing_energy = np.array([lib.carom_mode_grazing_energy(basis, j) for j in range(n)])
        self.shapes = copied(basis.mode, n, n)
        self.periods: Tuple[float, float] = (getattr(survey, "from"), survey.to)
        self.windows = [Window(survey.window[i]) for i in range(survey.windows)]
        self.branches = [ModeBranch(survey.branch[i]) for i in range(survey.branches)]
        self.sticking = [_sticking(survey.sticking[i], n) for i in range(survey.stickings)] if sticking else None
        ends = [end for part in (*(w.end for w in self.windows), *(b.ends for b in self.branches)) for end in part]
        self.complete = not survey.full and "lost" not in ends and "points" not in ends

    def __repr__(self) -> str:
        return (f"<Modes of {self._name} against {self.contact}: {len(self.omega)} linear, {len(self.windows)} windows, "
                f"{len(self.branches)} branches>")

    def plot(self) -> Any:
        """Draws frequency over energy, stable parts solid, unstable ones dashed. Returns the figure of matplotlib."""
        figure, place = pyplot().subplots(layout="constrained")
        colours = {1: "C0", 2: "C1", 3: "C2"}
        for branch in self.branches:
            _draw_stability(place, branch.energy, 2.0 * np.pi / branch.period, branch.stable, colours.get(branch.impacts, "C3"))
        place.plot(self.grazing_energy, self.omega, "ko", markersize=4, label="linear modes, grazing")
        for impacts in sorted({branch.impacts for branch in self.branches}):
            place.plot([], [], color=colours.get(impacts, "C3"), label=f"{impacts} impact{'s' if impacts > 1 else ''} per period")
        place.set_xscale("log")
        place.set_xlabel("energy")
        place.set_ylabel("circular frequency")
        place.legend()
        return figure


def _sticking(motion: Any, n: int) -> Dict[str, Any]:
    return {"period": motion.period, "flight": motion.flight, "contact": motion.contact, "energy": motion.energy,
            "least_reaction": motion.reaction, "displacement": copied(motion.q, n), "velocity": copied(motion.v, n)}


# ---- searches


class _Subject:
    """A model whose periodic motions are looked for, and what C makes in the search.

    That is freed at the end of the `with`, the last first: the garbage collector keeps no order, and what is made of a model
    must go before the model does.
    """

    def __init__(self, model: "Model", values: Mapping[str, Any]):
        fixed, _ = split_values(model._experiment({}), values)
        self.experiment = computed(model, fixed)
        self._model, self._made = model, contextlib.ExitStack()
        self.pointer = self.created("carom_periodic_model **", lib.carom_periodic_model_free,
                                    lambda place, error: lib.carom_periodic_model_of(self.experiment.pointer, place, error))
        self.pointer.progress = lib.carom_python_progress(ffi.NULL)

    def __enter__(self) -> "_Subject":
        return self

    def __exit__(self, *_: Any) -> None:
        self._made.close()

    def search(self, call: Callable[[], int], error: Any, result: Any = None) -> None:
        """A call of the library; Ctrl-C ends the search."""
        with _calls.interruptible() as search:
            status = call()
        if search.asked:
            raise Interrupted("interrupted while motions were looked for", result)
        try:
            self._model._check(status, error)
        except CaromError as problem:  # options of the program are keywords here
            raise type(problem)(re.sub(r"--([a-z]+)", r"\1", str(problem))) from None

    def created(self, declaration: str, free: Any, create: Any) -> Any:
        """What create(place, error) makes."""
        place, error = ffi.new(declaration), _calls.new_error()
        self.search(lambda: create(place, error), error)
        self._made.callback(free, place[0])
        return place[0]

    def new(self, declaration: str, free: Any) -> Any:
        """A struct of zeros, whose contents are freed."""
        made = ffi.new(declaration)
        self._made.callback(free, made)
        return made


class _Search:
    """A carom_find_request and all that it points to."""

    def __init__(self, subject: _Subject, period: float, impacts: Any, flights: Any, guess: Optional[str], settle: Any,
                 pick: Any):
        self._subject, self._kept = subject, _calls.Kept()
        request = self.pointer = ffi.new("carom_find_request *")
        request.period = period
        if flights is not None:
            self._flights = doubles(flights, "flights")
            if not (self._flights > 0.0).all():
                raise ModelError("flights: times above 0 are needed")
            request.flights, request.flight = self._flights.size, pointer_to(self._flights)
        kinds = {None: lib.CAROM_GUESS_ANY, "linear": lib.CAROM_GUESS_LINEAR, "run": lib.CAROM_GUESS_RUN}
        if guess not in kinds:
            raise ModelError(f"guess is 'linear' or 'run'; got {guess!r}")
        request.guess = kinds[guess]
        if settle is not None:
            request.settle = positive("settle", settle)
            request.guess = kinds[guess or "run"]
        if pick is not None:
            request.pick = whole("pick", pick, 1, 64)
        words = _impact_words(impacts)
        arena, error = lib.carom_arena_create(), _calls.new_error()
        if arena == ffi.NULL:
            raise MemoryError
        subject._made.callback(lib.carom_arena_free, arena)
        subject._model._check(lib.carom_impact_sequence_read(subject.pointer, arena, len(words), text_list(self._kept, words),
                                                    ffi.addressof(request, "impacts"), error), error)
        if request.flights not in (0, len(words)):
            raise ModelError(f"flights has {request.flights} values for {len(words)} impacts: one per impact")


def _impact_words(impacts: Any) -> List[str]:
    """Impacts as the library reads them: "wall" or "wall@0.5"."""
    if isinstance(impacts, str):
        return [word.strip() for word in impacts.split(",")]
    try:
        entries = list(impacts)
    except TypeError:
        raise TypeError(f"impacts: names of contacts are needed, not {type(impacts).__name__}") from None
    result = []
    for entry in entries:
        if isinstance(entry, str):
            result.append(entry)
        elif isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str):
            result.append(f"{entry[0]}@{as_text('phase', entry[1])}")
        else:
            raise TypeError(f"impacts: 'wall' or ('wall', 0.5) is needed, not {entry!r}")
    return result


def orbit(model: "Model", period: Any, impacts: Any, flights: Any, guess: Optional[str], settle: Any, pick: Any,
          verify: Any, perturb: Any, strict: bool, values: Mapping[str, Any]) -> Orbit:
    """Model.orbit."""
    wanted = 0.0 if period is None else positive("period", period)  # 0: that of what drives the model
    periods = 0 if verify is None else whole("verify", verify, 1, 1000000)
    offset = number("perturb", perturb)
    if offset != 0.0 and not periods:
        raise ModelError("perturb is for verify")
    with _Subject(model, values) as subject:
        search = _Search(subject, wanted, impacts, flights, guess, settle, pick)
        found, error = subject.new("carom_found_orbit *", lib.carom_found_orbit_free), _calls.new_error()
        subject.search(lambda: lib.carom_find_orbit(subject.pointer, search.pointer, found, error), error)
        result = Orbit(subject.experiment, found)
        if periods and result.found:
            verified = subject.new("carom_orbit_return *", lib.carom_orbit_return_free)
            subject.search(lambda: lib.carom_find_verify(subject.pointer, found, periods, offset, verified, error), error, result)
            result._read_verified(verified)
    if strict and not result.is_motion:
        raise StepError(result.verdict, result)
    return result


def follow(model: "Model", parameter: str, start: Any, stop: Any, impacts: Any, period: Any, flights: Any,
           guess: Optional[str], settle: Any, pick: Any, frequency: Optional[str], pattern: bool, switches: Any,
           points: Any, step: Any, through: bool, further: Further, strict: bool, values: Mapping[str, Any]) -> Branch:
    """Model.continue_."""
    if not isinstance(parameter, str):
        raise TypeError(f"parameter: a name is needed, not {type(parameter).__name__}")
    first, last = number("start", start), number("stop", stop)
    refused = {"through": through, "frequency": frequency, "flights": flights, "guess": guess, "settle": settle}
    for name, given in refused.items():
        if pattern and given is not None and given is not False:
            raise ModelError(f"pattern goes without {name}: nothing is guessed or passed over")
    most_switches = whole("switches", switches, 0, 1000)
    if most_switches and not pattern:
        raise ModelError("switches is for pattern")
    if further and pattern:
        raise ModelError("pattern goes without switch and locus: patterns are followed as they are")
    if further.locus and parameter == "period":
        raise ModelError("locus is over two parameters of the model, not over the period")
    if first == last:
        raise ModelError(f"start and stop are both {first:g}: nothing to follow")
    wanted = _period_at_start(parameter, first, last, period)
    if parameter in values:
        raise ModelError(f"'{parameter}' has a value and is followed: leave one out")
    kept = _calls.Kept()
    names, request = ffi.new("carom_continue_names *"), ffi.new("carom_continue_request *")
    names.parameter, names.frequency, names.pattern = kept.text(parameter), kept.text(frequency), bool(pattern)
    setattr(request, "from", first)
    request.to, request.through = last, bool(through)
    request.points = whole("points", points, 2, 1000000)
    request.step = 0.0 if step is None else positive("step", step)
    with _Subject(model, values if parameter == "period" else {**values, parameter: first}) as subject:
        search = _Search(subject, wanted, impacts, flights, guess, settle, pick)
        return _follow(subject, search, names, request, most_switches, further, strict)


def _switch(subject: _Subject, found: Any, first: Any, request: Any, further: Further, result: Branch) -> None:
    """Branches that begin at special points of the first one, and of those again; what cannot be followed says why."""
    error, name = _calls.new_error(), result.over
    sources = [(first, 1)]
    for _ in range(further.depth):
        begun = []
        for source, times in sources:
            for point in range(1, source.count):
                special = source.point[point].special
                if special not in further.kinds:
                    continue
                branch = subject.new("carom_branch *", lib.carom_branch_free)
                with _calls.interruptible() as call:
                    status = lib.carom_continue_switch(subject.pointer, found, source, times, point, request, branch, error)
                if call.asked:
                    raise Interrupted("interrupted where branches begin", result)
                if status != lib.CAROM_FAILED:
                    subject._model._check(status, error)
                other = Branch(subject.experiment, name, result.start, branch, None)
                other.times = 2 * times if special == lib.CAROM_SPECIAL_FLIP else times
                other.origin = source.point[point].parameter
                if status == lib.CAROM_FAILED and not len(other):
                    other.end, other.status, other.end_text = "lost", "lost", _calls.text_of(error.text)
                result.branches.append(other)
                begun.append((branch, other.times))
        sources = begun


def _follow_locus(subject: _Subject, found: Any, first: Any, request: Any, further: Further, result: Branch) -> None:
    """The locus of the first special point of the kind."""
    error, kept = _calls.new_error(), _calls.Kept()
    second = lib.carom_model_find_parameter(subject.experiment.pointer.model, kept.text(further.second))
    if second < 0:
        raise ModelError(f"second: '{further.second}' is no parameter of the model")
    points = [i for i in range(first.count) if first.point[i].special == further.kind]
    if not points:
        raise StepError(f"locus: there is no {further.locus} on the branch", result)
    branch = subject.new("carom_branch *", lib.carom_branch_free)
    with _calls.interruptible() as call:
        status = lib.carom_continue_locus(subject.pointer, found, first, points[0], request, second, further.stop, branch, error)
    result.locus = Locus(further.locus or "", (result.over, further.second or ""), branch)
    if call.asked:
        raise Interrupted("interrupted on the locus", result)
    if status == lib.CAROM_FAILED:
        raise StepError(_calls.text_of(error.text) or "", result)
    subject._model._check(status, error)


def _follow(subject: _Subject, search: _Search, names: Any, request: Any, switches: int, further: Further,
            strict: bool) -> Branch:
    """The motion at the start, and the branch from there."""
    found, error, place = subject.new("carom_found_orbit *", lib.carom_found_orbit_free), _calls.new_error(), ffi.new("int *", -1)
    subject.search(lambda: lib.carom_continue_start(subject.pointer, search.pointer, names, request, place, found, error), error)
    branch = subject.new("carom_branch *", lib.carom_branch_free)
    patterns = subject.new("carom_orbit_branch *", lib.carom_orbit_branch_free)
    request.progress = lib.carom_python_progress(ffi.NULL)
    with _calls.interruptible() as call:
        if request.pattern:
            status = lib.carom_continue_pattern(subject.pointer, search.pointer, request, switches, branch, patterns, error)
        else:
            status = lib.carom_continue_orbit(subject.pointer, found, request, branch, error)
    result = Branch(subject.experiment, _calls.text_of(names.parameter) or "", Orbit(subject.experiment, found), branch,
                    patterns if request.pattern else None)
    if call.asked:
        raise Interrupted(f"interrupted after {len(result)} points", result)
    if status == lib.CAROM_FAILED and len(result):
        raise StepError(_calls.text_of(error.text) or "", result)
    subject._model._check(status, error)
    if further.kinds:
        _switch(subject, found, branch, request, further, result)
    if further.locus:
        _follow_locus(subject, found, branch, request, further, result)
    if result.end == "lost" and strict:
        raise StepError(result.end_text or "", result)
    return result


def _period_at_start(parameter: str, first: float, last: float, period: Any) -> float:
    if parameter != "period":
        return 0.0 if period is None else positive("period", period)  # 0: that of what drives the model
    if period is not None:
        raise ModelError("the period goes from start to stop: leave out period")
    if not (first > 0.0 and last > 0.0):
        raise ModelError(f"a period is above 0; got start {first:g}, stop {last:g}")
    return first


def modes(model: "Model", impacts: Any, sticking: bool, periods: Any, points: Any, values: Mapping[str, Any]) -> Modes:
    """Model.modes."""
    request = ffi.new("carom_mode_survey_request *")
    for count in [impacts] if np.ndim(impacts) == 0 else list(impacts):
        request.impacts[whole("impacts", count, 1, 3)] = True
    request.sticking = bool(sticking)
    request.points = whole("points", points, 2, 100000)
    if periods is not None:
        low, high = doubles(periods, "periods", 2)
        if not 0.0 < low < high:
            raise ModelError(f"periods needs two periods above 0, the smaller first, such as (1.5, 10); got {low:g}, {high:g}")
        setattr(request, "from", low)
        request.to = high
    request.progress = lib.carom_python_progress(ffi.NULL)
    with _Subject(model, values) as subject:
        basis = subject.created("carom_mode_basis **", lib.carom_mode_basis_free,
                                lambda place, error: lib.carom_mode_basis_of(subject.pointer, place, error))
        survey, error = subject.new("carom_mode_survey *", lib.carom_mode_survey_free), _calls.new_error()
        subject.search(lambda: lib.carom_survey_modes(basis, request, survey, error), error)
        return Modes(subject.experiment, basis, survey, bool(sticking))
