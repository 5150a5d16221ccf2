"""Lines that fit on a screen, from one long text with marks where it may be broken.

Marks are control characters, which no text of a model can hold (they are written as escapes):

    BREAK   a blank where a line may end        OPEN, CLOSE   around what is indented further
    LINE    a line ends here, indented          RAW           a line ends inside a text: nothing is added
    MADE    n ;   what follows was made by node number n
"""

from __future__ import annotations

import re
from typing import Any, Optional

BREAK, OPEN, CLOSE, LINE, RAW, MADE = "\x01", "\x02", "\x03", "\x04", "\x05", "\x06"
WIDTH = 118
INDENT = 2

_TOKEN = re.compile("([\x01\x02\x03\x04\x05]|\x06[0-9]+;)")
_MARKS = re.compile("[\x02\x03]|\x06[0-9]+;")


def length(text: str) -> int:
    """Characters of a text without its marks."""
    return len(_MARKS.sub("", text))


def plain(text: str) -> str:
    """The text on one line."""
    return _MARKS.sub("", text).replace(BREAK, " ").replace(LINE, " ").replace(RAW, "\n")


def lines(text: str, indent: int = 0) -> list:
    """[(line, number of the node that made its first part, or None)]"""
    if "\x04" not in text and "\x05" not in text and indent + length(text) <= WIDTH:
        made = re.match("[\x02\x03]*\x06([0-9]+);", text)
        return [(" " * indent + plain(text), int(made[1]) if made else None)]
    page = _Page(indent)
    page.fill(_tree(_TOKEN.split(text)), 0)
    return page.finished()


def _tree(tokens: list) -> list:
    """Nested lists for what stands between OPEN and CLOSE."""
    stack: list = [[]]
    for token in tokens:
        if token == OPEN:
            stack.append([])
        elif token == CLOSE:
            inner = stack.pop()
            stack[-1].append(inner)
        elif token:
            stack[-1].append(token)
    return stack[0]


def _size(piece: Any) -> int:
    """Characters of a piece on one line; too many for any line where it holds a line end."""
    if isinstance(piece, list):
        return sum(_size(p) for p in piece)
    if piece in (LINE, RAW):
        return 10 * WIDTH
    return 1 if piece == BREAK else 0 if piece.startswith(MADE) else len(piece)


def _items(group: list) -> list:
    """The parts of a group between its places for breaks."""
    items: list = [[]]
    for piece in group:
        if piece == BREAK:
            items.append([])
        else:
            items[-1].append(piece)
    return items


class _Page:
    """Lines that are being filled."""

    def __init__(self, indent: int):
        self.indent = indent
        self.lines: list = []
        self.current = " " * indent
        self.made: Optional[int] = None

    def _end(self, next_indent: int, inside_text: bool = False) -> None:
        self.lines.append((self.current if inside_text else self.current.rstrip(), self.made))
        self.current, self.made = " " * next_indent, None

    def finished(self) -> list:
        self._end(0)
        return self.lines

    def fill(self, group: list, depth: int) -> None:
        """As many items on a line as fit; an item that fits on no line is broken inside."""
        inner = self.indent + INDENT * max(1, depth)
        for number, item in enumerate(_items(group)):
            size = sum(_size(piece) for piece in item)
            if number > 0:
                fits_here = len(self.current) + 1 + size <= WIDTH
                if fits_here or (inner + size > WIDTH and len(self.current) < WIDTH // 2 and size < 10 * WIDTH):
                    self.current += " "
                else:
                    self._end(inner)
            for piece in item:
                self._put(piece, depth)

    def _put(self, piece: Any, depth: int) -> None:
        if isinstance(piece, list):
            self.fill(piece, depth + 1)
        elif piece == LINE:
            self._end(self.indent + INDENT * depth)
        elif piece == RAW:
            self._end(0, inside_text=True)
        elif piece.startswith(MADE):
            if self.made is None:
                self.made = int(piece[1:-1])
        else:
            self.current += piece
