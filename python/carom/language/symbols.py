"""Symbols: values that are not known while the model is described. Operators and functions of them are recorded."""

from __future__ import annotations

import numbers
from typing import Any, Optional

import numpy

from .trace import Literal, Node, Trace


class SymbolError(TypeError):
    """A symbol was asked for its value, which it has only in a run."""


_NO_VALUE = "a symbol has no value while the model is described"
_BRANCH = (
    f"{_NO_VALUE}, so that 'if', 'while', 'and', 'or', 'not', min(...), max(...) and sorted(...) cannot decide by it; write "
    "carom.select(x > 0, a, b) or np.where(x > 0, a, b) for a branch, carom.min(x, y) or np.minimum(x, y) for the "
    "smaller one; of whole arrays carom.min, carom.max and carom.sign do it element by element, numpy cannot"
)
_NUMBER = (
    f"{_NO_VALUE}, so that float(x), int(x), complex(x), round(x), range(x) and functions of the module math cannot take it; write carom.sin(x) or "
    "np.sin(x) in place of math.sin(x). A number that shapes the model (a count, a loop) is an ordinary number of Python"
)


def is_number(value: Any) -> bool:
    if type(value) in (float, int):
        return True
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, numpy.bool_))


class Symbol:
    """A coordinate, a parameter, the time, or an expression of them.

    Operators ``+ - * / **``, ``abs()`` and the functions of numpy work on it; so do arrays of symbols.
    """

    __slots__ = ("_trace", "_node")
    __iter__: Any = None
    __contains__: Any = None

    def __init__(self, trace: Trace, node: Node):
        self._trace = trace
        self._node = node

    def _node_in(self, trace: Trace) -> Node:
        if self._trace is not trace:
            raise TypeError("this symbol belongs to another model; a model is made of its own symbols")
        return self._node

    # ---- arithmetic -----------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> "Symbol":
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> "Symbol":
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> "Symbol":
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> "Symbol":
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> "Symbol":
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> "Symbol":
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> "Symbol":
        return _binary("/", self, other)

    def __rtruediv__(self, other: Any) -> "Symbol":
        return _binary("/", other, self)

    def __pow__(self, other: Any, modulus: None = None) -> "Symbol":
        if modulus is not None:
            raise SymbolError("pow(x, y, z) has no meaning for symbols; write x ** y")
        return _binary("^", self, other)

    def __rpow__(self, other: Any) -> "Symbol":
        return _binary("^", other, self)

    def __neg__(self) -> "Symbol":
        return _made(self._trace, "unary", "-", [self._node])

    def __pos__(self) -> "Symbol":
        return self

    def __abs__(self) -> "Symbol":
        return call(self._trace, "abs", self)

    def __floordiv__(self, other: Any) -> "Symbol":
        return _whole("//", self, other)

    def __rfloordiv__(self, other: Any) -> "Symbol":
        return _whole("//", other, self)

    def __mod__(self, other: Any) -> "Symbol":
        return _whole("%", self, other)

    def __rmod__(self, other: Any) -> "Symbol":
        return _whole("%", other, self)

    def __divmod__(self, other: Any) -> Any:
        raise SymbolError("divmod(x, y) has no meaning for symbols; use + - * / ** and functions")

    # ---- comparisons ----------------------------------------------------------------------------------------

    def __lt__(self, other: Any) -> "Condition":
        return _compared(self, "<", other)

    def __le__(self, other: Any) -> "Condition":
        return _compared(self, "<=", other)

    def __gt__(self, other: Any) -> "Condition":
        return _compared(self, ">", other)

    def __ge__(self, other: Any) -> "Condition":
        return _compared(self, ">=", other)

    def __eq__(self, other: Any) -> Any:
        return _compared(self, "==", other)

    def __ne__(self, other: Any) -> Any:
        return _compared(self, "~=", other)

    def __hash__(self) -> int:
        return id(self)

    # ---- what has no answer ---------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        raise SymbolError(_BRANCH)

    def _no_number(self, *_: Any) -> Any:
        raise SymbolError(_NUMBER)

    __float__ = __int__ = __complex__ = __index__ = __round__ = __trunc__ = __floor__ = __ceil__ = _no_number

    # ---- text -----------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        from .writer import sketch

        return f"<{sketch(self._node)}>"

    def __format__(self, spec: str) -> str:
        if spec:
            raise SymbolError(f"{_NO_VALUE}: it cannot be written as a number ({spec!r})")
        return repr(self)

    def __copy__(self) -> "Symbol":
        return self

    def __deepcopy__(self, memo: dict) -> "Symbol":
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a symbol lives in its model and cannot be pickled; keep the text of the model: model.text")

    # ---- numpy: ufuncs of a symbol, and the methods that ufuncs of arrays of symbols look for -----------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        from .arrays import ufunc_of_symbols

        return ufunc_of_symbols(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        from .arrays import function_of_symbols

        return function_of_symbols(function, args, options)

    def sqrt(self) -> "Symbol":
        return call(self._trace, "sqrt", self)

    def exp(self) -> "Symbol":
        return call(self._trace, "exp", self)

    def log(self) -> "Symbol":
        return call(self._trace, "log", self)

    def sin(self) -> "Symbol":
        return call(self._trace, "sin", self)

    def cos(self) -> "Symbol":
        return call(self._trace, "cos", self)

    def tan(self) -> "Symbol":
        return call(self._trace, "tan", self)

    def arcsin(self) -> "Symbol":
        return call(self._trace, "asin", self)

    def arccos(self) -> "Symbol":
        return call(self._trace, "acos", self)

    def arctan(self) -> "Symbol":
        return call(self._trace, "atan", self)

    def arctan2(self, other: Any) -> "Symbol":
        return call(self._trace, "atan2", self, other)

    def hypot(self, other: Any) -> "Symbol":
        return call(self._trace, "hypot", self, other)

    def sinh(self) -> "Symbol":
        return call(self._trace, "sinh", self)

    def cosh(self) -> "Symbol":
        return call(self._trace, "cosh", self)

    def tanh(self) -> "Symbol":
        return call(self._trace, "tanh", self)

    def fabs(self) -> "Symbol":
        return call(self._trace, "abs", self)

    def conjugate(self) -> "Symbol":
        return self

    def clip(self, min: Any = None, max: Any = None, **_: Any) -> "Symbol":
        low = self if min is None else call(self._trace, "max", self, min)
        return low if max is None else call(self._trace, "min", low, max)


# ---- recording --------------------------------------------------------------------------------------------------


def _made(trace: Trace, form: str, word: str, args: list) -> Symbol:
    node = trace.record(form, word, args)
    node.plain = all(isinstance(a, Literal) or (isinstance(a, Node) and a.plain) for a in args)
    return Symbol(trace, node)


def call(trace: Trace, word: str, *values: Any) -> Symbol:
    """A function of expressions."""
    for value in values:
        if not isinstance(value, Symbol) and not is_number(value):
            raise TypeError(f"{word} takes numbers and symbols; got a {type(value).__name__}")
    return _made(trace, "call", word, [trace.argument(v, word) for v in values])


def _operand(value: Any) -> bool:
    return isinstance(value, Symbol) or is_number(value)


def _binary(operator: str, left: Any, right: Any) -> Any:
    if not _operand(left) or not _operand(right):
        return NotImplemented
    trace = left._trace if isinstance(left, Symbol) else right._trace
    return _made(trace, "binary", operator, [trace.argument(left, operator), trace.argument(right, operator)])


def _whole(operator: str, left: Any, right: Any) -> Any:
    """// and %, which plain values have and expressions have not."""
    for side in (left, right):
        if isinstance(side, Symbol) and not side._node.plain:
            raise SymbolError(f"{operator} is not defined for symbols; use + - * / ** and functions")
    return _binary(operator, left, right)


def _compared(left: Any, operator: str, right: Any) -> Any:
    if isinstance(right, Condition) or not (_operand(right) or isinstance(right, (str, bool))):
        return NotImplemented
    if _is_plain(left) and _is_plain(right):
        return Condition(left._trace, operator, left, right)
    if isinstance(right, (str, bool)):
        return NotImplemented
    if operator in (">", "<="):
        sign = _difference(left, right)
    elif operator in ("<", ">="):
        sign = _difference(right, left)
    else:
        sign = abs(_difference(left, right))
    return Condition(left._trace, operator, left, right, sign)


# ---- conditions -------------------------------------------------------------------------------------------------


class Condition:
    """x > 0: what select and np.where take. It is neither true nor false while the model is described."""

    __slots__ = ("_trace", "operator", "left", "right", "sign")
    CURE = "write carom.select(x > 0, a, b) or np.where(x > 0, a, b)"
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, trace: Trace, operator: str, left: Any, right: Any = None, sign: Any = None):
        self._trace = trace
        self.operator = operator
        self.left = left
        self.right = right
        self.sign = sign  # of symbols: what is compared with zero, made where the comparison stands

    def __bool__(self) -> bool:
        raise SymbolError(f"comparing a symbol: {_BRANCH}")

    def __and__(self, other: Any) -> "Condition":
        return Condition(self._trace, "and", self, _condition(other))

    def __or__(self, other: Any) -> "Condition":
        return Condition(self._trace, "or", self, _condition(other))

    def __invert__(self) -> "Condition":
        return Condition(self._trace, "not", self)

    def __eq__(self, other: Any) -> Any:
        raise SymbolError("conditions cannot be compared; join them by & and |")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        raise SymbolError(f"numpy.{ufunc.__name__} cannot take a condition; {self.CURE}")

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        from .arrays import function_of_symbols

        return function_of_symbols(function, args, options)

    def __repr__(self) -> str:
        return f"<condition {self.left!r} {self.operator} {self.right!r}>"


def _condition(value: Any) -> Condition:
    if not isinstance(value, Condition):
        raise SymbolError(f"& and | join conditions; got a {type(value).__name__}")
    return value


def _is_plain(value: Any) -> bool:
    return not isinstance(value, Symbol) or value._node.plain


def trace_of(*values: Any) -> Optional[Trace]:
    """The trace of the first symbol or condition among the values."""
    for value in values:
        if isinstance(value, (Symbol, Condition)):
            return value._trace
    return None


def select(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, otherwise b. A symbol or number c as the condition means c > 0.

    With several conditions: select((x > 0) & (x < 1), a, b).
    """
    if isinstance(condition, (bool, numpy.bool_)):
        return a if condition else b
    trace = trace_of(condition, a, b)
    if trace is None:
        return a if condition > 0 else b
    if not isinstance(condition, Condition):
        return call(trace, "select", condition, a, b)
    if condition.operator == "not":
        return select(condition.left, b, a)
    if condition.operator == "and":
        return select(condition.left, select(condition.right, a, b), b)
    if condition.operator == "or":
        return select(condition.left, a, select(condition.right, a, b))
    if condition.sign is None:
        return _choose(trace, condition, a, b)
    if condition.operator in ("<=", ">=", "=="):  # a <= b: not (a - b > 0)
        a, b = b, a
    return call(trace, "select", condition.sign, a, b)


def positive_where(condition: Condition) -> Any:
    """An expression that is positive where a condition holds, but for the moment at which it begins to."""
    operator = condition.operator
    if operator in ("and", "or"):
        parts = positive_where(condition.left), positive_where(condition.right)
        return call(condition._trace, "min" if operator == "and" else "max", *parts)
    if operator == "not":
        return -positive_where(condition.left)
    if operator in ("==", "~=") or condition.sign is None:
        raise SymbolError("a moment is found where one side becomes larger than the other: write x > 1 or x < 1")
    return condition.sign if operator in (">", "<") else -condition.sign


def _difference(left: Any, right: Any) -> Any:
    if is_number(right) and right == 0:
        return left
    if is_number(left) and left == 0:
        return -right
    return left - right


def _choose(trace: Trace, condition: Condition, a: Any, b: Any) -> Symbol:
    """Settings are known when the text is read: the language decides there."""
    args = [trace.argument(v, "select") for v in (condition.left, condition.right, a, b)]
    if args[2].__class__ is Literal and args[2].text == "false":
        raise TypeError("select by a setting cannot give False; exchange the sides")
    node = trace.record("choice", condition.operator, args)
    node.plain = _is_plain(a) and _is_plain(b)
    from .values import Value

    return Value(trace, node)
