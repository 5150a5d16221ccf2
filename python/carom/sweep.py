"""Parameter studies: the measures of a model over one or two parameters, on all cores."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _calls, motion
from . import accuracy as accuracy_of
from ._arrays import pointer_to
from ._experiment import Experiment, as_text, find_scheme
from ._native import ffi, lib
from ._studies import number, pyplot, scheme_options, split_values, text_list, whole, words
from .errors import FileError, Interrupted, ModelError

if TYPE_CHECKING:
    from .model import Model

_AXES_MOST = 2


class Sweep:
    """What `Model.sweep` returns: measures on a grid.

    >>> ball = carom.experiment("paoli-2001/bouncing-ball")
    >>> r = ball.sweep(e=[0.5, 0.8], measures=["impacts"])
    >>> r.axes
    {'e': array([0.5, 0.8])}
    >>> r["impacts"].shape, r.status.tolist()
    ((2,), ['ok', 'ok'])

    Attributes
    ----------
    axes : dict of arrays: the values of each name, in the order of the grid's dimensions
    measures : names of the measures; `r[name]` is an array of the grid's shape, NaN where there is no value. A measure that
        is a list is an array of arrays (dtype object), empty where there is no value
    status : words of the runs: "ok", "failed", ...
    trusted : True where nothing speaks against the numbers of a run
    steps, seconds : of each run
    messages : why a run failed, None where it did not
    threads, wall_seconds : of the whole
    """

    def __init__(self, experiment: Experiment, pointer: Any):
        self._experiment, self._pointer = experiment, pointer
        self.axes: Dict[str, np.ndarray] = {}
        for i in range(pointer.axis_count):
            axis = pointer.axis[i]
            self.axes[_calls.text_of(axis.name) or ""] = _axis_values(
                [_calls.text_of(axis.value[k]) or "" for k in range(axis.count)])
        self.shape: Tuple[int, ...] = tuple(len(values) for values in self.axes.values())
        self.measures: List[str] = [_calls.text_of(pointer.measure[i]) or "" for i in range(pointer.measure_count)]
        self.threads: int = pointer.threads
        self.wall_seconds: float = pointer.wall_seconds
        self._read_points()

    def _read_points(self) -> None:
        pointer = self._pointer
        count = pointer.point_count
        words = np.zeros(count, dtype=f"S{lib.CAROM_PYTHON_WORD}")
        told, done, trusted = (np.zeros(count, dtype=bool) for _ in range(3))
        steps, seconds = np.zeros(count, dtype=np.dtype("long")), np.zeros(count)
        lib.carom_python_sweep_points(pointer, ffi.from_buffer("char[]", words), *(ffi.from_buffer("bool[]", flags)
                                      for flags in (told, done, trusted)), ffi.from_buffer("long[]", steps),
                                      ffi.from_buffer("double[]", seconds))
        messages = np.full(count, None, dtype=object)
        for i in np.flatnonzero(told):
            messages[i] = _calls.text_of(pointer.point[int(i)].message)
        self.done, self.trusted = done.reshape(self.shape), trusted.reshape(self.shape)
        self.steps, self.seconds = steps.reshape(self.shape), seconds.reshape(self.shape)
        self.status, self.messages = words.astype(str).reshape(self.shape), messages.reshape(self.shape)
        self._values: Dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.measures:
            raise KeyError(f"there is no measure '{name}'; there are {', '.join(self.measures) or 'none'}")
        if name not in self._values:
            self._values[name] = self._measure(self.measures.index(name))
        return self._values[name]

    def _measure(self, index: int) -> np.ndarray:
        count = self._pointer.point_count
        values = np.empty(count)
        if lib.carom_python_sweep_numbers(self._pointer, index, pointer_to(values)):
            return values.reshape(self.shape)
        lists = np.empty(count, dtype=object)
        for i in range(count):
            found = motion.measured(self._pointer.point[i].measure[index])
            lists[i] = np.empty(0) if found is None else np.atleast_1d(found)
        return lists.reshape(self.shape)

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures)

    def __len__(self) -> int:
        return int(self._pointer.point_count)

    @property
    def failed(self) -> int:
        """Number of points whose run did not come to its end."""
        return int(np.count_nonzero(self.done & (self.messages != None) & (self.status != "ok")))  # noqa: E711

    def __repr__(self) -> str:
        over = ", ".join(f"{name} ({len(values)} values)" for name, values in self.axes.items())
        failed = f", {self.failed} failed" if self.failed else ""
        missing = len(self) - int(np.count_nonzero(self.done))
        return (f"<Sweep of {_calls.text_of(self._experiment.pointer.name)} over {over}: {len(self)} points{failed}"
                f"{f', {missing} not reached' if missing else ''}, {', '.join(self.measures) or 'no measures'}>")

    # ---- elsewhere

    def to_pandas(self) -> Any:
        """A data frame with a row per point: values of the axes, measures, status, trusted, steps.

        >>> r = carom.experiment("paoli-2001/bouncing-ball").sweep(e=[0.5, 0.8], measures=["impacts"])
        >>> list(r.to_pandas().columns)
        ['e', 'impacts', 'status', 'trusted', 'steps']
        """
        import pandas

        grid = np.meshgrid(*self.axes.values(), indexing="ij")
        columns: Dict[str, Any] = {name: values.reshape(-1) for name, values in zip(self.axes, grid)}
        columns.update({name: self[name].reshape(-1) for name in self.measures})
        for name in ("status", "trusted", "steps"):
            columns.setdefault(name, getattr(self, name).reshape(-1))
        return pandas.DataFrame(columns)

    def save(self, path: "os.PathLike[str] | str") -> None:
        """Writes the table, as `carom sweep --csv` and `--out` do: a name that ends in .csv is text, .h5 or .hdf5 is HDF5.

        >>> carom.experiment("paoli-2001/bouncing-ball").sweep(e=[0.5, 0.8]).save("table.csv")
        """
        name = os.fspath(path)
        error = _calls.new_error()
        if name.endswith(".csv"):
            status = lib.carom_python_sweep_csv(_calls.bytes_of(name), self._pointer, error)
        elif name.endswith((".h5", ".hdf5")):
            status = lib.carom_sweep_write_file(_calls.bytes_of(name), self._experiment.pointer, self._pointer, error)
        else:
            raise ValueError(f"'{name}': a name that ends in .csv, .h5 or .hdf5 is needed")
        if status == lib.CAROM_BAD_INPUT:
            raise FileError(_calls.text_of(error.text) or "")
        _calls.check(status, error)

    # ---- pictures

    def plot(self, *measures: str) -> Any:
        """Draws measures over the axes: lines over one, colours over two; points where a measure is a list.

        Returns the figure of matplotlib.

        >>> r = carom.experiment("paoli-2001/bouncing-ball").sweep(e=[0.5, 0.8])
        >>> figure = r.plot("impacts")
        """
        chosen = list(measures) or self.measures
        if not chosen:
            raise ValueError("the model has no measures: there is nothing to draw")
        values = [self[name] for name in chosen]
        if len(self.axes) == 2:
            flat = [(name, value) for name, value in zip(chosen, values) if value.dtype != object]
            if not flat:
                raise ValueError("measures that are lists are drawn over one axis only")
            chosen, values = [name for name, _ in flat], [value for _, value in flat]
        figure, places = pyplot().subplots(len(chosen), 1, squeeze=False, layout="constrained",
                                           figsize=(6.4, 1.6 + 2.6 * len(chosen)))
        draw = _draw_map if len(self.axes) == 2 else _draw_line
        for place, name, value in zip(places[:, 0], chosen, values):
            draw(place, self.axes, name, value)
        return figure


def _axis_values(texts: Sequence[str]) -> np.ndarray:
    """Numbers as numbers; words, when there is one, as words."""
    try:
        return np.array([float(text) for text in texts])
    except ValueError:
        return np.array(texts, dtype=object)


def _in_order(values: np.ndarray) -> np.ndarray:
    """Numbers are drawn by size, words as they were given."""
    return np.arange(len(values)) if values.dtype == object else np.argsort(values)


def _is_geometric(values: np.ndarray) -> bool:
    """Each the same multiple of the last (values by size)."""
    if values.dtype == object or len(values) < 3 or not np.all(values > 0.0):
        return False
    ratios, steps = values[1:] / values[:-1], np.diff(values)
    return bool(np.ptp(ratios) < 1e-6 * abs(ratios[0]) and np.ptp(steps) > 1e-6 * abs(steps[0]))


def _edges(values: np.ndarray) -> np.ndarray:
    """Of cells around values: half way to the neighbours, on the scale that they are drawn on."""
    if _is_geometric(values):
        return np.exp(_edges(np.log(values)))
    if len(values) == 1:
        return values[0] + np.array([-0.5, 0.5])
    between = 0.5 * (values[1:] + values[:-1])
    return np.concatenate([[2 * values[0] - between[0]], between, [2 * values[-1] - between[-1]]])


def _draw_line(place: Any, axes: Mapping[str, np.ndarray], name: str, value: np.ndarray) -> None:
    ((axis, over),) = axes.items()
    order = _in_order(over)
    at, value = np.arange(len(over)) if over.dtype == object else over[order], value[order]
    if value.dtype == object:
        counts = [len(entries) for entries in value]
        place.plot(np.repeat(at, counts), np.concatenate(list(value)), ".", markersize=2, color="C0")
    else:
        place.plot(at, value, "o" if over.dtype == object else "o-", markersize=3)
    if over.dtype == object:
        place.set_xticks(at, over)
    if _is_geometric(over[order]):
        place.set_xscale("log")
    place.set_xlabel(axis)
    place.set_ylabel(name)


def _draw_map(place: Any, axes: Mapping[str, np.ndarray], name: str, value: np.ndarray) -> None:
    (down, rows), (across, columns) = axes.items()
    orders = _in_order(rows), _in_order(columns)
    edges = []
    for values, order, scale, ticks in ((rows, orders[0], place.set_yscale, place.set_yticks),
                                        (columns, orders[1], place.set_xscale, place.set_xticks)):
        if values.dtype == object:
            edges.append(np.arange(len(values) + 1) - 0.5)
            ticks(np.arange(len(values)), values)
        else:
            edges.append(_edges(values[order]))
            scale("log" if _is_geometric(values[order]) else "linear")
    colours = place.pcolormesh(edges[1], edges[0], value[np.ix_(*orders)])
    place.set_xlabel(across)
    place.set_ylabel(down)
    place.figure.colorbar(colours, ax=place, label=name)


# ---- the sweep


def _is_swept(name: str, value: Any) -> bool:
    if np.ndim(value) == 0:
        if value is not None:
            as_text(name, value)  # what is no value is said here
        return False
    if np.ndim(value) > 1:
        raise ValueError(f"{name}: one row of values is needed, not an array of shape {np.shape(value)}")
    return True


def _take_axes(values: Mapping[str, Any]) -> Dict[str, List[str]]:
    axes = {name: [as_text(name, entry) for entry in value] for name, value in values.items() if _is_swept(name, value)}
    if not axes:
        raise ModelError("nothing is swept: give one or two names several values, such as e=np.linspace(0, 1, 11)")
    if len(axes) > _AXES_MOST:
        raise ModelError(f"{', '.join(axes)} have several values: a sweep goes over one or two names")
    return axes


def run(model: "Model", measures: Any, threads: Any, options: Optional[Mapping[str, Any]], accuracy: Any,
        values: Mapping[str, Any]) -> Sweep:
    """Model.sweep."""
    axes = _take_axes(values)
    single = {name: value for name, value in values.items() if name not in axes}
    scheme = single.pop("scheme", None)
    settings = model._experiment({}).settings
    times = {name: single.pop(name) for name in ("h", "until") if name in single and name not in settings}
    first = next(iter(axes.get("scheme", [])), scheme)
    integrate = model._integration(first, times.get("h"), times.get("until"), named=accuracy is None)
    plain = model._experiment({}, integrate)
    own = _calls.text_of(plain.pointer.scheme)
    wanted: List[Any] = axes.get("scheme", [scheme or own])
    schemes = [find_scheme(name) for name in wanted if name is not None]
    fixed, others = split_values(plain, single, schemes)

    kept = _calls.Kept()
    request = ffi.new("carom_sweep_request *")
    experiment = model._read(fixed, integrate)
    request.experiment = experiment.pointer
    request.axis_count = len(axes)
    for i, (name, texts) in enumerate(axes.items()):
        request.axis[i].name, request.axis[i].count = kept.text(name), len(texts)
        request.axis[i].value = text_list(kept, texts)
    names = [] if measures is None else words("measures", measures)
    if measures is not None and not names:
        raise ModelError("measures: give at least one, or leave it out for all")
    request.measure_count, request.measure = len(names), text_list(kept, names)
    request.scheme = kept.text(None if scheme is None else str(scheme))
    for name, value in times.items():
        if value is not None:
            setattr(request, name, number(name, value) or 5e-324)
    request.option = scheme_options(kept, others, options)
    request.threads = whole("threads", threads, 0, 256)
    if accuracy is not None:
        asked = kept.keep(ffi.new("carom_accuracy_request *"))
        accuracy_of.fill(asked, kept, accuracy)
        request.accuracy = asked
    return _compute(model, experiment, request, _fixed_for_all(kept, model, fixed, axes))


def _fixed_for_all(kept: _calls.Kept, model: "Model", fixed: Mapping[str, Any], axes: Mapping[str, Any]) -> Any:
    """What the model is read with at every point, beside the values of the point."""
    texts = {name: as_text(name, value) for name, value in {**model._values, **fixed}.items() if name not in axes}
    result = kept.keep(ffi.new("carom_python_values *"))
    result.count = len(texts)
    result.value = kept.array("carom_override[]", [(kept.text(k), kept.text(v)) for k, v in texts.items()])
    return result


def _compute(model: "Model", experiment: Experiment, request: Any, fixed: Any) -> Sweep:
    pointer = ffi.gc(ffi.new("carom_sweep *"), lib.carom_sweep_free)
    error = _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_python_sweep(request, fixed, pointer, error)
    if status not in (lib.CAROM_OK, lib.CAROM_INTERRUPTED):
        model._check(status, error)
    found = Sweep(experiment, pointer)
    if call.asked or status == lib.CAROM_INTERRUPTED:
        raise Interrupted(_calls.text_of(error.text) or "interrupted", found)
    return found
