"""Runs whose measures are known to an accuracy: `run(accuracy=1e-3)`, `sweep(accuracy=1e-3)`."""
from collections.abc import Mapping
from typing import Any, Dict, List, Tuple

import numpy as np

from . import _calls
from ._native import ffi, lib


def fill(request: Any, kept: _calls.Kept, accuracy: Any) -> None:
    """Writes a number, or a dict {measure: number} whose key None is of all measures, into a carom_accuracy_request."""
    given = accuracy if isinstance(accuracy, Mapping) else {None: accuracy}
    wishes: List[Tuple[Any, float]] = []
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or not 0 < value < 1:
            raise ValueError(f"accuracy {value!r}: a relative error between 0 and 1 is needed, such as 1e-3")
        if name is None:
            request.relative = float(value)
        else:
            wishes.append((kept.text(str(name)), float(value)))
    request.wish_count = len(wishes)
    request.wish = kept.array("carom_accuracy_wish[]", wishes)


def _numbers(measure: Any, pointer: Any) -> Any:
    if measure.is_array:
        return np.array([pointer[i] for i in range(measure.count)])
    return pointer[0] if measure.count > 0 and pointer[0] == pointer[0] else None


def describe(found: Any) -> Dict[str, Any]:
    """What was found, as `accuracy` of `carom run --json`."""
    measures: Dict[str, Any] = {}
    for i in range(found.measure_count):
        measure = found.measure[i]
        measures[_calls.text_of(measure.name) or ""] = {
            "value": _numbers(measure, measure.value),
            "error": _numbers(measure, measure.error),
            "asked": measure.asked if measure.asked == measure.asked else None,
            "met": bool(measure.met),
            "why": _calls.text_of(measure.why) or None,
        }
    tried = [{"scheme": _calls.text_of(found.tried[i].scheme.name), "h": found.tried[i].h,
              "steps": found.tried[i].steps, "wall_s": found.tried[i].wall_seconds}
             for i in range(found.tried_count)]
    return {"asked": found.asked if found.asked == found.asked else None, "met": bool(found.met), "measures": measures,
            "tried": tried, "why": _calls.text_of(found.why) or None}


def search(run: Any, kept: _calls.Kept, accuracy: Any) -> Tuple[Any, int, Any]:
    """Searches step, scheme and options for a carom_run_request and writes them there; what was found, a status and an error."""
    request = ffi.new("carom_accuracy_request *")
    fill(request, kept, accuracy)
    request.run = run[0]
    found = ffi.gc(ffi.new("carom_accuracy *"), lib.carom_accuracy_free)
    error = _calls.new_error()
    status = lib.carom_accuracy_run(request, found, error)
    if found.measure_count > 0:
        run.scheme, run.h, run.option = found.scheme.name, found.h, found.option
    return found, status, error
