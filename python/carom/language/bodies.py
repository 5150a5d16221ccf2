"""Bodies with shapes, and their joints."""

from __future__ import annotations

from typing import Any, Optional

from .values import Body, Value
from .vocabulary import unknown
from .words import Shape, Speaker, WordError, word


class Bodies(Speaker):
    """World, bodies, shapes, joints of bodies."""

    def world(self, *, gravity: Any) -> None:
        """The world of bodies and its gravity: two numbers mean the plane, three space. Comes before bodies.

        >>> m.world(gravity=(0, -9.81))
        """
        try:
            gravity = list(gravity)
        except TypeError:
            raise WordError("world: gravity is a list of two numbers in the plane, of three in space") from None
        if len(gravity) not in (2, 3):
            raise WordError(f"world: gravity has {len(gravity)} numbers; two mean the plane, three space")
        self._trace.dimension = len(gravity)
        self._say(Shape("world"), [], [("gravity", gravity)])

    @word()
    def pair(self, first: Optional[str] = None, second: Optional[str] = None, *, friction: Any = None, restitution: Any = None,
             rolling: Any = None, torsion: Any = None) -> None:  # fmt: skip
        """Friction and restitution between two materials, or between all that is not said.

        >>> m.pair("steel", "oak", friction=0.4, restitution=0.1)
        """

    @word(made=Body, named=True)
    def body(self, name: str, *, shape: Any = None, density: Any = None, mass: Any = None, inertia: Any = None, centre: Any = None,
             material: Optional[str] = None, at: Any = None, rotation: Any = None, velocity: Any = None, spin: Any = None) -> Body:  # fmt: skip
        """A rigid body that moves freely. Rotation: an angle; in space {"axis": ..., "angle": ...} or a quaternion.

        >>> m.world(gravity=(0, -9.81))
        >>> crate = m.body("crate", shape=m.box(0.4, 0.3), density=600, at=(0, 1))
        """
        return None  # type: ignore[return-value]

    @word(made=Body, named=True)
    def fixed(self, name: str, *, shape: Any = None, material: Optional[str] = None, at: Any = None, rotation: Any = None) -> Body:
        """A body that does not move: floor, walls, stops.

        >>> m.world(gravity=(0, -9.81))
        >>> floor = m.fixed("floor", shape=m.plane(normal=(0, 1), offset=0))
        """
        return None  # type: ignore[return-value]

    @word(made=Body, named=True)
    def driven(self, name: str, *, shape: Any = None, material: Optional[str] = None, at: Any = None, rotation: Any = None,
               velocity: Any = None, spin: Any = None) -> Body:  # fmt: skip
        """A body whose motion is given: velocity and spin, expressions of the time.

        >>> m.world(gravity=(0, -9.81))
        >>> belt = m.driven("belt", shape=m.box(2, 0.1), velocity=(0.1 * m.cos(5 * m.time()), 0))
        """
        return None  # type: ignore[return-value]

    @word(whole=False)
    def torque(self, body: Body, torque: Any) -> None:
        """A torque on a body: a number in the plane, three along the axes of space; further calls add.

        >>> m.world(gravity=(0, -9.81))
        >>> crate = m.body("crate", shape=m.box(0.4, 0.3), density=600)
        >>> m.torque(crate, -0.1 * crate.wz)
        """

    # ---- shapes -----------------------------------------------------------------------------------------------------

    @word(effect=False, made=Value)
    def sphere(self, radius: float) -> Value:
        """A ball of space around the origin.

        >>> shape = m.sphere(0.1)
        """
        return None  # type: ignore[return-value]

    def disc(self, *args: Any, **options: Any) -> Value:
        """With one number a disc of the plane around the origin, for bodies; with more what is drawn: disc(x, y, r), disc(x, y, r, angle),
        disc((x, y, z), r), and options name, colour, dashed, dotted, fill.

        >>> shape = m.disc(0.1)
        >>> m.draw(m.disc(x, y, 0.1, name="ball"))
        """
        return self._either("disc", len(args) == 1 or (not args and "radius" in options), args, options)

    @word(effect=False, made=Value)
    def box(self, *edges: float) -> Value:
        """A box around the origin, by its full edges: two in the plane, three in space.

        >>> shape = m.box(0.4, 0.3)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def capsule(self, *, radius: float, length: float) -> Value:
        """All points within a radius of a segment, along x in the plane, along z in space.

        >>> shape = m.capsule(radius=0.05, length=0.4)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def cylinder(self, *, radius: float, height: float) -> Value:
        """A cylinder of space around the origin, axis z.

        >>> shape = m.cylinder(radius=0.1, height=0.3)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def convex(self, *corners: Any, points: Any = None, file: Optional[str] = None, scale: Optional[float] = None) -> Value:
        """The convex hull of points, given one by one, in one list, or in a file.

        >>> shape = m.convex((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def polygon(self, *points: Any, name: Optional[str] = None, colour: Optional[str] = None, dashed: Optional[bool] = None,
                dotted: Optional[bool] = None, fill: Optional[bool] = None) -> Value:  # fmt: skip
        """The inside of a simple polygon: the shape of a body, or, with symbols or options, what is drawn.

        >>> shape = m.polygon((0, 0), (2, 0), (2, 1), (1, 0.5))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def plane(self, *, normal: Any, offset: Any = None) -> Value:
        """A half plane or half space: all x with normal . x <= offset are inside.

        >>> shape = m.plane(normal=(0, 1), offset=0)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def polyline(self, *points: Any, closed: Optional[bool] = None) -> Value:
        """A line of straight pieces in the plane, for fixed and driven bodies.

        >>> shape = m.polyline((-1, 1), (0, 0), (1, 1))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def heightfield(self, *rows: Any, dx: float, dy: float) -> Value:
        """A surface over a grid, rows of heights along x, for fixed and driven bodies.

        >>> shape = m.heightfield([0, 0, 0], [0, 0.2, 0], [0, 0, 0], dx=1, dy=1)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def mesh(self, *, points: Any = None, triangles: Any = None, file: Optional[str] = None, scale: Optional[float] = None) -> Value:
        """A surface of triangles (numbers of points from 1), for fixed and driven bodies.

        >>> shape = m.mesh(points=[(0, 0, 0), (1, 0, 0), (0, 1, 0)], triangles=[(1, 2, 3)])
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def compound(self, *parts: Any) -> Value:
        """Several shapes as one, each a part(shape, at=, rotation=).

        >>> shape = m.compound(m.part(m.box(1, 0.1)), m.part(m.disc(0.2), at=(0.5, 0)))
        """
        return None  # type: ignore[return-value]

    @staticmethod
    def part(shape: Any, *, at: Any = None, rotation: Any = None) -> Any:
        """A part of a compound.

        >>> m.part(m.disc(0.2), at=(0.5, 0)) is not None
        True
        """
        from .tables import LuaTable

        return LuaTable((shape,), (("at", at), ("rotation", rotation)))

    def _either(self, name: str, shape: bool, args: tuple, options: dict) -> Value:
        """A word that is a shape of a body, word { ... }, and something to draw, word(...)."""
        known = ("radius",) if shape else ("name", "colour", "dashed", "dotted", "fill")
        for key in options:
            if key not in known:
                raise WordError(unknown(f"{name}: unknown keyword", key, known))
        return self._say(Shape(name, "table" if shape else "call", effect=False, made=Value), list(args), list(options.items()))

    # ---- joints of bodies -------------------------------------------------------------------------------------------

    @word(named=True)
    def ball(self, name: str, a: Body, b: Body, *, at: Any) -> None:
        """Joint in space: two points are one.

        >>> m.ball("tip", a, b, at=(0, 0, 0))    # doctest: +SKIP
        """

    @word(made=Value, named=True)
    def hinge(self, name: str, a: Body, b: Body, *, at: Any, axis: Any = None, spring: Any = None, damper: Any = None, limits: Any = None,
              motor: Any = None) -> Value:  # fmt: skip
        """Joint: the bodies turn about one axis. spring={"stiffness": k, "rest": 0}, limits=m.table(low, high, restitution=0),
        motor={"speed": w, "torque": T}. Returns what has `.angle`.

        >>> pin = m.hinge("pin", frame, arm, at=(0, 1))    # doctest: +SKIP
        """
        return None  # type: ignore[return-value]

    @word(made=Value, named=True)
    def slider(self, name: str, a: Body, b: Body, *, at: Any, axis: Any, spring: Any = None, damper: Any = None, limits: Any = None,
               motor: Any = None) -> Value:  # fmt: skip
        """Joint: the bodies move along one axis, without turning. Returns what has `.way`.

        >>> guide = m.slider("guide", frame, piston, at=(0, 0), axis=(1, 0))    # doctest: +SKIP
        """
        return None  # type: ignore[return-value]

    @word(made=Value, named=True)
    def cylindrical(self, name: str, a: Body, b: Body, *, at: Any, axis: Any, spring: Any = None, damper: Any = None, limits: Any = None,
                    motor: Any = None) -> Value:  # fmt: skip
        """Joint in space: the bodies move along and turn about one axis. Returns what has `.way` and `.angle`.

        >>> sleeve = m.cylindrical("sleeve", shaft, ring, at=(0, 0, 0), axis=(1, 0, 0))    # doctest: +SKIP
        """
        return None  # type: ignore[return-value]

    @word(named=True)
    def universal(self, name: str, a: Body, b: Body, *, at: Any, axis: Any, axis2: Any) -> None:
        """Joint in space: a common point, and two axes that stay perpendicular.

        >>> m.universal("cardan", a, b, at=(0, 0, 0), axis=(0, 1, 0), axis2=(0, 0, 1))    # doctest: +SKIP
        """

    @word(named=True)
    def weld(self, name: str, a: Body, b: Body, *, at: Any) -> None:
        """Joint: the bodies move as one.

        >>> m.weld("seam", a, b, at=(0, 0))    # doctest: +SKIP
        """

