"""Parameters, coordinates, energies, forces, start and integration."""

from __future__ import annotations

import textwrap
from typing import Any, List, Optional, Sequence, Union

from . import functions
from .arrays import elementwise
from .literals import is_name
from .symbols import Condition, Symbol, is_number, positive_where
from .tables import plain_key
from .values import Data, Value, results_of
from .vocabulary import unknown
from .words import Shape, Speaker, WordError, statement, word


class Mechanics(Speaker):
    """Statements about the model as a whole and its equations of motion."""

    # ---- the experiment ---------------------------------------------------------------------------------------

    @statement
    def experiment(self, *, title: Optional[str] = None, source: Optional[str] = None, doc: Optional[str] = None) -> None:
        """What people are told about the model.

        >>> m.experiment(title="mass on a belt", source="a lecture, 2024")
        """

    @word(made=Symbol, named=True, keyed=("doc",))
    def param(self, name: str, default: float, doc: Optional[str] = None, *, unit: Optional[str] = None,
              min: Optional[float] = None, max: Optional[float] = None, integer: Optional[bool] = None) -> Symbol:  # fmt: skip
        """A parameter: a symbol whose value can be set for each run.

        >>> e = m.param("e", 0.8, min=0, max=1, doc="restitution")
        """
        return None  # type: ignore[return-value]

    @word(made=Symbol, named=True, keyed=("doc",))
    def input(self, name: str, default: float, doc: Optional[str] = None, *, unit: Optional[str] = None, min: Optional[float] = None,
              max: Optional[float] = None) -> Symbol:  # fmt: skip
        """A value from outside, for who steps the motion; constant in a run.

        >>> u = m.input("u", 0, doc="force of the motor")
        """
        return None  # type: ignore[return-value]

    def setting(self, name: str, default: Union[float, str], doc: Optional[str] = None, *, unit: Optional[str] = None,
                min: Optional[float] = None, max: Optional[float] = None, integer: Optional[bool] = None,
                choices: Optional[Sequence[str]] = None) -> Value:  # fmt: skip
        """A plain number or text that shapes the model and can be set: how many elements a beam has, which law holds.

        The language knows it when it reads the text, Python does not: it can be calculated with and given to statements, and select decides
        by it, but a loop of Python cannot run over it. What shapes the model in Python is an ordinary number.

        >>> n = m.setting("n", 4, integer=True, min=1)
        """
        keys = [("doc", doc), ("unit", unit), ("min", min), ("max", max), ("integer", integer), ("choices", choices)]
        keys = [(k, v) for k, v in keys if v is not None]
        args = [self._trace.table([name, default], keys, "setting")]
        node = self._trace.record("call", "setting", args, effect=True, hint=name)
        node.plain = True
        return Value(self._trace, node)

    @word()
    def variant(self, name: str, *values: Any, doc: Optional[str] = None, family: Any = None, **parameters: Any) -> None:
        """A named set of values for parameters and settings. Names that Python does not allow stand in a dict.

        >>> m.variant("storm", doc="wind against the throw", wind=-4)
        """

    @word()
    def family(self, *lists: Any, **parameters: Sequence) -> None:
        """Runs beside the main one: a list of values per parameter, or of schemes.

        >>> m.family(mu=[0.1, 0.2, 0.4])
        """

    # ---- coordinates and expressions ----------------------------------------------------------------------------

    def coordinates(self, *names: Union[str, Sequence[str]]) -> Any:
        """Declares coordinates: one symbol, as many symbols as names, or for one list of names a list of symbols.

        >>> x, y = m.coordinates("x", "y")
        >>> q = m.coordinates([f"q{i}" for i in range(100)])
        """
        listed = len(names) == 1 and not isinstance(names[0], str)
        wanted: List[str] = list(names[0]) if listed else list(names)  # type: ignore[arg-type]
        if not wanted or not all(isinstance(n, str) for n in wanted):
            raise WordError('coordinates takes names: x, y = m.coordinates("x", "y")')
        trace = self._trace
        in_table = listed or len(wanted) > 50
        args = [trace.argument(list(wanted))] if in_table else [trace.argument(n) for n in wanted]
        hint = None if in_table else tuple(wanted)
        node = trace.record("call", "coordinates", args, effect=True, hint=hint, results=len(wanted))
        node.listed = in_table
        if len(wanted) == 1 and not listed:
            made = [Symbol(trace, node)]
            node.hint = wanted[0]
        else:
            made = list(results_of(trace, node, len(wanted)))
        trace.coordinates.update(zip(wanted, made))
        if listed:
            return made
        return made[0] if len(made) == 1 else tuple(made)

    def dot(self, e: Any) -> Any:
        """Time derivative along the motion: of a coordinate its velocity. Of an array that of its elements.

        >>> m.kinetic(m.dot(x)**2 / 2)
        """
        return elementwise(lambda one: self._expression("dot", one), e)

    def acceleration(self, e: Any) -> Any:
        """Second time derivative along the motion, at the outputs: for records, measures and plots.

        >>> m.record(push=m.acceleration(x))
        """
        return elementwise(lambda one: self._expression("acceleration", one), e)

    def time(self) -> Symbol:
        """The time t.

        >>> m.force(x=m.cos(5 * m.time()))
        """
        return self._expression("time")

    def energy(self) -> Symbol:
        """Kinetic plus potential energy, as far as given above.

        >>> m.record(energy=m.energy())
        """
        return self._expression("energy")

    def _expression(self, name: str, *values: Any) -> Symbol:
        args = [self._trace.argument(v, name) for v in values]
        return Symbol(self._trace, self._trace.record("call", name, args))

    @word(made=Data, effect=False, whole=False)
    def table_of(self, *lists: Any, file: Optional[str] = None, time: Any = None, column: Any = None, step: Optional[float] = None,
                 smooth: Optional[bool] = None, outside: Optional[str] = None) -> Data:  # fmt: skip
        """A function that is given by data: places and values, values with a step, or columns of a file.

        >>> push = m.table_of([0, 0.1, 0.4, 0.5], [0, 3, 3, 0])
        >>> m.force(x=push(m.time()))
        """
        return None  # type: ignore[return-value]

    # ---- the equations of motion ----------------------------------------------------------------------------------

    @word("call")
    def kinetic(self, T: Any) -> None:
        """Kinetic energy; further calls add terms.

        >>> m.kinetic(m.dot(x)**2 / 2)
        """

    @word("call")
    def potential(self, V: Any) -> None:
        """Potential energy, of position and time; further calls add terms.

        >>> m.potential(9.81 * y)
        """

    def mass(self, *mass: Any, **by_coordinate: Any) -> None:
        """Masses, in place of kinetic: one for all, by coordinate, or a full matrix.

        >>> m.mass(x=2, y=1)
        """
        if len(mass) == 1 and not by_coordinate and (is_number(mass[0]) or isinstance(mass[0], Symbol)):
            self._trace.record("call", "mass", [self._trace.argument(mass[0], "mass")], effect=True)
            return
        self._table("mass", mass, by_coordinate)

    @word()
    def force(self, *body_and_force: Any, at: Any = None, **by_coordinate: Any) -> None:
        """Forces by coordinate, or on a body (at its centre of mass, or at a point in space); further calls add.

        >>> m.force(x=-0.1 * m.dot(x))
        """

    @word()
    def friction_force(self, name: str, *, slip: Any = None, bound: Any = None, static: Any = None, decay: Any = None) -> None:
        """Dry friction without an obstacle: a force against the slip, within a bound.

        >>> m.friction_force("dry", slip=m.dot(x), bound=0.1)
        """

    @word()
    def joint(self, name: str, *equations: Any) -> None:
        """Expressions of position and time that stay zero.

        >>> m.joint("rod", m.hypot(x, y) - 1)
        """

    # ---- start and integration ------------------------------------------------------------------------------------

    def initial(self, *values: Any, v: Any = None, gap_tolerance: Any = None, **positions: Any) -> None:
        """Positions at the start, velocities in the dict v; what is not given is 0. Symbols may be keys: {x: 0, m.dot(x): 1}.

        >>> m.initial(x=0, y=1, v={"x": 1})
        """
        if v is not None and not isinstance(v, dict):
            positions["v"], v = v, None  # a coordinate of this name
        keys = list(positions.items())
        for name, value in (v or {}).items():
            keys.append((self.dot(self._coordinate(name)), value))
        if gap_tolerance is not None:
            keys.append(("gap_tolerance", gap_tolerance))
        self._table("initial", values, dict(keys))

    def _coordinate(self, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        known = self._trace.coordinates
        if name not in known:
            raise WordError(unknown("initial: there is no coordinate", name, known))
        return known[name]

    def integrate(self, *options: Any, scheme: Optional[str] = None, h: Any = None, until: Any = None, from_: Any = None, **more: Any) -> None:
        """The scheme, its step, its end and its start (0); further keywords are options of the scheme, those with a point in a dict.

        >>> m.integrate(scheme="moreau-jean", h=1e-3, until=3)
        """
        known = self._vocabulary.options
        for name in more:
            if known is not None and name not in known and name not in ("until_t", "from_t"):
                raise WordError(unknown("integrate: unknown keyword", name, ["scheme", "h", "until", "from_", *known]))
        self._table("integrate", options, {"scheme": scheme, "h": h, "until_t": until, "from_t": from_, **more})

    def stop(self, name: Optional[str] = None, *, when: Any) -> None:
        """Ends the run where an expression becomes positive, or a condition true.

        >>> m.stop("fallen", when=y < -1)
        """
        if isinstance(when, Condition):
            when = positive_where(when)
        self._say(Shape("stop"), [name], [("when", when)])

    def _table(self, name: str, entries: Sequence, keys: dict) -> None:
        named = [(plain_key(k) if isinstance(k, str) else k, v) for k, v in keys.items()]
        self._say(Shape(name), list(entries), named)

    # ---- studies and text of one's own ------------------------------------------------------------------------------

    def compute(self, what: Any, **uses: Any) -> Value:
        """A study of one's own, which a run computes: a function of Python without branches and loops on results, that returns a dict; or
        the body of a function in Lua, where results are plain numbers. Keywords are what that text uses.

        >>> extra = m.compute(lambda: {"twice": 2 * e})
        >>> other = m.compute("return { largest = max(e, 2) }", e=e)
        """
        if isinstance(what, str):
            return Value(self._trace, self._lua("compute", what, uses))
        node = self._trace.record("call", "compute", [self._trace.function(what, "compute")], effect=True)
        return Value(self._trace, node)

    def lua(self, text: str, **uses: Any) -> None:
        """Lines of a model file as they are, for what Python cannot say (loops over settings). Keywords are what the text uses.

        >>> m.lua("for i = 1, n do potential(k * (x - i)^2 / 2) end", n=n, k=k, x=x)
        """
        self._lua("", text, uses)

    def _lua(self, head: str, text: str, uses: dict) -> Any:
        if "\0" in text or any(ord(c) < 32 and c not in "\n\t" for c in text):
            raise ValueError("the text has control characters")
        for name in uses:
            if not is_name(name):
                raise WordError(f"'{name}' is not a name that Lua can use")
        args = [self._trace.argument(v, k) for k, v in uses.items()]
        body = textwrap.dedent(text).strip("\n").rstrip()
        if "[[" not in body and "[=" not in body:  # texts of several lines stay as they are
            body = textwrap.indent(body, "  ")
        return self._trace.record("lua", (head, body, list(uses)), args, effect=True)

    # ---- functions ----------------------------------------------------------------------------------------------

    sqrt = staticmethod(functions.sqrt)
    exp = staticmethod(functions.exp)
    log = staticmethod(functions.log)
    sin = staticmethod(functions.sin)
    cos = staticmethod(functions.cos)
    tan = staticmethod(functions.tan)
    asin = staticmethod(functions.asin)
    acos = staticmethod(functions.acos)
    atan = staticmethod(functions.atan)
    atan2 = staticmethod(functions.atan2)
    sinh = staticmethod(functions.sinh)
    cosh = staticmethod(functions.cosh)
    tanh = staticmethod(functions.tanh)
    abs = staticmethod(functions.abs)
    sign = staticmethod(functions.sign)
    hypot = staticmethod(functions.hypot)
    min = staticmethod(functions.min)
    max = staticmethod(functions.max)
    select = staticmethod(functions.select)
    pi = functions.pi

