"""Symbols: operators, numpy, branches, order of operations, and what the text holds."""

import math
import random
import re

import numpy as np
import pytest
from language_program import Language, Refused, builder, csv, error_of, run

import carom.language as language
from carom.language import SymbolError, WordError, functions


def still(m, **values):
    """Coordinates that do not move."""
    symbols = m.coordinates(list(values))
    m.mass(1)
    m.initial(dict(zip(symbols, values.values())))
    m.integrate(h=0.5, until=0.5)
    return symbols


def value_of(build, **values):
    """The value of an expression of x, y, z in a run."""
    m = builder()
    m.measure(value=m.at(build(*still(m, **values)), 0))
    return run(m.text)["measures"]["value"][0]


# ---- 200 random expressions -----------------------------------------------------------------------------------------


class Generator:
    """Expressions of the same seed, for symbols and for numbers of Python."""

    def __init__(self, seed, names):
        self.random = random.Random(seed)
        self.names = names

    def make(self, depth):
        pick = self.random
        if depth == 0 or pick.random() < 0.1:
            return ("leaf", pick.choice(self.names)) if pick.random() < 0.7 else ("number", round(pick.uniform(-3, 3), 3))
        kind = pick.choice(["+", "-", "*", "/", "neg", "pow", "f1", "f2", "where", "abs"])
        if kind in "+-*/":
            return (kind, self.make(depth - 1), self.make(depth - 1))
        if kind in ("neg", "abs"):
            return (kind, self.make(depth - 1))
        if kind == "pow":
            return ("pow", self.make(depth - 1), pick.choice([2, 3, -1, 2.0]))
        if kind == "f1":
            return ("f1", pick.choice(["sin", "cos", "tanh", "exp_", "sqrt_", "log_", "atan", "sign"]), self.make(depth - 1))
        if kind == "f2":
            return ("f2", pick.choice(["hypot", "atan2", "min", "max"]), self.make(depth - 1), self.make(depth - 1))
        return ("where", pick.choice("< <= > >=".split()), *[self.make(depth - 1) for _ in range(4)])


def evaluate(tree, values, where):
    """With symbols or with floats; numpy and the functions of the package take turns."""
    kind = tree[0]
    sub = [evaluate(t, values, where) for t in tree[1:] if isinstance(t, tuple)]
    if kind == "leaf":
        return values[tree[1]]
    if kind == "number":
        return tree[1]
    if kind == "+":
        return sub[0] + sub[1]
    if kind == "-":
        return sub[0] - sub[1]
    if kind == "*":
        return sub[0] * sub[1]
    if kind == "/":
        return sub[0] / (sub[1] * sub[1] + 1)
    if kind == "neg":
        return -sub[0]
    if kind == "abs":
        return abs(sub[0])
    if kind == "pow":
        return (sub[0] * sub[0] + 0.5) ** tree[2]
    if kind == "f1":
        name, a = tree[1], sub[0]
        if name == "exp_":
            return functions.exp(functions.sin(a))
        if name in ("sqrt_", "log_"):
            return getattr(functions, name[:-1])(a * a + 1)
        return getattr(functions, name)(a)
    if kind == "f2":
        return getattr(functions, tree[1])(*sub)
    left, right, a, b = sub
    test = {"<": lambda: left < right, "<=": lambda: left <= right, ">": lambda: left > right, ">=": lambda: left >= right}[tree[1]]()
    return where(test, a, b)


def size(tree):
    return 1 + sum(size(t) for t in tree if isinstance(t, tuple))


def test_random_expressions_have_the_values_of_python():
    values = {"x": 0.7, "y": -1.3, "z": 2.25}
    m = builder()
    symbols = dict(zip(values, still(m, **values)))
    expected, measures = {}, {}
    for seed in range(200):
        tree = Generator(seed, list(values)).make(5)
        expected[f"e{seed}"] = evaluate(tree, values, lambda c, a, b: a if c else b)
        measures[f"e{seed}"] = m.at(evaluate(tree, symbols, lambda c, a, b: functions.select(c, a, b)), 0)
    m.measure(measures)
    found = run(m.text)["measures"]
    for name, value in expected.items():
        assert found[name][0] == pytest.approx(value, rel=1e-12, abs=1e-12), name


# ---- the order of operations ---------------------------------------------------------------------------------------


def test_operations_come_in_the_order_of_python():
    m = Language()
    x, y, z = m.coordinates("x", "y", "z")
    a = x * y
    b = x + y
    m.potential(b + a)  # a was made first
    c = m.sin(z) * 2
    m.potential(c)
    assert m.text.split("\n")[1:] == ["local a = x * y", "potential(x + y + a)", "potential(sin(z) * 2)", ""]


def test_what_is_made_between_statements_stays_there():
    m = Language()
    x, y = m.coordinates("x", "y")
    m.mass(1)
    m.potential(x**2)
    before = m.energy()
    m.potential(y**2)
    m.record(before=before, after=m.energy())
    assert "local before = energy()\npotential(y^2)" in m.text


def test_nothing_unused_is_written():
    m = Language()
    x, y = m.coordinates("x", "y")
    _ = x * y + 3
    m.disc(x, y, 0.1)
    m.potential(x)
    assert m.text == 'local x, y = coordinates("x", "y")\npotential(x)\n'


@pytest.mark.parametrize(
    "build, text",
    [
        (lambda x, y: x - (y - 1), "x - (y - 1)"),
        (lambda x, y: x - y - 1, "x - y - 1"),
        (lambda x, y: x / (y / 2), "x / (y / 2)"),
        (lambda x, y: x / y / 2, "x / y / 2"),
        (lambda x, y: (x * y) / 2, "x * y / 2"),
        (lambda x, y: x * (y / 2), "x * (y / 2)"),
        (lambda x, y: -(x**2), "-x^2"),
        (lambda x, y: (-x) ** 2, "(-x)^2"),
        (lambda x, y: -(x * y), "-(x * y)"),
        (lambda x, y: -x * y, "-x * y"),
        (lambda x, y: -(-x), "-(-x)"),
        (lambda x, y: x - -y, "x - (-y)"),
        (lambda x, y: x - (-2), "x - (-2)"),
        (lambda x, y: -2 * x, "-2 * x"),
        (lambda x, y: x**-2, "x^(-2)"),
        (lambda x, y: (-2) ** x, "(-2)^x"),
        (lambda x, y: (x**y) ** 2, "(x^y)^2"),
        (lambda x, y: x ** (y**2), "x^(y^2)"),
        (lambda x, y: 2**x, "2^x"),
        (lambda x, y: (x + y) * 2, "(x + y) * 2"),
        (lambda x, y: abs(x + y), "abs(x + y)"),
        (lambda x, y: +x, "x"),
        (lambda x, y: np.arctan2(y, x), "atan2(y, x)"),
        (lambda x, y: np.float64(2.5) * x, "2.5 * x"),
        (lambda x, y: np.int32(2) * x, "2 * x"),
        (lambda x, y: np.maximum(x, 0.5), "max(x, 0.5)"),
        (lambda x, y: np.where(x > y, x, 2), "select(x - y, x, 2)"),
        (lambda x, y: np.where(x < 0, x, 2), "select(-x, x, 2)"),
        (lambda x, y: np.where(x >= 0, x, 2), "select(-x, 2, x)"),
        (lambda x, y: np.where((x > 0) & (y > 0), 1, 2), "select(x, select(y, 1, 2), 2)"),
        (lambda x, y: np.where(~(x > 0) | (y <= 1), 1, 2), "select(x, select(y - 1, 2, 1), 1)"),
        (lambda x, y: np.clip(x, 0, 1), "min(max(x, 0), 1)"),
        (lambda x, y: 1e-320 * x, "1e-320 * x"),
        (lambda x, y: 0.1 * x, "0.1 * x"),
        (lambda x, y: 1e22 * x, "1e22 * x"),
    ],
)
def test_expressions_as_text(build, text):
    m = Language()
    x, y = m.coordinates("x", "y")
    m.potential(build(x, y))
    assert m.text.split("\n")[1] == f"potential({text})"


def test_numbers_read_back_to_the_same_bits():
    picked = random.Random(3)
    numbers = [picked.uniform(-1, 1) * 10.0 ** picked.randint(-300, 300) for _ in range(200)] + [5e-324, 1.7976931348623157e308, 2**53 + 1.0, -0.0]
    m = builder()
    still(m, x=0)
    m.measure({f"n{i}": m.at(v + 0 * m.time(), 0) for i, v in enumerate(numbers)})
    found = run(m.text)["measures"]
    assert [found[f"n{i}"][0] for i in range(len(numbers))] == numbers


# ---- numpy ----------------------------------------------------------------------------------------------------------


def test_arrays_of_symbols():
    m = Language()
    x, y, z = q = m.coordinates("x", "y", "z")
    a = np.array(q)
    assert a.dtype == object and a.shape == (3,)
    for made in (np.sin(a), np.sqrt(a), a * 2, 2 - a, a / np.array([1.0, 2.0, 3.0]), np.hypot(a, a), m.dot(a), np.square(a), -a, abs(a)):
        assert made.shape == (3,) and all(isinstance(s, language.Symbol) for s in made)
    m.potential(a @ a + np.dot(a, [1.0, 2.0, 3.0]) + a.sum() + np.linalg.norm(a))
    assert "x * x + y * y + z * z" in m.text and "sqrt(" in m.text
    R = np.array([[m.cos(x), -m.sin(x)], [m.sin(x), m.cos(x)]])
    assert (R @ np.array([1.0, y])).shape == (2,)
    assert np.cross(a, m.dot(a)).shape == (3,)
    assert functions.max(a).__class__ is language.Symbol
    assert np.array([1.0, 2.0]) @ np.array([x, y]) is not None
    assert (x * np.arange(3)).shape == (3,) and (np.arange(3) * x).shape == (3,)


def test_functions_of_numbers_are_numbers():
    assert functions.sin(0.5) == math.sin(0.5) and functions.min(3, 1) == 1 and functions.select(1, 2, 3) == 2
    assert functions.hypot(3, 4) == 5 and functions.sign(-2) == -1 and functions.atan(1, 1) == math.atan2(1, 1)
    assert list(functions.cos(np.array([0.0, 0.0]))) == [1, 1]
    with pytest.raises(TypeError):
        functions.sin("x")


def test_ufuncs_that_the_language_has_not():
    m = Language()
    x = m.coordinates("x")
    for ufunc in (np.cbrt, np.log10, np.floor, np.gamma if hasattr(np, "gamma") else np.rint, np.exp2):
        with pytest.raises(TypeError, match="write|known"):
            ufunc(x)
    with pytest.raises(TypeError):
        np.add.reduce(x)


# ---- branches -------------------------------------------------------------------------------------------------------


def branches(x, y):
    return {
        "if x": lambda: 1 if x else 2,
        "if x > 0": lambda: 1 if x > 0 else 2,
        "if x == 0": lambda: 1 if x == 0 else 2,
        "if x != y": lambda: 1 if x != y else 2,
        "not x": lambda: not x,
        "x and y": lambda: (x > 0) and (y > 0),
        "while": lambda: next(i for i in range(3) if x < i),
        "min": lambda: min(x, y),
        "max": lambda: max(x, 0),
        "sorted": lambda: sorted([x, y]),
        "int": lambda: int(x),
        "float": lambda: float(x),
        "complex": lambda: complex(x),
        "range": lambda: range(x),
        "math.sin": lambda: math.sin(x),
        "math.floor": lambda: math.floor(x),
        "round": lambda: round(x),
        "format": lambda: f"{x:.3f}",
        "x in list": lambda: x in [y, 1],
        "x % 2": lambda: x % 2,
        "x // 2": lambda: x // 2,
        "divmod": lambda: divmod(x, 2),
        "pow": lambda: pow(x, 2, 3),
        "array comparison": lambda: np.array([x, y]) > 0,
        "np.any": lambda: np.any(np.array([x, y])),
        "bool of condition": lambda: bool((x > 0) & (y > 0)),
        "0 < x < 1": lambda: 0 < x < 1,
        "conditions compared": lambda: (x > 0) == (y > 0),
    }


@pytest.mark.parametrize("name", list(branches(None, None)))
def test_a_branch_on_a_symbol_says_what_to_write(name):
    m = Language()
    x, y = m.coordinates("x", "y")
    with pytest.raises(SymbolError) as caught:
        branches(x, y)[name]()
    assert isinstance(caught.value, TypeError)
    assert re.search(r"select|write|use|join|number", str(caught.value)), caught.value


def test_other_things_that_symbols_are_not():
    m = Language()
    x, y = m.coordinates("x", "y")
    for wrong in (lambda: len(x), lambda: list(x), lambda: x[0], lambda: x(1), lambda: x + "a", lambda: x + None, lambda: x + [1], lambda: x + True,
                  lambda: x + 1j, lambda: x @ y, lambda: x << 1, lambda: x & y, lambda: ~x):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(AttributeError):
        x.velocity
    with pytest.raises(ValueError, match="NaN"):
        x + math.nan
    with pytest.raises(ValueError, match="NaN"):
        m.integrate(h=np.nan, until=1)
    other = Language().coordinates("x")
    with pytest.raises(TypeError, match="another model"):
        x + other
    with pytest.raises(TypeError, match="comparison"):
        m.record(a=x > 0)
    import copy
    import pickle

    assert copy.deepcopy(x) is x and {x: 1}[x] == 1
    with pytest.raises(TypeError):
        pickle.dumps(x)


def test_symbols_of_a_function_stay_in_it():
    m = Language()
    kept = []

    def load(x, t):
        kept.append(x)
        return x

    m.beam("u", length=1, elements=4, k2=1, load=load)
    with pytest.raises(TypeError, match="outside"):
        kept[0] + 1
    with pytest.raises(TypeError, match="cannot stand inside"):
        m.beam("w", length=1, elements=4, k2=1, load=lambda x, t: m.potential(x))
    with pytest.raises(TypeError, match="returned nothing"):
        m.beam("w", length=1, elements=4, k2=1, load=lambda x, t: None)
    m.potential(m.time())  # the outer scope is in force again
    assert "potential(time())" in m.text


def test_a_condition_ends_a_run():
    m = builder()
    x = m.coordinates("x")
    m.mass(1)
    m.initial(v={"x": 1})
    m.integrate(h=1e-3, until=1)
    m.stop("far", when=(x > 0.5) & ~(x <= 0.25))
    m.stop(when=x <= -1)
    assert 'stop { "far", when = min(x - 0.5, -(-(x - 0.25))) }' in m.text and "stop { when = -(x - (-1)) }" in m.text
    found = run(m.text)
    assert found["status"] == "stopped" and found["final"]["q"]["x"] == pytest.approx(0.5, abs=2e-3)
    with pytest.raises(SymbolError, match="larger than the other"):
        m.stop(when=x == 1)


def test_statements_of_a_model_come_in_any_order():
    pytest.importorskip("carom._native")
    import carom

    m = carom.Model()
    e = m.param("e", 0.5)
    x = m.coordinates("x")
    y = m.coordinates("y")
    m.mass(1)
    m.contact("floor", gap=y, slip=m.dot(x), restitution=e)
    m.initial(y=1, v={"y": -1})
    m.record(rub=m.impulse("floor", component=1))
    assert m.coordinates == ["x", "y"] and len(m.coordinates) == 2 and m.coordinates[1] == "y"
    assert m.run(h=1e-2, until=2)["y"][-1] > 0
    read = carom.Model(m.text + "integrate { h = 1e-2, until_t = 1 }")
    for more in (lambda: read.mass(1), lambda: read.coordinates("z"), lambda: read.time(), lambda: read.chain(balls=2), lambda: read.lua("x = 1")):
        with pytest.raises(carom.ModelError, match="read as a whole"):
            more()


# ---- words ----------------------------------------------------------------------------------------------------------


def test_unknown_keywords_name_the_near_ones():
    m = builder()
    x, y = m.coordinates("x", "y")
    with pytest.raises(WordError, match="'frction'; did you mean 'friction'"):
        m.contact("floor", gap=y, frction=0.3)
    with pytest.raises(WordError, match="did you mean 'gamma'|unknown keyword"):
        m.ring_orbit(gama=0.1)
    with pytest.raises(WordError, match="missing"):
        m.contact()
    with pytest.raises(WordError, match="did you mean 'colour'"):
        m.disc(x, y, 0.1, color="red")
    with pytest.raises(WordError, match="there is no coordinate 'z'"):
        m.initial(v={"z": 1})
    with pytest.raises(AttributeError, match="did you mean 'kinetic'"):
        m.kinetc(x)
    with pytest.raises(WordError, match="twice"):
        m.contact("floor", name="floor", gap=y)
    with pytest.raises(WordError, match="by place"):
        m.kinetic(x, y)
    assert 'contact {' not in m.text


def test_words_that_are_registered_later_work():
    later = language.Vocabulary(
        {"magnet": ("a magnet", 'local m = magnet { "m", strength = 2 }', ["strength", "from"]), "twist": ("a twist", "record { t = twist(x) }", None)},
        {"middle": ("median", "middle(x)")},
        {"weather": ("a study", ["days"])},
    )
    m = Language(later)
    x = m.coordinates("x")
    magnet = m.magnet("m", strength=2, from_=1)
    m.record(pull=magnet.pull(x), t=m.twist(x), c=m.weather(days=3).rain[0])
    m.measure(middle=m.middle(x))
    assert 'local m = magnet { "m", strength = 2, from = 1 }' in m.text or "magnet { " in m.text
    assert "weather { days = 3 }" in m.text and "twist(x)" in m.text and "middle(x)" in m.text
    with pytest.raises(WordError, match="strength"):
        m.magnet("n", strenght=2)
    assert "magnet" in dir(m) and "a magnet" in m.magnet.__doc__.lower()


def test_reserved_words_take_an_underscore():
    m = Language()
    x = m.coordinates("x")
    m.family(lambda_=[1, 2], x_=[3, 4])
    m.measure({"end": x, "and": x}, until_=x)
    assert "family { lambda = { 1, 2 }, x_ = { 3, 4 } }" in m.text
    assert 'measure { ["end"] = x, ["and"] = x, ["until"] = x }' in m.text


def test_variables_never_hide_words():
    m = builder()
    time, y, end = m.coordinates("time", "y", "end")
    potential = m.param("potential", 2)
    sin = 2 * y
    m.mass(1)
    m.potential(potential * time**2 + sin * sin + end**2 + m.sin(m.time()))
    m.initial({time: 1})
    m.integrate(h=0.1, until=1)
    m.measure(time=time)
    assert run(m.text)["status"] == "ok"


# ---- many ---------------------------------------------------------------------------------------------------------


def test_more_values_than_local_variables():
    m = builder()
    q = m.coordinates(*[f"q{i}" for i in range(40)])
    m.mass(1)
    squares = [s**2 for s in q]
    named = [s + i for i, s in enumerate(squares)] + [2 * s for s in squares] + [3 * s for s in squares] + [4 * s for s in squares] + [5 * s for s in squares]
    m.potential(sum(named) + sum(a * b for a, b in zip(named, named[1:])))
    m.initial(q0=1)
    m.integrate(h=0.01, until=0.1)
    m.measure(q=q[0])
    assert "kept." in m.text
    assert run(m.text)["status"] == "ok"
    line = next(i for i, text in enumerate(m.text.split("\n"), 1) if text.startswith("measure"))
    assert m.where(line)[0] == __file__


def test_long_lists_beside_many_values():
    """Registers of Lua: variables, and lists inside lists."""
    m = builder()
    m.world(gravity=(0, 0, -9.81))
    k = m.param("k", 2)
    found = m.impact_mode(n=2, T=4.4)
    scale = [k * i for i in range(200)]
    total = sum(s * s for s in scale)
    m.fixed("hill", shape=m.heightfield(*[[0.0] * 60 for _ in range(60)], dx=1, dy=1), at=(0, 0, -1))
    ball = m.body("ball", shape=m.sphere(0.1), density=1000, at=(3, 3, 1))
    m.force(ball, (0, 0, 1e-9 * total))
    late = m.impact_mode(n=3, T=4.4)
    extra = m.compute("return { count = #late.u + k }", late=late, k=k)
    plain = m.compute(lambda: {"twice": 2 * late.energy + k})
    m.integrate(scheme="moreau-jean", h=1e-2, until=0.05)
    m.measure(z=ball.z, count=extra.count, twice=plain.twice, energy=late.energy, first=found.energy)
    assert "kept." in m.text and "kept.late" not in m.text
    measures = run(m.text)["measures"]
    assert measures["count"] == 5 and measures["twice"] == 2 * measures["energy"] + 2


def test_three_hundred_bodies_and_long_sums():
    m = builder()
    m.world(gravity=(0, -9.81))
    bodies = [m.body(f"b{i}", shape=m.disc(0.01), density=1, at=(0.1 * i, 1)) for i in range(300)]
    energy = 0
    for b in bodies:
        energy = energy + b.kinetic()
    m.integrate(scheme="moreau-jean", h=0.01, until=0.02)
    m.measure(energy=energy, mean=m.mean(sum(b.y for b in bodies) / 300))
    found = run(m.text)
    assert found["status"] == "ok" and found["measures"]["energy"] > 0
    assert max(len(line) for line in m.text.split("\n")) < 140


def test_deep_expressions():
    m = builder()
    (x,) = still(m, x=0.5)
    e = x
    for _ in range(1000):
        e = -m.sin(e)
    big = x
    for i in range(5000):
        big = big + x * i
    m.measure(e=m.at(e, 0), big=m.at(big, 0))
    expected = 0.5
    for _ in range(1000):
        expected = -math.sin(expected)
    found = run(m.text)["measures"]
    assert found["e"][0] == pytest.approx(expected, rel=1e-13)
    assert found["big"][0] == pytest.approx(0.5 + 0.5 * sum(range(5000)))


# ---- injection ----------------------------------------------------------------------------------------------------

NASTY = [
    'a"]] } os.exit() --', "a\\", 'a\\"', "]]", "]==]", "a\nb", "x]\ny", "]=]\n]]", "\\n", "a'b", "${x}", "--[[", "ü θ 🎈", "tab\there", "\u2028", "\\u{41}", "[[", "[==[\n]", "end",
    "a\n]", "%d %s", "\\z \\x41 \\065",
]  # fmt: skip


@pytest.mark.parametrize("text", NASTY)
def test_texts_stay_texts(text):
    """What Lua reads is what was given: its bytes are counted and summed there."""
    m = builder()
    still(m, x=0)
    m.lua('local sum = 0 for i = 1, #t do sum = sum + i * t:byte(i) end measure { sum = sum + 0 * time(), length = #t + 0 * time() }', t=text)
    found = run(m.text)["measures"]
    data = text.encode()
    assert found["length"] == len(data)
    assert found["sum"] == sum(i * b for i, b in enumerate(data, 1))


@pytest.mark.parametrize("name", ['x"] = 1, y', "x } os.exit() --", "a b", "", "1x", "x\n", "é", "x\0"])
def test_names_cannot_break_out(name):
    for build in (lambda m: m.param(name, 1), lambda m: m.record({name: 1}), lambda m: m.contact(name, gap=0), lambda m: m.coordinates(name),
                  lambda m: m.variant(name, e=1)):  # fmt: skip
        m = builder()
        (x,) = still(m, y=0)
        try:
            build(m)
        except ValueError:
            continue
        message = error_of(m.text)
        assert "is not a name" in message or "zero byte" in message or "after mass" in message, message


def test_half_surrogates_and_controls():
    m = Language()
    with pytest.raises(ValueError, match="UTF-8"):
        m.experiment(title="\ud800")
    m.experiment(title="bell\x07")
    assert "\\007" in m.text
    with pytest.raises(ValueError):
        m.lua("a\x01b")


# ---- values that a model cannot hold -------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1j, object(), {1, 2}, b"x", (i for i in ()), [1, None], {"a": {2.5: 1}}, int, Exception("x"), np.array([1j])])
def test_wrong_values_are_refused_at_once(value):
    m = Language()
    with pytest.raises((TypeError, ValueError)):
        m.contact("floor", gap=value)
    assert m.text == ""


def test_what_is_left_out():
    m = Language()
    y = m.coordinates("y")
    m.contact("floor", gap=y, slip=None, friction=None)
    m.plot("p", m.line(m.time(), y, label=None))
    assert 'contact { "floor", gap = y }' in m.text and "label" not in m.text


# ---- lines ----------------------------------------------------------------------------------------------------------


def line_of(marker):
    with open(__file__, encoding="utf-8") as file:
        return next(i for i, text in enumerate(file, 1) if text.rstrip().endswith(f"# {marker}"))


def test_errors_name_the_line_of_python():
    m = builder()
    x, y = m.coordinates("x", "y")
    m.mass(1)
    m.contact("floor", gap=m.dot(y))  # wrong gap
    m.integrate(h=1e-3, until=1)
    assert f"{__file__}:{line_of('wrong gap')}: " in m.explained(error_of(m.text), "model.lua")

    m = builder()
    x, y = m.coordinates("x", "y")
    m.mass(1)
    nothing = m.log(-1 + 0 * x)  # not a number
    m.record(
        a=x,
        b=nothing,
    )
    m.record(c=nothing)
    m.integrate(h=1e-3, until=1)
    assert f"{__file__}:{line_of('not a number')}" in m.explained(error_of(m.text), "model.lua")


def test_every_line_has_its_place():
    m = builder()
    x, y = m.coordinates("x", "y")  # coordinates
    m.plot("p", m.panel(m.line(m.time(), x, label="a label that is long enough to make the line too long for a screen")),  # first panel
           m.panel(m.line(m.time(), y, label="another label that is long enough to make the line too long")))  # fmt: skip # second panel
    text = m.text.split("\n")
    assert m.where(1) == (__file__, line_of("coordinates"))
    second = next(i for i, t in enumerate(text, 1) if "another" in t)
    assert m.where(second) == (__file__, line_of("second panel"))
    assert m.where(0) is None and m.where(1000) is None


def test_long_texts_keep_the_lines_right():
    m = builder()
    m.experiment(doc="one\ntwo\n\nfour")
    m.coordinates("x")  # after the text
    line = next(i for i, t in enumerate(m.text.split("\n"), 1) if t.startswith("coordinates"))
    assert m.where(line) == (__file__, line_of("after the text"))


def test_saved_text_runs(tmp_path):
    m = builder()
    still(m, x=1)
    path = tmp_path / "still.lua"
    m.save(path)
    assert path.read_text() == m.text
    assert csv(m.text).count("\n") > 2


def test_the_text_grows():
    m = Language()
    x = m.coordinates("x")
    assert m.text == 'coordinates("x")\n'
    m.potential(x)
    assert m.text == 'local x = coordinates("x")\npotential(x)\n'
    with pytest.raises(Refused):
        csv(m.text)


def test_whole_arrays_name_what_takes_them():
    x, y = Language().coordinates("x", "y")
    for wrong in (lambda a: np.minimum(a, 0), lambda a: a < 0, np.sign):
        with pytest.raises(SymbolError, match="of whole arrays carom.min"):
            wrong(np.array([x, y]))
    assert functions.min(np.array([x, y]), 0).shape == (2,)
