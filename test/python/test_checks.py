"""Model.check: what `carom check` finds."""

import numpy as np
import pytest

import carom
from program import BALL, LINEAR


def test_derivatives_agree():
    found = carom.Model(BALL).check(e=0.5, n=3)
    assert found["kind"] == "derivatives" and found["scheme"] == "event-driven" and found["points"] == 8
    assert set(found["derivatives"]) == {"momentum", "mass", "inertia", "potential", "force", "gap", "slip"}
    assert found["worst"] == max(found["derivatives"].values()) < 1e-6
    assert carom.Model(LINEAR).check()["worst"] < 1e-6
    assert found["notes"] == []


def test_gaps_that_may_not_be_lengths():
    rod = """
local x, y, p = coordinates("x", "y", "p")
mass { x = 2, y = 2, p = 0.3 }
contact { "c", gap = 2 * (y - sin(p)), slip = dot(x), friction = 0.3 }
initial { y = 3 }
integrate { h = 1e-3, until_t = 1 }
"""
    (note,) = carom.Model(rod).check()["notes"]
    assert "contact 'c': gap and slip may not be true lengths" in note


def test_frequencies_of_a_beam_and_masses_of_bodies():
    beam = carom.experiment("dumont-paoli-2008/tip-stop").check()
    assert beam["kind"] == "structure" and list(beam["frequencies"]) == [1, 2, 3, 4, 5, 80]
    ratio = beam["frequencies"][2] / beam["frequencies"][1]
    assert abs(ratio - (4.694091132974174 / 1.875104068711961) ** 2) < 1e-3  # clamped and free: cos x cosh x = -1
    bodies = carom.experiment("bodies/dominoes").check()
    assert bodies["kind"] == "bodies" and bodies["bodies"] == {"free": 20, "fixed": 1, "driven": 0}
    assert abs(bodies["mass"] - 13.824) < 1e-12


def test_studies_have_nothing_to_check():
    assert carom.experiment("desaxce-2018/frame").check() == {"kind": "study", "scheme": None}


def test_what_is_wrong_is_said():
    with pytest.raises(carom.ModelError, match="floor"):
        carom.Model(BALL.replace("y = 1 }", "y = -1 }")).check()
    with pytest.raises(carom.ModelError, match="differ by .* kink"):
        carom.Model(BALL.replace("n * g * y", "n * g * y + 1e3 * abs(y - 1 - 1e-7 * y)")).check()
    with pytest.raises(carom.ModelError, match="'nothing' is not known"):
        carom.Model(BALL).check(nothing=1)
    with pytest.raises(TypeError):
        carom.Model(BALL).check(e=[0.1, 0.2])
    with pytest.raises(carom.ModelError):
        carom.Model(BALL).check(e=np.nan)
