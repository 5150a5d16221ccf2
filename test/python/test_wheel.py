"""pip install . in a virtual environment without a network, and the wheel."""

import os
import pathlib
import subprocess
import sys
import zipfile

import pytest

from conftest import SOURCE


def test_pip_installs_the_source_tree():
    if os.environ.get("CAROM_SANITIZED"):
        pytest.skip("pip starts programs that have no sanitizers")
    build = pathlib.Path(os.environ.get("CAROM_BUILD_DIR", SOURCE / "build"))
    if not (build / "build.ninja").exists():
        pytest.skip("the source tree was not built")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"CAROM_BUILD_DIR": str(build), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", "venv"], check=True)
    subprocess.run(["venv/bin/pip", "install", "-q", str(SOURCE)], check=True, env=environment)
    code = "import carom; r = carom.run('moreau-1986/trial-04'); print(carom.__file__, carom.__version__, r.status)"
    done = subprocess.run(["venv/bin/python", "-c", code], check=True, env=environment, capture_output=True, text=True)
    file, version, status = done.stdout.split()
    assert pathlib.Path("venv").resolve() in pathlib.Path(file).resolve().parents and status == "ok"
    assert f"VERSION {version} " in (SOURCE / "CMakeLists.txt").read_text()


def test_the_wheel_is_whole():
    if os.environ.get("CAROM_SANITIZED"):
        pytest.skip("the same in both builds")
    build = pathlib.Path(os.environ.get("CAROM_BUILD_DIR", SOURCE / "build"))
    environment = os.environ | {"CAROM_BUILD_DIR": str(build)}
    backend = SOURCE / "python/wheel/carom_backend.py"
    done = subprocess.run([sys.executable, str(backend), "."], check=True, env=environment, capture_output=True, text=True)
    names = zipfile.ZipFile(done.stdout.strip().splitlines()[-1]).namelist()
    for needed in ("carom/__init__.py", "carom/py.typed", "carom/_native.abi3.so", "carom/language/__init__.py",
                   "carom/experiments/moreau-1986/trial-04.lua"):
        assert needed in names
    assert any(name.endswith(".dist-info/RECORD") for name in names)
    assert not [name for name in names if "__pycache__" in name]
