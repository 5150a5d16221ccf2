"""Pictures of motions with matplotlib: the plots of the model file, or columns over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, Optional, Sequence

import numpy as np

from . import _calls
from ._arrays import view
from ._native import ffi, lib
from .errors import ModelError
from .tables import _library

if TYPE_CHECKING:
    from .motion import Motion

_COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c564b", "#7f7f7f"]
_LINES = {"line": "-", "dashed": "--", "dotted": ":", "linepoints": "-"}
_MARKS = {"points": "o", "cross": "x", "plus": "+", "circle": "o", "dot": ".", "linepoints": "o",
          "impact": "o", "release": "^", "stick": "s", "slip": "D", "stop": "v"}
_HOLLOW = ("circle", "impact", "release", "stick", "slip", "stop")


def plot(motion: "Motion", names: Sequence[str], ax: Any, which: Optional[str]) -> Any:
    """See Motion.plot."""
    pyplot = _library("matplotlib.pyplot", "python3-matplotlib")
    if names:
        return _columns(motion, names, ax or pyplot.subplots(layout="constrained")[1])
    count = motion._experiment.pointer.plot_count
    if count == 0 and which is None:
        shown = motion._experiment.columns or motion._experiment.coordinates
        return _columns(motion, shown[:8], ax or pyplot.subplots(layout="constrained")[1])
    if ax is not None:
        raise ValueError('ax goes with names of columns: r.plot("y", ax=ax)')
    return _figure(pyplot, motion, _index_of(motion, which))


def plots(motion: "Motion") -> List[str]:
    """Names of the plots that the model file has."""
    pointer = motion._experiment.pointer
    return [_calls.text_of(pointer.plot[i].name) or "" for i in range(pointer.plot_count)]


def _index_of(motion: "Motion", which: Optional[str]) -> int:
    names = plots(motion)
    if which is None:
        return 0
    if which not in names:
        raise ModelError(f"there is no plot '{which}'; there are {', '.join(names) or 'none'}")
    return names.index(which)


def _columns(motion: "Motion", names: Sequence[str], ax: Any) -> Any:
    for name in names:
        ax.plot(motion.t, motion[name], label=name, linewidth=1.2)
    ax.set_xlabel("t")
    if len(names) == 1:
        ax.set_ylabel(names[0])
    else:
        ax.legend(frameon=False)
    return ax


# ---- the plots of the model file -------------------------------------------------------------------------


def _figure(pyplot: Any, motion: "Motion", index: int) -> Any:
    source = ffi.new("carom_curve_source *")
    source.experiment, source.series = motion._experiment.pointer, motion._series
    source.parameter = ffi.cast("double *", motion._parameter.ctypes.data)
    if motion._result is not None:
        source.values = motion._result.pointer.values
        source.results = motion._result.pointer.results
        source.points = ffi.addressof(motion._result.pointer, "points")
    place, error = ffi.new("carom_figure **"), _calls.new_error()
    _calls.check(lib.carom_figure_create(source, index, place, error), error)
    drawn = ffi.gc(place[0], lib.carom_figure_free)
    size = (max(5.5, 4.2 * drawn.columns), max(3.8, 3.4 * drawn.rows))
    figure, axes = pyplot.subplots(drawn.rows, drawn.columns, figsize=size, squeeze=False, layout="constrained")
    for k, ax in enumerate(axes.flat):
        if k < drawn.panel_count:
            _panel(ax, drawn, drawn.panel[k])
        else:
            ax.set_axis_off()
    title = _calls.text_of(drawn.plot.title)
    if title:
        figure.suptitle(title)
    return figure


def _panel(ax: Any, owner: Any, panel: Any) -> None:
    labelled = 0
    for k in range(panel.curve_count):
        labelled += _curve(ax, owner, panel, panel.curve[k])
    asked = panel.panel
    for text, put in ((asked.title, ax.set_title), (asked.xlabel, ax.set_xlabel), (asked.ylabel, ax.set_ylabel)):
        words = _calls.text_of(text)
        if words:
            put(words)
    if asked.xlog:
        ax.set_xscale("log")
    if asked.ylog:
        ax.set_yscale("log")
    for axis, put in ((panel.x, ax.set_xlim), (panel.y, ax.set_ylim)):
        if np.isfinite([axis.low, axis.high]).all() and axis.low < axis.high:
            put(axis.low, axis.high)
    if asked.equal:
        ax.set_aspect("equal")
    if labelled:
        ax.legend(frameon=False, fontsize="small")


def _colour(curve: Any) -> Any:
    if curve.tint == lib.CAROM_TINT_MAIN:
        return "black"
    if curve.tint == lib.CAROM_TINT_OUTLINE:
        return "0.45"
    if curve.tint == lib.CAROM_TINT_SEQUENCE:
        return f"C{curve.tint_number % 10}"
    return _COLOURS[curve.tint_number % len(_COLOURS)]


def _curve(ax: Any, owner: Any, panel: Any, curve: Any) -> int:
    """Draws it; 1 when it stands in the legend."""
    x, y = (view(owner, pointer, (curve.count,)) for pointer in (curve.x, curve.y))
    label, style, colour = _calls.text_of(curve.label), _calls.text_of(curve.style) or "line", _colour(curve)
    if curve.x2 != ffi.NULL:
        ends = [view(owner, pointer, (curve.count,)) for pointer in (curve.x2, curve.y2)]
        lines = np.stack([np.stack([x, y], 1), np.stack(ends, 1)], 1)
        _segments(ax, lines, colors=colour, label=label, linewidths=1)
    elif curve.rgb != ffi.NULL:
        _pieces(ax, x, y, _colours_of(view(owner, curve.rgb, (curve.count,))))
    elif panel.time.low < panel.time.high and style in _LINES and curve.tint != lib.CAROM_TINT_OUTLINE:
        _profiles(ax, x, y, view(owner, curve.t, (curve.count,)), panel.time)
    else:
        ax.plot(x, y, label=label, color=colour, linestyle=_LINES.get(style, "none"), marker=_MARKS.get(style),
                markersize=4, markerfacecolor="none" if style in _HOLLOW else colour, linewidth=1.1)
    return int(label is not None)


def _segments(ax: Any, lines: Any, **keywords: Any) -> Any:
    from matplotlib.collections import LineCollection

    collection = LineCollection(list(lines), **keywords)
    ax.add_collection(collection)
    return collection


def _runs(x: np.ndarray) -> List[slice]:
    """The pieces between the gaps of a line."""
    gaps = np.flatnonzero(np.isnan(x))
    edges = np.concatenate([[-1], gaps, [len(x)]])
    return [slice(a + 1, b) for a, b in zip(edges[:-1], edges[1:]) if b - a > 2]


def _colours_of(rgb: np.ndarray) -> np.ndarray:
    whole = np.nan_to_num(rgb).astype(np.int64)
    return np.stack([whole >> 16 & 255, whole >> 8 & 255, whole & 255], 1) / 255.0


def _pieces(ax: Any, x: np.ndarray, y: np.ndarray, colours: np.ndarray) -> None:
    runs = _runs(x)
    _segments(ax, [np.stack([x[run], y[run]], 1) for run in runs], colors=[colours[run.start] for run in runs],
              linewidths=1)


def _profiles(ax: Any, x: np.ndarray, y: np.ndarray, t: np.ndarray, time: Any) -> None:
    from matplotlib import cm, colors

    norm = colors.Normalize(time.low, time.high)
    runs = _runs(x)
    _segments(ax, [np.stack([x[run], y[run]], 1) for run in runs], linewidths=1,
              colors=[cm.viridis(norm(t[run.start])) for run in runs])
    ax.figure.colorbar(cm.ScalarMappable(norm, "viridis"), ax=ax, label="t")
