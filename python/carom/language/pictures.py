"""Plots, and how a model looks."""

from __future__ import annotations

from typing import Any, Optional, Sequence

from .values import Points, Value
from .words import Speaker, word


class Plots(Speaker):
    """plot, panel and the layers of plots."""

    @word(whole=False)
    def plot(self, name: str, *layers: Any, x: Any = None, y: Any = None, title: Optional[str] = None, columns: Optional[int] = None,
             only: Optional[Sequence[str]] = None, xlabel: Optional[str] = None, ylabel: Optional[str] = None, equal: Optional[bool] = None,
             xlog: Optional[bool] = None, ylog: Optional[bool] = None, xrange: Any = None, yrange: Any = None, label: Optional[str] = None,
             style: Optional[str] = None, every: Any = None, from_: Any = None, to: Any = None, family: Optional[bool] = None,
             numbered: Optional[bool] = None, smooth: Any = None, marks: Any = None) -> None:  # fmt: skip
        """A picture: one curve, layers, or panels.

        >>> m.plot("height", x=m.time(), y=y)
        """

    @word(effect=False, made=Value, whole=False)
    def panel(self, *layers: Any, title: Optional[str] = None, xlabel: Optional[str] = None, ylabel: Optional[str] = None,
              equal: Optional[bool] = None, xlog: Optional[bool] = None, ylog: Optional[bool] = None, xrange: Any = None,
              yrange: Any = None) -> Value:  # fmt: skip
        """A part of a plot with its own axes.

        >>> m.plot("both", m.panel(m.line(m.time(), x), xlabel="t"), m.panel(m.line(m.time(), y)))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def line(self, *xy: Any, x: Any = None, y: Any = None, label: Optional[str] = None, style: Optional[str] = None, every: Any = None,
             from_: Any = None, to: Any = None, family: Optional[bool] = None, numbered: Optional[bool] = None, smooth: Any = None,
             marks: Any = None) -> Value:  # fmt: skip
        """Layer: a line through the outputs.

        >>> m.plot("path", m.line(x, y, label="ball"))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def points(self, *xy: Any, x: Any = None, y: Any = None, label: Optional[str] = None, style: Optional[str] = None, every: Any = None,
               from_: Any = None, to: Any = None, family: Optional[bool] = None, numbered: Optional[bool] = None, smooth: Any = None,
               marks: Any = None) -> Value:  # fmt: skip
        """Layer: a point per output.

        >>> m.plot("places", m.points(x, y, every=0.1, numbered=True))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def segments(self, x1: Any, y1: Any, x2: Any, y2: Any, *, label: Optional[str] = None, style: Optional[str] = None, every: Any = None,
                 from_: Any = None, to: Any = None, family: Optional[bool] = None, numbered: Optional[bool] = None) -> Value:  # fmt: skip
        """Layer: a segment per output.

        >>> m.plot("rods", m.segments(0, 0, x, y, every=0.1))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def outline(self, *points: Any, x: Any = None, y: Any = None, label: Optional[str] = None, style: Optional[str] = None) -> Value:
        """Layer: fixed points as a thin grey line, for walls.

        >>> m.plot("floor", m.outline((-1, 0), (3, 0), label="floor"), m.line(x, y))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def curve(self, *points: Any, x: Any = None, y: Any = None, label: Optional[str] = None, style: Optional[str] = None) -> Value:
        """Layer: fixed points as one of the curves.

        >>> m.plot("curve", m.curve((0, 0), (1, 0.5), label="exact"))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def circle(self, x: Any, y: Any, radius: Any, *, label: Optional[str] = None, style: Optional[str] = None) -> Value:
        """Layer: a fixed circle.

        >>> m.plot("ring", m.circle(0, 0, 1, style="dashed"))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def values(self, values: Any, *, label: Optional[str] = None, style: Optional[str] = None, from_: Any = None, to: Any = None,
               family: Optional[bool] = None) -> Value:  # fmt: skip
        """Layer: a point (number, value) per entry of a list.

        >>> m.plot("list", m.values([x, y]))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def profile(self, *, label: Optional[str] = None, style: Optional[str] = None, every: Any = None, from_: Any = None,
                to: Any = None) -> Value:  # fmt: skip
        """Layer: the shape of a structure at each output shown.

        >>> layer = m.profile(every=0.02)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def contact_map(self, side: str, *, label: Optional[str] = None, style: Optional[str] = None, every: Any = None, from_: Any = None,
                    to: Any = None) -> Value:  # fmt: skip
        """Layer: where and when a structure touches, "lower" or "upper".

        >>> layer = m.contact_map("lower", every=0.1)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def scene(self, *, at: Any = None, every: Any = None, from_: Any = None, to: Any = None, view: Any = None,
              style: Optional[str] = None) -> Value:  # fmt: skip
        """Layer: the shapes of all bodies, where they are at a time.

        >>> layer = m.scene(at=0.5)
        """
        return None  # type: ignore[return-value]


class Drawing(Speaker):
    """draw, and what can be drawn. Points are (x, y), in space (x, y, z).

    ``disc`` and ``polygon`` stand with the shapes of bodies, which have the same names.
    """

    @word()
    def draw(self, *items: Any, alone: Optional[bool] = None, automatic: Optional[bool] = None) -> None:
        """How the model looks, for pages, animations and files of scenes.

        >>> m.draw(m.disc(x, y, 0.1), m.wall((-1, 0), (1, 0)))
        """

    @word("call", effect=False, made=Value)
    def segment(self, p: Any, q: Any, *, name: Optional[str] = None, colour: Optional[str] = None, dashed: Optional[bool] = None,
                dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """A straight line between two points.

        >>> m.draw(m.segment((0, 0), (x, y)))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def spring(self, p: Any, q: Any, *, name: Optional[str] = None, colour: Optional[str] = None, dashed: Optional[bool] = None,
               dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """A spring between two points.

        >>> m.draw(m.spring((0, 0), (x, 0)))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def damper(self, p: Any, q: Any, *, name: Optional[str] = None, colour: Optional[str] = None, dashed: Optional[bool] = None,
               dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """A damper between two points.

        >>> m.draw(m.damper((0, 0.1), (x, 0.1)))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def rod(self, p: Any, q: Any, radius: Any, *, name: Optional[str] = None, colour: Optional[str] = None, fill: Optional[bool] = None,
            dashed: Optional[bool] = None, dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """A bar with round ends between two points.

        >>> m.draw(m.rod((0, 0), (x, y), 0.05))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def path(self, p: Any, *, name: Optional[str] = None, colour: Optional[str] = None, dashed: Optional[bool] = None,
             dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """The way of a point.

        >>> m.draw(m.path((x, y)))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def arrow(self, p: Any, vector: Any, *, scale: Optional[float] = None, name: Optional[str] = None, colour: Optional[str] = None,
              dashed: Optional[bool] = None, dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """A vector at a point; scale: length per unit of the vector.

        >>> m.draw(m.arrow((x, y), (m.dot(x), m.dot(y)), scale=0.1))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value, name="text")
    def text_(self, p: Any, words: str, *, name: Optional[str] = None, colour: Optional[str] = None) -> Value:
        """Words at a point (``m.text`` is the text of the model).

        >>> m.draw(m.text_((0, 1), "pivot"))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def pin(self, p: Any, *, name: Optional[str] = None, colour: Optional[str] = None) -> Value:
        """A joint that turns, at a point.

        >>> m.draw(m.pin((0, 0)))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def touch(self, contact: str, p: Any, normal: Any, *, name: Optional[str] = None, colour: Optional[str] = None) -> Value:
        """Where a contact touches, with its normal; its impulses are shown there.

        >>> m.draw(m.touch("floor", (x, 0), (0, 1)))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def wall(self, *points: Any, name: Optional[str] = None, colour: Optional[str] = None, dashed: Optional[bool] = None,
             dotted: Optional[bool] = None, fill: Optional[bool] = None, closed: Optional[bool] = None) -> Value:  # fmt: skip
        """An obstacle by its surface, solid on the right side seen along it.

        >>> m.draw(m.wall((-1, 0), (1, 0)), m.wall(m.arc(0, 0, 2)))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def deformed(self, *points: Any, closed: Optional[bool] = None, exaggerate: Optional[bool] = None, name: Optional[str] = None,
                 colour: Optional[str] = None, dashed: Optional[bool] = None, dotted: Optional[bool] = None) -> Value:  # fmt: skip
        """A structure by points along it; exaggerate: its motion may be shown larger.

        >>> m.draw(m.deformed((0, 0), (1, x), (2, y), exaggerate=True))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Points)
    def arc(self, x: Any, y: Any, r: Any, start: Any = None, end: Any = None) -> Points:
        """Points of a circle or a part of it, to draw: centre, radius, angles.

        >>> m.draw(m.wall(m.arc(0, 0, 2)))
        """
        return None  # type: ignore[return-value]
