// A scene of bench-bodies by ODE. In the plane discs are balls and boxes have a depth, and a joint holds each body in
// the plane.
//
//   ode SCENE ITERATIONS SECONDS          ITERATIONS 0: dWorldStep, the direct solver, instead of dWorldQuickStep
#include <cstdint>
#include <vector>

#include <ode/ode.h>

#include "../scene.h"

struct Point {
    int a, b;
    double at[3], normal[3];
    dJointFeedback feedback;
};

struct Run {
    scene s;
    int iterations;
    dWorldID world;
    dSpaceID space;
    dJointGroupID contacts;
    std::vector<dBodyID> bodies;
    std::vector<Point> points; // room for all before the step: feedback keeps its place
    bool sampled;
};

enum { MOST_CONTACTS = 8 };

static int number_of(dGeomID geom)
{
    return static_cast<int>(reinterpret_cast<intptr_t>(dGeomGetData(geom)));
}

static void collide(void *context, dGeomID first, dGeomID second)
{
    Run &run = *static_cast<Run *>(context);
    if (!dGeomGetBody(first)) { // a body stands first
        dGeomID other = first;
        first = second;
        second = other;
    }
    if (!dGeomGetBody(first))
        return;
    dContact contact[MOST_CONTACTS];
    memset(contact, 0, sizeof contact);
    const int count = dCollide(first, second, MOST_CONTACTS, &contact[0].geom, sizeof contact[0]);
    for (int i = 0; i < count; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = run.s.friction;
        dJointID joint = dJointCreateContact(run.world, run.contacts, &contact[i]);
        dJointAttach(joint, dGeomGetBody(first), dGeomGetBody(second));
        if (!run.sampled || run.points.size() == run.points.capacity())
            continue;
        Point point;
        memset(&point, 0, sizeof point);
        point.a = number_of(first);
        point.b = number_of(second);
        for (int k = 0; k < 3; k++) {
            point.at[k] = contact[i].geom.pos[k];
            point.normal[k] = contact[i].geom.normal[k];
        }
        run.points.push_back(point);
        dJointSetFeedback(joint, &run.points.back().feedback);
    }
}

static void add_body(Run &run, int i)
{
    const scene_body &is = run.s.body[i];
    const double depth = run.s.dimension == 2 ? is.edge[0] : is.edge[2];
    dBodyID body = dBodyCreate(run.world);
    dMass mass;
    dMassSetParameters(&mass, is.mass, 0, 0, 0, is.inertia[0], is.inertia[1], is.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, is.x[0], is.x[1], is.x[2]);
    dBodySetQuaternion(body, is.q);
    dGeomID geom =
        is.is_box ? dCreateBox(run.space, is.edge[0], is.edge[1], depth) : dCreateSphere(run.space, is.edge[0]);
    dGeomSetBody(geom, body);
    dGeomSetData(geom, reinterpret_cast<void *>(static_cast<intptr_t>(i)));
    if (run.s.dimension == 2)
        dJointAttach(dJointCreatePlane2D(run.world, nullptr), body, nullptr);
    run.bodies.push_back(body);
}

static void record_poses(void *context, char kind)
{
    for (dBodyID body : static_cast<Run *>(context)->bodies)
        record_body(kind, dBodyGetPosition(body), dBodyGetQuaternion(body), dBodyGetLinearVel(body),
                    dBodyGetAngularVel(body));
}

static bool step(void *context, bool sampled)
{
    Run &run = *static_cast<Run *>(context);
    run.sampled = sampled;
    run.points.clear();
    if (sampled)
        run.points.reserve(64 * (run.bodies.size() + 1));
    dSpaceCollide(run.space, &run, collide);
    if (run.iterations > 0)
        dWorldQuickStep(run.world, run.s.step);
    else
        dWorldStep(run.world, run.s.step);
    dJointGroupEmpty(run.contacts);
    return true;
}

static void record_contacts(void *context)
{
    const Run &run = *static_cast<Run *>(context);
    for (const Point &point : run.points) {
        double impulse[3];
        for (int k = 0; k < 3; k++)
            impulse[k] = run.s.step * point.feedback.f1[k];
        record_contact(point.a, point.b, point.at, point.at, point.normal, impulse, 0.0);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s SCENE ITERATIONS SECONDS\n", argv[0]);
        return 2;
    }
    Run run{};
    run.s = scene_read(argv[1]);
    run.iterations = atoi(argv[2]);
    dInitODE2(0);
    run.world = dWorldCreate();
    run.space = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XYZ);
    run.contacts = dJointGroupCreate(0);
    dWorldSetGravity(run.world, run.s.gravity[0], run.s.gravity[1], run.s.gravity[2]);
    if (run.iterations > 0)
        dWorldSetQuickStepNumIterations(run.world, run.iterations);
    for (int i = 0; i < run.s.bodies; i++)
        add_body(run, i);
    for (int k = 0; k < run.s.halfspaces; k++) {
        dGeomID plane = dCreatePlane(run.space, run.s.normal[k][0], run.s.normal[k][1], run.s.normal[k][2],
                                     run.s.offset[k]);
        dGeomSetData(plane, reinterpret_cast<void *>(static_cast<intptr_t>(-1 - k)));
    }
    printf("program ODE\n");
    const stepped program = {&run, record_poses, step, record_contacts};
    run_steps(&run.s, &program, atof(argv[3]));
    dCloseODE();
    return 0;
}
