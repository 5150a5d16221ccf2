"""Derivatives of motions in Python: closed forms, the program's numbers, wrong names."""

import gc

import carom
import numpy as np
import pytest

BALL = """
local e, g, y0 = param { "e", 0.8 }, param { "g", 9.81 }, param { "y0", 1 }
local y = coordinates("y")
mass(1)  potential(g * y)  contact { "floor", gap = y, restitution = e }
initial { y = y0 }
measure { height = y, hits = times(impact "floor") }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
"""

# A shape whose touches have no derivatives.
CYLINDER = """
local e = param { "e", 0.5 }
world { gravity = { 0, 0, -9.81 } }
pair { restitution = e }
fixed { "floor", shape = plane { normal = { 0, 0, 1 }, offset = 0 } }
body { "can", shape = cylinder { radius = 0.1, height = 0.2 }, density = 1000, at = { 0, 0, 0.101 } }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 0.02 }
"""


def test_second_flight_of_a_ball():
    r = carom.Model(BALL).run(sensitivity=["e", "y0"])
    s = r.sensitivity
    t1, v1 = np.sqrt(2 / 9.81), np.sqrt(2 * 9.81)
    flies = r.t > t1 + 1e-9
    assert np.abs(s["y", "e"][flies] - v1 * (r.t[flies] - t1)).max() < 1e-12
    assert (s["y", "e"][r.t < t1 - 1e-9] == 0).all() and np.abs(s["y", "y0"][r.t < t1 - 1e-9] - 1).max() < 1e-14
    assert s.method == "exact" and s.names == ["e", "y0"] and s.breaks == []
    assert np.array_equal(s.q[0], [s["y", "e"][-1], s["y", "y0"][-1]]) and np.array_equal(s.v[0, :1], s["dot(y)", "e"][-1:])
    assert s.measures["height"]["e"] == s["y", "e"][-1]
    hits = [i for i, event in enumerate(r.events) if event.kind == "impact"]
    assert np.abs(s.event_times[hits[0]] - [0, t1 / 2]).max() < 1e-12


def test_arrays_outlive_the_motion_and_every_keeps_them_beside_their_times():
    model = carom.Model(BALL)
    whole, some = model.run(sensitivity="e"), model.run(sensitivity="e", every=7)
    slope = some.sensitivity["y", "e"]
    at = np.searchsorted(whole.t, some.t)
    assert slope.shape == some.t.shape and np.array_equal(slope, whole.sensitivity["y", "e"][at])
    kept = np.array(slope)
    del some, whole
    gc.collect()
    assert np.array_equal(kept, slope)


def test_run_files_have_the_series(tmp_path):
    model = carom.Model(BALL)
    r = model.run(sensitivity=["y0", "e"])
    r.save(tmp_path / "ball.h5")
    back = carom.load(tmp_path / "ball.h5").sensitivity
    s = r.sensitivity
    assert back.names == s.names == ["y0", "e"] and back.method == "exact" and back.breaks == [] and back.break_count == 0
    for name in s.names:
        for column in ("y", "dot(y)"):
            assert np.array_equal(back[column, name], s[column, name])
    assert np.array_equal(back.q, s.q) and np.array_equal(back.v, s.v)
    assert back.measures["height"] == s.measures["height"]
    assert np.array_equal(back.measures["hits"]["e"], s.measures["hits"]["e"])
    assert carom.load(tmp_path / "ball.h5").sensitivity is not None
    model.run().save(tmp_path / "plain.h5")
    assert carom.load(tmp_path / "plain.h5").sensitivity is None


def test_run_files_of_breaks_and_differences(tmp_path):
    rest = carom.Model(BALL, y0=0).run(until=0.05, scheme="moreau-jean", sensitivity=["y0"])
    rest.save(tmp_path / "rest.h5")
    back = carom.load(tmp_path / "rest.h5").sensitivity
    assert back.break_count >= 1 and back.breaks == rest.sensitivity.breaks
    r = carom.Model(CYLINDER).run(until=0.02, sensitivity=["e"])
    r.save(tmp_path / "bin.h5")
    back = carom.load(tmp_path / "bin.h5").sensitivity
    assert back.method == "differences" and back.why == r.sensitivity.why and back.error == r.sensitivity.error
    assert np.array_equal(back.q, r.sensitivity.q, equal_nan=True) and len(back[r.columns[1], "e"]) == 0


def test_steps_and_differences():
    steps = carom.Model(BALL).run(scheme="moreau-jean", sensitivity=["e"])
    assert steps.sensitivity.method == "exact"
    bodies = carom.experiment("bodies/bin", n=2).run(until=0.02, sensitivity=["e"])
    assert bodies.sensitivity.method == "exact"
    cylinder = carom.Model(CYLINDER).run(until=0.02, sensitivity=["e"])
    assert cylinder.sensitivity.method == "differences" and "cylinder" in cylinder.sensitivity.why
    assert carom.Model(BALL).run().sensitivity is None


def test_wrong_names():
    model = carom.Model(BALL)
    with pytest.raises(carom.ModelError, match="neither a parameter nor an initial value"):
        model.run(sensitivity=["mass"])
    for wrong in ([3], [""], [None], "e,,g"):
        with pytest.raises(TypeError, match="names such as"):
            model.run(sensitivity=wrong)
    s = model.run(sensitivity="e,q:y").sensitivity
    for wrong in (("y", "g"), ("x", "e"), "y", ("y",)):
        with pytest.raises(KeyError):
            s[wrong]
