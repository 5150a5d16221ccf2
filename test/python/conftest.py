"""What the tests of the Python package share."""

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fclib_files():
    """Files of FCLIB; none where the collection is not there."""
    folder = pathlib.Path(os.environ.get("CAROM_FCLIB", ROOT.parent / "shared" / "fclib"))
    return sorted(folder.glob("*.hdf5"))


@pytest.fixture
def fclib():
    files = fclib_files()
    if not files:
        pytest.skip("there are no FCLIB files; CAROM_FCLIB names their directory")
    return files


@pytest.fixture
def carom_program():
    """The program, to compare with."""
    program = os.environ.get("CAROM", str(ROOT / "build" / "carom"))
    if not os.access(program, os.X_OK):
        pytest.skip(f"there is no program {program}; CAROM names it")
    return program
