"""What every test of the package has: an empty folder to write to, and pictures without a screen."""

import os
import pathlib

import matplotlib
import pytest

matplotlib.use("Agg")

SOURCE = pathlib.Path(os.environ.get("CAROM_SOURCE_DIR", pathlib.Path(__file__).parents[2]))

BALL = """
local y = coordinates("y")
local e = param { "e", 0.8, min = 0, max = 1, doc = "restitution" }
local g = param("g", 9.81)
mass(1)
potential(g * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
record { height = y }
measure { bounces = count(impact "floor"), highest = maximum(y, { from = 0.5 }), times = times(impact "floor") }
"""


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def ball():
    import carom

    return carom.Model(BALL)


@pytest.fixture
def program():
    """The program beside the package; tests that compare with it are skipped where it is not."""
    path = os.environ.get("CAROM", str(SOURCE / "build/carom"))
    if not os.access(path, os.X_OK):
        pytest.skip("the program carom is not built")
    return path


def fclib_files():
    """Files of FCLIB; none where the collection is not there."""
    folder = pathlib.Path(os.environ.get("CAROM_FCLIB", SOURCE.parent / "shared" / "fclib"))
    return sorted(folder.glob("*.hdf5"))


@pytest.fixture
def fclib():
    files = fclib_files()
    if not files:
        pytest.skip("there are no FCLIB files; CAROM_FCLIB names their directory")
    return files


@pytest.fixture
def carom_program(program):
    return program


@pytest.fixture
def memory_is_given_back():
    """For tests of resident memory: a sanitizer keeps what is freed for a while."""
    if os.environ.get("CAROM_SANITIZED"):
        pytest.skip("the sanitizer keeps what is freed")
