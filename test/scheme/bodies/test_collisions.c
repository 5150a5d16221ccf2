/* Two free bodies of any shapes collide, ten thousand times: momentum is kept, energy does not grow where the law cannot make
 * it, and is kept where it must be; the law that gains tells it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/model/bodies.h"
#include "carom/scheme.h"

enum {
    COLLISIONS = 10000,
    KINDS = 5
};

static uint64_t seed = 20260117;

/* From -1 to 1. */
static double noise(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-52 - 1.0;
}

static carom_shape *random_shape(int dim, int kind)
{
    const double size = 0.3 + 0.2 * noise(), edges[3] = {size, 0.7 * size, 1.3 * size};
    double point[24];
    carom_shape *shape = NULL;
    carom_error error = {0};
    carom_status status = CAROM_OK;
    for (int i = 0; i < 24; i++)
        point[i] = size * noise();
    if (kind == 0)
        status = carom_shape_sphere(dim, size, &shape, &error);
    else if (kind == 1)
        status = carom_shape_box(dim, edges, &shape, &error);
    else if (kind == 2)
        status = carom_shape_capsule(dim, 0.4 * size, size, &shape, &error);
    else if (kind == 3 && dim == CAROM_SPACE)
        status = carom_shape_cylinder(0.6 * size, size, &shape, &error);
    else
        status = carom_shape_convex(dim, 8, point, &shape, &error);
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    carom_shape_mass mass;
    carom_shape *moved = NULL;
    carom_shape_mass_of(shape, &mass);
    assert_int_equal(carom_shape_moved(shape, mass.centre, &moved, &error), CAROM_OK);
    carom_shape_free(shape);
    return moved;
}

typedef struct collision {
    int dim;
    double friction, restitution, rolling, torsion;
    carom_shape *shape[2];
    double at[3], rotation[2][4], velocity[2][6];
} collision;

static void draw(collision *c)
{
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 4; k++)
            c->rotation[i][k] = noise();
        for (int k = 0; k < 6; k++)
            c->velocity[i][k] = noise();
    }
    const double length = sqrt(carom_dot(4, c->rotation[0], c->rotation[0])),
                 other = sqrt(carom_dot(4, c->rotation[1], c->rotation[1]));
    for (int k = 0; k < 4; k++) {
        c->rotation[0][k] /= length;
        c->rotation[1][k] /= other;
    }
}

static carom_model *make_model(const collision *c)
{
    carom_graph *graph = carom_graph_create(0);
    carom_body_spec body[2];
    memset(body, 0, sizeof body);
    for (int i = 0; i < 2; i++) {
        static const int place[6] = {0, 4, 8, 1, 2, 5};
        carom_shape_mass mass;
        carom_shape_mass_of(c->shape[i], &mass);
        const double density = i == 0 ? 1.0 : 3.0;
        body[i].name = i == 0 ? "a" : "b";
        body[i].shape = c->shape[i];
        body[i].mass = carom_constant(graph, density * mass.volume);
        for (int k = 0; k < 6; k++)
            body[i].inertia[k] = carom_constant(graph, density * mass.inertia[place[k]]);
        for (int k = 0; k < 3; k++) {
            body[i].at[k] = carom_constant(graph, i == 0 ? 0.0 : c->at[k]);
            body[i].velocity[k] = carom_constant(graph, c->velocity[i][k]);
            body[i].spin[k] = carom_constant(graph, c->velocity[i][3 + k]);
        }
        for (int k = 0; k < 4; k++)
            body[i].rotation[k] = carom_constant(graph, c->rotation[i][k]);
    }
    const carom_material_pair pair = {.material = {-1, -1},
                                      .friction = carom_constant(graph, c->friction),
                                      .restitution = carom_constant(graph, c->restitution),
                                      .rolling = carom_constant(graph, c->rolling),
                                      .torsion = carom_constant(graph, c->torsion)};
    const int watched[1][2] = {{0, 1}};
    const carom_bodies_spec spec = {.graph = graph,
                                    .dimension = c->dim,
                                    .gravity = {CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE},
                                    .shapes = 2,
                                    .shape = c->shape,
                                    .bodies = 2,
                                    .body = body,
                                    .materials = 1,
                                    .pairs = 1,
                                    .pair = &pair,
                                    .potential = CAROM_NO_NODE,
                                    .watched = 1,
                                    .watched_pair = watched};
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_bodies_model_create(&spec, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_graph_free(graph);
    return model;
}

/* Least gap of the two shapes, as the model has them; INFINITY: far apart. */
static double least_gap(const collision *c, carom_collider *collider, const carom_pose pose[2])
{
    const carom_touch *touch = NULL;
    size_t count = 0;
    carom_error error = {0};
    (void)c;
    assert_int_equal(carom_collider_find(collider, pose, &touch, &count, &error), CAROM_OK);
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, touch[i].gap);
    return least;
}

/* Puts the second body on a ray from the first, where they just touch. */
static void bring_together(collision *c)
{
    const carom_shape *const shape[2] = {c->shape[0], c->shape[1]};
    carom_collider *collider = NULL;
    carom_error error = {0};
    assert_int_equal(carom_collider_setup(c->dim, 2, shape, NULL, 0, NULL, 0.0, &collider, &error), CAROM_OK);
    double direction[3] = {noise(), noise(), c->dim == CAROM_PLANE ? 0.0 : noise()};
    const double length = sqrt(carom_dot(3, direction, direction));
    double low = 0.0, high = 4.0;
    for (int step = 0; step < 60; step++) {
        const double middle = 0.5 * (low + high);
        carom_pose pose[2];
        double q[14] = {0.0};
        carom_body body[2] = {{.q = 0}, {.q = c->dim == CAROM_PLANE ? 3 : 7}};
        const carom_bodies bodies = {.dimension = c->dim, .count = 2, .body = body};
        for (int k = 0; k < c->dim; k++)
            q[body[1].q + k] = middle * direction[k] / length;
        for (int i = 0; i < 2; i++)
            memcpy(q + body[i].q + c->dim, c->rotation[i], (c->dim == CAROM_PLANE ? 1 : 4) * sizeof *q);
        carom_bodies_poses(&bodies, q, pose);
        if (least_gap(c, collider, pose) > 0.0)
            high = middle;
        else
            low = middle;
    }
    for (int k = 0; k < 3; k++)
        c->at[k] = high * direction[k] / length;
    carom_collider_free(collider);
}

/* Linear momentum, and angular momentum about the origin. */
static void momentum_of(const carom_bodies *bodies, const double *q, const double *v, double p[3],
                        double l[3])
{
    carom_pose pose[2];
    carom_bodies_poses(bodies, q, pose);
    memset(p, 0, 3 * sizeof *p);
    memset(l, 0, 3 * sizeof *l);
    for (int i = 0; i < 2; i++) {
        const carom_body *body = &bodies->body[i];
        const bool plane = bodies->dimension == CAROM_PLANE;
        const double *u = v + body->v, linear[3] = {u[0], u[1], plane ? 0.0 : u[2]};
        const double w[3] = {plane ? 0.0 : u[3], plane ? 0.0 : u[4], plane ? u[2] : u[5]};
        double own[3], spin[3];
        for (int k = 0; k < 3; k++)
            own[k] = pose[i].r[k] * w[0] + pose[i].r[3 + k] * w[1] + pose[i].r[6 + k] * w[2];
        for (int k = 0; k < 3; k++)
            spin[k] = carom_dot(3, body->inertia + 3 * k, own);
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            p[k] += body->mass * linear[k];
            l[k] += carom_dot(3, pose[i].r + 3 * k, spin) +
                    body->mass * (pose[i].x[a] * linear[b] - pose[i].x[b] * linear[a]);
        }
    }
}

/* One step so short that nothing moves but the velocities. Returns the change of energy over it; says whether they struck. */
static double strike(collision *c, const char *law, double *before, bool *struck, double *told)
{
    carom_model *model = make_model(c);
    carom_model_work *work = NULL;
    carom_error error = {0};
    double q[14], v[12], p0[3], l0[3], p1[3], l1[3];
    if (carom_model_work_create(model, NULL, &work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    model->ops->initial(work, q, v);
    const carom_bodies *bodies = carom_model_bodies(work);
    carom_stepper *stepper = NULL;
    const carom_option tight[] = {
        {"tolerance", 1e-13, NULL}, {"projection", .word = "off"}, {"impact_law", .word = law}, {0}};
    const carom_scheme_ops *scheme = carom_scheme_find("moreau-jean", &error);
    if (carom_stepper_create(scheme, work, &(carom_step_settings){.h = 1e-12, .option = tight}, q, v,
                             &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    *before = model->ops->energy(work, 0.0, q, v);
    momentum_of(bodies, q, v, p0, l0);
    if (carom_stepper_step(stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    *struck = stepper->state.impulse[0] > 0.0;
    momentum_of(bodies, stepper->state.q, stepper->state.v, p1, l1);
    *told = stepper->accounts.gain;
    const double fastest = carom_largest(model->dof, stepper->state.v);
    for (int k = 0; k < 3; k++) {
        assert_true(fabs(p1[k] - p0[k]) <= 1e-14);
        /* the impulse is opposite and in one line; while it acts the bodies turn by h w */
        assert_true(fabs(l1[k] - l0[k]) <= 1e-12 * (1.0 + fastest));
    }
    const double change = model->ops->energy(work, 0.0, stepper->state.q, stepper->state.v) - *before;
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
    return change;
}

static void collide_at_random(int dim)
{
    int strikes = 0;
    for (int i = 0; i < COLLISIONS / 2; i++) {
        collision c = {.dim = dim};
        double before;
        bool struck;
        c.shape[0] = random_shape(dim, i % KINDS);
        c.shape[1] = random_shape(dim, (i / KINDS) % KINDS);
        draw(&c);
        bring_together(&c);
        const int law = i % 3; /* friction alone; restitution alone; neither */
        c.friction = law == 0 ? 0.5 + 0.5 * noise() : 0.0;
        if (law == 0 && i % 2 == 0) { /* and moments, which take energy, too */
            c.rolling = 0.2 + 0.2 * noise();
            c.torsion = dim == CAROM_SPACE ? 0.2 + 0.2 * noise() : 0.0;
        }
        c.restitution = law == 1 ? (i % 2 ? 1.0 : 0.5 + 0.5 * noise()) : 0.0;
        double told;
        const double change = strike(&c, "own", &before, &struck, &told);
        strikes += struck;
        assert_true(change <= 1e-9 * before);
        if (c.restitution == 1.0)
            assert_true(fabs(change) <= 1e-7 * before);
    }
    assert_true(strikes > COLLISIONS / 8); /* about half of them approach */
}

/* With friction and restitution Newton's law sometimes gains, and says it; Moreau's never does. */
static void gain_at_random(int dim)
{
    int gains = 0, strikes = 0;
    for (int i = 0; i < COLLISIONS / 2; i++) {
        collision c = {.dim = dim};
        double before, told;
        bool struck;
        c.shape[0] = random_shape(dim, i % KINDS);
        c.shape[1] = random_shape(dim, (i / KINDS) % KINDS);
        draw(&c);
        bring_together(&c);
        c.friction = 0.5 + 0.5 * noise();
        c.restitution = 0.5 + 0.5 * noise();
        const bool moreau = i % 2 == 0;
        const double change = strike(&c, moreau ? "moreau" : "own", &before, &struck, &told);
        strikes += struck;
        if (moreau) {
            assert_true(change <= 1e-12 * before);
            assert_true(told == 0.0);
            continue;
        }
        gains += told > 0.0;
        assert_true(change <= told + 1e-9 * before);
        if (told > 0.0)
            assert_true(fabs(change - told) <= 1e-9 * before);
    }
    assert_true(gains > 0);
    assert_true(strikes > COLLISIONS / 8);
}

static void gains_in_the_plane(void **state)
{
    (void)state;
    gain_at_random(CAROM_PLANE);
}

static void gains_in_space(void **state)
{
    (void)state;
    gain_at_random(CAROM_SPACE);
}

static void in_the_plane(void **state)
{
    (void)state;
    collide_at_random(CAROM_PLANE);
}

static void in_space(void **state)
{
    (void)state;
    collide_at_random(CAROM_SPACE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_plane),
        cmocka_unit_test(in_space),
        cmocka_unit_test(gains_in_the_plane),
        cmocka_unit_test(gains_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
