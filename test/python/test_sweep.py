"""Model.sweep: the numbers of `carom sweep`, closed forms, files, pictures, wrong calls, Ctrl-C, memory."""

import matplotlib
import numpy as np
import pytest

import carom
from program import BALL, file_of, interrupted, json_of, listed, resident, same

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def equal(sweep, told):
    """Every number of the program's object is there."""
    assert list(sweep.axes) == [axis["name"] for axis in told["axes"]]
    for axis in told["axes"]:
        assert same(sweep.axes[axis["name"]], axis["values"])
    assert sweep.measures == told["measures"]
    assert len(sweep) == len(told["points"])
    for i, point in enumerate(told["points"]):
        place = np.unravel_index(i, sweep.shape)
        assert sweep.status[place] == point["status"]
        assert sweep.messages[place] == point.get("message")
        assert sweep.steps[place] == point["steps"]
        assert sweep.trusted[place] == point["trusted"]
        for name, value in point["measures"].items():
            assert same(sweep[name][place], value), (name, place)


# ---- the program


def test_one_axis_like_the_program():
    e = np.linspace(0.0, 0.9, 7)
    sweep = carom.experiment("paoli-2001/bouncing-ball").sweep(e=e)
    equal(sweep, json_of("sweep", file_of("paoli-2001/bouncing-ball"), "--over", f"e={listed(e)}"))
    assert sweep["q"].dtype == object and sweep["q"][0].shape == (4,)
    assert sweep["zeno_time"][1].shape in ((0,), (1,))


def test_two_axes_with_fixed_values_and_a_step_like_the_program():
    e, wall = [0.25, 0.75], [-0.4, -0.3, -0.2]
    model = carom.experiment("dzonou-2007/double-pendulum")
    sweep = model.sweep(e=e, xw=wall, m2=0.7, until=0.5, threads=2)
    told = json_of("sweep", file_of("dzonou-2007/double-pendulum"), "--over", f"e={listed(e)}", "--over",
                   f"xw={listed(wall)}", "--set", "m2=0.7", "--until", "0.5")
    equal(sweep, told)
    assert sweep.shape == (2, 3) and sweep["angle1"].shape == (2, 3)


def test_schemes_and_steps_like_the_program():
    h, schemes = [0.002, 0.005], ["moreau-jean", "sweeping"]
    sweep = carom.experiment("paoli-2001/bouncing-ball").sweep(h=h, scheme=schemes, measures=["error", "impacts"], theta=0.6)
    told = json_of("sweep", file_of("paoli-2001/bouncing-ball"), "--over", f"h={listed(h)}", "--over",
                   f"scheme={listed(schemes)}", "--measure", "error,impacts", "--option", "theta=0.6")
    equal(sweep, told)
    assert list(sweep.axes["scheme"]) == schemes


def test_settings_are_read_anew_by_every_thread_like_the_program(tmp_path):
    (tmp_path / "ball.lua").write_text(BALL)
    model, n, e = carom.Model(tmp_path / "ball.lua"), [1, 2, 3, 5], [0.3, 0.6]
    sweep = model.sweep(n=n, e=e, g=9.81, threads=4)
    told = json_of("sweep", tmp_path / "ball.lua", "--over", "n=1,2,3,5", "--over", f"e={listed(e)}", "--set", "g=9.81")
    equal(sweep, told)
    assert np.allclose(sweep["momentum"] / np.array(n)[:, None], sweep["momentum"][0], rtol=1e-12)


def test_values_of_the_model_stay_where_it_is_read_anew():
    model = carom.Model(BALL, g=5.0, n=2)
    over_settings = model.sweep(n=[1, 3])
    assert np.array_equal(over_settings["height"][0], carom.Model(BALL).run(g=5.0).measures["height"])
    assert np.array_equal(model.sweep(g=[2.0, 4.0])["height"][0], carom.Model(BALL).run(g=2.0, n=2).measures["height"])


def built():
    m = carom.Model()
    y = m.coordinates("y")
    e = m.param("e", 0.8, min=0, max=1)
    n = m.setting("n", 1, integer=True)
    m.mass(n)
    m.potential(10 * n * y)
    m.contact("floor", gap=y, restitution=e)
    m.initial(y=1)
    m.measure(height=y)
    return m


def test_models_that_were_built_in_python():
    """Without a word about integration: h and until are of the call."""
    sweep = built().sweep(e=[0.3, 0.6], n=[1, 2], h=1e-2, until=1.2, scheme="event-driven")
    assert np.array_equal(sweep["height"], carom.Model(BALL).sweep(e=[0.3, 0.6], n=[1, 2])["height"])
    both = built().sweep(scheme=["event-driven", "moreau-jean"], h=1e-2, until=1.2, e=0.3)
    assert both["height"][0] == sweep["height"][0, 0] != both["height"][1]
    with pytest.raises(carom.ModelError, match="until is needed"):
        built().sweep(e=[0.3, 0.6], h=1e-2)


# ---- what must come out


def test_times_of_impacts_in_closed_form():
    """y = 1, g = 10: impacts at t1 = sqrt(2 / g) and t1 (1 + 2 e), the top between them at t1 (1 + e)."""
    e = np.array([0.2, 0.5, 0.7, 0.8])
    struck = carom.Model(BALL).sweep(e=e)["struck"]
    first = np.sqrt(0.2)
    for value, times in zip(e, struck):
        assert abs(times[0] - first) < 1e-10
        if first * (1 + 2 * value) < 1.2:
            assert abs(times[1] - first * (1 + 2 * value)) < 1e-9


def test_the_same_numbers_for_any_number_of_threads_and_as_single_runs():
    model, e = carom.Model(BALL), np.linspace(0.1, 0.9, 9)
    one, four = model.sweep(e=e, threads=1), model.sweep(e=e, threads=4)
    for name in ("height", "impacts", "momentum", "late"):
        assert np.array_equal(one[name], four[name], equal_nan=True)
    for i, value in enumerate(e):
        run = model.run(e=value, strict=False)
        assert run.measures["height"] == one["height"][i] and run.steps == one.steps[i] and run.status == one.status[i]
        assert np.array_equal(run.measures["struck"], one["struck"][i])


def test_no_value_is_nan():
    late = carom.Model(BALL).sweep(e=[0.5, 0.6], until=0.5)["late"]
    assert np.isnan(late).all()


def test_a_point_that_fails_is_told_and_its_neighbours_are_computed():
    text = BALL.replace("initial { y = 1 }", "initial { y = 1 - (e - 0.5) * 4 }")
    sweep = carom.Model(text).sweep(e=[0.5, 0.9])
    assert sweep.status[0] == "ok" != sweep.status[1]
    assert sweep.failed == 1 and "floor" in sweep.messages[1] and sweep.messages[0] is None
    assert np.isnan(sweep["height"][1]) and np.isfinite(sweep["height"][0])
    assert "1 failed" in repr(sweep)


# ---- where it goes


def test_data_frame_and_files(tmp_path):
    pandas = pytest.importorskip("pandas")
    sweep = carom.Model(BALL).sweep(e=[0.25, 0.5, 0.75], n=[1, 2], measures=["height", "struck"])
    frame = sweep.to_pandas()
    assert list(frame.columns) == ["e", "n", "height", "struck", "status", "trusted", "steps"]
    assert np.array_equal(frame["height"], sweep["height"].reshape(-1))
    assert frame["e"].tolist() == [0.25, 0.25, 0.5, 0.5, 0.75, 0.75] and frame["n"].tolist() == [1, 2] * 3
    sweep.save(tmp_path / "table.csv")
    table = pandas.read_csv(tmp_path / "table.csv", float_precision="round_trip")
    assert np.array_equal(table["height"], frame["height"])
    h5py = pytest.importorskip("h5py")
    sweep.save(tmp_path / "table.h5")
    with h5py.File(tmp_path / "table.h5") as file:
        found = []
        file.visititems(lambda name, item: found.append(item[()]) if name.endswith("height") else None)
    assert len(found) == 1 and np.array_equal(found[0], sweep["height"])
    with pytest.raises(ValueError, match=r"\.csv"):
        sweep.save(tmp_path / "table.txt")
    with pytest.raises(carom.FileError):
        sweep.save(tmp_path / "nowhere" / "table.csv")


def test_arrays_and_files_after_the_model_is_gone(tmp_path):
    sweep = carom.Model(BALL).sweep(e=[0.25, 0.5])
    height = sweep["height"].copy()
    sweep.save(tmp_path / "kept.h5")
    values = sweep["height"]
    del sweep
    assert np.array_equal(values, height)


def test_pictures():
    model = carom.Model(BALL)
    line = model.sweep(e=[0.2, 0.4, 0.6]).plot("height", "struck")
    assert [place.get_ylabel() for place in line.axes] == ["height", "struck"]
    assert np.array_equal(line.axes[0].lines[0].get_xdata(), [0.2, 0.4, 0.6])
    colours = model.sweep(g=[1.0, 10.0, 100.0], e=[0.2, 0.4]).plot("height")
    assert colours.axes[0].get_xlabel() == "e" and colours.axes[0].get_ylabel() == "g"
    assert colours.axes[0].get_yscale() == "log" and colours.axes[0].get_xscale() == "linear"
    assert np.allclose(colours.axes[0].get_ylim(), [10**-0.5, 10**2.5]) and np.allclose(colours.axes[0].get_xlim(), [0.1, 0.5])
    mixed = model.sweep(e=[0.6, 0.2, 0.4])
    drawn = mixed.plot("height").axes[0].lines[0]  # by size, whatever the order
    assert drawn.get_xdata().tolist() == [0.2, 0.4, 0.6]
    assert drawn.get_ydata().tolist() == [mixed["height"][i] for i in (1, 2, 0)]
    struck = mixed.plot("struck").axes[0].lines[0]
    assert len(struck.get_xdata()) == sum(map(len, mixed["struck"]))
    assert model.sweep(scheme=["moreau-jean", "event-driven"], e=[0.2, 0.4]).plot("height").axes
    with pytest.raises(KeyError, match="no measure 'nothing'"):
        model.sweep(e=[0.2, 0.4]).plot("nothing")
    with pytest.raises(ValueError, match="one axis"):
        model.sweep(g=[1.0, 10.0], e=[0.2, 0.4]).plot("struck")


# ---- wrong calls


@pytest.mark.parametrize("keywords, text", [
    ({}, "nothing is swept"),
    ({"e": 0.5}, "nothing is swept"),
    ({"e": []}, "no values for 'e'"),
    ({"e": np.array([])}, "no values for 'e'"),
    ({"e": [0.1, np.nan]}, "e is nan"),
    ({"e": [0.1, 0.1]}, "must differ"),
    ({"e": [0.1, 2.0]}, "2"),
    ({"e": [0.1, np.inf]}, "inf"),
    ({"e": [0.1, "much"]}, "much"),
    ({"e": [0.1], "g": [1, 2], "n": [1, 2]}, "one or two names"),
    ({"nothing": [1, 2]}, "nothing"),
    ({"e": [0.1, 0.2], "nothing": 1}, "'nothing' is not known"),
    ({"e": [0.1, 0.2], "measures": ["hight"]}, "did you mean 'height'"),
    ({"e": [0.1, 0.2], "measures": ["height", "height"]}, "twice"),
    ({"e": [0.1, 0.2], "measures": []}, "at least one"),
    ({"e": [0.1, 0.2], "scheme": "elats"}, "did you mean 'elast'"),
    ({"scheme": ["moreau-jean", "elats"]}, "did you mean 'elast'"),
    ({"scheme": ["moreau-jean", "event-driven"], "options": {"nothing": 1}}, "unknown option 'nothing'"),
    ({"h": [1e-3, 1e-2]}, "h"),
    ({"e": [0.1, 0.2], "h": -1.0}, "-1"),
    ({"e": [0.1, 0.2], "h": np.nan}, "nan"),
    ({"e": [0.1, 0.2], "threads": -1}, "threads"),
    ({"e": [0.1, 0.2], "threads": 10**12}, "threads"),
    ({"n": [1, 2.5]}, "2.5"),
    ({"n": [1, -1]}, "-1"),
])
def test_wrong_values(keywords, text):
    with pytest.raises(carom.ModelError, match=text):
        carom.Model(BALL).sweep(**keywords)


@pytest.mark.parametrize("keywords, kind", [
    ({"e": [0.1, None]}, TypeError),
    ({"e": [[0.1], [0.2]]}, ValueError),
    ({"e": np.zeros((2, 2))}, ValueError),
    ({"e": {"a": 1}}, TypeError),
    ({"e": [0.1, 0.2], "measures": 3}, TypeError),
    ({"e": [0.1, 0.2], "measures": [3]}, TypeError),
    ({"e": [0.1, 0.2], "threads": 1.5}, TypeError),
    ({"e": [0.1, 0.2], "h": "small"}, TypeError),
    ({"e": [0.1, 0.2], "g": object()}, TypeError),
    ({"e": ["0.1\0", "0.2"]}, ValueError),
])
def test_wrong_types(keywords, kind):
    with pytest.raises(kind):
        carom.Model(BALL).sweep(**keywords)


# ---- Ctrl-C and memory


def test_interrupted_with_the_points_done():
    stopped = interrupted(lambda: carom.Model(BALL).sweep(e=np.linspace(0, 0.5, 4000), h=1e-3, scheme="moreau-jean"),
                          enough=lambda sweep: sweep.done.any())
    sweep = stopped.result
    done = np.count_nonzero(sweep.done)
    assert 0 < done < 4000 and f"after {done} of 4000 points" in str(stopped)
    assert np.isfinite(sweep["height"][sweep.done]).all() and np.isnan(sweep["height"][~sweep.done]).all()
    assert set(sweep.status[~sweep.done]) == {"interrupted"}
    assert carom.Model(BALL).sweep(e=[0.1, 0.2]).done.all()  # the next call goes its way


def test_no_leak_over_300_sweeps(memory_is_given_back):
    model = carom.Model(BALL)

    def sweep():
        found = model.sweep(e=[0.1, 0.5], n=[1, 2], threads=2, until=0.5)
        assert found["height"].shape == (2, 2) and found["struck"].shape == (2, 2)

    for _ in range(50):
        sweep()
    before = resident()
    for _ in range(300):
        sweep()
    assert resident() - before < 3000  # kB
