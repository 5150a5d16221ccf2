"""Model.fit: the numbers of `carom fit`, several motions, events, outliers, pictures, wrong calls, Ctrl-C."""

import matplotlib
import numpy as np
import pytest

import carom
from program import interrupted, json_of, same

matplotlib.use("Agg")

BALL = """
local e = param { "e", 0.7, min = 0, max = 1 }
local g = param { "g", 9.81, min = 1, max = 20 }
local y = coordinates("y")
mass(1)
potential(g * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
record { height = y, speed = dot(y) }
integrate { scheme = "event-driven", h = 0.0137, until_t = 1.6 }
"""


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


@pytest.fixture
def ball():
    return carom.Model(BALL)


def measured(ball, sigma=0.004, seed=3, **values):
    r = ball.run(**values)
    random = np.random.default_rng(seed)
    return {"t": r.t, "height": r["y"] + sigma * random.standard_normal(r.t.size), "speed": r["speed"]}


def test_like_the_program(ball):
    data = measured(ball, e=0.8)
    data["height"][30] = np.nan
    with open("ball.lua", "w") as file:
        file.write(BALL)
    with open("drop.csv", "w") as file:
        file.write("t,height\n" + "".join("%.17g,%s\n" % (t, "" if np.isnan(y) else "%.17g" % y)
                                          for t, y in zip(data["t"], data["height"])))
    told = json_of("fit", "ball.lua", "--data", "drop.csv", "--map", "height=y", "--params", "e,g,q:y")
    r = ball.fit(data, map={"height": "y"}, params="e,g,q:y")
    assert r.status == told["status"] == "ok"
    for name, one in told["params"].items():
        for key in ("value", "error", "low", "high", "start"):
            assert same(getattr(r[name], key), one[key]), (name, key)
    assert same(r.correlation, told["correlation"]) and same(r.rms, told["rms"])
    assert (r.runs, r.iterations, r.exact) == (told["runs"], told["iterations"], told["jacobian"] == "exact")
    residual = r.data[0]["height"]["residual"]
    assert np.isnan(residual[30]) and same(residual[~np.isnan(residual)], told["residuals"][0]["residual"])
    assert r["e"].low < 0.8 < r["e"].high and r["e"].bound is None and r["e"].determined


def test_several_motions_with_values_of_their_own(ball):
    low = carom.Model(BALL.replace("y = 1 }", "y = 0.6 }"))
    data = [measured(ball, e=0.8), (measured(low, e=0.8, seed=4), {"q:y": 0.63})]
    r = ball.fit(data, map={"height": "y"}, params="e", each=["q:y"], threads=2)
    assert list(r.params) == ["e", "q:y (data 1)", "q:y (data 2)"]
    assert abs(r["q:y (data 2)"].value - 0.6) < 5 * r["q:y (data 2)"].error
    assert len(r.data) == len(r.curves) == 2 and r.curves[0]["height"].size == 2000


def test_columns_and_deviations(ball):
    data = measured(ball, e=0.8)
    data["deviation"] = np.full(data["t"].size, 0.004)
    by_number = ball.fit(data, map={"height": "y"}, params="e", sigma={"height": 0.004})
    by_column = ball.fit(data, map={"height": "y"}, params="e", sigma={"height": "deviation"})
    assert by_number["e"].value == by_column["e"].value
    assert abs(by_number.variance - 1) < 0.4
    both = ball.fit(data, map={"height": "y", "speed": "dot(y)"}, params="e,g")
    assert abs(both["e"].value - 0.8) < 1e-6


def test_events_bounds_and_outliers(ball):
    times = [event.t for event in ball.run(e=0.8, until=3, events=True).events if event.kind == "impact"]
    r = ball.fit({"t": times}, events="floor", params="e", start={"e": 0.5})
    assert abs(float(r["e"]) - 0.8) < 1e-8 and r["e"].start == 0.5
    data = measured(ball, e=0.8)
    held = ball.fit(data, map={"height": "y"}, params="e", bounds={"e": (None, 0.75)})
    assert held["e"].bound == "high" and np.isnan(held["e"].error) and held.warnings
    data["height"][5::10] += 0.4
    assert abs(ball.fit(data, map={"height": "y"}, params="e", loss="cauchy")["e"].value - 0.8) < 0.003


def test_what_the_data_do_not_tell():
    spring = carom.Model("""
    local k, m = param { "k", 30, min = 1 }, param { "m", 2, min = 0.1 }
    local x = coordinates("x")
    mass(m)
    potential(k * x^2 / 2)
    initial { x = 0.1 }
    integrate { scheme = "moreau-jean", h = 0.01, until_t = 3 }
    """)
    run = spring.run(k=36)
    r = spring.fit({"t": run.t, "x": run["x"]}, map={"x": "x"}, params=["k", "m"])
    assert r.status == "undetermined" and "only k/m" in r.undetermined[0] and not r["k"].determined


def test_picture(ball):
    r = ball.fit(measured(ball, e=0.8), map={"height": "y", "speed": "dot(y)"}, params="e")
    assert len(r.plot().axes) == 4
    assert "e = 0.8" in repr(r)


@pytest.mark.parametrize("kind, part, given", [
    (carom.ModelError, "map says", {}),
    (carom.ModelError, "there is no column 'z'; there are t, height, speed", {"map": {"z": "y"}, "params": "e"}),
    (carom.ModelError, "there is no column 'when'", {"map": {"height": "y"}, "params": "e", "time": "when"}),
    (carom.ModelError, "there is no 'f'; there are e, g, q:y, v:y", {"map": {"height": "y"}, "params": "f"}),
    (carom.ModelError, "no parameters", {"map": {"height": "y"}}),
    (carom.ModelError, "'g' is not among params", {"map": {"height": "y"}, "params": "e", "start": {"g": 1}}),
    (carom.ModelError, "loss is", {"map": {"height": "y"}, "params": "e", "loss": "tukey"}),
    (carom.ModelError, "jacobian is", {"map": {"height": "y"}, "params": "e", "jacobian": "none"}),
    (TypeError, "a pair", {"map": {"height": "y"}, "params": "e", "bounds": {"e": 1}}),
    (carom.ModelError, "starts = 0", {"map": {"height": "y"}, "params": "e", "starts": 0}),
])
def test_wrong_calls(ball, kind, part, given):
    with pytest.raises(kind) as caught:
        ball.fit(measured(ball), **given)
    assert part in str(caught.value)


def test_interrupted(ball):
    data = measured(ball, e=0.8)
    stopped = interrupted(lambda: ball.fit(data, map={"height": "y"}, params="e,g", scheme="moreau-jean", h=1e-5, starts=1000,
                                           bounds={"g": (5, 15)}))
    assert "interrupted" in str(stopped)
