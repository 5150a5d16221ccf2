"""Impacts: closed forms, all laws, agreement with the program, models, wrong calls."""

import doctest
import gc
import json
import subprocess
import sys

import numpy as np
import pytest

import carom
from program import interrupted

ROW = np.array([[-1.0, 0], [1, -1], [0, 1]])
LAWS = list(carom.impact_laws())

ROCK = """
local x, a = coordinates("x", "a")
local e = param("e", 0.5)
mass { {2, 0.5}, {0.5, 1} }
contact { "left", gap = x + a, restitution = e }
contact { "right", gap = x - a, restitution = e }
contact { "far", gap = x + 1, restitution = 0.1 }
initial { x = 0, a = 0, [dot(x)] = -1, [dot(a)] = 0.25 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 1 }
"""


# ---- closed forms


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("e", [1.0, 0.6, 0.1])
def test_two_masses(law, e):
    """m1 = 1 strikes m2 = 3 at rest: both move with the centre's velocity, apart from the part that restitution gives."""
    result = carom.impact([1.0, 3.0], [[-1.0], [1.0]], [2.0, 0.0], e=e, law=law)
    centre = 0.5
    assert result.ok and result.law == law
    assert np.allclose(result.velocity, [centre - e * 1.5, centre + e * 0.5], atol=1e-6)
    assert result.impulses[0] == pytest.approx(0.75 * 2 * (1 + e), rel=1e-6)
    assert result.gamma_before[0] == -2 and result.gamma_after[0] == pytest.approx(2 * e, rel=1e-6)
    assert result.energy_after - result.energy_before == pytest.approx(result.work, rel=1e-6, abs=1e-9)
    assert result.kinematic and result.kinetic and result.energetic
    assert result.momentum_residual < 1e-12


def test_full_mass_is_its_diagonal():
    for law in LAWS:
        one = carom.impact([1, 2, 3], ROW, [1, 0, -1], e=0.5, law=law)
        full = carom.impact(np.diag([1.0, 2, 3]), ROW, [1, 0, -1], e=0.5, law=law)
        assert np.allclose(one.velocity, full.velocity, atol=1e-9)


def test_sparse():
    sparse = pytest.importorskip("scipy.sparse")
    wanted = carom.impact([1, 2, 3], ROW, [1, 0, -1], e=0.5)
    for W in (sparse.csc_matrix(ROW), sparse.csr_matrix(ROW), sparse.coo_matrix(ROW), np.asfortranarray(ROW)):
        assert (carom.impact([1, 2, 3], W, [1, 0, -1], e=0.5).velocity == wanted.velocity).all()
    mass = sparse.diags([1.0, 2, 3])
    assert np.allclose(carom.impact(mass, ROW, [1, 0, -1], e=0.5).velocity, wanted.velocity)


def test_default_law():
    assert carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.5).law == "moreau"
    assert carom.impact([1, 1, 1], ROW, [1, 0, 0], e=[0.5, 0.7]).law == "newton"
    with pytest.raises(carom.ModelError, match="Moreau's law has one restitution"):
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=[0.5, 0.7], law="moreau")


def test_nothing_happens():
    result = carom.impact([1, 1, 1], ROW, [0, 1, 2], e=0.5)
    assert result.status == "no-impact" and result.ok and (result.velocity == [0, 1, 2]).all()
    none = carom.impact([1.0], np.zeros((1, 0)), [1.0], e=0.5)
    assert none.status == "no-impact" and none.impulses.shape == (0,)


def test_moving_obstacle_and_joints():
    moved = carom.impact([2.0], [[1.0]], [0.0], e=0.5, rate=-1.0)
    assert moved.velocity[0] == pytest.approx(1.5)
    held = carom.impact([1.0, 1.0], [[1.0], [0.0]], [-1.0, -1.0], e=1, joints=[[1.0, -1.0]])
    assert np.allclose(held.velocity, [1, 1]) and held.joint_impulses.shape == (1,) and held.joint_residual < 1e-12
    assert held.joint_impulses[0] == pytest.approx(-2)


def test_options_and_what_laws_tell():
    forth = carom.impact([1, 1, 1], ROW, [1, 0, -1], e=0.9, law="binary", order="lr")
    back = carom.impact([1, 1, 1], ROW, [1, 0, -1], e=0.9, law="binary", order="rl")
    assert forth.collisions > 0 and not np.allclose(forth.velocity, back.velocity)
    assert carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="poisson").compression.shape == (2,)
    wave = carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", exponent=[1, 1], stiffness=[1, 2])
    assert wave.closings.dtype == np.int32 and wave.peak_forces.min() > 0 and wave.steps > 0 and wave.duration > 0
    with pytest.raises(carom.ModelError, match="'ordr'.*did you mean 'order'"):
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="binary", ordr="lr")
    with pytest.raises(carom.ModelError, match="did you mean 'moreau'"):
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="moraeu")
    with pytest.raises(carom.ModelError, match="lzb has one"):
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="newton", history=True)
    with pytest.raises(carom.ModelError, match="restitution"):
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=1.5)
    assert carom.impact([1, 1, 1], ROW, [1, 0, 0], e=1.5, allow_gain=True).energy_ratio > 1


def test_course():
    result = carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", history=True)
    course, duration, velocity = result.course, result.duration, result.velocity.copy()
    del result
    kept = carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", history=True).course.t
    gc.collect()
    assert (kept == course.t).all()
    assert (np.diff(course.t) >= 0).all() and course.t[-1] == duration
    assert course.energies.shape == course.forces.shape == (course.t.size, 2)
    assert np.allclose(course.velocities[-1], velocity) and (course.velocities[0] == [1, 0, 0]).all()
    total = course.energies.sum(axis=1) + (course.velocities**2).sum(axis=1) / 2
    assert (np.diff(total) < 1e-9).all()  # energy is lost, never won
    long = carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", method="time", step=2e-5, history=True)
    assert long.steps > 40_000 and 1000 < long.course.t.size <= 20_001 and long.course.t[-1] == long.duration


def test_not_converged():
    with pytest.raises(carom.SolverError, match="not-converged") as caught:
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", max_steps=5)
    assert caught.value.result.steps == 5
    assert not carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", max_steps=5, strict=False).ok


def test_interrupted():
    stopped = interrupted(lambda: carom.impact([1, 1, 1], ROW, [1, 0, 0], e=0.9, law="lzb", method="time", step=1e-9))
    assert stopped.result.steps > 1000


# ---- the program


def of_program(program, *arguments):
    run = subprocess.run([program, "impact", "--json", "--quiet", *arguments], capture_output=True, text=True, check=False)
    return json.loads(run.stdout)


def same(result, entry):
    assert result.status == entry["status"]
    assert result.velocity.tolist() == entry["velocity"] and result.impulses.tolist() == entry["impulses"]
    for name in ("energy_before", "energy_after", "work", "residual", "collisions", "steps", "duration"):
        assert getattr(result, name) == entry[name], name
    assert result.gamma_before.tolist() == entry["gamma_before"] and result.gamma_after.tolist() == entry["gamma_after"]
    assert {name: getattr(result, name) for name in entry["flags"]} == entry["flags"]
    assert result.notes == entry["notes"]


@pytest.mark.parametrize("law", LAWS)
def test_agrees_with_the_program(law, carom_program, tmp_path):
    """To the last digit."""
    random = np.random.default_rng(3)
    for k in range(4):
        B = random.normal(size=(4, 4))
        M = (B @ B.T + 4 * np.eye(4)) if k % 2 else random.uniform(0.5, 2, 4)
        W, v = random.normal(size=(4, 3)), random.normal(size=4)
        system = dict(M=M.tolist(), W=W.tolist(), velocity=v.tolist(), restitution=0.4)
        (tmp_path / "system.json").write_text(json.dumps(system))
        entry = of_program(carom_program, "--system", str(tmp_path / "system.json"), "--law", law)
        same(carom.impact(M, W, v, e=0.4, law=law, strict=False), entry)


def test_model_agrees_with_the_program(carom_program, tmp_path):
    (tmp_path / "rock.lua").write_text(ROCK)
    model = carom.Model(str(tmp_path / "rock.lua"))
    for law in LAWS:
        entry = of_program(carom_program, str(tmp_path / "rock.lua"), "--law", law, "--set", "e=0.7")
        same(model.strike(law, e=0.7), entry)
    entry = of_program(carom_program, str(tmp_path / "rock.lua"), "--restitution", "0.3,0.9", "--velocity", "-2,1")
    same(model.strike(restitution=[0.3, 0.9], v=[-2, 1]), entry)


def test_model_at_other_states():
    model = carom.Model(ROCK)
    start = model.strike()
    assert start.contacts == ["left", "right"] and start.coordinates == ["x", "a"] and start.law == "moreau"
    M = np.array([[2, 0.5], [0.5, 1]])
    W = np.array([[1.0, 1], [1, -1]])
    assert np.allclose(start.velocity, carom.impact(M, W, [-1, 0.25], e=0.5).velocity)
    turned = model.strike(q=[0.3, -0.3], v=[-1, -2], law="newton", restitution=0.2)
    assert turned.contacts == ["left"]
    assert np.allclose(turned.velocity, carom.impact(M, W[:, :1], [-1, -2], e=0.2).velocity)
    wide = model.strike(q=[0.3, -0.3], v=[-1, -2], gap_tolerance=2)
    assert wide.contacts == ["left", "right", "far"] and wide.law == "newton"
    assert model.strike("binary", order="rl").ok and model.strike("binary", options={"order": "rl"}).ok
    with pytest.raises(carom.ModelError, match="all gaps are open"):
        model.strike(q=[3, 0])
    with pytest.raises(carom.ModelError, match="'ordr' is not known; did you mean 'order'"):
        model.strike("binary", ordr="rl")
    with pytest.raises(ValueError, match="q: 2 numbers"):
        model.strike(q=[1])


def test_model_refusals():
    text = ROCK.replace('gap = x + a, restitution = e', 'gap = x + a')
    with pytest.raises(carom.ModelError, match="contact 'left' of .* has no restitution in the model: give restitution"):
        carom.Model(text).strike()
    assert carom.Model(text).strike(restitution=0.3).ok


# ---- wrong calls


def test_wrong_calls_say_what_is_right():
    for arguments, text in [(([1, 1], ROW, [1, 0, 0]), "M: 3 numbers"), (([1, 1, 1], ROW, [1, 0]), "W is 3 x 2"),
                            (([1, -1, 1], ROW, [1, 0, 0]), "mass"), (([1, 1, 1], ROW * np.nan, [1, 0, 0]), "W: entry"),
                            (([1, 1, 1], ROW, [1, np.nan, 0]), "v: entry 1"), ((np.eye(2), ROW, [1, 0, 0]), "M is 2 x 2"),
                            ((-np.eye(3), ROW, [1, 0, 0]), "positive"), (([], np.zeros((0, 0)), []), "coordinate")]:
        with pytest.raises(ValueError, match=text):
            carom.impact(*arguments, e=0.5)
    with pytest.raises(ValueError, match="one per contact"):
        carom.impact([1, 1, 1], ROW, [1, 0, 0], e=[0.1, 0.2, 0.3])
    with pytest.raises(TypeError):
        carom.impact([1, 1, 1], ROW, [1, 0, 0])
    with pytest.raises(carom.ModelError, match="pairs"):
        carom.impact(np.ones(1), np.ones((1, 20_000)), [-1.0], e=0.5)


def test_random_wrong_calls():
    random = np.random.default_rng(11)
    things = [None, 0, -1, np.nan, np.inf, "lzb", "", b"x", [], [[]], [1], [1, 2, 3], np.eye(3), np.eye(2)[:, :1],
              np.zeros((0, 0)), np.zeros((3, 3, 3)), np.array(["a"]), {}, object(), 1j, np.full((3, 2), np.nan), 10**400,
              2**63, True, len, range(3), iter([1]), np.array(3.0), ROW, -ROW, [0.5, 0.5], 1e308]
    names = ["M", "W", "v", "e", "law", "rate", "stiffness", "exponent", "joints", "allow_gain", "history", "strict",
             "order", "method", "step", "max_steps", "seed", "separating"]
    refused = 0
    for _ in range(300):
        call = dict(M=[1, 1, 1], W=ROW, v=[1, 0, -1], e=0.5, law=LAWS[random.integers(len(LAWS))])
        for name in random.choice(names, size=random.integers(1, 4), replace=False):
            call[name] = things[random.integers(len(things))]
        if isinstance(call["law"], str) and call["law"] == "lzb":
            call.setdefault("max_steps", 10_000)
        try:
            carom.impact(**call)
        except (TypeError, ValueError, OverflowError, carom.CaromError) as problem:
            assert str(problem), call
            refused += 1
    assert refused > 200
