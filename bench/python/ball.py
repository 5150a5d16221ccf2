#!/usr/bin/python3
"""The bouncing ball step by step: carom's s.step(), s.run(n) and model.run() beside the usual Python loop of Siconos.

    PYTHONPATH=build/python /usr/bin/python3 bench/python/ball.py

The ball is that of ../siconos_ball.py and ../steps.c: 3 coordinates, restitution 0.8, Moreau-Jean with theta = 1/2, h = 1 ms. Seconds
are those of the processor, best of seventy motions in rounds that take turns. Wanted: s.step() 30 times and s.run(n) 60 times as fast as Siconos; s.step()
at most a microsecond more than a step in C. The exit status says whether it is so.
"""

import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))

import carom

try:
    import siconos_ball
except ImportError:
    siconos_ball = None

STEPS = 4000
LOOPS = 10  # motions of each in a round
ROUNDS = 7
MODEL = """
local radius, mass, gravity = 0.1, 1, 9.81
local height, sideways, spin = coordinates("height", "sideways", "spin")
kinetic(mass * (dot(height)^2 + dot(sideways)^2) / 2 + mass * radius^2 * dot(spin)^2 / 5)
potential(mass * gravity * height)
contact { "floor", gap = height - radius, restitution = 0.8 }
initial { height = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 4 }
"""


def step_loop(stepper):
    stepper.reset()
    step = stepper.step
    started = time.process_time()
    for _ in range(STEPS):
        step()
    return time.process_time() - started


def run_loop(stepper):
    stepper.reset()
    started = time.process_time()
    stepper.run(STEPS)
    return time.process_time() - started


def siconos_loop():
    return siconos_ball.timed_run(1.0, STEPS * siconos_ball.STEP)


def whole_run(model):
    started = time.process_time()
    model.run(events=False)
    return time.process_time() - started


def main():
    model = carom.Model(MODEL)
    stepper = model.stepper()
    best = {}
    for _ in range(ROUNDS):
        seconds = {"s.step()": min(step_loop(stepper) for _ in range(LOOPS)),
                   "s.run(n), the loop in C": min(run_loop(stepper) for _ in range(LOOPS)),
                   "model.run(), with its outputs": min(whole_run(model) for _ in range(LOOPS))}
        if siconos_ball:
            seconds["Siconos, Python loop"] = min(siconos_loop() for _ in range(LOOPS))
        for name, value in seconds.items():
            best[name] = min(value, best.get(name, value))
    siconos = best.get("Siconos, Python loop")
    for name, value in best.items():
        times = f"{siconos / value:10.1f} times" if siconos and value != siconos else ""
        print(f"{name:32s} {1e9 * value / STEPS:10.1f} ns/step {times}")
    more = 1e9 * (best["s.step()"] - best["s.run(n), the loop in C"]) / STEPS
    print(f"s.step() costs {more:.0f} ns more than a step in C (allowed: 1000)")
    good = more <= 1000
    if not siconos:
        print("siconos is not here: nothing to compare with (apt-get install python3-siconos)")
        return 0 if good else 1
    stepper.reset()
    heights = siconos_ball.heights_of_run(1.0, STEPS * siconos_ball.STEP)
    worst = 0.0
    for height in heights:
        stepper.step()
        worst = max(worst, abs(stepper.q[0] - height))
    print(f"heights differ by at most {worst:.1e} (allowed: 1e-12)")
    fast = [siconos / best["s.step()"] >= 30, siconos / best["s.run(n), the loop in C"] >= 60]
    print("wanted: s.step() 30 times: %s; s.run(n) 60 times: %s" % tuple("yes" if yes else "NO" for yes in fast))
    return 0 if good and all(fast) and worst <= 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
