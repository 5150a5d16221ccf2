"""Models in Lua and the same in Python: mechanisms, beams, bodies, chains, strings, studies."""

import numpy as np
from language_cases import case


@case(
    """
local wheel = body2d { "wheel", mass = 1, inertia = 0.005, at = { 0, 0.1, 0 }, velocity = { 2, 0, 0 }, gravity = 9.81 }
local ball  = body2d { "ball", mass = 1, inertia = 0.005, at = { 1, 0.1, 0 }, gravity = 9.81 }
local block = body2d { "block", mass = 1, inertia = 0.01, at = { 2, 0.2, 0 }, gravity = { 0, -9.81 } }
contact { "floor", disc_line { wheel, radius = 0.1, from = { 0, 0 }, to = { 1, 0 } }, friction = 0.3 }
contact { "under", disc_line { ball, radius = 0.1, from = { 0, 0 }, to = { 1, 0 }, speed = 0.1 }, friction = 0.3 }
contact { "pair", disc_disc { wheel, ball, radius = { 0.1, 0.1 } }, restitution = 0.8, friction = 0.2 }
contact { "drum", disc_ring { wheel, { 0, 0 }, radius = 0.1, ring = 9 }, friction = 0.3 }
contact { "foot", corner_line { block, { 0.1, -0.1 }, from = { 0, 0 }, to = { 1, 0 } }, friction = 0.3 }
contact { "heel", corner_line { block, { -0.1, -0.1 }, from = { 0, 0 }, to = { 1, 0 }, on = ground }, friction = 0.3 }
contact { "tip", corner_disc { block, { -0.1, 0 }, ball, radius = 0.1 }, friction = 0.3 }
integrate { h = 1e-3, until_t = 1 }
measure { rolls = dot(wheel.x) + 0.1 * dot(wheel.phi), hit = first(impact "pair") }
"""
)
def simple_shapes(m):
    wheel = m.body2d("wheel", mass=1, inertia=0.005, at=(0, 0.1, 0), velocity=(2, 0, 0), gravity=9.81)
    ball = m.body2d("ball", mass=1, inertia=0.005, at=(1, 0.1, 0), gravity=9.81)
    block = m.body2d("block", mass=1, inertia=0.01, at=(2, 0.2, 0), gravity=(0, -9.81))
    m.contact("floor", m.disc_line(wheel, radius=0.1, from_=(0, 0), to=(1, 0)), friction=0.3)
    m.contact("under", m.disc_line(ball, radius=0.1, from_=(0, 0), to=(1, 0), speed=0.1), friction=0.3)
    m.contact("pair", m.disc_disc(wheel, ball, radius=(0.1, 0.1)), restitution=0.8, friction=0.2)
    m.contact("drum", m.disc_ring(wheel, (0, 0), radius=0.1, ring=9), friction=0.3)
    m.contact("foot", m.corner_line(block, (0.1, -0.1), from_=(0, 0), to=(1, 0)), friction=0.3)
    m.contact("heel", m.corner_line(block, (-0.1, -0.1), from_=(0, 0), to=(1, 0), on=m.ground), friction=0.3)
    m.contact("tip", m.corner_disc(block, (-0.1, 0), ball, radius=0.1), friction=0.3)
    m.integrate(h=1e-3, until=1)
    m.measure(rolls=m.dot(wheel.x) + 0.1 * m.dot(wheel.phi), hit=m.first("pair"))


@case(
    """
local crank  = body2d { "crank", mass = 0.5, inertia = 4e-4, pinned = { { -0.05, 0 }, ground, { 0, 0 } }, omega = 30 }
local rod    = body2d { "rod", mass = 0.8, inertia = 6e-3, pinned = { { -0.15, 0 }, crank, { 0.05, 0 } }, omega = -10 }
local slider = body2d { "slider", mass = 1, inertia = 1e-4, at = { 0.4, 0, 0 } }
local bob    = body2d { "bob", mass = 1, inertia = 1e-2, at = { 0, -1, 0 } }
revolute  { "main", crank, { -0.05, 0 }, ground, { 0, 0 } }
revolute  { "crankpin", crank, { 0.05, 0 }, rod, { -0.15, 0 } }
prismatic { "guide", ground, { 0, 0 }, 0, slider, { 0, 0 } }
distance  { "link", ground, { 0, 0 }, bob, length = 1 }
local play = clearance { "play", slider, { 0, 0 }, rod, { 0.15, 0 }, radius = 5e-4, journal = 0.01, restitution = 0.5, friction = 0.1 }
force     { [crank.phi] = 2 * (30 - dot(crank.phi)) }
integrate { scheme = "moreau-jean", h = 2e-5, until_t = 0.05 }
local sx, sy, svx, svy = rod:point_at_start { 0.15, 0 }
record    { dx = play.dx, off = play.distance }
measure   { knocks = count(impact "play"), stroke = minimum(slider.x), pull = reaction("main", 1), start = sx + svy }
"""
)
def mechanism(m):
    crank = m.body2d("crank", mass=0.5, inertia=4e-4, pinned=[(-0.05, 0), m.ground, (0, 0)], omega=30)
    rod = m.body2d("rod", mass=0.8, inertia=6e-3, pinned=[(-0.15, 0), crank, (0.05, 0)], omega=-10)
    slider = m.body2d("slider", mass=1, inertia=1e-4, at=(0.4, 0, 0))
    bob = m.body2d("bob", mass=1, inertia=1e-2, at=(0, -1, 0))
    m.revolute("main", crank, (-0.05, 0), m.ground, (0, 0))
    m.revolute("crankpin", crank, (0.05, 0), rod, (-0.15, 0))
    m.prismatic("guide", m.ground, (0, 0), 0, slider, (0, 0))
    m.distance("link", m.ground, (0, 0), bob, length=1)
    play = m.clearance("play", slider, (0, 0), rod, (0.15, 0), radius=5e-4, journal=0.01, restitution=0.5, friction=0.1)
    m.force({crank.phi: 2 * (30 - m.dot(crank.phi))})
    m.integrate(scheme="moreau-jean", h=2e-5, until=0.05)
    sx, sy, svx, svy = rod.point_at_start([0.15, 0])
    m.record(dx=play.dx, off=play.distance)
    m.measure(knocks=m.count("play"), stroke=m.minimum(slider.x), pull=m.reaction("main", 1), start=sx + svy)


@case(
    """
local b   = beam2d { "b", elements = 4, length = 1, E = 2.1e11, A = 1e-4, I = 8.33e-10, rho = 7800, root = "hinged", gravity = 10 }
local bob = body2d { "bob", mass = 0.2, inertia = 1e-4, pinned = { { -0.05, 0 }, b.tip, { 0, 0 } }, gravity = 10 }
local s   = bar { "s", elements = 3, length = 1, E = 100, rho = 1, A = 1, mass = "lumped", displacement = function(x) return 0.01 * x end, velocity = 0 }
revolute  { "pin", bob, { -0.05, 0 }, b.tip }
contact   { "wall", gap = bob.x - 0.7 }
integrate { scheme = "generalized-alpha", h = 1e-5, until_t = 0.02 }
measure   { mid = b.node[3].y, last = b.node[5].phi, root = b.root.phi, u = s.u[4], v = s.v[1], f = s.force(2), place = s.place[2] }
"""
)
def elastic_members(m):
    b = m.beam2d("b", elements=4, length=1, E=2.1e11, A=1e-4, I=8.33e-10, rho=7800, root="hinged", gravity=10)
    bob = m.body2d("bob", mass=0.2, inertia=1e-4, pinned=[(-0.05, 0), b.tip, (0, 0)], gravity=10)
    s = m.bar("s", elements=3, length=1, E=100, rho=1, A=1, mass="lumped", displacement=lambda x: 0.01 * x, velocity=0)
    m.revolute("pin", bob, (-0.05, 0), b.tip)
    m.contact("wall", gap=bob.x - 0.7)
    m.integrate(scheme="generalized-alpha", h=1e-5, until=0.02)
    assert len(s.u) == 4 and len(b.node) == 5
    m.measure(mid=b.node[2].y, last=b.node[-1].phi, root=b.root.phi, u=s.u[-1], v=s.v[0], f=s.force(2), place=s.place[1])


@case(
    """
local c = param { "clearance", 0.02, unit = "m" }
local J = setting { "J", 20, integer = true }
local u = beam { "u", length = 10, elements = J, E = 2e11, rho = 7800, section = tube { outer = 0.02, inner = 0.016 },
  damping = { mass = 0.1, stiffness = 1e-5 }, load = function(x, t) return 2 * sin(10 * t) + 0 * x end, restitution = 0.1,
  forces = { { x = 5, value = sin(time()) } }, obstacles = { { lower = -0.3, upper = math.huge, from = 2, to = 8 } },
  stops = { { "stop", x = 10, lower = -c, upper = c } }, displacement = { mode = 1, x = 10, value = 0.01 } }
integrate { h = 1e-3, until_t = 0.5 }
measure { tip = maximum(abs(u:at(10))), push = maximum(impulse "stop_lower" / 1e-3), m = u:moment(0), s = u:slope(5), v = u:velocity(10),
          deep = u:penetration("lower"), i = total(u:impulse("upper")), n = u:touching() }
plot { "shapes", xlabel = "x", ylabel = "u", profile { every = 0.02, from = 0.1, to = 0.4 }, outline(u:obstacle("upper")) }
plot { "contacts", contact_map { "lower", label = "lower" }, contact_map { "upper", every = 0.1 } }
"""
)
def beam(m):
    c = m.param("clearance", 0.02, unit="m")
    J = m.setting("J", 20, integer=True)
    u = m.beam("u", length=10, elements=J, E=2e11, rho=7800, section=m.tube(outer=0.02, inner=0.016),
               damping=dict(mass=0.1, stiffness=1e-5), load=lambda x, t: 2 * np.sin(10 * t) + 0 * x, restitution=0.1,
               forces=[dict(x=5, value=np.sin(m.time()))], obstacles=[m.table(lower=-0.3, upper=np.inf, from_=2, to=8)],
               stops=[m.table("stop", x=10, lower=-c, upper=c)], displacement=dict(mode=1, x=10, value=0.01))  # fmt: skip
    m.integrate(h=1e-3, until=0.5)
    m.measure(tip=m.maximum(abs(u.at(10))), push=m.maximum(m.impulse("stop_lower") / 1e-3), m=u.moment(0), s=u.slope(5), v=u.velocity(10),
              deep=u.penetration("lower"), i=m.total(u.impulse("upper")), n=u.touching())  # fmt: skip
    m.plot("shapes", m.profile(every=0.02, from_=0.1, to=0.4), m.outline(u.obstacle("upper")), xlabel="x", ylabel="u")
    m.plot("contacts", m.contact_map("lower", label="lower"), m.contact_map("upper", every=0.1))


@case(
    """
local u = beam { "u", length = 2, elements = 10, E = 7e10, rho = 2700, section = round { diameter = 0.02 }, basis = "difference", grid = "ghost",
  acceleration = function(x, t) local s = sin(3 * t) return s * x + s end }
integrate { h = 1e-3, until_t = 0.2 }
measure { tip = u:at(2) }
"""
)
def beam_of_differences(m):
    def shaken(x, t):
        s = np.sin(3 * t)
        return s * x + s

    u = m.beam("u", length=2, elements=10, E=7e10, rho=2700, section=m.round(diameter=0.02), basis="difference", grid="ghost", acceleration=shaken)
    m.integrate(h=1e-3, until=0.2)
    m.measure(tip=u.at(2))


@case(
    """
world { gravity = { 0, -9.81 } }
local u = beam { "u", length = 2, elements = 4, E = 7e10, rho = 2700, section = rectangle { width = 0.4, height = 0.04 }, damping = { stiffness = 1e-4 } }
local ball = body { "ball", shape = disc { 0.1 }, mass = 8, at = { 1.9, 0.5 } }
contact   { "board", gap = ball.y - 0.1 - u:at(1.9), restitution = 0 }
integrate { scheme = "moreau-jean", h = 2e-4, until_t = 0.5 }
measure   { lowest = minimum(u:at(2)), root = maximum(abs(u:moment(0))), thrown = maximum(ball.y, { from = 0.35 }) }
"""
)
def beam_beside_bodies(m):
    m.world(gravity=(0, -9.81))
    u = m.beam("u", length=2, elements=4, E=7e10, rho=2700, section=m.rectangle(width=0.4, height=0.04), damping={"stiffness": 1e-4})
    ball = m.body("ball", shape=m.disc(0.1), mass=8, at=(1.9, 0.5))
    m.contact("board", gap=ball.y - 0.1 - u.at(1.9), restitution=0)
    m.integrate(scheme="moreau-jean", h=2e-4, until=0.5)
    m.measure(lowest=m.minimum(u.at(2)), root=m.maximum(abs(u.moment(0))), thrown=m.maximum(ball.y, from_=0.35))


@case(
    """
local omega = param { "omega", 1, unit = "rad/s" }
world { gravity = { 0, 0, -9.81 } }
pair  { friction = 0.5, restitution = 0 }
pair  { "steel", "oak", friction = 0.4, restitution = 0.1, rolling = 1e-3, torsion = 5e-4 }
local disc1 = driven { "table", shape = cylinder { radius = 1, height = 0.1 }, at = { 0, 0, -0.05 }, spin = { 0, 0, omega }, material = "steel" }
local crate = body { "crate", shape = box { 0.4, 0.3, 0.2 }, density = 600, material = "oak",
                     at = { 0.5, 0, 0.1 }, rotation = { axis = { 0, 0, 1 }, angle = 0.3 }, velocity = { 0, 0.5, 0 } }
local tetra = body { "tetra", shape = convex { {0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2} }, density = 100, at = { 0, 0, 1 } }
local peanut = body { "peanut", shape = compound { { sphere { 0.1 } }, { sphere { 0.1 }, at = { 0.15, 0, 0 } } }, density = 100, at = { 0, 0.5, 0.5 } }
local pill = body { "pill", shape = capsule { radius = 0.05, length = 0.2 }, mass = 1, at = { -0.5, 0, 0.5 }, spin = { 0, 1, 0 } }
fixed { "hill", shape = heightfield { dx = 1, dy = 1, { 0, 0, 0 }, { 0, 0.2, 0 }, { 0, 0, 0 } }, at = { -5, -5, -2 } }
fixed { "mesh", shape = mesh { points = { {-9,-9,-3}, {9,-9,-3}, {0,9,-3} }, triangles = { {1, 2, 3} } } }
crate:pass(tetra)
force  { crate, { 0.1, 0, 0 }, at = crate:point { 0, 0, 0.1 } }
torque { crate, { 0, 0, -0.1 * crate.wz } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.3 }
local p = crate:point { 0.2, 0, 0 }
measure   { distance = hypot(crate.x, crate.y), slides = maximum(crate:speed()), impulse = total(impulse(crate, disc1)),
            touched = fraction(touching(crate, disc1)), hits = count(impact(tetra)), e = crate:kinetic(), px = p.x, pz = p[3] }
plot { "scene", equal = true, scene { every = 0.1, view = { 20, 20 } } }
"""
)
def bodies_in_space(m):
    omega = m.param("omega", 1, unit="rad/s")
    m.world(gravity=(0, 0, -9.81))
    m.pair(friction=0.5, restitution=0)
    m.pair("steel", "oak", friction=0.4, restitution=0.1, rolling=1e-3, torsion=5e-4)
    disc1 = m.driven("table", shape=m.cylinder(radius=1, height=0.1), at=(0, 0, -0.05), spin=(0, 0, omega), material="steel")
    crate = m.body("crate", shape=m.box(0.4, 0.3, 0.2), density=600, material="oak", at=(0.5, 0, 0.1),
                   rotation=dict(axis=(0, 0, 1), angle=0.3), velocity=(0, 0.5, 0))  # fmt: skip
    tetra = m.body("tetra", shape=m.convex([(0, 0, 0), (0.2, 0, 0), (0, 0.2, 0), (0, 0, 0.2)]), density=100, at=(0, 0, 1))
    m.body("peanut", shape=m.compound(m.part(m.sphere(0.1)), m.part(m.sphere(0.1), at=(0.15, 0, 0))), density=100, at=(0, 0.5, 0.5))
    m.body("pill", shape=m.capsule(radius=0.05, length=0.2), mass=1, at=(-0.5, 0, 0.5), spin=(0, 1, 0))
    m.fixed("hill", shape=m.heightfield([0, 0, 0], [0, 0.2, 0], [0, 0, 0], dx=1, dy=1), at=(-5, -5, -2))
    m.fixed("mesh", shape=m.mesh(points=[(-9, -9, -3), (9, -9, -3), (0, 9, -3)], triangles=[(1, 2, 3)]))
    crate.pass_(tetra)
    m.force(crate, [0.1, 0, 0], at=crate.point(0, 0, 0.1))
    m.torque(crate, [0, 0, -0.1 * crate.wz])
    m.integrate(scheme="moreau-jean", h=1e-3, until=0.3)
    p = crate.point(0.2, 0, 0)
    m.measure(distance=np.hypot(crate.x, crate.y), slides=m.maximum(crate.speed()), impulse=m.total(m.impulse(crate, disc1)),
              touched=m.fraction(m.touching(crate, disc1)), hits=m.count(m.impact(tetra)), e=crate.kinetic(), px=p.x, pz=p[2])  # fmt: skip
    m.plot("scene", m.scene(every=0.1, view=(20, 20)), equal=True)


@case(
    """
world { gravity = { 0, -9.81 } }
pair  { friction = 0.4, restitution = 0.2 }
local frame = fixed { "frame", shape = plane { normal = { 0, 1 }, offset = 0 } }
local bowl  = fixed { "bowl", shape = polyline { { 2, 1 }, { 2.4, 0 }, { 3, 1 } } }
local r, l  = 0.1, 0.4
local crank = body { "crank", shape = box { r, 0.02 }, density = 500, at = { r / 2, 0.5 } }
local rod   = body { "rod", shape = box { l, 0.02 }, density = 500, at = { r + l / 2, 0.5 } }
local sled  = body { "sled", shape = polygon { { -0.1, -0.03 }, { 0.1, -0.03 }, { 0.1, 0.03 }, { -0.1, 0.03 } }, density = 500, at = { r + l + 0.1, 0.5 } }
local main  = hinge { "main", frame, crank, at = { 0, 0.5 }, motor = { speed = 20, torque = 40 }, limits = { -9, 9, restitution = 0.5 } }
hinge  { "crankpin", crank, rod, at = { r, 0.5 }, spring = { stiffness = 1, rest = 0 }, damper = 0.01 }
hinge  { "wristpin", rod, sled, at = { r + l, 0.5 } }
local guide = slider { "guide", frame, sled, at = { r + l, 0.5 }, axis = { 1, 0 } }
local a = body { "a", mass = 1, inertia = 1, at = { 4, 3 } }
local b = body { "b", mass = 1, inertia = 1, at = { 5, 3 } }
local c = body { "c", mass = 1, inertia = 1, at = { 6, 3 } }
weld { "seam", a, b, at = { 4.5, 3 } }
distance { "link", b, c, from = { 5, 3 }, to = { 6, 3 } }
crank:pass(sled)
integrate { scheme = "moreau-jean", h = 5e-4, until_t = 0.3 }
record    { way = guide.way, angle = main.angle }
measure   { speed = dot(main.angle), off = first(impact(sled, frame)), pull = maximum(abs(reaction("wristpin", 1))) }
"""
)
def machine_in_the_plane(m):
    m.world(gravity=(0, -9.81))
    m.pair(friction=0.4, restitution=0.2)
    frame = m.fixed("frame", shape=m.plane(normal=(0, 1), offset=0))
    m.fixed("bowl", shape=m.polyline((2, 1), (2.4, 0), (3, 1)))
    r, l = 0.1, 0.4
    crank = m.body("crank", shape=m.box(r, 0.02), density=500, at=(r / 2, 0.5))
    rod = m.body("rod", shape=m.box(l, 0.02), density=500, at=(r + l / 2, 0.5))
    sled = m.body("sled", shape=m.polygon((-0.1, -0.03), (0.1, -0.03), (0.1, 0.03), (-0.1, 0.03)), density=500, at=(r + l + 0.1, 0.5))
    main = m.hinge("main", frame, crank, at=(0, 0.5), motor=dict(speed=20, torque=40), limits=m.table(-9, 9, restitution=0.5))
    m.hinge("crankpin", crank, rod, at=(r, 0.5), spring=dict(stiffness=1, rest=0), damper=0.01)
    m.hinge("wristpin", rod, sled, at=(r + l, 0.5))
    guide = m.slider("guide", frame, sled, at=(r + l, 0.5), axis=(1, 0))
    a, b, c = (m.body(name, mass=1, inertia=1, at=(x, 3)) for name, x in (("a", 4), ("b", 5), ("c", 6)))
    m.weld("seam", a, b, at=(4.5, 3))
    m.distance("link", b, c, from_=(5, 3), to=(6, 3))
    crank.pass_(sled)
    m.integrate(scheme="moreau-jean", h=5e-4, until=0.3)
    m.record(way=guide.way, angle=main.angle)
    m.measure(speed=m.dot(main.angle), off=m.first(m.impact(sled, frame)), pull=m.maximum(abs(m.reaction("wristpin", 1))))


@case(
    """
world { gravity = { 0, 0, -9.81 } }
local g = fixed { "g" }
local a = body { "a", mass = 1, inertia = { 1, 1, 1 }, at = { 1, 0, 0 } }
local b = body { "b", mass = 1, inertia = { 1, 1, 1 }, at = { 2, 0, 0 } }
local c = body { "c", mass = 1, inertia = { 1, 1, 1 }, at = { 3, 0, 0 } }
local d = body { "d", mass = 1, inertia = { 1, 1, 1 }, at = { 0, 3, 0 } }
ball { "tip", g, a, at = { 0, 0, 0 } }
universal { "cardan", a, b, at = { 1.5, 0, 0 }, axis = { 0, 1, 0 }, axis2 = { 0, 0, 1 } }
hinge { "pin", b, c, at = { 2.5, 0, 0 }, axis = { 0, 1, 0 } }
local sleeve = cylindrical { "sleeve", g, d, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
force { d, { 0, 1, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.2 }
measure { z = c.z, way = sleeve.way, angle = sleeve.angle }
"""
)
def machine_in_space(m):
    m.world(gravity=(0, 0, -9.81))
    g = m.fixed("g")
    a, b, c, d = (m.body(n, mass=1, inertia=(1, 1, 1), at=p) for n, p in
                  (("a", (1, 0, 0)), ("b", (2, 0, 0)), ("c", (3, 0, 0)), ("d", (0, 3, 0))))  # fmt: skip
    m.ball("tip", g, a, at=(0, 0, 0))
    m.universal("cardan", a, b, at=(1.5, 0, 0), axis=(0, 1, 0), axis2=(0, 0, 1))
    m.hinge("pin", b, c, at=(2.5, 0, 0), axis=(0, 1, 0))
    sleeve = m.cylindrical("sleeve", g, d, at=(0, 0, 0), axis=(0, 1, 0))
    m.force(d, (0, 1, 0))
    m.integrate(scheme="moreau-jean", h=1e-3, until=0.2)
    m.measure(z=c.z, way=sleeve.way, angle=sleeve.angle)


@case(
    """
local c = chain { balls = 5, spacing = 0.01, radius = 0.02, mass = 0.1, restitution = 0.95 }
integrate { scheme = "event-driven", h = 1e-3, until_t = 0.2, impact_law = "lzb" }
local moreau = collide { masses = { 1, 1, 1, 1, 1 }, law = "moreau", restitution = 0.95 }
measure { last = c.v[5], spread = dispersion(c), away = velocity_gap(c, moreau.velocity), good = good_velocities(c, moreau.velocity),
          sum = c.x[1] + c.x[2], one = moreau.velocity[3], all = moreau.velocity }
plot { "velocities", xlabel = "ball", values { c.v, label = "lzb" }, values { moreau.velocity, label = "moreau" } }
"""
)
def chain_and_study(m):
    c = m.chain(balls=5, spacing=0.01, radius=0.02, mass=0.1, restitution=0.95)
    m.integrate(scheme="event-driven", h=1e-3, until=0.2, impact_law="lzb")
    moreau = m.collide(masses=[1, 1, 1, 1, 1], law="moreau", restitution=0.95)
    m.measure(last=c.v[-1], spread=m.dispersion(c), away=m.velocity_gap(c, moreau.velocity), good=m.good_velocities(c, moreau.velocity),
              sum=c.x[0] + c.x[1], one=moreau.velocity[2], all=moreau.velocity)  # fmt: skip
    m.plot("velocities", m.values(c.v, label="lzb"), m.values(moreau.velocity, label="moreau"), xlabel="ball")


@case(
    """
local s = drill_string { J = { 0.064, 0.708, 0.708, 2.845 }, k = { 0.63, 1.799, 1.097 }, d = 0.002,
                         Tw = { 2.297, 3.038, 0.662 }, bit = { Ts = 1.232, Td = 0.272, Nd = 0.5 } }
local u = soft_torque { s, ct = 2.93, kt = 1.87, rpm = 5.5, feedforward = s.torque(5.5) }
initial(s.on_set_point(5.5, 0.3))
integrate { scheme = "dai-theta", h = 1e-3, until_t = 5 }
measure { sticks = fraction(sticking "bit"), fastest = maximum(s.bit), drive = u, angle = s.angle[2], part = s.bit_torque(5) }
"""
)
def drill_string(m):
    s = m.drill_string(J=[0.064, 0.708, 0.708, 2.845], k=[0.63, 1.799, 1.097], d=0.002, Tw=[2.297, 3.038, 0.662],
                       bit=dict(Ts=1.232, Td=0.272, Nd=0.5))  # fmt: skip
    u = m.soft_torque(s, ct=2.93, kt=1.87, rpm=5.5, feedforward=s.torque(5.5))
    m.initial(s.on_set_point(5.5, 0.3))
    m.integrate(scheme="dai-theta", h=1e-3, until=5)
    m.measure(sticks=m.fraction(m.sticking("bit")), fastest=m.maximum(s.bit), drive=u, angle=s.angle[1], part=s.bit_torque(5))


@case(
    """
local T = param { "T", 4.4, min = 0 }
local mode = impact_mode { n = 2, T = T }
local extra = compute(function()
  local largest = 0
  for i = 1, #mode.u do largest = max(largest, abs(mode.u[i])) end
  return { largest = largest, points = { { 1, mode.u[1] }, { 2, mode.u[2] } } }
end)
local twice = compute(function() return { T = 2 * T } end)
local chain = bar_chain { masses = 2, u = mode.u, v = mode.v }
integrate { scheme = "event-driven", h = T / 400, until_t = 1.99 * T }
measure { energy = mode.energy, largest = extra.largest, T2 = twice.T, returns = at(chain.tip, T), u1 = chain.u[1] }
plot { "mode", xlabel = "mass", ylabel = "u", curve { extra.points } }
"""
)
def studies(m):
    T = m.param("T", 4.4, min=0)
    mode = m.impact_mode(n=2, T=T)
    extra = m.compute("""
      local largest = 0
      for i = 1, #mode.u do largest = max(largest, abs(mode.u[i])) end
      return { largest = largest, points = { { 1, mode.u[1] }, { 2, mode.u[2] } } }
    """, mode=mode)  # fmt: skip
    twice = m.compute(lambda: {"T": 2 * T})
    chain = m.bar_chain(masses=2, u=mode.u, v=mode.v)
    m.integrate(scheme="event-driven", h=T / 400, until=1.99 * T)
    m.measure(energy=mode.energy, largest=extra.largest, T2=twice.T, returns=m.at(chain.tip, T), u1=chain.u[0])
    m.plot("mode", m.curve(extra.points), xlabel="mass", ylabel="u")


@case(
    """
local r = ring { p = 4, gamma = 0.1, y = { 1, 0, 0.5, 0 }, v = particle_list "0,1,0,2" }
integrate { scheme = "event-driven", h = 0.01, until_t = 3 }
measure { a = r.y[1] }
"""
)
def ring(m):
    r = m.ring(p=4, gamma=0.1, y=[1, 0, 0.5, 0], v=m.particle_list("0,1,0,2"))
    m.integrate(scheme="event-driven", h=0.01, until=3)
    m.measure(a=r.y[0])


@case(
    """
local s = energy_sink { values = { eps = 0.01, w1 = 1, a0 = 0.1, alpha0 = 0.1, beta = 0.1, sigma = 0, lam = 0.2, gamma = 1, f0 = 0.5 }, x = 1, y = 0.5 }
integrate { scheme = "dai-theta", h = 1e-2, until_t = 5 }
measure { n1 = maximum(s.n1), x = s.x }
"""
)
def energy_sink(m):
    s = m.energy_sink(values=dict(eps=0.01, w1=1, a0=0.1, alpha0=0.1, beta=0.1, sigma=0, lam=0.2, gamma=1, f0=0.5), x=1, y=0.5)
    m.integrate(scheme="dai-theta", h=1e-2, until=5)
    m.measure(n1=m.maximum(s.n1), x=s.x)


@case(
    """
local n = setting { "n", 4, integer = true, min = 1 }
local k = param { "k", 100 }
local q = coordinates { "q1", "q2", "q3" }
for i = 1, 3 do kinetic(dot(q[i])^2 / 2) end
for i = 1, n do potential(k * (q[1] - i)^2 / 2) end
contact { "pair", gap = q[2] - q[1] + 1 }
initial { [q[1]] = 0.5 }
integrate { h = 1e-3, until_t = 0.1 }
measure { all = { q[1], q[2], q[3] } }
"""
)
def lists_and_lua(m):
    n = m.setting("n", 4, integer=True, min=1)
    k = m.param("k", 100)
    q = m.coordinates(["q1", "q2", "q3"])
    for symbol in q:
        m.kinetic(m.dot(symbol) ** 2 / 2)
    m.lua("for i = 1, n do potential(k * (x - i)^2 / 2) end", n=n, k=k, x=q[0])
    m.contact("pair", gap=q[1] - q[0] + 1)
    m.initial({q[0]: 0.5})
    m.integrate(h=1e-3, until=0.1)
    m.measure(all=q)
