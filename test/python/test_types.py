"""The types that the package tells its users: mypy finds nothing in the package, and what a user does wrong."""

import pathlib
import shutil
import subprocess

import pytest

import carom
from conftest import SOURCE

USE = """import carom

problem = carom.ContactProblem([[1.0]])
reveal_type(problem.solve().r)
problem.solve(tol="small")
"""


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed")
def test_mypy(tmp_path):
    package = pathlib.Path(carom.__file__).parent
    use = tmp_path / "use.py"
    use.write_text(USE)
    done = subprocess.run(["mypy", "--config-file", str(SOURCE / "pyproject.toml"), "--cache-dir", str(tmp_path / "cache"),
                           "--no-error-summary", package.name, str(use)], cwd=package.parent, capture_output=True, text=True)
    said = done.stdout.splitlines()
    assert [line for line in said if "use.py" not in line] == [], done.stdout + done.stderr
    assert len(said) == 2 and "numpy.ndarray" in said[0] and 'Argument "tol" to "solve"' in said[1], done.stdout + done.stderr
