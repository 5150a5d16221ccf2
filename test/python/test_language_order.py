"""The text computes what Python computed, in the order of Python: seen by running the text with operands that write down what is done.

Lua and Python compute operands from left to right and bind operators alike, so that Python can run the expressions of the text itself.
"""

import random
import re

import pytest
from language_program import Language

FUNCTIONS = ("sin", "cos", "min", "max", "hypot", "select", "abs")


class Seen:
    """An operand: each operation gets the next number."""

    def __init__(self, log, what):
        self.log = log
        self.number = len(log)
        log.append(what)

    def _then(self, operator, left, right):
        return Seen(self.log, (operator, *[v.number if isinstance(v, Seen) else repr(v) for v in (left, right)]))

    def __add__(self, other):
        return self._then("+", self, other)

    def __radd__(self, other):
        return self._then("+", other, self)

    def __sub__(self, other):
        return self._then("-", self, other)

    def __rsub__(self, other):
        return self._then("-", other, self)

    def __mul__(self, other):
        return self._then("*", self, other)

    def __rmul__(self, other):
        return self._then("*", other, self)

    def __truediv__(self, other):
        return self._then("/", self, other)

    def __rtruediv__(self, other):
        return self._then("/", other, self)

    def __pow__(self, other):
        return self._then("^", self, other)

    def __rpow__(self, other):
        return self._then("^", other, self)

    def __neg__(self):
        return Seen(self.log, ("neg", self.number))


def seen_in(text, coordinates):
    """Operations of a text, and what its statements took."""
    log = []
    taken = []
    known = {name: Seen(log, name) for name in coordinates}

    def function(word):
        return lambda *values: Seen(log, (word, *[v.number if isinstance(v, Seen) else repr(v) for v in values]))

    known.update({word: function(word) for word in FUNCTIONS})
    known["potential"] = lambda e: taken.append(e.number if isinstance(e, Seen) else repr(e))
    python = re.sub(r"^local ", "", text[text.index("coordinates(") :].split("\n", 1)[1], flags=re.M).replace("^", "**")
    if "kept." in python:
        known["kept"] = type("Kept", (), {})()
    joined = re.sub(r"\n +", " ", python)  # broken lines
    exec(compile(joined, "text", "exec"), known)
    return log, taken


def program(m, seed, steps):
    """A random program: values that are used never, once or often, in any order, between statements."""
    pick = random.Random(seed)
    values = list(m.coordinates("x", "y", "z"))
    for _ in range(steps):
        a, b = pick.choice(values[-8:]), pick.choice(values + [2, 0.5, -3])
        kind = pick.randrange(9)
        if kind == 0:
            values.append(a + b)
        elif kind == 1:
            values.append(b - a)
        elif kind == 2:
            values.append(a * b)
        elif kind == 3:
            values.append(b / a)
        elif kind == 4:
            values.append(-a)
        elif kind == 5:
            values.append(m.sin(a) ** 2)
        elif kind == 6:
            values.append(m.min(a, b) + m.hypot(b, a))
        elif kind == 7:
            values.append(m.select(a, b, pick.choice(values)))
        else:
            m.potential(a * b + pick.choice(values))
    m.potential(values[-1])
    return m


def made_by(m):
    """The same operations as Python made them, without those that nothing uses."""
    nodes = m._trace.file.nodes
    from carom.language.trace import Literal
    from carom.language.writer import Uses

    used = Uses(m._trace.file).count
    log, number, taken = [], {}, []
    for node in nodes:
        if node.form == "result":
            number[node] = len(log)
            log.append("xyz"[node.word])
    for node in nodes:
        if node not in used or node.form == "result" or node.word == "coordinates":
            continue
        operands = [a.text if isinstance(a, Literal) else number[a] for a in node.args]
        if node.word == "potential":
            taken.append(operands[0])
            continue
        number[node] = len(log)
        log.append(("neg" if node.form == "unary" else node.word, *operands))
    return log, taken


@pytest.mark.parametrize("seed", range(60))
def test_the_order_is_that_of_python(seed):
    m = program(Language(), seed, 12 + seed * 2)
    assert seen_in(m.text, "xyz") == made_by(m)


def test_thousand_steps():
    m = program(Language(), 1000, 2000)
    assert "kept." in m.text
    assert seen_in(m.text, "xyz") == made_by(m)
