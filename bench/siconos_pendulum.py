#!/usr/bin/python3
"""The double pendulum of pendulum.c in Siconos: the usual Python loop, without recording.

    siconos_pendulum.py [PLUGIN]     PLUGIN: siconos_plugin/pendulum.c compiled, path with the .so

Mass, forces, gap and its gradient are Python functions; with PLUGIN they are also measured as C functions,
where only the loop is Python. Newton's restitution, Moreau-Jean with theta = 1/2. The Newton iteration stops
where Siconos sets it, and in the rows "tight" where carom stops. Every number here also stands in pendulum.c;
bench/run compares the angles.

Debian's package python3-siconos is for Debian's interpreter, hence /usr/bin/python3.
"""
import math
import os
import sys
import time

import numpy
import siconos.kernel as sk

GRAVITY = 9.81
WALL = -0.3
RESTITUTION = 0.5
THETA = 0.5
START = [-0.9, -0.6]
STEP = 1e-3
UNTIL = 20.0
CHECK_TIMES = (0.5, 2.0)
NEWTON_TOLERANCE = 1e-6  # Siconos' own
TIGHT_TOLERANCE = 1e-12  # that of carom
RUNS_LEAST = 5


class Pendulum(sk.LagrangianDS):
    """M(q) v' + gyroscopic term = 0; Siconos calls each function with and without arguments."""

    def __init__(self):
        super().__init__(START, [0.0, 0.0])
        self.allocateMass()
        self.setFGyrPtr(numpy.zeros(2))

    def computeMass(self, q=None):
        if q is None:
            q = self.q()
        mass = self.mass()
        coupling = math.cos(q[0] - q[1])
        mass[0, 0] = 2.0
        mass[0, 1] = coupling
        mass[1, 0] = coupling
        mass[1, 1] = 1.0

    def computeFGyr(self, q=None, v=None):
        if q is None:
            q, v = self.q(), self.velocity()
        force = self.fGyr()
        s = math.sin(q[0] - q[1])
        force[0] = s * v[1] ** 2 + 2.0 * GRAVITY * math.sin(q[0])
        force[1] = -s * v[0] ** 2 + GRAVITY * math.sin(q[1])


class Wall(sk.LagrangianScleronomousR):
    def __init__(self):
        super().__init__()
        # Siconos uses the matrix that C() returns after it has let go of it: one made here outlives that.
        self.gradient = sk.SimpleMatrix(1, 2)
        self.setJachqPtr(self.gradient)

    def C(self):
        return self.gradient

    def computeh(self, q, z, y):
        y[0] = WALL - math.sin(q[0]) - math.sin(q[1])

    def computeJachq(self, q, z):
        gradient = self.jachq()
        gradient[0, 0] = -math.cos(q[0])
        gradient[0, 1] = -math.cos(q[1])

    def computeDotJachq(self, q, z, v):
        pass  # for event-driven schemes only, but called


def python_parts():
    return Pendulum(), Wall()


def plugin_parts(plugin):
    pendulum = sk.LagrangianDS(START, [0.0, 0.0])
    pendulum.setComputeMassFunction(plugin, "pendulum_mass")
    pendulum.setComputeFGyrFunction(plugin, "pendulum_force")
    wall = sk.LagrangianScleronomousR(plugin + ":pendulum_gap", plugin + ":pendulum_gap_gradient")
    return pendulum, wall


class Run:
    """Keeps its parts: Siconos calls their functions and does not count Python's references."""

    def __init__(self, parts, tolerance, until):
        self.pendulum, self.wall = parts
        self.contact = sk.Interaction(sk.NewtonImpactNSL(RESTITUTION), self.wall)
        system = sk.NonSmoothDynamicalSystem(0.0, until)
        system.insertDynamicalSystem(self.pendulum)
        system.link(self.contact, self.pendulum)
        times = sk.TimeDiscretisation(0.0, STEP)
        self.simulation = sk.TimeStepping(system, times, sk.MoreauJeanOSI(THETA), sk.LCP())
        self.simulation.setNewtonTolerance(tolerance)

    def timed(self):
        """Processor seconds of the loop alone: set-up does not count."""
        simulation = self.simulation
        started = time.process_time()
        while simulation.hasNextEvent():
            simulation.computeOneStep()
            simulation.nextStep()
        return time.process_time() - started

    def angles(self):
        """The angles after every step."""
        angles = []
        while self.simulation.hasNextEvent():
            self.simulation.computeOneStep()
            angles.append(tuple(self.pendulum.q()))
            self.simulation.nextStep()
        return angles


def measure(label, make_parts, tolerance):
    def make_run(until):
        return Run(make_parts(), tolerance, until)

    steps = len(make_run(UNTIL).angles())  # also warms up
    best = min(make_run(UNTIL).timed() for _ in range(RUNS_LEAST))
    row = ("wall-20s", label, steps, 1e9 * best / steps, steps / best)
    print("%-10s %-18s %8d steps %10.1f ns/step %12.0f steps/s" % row)
    angles = make_run(max(CHECK_TIMES)).angles()
    for t in CHECK_TIMES:
        print("angles %s t = %g %.12f %.12f" % (label, t, *angles[round(t / STEP) - 1]))


def main():
    measure("python", python_parts, NEWTON_TOLERANCE)
    measure("python-tight", python_parts, TIGHT_TOLERANCE)
    if len(sys.argv) > 1:
        plugin, _ = os.path.splitext(os.path.abspath(sys.argv[1]))
        measure("plugin", lambda: plugin_parts(plugin), NEWTON_TOLERANCE)
        measure("plugin-tight", lambda: plugin_parts(plugin), TIGHT_TOLERANCE)


if __name__ == "__main__":
    main()
