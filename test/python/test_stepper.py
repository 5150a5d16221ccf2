"""Motions step by step: the bits of runs, other states, inputs against closed forms, controllers, wrong calls, threads, lifetimes."""

import copy
import gc
import math
import os
import pathlib
import pickle
import re
import signal
import threading
import time

import numpy as np
import pytest

import carom
from program import interrupted

BALL = """
local y = coordinates("y")
local u = input { "u", 0, doc = "thrust", min = -1e6, max = 1e6 }
local e = param { "e", 0, min = 0, max = 1 }
mass(1)  potential(10 * y)  force { y = u }
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
"""

ELASTIC = BALL.replace(", restitution = e", "")

PENDULUM = """
local a = coordinates("a")
local torque = input "torque"
kinetic(dot(a)^2 / 2)  potential(-9.81 * cos(a))  force { a = torque }
initial { a = 0.3 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
"""

ROD = """
local x, y = coordinates("x", "y")
local u = input "u"
kinetic((dot(x)^2 + dot(y)^2) / 2)  potential(10 * y)  force { x = u }
joint { "rod", x^2 + y^2 - 1 }
initial { x = 1 }
integrate { scheme = "generalized-alpha", h = 1e-3, until_t = 1 }
"""

SLED = """
local x = coordinates("x")
local u, mu = input("u", 0), input("mu", 0.5)
mass(1)  force { x = u }
friction_force { "rub", slip = dot(x), bound = mu }
integrate { scheme = "dai-theta", h = 1e-3, until_t = 1 }
"""

BEAM = """
local u = input "u"
local w = beam { "w", length = 1, elements = 6, k2 = 0.01, left = "clamped", right = "free",
                 forces = { { x = 1, value = u } }, stops = { { "stop", x = 1, lower = -0.02 } } }
integrate { scheme = "newmark-contact", h = 1e-3, until_t = 1 }
"""

BLOCK = """
world { gravity = { 0, 0, -10 } }
pair { friction = 0.5 }
local u, speed = input "u", input "speed"
local b = body { "block", shape = box { 1, 1, 1 }, density = 1, at = { 0, 0, 0.5 } }
driven { "belt", shape = box { 100, 4, 1 }, at = { 0, 0, -0.5 }, velocity = { speed, 0, 0 } }
force { b, { u, 0, 0 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
"""

MODELS = {"ball": BALL, "elastic": ELASTIC, "pendulum": PENDULUM, "rod": ROD, "sled": SLED, "beam": BEAM, "block": BLOCK}


def _pairs():
    found = []
    for name, text in MODELS.items():
        model = carom.Model(text)
        for scheme in model.schemes():
            try:
                model.stepper(scheme=scheme)
            except carom.ModelError:
                continue
            found.append((name, scheme))
    return found


PAIRS = _pairs()


@pytest.fixture
def ball():
    return carom.Model(BALL)


def test_all_schemes_take_part():
    schemes = {scheme for _, scheme in PAIRS}
    assert {"elast", "inel", "moreau-friction", "moreau-jean", "paoli-schatzman", "sweeping", "event-driven", "penalty",
            "generalized-alpha", "dai-theta", "dai-euler", "newmark-contact"} <= schemes


# ---- the bits of runs


@pytest.mark.parametrize("name, scheme", PAIRS)
def test_same_bits_as_run(name, scheme):
    model = carom.Model(MODELS[name])
    r = model.run(scheme=scheme, until=0.4, strict=False)
    s = model.stepper(scheme=scheme)
    assert (s.t, s.energy) == (r.t[0], r.energy[0])
    for i in range(1, len(r)):
        s.step()
        assert (s.q == r.q[i]).all() and (s.v == r.v[i]).all()
        assert s.t == r.t[i] and s.energy == r.energy[i]
        for j, contact in enumerate(model.contacts):
            if i % 50 == 0:
                found = s.contacts[j]
                assert (found.impulse == r.impulses[contact][i]).all() and found.gap == r.gaps[contact][i]
    assert s.steps == len(r) - 1


def test_experiments_keywords_and_parameters():
    model = carom.experiment("moreau-1986/trial-04")
    r, s = model.run(), model.stepper()
    s.run(r.steps)
    assert (s.q == r.q[-1]).all() and s.h == r.h and s.scheme == r.scheme
    ball = carom.Model(BALL)
    r = ball.run(e=0.5, h=2e-3, q0=[0.3], v0=[1.0], t0=0.25, theta=0.7, until=1)
    s = ball.stepper(e=0.5, h=2e-3, q0=[0.3], v0=[1.0], t0=0.25, theta=0.7)
    s.step(r.steps)
    assert s.q[0] == r.q[-1, 0] and s.t == r.t[-1]


# ---- inputs


@pytest.mark.parametrize("scheme", [scheme for name, scheme in PAIRS if name == "elastic"])
def test_a_constant_thrust_is_a_parabola(scheme):
    s = carom.Model(ELASTIC).stepper(scheme=scheme)
    s.step(u=14.0)
    v1 = s.v[0]
    s.run(499)
    assert s.v[0] - v1 == pytest.approx(4 * 0.499, abs=1e-11)
    assert s.q[0] == pytest.approx(1 + 4 * 0.5**2 / 2, abs=4 * 1e-3 * 0.5)


@pytest.mark.parametrize("name, scheme", PAIRS)
def test_an_input_before_the_first_step_is_that_of_the_start(name, scheme):
    model = carom.Model(MODELS[name])
    key, value = model.inputs[0], 7.5 if name == "block" else 0.75
    given, started = model.stepper(scheme=scheme), model.stepper(scheme=scheme, **{key: value})
    assert given.input[key] == 0 and started.input[key] == value
    given.run(100, **{key: value})
    started.run(100)
    assert given.q == pytest.approx(started.q, abs=1e-12) and given.v == pytest.approx(started.v, abs=1e-9)
    assert not np.allclose(given.q, model.stepper(scheme=scheme).q, atol=1e-9)


@pytest.mark.parametrize("scheme, order", [("moreau-jean", 2), ("generalized-alpha", 2), ("event-driven", 2), ("sweeping", 1)])
def test_a_sine_is_the_model_with_the_force_written_in(scheme, order):
    text = PENDULUM.replace('local torque = input "torque"', "local torque = 3 * sin(5 * time())")
    wrong = []
    for h in (2e-3, 1e-3):
        written = carom.Model(text).run(scheme="event-driven", h=1e-2, until=1).q[-1, 0]
        s = carom.Model(PENDULUM).stepper(scheme=scheme, h=h)
        for i in range(round(1 / h)):
            s.step(torque=3 * math.sin(5 * (i + 0.5) * h))
        wrong.append(abs(s.q[0] - written))
    assert wrong[1] < (1e-5 if order == 2 else 5e-3)
    assert wrong[0] / wrong[1] == pytest.approx(2**order, rel=0.2)


def test_inputs_of_friction_and_driven_bodies():
    s = carom.Model(SLED).stepper()
    s.run(500, u=0.4)
    assert s.q[0] == 0 and s.contacts["rub"].status == "stick"
    s.run(1000, mu=0.3)
    assert s.v[0] == pytest.approx(0.1, abs=1e-9) and s.contacts["rub"].status == "slip"
    s = carom.Model(BLOCK).stepper()
    s.run(2000, speed=0.5)
    assert s.v[0] == pytest.approx(0.5, abs=1e-6)
    s.run(2000, speed=-0.25)
    assert s.v[0] == pytest.approx(-0.25, abs=1e-6)


def test_all_inputs_are_taken_or_none():
    s = carom.Model(SLED).stepper()
    with pytest.raises(carom.ModelError):
        s.step(u=2.0, mu=math.nan)
    assert dict(s.input) == {"u": 0, "mu": 0.5} and s.steps == 0
    s.step(u=np.float64(2), mu=np.int64(1))
    assert dict(s.input) == {"u": 2, "mu": 1} and s.steps == 1


def test_a_controller_holds_a_pendulum_upright():
    s = carom.Model(PENDULUM).stepper(q0=[math.pi + 0.4])
    for _ in range(5000):
        s.step(torque=-60 * (s.q[0] - math.pi) - 12 * s.v[0])
    assert s.q[0] == pytest.approx(math.pi, abs=1e-6) and abs(s.v[0]) < 1e-6
    s.set(q=[math.pi + 0.01], v=[0])
    s.run(2000, torque=0)
    assert abs(s.q[0] - math.pi) > 1  # without it it falls


def test_forces_without_a_change_of_the_model(ball):
    s = ball.stepper(forces=True)
    assert s.force.shape == (1,) and s.force.flags.writeable
    s.force[:] = 10
    s.run(100)
    assert s.q[0] == 1.0 and s.v[0] == 0.0
    s.force_on("y")[0] = 12
    s.run(500)
    assert s.v[0] == pytest.approx(1.0, abs=1e-12)
    with pytest.raises(AttributeError, match="forces=True"):
        ball.stepper().force
    with pytest.raises(carom.ModelError, match="did you mean"):
        s.force_on("yy")
    with pytest.raises(carom.ModelError, match="beam"):
        carom.Model(BEAM).stepper(forces=True)


def test_forces_and_torques_on_bodies():
    s = carom.Model(BLOCK).stepper(forces=True, q0=[0, 0, 5.5, 1, 0, 0, 0, 0, 0, -0.5, 1, 0, 0, 0])
    assert s.force_on("block").shape == (6,)
    s.force_on("block")[:] = [1, 2, 10, 0, 0, 0.25]  # mass 1, inertia 1/6
    s.run(1000)
    assert s.v[:6] == pytest.approx([1, 2, 0, 0, 0, 1.5], abs=1e-9)
    s.force_on("belt")[:] = 100  # is driven: nothing moves it
    s.step()
    assert (s.v[6:] == 0).all()


def test_contacts_and_points_of_bodies():
    s = carom.Model(BLOCK).stepper()
    s.run(10)
    assert s.contacts["block/belt"].impulse[0] == pytest.approx(10 * 1e-3, rel=1e-6)
    points = s.points
    assert len(points) == 4 and sum(p.impulse[2] for p in points) == pytest.approx(1e-2, rel=1e-6)
    assert sorted((round(p.place[0], 6), round(p.place[1], 6)) for p in points) == [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]
    for p in points:
        assert p.bodies == ("block", "belt") and p.name == "block/belt" and p.place[2] == pytest.approx(0, abs=1e-6)
        assert p.normal == pytest.approx([0, 0, 1]) and p.status in ("stick", "slip")
    assert carom.Model(BALL).stepper().points == []


# ---- other states


@pytest.mark.parametrize("name, scheme", PAIRS)
def test_set_begins_anew(name, scheme):
    model = carom.Model(MODELS[name])
    s, fresh = model.stepper(scheme=scheme), model.stepper(scheme=scheme)
    q, v = s.q, s.v
    q0, v0 = q.copy(), v.copy()
    s.run(150)
    s.set(q=q0, v=v0, t=0)
    assert s.t == 0 and s.q is q and (q == fresh.q).all()
    s.run(100)
    fresh.run(100)
    assert (q == fresh.q).all() and (v == fresh.v).all()


@pytest.mark.parametrize("name, scheme", PAIRS)
def test_restored_and_copied_steppers_have_the_same_bits(name, scheme):
    model = carom.Model(MODELS[name])
    key = model.inputs[0]
    s = model.stepper(scheme=scheme)
    start = s.save()
    s.run(30)
    s.run(70, **{key: 0.5})
    s.input[key] = -0.25
    state, other = s.save(), s.copy()
    s.run(200)
    end = s.q.copy(), s.v.copy(), s.t, s.energy
    for again in (s, other, model.stepper(scheme=scheme)):
        again.restore(pickle.loads(pickle.dumps(state)))
        assert again.input[key] == -0.25
        again.run(200)
        assert (again.q == end[0]).all() and (again.v == end[1]).all() and (again.t, again.energy) == end[2:]
    s.reset()
    assert s.save() == start and s.steps == 0 and s.input[key] == model.parameters[key].value


def test_copies_are_on_their_own(ball):
    s = ball.stepper(e=0.5)
    s.run(100)
    ahead = copy.deepcopy(s)
    ahead.run(900)
    assert s.steps == 100 and s.t == pytest.approx(0.1) and ahead.steps == 1000
    s.run(900)
    assert s.q[0] == ahead.q[0]


def test_set_by_name(ball):
    s = ball.stepper()
    s.run(100)
    v = s.v[0]
    s.set(q={"y": 2.5})
    assert s.q[0] == 2.5 and s.v[0] == v
    s.set(v={"y": 1}, t=7)
    assert (s.q[0], s.v[0], s.t) == (2.5, 1, 7)
    s.step()
    assert s.t == pytest.approx(7.001)


def test_quaternions_that_are_set_have_length_one():
    s = carom.Model(BLOCK).stepper()
    s.set(q={"block.qw": 3, "block.qz": 4, "block.z": 9})
    assert s.q[3:7] == pytest.approx([0.6, 0, 0, 0.8])
    with pytest.raises(carom.ModelError, match="quaternion"):
        s.set(q={"block.qw": 0, "block.qz": 0})
    assert s.q[3] == pytest.approx(0.6)


# ---- wrong calls


def test_arrays_are_read_only_and_follow(ball):
    s = ball.stepper()
    q = s.q
    with pytest.raises(ValueError):
        q[0] = 3
    s.run(100)
    assert q[0] < 1 and q is s.q


@pytest.mark.parametrize("call, kind", [
    (lambda s: s.run(-1), ValueError), (lambda s: s.run(1.5), ValueError), (lambda s: s.run("a"), ValueError),
    (lambda s: s.run(None), ValueError), (lambda s: s.run(2**80), ValueError), (lambda s: s.step(-3), ValueError),
    (lambda s: s.step("x"), ValueError), (lambda s: s.step(w=1), carom.ModelError),
    (lambda s: s.step(u="a"), carom.ModelError), (lambda s: s.step(u=None), TypeError),
    (lambda s: s.step(u=math.nan), carom.ModelError), (lambda s: s.step(u=math.inf), carom.ModelError),
    (lambda s: s.step(u=2e6), carom.ModelError), (lambda s: s.step(u=np.zeros(3)), TypeError),
    (lambda s: s.set(q=[1, 2]), ValueError), (lambda s: s.set(q=[math.nan]), ValueError),
    (lambda s: s.set(q="abc"), TypeError), (lambda s: s.set(v=[]), ValueError), (lambda s: s.set(v=object()), TypeError),
    (lambda s: s.set(t=math.inf), ValueError), (lambda s: s.set(t="a"), ValueError),
    (lambda s: s.set(q={"z": 1}), carom.ModelError), (lambda s: s.set(q={"y": None}), (TypeError, ValueError)),
    (lambda s: s.set(q=[[1.0]]), ValueError),
    (lambda s: s.restore(None), TypeError), (lambda s: s.restore(b"abc"), TypeError),
    (lambda s: s.restore(carom.State(0, b"abc", b"")), carom.ModelError),
    (lambda s: s.restore(carom.State(0, None, None)), carom.ModelError),
    (lambda s: s.restore(carom.Model(PENDULUM).stepper().save()), carom.ModelError),
    (lambda s: s.input["w"], carom.ModelError), (lambda s: s.input.__setitem__("u", [1, 2]), TypeError),
    (lambda s: s.input.__delitem__("u"), TypeError), (lambda s: s.contacts["roof"], KeyError),
])
def test_wrong_calls_raise_and_change_nothing(ball, call, kind):
    s = ball.stepper()
    s.run(100)
    state = s.save()
    with pytest.raises(kind):
        call(s)
    assert s.save() == state
    s.step()


@pytest.mark.parametrize("keywords", [
    {"h": 0}, {"h": -1}, {"h": math.nan}, {"scheme": "elats"}, {"e": 2}, {"q0": [-1]}, {"theta": 7}, {"colour": 1}, {"t0": math.inf},
])
def test_wrong_steppers_are_not_made(ball, keywords):
    with pytest.raises(carom.ModelError):
        ball.stepper(**keywords)
    for wrong in ({"q0": [1, 2]}, {"v0": "a"}, {"q0": [math.nan]}):
        with pytest.raises((TypeError, ValueError)):
            ball.stepper(**wrong)


def test_a_force_that_is_not_a_number_is_refused(ball):
    s = ball.stepper(forces=True)
    s.run(10)
    s.force[0] = math.nan
    with pytest.raises(carom.ModelError, match="force on y"):
        s.step()
    s.force[0] = 0
    s.step()
    assert s.steps == 11


def test_a_step_that_fails_keeps_the_last_good_state():
    model = carom.Model("""
local x = coordinates("x")
local u = input "u"
mass(1)  force { x = u / select(1 - x, 1, 0) }
integrate { scheme = "sweeping", h = 1e-2, until_t = 1 }
""")
    s = model.stepper(v0=[10.0])
    with pytest.raises(carom.StepError) as caught:
        s.run(1000, u=1)
    assert caught.value.result is s and 0 < s.steps < 1000
    assert np.isfinite(s.q).all() and s.t == pytest.approx(s.steps * 1e-2)
    with pytest.raises(carom.StepError):
        s.step()
    steps = s.steps
    s.set(q=[0.0], v=[0.0])
    s.step()
    assert s.steps == steps + 1


# ---- Ctrl-C, threads, lifetimes


def test_ctrl_c_ends_a_long_run(ball):
    s = ball.stepper()
    stopped = interrupted(lambda: s.run(10**12), within=0.1)
    assert stopped.result is s and s.steps > 1000 and s.t == pytest.approx(s.steps * s.h)
    s.step()


def test_threads_run_at_once_with_the_same_bits():
    model = carom.Model(ELASTIC)
    alone = []
    for u in (0.0, 3.0):
        s = model.stepper(u=u)
        s.run(400_000)
        alone.append((s.q.copy(), s.v.copy()))
    steppers = [model.stepper(u=u) for u in (0.0, 3.0)]
    threads = [threading.Thread(target=s.run, args=(400_000,)) for s in steppers]
    for thread in threads:
        thread.start()
    while steppers[0].steps == 0 and threads[0].is_alive():  # this thread goes on meanwhile
        time.sleep(1e-3)
    for thread in threads:
        thread.join()
    for s, (q, v) in zip(steppers, alone):
        assert (s.q == q).all() and (s.v == v).all()


def test_one_stepper_in_two_threads_is_refused(ball):
    s = ball.stepper()

    def run():
        with pytest.raises(carom.Interrupted):
            s.run(10**12)

    thread = threading.Thread(target=run)
    thread.start()
    refused = 0
    try:
        while s.t == 0 and thread.is_alive():
            time.sleep(1e-3)
        while thread.is_alive() and refused < 5:
            for call in (s.step, s.save, lambda: s.energy, lambda: s.contacts, lambda: s.set(t=0)):
                try:
                    call()
                except carom.ModelError as problem:
                    assert "another thread" in str(problem)
                    refused += 1
    finally:
        os.kill(os.getpid(), signal.SIGINT)
        thread.join()
    assert refused >= 5


def test_whatever_is_forgotten_first(ball):
    s = carom.Model(BALL).stepper(forces=True)
    q, force = s.q, s.force
    gc.collect()
    s.run(10)
    y = q[0]
    del s
    gc.collect()
    assert q[0] == y
    force[0] = 1.0
    steppers = [carom.Model(BALL).stepper() for _ in range(20)]
    views = [t.v for t in steppers]
    ring = [steppers, ball]
    ring.append(ring)
    del steppers, ring
    gc.collect()
    assert all(v[0] == 0 for v in views)


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer keeps freed memory for a while")
def test_no_memory_is_lost():
    resource = pytest.importorskip("resource")
    model = carom.Model(BALL)

    def work(n):
        for _ in range(n):
            s = model.stepper(u=1.0)
            state = s.save()
            s.run(3)
            s.set(q=[2.0])
            s.restore(state)
            s.contacts, s.energy

    work(300)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    work(2000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 3000  # kB


def test_a_stepper_that_was_not_made_says_so():
    with pytest.raises(RuntimeError, match="Model.stepper"):
        carom.Stepper.__new__(carom.Stepper).step()
    with pytest.raises(TypeError):
        carom.Stepper()


def test_interrupted_steps_go_on():
    s = carom.Model(ELASTIC).stepper(scheme="event-driven", h=1.0)  # hundreds of impacts in a step, once it is low
    other = s.copy()
    interrupted(lambda: s.run(10**9), after=0.05)
    more = 20
    steps = s.steps
    s.run(more)
    other.run(steps + more)
    assert s.t == other.t and s.q == pytest.approx(other.q, abs=1e-9)


def test_damaged_states_are_refused(ball):
    s = ball.stepper()
    state = s.save()
    random = np.random.default_rng(7)
    for _ in range(100):
        data = bytearray(state._bytes)
        data[random.integers(len(data))] ^= 1 << int(random.integers(8))
        with pytest.raises(carom.ModelError, match="damaged"):
            s.restore(carom.State(0.0, bytes(data), state._seal))
    s.restore(state)


def test_a_thousand_wrong_calls_do_no_harm():
    random = np.random.default_rng(3)
    things = [None, True, -1, 0, 3, 2**40, 2**70, 1.5, math.nan, -math.inf, "", "u", "y", b"u", [], [1.0], [1, 2], [[1]], {},
              {"y": 1}, {"y": "a"}, {"u": 2.0}, np.empty(0), np.ones(1), np.full(3, np.nan), np.ones((1, 1)), np.array(["a"]),
              object(), int, lambda: 0, carom.Model(PENDULUM).stepper().save()]

    def pick():
        return things[random.integers(len(things))]

    s = carom.Model(BALL).stepper(forces=True)
    names = [name for name in ("step", "set", "restore", "force_on", "run", "_step_with")]
    done = 0
    for _ in range(1000):
        name, wanted = names[random.integers(len(names))], [pick() for _ in range(random.integers(3))]
        if name in ("run", "step", "_step_with") and any(isinstance(thing, int) and thing > 1000 for thing in wanted):
            continue
        keys = {key: pick() for key in ("u", "q", "v", "t", "n", "w") if random.random() < 0.25}
        try:
            getattr(s, name)(*wanted, **keys)
            done += 1
        except (TypeError, ValueError, carom.CaromError):
            pass
        try:
            s.input["u"] = pick()
            s.force[:] = pick()
        except (TypeError, ValueError, carom.CaromError):
            pass
        s.force[:] = 0
    assert done > 20
    s.reset()
    s.run(100)
    assert np.isfinite(s.q).all()


# ---- the page


def test_the_page_runs_as_it_stands():
    page = pathlib.Path(__file__).parents[2] / "docs" / "python-steps.md"
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 7
    names = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
