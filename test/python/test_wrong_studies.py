"""Random wrong calls of all studies: exceptions that say so, never a crash; and several threads at once."""

import random
import threading

import numpy as np
import pytest

import carom
from program import BALL, LINEAR

POOL = [None, True, -1, 0, 1, 2, 3, 10**30, 0.5, -0.5, 1e-3, 4.4, 1e300, float("nan"), float("inf"), 1j,
        "", "wall", "floor", "e", "period", "@", "wall@", "wall@0.5", "\0", "a" * 2000, b"wall",
        [], [0.1], [0.01, 0.02], [0.1, None], ["wall", 3], ["wall", "wall"], (), (1, 2), range(3),
        {}, {"theta": 1}, {"theta": None}, {3: 4}, object(), lambda: 1,
        np.array([]), np.zeros((2, 2)), np.array([0.2, 0.4]), np.array(0.5), np.array(["a", "b"])]
NAMES = {
    "sweep": ["e", "g", "n", "k", "h", "until", "scheme", "measures", "threads", "options", "theta", "nothing"],
    "converge": ["h", "schemes", "reference", "reference_scheme", "reference_h", "quantities", "until", "options", "e",
                 "nothing"],
    "orbit": ["period", "impacts", "flights", "guess", "settle", "pick", "verify", "perturb", "strict", "e", "k", "nothing"],
    "continue_": ["parameter", "start", "stop", "impacts", "period", "flights", "guess", "settle", "pick", "frequency", "pattern",
                  "switches", "points", "step", "through", "strict", "k"],
    "modes": ["impacts", "sticking", "periods", "points", "k", "e", "nothing"],
    "check": ["e", "g", "k", "n", "nothing"],
}
GOOD = {
    "sweep": {"e": [0.5, 1.0], "until": 0.2, "h": 0.05}, "converge": {"h": [0.05, 0.02], "until": 0.2},
    "orbit": {"period": 4.4, "impacts": "wall"},
    "continue_": {"parameter": "k", "start": 2.0, "stop": 2.01, "impacts": "wall", "period": 4.4, "points": 3},
    "modes": {"periods": (4.0, 5.0)}, "check": {},
}
# Long, and right: not what is tested here.
COSTLY = {("converge", "until"): [1e300, 1, 2, 3, 4.4], ("converge", "reference_h"): [1e-3], ("sweep", "h"): [1e-3],
          ("sweep", "until"): [1e300], ("orbit", "settle"): [10**30, 1e300], ("continue_", "settle"): [10**30, 1e300]}


@pytest.mark.parametrize("seed", range(8))
def test_random_calls(seed):
    draw = random.Random(seed)
    models = [carom.Model(text) for text in (BALL, LINEAR)]
    refused = 0
    for _ in range(150):
        name = draw.choice(list(NAMES))
        model = models[0] if name in ("sweep", "converge", "check") and draw.random() < 0.7 else models[1]
        keywords = dict(GOOD[name])
        for _ in range(draw.choice((1, 1, 2, 3))):
            key = draw.choice(NAMES[name])
            value = draw.choice(POOL)
            if not any(value is costly for costly in COSTLY.get((name, key), ())):
                keywords[key] = value
        try:
            getattr(model, name)(**keywords)
        except (TypeError, ValueError, carom.CaromError) as problem:
            refused += 1
            assert str(problem)
    assert refused > 50


def test_several_threads_at_once():
    """Each has the numbers that it has alone."""
    ball, chain = carom.Model(BALL), carom.Model(LINEAR)
    calls = [lambda: ball.sweep(e=[0.2, 0.4, 0.6], n=[1, 2])["height"].tolist(), lambda: chain.orbit(4.4, "wall").energy,
             lambda: chain.continue_("k", 2.0, 2.1, impacts="wall", period=4.4, points=5).energy.tolist(),
             lambda: ball.converge([0.02, 0.01], schemes="moreau-jean", until=0.4).errors["moreau-jean"]["q"].tolist(),
             lambda: chain.check()["worst"]]
    alone = [call() for call in calls]
    wrong = []

    def repeat(index):
        for _ in range(5):
            found = calls[index]()
            if found != alone[index]:
                wrong.append((index, found))

    threads = [threading.Thread(target=repeat, args=(i % len(calls),)) for i in range(2 * len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
