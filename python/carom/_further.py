"""What `Model.continue_` follows beside a branch: what is asked for, and the locus of a special point."""

from __future__ import annotations

from typing import Any, Optional, Tuple

import numpy as np

from . import _calls
from ._native import lib
from ._studies import number, pyplot, whole
from .errors import ModelError


class Locus:
    """Where a special point of a branch is, over two parameters.

    Attributes
    ----------
    kind : "fold", "flip" or "grazing"
    over : names of both parameters
    parameter, second : arrays: their values
    period, energy, admissible : arrays: of the motion there
    end, end_text : why it ends, as for Branch
    """

    def __init__(self, kind: str, over: Tuple[str, str], branch: Any):
        points = [branch.point[i] for i in range(branch.count)]
        self.kind, self.over = kind, over
        self.parameter = np.array([point.other for point in points], dtype=float)
        self.second = np.array([point.parameter for point in points], dtype=float)
        self.period = np.array([point.period for point in points], dtype=float)
        self.energy = np.array([point.energy for point in points], dtype=float)
        self.admissible = np.array([point.admissible for point in points], dtype=bool)
        self.end, self.end_text = _calls.text_of(lib.carom_branch_end_word(branch.end)) or "", _calls.text_of(branch.text)

    def __len__(self) -> int:
        return len(self.parameter)

    def __repr__(self) -> str:
        return f"<Locus: {self.kind} over {self.over[0]} and {self.over[1]}, {len(self)} points, end: {self.end}>"

    def plot(self) -> Any:
        """Draws one parameter against the other. Returns the figure of matplotlib."""
        figure, place = pyplot().subplots(layout="constrained")
        place.plot(self.parameter, self.second, label=self.kind)
        place.set_xlabel(self.over[0])
        place.set_ylabel(self.over[1])
        place.legend()
        return figure


class Further:
    """What is followed beside a branch: branches that begin at its special points, and a locus of one."""

    def __init__(self, switch: Optional[str], depth: Any, locus: Optional[str], second: Optional[str], second_stop: Any):
        kinds = {"flip": [lib.CAROM_SPECIAL_FLIP], "branch-point": [lib.CAROM_SPECIAL_BRANCH],
                 "all": [lib.CAROM_SPECIAL_FLIP, lib.CAROM_SPECIAL_BRANCH]}
        loci = {"fold": lib.CAROM_SPECIAL_FOLD, "flip": lib.CAROM_SPECIAL_FLIP, "grazing": lib.CAROM_SPECIAL_GRAZING}
        if switch is not None and switch not in kinds:
            raise ModelError(f"switch is flip, branch-point or all; got {switch!r}")
        if locus is not None and locus not in loci:
            raise ModelError(f"locus is fold, flip or grazing; got {locus!r}")
        if (locus is None) != (second is None) or (locus is None) != (second_stop is None):
            raise ModelError("locus goes with second and second_stop: the other parameter, and how far it goes")
        self.kinds = kinds[switch] if switch else []
        self.depth = whole("depth", depth, 1, 10)
        self.locus, self.kind, self.second = locus, loci[locus] if locus else None, second
        self.stop = 0.0 if second_stop is None else number("second_stop", second_stop)

    def __bool__(self) -> bool:
        return bool(self.kinds) or self.locus is not None
