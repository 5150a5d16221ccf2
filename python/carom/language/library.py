"""Models of the library: mechanisms, beams, chains, drill strings, simple shapes for contacts."""

from __future__ import annotations

from typing import Any, Optional

from .symbols import Symbol
from .trace import Node
from .values import Bar, Beam, Beam2d, Body2d, Chain, DrillString, Value
from .words import Speaker, word


class Library(Speaker):
    """Statements that make whole parts of a model."""

    @property
    def ground(self) -> Body2d:
        """The body of mechanisms that does not move.

        >>> m.ground.name is not None
        True
        """
        return Body2d(self._trace, Node(self._trace.file, "leaf", "ground", []))

    # ---- mechanisms in the plane ------------------------------------------------------------------------------------

    @word(made=Body2d, named=True)
    def body2d(self, name: str, *, mass: Any, inertia: Any, at: Any = None, velocity: Any = None, gravity: Any = None, pinned: Any = None,
               phi: Any = None, omega: Any = None) -> Body2d:  # fmt: skip
        """A rigid body in the plane: coordinates name_x, name_y, name_phi.

        >>> rod = m.body2d("rod", mass=1, inertia=0.1, at=(0, 2, 0.5), gravity=9.81)
        """
        return None  # type: ignore[return-value]

    @word()
    def revolute(self, name: str, *bodies_and_points: Any) -> None:
        """Joint: two points of bodies are one.

        >>> rod = m.body2d("rod", mass=1, inertia=0.1)
        >>> m.revolute("pin", rod, (-0.5, 0), m.ground, (0, 0))
        """

    @word()
    def prismatic(self, name: str, *bodies_points_and_angle: Any) -> None:
        """Joint: a point on a line of another body, without turning.

        >>> slider = m.body2d("slider", mass=1, inertia=0.1)
        >>> m.prismatic("guide", m.ground, (0, 0), 0, slider, (0, 0))
        """

    @word(made=Value, named=True)
    def distance(self, name: str, *bodies_and_points: Any, length: Any = None, from_: Any = None, to: Any = None) -> Value:
        """Joint: a massless rod between two points; of bodies with shapes distance(name, a, b, from_=point, to=point).

        >>> rod = m.body2d("rod", mass=1, inertia=0.1, at=(0, -1, 0))
        >>> d = m.distance("link", rod, (0, 0), m.ground, (0, 0), length=1)
        """
        return None  # type: ignore[return-value]

    @word(made=Value, named=True)
    def clearance(self, name: str, *bodies_and_points: Any, radius: Any, journal: Any = None, restitution: Any = None,
                  friction: Any = None) -> Value:  # fmt: skip
        """A pin with play: a contact. Returns what has dx, dy, distance.

        >>> rod = m.body2d("rod", mass=1, inertia=0.1)
        >>> play = m.clearance("play", m.ground, (0, 0), rod, (-0.5, 0), radius=5e-4)
        """
        return None  # type: ignore[return-value]

    # ---- simple shapes, for contact -----------------------------------------------------------------------------------

    @word(effect=False, made=Value)
    def disc_disc(self, a: Any, b: Any, *, radius: Any) -> Value:
        """Gap and slip of two discs; radius: one for both, or a list of two.

        >>> m.contact("pair", m.disc_disc((x, y), (0, 0), radius=(0.1, 0.2)))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def disc_ring(self, a: Any, b: Any, *, radius: Any, ring: Any) -> Value:
        """Gap and slip of a disc inside a ring.

        >>> m.contact("drum", m.disc_ring((x, y), (0, 0), radius=0.1, ring=1), friction=0.3)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def disc_line(self, a: Any, *, radius: Any, from_: Any, to: Any, on: Any = None, speed: Any = None) -> Value:
        """Gap and slip of a disc to the left of a line.

        >>> m.contact("slope", m.disc_line((x, y), radius=0.1, from_=(0, 0), to=(1, 0)), friction=0.3)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def corner_line(self, a: Any, corner: Any = None, *, from_: Any, to: Any, on: Any = None, speed: Any = None) -> Value:
        """Gap and slip of a corner of a body to the left of a line.

        >>> b = m.body2d("block", mass=1, inertia=0.1)
        >>> m.contact("foot", m.corner_line(b, (0.5, -0.1), from_=(0, 0), to=(1, 0)), friction=0.3)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value, whole=False)
    def corner_disc(self, a: Any, *corner_and_disc: Any, radius: Any) -> Value:
        """Gap and slip of a corner of a body and a disc.

        >>> b = m.body2d("block", mass=1, inertia=0.1)
        >>> m.contact("tip", m.corner_disc(b, (0.5, 0), (x, y), radius=0.1))
        """
        return None  # type: ignore[return-value]

    # ---- elastic members ----------------------------------------------------------------------------------------------

    @word(made=Beam, named=True)
    def beam(self, name: str, *, length: Any, elements: Any, basis: Optional[str] = None, grid: Optional[str] = None, k2: Any = None,
             E: Any = None, rho: Any = None, section: Any = None, damping: Any = None, left: Optional[str] = None,
             right: Optional[str] = None, load: Any = None, acceleration: Any = None, restitution: Any = None, obstacles: Any = None,
             stops: Any = None, forces: Any = None, displacement: Any = None, velocity: Any = None) -> Beam:  # fmt: skip
        """An Euler-Bernoulli beam between obstacles: the whole model, or beside bodies. Functions of Python are called once, with symbols.

        >>> u = m.beam("u", length=10, elements=40, k2=282.84, acceleration=lambda x, t: m.sin(10 * t),
        ...            stops=[m.table("stop", x=10, lower=-0.02, upper=0.02)])
        >>> m.measure(tip=m.maximum(m.abs(u.at(10))))
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def tube(self, *, outer: Any, inner: Any) -> Value:
        """Section of a beam: a ring.

        >>> section = m.tube(outer=0.02, inner=0.016)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def round(self, *, diameter: Any) -> Value:
        """Section of a beam: a disk.

        >>> section = m.round(diameter=0.02)
        """
        return None  # type: ignore[return-value]

    @word(effect=False, made=Value)
    def rectangle(self, *, width: Any, height: Any) -> Value:
        """Section of a beam: a rectangle; the height is in the direction of motion.

        >>> section = m.rectangle(width=0.02, height=0.01)
        """
        return None  # type: ignore[return-value]

    def bar(self, name: str, *, elements: Any, length: Any, E: Any, rho: Any, A: Any = None, mass: Optional[str] = None,
            displacement: Any = None, velocity: Any = None) -> Bar:  # fmt: skip
        """An elastic bar along its axis, by finite elements: ``b.u[0]`` ... ``b.u[elements]``.

        >>> b = m.bar("u", elements=20, length=1, E=1, rho=1)
        """
        keys = dict(elements=elements, length=length, E=E, rho=rho, A=A, mass=mass, displacement=displacement, velocity=velocity)
        return self._sized("bar", Bar, name, keys, elements, 1)

    def beam2d(self, name: str, *, elements: Any, length: Any, E: Any, A: Any, I: Any, rho: Any, nu: Any = None, shear: Any = None,
               mass: Optional[str] = None, root: Optional[str] = None, at: Any = None, velocity: Any = None, gravity: Any = None,
               pinned: Any = None, phi: Any = None, omega: Any = None) -> Beam2d:  # fmt: skip
        """A geometrically exact beam in the plane: ``b.node[0]`` ... ``b.node[elements]``, ``b.root``, ``b.tip`` are bodies.

        >>> b = m.beam2d("b", elements=4, length=1, E=2.1e11, A=1e-4, I=8.33e-10, rho=7800)
        """
        keys = dict(elements=elements, length=length, E=E, A=A, I=I, rho=rho, nu=nu, shear=shear, mass=mass, root=root, at=at,
                    velocity=velocity, gravity=gravity, pinned=pinned, phi=phi, omega=omega)  # fmt: skip
        return self._sized("beam2d", Beam2d, name, keys, elements, 1)

    # ---- chains, strings, rings -----------------------------------------------------------------------------------------

    def chain(self, *, balls: Any, mass: Any = None, pattern: Optional[str] = None, ratio: Any = None, radius: Any = None,
              spacing: Any = None, velocity: Any = None, stiffness: Any = None, exponent: Any = None, restitution: Any = None,
              wall: Optional[bool] = None, name: Optional[str] = None) -> Chain:  # fmt: skip
        """Balls in a row: coordinates, masses, contacts and start. ``c.x[0]`` is the first ball.

        >>> c = m.chain(balls=5, restitution=0.9, wall=True)
        """
        keys = dict(balls=balls, mass=mass, pattern=pattern, ratio=ratio, radius=radius, spacing=spacing, velocity=velocity,
                    stiffness=stiffness, exponent=exponent, restitution=restitution, wall=wall, name=name)  # fmt: skip
        return self._sized("chain", Chain, None, keys, balls, 0)

    def _sized(self, word_: str, made: type, name: Optional[str], keys: dict, count: Any, more: int) -> Any:
        """Parts of which Python knows how many there are, unless that is a setting."""
        trace = self._trace
        args = [trace.table([] if name is None else [name], keys.items(), word_)]
        node = trace.record("call", word_, args, effect=True, hint=name)
        length = int(count) + more if isinstance(count, int) and not isinstance(count, bool) else None
        return made(trace, node, length=length)

    @word("call", effect=False, made=Symbol)
    def dispersion(self, chain: Chain) -> Symbol:
        """Of a chain: how energy spreads, 0 equally, sqrt(n - 1) when one ball has all.

        >>> c = m.chain(balls=5)
        >>> m.measure(spread=m.dispersion(c))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Symbol)
    def velocity_gap(self, chain: Chain, velocities: Any) -> Symbol:
        """Of a chain: distance to a list of velocities, in per cent.

        >>> c = m.chain(balls=3)
        >>> m.measure(away=m.velocity_gap(c, [0, 0, 1]))
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Symbol)
    def good_velocities(self, chain: Chain, velocities: Any) -> Symbol:
        """Of a chain: how many velocities are near those of a list.

        >>> c = m.chain(balls=3)
        >>> m.measure(good=m.good_velocities(c, [0, 0, 1]))
        """
        return None  # type: ignore[return-value]

    @word(made=DrillString)
    def drill_string(self, *, J: Any, k: Any, bit: Any, d: Any = None, Tw: Any = None, joins: Any = None, top: Any = None) -> DrillString:
        """Discs on one axis with friction, the bit first, the top drive last.

        >>> s = m.drill_string(J=[0.064, 2.845], k=0.63, bit={"Ts": 1.232, "Td": 0.272, "Nd": 0.5})
        """
        return None  # type: ignore[return-value]

    @word(made=Symbol)
    def soft_torque(self, string: DrillString, *, ct: Any, kt: Any, rpm: Any, feedforward: Any = None, reference_angle: Any = None) -> Symbol:
        """A controller for the top drive of a drill string; returns its torque.

        >>> s = m.drill_string(J=[0.064, 2.845], k=0.63, bit={"Ts": 1.232, "Td": 0.272, "Nd": 0.5})
        >>> u = m.soft_torque(s, ct=2.93, kt=1.87, rpm=5.5, feedforward=s.torque(5.5))
        """
        return None  # type: ignore[return-value]

    @word(made=Value)
    def ring(self, *, p: Any, gamma: Any, y: Any = None, v: Any = None) -> Value:
        """A ring of oscillators over an obstacle.

        >>> r = m.ring(p=5, gamma=0.1)
        """
        return None  # type: ignore[return-value]

    @word(made=Value)
    def bar_chain(self, *, masses: Any, L: Any = None, c: Any = None, g0: Any = None, u: Any = None, v: Any = None,
                  restitution: Any = None) -> Value:  # fmt: skip
        """A bar against a wall as a chain of masses; returns what has u, tip, masses.

        >>> c = m.bar_chain(masses=3)
        """
        return None  # type: ignore[return-value]

    @word(made=Value)
    def energy_sink(self, *, values: Any, x: Any = None, y: Any = None, x_dot: Any = None, y_dot: Any = None, z: Any = None) -> Value:
        """A nonlinear energy sink on an oscillator with dry friction.

        >>> s = m.energy_sink(values=dict(eps=1e-3, w1=1, a0=0, alpha0=0, beta=0, sigma=0, lam=0, gamma=1, f0=0), x=2)
        """
        return None  # type: ignore[return-value]

    @word("call", effect=False, made=Value)
    def particle_list(self, text: Any) -> Value:
        """A list of numbers from a text, for settings.

        >>> struck = m.particle_list("3,4")
        """
        return None  # type: ignore[return-value]
