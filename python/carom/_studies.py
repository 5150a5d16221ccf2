"""What all studies of a model share: values that are fixed, the model read anew for one call, numbers."""

from __future__ import annotations

import math
import numbers
import operator
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _calls
from ._experiment import Experiment, as_text, option_list, options_of, refuse_name
from ._native import ffi, lib
from .errors import Interrupted, ModelError

if TYPE_CHECKING:
    from .model import Model


def split_values(experiment: Experiment, values: Mapping[str, Any],
                 schemes: Sequence[Any] = ()) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Keywords of a study as values of the model and options of the schemes that know them."""
    fixed: Dict[str, Any] = {}
    options: Dict[str, Any] = {}
    for name, value in values.items():
        if name in experiment.parameters or name in experiment.settings:
            as_text(name, value)  # what is no value is said here
            fixed[name] = value
        elif any(lib.carom_scheme_takes_option(scheme, _calls.bytes_of(name)) for scheme in schemes):
            options[name] = value
        else:
            known = [*experiment.parameters, *experiment.settings, *(o for s in schemes for o in options_of(s))]
            raise refuse_name("parameter, setting or option" if schemes else "parameter or setting", name,
                              list(dict.fromkeys(known)))
    return fixed, options


def refuse_study(model: "Model") -> None:
    if model._experiment({}).pointer.study:
        raise ModelError(f"{model.name} is a study: nothing moves, and there is no run to look at; "
                         "run() shows what it finds")


def computed(model: "Model", values: Mapping[str, Any], integrate: str = "") -> Experiment:
    """The model with these values, read anew, and what its studies give."""
    refuse_study(model)
    experiment = model._read(values, integrate)
    error = _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_experiment_compute(experiment.pointer, lib.carom_python_progress(ffi.NULL), error)
    if call.asked:
        raise Interrupted("interrupted while the studies of the model were computed", None)
    model._check(status, error)
    return experiment


def positive(name: str, value: Any) -> float:
    return number(name, value, above_zero=True)


def number(name: str, value: Any, above_zero: bool = False) -> float:
    """A finite number; ModelError says which value is none."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (numbers.Real, np.ndarray)):
        raise TypeError(f"{name}: a number is needed, not {type(value).__name__}")
    found = float(value)
    if not math.isfinite(found) or (above_zero and found <= 0.0):
        raise ModelError(f"{name} = {found}: a finite number{' above 0' if above_zero else ''} is needed")
    return found


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number in its range."""
    try:
        found = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: a whole number is needed, not {type(value).__name__}") from None
    if not least <= found <= most:
        raise ModelError(f"{name} = {found}: a whole number from {least} to {most} is needed")
    return found


def words(name: str, given: Any) -> List[str]:
    """Names: one, several with commas, or a list."""
    if isinstance(given, str):
        return [word.strip() for word in given.split(",")]
    try:
        found = list(given)
    except TypeError:
        raise TypeError(f"{name}: names are needed, not {type(given).__name__}") from None
    for word in found:
        if not isinstance(word, str):
            raise TypeError(f"{name}: names are needed, not {type(word).__name__}")
    return found


def scheme_options(kept: _calls.Kept, named: Mapping[str, Any], options: Optional[Mapping[str, Any]]) -> Any:
    """Options for C: those among the keywords, and those given as a dict."""
    if options is not None and not isinstance(options, Mapping):
        raise TypeError(f"options: a dict is needed, not {type(options).__name__}")
    for name in options or {}:
        if not isinstance(name, str):
            raise TypeError(f"options: names are needed as keys, not {type(name).__name__}")
    return option_list(kept, {**named, **(options or {})})


def text_list(kept: _calls.Kept, names: Sequence[str]) -> Any:
    """Texts for C; they live as long as `kept`."""
    return kept.array("char *[]", [kept.text(name) for name in names])


def copied(pointer: Any, *shape: int) -> np.ndarray:
    """Doubles of the library as an array of their own."""
    count = int(np.prod(shape, dtype=np.int64))
    if pointer == ffi.NULL or count == 0:
        return np.empty(shape)
    return np.frombuffer(ffi.buffer(pointer, count * 8), dtype=np.float64).reshape(shape).copy()


def given_or_none(text: Any) -> Optional[str]:
    return _calls.text_of(text) or None


def pyplot() -> Any:
    """matplotlib, when a picture is asked for."""
    try:
        from matplotlib import pyplot as plt
    except ImportError:
        raise ImportError("pictures need matplotlib (Debian: python3-matplotlib)") from None
    return plt
