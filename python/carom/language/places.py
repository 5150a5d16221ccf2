"""Where in the user's Python something was made: for errors, and for names that are those of the Python source."""

from __future__ import annotations

import ast
import linecache
import os
import sys
from types import CodeType, FrameType
from typing import Optional

import numpy

_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_SKIPPED = (_OWN, os.path.dirname(os.path.abspath(numpy.__file__)) + os.sep)

_known: dict = {}  # file -> whether it is one of these


class Place:
    """A place in a Python source: the instruction that ran; line and columns are looked up when they are asked for."""

    __slots__ = ("code", "instruction")

    def __init__(self, code: CodeType, instruction: int):
        self.code = code
        self.instruction = instruction

    @property
    def file(self) -> str:
        return self.code.co_filename

    def span(self) -> tuple:
        """(first line, first column, last line, last column) of the expression; columns are None where Python has none."""
        wanted = self.instruction // 2
        positions = getattr(self.code, "co_positions", None)
        if positions is not None:
            for index, (line, last, column, end) in enumerate(positions()):
                if index == wanted:
                    return (line or self.code.co_firstlineno, column, last, end)
        for start, end, line in self.code.co_lines():
            if start <= self.instruction < end and line is not None:
                return (line, None, line, None)
        return (self.code.co_firstlineno, None, None, None)

    @property
    def line(self) -> int:
        return self.span()[0]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self.code is other.code and self.line == other.line

    def __hash__(self) -> int:
        return hash((id(self.code), self.line))


def here() -> Optional[Place]:
    """The innermost line that is neither of this package nor of numpy."""
    frame: Optional[FrameType] = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        own = _known.get(code.co_filename)
        if own is None:
            own = _known[code.co_filename] = code.co_filename.startswith(_SKIPPED)
        if not own:
            return Place(code, frame.f_lasti)
        frame = frame.f_back
    return None


# ---- names of variables ---------------------------------------------------------------------------------------


def _span(node: ast.AST) -> tuple:
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _collect(targets: dict, target: ast.AST, value: ast.AST) -> None:
    if isinstance(target, ast.Name):
        targets[_span(value)] = (target.id,)
    elif isinstance(target, (ast.Tuple, ast.List)) and all(isinstance(t, ast.Name) for t in target.elts):
        targets[_span(value)] = tuple(t.id for t in target.elts if isinstance(t, ast.Name))
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            for one, its in zip(target.elts, value.elts):
                _collect(targets, one, its)


class Sources:
    """Which variable each expression of a source is assigned to."""

    def __init__(self) -> None:
        self._files: dict = {}

    def _targets(self, file: str) -> dict:
        if file in self._files:
            return self._files[file]
        targets: dict = {}
        try:
            tree = ast.parse("".join(linecache.getlines(file)))
        except (SyntaxError, ValueError):
            tree = ast.Module(body=[], type_ignores=[])
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                _collect(targets, node.targets[0], node.value)
            elif isinstance(node, ast.AnnAssign) and node.value is not None:
                _collect(targets, node.target, node.value)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                targets[_span(node)] = (node.target.id,)
        self._files[file] = targets
        return targets

    def variables(self, place: Optional[Place]) -> tuple:
        """The variables that the value made at a place goes to; () where it is part of a larger expression."""
        if place is None:
            return ()
        return self._targets(place.file).get(place.span(), ())
