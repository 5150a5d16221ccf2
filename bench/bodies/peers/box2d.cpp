// A scene of bench-bodies by Box2D 2.4: the plane only. Its polygons and edges have a skin, b2_polygonRadius, which is
// taken off here: what touches is as large as in the scene.
//
//   box2d SCENE ITERATIONS SECONDS
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <box2d/box2d.h>

#include "../scene.h"

struct Run : b2ContactListener {
    scene s;
    b2World world{b2Vec2_zero};
    std::vector<b2Body *> bodies;
    int iterations = 8;
    bool sampled = false;
    // Points and normals where the step begins: after it the positions are those of its end.
    std::unordered_map<b2Contact *, b2WorldManifold> manifolds;
    struct Point {
        int a, b;
        double at[3], normal[3], impulse[3];
    };
    std::vector<Point> points;

    static int number_of(b2Contact *contact, bool first)
    {
        b2Body *body = (first ? contact->GetFixtureA() : contact->GetFixtureB())->GetBody();
        return static_cast<int>(static_cast<intptr_t>(body->GetUserData().pointer));
    }

    void PreSolve(b2Contact *contact, const b2Manifold *) override
    {
        if (sampled)
            contact->GetWorldManifold(&manifolds[contact]);
    }

    void PostSolve(b2Contact *contact, const b2ContactImpulse *impulse) override
    {
        if (!sampled)
            return;
        const b2WorldManifold &manifold = manifolds[contact];
        const b2Vec2 n = manifold.normal, t = b2Cross(n, 1.0f); // n from a to b
        for (int i = 0; i < impulse->count; i++) {
            const double r = impulse->normalImpulses[i], f = impulse->tangentImpulses[i];
            points.push_back({number_of(contact, true),
                              number_of(contact, false),
                              {manifold.points[i].x, manifold.points[i].y, 0.0},
                              {-n.x, -n.y, 0.0},
                              {-r * n.x - f * t.x, -r * n.y - f * t.y, 0.0}});
        }
    }
};

static void add_halfspace(Run &run, int k, double reach)
{
    b2BodyDef place;
    place.userData.pointer = static_cast<uintptr_t>(static_cast<intptr_t>(-1 - k));
    b2Body *body = run.world.CreateBody(&place);
    const b2Vec2 n(static_cast<float>(run.s.normal[k][0]), static_cast<float>(run.s.normal[k][1]));
    const b2Vec2 middle = (static_cast<float>(run.s.offset[k]) - b2_polygonRadius) * n, along(n.y, -n.x);
    b2EdgeShape edge;
    edge.SetTwoSided(middle - static_cast<float>(reach) * along, middle + static_cast<float>(reach) * along);
    b2FixtureDef fixture;
    fixture.shape = &edge;
    fixture.friction = static_cast<float>(run.s.friction);
    body->CreateFixture(&fixture);
}

static void add_body(Run &run, int i)
{
    const scene_body &is = run.s.body[i];
    b2BodyDef place;
    place.type = b2_dynamicBody;
    place.allowSleep = false;
    place.position.Set(static_cast<float>(is.x[0]), static_cast<float>(is.x[1]));
    place.angle = static_cast<float>(2.0 * atan2(is.q[3], is.q[0]));
    place.userData.pointer = static_cast<uintptr_t>(i);
    b2Body *body = run.world.CreateBody(&place);
    b2CircleShape circle;
    b2PolygonShape box;
    b2FixtureDef fixture;
    if (is.is_box) {
        box.SetAsBox(static_cast<float>(0.5 * is.edge[0]) - b2_polygonRadius,
                     static_cast<float>(0.5 * is.edge[1]) - b2_polygonRadius);
        fixture.shape = &box;
    } else {
        circle.m_radius = static_cast<float>(is.edge[0]);
        fixture.shape = &circle;
    }
    fixture.density = 1.0f;
    fixture.friction = static_cast<float>(run.s.friction);
    body->CreateFixture(&fixture);
    b2MassData mass;
    mass.mass = static_cast<float>(is.mass);
    mass.center.SetZero();
    mass.I = static_cast<float>(is.inertia[2]);
    body->SetMassData(&mass);
    run.bodies.push_back(body);
}

static void record_poses(void *context, char kind)
{
    for (b2Body *body : static_cast<Run *>(context)->bodies) {
        const double x[3] = {body->GetPosition().x, body->GetPosition().y, 0.0}, half = 0.5 * body->GetAngle();
        const double q[4] = {cos(half), 0.0, 0.0, sin(half)};
        const double v[3] = {body->GetLinearVelocity().x, body->GetLinearVelocity().y, 0.0};
        const double w[3] = {0.0, 0.0, body->GetAngularVelocity()};
        record_body(kind, x, q, v, w);
    }
}

static bool step(void *context, bool sampled)
{
    Run &run = *static_cast<Run *>(context);
    run.sampled = sampled;
    run.manifolds.clear();
    run.points.clear();
    run.world.Step(static_cast<float>(run.s.step), run.iterations, 3);
    return true;
}

static void record_contacts(void *context)
{
    for (const Run::Point &p : static_cast<Run *>(context)->points)
        record_contact(p.a, p.b, p.at, p.at, p.normal, p.impulse, 0.0);
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s SCENE ITERATIONS SECONDS\n", argv[0]);
        return 2;
    }
    Run run;
    run.s = scene_read(argv[1]);
    if (run.s.dimension != 2)
        scene_stop("box2d", "the plane only");
    run.iterations = atoi(argv[2]);
    run.world.SetGravity({static_cast<float>(run.s.gravity[0]), static_cast<float>(run.s.gravity[1])});
    run.world.SetAllowSleeping(false);
    run.world.SetContinuousPhysics(false);
    run.world.SetContactListener(&run);
    double reach = 0.0;
    for (int i = 0; i < run.s.bodies; i++) {
        add_body(run, i);
        reach = fmax(reach, hypot(run.s.body[i].x[0], run.s.body[i].x[1]));
    }
    for (int k = 0; k < run.s.halfspaces; k++)
        add_halfspace(run, k, 2.0 * reach);
    printf("program Box2D\n");
    const stepped program = {&run, record_poses, step, record_contacts};
    run_steps(&run.s, &program, atof(argv[3]));
    return 0;
}
