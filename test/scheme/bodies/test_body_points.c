/* Points and impulses that a step of bodies tells of: they are what changed the velocities, and obey Coulomb's law. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/io.h"
#include "carom/model/bodies.h"
#include "carom/scheme.h"

enum {
    POINTS = 16
};

/* Balls have no gyroscopic term: J (w+ - w) is the moment of the impulses. */
static const char space[] =
    "world { gravity = { 0, 0, -9.81 } }\n"
    "pair { friction = 0.3, restitution = 0.2 }\n"
    "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\n"
    "body { 'a', shape = sphere { 0.1 }, density = 900, at = { 0, 0, 0.1 }, velocity = { 1, 0.2, 0 } }\n"
    "body { 'b', shape = sphere { 0.2 }, density = 700, at = { 0.4, 0.05, 0.2 }, spin = { 1, 2, 3 } }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";
static const char plane[] =
    "world { gravity = { 0, -9.81 } }\n"
    "pair { friction = 0.3, restitution = 0.2 }\n"
    "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "body { 'a', shape = box { 0.2, 0.3 }, density = 900, at = { 0, 0.15 }, velocity = { 1, 0 } }\n"
    "body { 'b', shape = disc { 0.2 }, density = 700, at = { 0.4, 0.2 }, spin = 3 }\n"
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";

static const double gravity = 9.81, step = 1e-3, friction = 0.3;

/* Six velocities of a body, wherever the scene is. */
static void six_of(const carom_bodies *bodies, const carom_body *body, const double *v, double six[6])
{
    const double *from = v + body->v;
    memset(six, 0, 6 * sizeof *six);
    if (bodies->dimension == CAROM_SPACE)
        memcpy(six, from, 6 * sizeof *six);
    else
        memcpy(six, (const double[6]){from[0], from[1], 0.0, 0.0, 0.0, from[2]}, 6 * sizeof *six);
}

static void add_moment(const double arm[3], const double p[3], double sign, double sum[6])
{
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        sum[k] += sign * p[k];
        sum[3 + k] += sign * (arm[a] * p[b] - arm[b] * p[a]);
    }
}

static void check_law(const carom_body_point *point)
{
    double normal = 0.0, tangent = 0.0;
    for (int k = 0; k < 3; k++)
        normal += point->normal[k] * point->impulse[k];
    for (int k = 0; k < 3; k++)
        tangent = hypot(tangent, point->impulse[k] - normal * point->normal[k]);
    assert_true(normal >= 0.0);
    assert_true(tangent <= friction * normal * (1.0 + 1e-9) + 1e-15);
    assert_true(point->friction == friction);
}

static void check_momentum(const carom_bodies *bodies, int i, int points, const carom_body_point *point,
                           const double *before, const double *after)
{
    const carom_body *body = &bodies->body[i];
    const int down = bodies->dimension - 1;
    double old[6], new[6], impulse[6] = {0.0};
    six_of(bodies, body, before, old);
    six_of(bodies, body, after, new);
    impulse[down] -= step * body->mass * gravity;
    for (int k = 0; k < points; k++) {
        if (point[k].a == i)
            add_moment(point[k].arm[0], point[k].impulse, 1.0, impulse);
        if (point[k].b == i)
            add_moment(point[k].arm[1], point[k].impulse, -1.0, impulse);
    }
    /* The energy that a step would gain by itself is taken back by one factor for all velocities. */
    double product = 0.0, square = 0.0;
    for (int k = 0; k < 6; k++) {
        const double inertia = k < 3 ? body->mass : body->inertia[8];
        const double made = old[k] + impulse[k] / inertia;
        product += inertia * made * new[k];
        square += inertia * made * made;
    }
    /* where it is all that moves, the bodies rest */
    const double slow = 0.1 * gravity * step;
    const bool rests = product == 0.0 && square < body->mass * slow * slow;
    /* balls gain nothing, so that theirs is 1 */
    const double factor = bodies->dimension == CAROM_SPACE ? 1.0 : rests ? 0.0 : product / square;
    assert_true(rests || (factor > 0.95 && factor < 1.0 + 1e-5));
    for (int k = 0; k < 6; k++) {
        const double inertia = k < 3 ? body->mass : body->inertia[8];
        if (bodies->dimension == CAROM_PLANE && (k == 2 || k == 3 || k == 4))
            continue;
        /* a body that comes to rest is put there: 100 times the tolerance of what gravity gives in a step */
        assert_true(fabs(inertia * (new[k] - factor *old[k]) - factor * impulse[k]) <=
                    2e-6 * step * body->mass * gravity);
    }
}

static void run_scene(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    double q[20], v[20], before[20];
    carom_body_point point[POINTS];
    int most = 0;
    if (carom_experiment_load(&(carom_load_request){.name = "points", .text = text}, &experiment, &error) !=
            CAROM_OK ||
        carom_model_work_create(experiment->model, NULL, &work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_bodies *bodies = carom_model_bodies(work);
    experiment->model->ops->initial(work, q, v);
    if (carom_stepper_create(carom_scheme_find("moreau-jean", &error), work,
                             &(carom_step_settings){.h = step}, q, v, &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(carom_stepper_body_points(stepper, POINTS, point), 0);
    for (int n = 0; n < 1000; n++) {
        memcpy(before, stepper->state.v, (size_t)experiment->model->dof * sizeof *before);
        if (carom_stepper_step(stepper, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        const int points = carom_stepper_body_points(stepper, POINTS, point);
        assert_true(points <= POINTS);
        most = points > most ? points : most;
        for (int k = 0; k < points; k++)
            check_law(&point[k]);
        for (int i = 0; i < bodies->count; i++)
            if (bodies->body[i].kind == CAROM_BODY_FREE)
                check_momentum(bodies, i, points, point, before, stepper->state.v);
    }
    assert_true(most >= 3); /* they met each other while both were on the floor */
    assert_int_equal(carom_stepper_body_points(stepper, 0, NULL),
                     carom_stepper_body_points(stepper, POINTS, point));
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_experiment_free(experiment);
}

static void in_space(void **state)
{
    (void)state;
    run_scene(space);
}

static void in_the_plane(void **state)
{
    (void)state;
    run_scene(plane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_space),
        cmocka_unit_test(in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
