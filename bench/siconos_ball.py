#!/usr/bin/python3
"""The ball of steps.c in Siconos: the usual Python loop, without recording.

Three coordinates (height, sideways, spin), one frictionless contact with the floor, Newton's restitution,
Moreau-Jean with theta = 1/2. Every number here also stands in steps.c; bench/run compares the heights.

Debian's package python3-siconos is for Debian's interpreter, hence /usr/bin/python3.
"""
import time

import siconos.kernel as sk

RADIUS = 0.1
MASS = 1.0
GRAVITY = 9.81
RESTITUTION = 0.8
THETA = 0.5
STEP = 1e-3
CASES = (("bouncing", 1.0, 4.0), ("resting", 0.1, 20.0))  # name, start height, end time
CHECK_TIMES = (1.0, 2.0, 3.0, 4.0)
RUNS_LEAST = 5
SECONDS_LEAST = 1.0  # short runs are repeated more often


def make_simulation(start, until):
    spin_inertia = 2.0 / 5.0 * MASS * RADIUS**2
    mass = [[MASS, 0.0, 0.0], [0.0, MASS, 0.0], [0.0, 0.0, spin_inertia]]
    ball = sk.LagrangianLinearTIDS([start, 0.0, 0.0], [0.0, 0.0, 0.0], mass)
    ball.setFExtPtr([-MASS * GRAVITY, 0.0, 0.0])
    gap = sk.LagrangianLinearTIR([[1.0, 0.0, 0.0]], [-RADIUS])
    floor = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), gap)
    system = sk.NonSmoothDynamicalSystem(0.0, until)
    system.insertDynamicalSystem(ball)
    system.link(floor, ball)
    times = sk.TimeDiscretisation(0.0, STEP)
    return sk.TimeStepping(system, times, sk.MoreauJeanOSI(THETA), sk.LCP()), ball


def timed_run(start, until):
    """Processor seconds of the loop alone: set-up does not count."""
    simulation, _ = make_simulation(start, until)
    started = time.process_time()
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        simulation.nextStep()
    return time.process_time() - started


def heights_of_run(start, until):
    """The height after every step."""
    simulation, ball = make_simulation(start, until)
    heights = []
    while simulation.hasNextEvent():
        simulation.computeOneStep()
        heights.append(ball.q()[0])
        simulation.nextStep()
    return heights


def main():
    for system, start, until in CASES:
        steps = len(heights_of_run(start, until))  # also warms up
        seconds = []
        while len(seconds) < RUNS_LEAST or sum(seconds) < SECONDS_LEAST:
            seconds.append(timed_run(start, until))
        best = min(seconds)
        row = (system, "siconos", steps, 1e9 * best / steps, steps / best)
        print("%-10s %-18s %8d steps %10.1f ns/step %12.0f steps/s" % row)
    _, start, until = CASES[0]
    heights = heights_of_run(start, until)
    for t in CHECK_TIMES:
        print("height siconos t = %g %.15f" % (t, heights[round(t / STEP) - 1]))


if __name__ == "__main__":
    main()
