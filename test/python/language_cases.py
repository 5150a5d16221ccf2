"""Models in Lua and the same in Python: parameters, expressions, contacts, records, measures, plots, drawing."""

import numpy as np

CASES = {}


def case(lua):
    def add(build):
        CASES[build.__name__] = (lua, build)
        return build

    return add


BALL = """
local x, y = coordinates("x", "y")
mass      (1)
potential (9.81 * y)
contact   { "floor", gap = y, slip = dot(x), friction = 0.3, restitution = 0.5 }
initial   { y = 1, [dot(x)] = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1.5 }
"""


def ball(m):
    x, y = m.coordinates("x", "y")
    m.mass(1)
    m.potential(9.81 * y)
    m.contact("floor", gap=y, slip=m.dot(x), friction=0.3, restitution=0.5)
    m.initial(y=1, v={"x": 1})
    m.integrate(scheme="moreau-jean", h=1e-3, until=1.5)
    return x, y


@case(
    BALL
    + """
local turn = atan2(y - 1, x)
record { speed = hypot(dot(x), dot(y)), push = impulse "floor", rub = impulse("floor", 1), lifted = gap "floor", down = acceleration(y) }
measure {
  y_end = y, list = { x, y }, none = false, top = maximum(y, { from = 0.5 }), low = minimum(y), mean_x = mean(x, { from = 0.5, to = 1.5 }),
  size = rms(x), swing = deviation(x), pushed = total(impulse "floor"), final_x = final(x), samples = at(x, { 0.1, 0.2, 0.5 }),
  steady = at(unwrap(turn), every(0.25), { from = 1 }), one = at(x, 0.3), passes = crossings(x - 0.2), tops = peaks(y),
  switches = jumps(dot(y), { low = -1, high = 1, over = 0.05 }), landings = count(impact "floor"), hits = times(impact()),
  first_hit = first(impact "floor"), last_hit = last(impact "floor", { to = 1 }), rests = episodes(impact "floor", { apart = 0.1 }),
  begins = episode_times(touching "floor", { apart = 0.1 }), lifted = times(release()), at_rest = fraction(sticking "floor", { from = 1 }),
  touched = steps(touching()), step = first_step(touching "floor"), hit_at = at(x, first(impact "floor")),
}
"""
)
def measures(m):
    x, y = ball(m)
    turn = np.arctan2(y - 1, x)
    m.record(speed=np.hypot(m.dot(x), m.dot(y)), push=m.impulse("floor"), rub=m.impulse("floor", 1), lifted=m.gap("floor"),
             down=m.acceleration(y))  # fmt: skip
    m.measure(
        y_end=y, list=[x, y], none=False, top=m.maximum(y, from_=0.5), low=m.minimum(y), mean_x=m.mean(x, from_=0.5, to=1.5),
        size=m.rms(x), swing=m.deviation(x), pushed=m.total(m.impulse("floor")), final_x=m.final(x), samples=m.at(x, [0.1, 0.2, 0.5]),
        steady=m.at(m.unwrap(turn), m.every(0.25), from_=1), one=m.at(x, 0.3), passes=m.crossings(x - 0.2), tops=m.peaks(y),
        switches=m.jumps(m.dot(y), low=-1, high=1, over=0.05), landings=m.count("floor"), hits=m.times(),
        first_hit=m.first(m.impact("floor")), last_hit=m.last("floor", to=1), rests=m.episodes("floor", apart=0.1),
        begins=m.episode_times(m.touching("floor"), apart=0.1), lifted=m.times(m.release()), at_rest=m.fraction(m.sticking("floor"), from_=1),
        touched=m.steps(m.touching()), step=m.first_step(m.touching("floor")), hit_at=m.at(x, m.first("floor")),
    )  # fmt: skip


@case(
    BALL
    + """
plot { "height", x = time(), y = y }
plot { "both", x = time(), y = { x, y }, every = 0.01, title = "with \\\\theta" }
plot { "path", title = "Path", xlabel = "x", ylabel = "y", equal = true,
  outline { {-1, 0}, {3, 0}, label = "floor" }, line { x, y, label = "ball" }, points { x, y, every = 0.1, numbered = true },
  segments { 0, 0, x, y, every = 0.2, to = 1 }, circle { 0, 0, 2, style = "dashed" }, curve { { 0, 0 }, { 1, 0.5 }, label = "exact" } }
plot { "panels", columns = 2,
  panel { title = "position", xlabel = "t", line { x = time(), y = x, label = "x", smooth = 0.1 }, line { time(), y, marks = impact "floor" } },
  panel { title = "energy", xlabel = "t", yrange = { 0, 12 }, line { time(), energy(), marks = true } } }
plot { "values", values { { x, y }, label = "end" } }
"""
)
def plots(m):
    x, y = ball(m)
    m.plot("height", x=m.time(), y=y)
    m.plot("both", x=m.time(), y=[x, y], every=0.01, title="with \\theta")
    m.plot("path", m.outline((-1, 0), (3, 0), label="floor"), m.line(x, y, label="ball"), m.points(x, y, every=0.1, numbered=True),
           m.segments(0, 0, x, y, every=0.2, to=1), m.circle(0, 0, 2, style="dashed"), m.curve([(0, 0), (1, 0.5)], label="exact"),
           title="Path", xlabel="x", ylabel="y", equal=True)  # fmt: skip
    m.plot("panels", m.panel(m.line(x=m.time(), y=x, label="x", smooth=0.1), m.line(m.time(), y, marks=m.impact("floor")),
                             title="position", xlabel="t"),
           m.panel(m.line(m.time(), m.energy(), marks=True), title="energy", xlabel="t", yrange=[0, 12]), columns=2)  # fmt: skip
    m.plot("values", m.values([x, y], label="end"))


@case(
    BALL
    + """
draw { disc(x, y + 0.1, 0.1, { name = "ball" }), disc(x, y, 0.1, dot(x), { colour = "#d55e00" }), path { x, y + 0.1 },
       wall { { -1, 0 }, { 3, 0 } }, wall(arc(0, 0, 3)), wall(arc(0, 0, 3, 0, 1)), touch("floor", { x, 0 }, { 0, 1 }),
       arrow({ x, y + 0.1 }, { dot(x), dot(y) }, { scale = 0.1 }), segment({ 0, 3 }, { x, y }, { dashed = true }), spring({ 0, 3 }, { x, y }),
       damper({ 0.1, 3 }, { x, y }), rod({ 0, 0 }, { x, y }, 0.05), text({ 0, 1 }, "pivot"), pin({ 0, 1 }),
       polygon { { x, y }, { x + 1, y }, { x, y + 1 }, fill = false }, deformed { { 0, 0 }, { 1, x }, { 2, y }, exaggerate = true } }
"""
)
def drawing(m):
    x, y = ball(m)
    m.draw(m.disc(x, y + 0.1, 0.1, name="ball"), m.disc(x, y, 0.1, m.dot(x), colour="#d55e00"), m.path((x, y + 0.1)),
           m.wall((-1, 0), (3, 0)), m.wall(m.arc(0, 0, 3)), m.wall(m.arc(0, 0, 3, 0, 1)), m.touch("floor", (x, 0), (0, 1)),
           m.arrow((x, y + 0.1), m.dot([x, y]), scale=0.1), m.segment((0, 3), (x, y), dashed=True), m.spring((0, 3), (x, y)),
           m.damper((0.1, 3), (x, y)), m.rod((0, 0), (x, y), 0.05), m.text_((0, 1), "pivot"), m.pin((0, 1)),
           m.polygon((x, y), (x + 1, y), (x, y + 1), fill=False), m.deformed((0, 0), (1, x), (2, y), exaggerate=True))  # fmt: skip


@case(
    """
experiment { title = "mass on a belt", source = "a lecture, 2024", doc = [[Several
lines]] }
local wind = param { "wind", 0, unit = "N", doc = "of the storm" }
local n = setting { "n", 3, integer = true, min = 1 }
local law = setting { "law", "cubic", choices = { "linear", "cubic" } }
local x, y = coordinates("x", "y")
local pull = input { "pull", 0.5, unit = "N", min = -1, max = 1 }
force { x = pull }
kinetic(dot(x)^2 / 2)
kinetic(dot(y)^2 / 2)
potential(law == "cubic" and x^4 / 4 or x^2 / 2)
potential(9.81 * y * (n // 2))
force { x = wind - 0.1 * dot(x), [y] = -0.1 * dot(y) }
contact { "floor", gap = y }
initial { x = n / 4, y = 0.5, [dot(x)] = wind + 1, gap_tolerance = 1e-3 }
stop { "far", when = x - 3 }
stop { when = time() - 0.9 }
variant { "storm", doc = "wind against the throw", wind = -4 }
variant { "compare", family = { wind = { -4, 0, 4 } } }
family { wind = { 1, 2 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1, solver = "NSGS-EXACT", omega = 1.2, tolerance = 1e-8, from_t = 0.1 }
"""
)
def parameters(m):
    m.experiment(title="mass on a belt", source="a lecture, 2024", doc="Several\nlines")
    wind = m.param("wind", 0, unit="N", doc="of the storm")
    n = m.setting("n", 3, integer=True, min=1)
    law = m.setting("law", "cubic", choices=["linear", "cubic"])
    x, y = m.coordinates("x", "y")
    pull = m.input("pull", 0.5, unit="N", min=-1, max=1)
    m.force(x=pull)
    m.kinetic(m.dot(x) ** 2 / 2)
    m.kinetic(m.dot(y) ** 2 / 2)
    m.potential(m.select(law == "cubic", x**4 / 4, x**2 / 2))
    m.potential(9.81 * y * (n // 2))
    m.force({"x": wind - 0.1 * m.dot(x), y: -0.1 * m.dot(y)})
    m.contact("floor", gap=y)
    m.initial(x=n / 4, y=0.5, v={x: wind + 1}, gap_tolerance=1e-3)
    m.stop("far", when=x - 3)
    m.stop(when=m.time() - 0.9)
    m.variant("storm", doc="wind against the throw", wind=-4)
    m.variant("compare", family={"wind": [-4, 0, 4]})
    m.family(wind=np.array([1, 2]))
    m.integrate(scheme="moreau-jean", h=1e-3, until=1, solver="NSGS-EXACT", omega=1.2, tolerance=1e-8, from_=0.1)


@case(
    """
local push = table_of { { 0, 0.1, 0.4, 0.5 }, { 0, 3, 3, 0 } }
local beat = table_of { { 0, 0.1, 0.3, 0.2 }, step = 0.5, outside = "zero" }
local hill = table_of { { -1, 0.5, 2, 4 }, { 0, 0.1, 0.3, 0 }, smooth = true }
local x, y = coordinates("x", "y")
mass { { 2, 0.1 }, { 0.1, 1 } }
potential(9.81 * y)
force   { x = push(time()), y = beat(time()) }
contact { "hill", gap = y - hill(x) }
initial { y = 1 }
integrate { h = 1e-3, until_t = 2 * push.to }
measure { given = push:integral(time()), twice = push:integral(time(), 2), slope = hill:derivative(x), reach = maximum(x, { to = push.to }) }
"""
)
def data(m):
    push = m.table_of([0, 0.1, 0.4, 0.5], [0, 3, 3, 0])
    beat = m.table_of([0, 0.1, 0.3, 0.2], step=0.5, outside="zero")
    hill = m.table_of(np.array([-1, 0.5, 2, 4]), [0, 0.1, 0.3, 0], smooth=True)
    x, y = m.coordinates("x", "y")
    m.mass(np.array([[2, 0.1], [0.1, 1]]))
    m.potential(9.81 * y)
    m.force(x=push(m.time()), y=beat(m.time()))
    m.contact("hill", gap=y - hill(x))
    m.initial(y=1)
    m.integrate(h=1e-3, until=2 * push.end)
    m.measure(given=push.integral(m.time()), twice=push.integral(m.time(), 2), slope=hill.derivative(x), reach=m.maximum(x, to=push.end))


@case(
    """
local x, y, z = coordinates("x", "y", "z")
mass { x = 1, y = 1, z = 2 }
potential(9.81 * z)
contact { "table", gap = z, slip = { dot(x), dot(y) }, friction = { static = 0.6, dynamic = { ellipse = { 0.5, 0.25 }, axes = 0.3 } } }
contact { "other", gap = z + 1, slip = { dot(x), dot(y) }, friction = { polygon = { { 0.5, 0 }, { 0, 0.3 }, { -0.2, 0 }, { 0, -0.3 } } } }
initial { [dot(x)] = 2, [dot(y)] = 1 }
integrate { h = 1e-3, until_t = 0.5 }
measure { x = x, y = y }
"""
)
def friction_laws(m):
    x, y, z = m.coordinates("x", "y", "z")
    m.mass(x=1, y=1, z=2)
    m.potential(9.81 * z)
    m.contact("table", gap=z, slip=[m.dot(x), m.dot(y)], friction=dict(static=0.6, dynamic=dict(ellipse=[0.5, 0.25], axes=0.3)))
    m.contact("other", gap=z + 1, slip=[m.dot(x), m.dot(y)], friction=dict(polygon=[(0.5, 0), (0, 0.3), (-0.2, 0), (0, -0.3)]))
    m.initial({m.dot(x): 2, m.dot(y): 1})
    m.integrate(h=1e-3, until=0.5)
    m.measure(x=x, y=y)


@case(
    """
local x, y, s = coordinates("x", "y", "s")
mass { x = 1, y = 1, s = 3 }
potential(9.81 * y)
contact { "wedge", level = 4*y - 3*(x - s), point = { x, y }, surface = { dot(s), 0 }, friction = 0.2 }
contact { "floor", gap = y + 10, slip = dot(x), friction = 0.2, distance = true }
initial { y = 0.1 }
integrate { h = 1e-3, until_t = 0.5 }
measure { x = x, s = s, gap = minimum(gap "wedge") }
"""
)
def levels(m):
    x, y, s = m.coordinates("x", "y", "s")
    m.mass(x=1, y=1, s=3)
    m.potential(9.81 * y)
    m.contact("wedge", level=4 * y - 3 * (x - s), point=(x, y), surface=(m.dot(s), 0), friction=0.2)
    m.contact("floor", gap=y + 10, slip=m.dot(x), friction=0.2, distance=True)
    m.initial(y=0.1)
    m.integrate(h=1e-3, until=0.5)
    m.measure(x=x, s=s, gap=m.minimum(m.gap("wedge")))


@case(
    """
local x, z = coordinates("x", "z")
mass  { x = 1 }
joint { "g", z - x^3 / 3 }
force { x = -x - 0.1 * z }
friction_force { "dry", slip = dot(x), bound = 0.1, static = 0.2, decay = 2 }
initial   { x = 1.05, z = 1.05^3 / 3 }
integrate { scheme = "dai-theta", h = 1e-3, until_t = 5 }
measure   { rests = fraction(sticking "dry") }
"""
)
def friction_force(m):
    x, z = m.coordinates("x", "z")
    m.mass(x=1)
    m.joint("g", z - x**3 / 3)
    m.force(x=-x - 0.1 * z)
    m.friction_force("dry", slip=m.dot(x), bound=0.1, static=0.2, decay=2)
    m.initial(x=1.05, z=1.05**3 / 3)
    m.integrate(scheme="dai-theta", h=1e-3, until=5)
    m.measure(rests=m.fraction(m.sticking("dry")))


@case(
    """
local x, y = coordinates("x", "y")
local m, l, g = 3, 2, 9.81
mass(m)
potential(m * g * y)
joint     { "rod", hypot(x, y) - l }
initial   { x = l * sin(1), y = -l * cos(1) }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 1 }
local pull = -m * g * y / l + m * (dot(x)^2 + dot(y)^2) / l
record    { rod = reaction "rod", down = acceleration(y) }
measure   { strongest = minimum(reaction "rod"), wrong = maximum(abs(reaction "rod" + pull)) }
plot      { "rod", x = time(), y = { reaction "rod", -pull } }
"""
)
def joint_and_reaction(model):
    x, y = model.coordinates("x", "y")
    m, l, g = 3, 2, 9.81
    model.mass(m)
    model.potential(m * g * y)
    model.joint("rod", np.hypot(x, y) - l)
    model.initial(x=l * model.sin(1), y=-l * model.cos(1))
    model.integrate(scheme="generalized-alpha", h=1e-3, until=1)
    pull = -m * g * y / l + m * (model.dot(x) ** 2 + model.dot(y) ** 2) / l
    model.record(rod=model.reaction("rod"), down=model.acceleration(y))
    model.measure(strongest=model.minimum(model.reaction("rod")), wrong=model.maximum(abs(model.reaction("rod") + pull)))
    model.plot("rod", x=model.time(), y=[model.reaction("rod"), -pull])
