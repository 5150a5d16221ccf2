// A scene of bench-bodies by Bullet, in double precision. In the plane discs are balls and boxes have a depth, and
// motions out of the plane are locked.
//
//   bullet SCENE ITERATIONS SECONDS
#include <memory>
#include <vector>

#include <btBulletDynamicsCommon.h>

#include "../scene.h"

struct Run {
    scene s;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
};

// Bullet multiplies the coefficients of two bodies.
static void add(Run &run, btCollisionShape *shape, double mass, const btVector3 &inertia, const btTransform &at,
                int number)
{
    run.shapes.emplace_back(shape);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform = at;
    info.m_friction = sqrt(run.s.friction);
    run.bodies.emplace_back(new btRigidBody(info));
    btRigidBody *body = run.bodies.back().get();
    body->setUserIndex(number);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (run.s.dimension == 2 && mass > 0.0) {
        body->setLinearFactor({1, 1, 0});
        body->setAngularFactor({0, 0, 1});
    }
    run.world.addRigidBody(body);
}

static void add_body(Run &run, int i)
{
    const scene_body &is = run.s.body[i];
    const btTransform at({is.q[1], is.q[2], is.q[3], is.q[0]}, {is.x[0], is.x[1], is.x[2]});
    btCollisionShape *shape;
    if (is.is_box) {
        const double depth = run.s.dimension == 2 ? is.edge[0] : is.edge[2];
        shape = new btBoxShape({0.5 * is.edge[0], 0.5 * is.edge[1], 0.5 * depth});
    } else {
        shape = new btSphereShape(is.edge[0]);
    }
    add(run, shape, is.mass, {is.inertia[0], is.inertia[1], is.inertia[2]}, at, i);
}

static void record_poses(void *context, char kind)
{
    const Run &run = *static_cast<Run *>(context);
    for (int i = 0; i < run.s.bodies; i++) {
        const btRigidBody &body = *run.bodies[static_cast<size_t>(i)];
        const btVector3 &at = body.getWorldTransform().getOrigin(), &linear = body.getLinearVelocity(),
                        &spin = body.getAngularVelocity();
        const btQuaternion turn = body.getWorldTransform().getRotation();
        const double x[3] = {at.x(), at.y(), at.z()}, q[4] = {turn.w(), turn.x(), turn.y(), turn.z()};
        const double v[3] = {linear.x(), linear.y(), linear.z()}, w[3] = {spin.x(), spin.y(), spin.z()};
        record_body(kind, x, q, v, w);
    }
}

static bool step(void *context, bool)
{
    Run &run = *static_cast<Run *>(context);
    run.world.stepSimulation(run.s.step, 0);
    return true;
}

static void record_contacts(void *context)
{
    Run &run = *static_cast<Run *>(context);
    for (int k = 0; k < run.dispatcher.getNumManifolds(); k++) {
        const btPersistentManifold *manifold = run.dispatcher.getManifoldByIndexInternal(k);
        for (int i = 0; i < manifold->getNumContacts(); i++) {
            const btManifoldPoint &point = manifold->getContactPoint(i);
            const double gap = point.getDistance();
            const btVector3 &a = point.getPositionWorldOnA(), &b = point.getPositionWorldOnB();
            const btVector3 &n = point.m_normalWorldOnB;
            const btVector3 r = point.m_appliedImpulse * n +
                                point.m_appliedImpulseLateral1 * point.m_lateralFrictionDir1 +
                                point.m_appliedImpulseLateral2 * point.m_lateralFrictionDir2;
            if (gap > 0.0 && point.m_appliedImpulse == 0.0)
                continue; // open
            const double point_a[3] = {a.x(), a.y(), a.z()}, point_b[3] = {b.x(), b.y(), b.z()},
                         normal[3] = {n.x(), n.y(), n.z()}, impulse[3] = {r.x(), r.y(), r.z()};
            record_contact(manifold->getBody0()->getUserIndex(), manifold->getBody1()->getUserIndex(), point_a,
                           point_b, normal, impulse, gap > 0.0 ? gap / run.s.step : 0.0);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s SCENE ITERATIONS SECONDS\n", argv[0]);
        return 2;
    }
    Run run;
    run.s = scene_read(argv[1]);
    run.world.setGravity({run.s.gravity[0], run.s.gravity[1], run.s.gravity[2]});
    run.world.getSolverInfo().m_numIterations = atoi(argv[2]);
    for (int i = 0; i < run.s.bodies; i++)
        add_body(run, i);
    for (int k = 0; k < run.s.halfspaces; k++)
        add(run,
            new btStaticPlaneShape({run.s.normal[k][0], run.s.normal[k][1], run.s.normal[k][2]},
                                   run.s.offset[k]),
            0.0, {0, 0, 0}, btTransform::getIdentity(), -1 - k);
    printf("program Bullet\n");
    const stepped program = {&run, record_poses, step, record_contacts};
    run_steps(&run.s, &program, atof(argv[3]));
    for (auto &body : run.bodies)
        run.world.removeRigidBody(body.get());
    return 0;
}
