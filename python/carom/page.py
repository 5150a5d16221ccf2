"""The report page of a motion: as a file, and inside a notebook."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

from . import _calls
from ._native import ffi, lib

if TYPE_CHECKING:
    from .motion import Motion

_TALL = 640  # pixels of the frame in a notebook


def _source(motion: "Motion") -> Any:
    source = ffi.new("carom_report_source *")
    source.experiment = motion._experiment.pointer
    source.parameter = ffi.cast("double *", motion._parameter.ctypes.data)
    source.series = motion._series
    if motion._result is not None:
        source.result = motion._result.pointer
        source.pushes = motion._rows.pushes
    else:
        source.stored = motion._stored
        error = _calls.new_error()
        status = lib.carom_experiment_compute(motion._experiment.pointer, lib.carom_python_progress(ffi.NULL), error)
        _calls.check(status, error)
    return source


def write(motion: "Motion", path: "os.PathLike[str] | str") -> None:
    """See Motion.report."""
    error = _calls.new_error()
    _calls.check(lib.carom_report_run(_source(motion), _calls.bytes_of(os.fspath(path)), error), error)


def text(motion: "Motion") -> str:
    """The page, as HTML."""
    page = ffi.gc(ffi.new("carom_text *"), lib.carom_text_free)
    error = _calls.new_error()
    _calls.check(lib.carom_report_run_text(_source(motion), page, error), error)
    return ffi.unpack(page.bytes, page.length).decode("utf-8")


def summary(motion: "Motion") -> str:
    """A table of what the run says of itself, as HTML."""
    rows = [("status", motion.status), ("scheme", f"{motion.scheme}, h = {motion.h:g}"),
            ("outputs", f"{len(motion)}, to t = {motion.t[-1]:g}" if len(motion) else "none"),
            ("trusted", "yes" if motion.trusted else "no: " + "; ".join(motion.certificate.get("doubts", [])))]
    rows += [(name, _short(value)) for name, value in motion.measures.items()]
    cells = "".join(f"<tr><th style='text-align:left'>{html.escape(name)}</th>"
                    f"<td style='text-align:left'>{html.escape(value)}</td></tr>" for name, value in rows)
    return f"<table><caption>{html.escape(motion.name)}</caption>{cells}</table>"


def _short(value: Any) -> str:
    if value is None:
        return "no value"
    if isinstance(value, float):
        return f"{value:.10g}"
    shown = ", ".join(f"{x:.6g}" for x in value[:6])
    return shown + (f", ... ({len(value)} values)" if len(value) > 6 else "")


def in_notebook(motion: "Motion") -> str:
    """The table, and below it the page with its animation, in a frame of its own."""
    if len(motion) == 0 or not lib.carom_report_available():
        return summary(motion)
    page = html.escape(text(motion), quote=True)
    return summary(motion) + f'<iframe srcdoc="{page}" style="width:100%;height:{_TALL}px;border:0"></iframe>'
