"""Model.converge: the numbers of `carom converge`, known orders, wrong calls, Ctrl-C."""

import matplotlib
import numpy as np
import pytest

import carom
from program import file_of, interrupted, json_of, listed, same

matplotlib.use("Agg")

# y'' = -y from y = 1: the exact motion is cos t, and nothing strikes.
SPRING = """
local y = coordinates("y")
local t = time()
local w = param { "w", 1, min = 0 }
mass(1)  potential(w ^ 2 * y ^ 2 / 2)
contact { "wall", gap = y + 5, restitution = 1 }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 0.01, until_t = 2 }
record { exact_y = cos(w * t), exact_v_y = -w * sin(w * t), height = y + 1, exact_height = cos(w * t) + 1 }
"""


def equal(study, told):
    assert (study.t0, study.until) == (told["t0"], told["until"])
    reference = told["reference"]
    assert study.reference["kind"] == reference["kind"] and (study.reference["scheme"] or "") == reference["scheme"]
    assert same(study.reference["h"], reference["h"]) and study.reference["interpolated"] == reference["interpolated"]
    assert study.schemes == [scheme["scheme"] for scheme in told["schemes"]]
    for scheme in told["schemes"]:
        name = scheme["scheme"]
        assert same(study.h, scheme["h"])
        for curve in ("q", "v"):
            assert same(study.errors[name][curve], scheme[f"error_{curve}"])
            assert same(study.local_orders[name][curve], scheme[f"local_{curve}"])
            assert same(study.orders[name][curve], scheme[f"order_{curve}"])
        for quantity, errors in scheme["quantities"].items():
            assert same(study.errors[name][quantity], errors)
            assert same(study.orders[name][quantity], scheme["orders"][quantity])
        assert study.steps[name].tolist() == scheme["steps"] and study.status[name] == scheme["status"]


# ---- the program


def test_fine_reference_like_the_program():
    h = [4e-3, 1e-3, 2e-3]
    study = carom.experiment("moreau-1986/trial-04").converge(h, av=0.0)
    equal(study, json_of("converge", file_of("moreau-1986/trial-04"), "--h", listed(h), "--set", "av=0"))
    assert study.h.tolist() == [4e-3, 2e-3, 1e-3]


def test_schemes_against_the_exact_motion_like_the_program():
    h, schemes = [0.02, 0.01, 0.005], ["moreau-jean", "sweeping"]
    study = carom.experiment("paoli-2001/bouncing-ball").converge(
        h=h, schemes=schemes, reference="exact", until=1.0, theta=0.75, e=0.5)
    told = json_of("converge", file_of("paoli-2001/bouncing-ball"), "--h", listed(h), "--schemes", ",".join(schemes),
                   "--reference", "exact", "--until", 1, "--option", "theta=0.75", "--set", "e=0.5")
    equal(study, told)


def test_event_driven_reference_like_the_program():
    h = [0.01, 0.005]
    study = carom.experiment("paoli-2001/bouncing-ball").converge(h, reference="event-driven", until=0.8,
                                                                  quantities=["error", "exact_q"])
    told = json_of("converge", file_of("paoli-2001/bouncing-ball"), "--h", listed(h), "--reference", "event-driven",
                   "--until", 0.8, "--quantity", "error", "--quantity", "exact_q")
    equal(study, told)
    assert study.curves == ["q", "v", "error", "exact_q"]
    assert np.isnan(study.reference["h"])


# ---- known orders


def test_orders_of_the_theta_scheme():
    """Two for theta = 1/2, one for theta = 1, without impacts."""
    model, h = carom.Model(SPRING), [0.04, 0.02, 0.01, 0.005]
    half = model.converge(h, reference="exact", theta=0.5, quantities="height")
    whole = model.converge(h, reference="exact", options={"theta": 1.0})
    assert abs(half.orders["moreau-jean"]["q"] - 2.0) < 0.02 and abs(whole.orders["moreau-jean"]["q"] - 1.0) < 0.05
    assert np.allclose(half.errors["moreau-jean"]["height"], half.errors["moreau-jean"]["q"], rtol=1e-9)
    assert np.isnan(half.local_orders["moreau-jean"]["q"][0])
    slope = np.log(half.errors["moreau-jean"]["q"][0] / half.errors["moreau-jean"]["q"][1]) / np.log(2.0)
    assert abs(half.local_orders["moreau-jean"]["q"][1] - slope) < 1e-12
    assert not half.at_rounding["moreau-jean"]["q"].any()


def test_frequency_of_the_model_moves_the_errors():
    model, h = carom.Model(SPRING), [0.04, 0.02]
    slow, fast = (model.converge(h, reference="exact", w=w).errors["moreau-jean"]["q"] for w in (1.0, 2.0))
    assert (fast > 4.0 * slow).all()


def test_a_model_that_was_built_in_python():
    m = carom.Model()
    y = m.coordinates("y")
    m.mass(1)
    m.potential(y**2 / 2)
    m.initial(y=1)
    study = m.converge([0.04, 0.02, 0.01], schemes="moreau-jean", until=2.0)
    assert abs(study.orders["moreau-jean"]["q"] - 2.0) < 0.05 and study.until == 2.0
    assert m.check()["worst"] < 1e-6
    with pytest.raises(carom.ModelError, match="until is needed"):
        m.converge([0.04, 0.02])


def test_picture():
    study = carom.Model(SPRING).converge([0.04, 0.02, 0.01], schemes="moreau-jean,sweeping", reference="exact")
    figure = study.plot()
    assert [place.get_ylabel() for place in figure.axes] == ["error of q", "error of v"]
    assert all(place.get_xscale() == place.get_yscale() == "log" and len(place.lines) == 2 for place in figure.axes)
    with pytest.raises(KeyError, match="no curve 'nothing'"):
        study.plot("nothing")
    assert "moreau-jean 2.0" in repr(study)


# ---- wrong calls


@pytest.mark.parametrize("keywords, text", [
    ({"h": [0.01]}, "at least two"),
    ({"h": []}, "at least two"),
    ({"h": 0.01}, "at least two"),
    ({"h": [0.01, 0.01]}, "given twice"),
    ({"h": [0.01, -0.01]}, "-0.01"),
    ({"h": [0.01, 0.02], "schemes": []}, "at least one"),
    ({"h": [0.01, 0.02], "schemes": ["elats"]}, "did you mean 'elast'"),
    ({"h": [0.01, 0.02], "reference": "best"}, "fine, event-driven or exact"),
    ({"h": [0.01, 0.02], "reference": "exact", "reference_h": 1e-3}, "belong to"),
    ({"h": [0.01, 0.02], "reference_h": 0.0}, "above 0"),
    ({"h": [0.01, 0.02], "quantities": ["hight"]}, "hight"),
    ({"h": [0.01, 0.02], "nothing": 1}, "'nothing' is not known"),
    ({"h": [0.01, 0.02], "options": {"nothing": 1}}, "unknown option 'nothing'"),
    ({"h": [0.01, 0.02], "w": -1}, "-1"),
    ({"h": [0.01, 0.02], "w": np.nan}, "w is nan"),
    ({"h": [0.01, 0.02], "until": np.inf}, "inf"),
])
def test_wrong_values(keywords, text):
    with pytest.raises(carom.ModelError, match=text):
        carom.Model(SPRING).converge(**keywords)


@pytest.mark.parametrize("keywords, kind", [
    ({"h": [0.01, np.nan]}, ValueError),
    ({"h": "small"}, TypeError),
    ({"h": [[0.01, 0.02]]}, ValueError),
    ({"h": [0.01, 0.02], "schemes": 3}, TypeError),
    ({"h": [0.01, 0.02], "schemes": [3]}, TypeError),
    ({"h": [0.01, 0.02], "until": "long"}, TypeError),
    ({"h": [0.01, 0.02], "w": [1, 2]}, TypeError),
])
def test_wrong_types(keywords, kind):
    with pytest.raises(kind):
        carom.Model(SPRING).converge(**keywords)


def test_studies_do_not_move():
    with pytest.raises(carom.ModelError, match="is a study"):
        carom.experiment("desaxce-2018/frame").converge([0.1, 0.05])


def test_interrupted_with_the_runs_done():
    stopped = interrupted(lambda: carom.Model(SPRING).converge([1e-3, 1e-6], until=20.0, reference="exact"),
                          enough=lambda found: np.isfinite(found.errors["moreau-jean"]["q"][0]))
    assert stopped.result.h.tolist() == [1e-3, 1e-6]
    assert np.isfinite(stopped.result.errors["moreau-jean"]["q"][0]) and np.isnan(stopped.result.errors["moreau-jean"]["q"][1])
