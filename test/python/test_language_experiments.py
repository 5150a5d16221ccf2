"""Published experiments rewritten in Python: the numbers are those of the files, to the last digit."""

import numpy as np
import pytest
from language_program import ROOT, builder, run, run_file

EXPERIMENTS = ROOT / "experiments"


def trial_04(m):
    """One constraint, elastic; family, measures, plots, drawing."""
    m.experiment(title="particle inside a circle by ELAST: angle, violation and energy (plate 5)")
    h = m.param("h", 0.005, unit="s", doc="time step", min=1e-9)
    omega0 = m.param("omega0", np.sqrt(200), unit="rad/s", doc="initial angular velocity")
    av = m.param("av", 0, doc="anticipation coefficient of the tangent cone", min=-2, max=2)
    R, gravity = 40, 1000
    x, y = m.coordinates("x", "y")
    m.kinetic((m.dot(x) ** 2 + m.dot(y) ** 2) / 2)
    m.potential(gravity * y)
    m.contact("wall", gap=R**2 - x**2 - y**2)
    m.initial({"x": 0, "y": -R, m.dot(x): R * omega0})
    m.integrate(scheme="elast", h=h, until=1, av=av)
    angle = np.arctan2(x, -y)
    violation = 1e6 * (np.hypot(x, y) - R) / R
    initial_kinetic = R**2 * omega0**2 / 2
    change = (m.energy() - (initial_kinetic - gravity * R)) / initial_kinetic
    m.record(violation=violation, energy_change=change)
    m.measure(
        theta=m.at(m.unwrap(angle), m.every(0.1)),
        violation=m.at(violation, m.every(0.1)),
        energy_change=m.at(change, m.every(0.1)),
        mean_violation=m.mean(abs(violation)),
        rms_violation=m.rms(violation),
    )
    m.family(av=[-0.02, -0.01, 0, 0.01, 0.02])
    m.plot(
        "trial-04",
        m.panel(m.circle(0, 0, R), m.line(x, y), m.points(x, y, every=0.1, numbered=True),
                title="path", xlabel="x", ylabel="y", equal=True),
        m.panel(m.line(m.time(), violation, family=True), title="violation of the wall", xlabel="t", ylabel="violation (1e-6 R)"),
        columns=2, title="Trial 4: particle inside a circle, scheme elast",
    )  # fmt: skip
    r = np.hypot(x, y)
    m.draw(m.disc(x, y, 2.5, name="particle"), m.path((x, y)), m.wall(m.arc(0, 0, R)), m.touch("wall", (x, y), (-x / r, -y / r)))


def trial_09(m):
    """Static and dynamic friction in a moving frame; vectors are arrays of symbols."""
    rho = m.param("rho", 5, unit="cm", min=0)
    freq = m.param("freq", 3.183099, unit="Hz", min=1e-9)
    mu_s = m.param("mu_s", 0.6, min=0)
    mu_d = m.param("mu_d", 0.4, min=0)
    N = m.param("steps_per_period", 100, min=2, integer=True)
    J = m.param("start_phase", 0, min=0, integer=True)
    periods = m.param("periods", 40, min=1e-3)
    x0 = m.param("x0", 0, unit="cm")
    y0 = m.param("y0", 0, unit="cm")
    sense = m.param("sense", -1, min=-1, max=1, integer=True)
    oc_y = m.param("oc_y", 0, unit="cm")
    phase = m.param("phase", 0, unit="rad")
    A = np.array([m.param(name, 0, unit="rad", doc="rotation vector A") for name in ("Ax", "Ay", "Az")])
    gx = m.param("gx", 0, unit="cm/s^2")
    gz = m.param("gz", -981, unit="cm/s^2")
    m.variant("plate-11", doc="circular translation")
    m.variant("plate-12", doc="oscillating rotation", rho=0, freq=10, mu_s=0.4, mu_d=0.4, steps_per_period=26, start_phase=6,
              periods=15, x0=1.5, y0=-12, Ay=-0.04, Az=0.04, family={"y0": range(-12, 0)})  # fmt: skip
    conveyor = dict(rho=0, freq=10, mu_s=0.4, mu_d=0.4, steps_per_period=50, periods=50, x0=0, y0=5, oc_y=0.5, Ax=0.01,
                    gx=220.677, gz=-955.8571, family={"y0": [5 + i * 125 / 9 for i in range(10)]})  # fmt: skip
    m.variant("plate-13", doc="inclined conveyor", sense=-1, **conveyor)
    m.variant("plate-13-lower", doc="the other way", sense=1, **conveyor)

    x, y, z = m.coordinates("x", "y", "z")
    q, u = np.array([x, y, z]), m.dot(np.array([x, y, z]))

    def cross(a, b):
        return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])

    w = 2 * np.pi * freq
    C, S = np.cos(w * m.time()), np.sin(w * m.time())
    Cp, Sp = np.cos(w * m.time() + phase), np.sin(w * m.time() + phase)
    amplitude = np.sqrt(A @ A)
    axis = 1 / np.maximum(amplitude, 1e-300) * A
    angle = amplitude * S
    omega, omega_rate = w * C * A, -(w**2) * S * A
    origin_acceleration = [-(w**2) * rho * Cp, -(w**2) * (sense * oc_y * Cp + rho * Sp), 0]
    g = np.array([gx, 0, gz]) + -1 * np.array(origin_acceleration)
    g_table = (m.cos(angle) * g + -np.sin(angle) * cross(axis, g)) + (axis @ g) * (1 - np.cos(angle)) * axis
    Q = (g_table + -1 * cross(omega_rate, q)) + (-1 * cross(omega, cross(omega, q)) + -2 * cross(omega, u))
    m.mass(1)
    m.force(x=Q[0], y=Q[1], z=Q[2])
    m.contact("table", gap=z, slip=[m.dot(x), m.dot(y)], friction={"static": mu_s, "dynamic": mu_d})
    m.initial(x=x0, y=y0)
    h, period = 1 / (N * freq), 1 / freq
    start = J * h
    m.integrate(scheme="moreau-friction", h=h, from_=start, until=start + periods * period)
    speed = np.hypot(m.dot(x), m.dot(y))
    last = dict(from_=start + (periods - 1) * period + h / 2)
    m.record(speed=speed)
    m.measure(
        radius=m.deviation(np.sqrt(2) * x, **last),
        speed=m.mean(speed, **last),
        centre_x=m.mean(x, **last),
        centre_y=m.mean(y, **last),
        x=m.at(x, [start + period, start + 5 * period, start + periods * period]),
        y=m.at(y, [start + period, start + 5 * period, start + periods * period]),
        z_max=m.maximum(z),
        contact_fraction=m.fraction(m.touching("table")),
        stick_fraction=m.fraction(m.sticking("table")),
    )


def four_bar(m):
    """A closed loop of bodies and pins with a stop."""
    a = m.param("a", 1, unit="m", doc="crank", min=1e-9)
    b = m.param("b", 3.5, unit="m", doc="coupler", min=1e-9)
    c = m.param("c", 3, unit="m", doc="rocker", min=1e-9)
    d = m.param("d", 4, unit="m", doc="distance of the fixed pins", min=1e-9)
    mass = m.param("m", 1, unit="kg/m", doc="mass per length", min=1e-9)
    g = m.param("g", 9.81, unit="m/s^2", doc="gravity")
    e = m.param("e", 0.6, doc="restitution coefficient", min=0, max=1)
    wall_x = m.param("wall", 2.2, unit="m")
    phi0 = m.param("phi0", 1, unit="rad")
    w0 = m.param("w0", 6, unit="rad/s")
    h = m.param("h", 1e-3, unit="s", min=1e-9)
    rho_inf = m.param("rho_inf", 0.8, min=0, max=1)
    t_end = m.param("t_end", 3, unit="s")
    gate = m.param("gate", 1, integer=True, min=0, max=1)
    m.variant("free", doc="no wall in reach", wall=-10)

    px, py = a * m.cos(phi0), a * m.sin(phi0)
    f = m.hypot(d - px, py)
    phi3 = m.atan2(-py, d - px) + m.acos((f**2 + b**2 - c**2) / (2 * f * b))
    phi4 = m.atan2(py + b * m.sin(phi3), px + b * m.cos(phi3) - d)
    w3 = -a * w0 * m.sin(phi0 - phi4) / (b * m.sin(phi3 - phi4))
    w4 = a * w0 * m.sin(phi0 - phi3) / (c * m.sin(phi4 - phi3))

    def link(name, length, phi, omega, on, at):
        return m.body2d(name, mass=mass * length, inertia=mass * length**3 / 12, pinned=[(-length / 2, 0), on, at],
                        phi=phi, omega=omega, gravity=g)  # fmt: skip

    crank = link("crank", a, phi0, w0, m.ground, (0, 0))
    coupler = link("coupler", b, phi3, w3, crank, (a / 2, 0))
    rocker = link("rocker", c, phi4, w4, m.ground, (d, 0))
    m.revolute("A", crank, (-a / 2, 0), m.ground, (0, 0))
    m.revolute("B", crank, (a / 2, 0), coupler, (-b / 2, 0))
    m.revolute("C", coupler, (b / 2, 0), rocker, (c / 2, 0))
    m.revolute("D", rocker, (-c / 2, 0), m.ground, (d, 0))
    tip_x, tip_y = rocker.point(c / 2, 0)
    m.contact("stop", gap=tip_x - wall_x, restitution=e)
    m.integrate(scheme="generalized-alpha", h=h, until=t_end, rho_inf=rho_inf, gate=gate)
    bx, by = coupler.point(-b / 2, 0)
    cx, cy = coupler.point(b / 2, 0)
    ax, ay = crank.point(a / 2, 0)
    m.measure(
        drift=m.maximum(np.maximum(np.maximum(abs(ax - bx), abs(ay - by)), np.maximum(abs(cx - tip_x), abs(cy - tip_y)))),
        impact_times=m.times("stop"),
        crank_end=crank.phi,
        rocker_end=rocker.phi,
        deepest=m.minimum(m.gap("stop")),
        energy_end=m.energy(),
        energy_start=m.at(m.energy(), 0),
    )
    m.family(scheme=["generalized-alpha", "moreau-jean"])
    m.draw(m.wall((wall_x, 2.7), (wall_x, 2.1)), m.touch("stop", (tip_x, tip_y), (1, 0)), m.path((tip_x, tip_y)))


def convex_walls(m):
    """A beam between walls that are functions of Python; settings."""
    basis = m.setting("basis", "p3", choices=["p3", "bspline"])
    J = m.setting("J", 40, integer=True, max=100000)
    dt = m.param("dt", 1e-3, unit="s")
    beta = m.param("beta", 0.5)
    L = m.param("L", 10, unit="m")
    k2 = m.param("k2", 282.84, unit="m^4/s^2")
    freq = m.param("freq", 10, unit="rad/s")
    t_end = m.param("t_end", 1, unit="s")
    gap = m.param("gap", 0.005, unit="m")
    curvature = m.param("curvature", 0.03, unit="1/m")

    def wall(x):
        return gap + curvature * (x - L / 2) ** 2

    u = m.beam("u", length=L, elements=J, basis=basis, k2=k2, left="clamped", right="free",
               acceleration=lambda _, t: np.sin(freq * t),
               obstacles=[dict(lower=lambda x: -wall(x), upper=wall)])  # fmt: skip
    m.integrate(scheme="newmark-contact", h=dt, until=t_end, beta=beta)
    t, tip, mid = m.time(), u.at(L), u.at(L / 2)
    reaction = (u.impulse("lower") - u.impulse("upper")) / dt
    m.record(tip=tip, mid=mid, reaction=reaction, touching=u.touching(), E=2 * m.energy())
    times = [0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 1]
    m.measure(
        tip=tip,
        mid=mid,
        tip_at=m.at(tip, times),
        mid_at=m.at(mid, times),
        tip_amplitude=m.maximum(abs(tip)),
        max_reaction=m.maximum(abs(reaction)),
        first_contact=m.first(m.touching()),
        contact_steps=m.steps(m.touching()),
        penetration_lower=m.maximum(u.penetration("lower")),
        penetration_upper=m.maximum(u.penetration("upper")),
        energy=2 * m.energy(),
    )
    m.plot("shapes", m.profile(every=0.02, from_=0.42, to=0.78), m.outline(u.obstacle("lower")), m.outline(u.obstacle("upper")),
           title="Beam between convex walls", xlabel="x", ylabel="u", yrange=(-0.12, 0.12))  # fmt: skip
    m.plot("motion", m.panel(m.line(t, tip, label="tip"), m.line(t, mid, label="middle"), xlabel="t", ylabel="u"),
           m.panel(m.line(t, reaction), xlabel="t"), columns=1)  # fmt: skip
    m.plot("contacts", m.contact_map("lower", label="lower wall"), m.contact_map("upper", label="upper wall"), xlabel="x", ylabel="t")


def rattleback(m):
    """A body in space; the points of its belly are computed in Python. The counts are settings of the file."""
    spin = m.param("spin", -5, unit="rad/s")
    skew = m.param("skew", 0.15, unit="rad")
    mu = m.param("mu", 0.9, min=0)
    tilt = m.param("tilt", 0.02, unit="rad")
    h = m.param("h", 5e-4, unit="s", min=1e-9)
    t_end = m.param("t_end", 4, unit="s")
    rings, around = 24, 48
    m.variant("with", doc="spun in its own sense: it goes on", spin=5)
    a, b, c = 0.1, 0.02, 0.02
    pi, sin, cos = m.pi, m.sin, m.cos
    points = [(0, 0, -c)]
    for i in range(1, rings + 1):
        s = (i / rings) ** 1.5 * pi / 2
        for k in range(1, around + 1):
            p = 2 * pi * k / around
            points.append((a * sin(s) * cos(p), b * sin(s) * sin(p), -c * cos(s)))
    mass = 0.1
    Jx = mass / 5 * (b**2 + c**2) - mass * (3 / 8 * c) ** 2
    Jy = mass / 5 * (a**2 + c**2) - mass * (3 / 8 * c) ** 2
    Jz = mass / 5 * (a**2 + b**2)
    C, S = cos(skew), sin(skew)
    m.world(gravity=(0, 0, -9.81))
    m.pair(friction=mu)
    m.fixed("floor", shape=m.plane(normal=(0, 0, 1), offset=0))
    stone = m.body("stone", shape=m.convex(points), mass=mass, centre=(0, 0, -3 / 8 * c),
                   inertia=[C**2 * Jx + S**2 * Jy, S**2 * Jx + C**2 * Jy, Jz, C * S * (Jx - Jy), 0, 0],
                   at=(0, 0, 5 / 8 * c + 0.0001), rotation=dict(axis=(1, 0, 0), angle=tilt), spin=(0, 0, spin))  # fmt: skip
    m.integrate(scheme="moreau-jean", h=h, until=t_end)
    long = stone.direction(1, 0, 0)
    pitch = m.asin(long.z)
    m.measure(spin_end=stone.wz, spin_low=m.minimum(stone.wz), spin_high=m.maximum(stone.wz), reversals=m.crossings(stone.wz),
              rattle=m.maximum(abs(pitch)), energy_end=m.energy(), energy_start=m.at(m.energy(), 0))  # fmt: skip


def bouncing_ball(m):
    """Every scheme; the exact motion is a loop of selects."""
    q0 = m.param("q0", 1, unit="m", min=0)
    u0 = m.param("u0", 0, unit="m/s")
    g = m.param("g", 9.81, unit="m/s^2", min=0)
    e = m.param("e", 0.5, min=0, max=1)
    h = m.param("h", 0.000625, unit="s", min=1e-9)
    t_end = m.param("t_end", 2, unit="s")
    m.variant("free", g=0, u0=-1, h=0.15, t_end=1.95)
    q = m.coordinates("q")
    m.mass(1)
    m.potential(g * q)
    m.contact("floor", gap=q, restitution=e)
    m.initial(q=q0, v={"q": u0})
    m.integrate(scheme="moreau-jean", h=h, until=t_end, zeno="continue", n=1e6)
    t = m.time()
    some_g = np.where(g > 0, g, 1)
    vin = np.sqrt(u0**2 + 2 * g * q0)
    impact_time, speed = (u0 + vin) / some_g, e * vin
    exact_q = np.where(impact_time > t, q0 + u0 * t - g * t**2 / 2, 0)
    exact_v = np.where(impact_time > t, u0 - g * t, 0)
    for _ in range(40):
        since, landing = t - impact_time, impact_time + 2 * speed / some_g
        flying = np.minimum(since, landing - t)
        exact_q = exact_q + m.select(flying, speed * since - g * since**2 / 2, 0)
        exact_v = exact_v + m.select(flying, speed - g * since, 0)
        impact_time, speed = landing, e * speed
    some_loss = m.select(1 - e, 1 - e, 1)
    zeno_time = m.select(g * (1 - e), (u0 + vin) / some_g + 2 * e * vin / (some_g * some_loss), t + 1)
    hit = m.select(-u0, q0 / m.select(-u0, -u0, 1), t + 1)
    straight = m.select(hit - t, q0 + u0 * t, -e * u0 * (t - hit))
    exact_q = m.select(g, exact_q, straight)
    exact_v = m.select(g, exact_v, m.select(hit - t, u0, -e * u0))
    m.record(exact_q=exact_q, exact_v_q=exact_v, error=q - exact_q)
    m.measure(q=m.at(q, [0.5, 1, 1.5, 2]), q_end=q, lowest=m.minimum(q), error=m.maximum(abs(q - exact_q)),
              impacts=m.count("floor"), zeno_time=m.crossings(t - zeno_time))  # fmt: skip
    m.family(scheme=["paoli-schatzman", "sweeping", "moreau-jean", "penalty", "event-driven"])


CASES = {
    "moreau-1986/trial-04": (trial_04, [], ()),
    "moreau-1986/trial-09": (trial_09, ["plate-12", "plate-13"], ("plots", "title", "source")),
    "mechanisms/four-bar": (four_bar, ["free"], ()),
    "dumont-paoli-2008/convex": (convex_walls, [], ()),
    "bodies/rattleback": (rattleback, [], ("rings", "around")),
    "paoli-2001/bouncing-ball": (bouncing_ball, ["free"], ("flights",)),
}


def without_settings(result, names):
    """A file has settings that a loop of Python does without."""
    for one in [result, *result.get("family", [])]:
        one["params"] = {k: v for k, v in one["params"].items() if k not in names}
    return result


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_are_those_of_the_file(name):
    build, variants, settings = CASES[name]
    m = builder()
    build(m)
    for variant in ["", *variants]:
        options = ["--variant", variant] if variant else []
        of_python = run(m.text, *options)
        of_file = run_file(EXPERIMENTS / f"{name}.lua", *options)
        assert of_python["status"] == "ok"
        assert without_settings(of_python, settings) == without_settings(of_file, settings)


@pytest.mark.parametrize("name", CASES)
def test_motions_are_equal_at_every_output(name):
    """In the process of Python: positions, velocities and measures."""
    pytest.importorskip("carom._native")
    import carom

    build, variants, _ = CASES[name]
    m = carom.Model()
    build(m)
    of_python, of_file = m.run(), carom.Model(EXPERIMENTS / f"{name}.lua").run()
    assert of_python.status == "ok"
    for part in ("t", "q", "v", "energy"):
        assert np.array_equal(getattr(of_python, part), getattr(of_file, part)), part
    assert repr(of_python.measures) == repr(of_file.measures)
    assert len(m.coordinates) == len(carom.Model(EXPERIMENTS / f"{name}.lua").coordinates)
