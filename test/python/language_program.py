"""How the tests of the language run a model: by the program. The only file that knows it."""

import base64
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("CAROM", str(ROOT / "build" / "carom"))
if "PYTHONPATH" not in os.environ:  # a run by hand
    sys.path.insert(0, str(ROOT / "build" / "python"))

from carom.language import Language, Vocabulary  # noqa: E402


@functools.lru_cache(maxsize=None)
def vocabulary() -> Vocabulary:
    """The words as the package has them, or where it has no library the program."""
    try:
        from carom._vocabulary import vocabulary as of_library
    except ImportError:
        return Vocabulary.of_program(PROGRAM)
    return of_library()


def builder() -> Language:
    return Language(vocabulary())


class Refused(Exception):
    """The program did not take the model."""


def _call(*arguments: str) -> dict:
    done = subprocess.run([PROGRAM, *arguments, "--json"], capture_output=True, text=True)
    if not done.stdout.strip():
        raise Refused(done.stderr)
    return json.loads(done.stdout)


_NOT_COMPARED = {"wall_s", "experiment", "name", "solve_s"}


def comparable(value):
    """Without names of files, their lines, and times of the clock."""
    if isinstance(value, str):
        return re.sub(r"\(line \d+\)", "(line)", value)
    if isinstance(value, dict):
        return {k: comparable(v) for k, v in value.items() if k not in _NOT_COMPARED}
    return [comparable(v) for v in value] if isinstance(value, list) else value


def run(text: str, *options: str) -> dict:
    """The result of a run of a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.lua"
        path.write_text(text, encoding="utf-8")
        return comparable(_call("run", str(path), *options))


def run_file(path: pathlib.Path, *options: str) -> dict:
    return comparable(_call("run", str(path), *options))


def csv(text: str, *options: str) -> str:
    """Every output of a run, to the last digit."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.lua"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([PROGRAM, "run", str(path), "--csv", "-", "--quiet", "--no-family", *options], capture_output=True, text=True)
        if done.returncode != 0:
            raise Refused(done.stderr)
        return done.stdout


def show(text: str) -> dict:
    """What the model says of itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.lua"
        path.write_text(text, encoding="utf-8")
        return comparable(_call("show", str(path)))


def error_of(text: str) -> str:
    """The message with which the program refuses a text that stands in model.lua."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.lua"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([PROGRAM, "run", "model.lua", "--quiet"], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 2, done.stderr
        return done.stderr


def everything(text: str) -> dict:
    """All that a run gives: numbers, outputs, plots, and the data of its page (what is drawn, and how it moves)."""
    with tempfile.TemporaryDirectory() as folder:
        path, page, plots = (pathlib.Path(folder) / n for n in ("model.lua", "page.html", "plots"))
        path.write_text(text, encoding="utf-8")
        result = comparable(_call("run", str(path), "--report", str(page), "--plot", str(plots)))
        about, motion = _page(page.read_text(encoding="utf-8"))
        return {
            "run": result,
            "outputs": csv(text),
            "plots": {p.name: p.read_text() for p in sorted(plots.glob("*")) if p.suffix in (".dat", ".gp")},
            "page": about,
            "motion": motion,
        }


def _page(html: str) -> tuple:
    """What a page tells, and its numbers as bytes."""
    packed = re.search(r'id="carom-data">(.*?)</script>', html, re.S)[1]
    data = zlib.decompress(base64.b64decode(packed))
    length = int.from_bytes(data[8:12], "little")
    about = json.loads(data[12 : 12 + length])
    for name in ("title", "command", "model", "facts"):  # facts: those of the run, with its time
        about.pop(name, None)
    return comparable(about), data[(12 + length + 7) // 8 * 8 :]  # numbers begin at a multiple of 8
