"""Makes the wheel: a build backend (PEP 517) that calls CMake and packs what it made.

Nothing but the standard library is needed here: pip installs nothing for it, and works where there is no network.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON_TAG = "cp310-abi3"  # cffi keeps to the limited interface of Python: one module for all versions


def _version():
    listing = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(carom VERSION ([0-9.]+)", listing)[1]


def _project():
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10; pip brings one
        from pip._vendor import tomli as tomllib
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def _metadata():
    project = _project()
    lines = ["Metadata-Version: 2.1", "Name: carom", f"Version: {_version()}",
             f"Summary: {project['description']}", "License: Apache-2.0",
             f"Requires-Python: {project['requires-python']}"]
    lines += [f"Requires-Dist: {name}" for name in project["dependencies"]]
    for extra, names in project["optional-dependencies"].items():
        lines.append(f"Provides-Extra: {extra}")
        lines += [f"Requires-Dist: {name} ; extra == '{extra}'" for name in names]
    lines += ["Description-Content-Type: text/markdown", "", (ROOT / project["readme"]).read_text()]
    return "\n".join(lines)


def _tag():
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    return f"{PYTHON_TAG}-{platform}"


def _information():
    """Files of the .dist-info folder, by name."""
    wheel = f"Wheel-Version: 1.0\nGenerator: carom\nRoot-Is-Purelib: false\nTag: {_tag()}\n"
    return {"METADATA": _metadata(), "WHEEL": wheel, "LICENSE": (ROOT / "LICENSE").read_text()}


def _make_package(folder):
    """Builds where `make` has built, in CAROM_BUILD_DIR, or in a folder of its own; returns the folder that holds carom/."""
    made = ROOT / "build" if (ROOT / "build/build.ninja").exists() else folder
    build = pathlib.Path(os.environ.get("CAROM_BUILD_DIR", made)).resolve()
    if not (build / "build.ninja").exists():
        subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DBUILD_TESTING=OFF"], check=True)
    made = subprocess.run(["cmake", "--build", build, "--target", "python_package"])
    if made.returncode != 0:
        raise RuntimeError("the package was not built; `make python` in the source tree installs what is missing "
                           "(Debian: python3-cffi python3-numpy python3-dev and the packages of scripts/packages.txt)")
    return build / "python"


def _record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _write_wheel(path, packages):
    information = f"carom-{_version()}.dist-info"
    record = ""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted((packages / "carom").rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                name = str(file.relative_to(packages))
                wheel.write(file, name)
                record += _record_line(name, file.read_bytes())
        for name, text in _information().items():
            wheel.writestr(f"{information}/{name}", text)
            record += _record_line(f"{information}/{name}", text.encode())
        wheel.writestr(f"{information}/RECORD", record + f"{information}/RECORD,,\n")


# ---- what pip calls

def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"carom-{_version()}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        _write_wheel(pathlib.Path(wheel_directory) / name, _make_package(folder))
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the source of carom is its repository: install from a clone of it")


if __name__ == "__main__":  # carom_backend.py FOLDER: the wheel alone
    import sys
    print(build_wheel(sys.argv[1]))
