"""What a model built in Python remembers: every operation and statement, in the order in which Python made them.

    Node      one operation or statement, with what it takes (arguments)
    Table     a table among the arguments: entries by place and by key
    Function  a Python function among the arguments, traced by calling it once with symbols
    Scope     the nodes of the file, or those of one function
"""

from __future__ import annotations

import inspect
import numbers
from typing import Any, Callable, Iterator, List, Optional, Tuple, Union

import numpy

from . import literals
from .places import Place, here


_DEEPEST_TABLE = 50


class Literal:
    """A number, a text, true or false, as it is written."""

    __slots__ = ("text",)

    def __init__(self, text: str):
        self.text = text


class Table:
    """A table of the language among the arguments of a statement."""

    __slots__ = ("entries", "keys")

    def __init__(self, entries: list, keys: List[Tuple[Any, Any]]):
        self.entries = entries
        self.keys = keys  # (text or Node, argument)


class Node:
    """One operation or statement.

    form    binary, unary, call, table, index, method, choice, leaf, result, lua
    word    the operator, the word or the key
    effect  it says something about the model, and is written even if nothing uses its result
    plain   its value is known when the text is read (settings): a number of the language, no expression
    """

    __slots__ = ("scope", "order", "place", "form", "word", "args", "effect", "plain", "results", "hint", "listed")

    def __init__(self, scope: "Scope", form: str, word: Any, args: list):
        self.scope = scope
        self.order = 0
        self.place: Optional[Place] = None
        self.form = form
        self.word = word
        self.args = args
        self.effect = False
        self.plain = False
        self.results = 1  # how many values it returns
        self.listed = False  # ... in one table
        self.hint: Union[str, Tuple[str, ...], None] = None  # a name for its value


class Function:
    """function(x, t) ... end, with what it does in a scope of its own."""

    __slots__ = ("parameters", "scope", "result")

    def __init__(self, parameters: List[Node], scope: "Scope", result: Any):
        self.parameters = parameters
        self.scope = scope
        self.result = result


class Scope:
    """Nodes of the file or of a function, in order."""

    def __init__(self, parent: Optional["Scope"] = None):
        self.parent = parent
        self.nodes: List[Node] = []

    def sees(self, other: "Scope") -> bool:
        scope: Optional[Scope] = self
        while scope is not None:
            if scope is other:
                return True
            scope = scope.parent
        return False


def nodes_in(argument: Any) -> Iterator[Node]:
    """The nodes that an argument refers to, in the order in which its text names them; not those inside functions."""
    if isinstance(argument, Node):
        yield argument
    elif isinstance(argument, Table):
        for entry in argument.entries:
            yield from nodes_in(entry)
        for name, value in argument.keys:
            if isinstance(name, Node):
                yield name
            yield from nodes_in(value)


def functions_in(argument: Any) -> Iterator[Function]:
    if isinstance(argument, Function):
        yield argument
    elif isinstance(argument, Table):
        for entry in argument.entries:
            yield from functions_in(entry)
        for _, value in argument.keys:
            yield from functions_in(value)


class Trace:
    """Records nodes, and turns values of Python into arguments."""

    def __init__(self) -> None:
        self.file = Scope()
        self.current = self.file
        self.count = 0
        self._nested = 0  # tables that are being made
        self.coordinates: dict = {}  # name -> Symbol, for velocities by name
        self.dimension: Optional[int] = None  # of the world of bodies

    def record(self, form: str, word: Any, args: list, *, effect: bool = False, hint: Any = None, results: int = 1) -> Node:
        if effect and self.current is not self.file:
            raise TypeError(f"{word} describes the model: it cannot stand inside a function that the language calls")
        node = Node(self.current, form, word, args)
        for argument in args:
            for used in nodes_in(argument):
                self._check_scope(used)
        self.count += 1
        node.order = self.count
        node.place = here()
        node.effect = effect
        node.hint = hint
        node.results = results
        self.current.nodes.append(node)
        return node

    def _check_scope(self, used: Node) -> None:
        if self.current.sees(used.scope):
            return
        scope = used.scope
        while scope.parent is not None:
            scope = scope.parent
        if scope is self.file:
            raise TypeError("a symbol made inside a function that the language calls cannot be used outside of it")
        raise TypeError("this symbol belongs to another model; a model is made of its own symbols")

    # ---- values of Python -----------------------------------------------------------------------------------

    def argument(self, value: Any, what: str = "this") -> Any:
        """A value of Python as an argument: numbers, texts, bools, symbols, lists, dicts, functions."""
        kind = type(value)
        if kind is float or kind is int:
            return Literal(self._number(value, what))
        if hasattr(kind, "_node_in"):
            return value._node_in(self)
        return self._other_argument(value, what)

    def _other_argument(self, value: Any, what: str) -> Any:
        from .symbols import Condition
        from .tables import LuaTable

        if isinstance(value, Condition):
            raise TypeError(f"{what}: a comparison is for select(condition, a, b) and np.where; {Condition.CURE}")
        if isinstance(value, (bool, numpy.bool_)):
            return Literal("true" if value else "false")
        if isinstance(value, str):
            return Literal(literals.lines_of_text(str(value)))
        if isinstance(value, numbers.Integral):
            return Literal(self._number(int(value), what))
        if isinstance(value, numbers.Real):
            return Literal(self._number(float(value), what))
        if isinstance(value, LuaTable):
            return self.table(value.entries, value.keys, what)
        if isinstance(value, dict):
            return self.table([], value.items(), what)
        if isinstance(value, numpy.ndarray) or hasattr(value, "__array__"):  # also a column of pandas
            value = numpy.asarray(value)
            return self.argument(value.item() if value.ndim == 0 else list(value), what)
        if isinstance(value, (list, tuple, range)):
            return self.table(value, (), what)
        if callable(value) and not isinstance(value, type):
            return self.function(value, what)
        raise TypeError(
            f"{what}: a {type(value).__name__} cannot stand in a model; numbers, texts, bools, symbols, lists, dicts and functions can"
        )

    @staticmethod
    def _number(value: Any, what: str) -> str:
        try:
            return literals.number(value)
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from None

    def table(self, entries: Any, keys: Any, what: str) -> Table:
        """Entries by place and by key; keys whose value is None are left out."""
        self._nested += 1
        try:
            return self._made_table(entries, keys, what)
        finally:
            self._nested -= 1

    def _made_table(self, entries: Any, keys: Any, what: str) -> Table:
        from .symbols import Symbol

        if self._nested > _DEEPEST_TABLE:
            raise ValueError(f"{what}: lists inside lists, more than {_DEEPEST_TABLE} deep; does a list hold itself?")
        made_entries = []
        for index, entry in enumerate(entries):
            if entry is None:
                raise TypeError(f"{what}: entry {index} is None; a list of a model has no holes")
            made_entries.append(self.argument(entry, what))
        made_keys: List[Tuple[Any, Any]] = []
        for name, value in keys:
            if value is None:
                continue
            if isinstance(name, Symbol):
                made_keys.append((name._node_in(self), self.argument(value, what)))
            elif isinstance(name, str):
                made_keys.append((literals.key(str(name)), self.argument(value, f"{what}: {name}")))
            elif isinstance(name, numbers.Integral) and not isinstance(name, bool):
                made_keys.append((f"[{int(name)}]", self.argument(value, what)))
            else:
                raise TypeError(f"{what}: the key {name!r} is a {type(name).__name__}; keys are names or symbols")
        return Table(made_entries, made_keys)

    def function(self, function: Callable, what: str, count: Optional[int] = None) -> Function:
        """Traces a Python function: calls it once, with symbols for its parameters."""
        from .symbols import Symbol

        outer = self.current
        scope = Scope(outer)
        parameters = [Node(scope, "leaf", name, []) for name in self._parameters(function, what)]
        self.current = scope
        try:
            for node in parameters:
                node.place = here()
            result = function(*[Symbol(self, node) for node in parameters])
            if result is None:
                raise TypeError(f"{what}: the function returned nothing; it returns an expression")
            made = self.argument(result, what)
        finally:
            self.current = outer
        return Function(parameters, scope, made)

    @staticmethod
    def _parameters(function: Callable, what: str) -> List[str]:
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            raise TypeError(f"{what}: the parameters of {function!r} are not known; write lambda x: ...") from None
        names = []
        for name, parameter in signature.parameters.items():
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                if parameter.default is parameter.empty:
                    names.append(name)
            elif parameter.kind is parameter.VAR_POSITIONAL:
                raise TypeError(f"{what}: the function names its parameters, as lambda x, t: ...; it cannot take *{name}")
        return names
