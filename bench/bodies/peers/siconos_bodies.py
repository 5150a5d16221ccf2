"""A scene of bench-bodies by Siconos Mechanics with the collision detection of Bullet.

    siconos_bodies.py SCENE TOLERANCE SECONDS

MoreauJeanOSI with theta = 1/2, one Newton iteration, friction problems by Siconos' NSGS to the tolerance, started from
the last step's reactions. In the plane half spaces are large boxes.
"""
import math
import sys
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn
from siconos.io.io_base import MechanicsIO
from siconos.mechanics.collision.base import (
    RigidBody2dDS,
    RigidBodyDS,
    SiconosBox,
    SiconosBox2d,
    SiconosContactor,
    SiconosContactorSet,
    SiconosDisk,
    SiconosPlane,
    SiconosSphere,
)
from siconos.mechanics.collision.bullet import (
    SICONOS_BULLET_2D,
    SiconosBulletCollisionManager,
    SiconosBulletOptions,
)

SAMPLES = 12


class Scene:
    def __init__(self, path):
        self.halfspaces, self.bodies = [], []
        with open(path) as file:
            for line in file:
                word, *numbers = line.split()
                numbers = [float(number) for number in numbers]
                if word in ("ball", "box"):
                    self.bodies.append((word, numbers))
                elif word == "halfspace":
                    self.halfspaces.append(numbers)
                else:
                    setattr(self, word, numbers if word == "gravity" else numbers[0])
        self.steps = int(self.steps)
        self.plane = self.dimension == 2

    def is_sample(self, step):
        every = self.steps // SAMPLES if self.steps > SAMPLES else 1
        return (self.steps - 1 - step) % every == 0


def contactors(shape):
    made = SiconosContactorSet()
    made.append(SiconosContactor(shape))
    return made


def make_body(scene, kind, numbers, margin):
    if kind == "ball":
        radius, mass, inertia, x, y, z = numbers
        inertia, q = [inertia] * 3, [1, 0, 0, 0]
        shape = SiconosDisk(radius) if scene.plane else SiconosSphere(radius)
    else:
        a, b, c, mass, ix, iy, iz, x, y, z, *q = numbers
        inertia = [ix, iy, iz]
        shape = SiconosBox2d(a, b) if scene.plane else SiconosBox(a, b, c)
    if scene.plane or kind == "box":
        shape.setInsideMargin(margin)  # its own 0.1 is larger than small bodies
    if scene.plane:
        angle = 2 * math.atan2(q[3], q[0])
        body = RigidBody2dDS([x, y, angle], [0, 0, 0], mass, inertia[2])
        force = [mass * scene.gravity[0], mass * scene.gravity[1], 0]
    else:
        body = RigidBodyDS([x, y, z, *q], [0] * 6, mass, np.diag(inertia))
        force = [mass * g for g in scene.gravity]
    body.setFExtPtr(force)
    body.setContactors(contactors(shape))
    return body, force  # Siconos keeps a pointer to the force


def add_halfspace(scene, manager, normal, offset):
    if not scene.plane:
        # its plane has the normal z
        n = np.array(normal)
        axis, angle = np.cross([0, 0, 1], n), math.acos(max(-1, min(1, n[2])))
        length = np.linalg.norm(axis)
        axis = axis / length if length > 0 else np.array([1.0, 0, 0])
        pose = [*(offset * n), math.cos(angle / 2), *(math.sin(angle / 2) * axis)]
        manager.insertStaticContactorSet(contactors(SiconosPlane()), pose)
        return
    reach = 4 * max(math.hypot(*numbers[-3 if kind == "ball" else 7 :][:2]) for kind, numbers in scene.bodies)
    thick = 4 * scene.size
    x, y = ((offset - thick / 2) * normal[k] for k in range(2))
    angle = math.atan2(-normal[0], normal[1])
    shape = SiconosBox2d(reach, thick)
    shape.setInsideMargin(0.05 * scene.size)
    manager.insertStaticContactorSet(contactors(shape), [x, y, angle])


def make_simulation(scene, tolerance):
    options = SiconosBulletOptions()
    options.perturbationIterations = 3
    options.minimumPointsPerturbationThreshold = 3
    if scene.plane:
        options.dimension = SICONOS_BULLET_2D
    manager = SiconosBulletCollisionManager(options)
    manager.useEqualityConstraints(False)
    end = (scene.steps + 1) * scene.step
    nsds = sk.NonSmoothDynamicalSystem(0, end)
    kept = []
    for number, (kind, numbers) in enumerate(scene.bodies):
        body, force = make_body(scene, kind, numbers, 0.05 * scene.size)
        body.setNumber(number + 1)
        nsds.insertDynamicalSystem(body)
        kept.append((body, force))
    for x, y, z, offset in scene.halfspaces:
        add_halfspace(scene, manager, (x, y, z), offset)
    manager.insertNonSmoothLaw(sk.NewtonImpactFrictionNSL(0.0, 0.0, scene.friction, int(scene.dimension)), 0, 0)
    solver = sk.solver_options_create(
        sn.SICONOS_FRICTION_2D_NSGS if scene.plane else sn.SICONOS_FRICTION_3D_NSGS
    )
    solver.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100000
    solver.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    problem = sk.FrictionContact(int(scene.dimension), solver)
    problem.setMaxSize(100000)
    problem.setMStorageType(sn.NM_SPARSE_BLOCK)
    problem.setKeepLambdaAndYState(True)
    simulation = sk.TimeStepping(nsds, sk.TimeDiscretisation(0, scene.step))
    simulation.insertIntegrator(sk.MoreauJeanOSI(0.5))
    simulation.insertNonSmoothProblem(problem)
    simulation.insertInteractionManager(manager)
    simulation.setNewtonOptions(sk.SICONOS_TS_LINEAR)
    simulation.setNewtonMaxIteration(1)
    kept += [solver, problem, manager]
    return nsds, simulation, kept


def record_poses(scene, kind, bodies):
    for body, _ in bodies:
        q, v = body.q(), body.velocity() if scene.plane else body.twist()
        if scene.plane:
            values = [q[0], q[1], 0, math.cos(q[2] / 2), 0, 0, math.sin(q[2] / 2), v[0], v[1], 0, 0, 0, v[2]]
        else:
            values = [*q, *v[:3], *rotate(q[3:], v[3:])]  # its spin is along the axes of the body
        print(kind, *("%.17g" % value for value in values))


def rotate(q, v):
    turned = np.cross(q[1:], v)
    return v + 2 * (q[0] * turned + np.cross(q[1:], turned))


def record_contacts(scene, nsds):
    """Columns: mu, points on a and b, normal, force, gap, relative velocity, impulse, number, bodies."""
    points = MechanicsIO().contactPoints(nsds, 1)
    d = int(scene.dimension)
    for row in points if points is not None else []:
        vectors = np.zeros((4, 3))  # points, normal, force, which is an impulse
        vectors[:, :d] = row[1 : 1 + 4 * d].reshape(4, d)
        first, second = int(row[-2]) - 1, int(row[-1]) - 1
        print("c", first, second if second != first else -1, *("%.17g" % x for x in vectors.flat), 0)


def main():
    scene = Scene(sys.argv[1])
    tolerance, seconds = float(sys.argv[2]), float(sys.argv[3])
    nsds, simulation, kept = make_simulation(scene, tolerance)
    bodies = kept[: len(scene.bodies)]
    print("program Siconos")
    spent, step, samples = 0.0, 0, 0
    while step < scene.steps and (spent < seconds or samples == 0):
        sampled = scene.is_sample(step) or spent >= seconds
        if sampled:
            samples += 1
            print("sample", step)
            record_poses(scene, "b", bodies)
        started = time.process_time()
        simulation.computeOneStep()
        spent += time.process_time() - started
        if sampled:
            record_poses(scene, "a", bodies)
            record_contacts(scene, nsds)
        started = time.process_time()
        simulation.nextStep()
        spent += time.process_time() - started
        step += 1
        print("time %.6g %d" % (spent, step), flush=True)  # the last one counts: a step may take for ever


main()
