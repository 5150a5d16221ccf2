"""Where experiments are."""

from __future__ import annotations

import difflib
import os
import pathlib
from typing import Iterator, List, Optional, Tuple

from .errors import ModelError


def folders() -> Iterator[pathlib.Path]:
    """CAROM_EXPERIMENTS, then the experiments that came with the package."""
    for folder in os.environ.get("CAROM_EXPERIMENTS", "").split(":"):
        if folder:
            yield pathlib.Path(folder)
    yield pathlib.Path(__file__).parent / "experiments"


def experiments() -> List[str]:
    """Names of all published experiments.

    >>> "moreau-1986/trial-04" in carom.experiments()
    True
    """
    names = set()
    for folder in folders():
        for file in folder.rglob("*.lua"):
            names.add(str(file.relative_to(folder))[: -len(".lua")])
    return sorted(names)


def find(name: str) -> Tuple[pathlib.Path, Optional[str]]:
    """File and variant of an experiment; "trial-10-plate-15" is variant "plate-15" of "trial-10"."""
    for folder in folders():
        head, _, tail = name.rpartition("/")
        parts = tail.split("-")
        for cut in range(len(parts), 0, -1):
            file = folder / head / ("-".join(parts[:cut]) + ".lua")
            if file.is_file():
                return file, "-".join(parts[cut:]) or None
    near = difflib.get_close_matches(name, experiments(), n=1)
    guess = f"; did you mean '{near[0]}'?" if near else ""
    raise ModelError(f"there is no experiment or model file '{name}'{guess} (carom.experiments() has all names)")
