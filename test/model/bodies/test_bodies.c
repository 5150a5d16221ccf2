/* Forces and rows of bodies against finite differences along velocities; how positions move. */
#include <math.h>
#include <string.h>

#include "carom/io.h"
#include "carom/model/bodies.h"
#include "test/near.h"

static const char space[] =
    "world { gravity = { 0.3, -0.2, -9.81 } }\n"
    "local k = param { 'k', 3 }\n"
    "local g = fixed { 'ground', at = { 0.1, 0.2, 0.3 }, rotation = { axis = { 1, 1, 0 }, angle = 0.5 } }\n"
    "local a = body { 'a', shape = box { 0.4, 0.3, 0.2 }, density = 600, at = { 0, 0, 1 },\n"
    "                 rotation = { axis = { 1, 2, 3 }, angle = 0.7 }, velocity = { 1, 2, 3 }, spin = { 0.5, "
    "-0.3, 0.2 } }\n"
    "local b = body { 'b', shape = sphere { 0.2 }, density = 500, at = { 1, 0.5, 1.5 }, spin = { 0.1, 0.2, "
    "0.3 } }\n"
    "local p, q = a:point { 0.1, 0.2, -0.1 }, b:point { 0.05, -0.1, 0.2 }\n"
    "local d = sqrt((p.x - q.x)^2 + (p.y - q.y)^2 + (p.z - q.z)^2)\n"
    "potential(k / 2 * (d - 0.3)^2 + a.qw * b.qx * b.z + 0.2 * sin(a.x * time()))\n"
    "hinge { 'pin', g, a, at = { 0.2, 0.1, 0.9 }, axis = { 0, 1, 1 } }\n"
    "slider { 'rail', a, b, at = { 0.5, 0.5, 1 }, axis = { 1, 0, 0.2 } }\n"
    "joint { 'moves', b.x - 0.3 * sin(2 * time()) * a.y }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";

static const char plane[] = "world { gravity = { 0.3, -9.81 } }\n"
                            "local a = body { 'a', shape = box { 0.4, 0.3 }, density = 600, at = { 0, 1 }, "
                            "rotation = 0.7, velocity = { 1, 2 }, spin = 3 }\n"
                            "local b = body { 'b', shape = disc { 0.2 }, density = 500, at = { 1, 0.5 } }\n"
                            "local p, q = a:point { 0.1, 0.2 }, b:point { 0.05, -0.1 }\n"
                            "potential(4 * ((p.x - q.x)^2 + (p.y - q.y)^2) + sin(a.phi - 2 * b.phi))\n"
                            "hinge { 'pin', a, b, at = { 0.3, 0.7 } }\n"
                            "slider { 'rail', a, b, at = { 0.5, 0.5 }, axis = { 1, 2 } }\n"
                            "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";

typedef struct loaded {
    carom_experiment *experiment;
    carom_model_work *work;
    const carom_bodies *bodies;
    double q[20], v[20];
} loaded;

static void load(const char *text, loaded *l)
{
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.name = "bodies", .text = text}, &l->experiment,
                              &error) != CAROM_OK ||
        carom_model_work_create(l->experiment->model, NULL, &l->work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    l->bodies = carom_model_bodies(l->work);
    l->experiment->model->ops->initial(l->work, l->q, l->v);
}

static void unload(loaded *l)
{
    carom_model_work_free(l->work);
    carom_experiment_free(l->experiment);
}

/* q moved along the unit velocity `k` by h. */
static void move_along(const loaded *l, int k, double h, double *q)
{
    double v[20] = {0.0};
    v[k] = 1.0;
    memcpy(q, l->q, sizeof l->q);
    for (int i = 0; i < l->bodies->count; i++)
        if (l->bodies->body[i].q >= 0)
            carom_body_move(l->bodies, &l->bodies->body[i], h, v, l->q, q);
}

/* The force is minus the derivative of the energy at rest along each velocity. */
static void check_force(const loaded *l)
{
    const carom_model *model = l->work->model;
    const double h = 1e-6, rest[20] = {0.0}, t = 0.4;
    double force[20], ahead[20], back[20];
    model->ops->force(l->work, t, l->q, rest, force);
    for (int k = 0; k < model->dof; k++) {
        move_along(l, k, h, ahead);
        move_along(l, k, -h, back);
        const double slope =
            (model->ops->energy(l->work, t, ahead, rest) - model->ops->energy(l->work, t, back, rest)) /
            (2.0 * h);
        assert_near(force[k], -slope, 1e-6 * (1.0 + fabs(slope)));
    }
}

static void check_joints(const loaded *l)
{
    const carom_model *model = l->work->model;
    const double h = 1e-6, t = 0.4;
    double entry[200], g_t[20], ahead[20], back[20], high[20], low[20], row[20][20] = {{0.0}};
    assert_true(model->joints > 3);
    carom_bodies_joint_rows(l->work, t, l->q, entry, g_t);
    for (int i = 0; i < model->joints; i++)
        for (int k = l->bodies->joint_start[i]; k < l->bodies->joint_start[i + 1]; k++)
            row[i][l->bodies->joint_column[k]] = entry[k];
    for (int k = 0; k < model->dof; k++) {
        move_along(l, k, h, ahead);
        move_along(l, k, -h, back);
        carom_bodies_joint_values(l->work, t, ahead, high);
        carom_bodies_joint_values(l->work, t, back, low);
        for (int i = 0; i < model->joints; i++)
            assert_near(row[i][k], (high[i] - low[i]) / (2.0 * h), 1e-8);
    }
    carom_bodies_joint_values(l->work, t + h, l->q, high);
    carom_bodies_joint_values(l->work, t - h, l->q, low);
    for (int i = 0; i < model->joints; i++)
        assert_near(g_t[i], (high[i] - low[i]) / (2.0 * h), 1e-8);
}

static void derivatives_in_space(void **state)
{
    (void)state;
    loaded l = {0};
    load(space, &l);
    check_force(&l);
    check_joints(&l);
    unload(&l);
}

static void derivatives_in_the_plane(void **state)
{
    (void)state;
    loaded l = {0};
    load(plane, &l);
    check_force(&l);
    check_joints(&l);
    unload(&l);
}

/* A body that turns with a constant spin w is turned by w t, exactly; its quaternion stays of length 1. */
static void a_turn_is_exact(void **state)
{
    (void)state;
    loaded l = {0};
    load(space, &l);
    const carom_body *body = &l.bodies->body[1];
    double once[20], often[20], v[20] = {0.0};
    const double spin[3] = {0.6, -1.2, 0.4};
    memcpy(v + body->v + 3, spin, sizeof spin);
    memcpy(once, l.q, sizeof once);
    memcpy(often, l.q, sizeof often);
    carom_body_move(l.bodies, body, 1.0, v, l.q, once);
    for (int i = 0; i < 100000; i++)
        carom_body_move(l.bodies, body, 1e-5, v, often, often);
    for (int k = 0; k < 7; k++)
        assert_near(often[body->q + k], once[body->q + k], 1e-11);
    assert_near(carom_dot(4, often + body->q + 3, often + body->q + 3), 1.0, 4e-16);
    unload(&l);
}

/* Kinetic energy of the model is that of the words b:kinetic(). */
static void masses_follow_from_shapes(void **state)
{
    (void)state;
    loaded l = {0};
    load(space, &l);
    const carom_body *box = &l.bodies->body[1], *ball = &l.bodies->body[2];
    const double mass = 600 * 0.4 * 0.3 * 0.2;
    assert_near(box->mass, mass, 1e-12);
    assert_near(box->inertia[0], mass * (0.09 + 0.04) / 12.0, 1e-12);
    assert_near(box->inertia[4], mass * (0.16 + 0.04) / 12.0, 1e-12);
    assert_near(box->inertia[8], mass * (0.16 + 0.09) / 12.0, 1e-12);
    assert_near(ball->inertia[4], 0.4 * ball->mass * 0.04, 1e-12);
    assert_true(ball->round);
    assert_false(box->round);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_in_space),
        cmocka_unit_test(derivatives_in_the_plane),
        cmocka_unit_test(a_turn_is_exact),
        cmocka_unit_test(masses_follow_from_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
