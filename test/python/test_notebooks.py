"""The notebooks run from top to bottom, and hold no outputs."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from conftest import SOURCE

NOTEBOOKS = sorted((SOURCE / "python/notebooks").glob("*.ipynb"))


def test_there_are_five():
    assert len(NOTEBOOKS) == 5


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    if os.environ.get("CAROM_SANITIZED"):
        pytest.skip("notebooks start a Python of their own: they are run in the normal build")
    pytest.importorskip("nbconvert")
    pytest.importorskip("ipykernel")
    # the kernel of this Python, whatever kernels the machine has
    kernels = pathlib.Path("kernels/kernels/python3")
    kernels.mkdir(parents=True)
    arguments = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    (kernels / "kernel.json").write_text(json.dumps({"argv": arguments, "display_name": "Python 3", "language": "python"}))
    monkeypatch.setenv("JUPYTER_PATH", str(pathlib.Path("kernels").resolve()))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(pathlib.Path("data").resolve()))
    monkeypatch.setenv("IPYTHONDIR", str(pathlib.Path("ipython").resolve()))
    monkeypatch.setenv("MPLBACKEND", "Agg")
    done = subprocess.run([sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--stdout", str(path)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    outputs = [out for cell in json.loads(done.stdout)["cells"] if cell["cell_type"] == "code" for out in cell["outputs"]]
    assert outputs and not [out for out in outputs if out["output_type"] == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_not_stored(path):
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
