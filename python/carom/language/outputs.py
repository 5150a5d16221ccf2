"""Contacts, records and measures: what can be asked of a motion."""

from __future__ import annotations

from typing import Any, Optional

from .symbols import Symbol
from .trace import Literal
from .values import Value
from .words import Speaker, WordError, word


class Outputs(Speaker):
    """Statements about contacts and about what is kept of a run."""

    # ---- contacts -------------------------------------------------------------------------------------------------

    @word(whole=False)
    def contact(self, name: str, shapes: Any = None, *, gap: Any = None, slip: Any = None, restitution: Any = None,
                friction: Any = None, stiffness: Any = None, exponent: Any = None, level: Any = None, point: Any = None,
                surface: Any = None, distance: Optional[bool] = None) -> None:  # fmt: skip
        """An obstacle: a gap that must not become negative, with restitution and friction. In place of gap and slip the second argument may
        be those of shapes: ``m.contact("pair", m.disc_disc(a, b, radius=0.1))``. Or they are derived from a function of a point that is
        positive outside: ``m.contact("hill", level=y - m.sin(x), point=(x, y), friction=0.3)``.

        >>> m.contact("floor", gap=y, slip=m.dot(x), restitution=0.8, friction=0.3)
        """

    @word("call", effect=False, made=Symbol)
    def gap(self, name: str) -> Symbol:
        """The gap of a contact.

        >>> m.record(distance=m.gap("floor"))
        """
        return None  # type: ignore[return-value]

    def impulse(self, of: Any, second: Any = None, component: Optional[int] = None) -> Symbol:
        """Impulse of a contact in the step that led to the output: normal (0), or tangent 1 or 2; of bodies, that between two of them, or of
        all that touches one.

        >>> m.record(push=m.impulse("floor"), rub=m.impulse("floor", 1))
        """
        trace = self._trace
        args = [trace.argument(v, "impulse") for v in (of, second) if v is not None]
        if component is not None:
            if len(args) == 1 and not isinstance(of, str):
                args.append(Literal("nil"))  # one body
            args.append(trace.argument(component, "impulse"))
        return Symbol(trace, trace.record("call", "impulse", args))

    @word("call", effect=False, made=Symbol)
    def reaction(self, name: str, equation: Optional[int] = None) -> Symbol:
        """Force of a joint at the output; of one with several equations that of equation 1, 2, ...

        >>> m.record(rod=m.reaction("rod"))
        """
        return None  # type: ignore[return-value]

    # ---- records ----------------------------------------------------------------------------------------------------

    @word()
    def record(self, *named: Any, **expressions: Any) -> None:
        """Expressions to record at each output, by name.

        >>> m.record(height=y, energy=m.energy())
        """

    @word()
    def measure(self, *named: Any, **measures: Any) -> None:
        """Numbers and arrays that a run is reduced to, by name.

        >>> m.measure(top=m.maximum(y), bounces=m.count(m.impact("floor")))
        """

    # ---- events -----------------------------------------------------------------------------------------------------

    @word("call", effect=False, made=Value)
    def impact(self, contact: Any = None, second: Any = None) -> Value:
        """Event: the contact carries an impulse and carried none in the step before. Without a name: any contact; of one body or two: theirs.

        >>> m.measure(bounces=m.count(m.impact("floor")))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def touching(self, contact: Any = None, second: Any = None) -> Value:
        """Event: the contact carries an impulse.

        >>> m.measure(held=m.fraction(m.touching("floor")))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def sticking(self, contact: Any = None, second: Any = None) -> Value:
        """Event: the contact carries an impulse and does not slip.

        >>> m.measure(rests=m.fraction(m.sticking("floor")))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def release(self, contact: Any = None, second: Any = None) -> Value:
        """Event: the contact carries none and carried one in the step before.

        >>> m.measure(lifted=m.times(m.release()))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def unwrap(self, angle: Any) -> Value:
        """For measures: an angle without its jumps of 2 pi.

        >>> m.measure(turns=m.final(m.unwrap(m.atan2(y, x))))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def every(self, period: Any) -> Value:
        """For at: the multiples of a time.

        >>> m.measure(samples=m.at(x, m.every(0.1)))
        """
        return None  # type: ignore[return-value]

    # ---- measures of expressions ----------------------------------------------------------------------------------

    @word("call", effect=False, made=Value)
    def final(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Value at the last output of the window; a plain expression means this, too.

        >>> m.measure(end=m.final(x))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def maximum(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Largest value at an output.

        >>> m.measure(top=m.maximum(y, from_=0.5))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def minimum(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Smallest value at an output.

        >>> m.measure(lowest=m.minimum(y))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def mean(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Mean over the steps.

        >>> m.measure(mean_x=m.mean(x, from_=0.5, to=1.5))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def rms(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Root mean square over the steps.

        >>> m.measure(size=m.rms(x))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def deviation(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Root mean square distance from the mean.

        >>> m.measure(swing=m.deviation(x))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def total(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Sum over the steps.

        >>> m.measure(pushed=m.total(m.impulse("floor")))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def at(self, expression: Any, times: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Array: values at the outputs nearest to a time, a list of times, every(period) or first(event).

        >>> m.measure(samples=m.at(x, [0.1, 0.2, 0.5]), hit=m.at(y, m.first(m.impact("floor"))))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def crossings(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Array: times at which an expression passes through zero.

        >>> m.measure(passes=m.crossings(x - 0.2))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def peaks(self, expression: Any, *, from_: Any = None, to: Any = None) -> Value:
        """Array: values of the local maxima.

        >>> m.measure(tops=m.peaks(y))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def jumps(self, expression: Any, *, low: Any, high: Any, over: Any, from_: Any = None, to: Any = None) -> Value:
        """Array: times at which the running mean over the time `over` goes from one level to the other.

        >>> m.measure(switches=m.jumps(x, low=1, high=2, over=0.1))
        """
        return None  # type: ignore[return-value]

    # ---- measures of events -----------------------------------------------------------------------------------------

    def count(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Number of events. The name of a contact means its impacts.

        >>> m.measure(bounces=m.count("floor"))
        """
        return self._reduce("count", event, from_=from_, to=to)

    def times(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Array: times of the events.

        >>> m.measure(landings=m.times(m.impact("floor")))
        """
        return self._reduce("times", event, from_=from_, to=to)

    def first(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Time of the first event.

        >>> m.measure(first_hit=m.first(m.impact("floor")))
        """
        return self._reduce("first", event, from_=from_, to=to)

    def last(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Time of the last event.

        >>> m.measure(last_hit=m.last(m.impact("floor")))
        """
        return self._reduce("last", event, from_=from_, to=to)

    def episodes(self, event: Any = None, *, apart: Any, from_: Any = None, to: Any = None) -> Value:
        """Number of groups of events: a new one begins when none happened for the time `apart`.

        >>> m.measure(rests=m.episodes(m.impact("floor"), apart=0.1))
        """
        return self._reduce("episodes", event, apart=apart, from_=from_, to=to)

    def episode_times(self, event: Any = None, *, apart: Any, from_: Any = None, to: Any = None) -> Value:
        """Array: times at which the groups begin.

        >>> m.measure(begins=m.episode_times(m.impact("floor"), apart=0.1))
        """
        return self._reduce("episode_times", event, apart=apart, from_=from_, to=to)

    def fraction(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Part of the steps in which it happens.

        >>> m.measure(at_rest=m.fraction(m.sticking("floor"), from_=1))
        """
        return self._reduce("fraction", event, from_=from_, to=to)

    def steps(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Number of the steps in which it happens to one contact at least.

        >>> m.measure(steps=m.steps(m.touching()))
        """
        return self._reduce("steps", event, from_=from_, to=to)

    def first_step(self, event: Any = None, *, from_: Any = None, to: Any = None) -> Value:
        """Number of the first such step.

        >>> m.measure(step=m.first_step(m.touching("floor")))
        """
        return self._reduce("first_step", event, from_=from_, to=to)

    def _reduce(self, name: str, event: Any, **window: Any) -> Value:
        if event is None or isinstance(event, str):
            event = self.impact(event)
        if not isinstance(event, Value):
            raise WordError(f'{name} takes an event: m.{name}(m.impact("floor")), or touching, sticking, release')
        trace = self._trace
        args = [trace.argument(event, name)]
        keys = [(k.rstrip("_"), v) for k, v in window.items() if v is not None]
        if keys:
            args.append(trace.table((), keys, name))
        return Value(trace, trace.record("call", name, args))
