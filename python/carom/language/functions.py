"""Functions of symbols, of numbers, and of arrays of both.

Of numbers they give numbers, computed as the language computes them.
"""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy

from .arrays import elementwise, is_array
from .symbols import call, is_number, trace_of
from .symbols import select as _select

__all__ = [
    "sqrt", "exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
    "abs", "sign", "atan2", "hypot", "min", "max", "select",
]  # fmt: skip

pi = math.pi


def _number(word: str, value: Any) -> Any:
    if not is_number(value):
        raise TypeError(f"{word} takes numbers, symbols and arrays of them; got a {type(value).__name__}")
    return value


def _apply(word: str, of_numbers: Callable, *values: Any) -> Any:
    def one(*single: Any) -> Any:
        trace = trace_of(*single)
        if trace is not None:
            return call(trace, word, *single)
        return of_numbers(*[_number(word, v) for v in single])

    return elementwise(one, *values)


def _unary(word: str, of_numbers: Callable, doc: str) -> Callable:
    def function(x: Any) -> Any:
        return _apply(word, of_numbers, x)

    function.__name__ = function.__qualname__ = word
    function.__doc__ = doc
    return function


sqrt = _unary("sqrt", math.sqrt, "Square root.")
exp = _unary("exp", math.exp, "Exponential function.")
log = _unary("log", math.log, "Natural logarithm.")
sin = _unary("sin", math.sin, "Sine.\n\n>>> sin(0.0)\n0.0\n")
cos = _unary("cos", math.cos, "Cosine.")
tan = _unary("tan", math.tan, "Tangent.")
asin = _unary("asin", math.asin, "Inverse of the sine.")
acos = _unary("acos", math.acos, "Inverse of the cosine.")
sinh = _unary("sinh", math.sinh, "Hyperbolic sine.")
cosh = _unary("cosh", math.cosh, "Hyperbolic cosine.")
tanh = _unary("tanh", math.tanh, "Hyperbolic tangent.")
abs = _unary("abs", math.fabs, "Absolute value.")
sign = _unary("sign", lambda x: float((x > 0) - (x < 0)), "-1, 0 or 1.")


def atan(y: Any, x: Any = None) -> Any:
    """Inverse of the tangent; with two arguments the angle of the point (x, y)."""
    return _apply("atan", math.atan, y) if x is None else atan2(y, x)


def atan2(y: Any, x: Any) -> Any:
    """Angle of the point (x, y), in (-pi, pi]."""
    return _apply("atan2", math.atan2, y, x)


def hypot(x: Any, y: Any) -> Any:
    """sqrt(x^2 + y^2)."""
    return _apply("hypot", lambda a, b: float(numpy.hypot(float(a), float(b))), x, y)


_smallest, _largest = min, max


def _several(word: str, of_numbers: Callable, values: tuple) -> Any:
    if len(values) == 1 and is_array(values[0]):
        values = tuple(values[0])
    if not values:
        raise TypeError(f"{word} takes one value or more")
    return _apply(word, lambda *v: of_numbers(v), *values)


def min(*values: Any) -> Any:
    """The smallest of several values, or of one list.

    >>> min(3, 1, 2)
    1
    """
    return _several("min", _smallest, values)


def max(*values: Any) -> Any:
    """The largest of several values, or of one list."""
    return _several("max", _largest, values)


def select(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, otherwise b; of a symbol or number c as the condition: where c > 0.

    >>> select(-1, "never", 2.0)
    2.0
    """
    return elementwise(_select, condition, a, b)
