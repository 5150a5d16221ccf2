"""Model.bifurcation and Model.basin: the numbers of the program, files, pictures, wrong calls."""

import matplotlib
import numpy as np
import pytest

import carom
from program import file_of, json_of, same

matplotlib.use("Agg")

OSCILLATOR = "oscillators/impact"


@pytest.fixture(autouse=True)
def close_figures():
    yield
    from matplotlib import pyplot

    pyplot.close("all")


def equal(diagram, told):
    points = [(course, place) for course in range(diagram.values.shape[0]) for place in range(diagram.values.shape[1])]
    assert len(points) == len(told["points"])
    for place, point in zip(points, told["points"]):
        assert diagram.values[place] == point["value"]
        assert diagram.directions[place[0]] == point["direction"] and diagram.starts[place[0]] == point["start"] - 1
        assert diagram.status[place] == point["status"]
        assert diagram.period[place] == (point["period"] or 0)
        assert same(diagram["x"][place], point["x"]["x"]) and same(diagram["v:x"][place], point["v"]["x"])


def test_diagram_like_the_program():
    model = carom.experiment(OSCILLATOR)
    diagram = model.bifurcation("w", 2.5, 2.9, 9, skip=60, iterates=20, direction="both", e=0.75,
                                starts=[{"x": 1, "v:x": -0.5}, {"q:x": 0.2}])
    equal(diagram, json_of("bifurcation", file_of(OSCILLATOR), "--param", "w", "--from", "2.5", "--to", "2.9", "--points", "9",
                           "--skip", "60", "--iterates", "20", "--both", "--set", "e=0.75", "--start", "q:x=1,v:x=-0.5",
                           "--start", "q:x=0.2"))
    assert diagram["x"].shape == (4, 9, 20) and diagram.scheme == "event-driven-linear"


def test_at_impacts():
    model = carom.experiment(OSCILLATOR)
    diagram = model.bifurcation("w", 2.4, 2.4, 1, section="wall", skip=500, iterates=3)
    assert diagram["v:x"][0, 0] == pytest.approx(0.6803568612, abs=1e-9)
    assert diagram.t[0, 0] % diagram.forcing[0, 0] == pytest.approx(2.5185704580, abs=1e-9)


def test_basin_like_the_program():
    found = carom.experiment(OSCILLATOR).basin({"q:x": (-0.5, 2, 8), "v:x": (-2, 2, 6)}, periods=80, threads=2)
    told = json_of("basin", file_of(OSCILLATOR), "--over", "q:x=-0.5:2:8", "--over", "v:x=-2:2:6", "--periods", "80")
    assert list(found.axes) == ["q:x", "v:x"]
    assert np.array_equal(found.attractor + 1, told["map"])
    assert len(found.attractors) == len(told["attractors"])
    for mine, theirs in zip(found.attractors, told["attractors"]):
        assert (mine["period"], mine["impacts"], mine["share"]) == (theirs["period"], theirs["impacts"], theirs["share"])
        assert same(mine["points"][:, 0], [point["x"] for point in theirs["points"]])
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert found.shares["outside"] == told["outside"] > 0
    assert found.last.shape == (8, 6, 2)


def test_files_and_pictures(tmp_path):
    model = carom.experiment(OSCILLATOR)
    diagram, basin = model.bifurcation("w", 2.4, 2.5, 3), model.basin({"q:x": (0, 2, 4), "v:x": (-1, 1, 3)})
    diagram.save(tmp_path / "diagram.h5")
    basin.save(tmp_path / "basin.h5")
    assert (tmp_path / "diagram.h5").stat().st_size > 0 and (tmp_path / "basin.h5").stat().st_size > 0
    for found in (diagram, basin):
        with pytest.raises(ValueError, match="ends in .h5"):
            found.save(tmp_path / "table.txt")
        with pytest.raises(carom.FileError):
            found.save(tmp_path / "no" / "such.h5")
        assert found.plot() is not None
    assert diagram.plot("v:x") is not None and model.basin({"q:x": (0, 2, 4)}).plot() is not None
    assert "over w" in repr(diagram) and "attractor" in repr(basin)
    with pytest.raises(KeyError, match="there are x, v:x"):
        diagram["y"]


@pytest.mark.parametrize("arguments, keywords, text", [
    (("z", 1, 2, 3), {}, "there is no parameter 'z'"),
    (("w", 1, 2, 0), {}, "points = 0"),
    (("w", 1, float("inf"), 3), {}, "finite"),
    (("w", 1, 2, 3), {"section": "floor"}, "there is no contact 'floor'; there are wall"),
    (("w", 1, 2, 3), {"w": 2}, "'w' varies"),
    (("w", 1, 2, 3), {"direction": "sideways"}, "'up', 'down' or 'both'"),
    (("w", 1, 2, 3), {"starts": [{"q:x": -1}]}, "start 1 is inside an obstacle"),
    (("w", 1, 2, 3), {"starts": [{"y": 1}]}, "there is no 'y' in a state"),
    (("w", 1, 2, 3), {"period": 0}, "period"),
    (("e", 0, 2, 3), {}, "e"),
])
def test_wrong_diagrams(arguments, keywords, text):
    with pytest.raises((carom.ModelError, ValueError), match=text):
        carom.experiment(OSCILLATOR).bifurcation(*arguments, **keywords)


@pytest.mark.parametrize("over, text", [
    ({}, "one or two axes"), ({"x": (0, 1, 3)}, "'x' is no axis"), ({"q:y": (0, 1, 3)}, "there is no 'q:y'"),
    ({"q:x": (0, 1)}, "an axis is"), ({"q:x": (0, 1, 1)}, "whole number from 2"), ({"e": (0, 2, 3)}, "e"),
])
def test_wrong_basins(over, text):
    with pytest.raises(carom.ModelError, match=text):
        carom.experiment(OSCILLATOR).basin(over)
