"""A model file that was read: what it is called, and how values get into it."""

from __future__ import annotations

import difflib
import math
import numbers
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _calls
from ._native import ffi, lib
from .errors import ModelError


def as_text(name: str, value: Any) -> str:
    """A value of a parameter, setting or option as the library reads it, to the last bit."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        if math.isnan(number):
            raise ModelError(f"{name} is nan; a number is needed")
        return repr(number)
    if isinstance(value, np.ndarray) and value.size == 1:
        return as_text(name, value.reshape(-1)[0].item())
    if isinstance(value, str):
        return value
    raise TypeError(f"{name}: a number or a text is needed, not {type(value).__name__}")


def exactly(name: str, value: Any) -> float:
    """A number that a request takes as given: 0 means "not given" there, and stands for itself as the smallest one."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name}: a number is needed, not {value!r}") from None
    if not np.isfinite(number):
        raise ModelError(f"{name} = {number}: a finite number is needed")
    return number if number != 0.0 else 5e-324


def refuse_name(what: str, name: str, known: Sequence[str]) -> ModelError:
    """The error about a name that is not known, with the one that was probably meant."""
    near = difflib.get_close_matches(name, known, n=1)
    guess = f"; did you mean '{near[0]}'?" if near else ""
    return ModelError(f"{what} '{name}' is not known{guess} Known: {', '.join(known) or 'none'}")


class Experiment:
    """Owns a carom_experiment; immutable once it is there, so that any number of threads may use it."""

    def __init__(self, *, file: Optional[str] = None, text: Optional[str] = None, name: Optional[str] = None,
                 variant: Optional[str] = None, values: Mapping[str, str] = {}, force_inputs: bool = False):
        kept = _calls.Kept()
        request = ffi.new("carom_load_request *")
        request.name, request.file, request.text = kept.text(name), kept.text(file), kept.text(text)
        request.variant, request.force_inputs = kept.text(variant), force_inputs
        request.override_count = len(values)
        request.override = kept.array("carom_override[]", [(kept.text(k), kept.text(v)) for k, v in values.items()])
        place, error = ffi.new("carom_experiment **"), _calls.new_error()
        _calls.check(lib.carom_experiment_load(request, place, error), error)
        self.pointer = ffi.gc(place[0], lib.carom_experiment_free)
        model = self.pointer.model
        self.coordinates: List[str] = [self._text(model.coordinate[i]) for i in range(lib.carom_model_positions(model))]
        velocity = model.coordinate if model.velocity == ffi.NULL else model.velocity
        self.velocities: List[str] = [self._text(velocity[i]) for i in range(model.dof)]
        self.contacts: List[str] = [self._text(model.contact[i].name) for i in range(model.contacts)]
        self.joints: List[str] = [self._text(model.joint[i]) for i in range(model.joints)]
        self.columns: List[str] = [self._text(self.pointer.column[i]) for i in range(self.pointer.named_columns)]
        self.measures: List[str] = [self._text(self.pointer.measure[i].name) for i in range(self.pointer.measure_count)]
        self.parameters: Dict[str, int] = {self._text(model.parameter[i].name): i for i in range(model.parameters)
                                           if not model.parameter[i].computed}
        self.inputs: Dict[str, int] = {name: i for name, i in self.parameters.items() if model.parameter[i].input}
        self.settings: Dict[str, Any] = {}
        for i in range(self.pointer.setting_count):
            setting = self.pointer.setting[i]
            self.settings[self._text(setting.name)] = self._text(setting.text) if setting.is_text else setting.number

    @staticmethod
    def _text(pointer: Any) -> str:
        return _calls.text_of(pointer) or ""

    def parameter_info(self, name: str) -> Any:
        return self.pointer.model.parameter[self.parameters[name]]

    def parameter_values(self, values: Mapping[str, Any]) -> np.ndarray:
        """All parameters of a run: those of the file, and the given ones, each in its range."""
        count = self.pointer.model.parameters
        result = np.array([self.pointer.parameter[i] for i in range(count)], dtype=np.float64)
        for name, value in values.items():
            result[self.parameters[name]] = self.in_range(name, value)
        return result

    def in_range(self, name: str, value: Any) -> float:
        """A value for a parameter or an input, checked."""
        info = self.parameter_info(name)
        try:
            number = float(as_text(name, value))
        except ValueError:
            raise ModelError(f"parameter '{name}' is a number, not '{value}'") from None
        kind = "input" if info.input else "parameter"
        if not (info.min <= number <= info.max and math.isfinite(number)):
            raise ModelError(f"{kind} '{name}' = {number:g} is out of its range, from {info.min:g} to {info.max:g}")
        if info.integer and number != round(number):
            raise ModelError(f"{kind} '{name}' = {number:g} must be a whole number")
        return number

    def split(self, values: Mapping[str, Any], scheme: Any) -> Tuple[Dict[str, Any], Dict[str, Any], Dict[str, Any]]:
        """Keywords as parameters, settings and options of the scheme."""
        parameters, settings, options = {}, {}, {}
        for name, value in values.items():
            if name in self.parameters:
                parameters[name] = value
            elif name in self.settings:
                settings[name] = value
            elif scheme != ffi.NULL and lib.carom_scheme_takes_option(scheme, _calls.bytes_of(name)):
                options[name] = value
            else:
                known = [*self.parameters, *self.settings, *options_of(scheme)]
                raise refuse_name("parameter, setting or option", name, known)
        return parameters, settings, options


def options_of(scheme: Any) -> List[str]:
    """Names of a scheme's own options."""
    if scheme == ffi.NULL:
        return []
    return [_calls.text_of(scheme.options[i].name) or "" for i in range(scheme.option_count)]


def find_scheme(name: Optional[str]) -> Any:
    """The scheme of that name; ModelError lists the known ones."""
    if name is None:
        return ffi.NULL
    error = _calls.new_error()
    scheme = lib.carom_scheme_find(_calls.bytes_of(name), error)
    if scheme == ffi.NULL:
        _calls.check(error.status or lib.CAROM_BAD_INPUT, error)
    return scheme


def option_list(kept: _calls.Kept, options: Mapping[str, Any]) -> Any:
    """Options by name for C; numbers as numbers, words as words."""
    entries = []
    for name, value in options.items():
        if isinstance(value, str):
            entries.append((kept.text(name), 0.0, kept.text(value)))
        else:
            entries.append((kept.text(name), float(as_text(name, float(value))), ffi.NULL))
    entries.append((ffi.NULL, 0.0, ffi.NULL))
    return kept.array("carom_option[]", entries)
