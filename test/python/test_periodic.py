"""Model.orbit, continue_ and modes: the numbers of the program, closed forms, wrong calls, Ctrl-C, memory."""


import matplotlib
import numpy as np
import pytest

import carom
from program import CHAIN, LINEAR, RING, interrupted, json_of, resident, same

matplotlib.use("Agg")

# A damped mass on a spring, driven, against a wall that takes a fifth of its speed.
DRIVEN = """
local om = param { "om", 1.6, min = 0 }
local x = coordinates("x")
mass(1)  potential(x ^ 2 / 2)
force { x = cos(om * time()) - 0.1 * dot(x) }
contact { "wall", gap = 0.2 - x, restitution = 0.8 }
initial { x = 0 }
integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
"""
TURN = 2 * np.pi / 1.6


@pytest.fixture
def files(tmp_path):
    for name, text in (("chain", CHAIN), ("linear", LINEAR), ("ring", RING), ("driven", DRIVEN)):
        (tmp_path / f"{name}.lua").write_text(text)
    return tmp_path


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


# ---- one motion


def equal_orbit(orbit, told):
    for name in ("status", "verdict", "method", "guess"):
        assert getattr(orbit, name) == told.get(name), name
    assert orbit.candidates == told["candidates"] and orbit.period == told["period"]
    if "iterations" in told:
        assert orbit.iterations == told["iterations"] and same(orbit.residual, told["residual"])
    assert same(orbit.parameters.values(), told["params"])
    if not orbit.found:
        return
    assert orbit.energy == told["energy"] and orbit.t0 == told["t0"]
    assert same(orbit.q0, told["q"]) and same(orbit.v0, told["v"])
    assert len(orbit.impacts) == len(told["impacts"])
    for found, wanted in zip(orbit.impacts, told["impacts"]):
        assert found.contact == wanted["contact"]
        assert all(same(getattr(found, name), wanted[name]) for name in ("t", "approach", "impulse", "flight"))
    assert same(orbit.margin["gap"], told["margin"]["gap"]) and orbit.margin["contact"] == told["margin"].get("contact")
    assert same(orbit.largest_multiplier, told["largest_multiplier"]) and orbit.stable == told.get("stable")
    assert same([[m.real, m.imag] for m in orbit.multipliers], told["multipliers"])
    if "verify" in told:
        assert same(orbit.verify["deviation"], told["verify"]["deviation"])
        assert same(orbit.verify["growth"], told["verify"]["growth"])
        assert orbit.verify["stays"] == told["verify"]["stays"] and orbit.verify["done"] == told["verify"]["done"]


@pytest.mark.parametrize("model, keywords, options", [
    ("linear", {"period": 4.4, "impacts": "wall", "verify": 10},
     ["--period", 4.4, "--impacts", "wall", "--verify", 10]),
    ("linear", {"period": 3.83, "impacts": ["wall", "wall"], "pick": 1},
     ["--period", 3.83, "--impacts", "wall,wall", "--pick", 1]),
    ("linear", {"period": 4.4, "impacts": "wall", "k": 2.1, "verify": 20, "perturb": 1e-3},
     ["--period", 4.4, "--impacts", "wall", "--set", "k=2.1", "--verify", 20, "--perturb", 1e-3]),
    ("chain", {"period": 4.4, "impacts": "wall", "eps": 0.5, "guess": "linear"},
     ["--period", 4.4, "--impacts", "wall", "--set", "eps=0.5", "--guess", "linear"]),
    ("ring", {"period": 4.5, "impacts": [("wall0", 0), ("wall3", 0.5)]},
     ["--period", 4.5, "--impacts", "wall0@0,wall3@0.5"]),
    ("driven", {"period": TURN, "impacts": "wall", "settle": 40, "verify": 5},
     ["--period", repr(TURN), "--impacts", "wall", "--settle", 40, "--verify", 5]),
])
def test_orbits_like_the_program(files, model, keywords, options):
    file = files / f"{model}.lua"
    equal_orbit(carom.Model(file).orbit(strict=False, **keywords), json_of("orbit", file, *options))


def test_what_is_no_motion_is_told(files):
    model = carom.Model(files / "linear.lua")
    with pytest.raises(carom.StepError, match="NOT a motion: 'wall' penetrates") as caught:
        model.orbit(3.98, "wall")
    assert caught.value.result.found and not caught.value.result.is_motion
    candidate = model.orbit(3.98, "wall", strict=False)
    equal_orbit(candidate, json_of("orbit", files / "linear.lua", "--period", 3.98, "--impacts", "wall"))
    assert candidate.status == "no-motion"


def test_a_motion_comes_back_in_a_run_of_its_own():
    model = carom.Model(LINEAR)
    orbit = model.orbit(4.4, "wall")
    assert orbit.t[0] == 0.0 and abs(orbit.t[-1] - 4.4) < 1e-12
    assert np.allclose(orbit["u2"][[0, -1]], 1.0, atol=1e-10) and orbit["u2"].max() <= 1.0 + 1e-12
    assert np.allclose(orbit["dot(u2)"][-1], -orbit["dot(u2)"][0], rtol=1e-9)  # elastic: before and after
    assert np.array_equal(orbit.q[0], orbit.q0) and np.array_equal(orbit["t"], orbit.t)
    middle = orbit.t.size // 2
    run = model.run(q0=orbit.q[middle], v0=orbit.v[middle], t0=0.0, h=0.011, until=4.4)
    assert np.allclose(run.q[-1], orbit.q[middle], atol=1e-8) and np.allclose(run.v[-1], orbit.v[middle], atol=1e-8)
    energy = 0.25 * (orbit.v ** 2).sum(axis=1) + orbit["u1"] ** 2 + (orbit["u2"] - orbit["u1"]) ** 2
    assert np.allclose(energy, orbit.energy, rtol=1e-10)


def test_one_mass_in_closed_form():
    """x'' + x = 0 against x <= 1, period T: x = cos(t - T/2) / cos(T/2) with T between pi and 2 pi."""
    model = carom.Model("""
local x = coordinates("x")
mass(1)  potential(x ^ 2 / 2)
contact { "wall", gap = 1 - x, restitution = 1 }
initial { x = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
""")
    T = 4.0
    orbit = model.orbit(T, "wall")
    assert abs(orbit.v0[0] - np.tan(T / 2)) < 1e-12 and abs(orbit.energy - 0.5 / np.cos(T / 2) ** 2) < 1e-12
    assert np.allclose(orbit["x"], np.cos(orbit.t - T / 2) / np.cos(T / 2), atol=1e-12)
    assert np.allclose(orbit.multipliers, 1.0, atol=1e-5) and orbit.stable
    assert len(orbit.impacts) == 1 and abs(orbit.impacts[0].approach - abs(np.tan(T / 2))) < 1e-12
    found = model.modes()
    assert np.allclose(found.omega, 1.0) and np.allclose(found.grazing_energy, 0.5) and np.allclose(np.abs(found.shapes), 1.0)


def test_multipliers_of_a_damped_oscillator():
    """Their product is e^2 exp(-c T), whatever the force: each flight shrinks areas by exp(-c t), each impact by e^2."""
    orbit = carom.Model(DRIVEN).orbit(TURN, "wall", settle=40)
    assert abs(np.prod(orbit.multipliers) - 0.64 * np.exp(-0.1 * TURN)) < 1e-7
    assert orbit.stable and orbit.method == "shooting"


def test_a_model_that_was_built_in_python():
    m = carom.Model()
    u1, u2 = m.coordinates("u1", "u2")
    m.mass([[0.5, 0], [0, 0.5]])
    m.potential(u1**2 + (u2 - u1) ** 2)
    m.contact("wall", gap=1 - u2, restitution=1)
    m.initial(u2=0.5)
    file = carom.Model(LINEAR)
    assert m.orbit(4.4, "wall").energy == file.orbit(4.4, "wall").energy
    assert np.allclose(m.modes().omega, file.modes().omega, rtol=1e-14)
    assert m.continue_("period", 4.4, 3.5, impacts="wall").end == "junction"


# ---- branches


def equal_branch(branch, told):
    assert branch.status == told["status"] and branch.end == told["end"] and branch.end_text == told["end_text"]
    assert branch.over == told["parameter"] and branch.start.method == told["method"]
    assert same(branch.crossings, told["crossings"]) and len(branch) == len(told["points"])
    for i, point in enumerate(told["points"]):
        for name in ("parameter", "period", "energy", "largest_multiplier", "margin", "approach", "impacts", "stable",
                     "fold", "admissible", "crossing"):
            assert same(getattr(branch, name)[i], point[name]), (name, i)
        assert same(branch.q[i], point["q"]) and same(branch.v[i], point["v"])
        assert same(branch.flights[i], point["flights"])
    if "patterns" in told:
        for found, wanted in zip(branch.patterns, told["patterns"]):
            assert all(found[name] == wanted.get(name) for name in ("impacts", "from", "to", "end", "contact", "t"))
        assert len(branch.patterns) == len(told["patterns"])


@pytest.mark.parametrize("model, arguments, keywords, options", [
    ("linear", ("period", 4.4, 3.5), {"impacts": "wall"}, ["--param", "period", "--from", 4.4, "--to", 3.5, "--impacts", "wall"]),
    ("chain", ("eps", 0.0, 1.0), {"period": 4.4, "impacts": "wall", "points": 12, "step": 0.1},
     ["--param", "eps", "--from", 0, "--to", 1, "--period", 4.4, "--impacts", "wall", "--points", 12, "--step", 0.1]),
    ("ring", ("gamma", 0.0, 0.5), {"period": 4.4, "impacts": "wall3@0", "pattern": True, "switches": 2},
     ["--param", "gamma", "--from", 0, "--to", 0.5, "--period", 4.4, "--impacts", "wall3@0", "--pattern", "--switches", 2]),
    ("driven", ("om", 1.6, 1.5), {"period": TURN, "impacts": "wall", "settle": 40, "frequency": "om"},
     ["--param", "om", "--from", 1.6, "--to", 1.5, "--period", repr(TURN), "--impacts", "wall", "--settle", 40,
      "--frequency", "om"]),
])
def test_branches_like_the_program(files, model, arguments, keywords, options):
    file = files / f"{model}.lua"
    equal_branch(carom.Model(file).continue_(*arguments, **keywords), json_of("continue", file, *options))


def test_switch_and_locus():
    """The same branches and the same locus as the program finds; what is no such thing is refused."""
    impact = carom.experiment("oscillators/impact")
    branch = impact.continue_("w", 2.6, 2.7, impacts="wall", switch="flip", depth=2, locus="flip", second="e", second_stop=0.75)
    printed = json_of("continue", "oscillators/impact", "--param", "w", "--from", "2.6", "--to", "2.7", "--impacts", "wall", "--switch", "flip",
                      "--depth", "2", "--locus", "flip", "--second", "e", "--second-to", "0.75")
    assert [b.times for b in branch.branches] == [b["times"] for b in printed["branches"]] and branch.branches
    for mine, its in zip(branch.branches, printed["branches"]):
        assert mine.origin == its["at"] and mine.end == its["end"]
        assert list(mine.parameter) == [p["parameter"] for p in its["points"]]
        assert list(mine.largest_multiplier) == [p["largest_multiplier"] for p in its["points"]]
    assert list(branch.locus.parameter) == [p["parameter"] for p in printed["locus"]["points"]]
    assert list(branch.locus.second) == [p["second"] for p in printed["locus"]["points"]]
    assert branch.locus.end == printed["locus"]["end"] and branch.locus.over == ("w", "e")
    anything = impact.continue_("w", 2.6, 2.7, impacts="any", switch="flip")
    assert abs(anything.branches[0].origin - 2.65617730) < 1e-8 and anything.locus is None
    for keywords, words in (({"switch": "fold"}, "switch is flip"), ({"locus": "torus"}, "locus is fold"), ({"locus": "flip"}, "second"),
                            ({"second": "e"}, "second"), ({"switch": "flip", "depth": 0}, "depth"),
                            ({"locus": "flip", "second": "z", "second_stop": 1}, "'z' is no parameter")):
        with pytest.raises((carom.ModelError, ValueError), match=words):
            impact.continue_("w", 2.6, 2.7, impacts="wall", **keywords)


def test_a_branch_ends_at_a_junction_and_every_point_is_an_orbit():
    """The window of periods with one impact begins at 3.9952583 (two masses, unit gap)."""
    model = carom.Model(LINEAR)
    branch = model.continue_("period", 4.4, 3.5, impacts="wall")
    assert branch.end == "junction" and abs(branch.parameter[-1] - 3.9952583) < 1e-6
    for i in (0, len(branch) // 2):
        orbit = model.orbit(branch.period[i], "wall")
        assert abs(orbit.energy - branch.energy[i]) < 1e-8 * orbit.energy and np.allclose(orbit.v0, branch.v[i], rtol=1e-7)
    assert branch.start.period == 4.4 and branch.patterns is None
    frame = branch.to_pandas()
    assert np.array_equal(frame["energy"], branch.energy) and len(frame) == len(branch)


# ---- modes


def test_modes_like_the_program(files):
    told = json_of("modes", files / "linear.lua", "--impacts", "1,2", "--periods", "1.5:10", "--sticking", "--points", 60)
    found = carom.Model(files / "linear.lua").modes(impacts=[1, 2], periods=(1.5, 10), sticking=True, points=60)
    assert found.contact == told["contact"] and same(found.periods, told["periods"]) and found.complete == told["complete"]
    assert same(found.omega, [mode["omega"] for mode in told["modes"]])
    assert same(found.grazing_energy, [mode["grazing_energy"] for mode in told["modes"]])
    assert np.allclose(found.period, [mode["period"] for mode in told["modes"]], rtol=1e-15)
    assert len(found.windows) == len(told["windows"]) and len(found.branches) == len(told["branches"])
    for window, wanted in zip(found.windows, told["windows"]):
        for k, side in enumerate(("from", "to")):
            assert window.period[k] == wanted[side]["period"] and same(window.energy[k], wanted[side]["energy"])
            assert window.end[k] == wanted[side]["end"] and window.touch_time[k] == wanted[side].get("touch_time")
    for branch, wanted in zip(found.branches, told["branches"]):
        assert branch.impacts == wanted["impacts"] and list(branch.ends) == wanted["ends"]
        for name in ("period", "energy", "largest_multiplier", "stable", "fold"):
            assert same(getattr(branch, name), [point[name] for point in wanted["points"]])
    assert len(found.sticking) == len(told["sticking"])
    for motion, wanted in zip(found.sticking, told["sticking"]):
        for name in ("period", "flight", "contact", "energy", "least_reaction", "displacement", "velocity"):
            assert same(motion[name], wanted[name])


def test_linear_modes_in_closed_form():
    """M = I/2, K = [[4, -2], [-2, 2]]: omega = sqrt 5 -+ 1; a mode that just touches has the energy 1 / (2 b^2 / omega^2)."""
    found = carom.Model(LINEAR).modes()
    assert np.allclose(found.omega, [np.sqrt(5) - 1, np.sqrt(5) + 1], rtol=1e-12)
    mass, stiffness = np.eye(2) / 2, np.array([[4.0, -2.0], [-2.0, 2.0]])
    assert np.allclose(found.shapes.T @ mass @ found.shapes, np.eye(2), atol=1e-12)
    assert np.allclose(found.shapes.T @ stiffness @ found.shapes, np.diag(found.omega ** 2), atol=1e-12)
    assert np.allclose(found.grazing_energy, found.omega ** 2 / (2.0 * found.shapes[1] ** 2), rtol=1e-12)
    assert found.sticking is None and found.complete
    known = [(1.7712135, "energy", 1.9416110, "linear"), (2.6487479, "energy", 3.8832221, "linear"),
             (3.9952583, "junction", 5.0832037, "linear"), (9.1742553, "junction", 9.7080552, "linear")]
    for window, (low, low_end, high, high_end) in zip(found.windows, known):
        assert np.allclose(window.period, (low, high), atol=1e-6) and window.end == (low_end, high_end)


def test_pictures():
    model = carom.Model(LINEAR)
    orbit = model.orbit(4.4, "wall").plot()
    assert len(orbit.axes) == 3 and len(orbit.axes[0].lines) == 2
    branch = model.continue_("period", 4.4, 3.9, impacts="wall")
    drawn = branch.plot().axes[0].lines
    assert {line.get_linestyle() for line in drawn[:2]} == {"-", "--"} and len(branch.crossings) == 1
    assert sum(len(line.get_xdata()) for line in drawn[:2]) == len(branch) + 1  # both parts have the point between them
    assert drawn[2].get_xdata().tolist() == branch.crossings.tolist() and len(drawn) == 3
    modes = model.modes(impacts=(1, 2)).plot()
    assert modes.axes[0].get_xscale() == "log" and len(modes.axes[0].lines) > 4


# ---- wrong calls


@pytest.mark.parametrize("keywords, text", [
    ({"period": 0.0, "impacts": "wall"}, "above 0"),
    ({"period": np.nan, "impacts": "wall"}, "nan"),
    ({"period": 4.4, "impacts": "wal"}, "did you mean 'wall'"),
    ({"period": 4.4, "impacts": []}, "names of contacts"),
    ({"period": 4.4, "impacts": ""}, "names of contacts"),
    ({"period": 4.4, "impacts": "wall@1"}, "from 0 to below 1"),
    ({"period": 4.4, "impacts": [("wall", 2.0)]}, "from 0 to below 1"),
    ({"period": 4.4, "impacts": "wall@0,wall"}, "all of them one, or none"),
    ({"period": 4.4, "impacts": [("wall", 0.5), ("wall", 0.5)]}, "struck twice"),
    ({"period": 4.4, "impacts": "wall", "e": 0.8}, "has restitution 0.8"),
    ({"period": 4.4, "impacts": "wall", "guess": "good"}, "'linear' or 'run'"),
    ({"period": 4.4, "impacts": "wall,wall", "flights": [1.0]}, "one per impact"),
    ({"period": 4.4, "impacts": "wall", "flights": [-1.0]}, "above 0"),
    ({"period": 4.4, "impacts": "wall", "pick": 0}, "from 1 to 64"),
    ({"period": 4.4, "impacts": "wall", "settle": -1.0}, "above 0"),
    ({"period": 4.4, "impacts": "wall", "verify": 0}, "from 1"),
    ({"period": 4.4, "impacts": "wall", "perturb": 0.1}, "perturb is for verify"),
    ({"period": 9.0, "impacts": "wall,wall,wall,wall"}, "guess the times between them by flights"),
    ({"period": 4.4, "impacts": "wall", "nothing": 1}, "'nothing' is not known"),
    ({"period": 4.4, "impacts": "wall", "k": -1}, "-1"),
])
def test_wrong_orbits(keywords, text):
    with pytest.raises(carom.ModelError, match=text):
        carom.Model(LINEAR).orbit(**keywords)


@pytest.mark.parametrize("keywords", [
    {"period": "long", "impacts": "wall"}, {"period": 4.4, "impacts": 3}, {"period": 4.4, "impacts": [3]},
    {"period": 4.4, "impacts": [("wall", None)]}, {"period": 4.4, "impacts": "wall", "pick": 1.5},
    {"period": 4.4, "impacts": "wall", "flights": "x"}, {"period": True, "impacts": "wall"}, {"period": 4.4},
])
def test_wrong_types_of_orbits(keywords):
    with pytest.raises(TypeError):
        carom.Model(LINEAR).orbit(**keywords)


@pytest.mark.parametrize("text, arguments, keywords, wrong", [
    (LINEAR, ("k", 2, 2), {"period": 4.4, "impacts": "wall"}, "nothing to follow"),
    (LINEAR, ("k", 2, 3), {"impacts": "wall"}, "period says"),
    (LINEAR, ("period", 4.4, 4), {"period": 4.4, "impacts": "wall"}, "leave out period"),
    (LINEAR, ("period", 4.4, -4), {"impacts": "wall"}, "above 0"),
    (LINEAR, ("nothing", 1, 2), {"period": 4.4, "impacts": "wall"}, "'nothing' is not known"),
    (LINEAR, ("whole", 1, 2), {"period": 4.4, "impacts": "wall"}, "whole number"),
    (LINEAR, ("k", 2, 3), {"period": 4.4, "impacts": "wall", "k": 2}, "leave one out"),
    (LINEAR, ("e", 1, 0.5), {"period": 4.4, "impacts": "wall"}, "restitution of 'wall' becomes 0.5"),
    (LINEAR, ("k", 2, 3), {"period": 4.4, "impacts": "wall", "switches": 1}, "switches is for pattern"),
    (LINEAR, ("k", 2, 3), {"period": 4.4, "impacts": "wall", "pattern": True, "through": True}, "goes without through"),
    (LINEAR, ("k", 2, 3), {"period": 4.4, "impacts": "wall", "points": 1}, "from 2"),
    (LINEAR, ("k", 2, 3), {"period": 4.4, "impacts": "wall", "step": 0}, "above 0"),
    (LINEAR, ("k", 2, 3), {"period": 4.4, "impacts": "wall", "frequency": "nothing"}, "no parameter"),
    (CHAIN, ("eps", 0, 1), {"period": 4.4, "impacts": "wall", "pattern": True}, "pattern is for linear models"),
    (RING, ("gamma", 0, 0.5), {"period": 4.4, "impacts": "wall3@0,wall4@0", "through": True}, "at one instant"),
    (LINEAR, ("k", np.nan, 3), {"period": 4.4, "impacts": "wall"}, "nan"),
])
def test_wrong_branches(text, arguments, keywords, wrong):
    with pytest.raises(carom.ModelError, match=wrong):
        carom.Model(text).continue_(*arguments, **keywords)


def test_branches_need_a_motion_to_start_from():
    with pytest.raises(carom.StepError, match="at the start, period = 3.98: NOT a motion"):
        carom.Model(LINEAR).continue_("period", 3.98, 3.9, impacts="wall")
    with pytest.raises(TypeError):
        carom.Model(LINEAR).continue_(3, 1.0, 2.0, impacts="wall")


@pytest.mark.parametrize("text, keywords, wrong", [
    (LINEAR, {"impacts": 4}, "from 1 to 3"), (LINEAR, {"periods": (3, 2)}, "the smaller first"),
    (LINEAR, {"periods": (-1, 2)}, "above 0"), (LINEAR, {"points": 1}, "from 2"),
    (LINEAR, {"nothing": 1}, "'nothing' is not known"), (CHAIN, {}, "is not linear"), (RING, {}, "has 6 contacts"),
    (LINEAR, {"e": 0.5}, "has restitution 0.5"), (LINEAR, {"k": 0}, "no position of rest"),
])
def test_wrong_modes(text, keywords, wrong):
    with pytest.raises(carom.ModelError, match=wrong):
        carom.Model(text).modes(**keywords)


def test_wrong_types_of_modes():
    with pytest.raises(TypeError):
        carom.Model(LINEAR).modes(impacts="one")
    with pytest.raises(ValueError):
        carom.Model(LINEAR).modes(periods=(1, 2, 3))
    with pytest.raises(ValueError):
        carom.Model(LINEAR).modes(periods=(1, np.nan))


@pytest.mark.parametrize("name, wrong", [
    ("mechanisms/four-bar", "joint"), ("bodies/dominoes", "bodies with shapes"), ("desaxce-2018/frame", "is a study"),
])
def test_models_that_are_not_treated(name, wrong):
    model = carom.experiment(name)
    for call in (lambda: model.orbit(1.0, "wall"), lambda: model.modes(),
                 lambda: model.continue_("period", 1.0, 2.0, impacts="wall")):
        with pytest.raises(carom.ModelError, match=wrong):
            call()


# ---- Ctrl-C and memory


def test_interrupted_branch_keeps_its_points():
    model = carom.Model(CHAIN)
    stopped = interrupted(lambda: model.continue_("eps", 0.0, 1000.0, period=4.4, impacts="wall", step=1e-3,
                                                  points=1000000), after=1.0)
    assert 1 < len(stopped.result) < 1000000 and np.isfinite(stopped.result.energy).all()


def test_interrupted_searches_end_at_once():
    model = carom.Model(DRIVEN)
    interrupted(lambda: model.orbit(TURN, "wall", settle=1e6), after=0.5)
    interrupted(lambda: carom.Model(LINEAR).orbit(4.4, "wall", verify=1000000), after=0.5)


def test_no_leak_over_300_searches(memory_is_given_back):
    model = carom.Model(LINEAR)

    def search(count):
        for i in range(count):
            assert model.orbit(4.4, "wall").stable
            with pytest.raises(carom.StepError):
                model.orbit(3.98, "wall")
            if i % 10 == 0:
                assert len(model.continue_("period", 4.4, 4.39, impacts="wall", points=3)) >= 2

    search(30)
    before = resident()
    search(300)
    assert resident() - before < 3000  # kB
