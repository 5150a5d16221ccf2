"""Wrong calls raise exceptions that say what is wrong; whatever was said before can still be written."""

import inspect
import random

import numpy as np
import pytest
from language_program import Language, builder, error_of, vocabulary

from carom.language import table

WRONG = (None, True, -1, 0, 3, 2.5, float("nan"), float("inf"), "", "x", "floor", "a b", b"x", [], [1, 2], [[1, 2], [3, 4]], (), (1,), {}, {"a": 1}, {1: 2},
         set(), object(), np.array([]), np.zeros((2, 2)), np.array(3.0), np.array(["a"]), 1j, lambda x: x, lambda: None, len, int, table(1, a=2),
         range(3), 10**30, np.float32(2), np.datetime64("2024-01-01"))  # fmt: skip
TOLD = (TypeError, ValueError, AttributeError, IndexError, OverflowError)


def words():
    names = [n for n in dir(Language) if not n.startswith("_") and callable(getattr(Language, n))]
    return [n for n in names if n not in ("save", "lua")] + [w.name for w in vocabulary().words.values() if w.kind == "study"]


def test_thousands_of_wrong_calls():
    pick = random.Random(11)
    told = 0
    for _ in range(60):
        m = builder()
        x, y = m.coordinates("x", "y")
        values = list(WRONG) + [x, y, x * y, x > 0, m.ground, m.impact(), m.line(x, y), m.box(1, 2)]
        names = words()
        for _ in range(100):
            name = pick.choice(names)
            function = getattr(m, name)
            known = [p for p in inspect.signature(function).parameters] + ["gap", "from_", "radius", "nonsense"]
            args = [pick.choice(values) for _ in range(pick.randrange(4))]
            keys = {pick.choice(known): pick.choice(values) for _ in range(pick.randrange(4))}
            keys = {k: v for k, v in keys.items() if k not in ("self",)}
            try:
                function(*args, **keys)
            except TOLD as problem:
                told += 1
                assert str(problem)
        assert isinstance(m.text, str)
        assert all(m.where(i) is not None for i in range(1, 5))
    assert told > 2000


def test_the_program_reads_whatever_was_taken():
    """A text may be refused, with a line of its own; it is never unreadable."""
    pick = random.Random(5)
    for _ in range(40):
        m = builder()
        x, y = m.coordinates("x", "y")
        values = [v for v in WRONG] + [x, y, x * y, m.ground]
        for _ in range(30):
            name = pick.choice(words())
            try:
                getattr(m, name)(*[pick.choice(values) for _ in range(pick.randrange(1, 4))])
            except TOLD:
                continue
        m.measure(nothing=1)
        message = error_of(m.text)
        for unreadable in ("unexpected symbol", "expected near", "malformed number", "unfinished", "too many local", "syntax"):
            assert unreadable not in message, (message, m.text)


def test_lists_that_hold_themselves():
    m = Language()
    endless = []
    endless.append(endless)
    with pytest.raises(ValueError, match="hold itself"):
        m.contact("floor", gap=endless)
    m.contact("floor", gap=1)
    assert m.text == 'contact { "floor", gap = 1 }\n'


def test_values_and_their_entries():
    m = builder()
    c = m.chain(balls=3)
    assert len(c.x) == 3 and len(list(c.x)) == 3 and c.x[:2][1] is not None and np.array([c.x[0], c.x[1]]).shape == (2,)
    with pytest.raises(IndexError):
        c.x[3]
    mode = m.impact_mode(n=2, T=4.4)
    for wrong in (lambda: len(mode.u), lambda: list(mode.u), lambda: mode.u[-1], lambda: mode.u[1.5], lambda: bool(mode.admissible), lambda: mode._x):
        with pytest.raises((TypeError, IndexError, AttributeError)):
            wrong()
    m.integrate(h=0.01, until=0.1)
    m.measure(a=mode.u[0] + 2 * mode.v[1], b=c.x[-1] - c.x[0])
    assert "a = mode.u[1] + 2 * mode.v[2], b = c.x[3] - c.x[1]" in m.text


def test_columns_of_pandas_and_the_like():
    class Column:
        def __array__(self, dtype=None):
            return np.array([0.0, 1.0, 2.0])

    m = Language()
    data = m.table_of(Column(), Column())
    m.record(a=data(m.time()))
    assert "table_of { { 0.0, 1.0, 2.0 }, { 0.0, 1.0, 2.0 } }" in m.text
