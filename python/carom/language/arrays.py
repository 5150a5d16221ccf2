"""numpy on symbols: ufuncs, np.where, and the same function for every element of an array."""

from __future__ import annotations

from typing import Any, Callable, Dict

import numpy

from .symbols import Condition, SymbolError, call, select, trace_of


def is_array(value: Any) -> bool:
    return isinstance(value, (numpy.ndarray, list, tuple))


def elementwise(function: Callable, *values: Any) -> Any:
    """function(a, b, ...) of values, or of every element where one of them is an array; arrays of symbols are object arrays."""
    values = tuple(v.item() if isinstance(v, numpy.generic) else v for v in values)  # its operators would come back here
    if not any(is_array(v) for v in values):
        return function(*values)
    arrays = [_objects(v) for v in values]
    shape = numpy.broadcast(*arrays).shape if len(arrays) > 1 else arrays[0].shape
    arrays = [numpy.broadcast_to(a, shape) for a in arrays]
    made = numpy.empty(shape, dtype=object)
    for place in numpy.ndindex(shape):
        made[place] = function(*[_element(a, place) for a in arrays])
    return made


def _element(array: numpy.ndarray, place: tuple) -> Any:
    value = array[place]
    return value.item() if isinstance(value, numpy.generic) else value


def _objects(value: Any) -> numpy.ndarray:
    if is_array(value):
        return numpy.asarray(value, dtype=object)
    single = numpy.empty((), dtype=object)
    single[()] = value
    return single


def _named(word: str) -> Callable:
    def named(*values: Any) -> Any:
        trace = trace_of(*values)
        assert trace is not None  # numpy asks because of a symbol
        return call(trace, word, *values)

    return named


_UFUNCS: Dict[Any, Callable] = {
    numpy.add: lambda a, b: a + b,
    numpy.subtract: lambda a, b: a - b,
    numpy.multiply: lambda a, b: a * b,
    numpy.true_divide: lambda a, b: a / b,
    numpy.power: lambda a, b: a**b,
    numpy.float_power: lambda a, b: a**b,
    numpy.floor_divide: lambda a, b: a // b,
    numpy.remainder: lambda a, b: a % b,
    numpy.negative: lambda a: -a,
    numpy.positive: lambda a: a,
    numpy.square: lambda a: a * a,
    numpy.reciprocal: lambda a: 1 / a,
    numpy.conjugate: lambda a: a,
    numpy.deg2rad: lambda a: a * (numpy.pi / 180),
    numpy.radians: lambda a: a * (numpy.pi / 180),
    numpy.rad2deg: lambda a: a * (180 / numpy.pi),
    numpy.degrees: lambda a: a * (180 / numpy.pi),
    numpy.heaviside: lambda a, b: select(a > 0, 1, select(a < 0, 0, b)),
    numpy.less: lambda a, b: a < b,
    numpy.less_equal: lambda a, b: a <= b,
    numpy.greater: lambda a, b: a > b,
    numpy.greater_equal: lambda a, b: a >= b,
    numpy.equal: lambda a, b: a == b,
    numpy.not_equal: lambda a, b: a != b,
    numpy.absolute: _named("abs"),
    numpy.fabs: _named("abs"),
    numpy.arcsin: _named("asin"),
    numpy.arccos: _named("acos"),
    numpy.arctan: _named("atan"),
    numpy.arctan2: _named("atan2"),
    numpy.minimum: _named("min"),
    numpy.maximum: _named("max"),
    numpy.fmin: _named("min"),
    numpy.fmax: _named("max"),
}
for _word in ("sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sign", "hypot"):
    _UFUNCS[getattr(numpy, _word)] = _named(_word)

_CURES = {"exp2": "2 ** x", "log10": "np.log(x) / math.log(10)", "log2": "np.log(x) / math.log(2)", "cbrt": "x ** (1/3)"}


def ufunc_of_symbols(ufunc: Any, method: str, inputs: tuple, options: dict) -> Any:
    function = _UFUNCS.get(ufunc)
    if method != "__call__" or function is None or any(v is not None for k, v in options.items() if k != "out"):
        cure = _CURES.get(ufunc.__name__, "carom.functions lists what there is")
        raise SymbolError(f"numpy.{ufunc.__name__} of a symbol is not known; write {cure}")
    if options.get("out") is not None:
        made = elementwise(function, *inputs)
        for target in options["out"]:
            target[...] = made
        return options["out"][0]
    return elementwise(function, *inputs)


def function_of_symbols(function: Any, args: tuple, options: dict) -> Any:
    """np.where(condition, a, b), and functions that see their arguments as arrays of symbols."""
    if function is numpy.where and len(args) == 3:
        return elementwise(select, *args)
    if any(isinstance(a, Condition) for a in args):
        raise SymbolError(f"numpy.{function.__name__} cannot take a condition; {Condition.CURE}")
    if function is numpy.clip:
        return args[0].clip(*args[1:], **options)
    implementation = getattr(function, "_implementation", None)
    if implementation is None:
        return NotImplemented
    return implementation(*args, **options)
