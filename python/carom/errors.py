"""What can go wrong, as exceptions that carry the library's own text."""

from __future__ import annotations

import re
from typing import Any, Optional


class CaromError(Exception):
    """Everything that carom refuses or cannot do. The text says what, where, which value, and what would be right.

    Attributes
    ----------
    file, line : where the mistake is, when it is in a model file; None otherwise
    """

    def __init__(self, text: str):
        super().__init__(text)
        place = re.match(r"(?P<file>[^\n:]+):(?P<line>\d+): ", text)
        self.file: Optional[str] = place["file"] if place else None
        self.line: Optional[int] = int(place["line"]) if place else None


class ModelError(CaromError, ValueError):
    """A model, a parameter, an option or another input is wrong.

    >>> carom.run("moreau-1986/trial-04", scheme="elats")
    Traceback (most recent call last):
    ...
    carom.errors.ModelError: scheme 'elats' is not known; did you mean 'elast'? Known: ...
    """


class StepError(CaromError, RuntimeError):
    """A computation failed on its way; `result` is what there was until then."""

    def __init__(self, text: str, result: Any = None):
        super().__init__(text)
        self.result = result


class SolverError(CaromError, RuntimeError):
    """A contact problem was not solved; `result` is the best that was found."""

    def __init__(self, text: str, result: Any = None):
        super().__init__(text)
        self.result = result


class FileError(CaromError, OSError):
    """A file cannot be read or written."""

    def __str__(self) -> str:
        return str(self.args[0])


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a long call; `result` is what was computed until then."""

    def __init__(self, text: str, result: Any = None):
        super().__init__(text)
        self.result = result
