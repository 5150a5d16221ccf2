"""Values: what statements return beside expressions. Bodies, beams, tables of data, results of studies.

Their fields, entries and methods are those of the language; Python counts entries from 0.
"""

from __future__ import annotations

import numbers
from typing import Any, Iterator, Optional, Sequence, Tuple

from . import literals
from .symbols import Symbol
from .tables import plain_key
from .trace import Node, Trace


class Value(Symbol):
    """A value of the language that Python does not look into: its fields, entries and calls become text.

    Fields may be expressions: they can be calculated with.
    """

    __slots__ = ("_length", "_dotted")

    def __init__(self, trace: Trace, node: Node, length: Optional[int] = None, dotted: bool = False):
        super().__init__(trace, node)
        self._length = length  # entries, where Python knows how many there are
        self._dotted = dotted  # its functions are called with a point, v.f(x), not v:f(x)

    # ---- fields and entries -----------------------------------------------------------------------------------

    def _field(self, name: str, made: Optional[type] = None, **details: Any) -> Any:
        suffix = f".{name}" if literals.is_name(name) else f"[{literals.quoted(name)}]"
        node = self._trace.record("index", suffix, [self._node])
        return (made or Value)(self._trace, node, **details)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "dtype":  # what numpy asks for
            raise AttributeError(name)
        return self._field(plain_key(name))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            return self._field(index)
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if isinstance(index, Symbol):
            return self._entry((index + 1)._node)
        if not isinstance(index, numbers.Integral):
            raise TypeError(f"entries have numbers from 0, or names; got a {type(index).__name__}")
        index = int(index)
        if index < 0 and self._length is None:
            raise IndexError("how many entries there are is not known while the model is described: count from 0, not from the end")
        if self._length is not None:
            if not -self._length <= index < self._length:
                raise IndexError(f"entry {index} of {self._length}")
            index %= self._length
        return self._entry(self._trace.argument(index + 1))

    def _entry(self, place: Any) -> "Value":
        return Value(self._trace, self._trace.record("index", None, [self._node, place]))

    def __len__(self) -> int:
        if self._length is None:
            raise TypeError("how many entries it has is not known while the model is described")
        return self._length

    def __iter__(self) -> Iterator:
        for i in range(len(self)):
            yield self[i]

    # ---- calls ------------------------------------------------------------------------------------------------

    def _method(self, name: str, args: Sequence, *, form: str = "call", effect: bool = False, results: int = 1, hint: Any = None) -> Node:
        """value:name(args), or value:name { args }."""
        if form == "table":
            given = [self._trace.table(args, (), name)]
        else:
            given = [self._trace.argument(a, name) for a in args]
        kind = "function" if self._dotted else "method"
        return self._trace.record(kind, name, [self._node, *given], effect=effect, results=results, hint=hint)

    def __call__(self, *args: Any, **keys: Any) -> "Value":
        """Calls what a field holds (a method of its owner), or the value itself, such as a table of data."""
        given = list(args)
        if keys:
            from .tables import table

            given.append(table(**keys))
        node = self._node
        if node.form == "index" and isinstance(node.word, str) and node.word.startswith("."):
            owner = Value(self._trace, node.args[0], dotted=self._dotted)
            return Value(self._trace, owner._method(node.word[1:], given))
        made = self._trace.record("apply", "", [node, *[self._trace.argument(a, "this call") for a in given]])
        return Value(self._trace, made)


def results_of(trace: Trace, node: Node, count: int, made: type = Symbol) -> Any:
    """The values of a node that returns several."""
    return tuple(made(trace, trace.record("result", i, [node])) for i in range(count))


def _point(args: tuple) -> Sequence:
    """point(0.5, 0) and point([0.5, 0]) are the same."""
    return args[0] if len(args) == 1 else args


class Owner(Value):
    """A value whose functions are called with a point."""

    __slots__ = ()

    def __init__(self, trace: Trace, node: Node, length: Optional[int] = None, dotted: bool = True):
        super().__init__(trace, node, length, dotted)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        field = self._field(plain_key(name))
        field._dotted = True
        return field


# ---- bodies of mechanisms ---------------------------------------------------------------------------------------


class Body2d(Value):
    """A body of body2d, a node of beam2d, or ground: x, y, phi are symbols."""

    __slots__ = ()

    @property
    def x(self) -> Symbol:
        return self._field("x", Symbol)

    @property
    def y(self) -> Symbol:
        return self._field("y", Symbol)

    @property
    def phi(self) -> Symbol:
        return self._field("phi", Symbol)

    def point(self, *point: Any) -> Tuple[Symbol, Symbol]:
        """x and y of the point (a, b) of the body's frame: ``px, py = rod.point(0.5, 0)``."""
        return results_of(self._trace, self._method("point", _point(point), form="table", results=2), 2)

    def point_at_start(self, *point: Any) -> Tuple[Symbol, Symbol, Symbol, Symbol]:
        """x, y, vx, vy of the point (a, b) at the start, expressions of parameters."""
        return results_of(self._trace, self._method("point_at_start", _point(point), form="table", results=4), 4)


class Nodes(Value):
    """The nodes of a beam2d."""

    __slots__ = ()

    def _entry(self, place: Any) -> Body2d:
        return Body2d(self._trace, self._trace.record("index", None, [self._node, place]))


class Beam2d(Value):
    """A beam of beam2d: ``b.node[0]`` ... ``b.node[N]``, ``b.root``, ``b.tip`` are bodies."""

    __slots__ = ()

    @property
    def node(self) -> Nodes:
        return self._field("node", Nodes, length=self._length)

    @property
    def root(self) -> Body2d:
        return self._field("root", Body2d)

    @property
    def tip(self) -> Body2d:
        return self._field("tip", Body2d)


class Bar(Owner):
    """A bar: ``b.u[i]``, ``b.v[i]``, ``b.place[i]`` of its nodes, ``b.force(i)`` the normal force in element i = 1, 2, ..."""

    __slots__ = ()

    @property
    def u(self) -> Value:
        return self._field("u", length=self._length)

    @property
    def v(self) -> Value:
        return self._field("v", length=self._length)

    @property
    def place(self) -> Value:
        return self._field("place", length=self._length)


class Chain(Value):
    """A chain of balls: ``c.x[i]``, ``c.v[i]``, ``c.mass[i]`` of balls, ``c.contact[j]`` names of contacts."""

    __slots__ = ()

    @property
    def x(self) -> Value:
        return self._field("x", length=self._length)

    @property
    def v(self) -> Value:
        return self._field("v", length=self._length)

    @property
    def mass(self) -> Value:
        return self._field("mass", length=self._length)


# ---- bodies with shapes -----------------------------------------------------------------------------------------


class Body(Value):
    """A body with a shape: x, y, phi, wz in the plane; x, y, z, qw ... qz, wx, wy, wz in space."""

    __slots__ = ()

    def point(self, *point: Any) -> Value:
        """Where a point of the body is: a list, also with ``.x``, ``.y``, ``.z``."""
        node = self._method("point", _point(point), form="table")
        return Value(self._trace, node, length=self._trace.dimension)

    def direction(self, *vector: Any) -> Value:
        """Where a vector of the body points: a list, also with ``.x``, ``.y``, ``.z``."""
        node = self._method("direction", _point(vector), form="table")
        return Value(self._trace, node, length=self._trace.dimension)

    def speed(self) -> Symbol:
        """Of the centre of mass."""
        return Symbol(self._trace, self._method("speed", ()))

    def kinetic(self) -> Symbol:
        """Kinetic energy."""
        return Symbol(self._trace, self._method("kinetic", ()))

    def pass_(self, other: "Body") -> None:
        """The two do not touch each other."""
        self._method("pass", (other,), effect=True)


# ---- beams --------------------------------------------------------------------------------------------------------


class Beam(Value):
    """A beam: what records, measures and plots can ask it for."""

    __slots__ = ()

    def at(self, x: Any) -> Symbol:
        """Displacement at a place."""
        return Symbol(self._trace, self._method("at", (x,)))

    def velocity(self, x: Any) -> Symbol:
        """Velocity at a place."""
        return Symbol(self._trace, self._method("velocity", (x,)))

    def slope(self, x: Any) -> Symbol:
        """Slope at a place."""
        return Symbol(self._trace, self._method("slope", (x,)))

    def moment(self, x: Any) -> Symbol:
        """Bending moment E I u'' at a place."""
        return Symbol(self._trace, self._method("moment", (x,)))

    def penetration(self, side: str) -> Symbol:
        """How far the beam between the nodes is beyond the obstacle of a side, "lower" or "upper"; 0 when it is not."""
        return Symbol(self._trace, self._method("penetration", (side,)))

    def impulse(self, side: str) -> Symbol:
        """Impulse of the step, summed over the contacts of a side."""
        return Symbol(self._trace, self._method("impulse", (side,)))

    def touching(self) -> Symbol:
        """Number of contacts that carry an impulse."""
        return Symbol(self._trace, self._method("touching", ()))

    def obstacle(self, side: str) -> "Points":
        """The obstacle of a side as points for a plot: ``m.outline(u.obstacle("upper"))``."""
        return Points(self._trace, self._method("obstacle", (side,)))


class Points(Value):
    """A whole table that a statement takes as it is: points of arc and of obstacles, a start."""

    __slots__ = ()


class DrillString(Owner):
    """A drill string: ``angle[i]``, ``speed[i]``, ``bit``, ``top``, ``pipe``, ``torque(rpm)``, ``bit_torque(rpm)``."""

    __slots__ = ()

    def on_set_point(self, rpm: Any, kick: Any = None) -> Points:
        """The start in steady rotation, for ``initial``; the bit slower by the part ``kick``."""
        args = (rpm,) if kick is None else (rpm, kick)
        return Points(self._trace, self._method("on_set_point", args))


# ---- data ---------------------------------------------------------------------------------------------------------


class Data(Value):
    """A function that is given by data: ``a(e)``, ``a.derivative(e)``, ``a.integral(e)``, ``a.start``, ``a.end``."""

    __slots__ = ()

    def __call__(self, e: Any) -> Symbol:  # type: ignore[override]
        return Symbol(self._trace, self._trace.record("apply", "", [self._node, self._trace.argument(e, "a table of data")]))

    def derivative(self, e: Any) -> Symbol:
        """Its slope."""
        return Symbol(self._trace, self._method("derivative", (e,)))

    def integral(self, e: Any, times: int = 1) -> Symbol:
        """Integral from the first point to e; ``times=2``: the integral of that."""
        return Symbol(self._trace, self._method("integral", (e,) if times == 1 else (e, times)))

    @property
    def start(self) -> Symbol:
        """The first place."""
        return self._field("from", Symbol)

    @property
    def end(self) -> Symbol:
        """The last place."""
        return self._field("to", Symbol)
