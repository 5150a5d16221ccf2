/* Derivatives of a traced model along directions, against central differences with one step of extrapolation. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/model.h"

enum {
    DOF = 3,
    PARAMETERS = 4,
    LARGEST = 64
};

typedef struct point {
    double t, q[DOF], u[DOF], parameter[PARAMETERS];
} point;

/* A double pendulum that slides along a wall that moves, with a joint that depends on time; every parameter counts. */
static carom_model *make(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "phi");
    carom_build_parameter(b, "m", 1.5);
    carom_build_parameter(b, "l", 0.7);
    carom_build_parameter(b, "mu", 0.3);
    carom_build_parameter(b, "w", 2.0);
    carom_build_kinetic(b, carom_build_formula(b, "1/2*m*(dot(x)^2 + (1 + l*sin(phi)^2)*dot(y)^2)"
                                                  " + 1/2*m*l^2*dot(phi)^2 + m*l*cos(phi)*dot(x)*dot(phi)"));
    carom_build_potential(b, carom_build_formula(b, "m*9.81*y + x^2*phi*l"));
    carom_build_force(b, 0, carom_build_formula(b, "-mu*dot(x)*abs(dot(x)) + sin(w*t)*y"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "y + l*cos(phi) - 0.1*sin(w*t)"));
    carom_build_restitution(b, wall, carom_build_formula(b, "0.5*exp(-mu*x^2)"));
    carom_build_slip(b, wall, carom_build_formula(b, "dot(x) + l*phi*dot(phi) - w*t"));
    carom_build_friction(b, wall, carom_build_formula(b, "mu*(1 + y^2)"));
    carom_build_joint(b, "track", carom_build_formula(b, "x^2 - l*y*sin(w*t) - phi"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

/* All values of one function, in a row; returns how many. */
typedef int (*function)(carom_model_work *work, const point *at, double *value);

static int frame_numbers(const carom_model *model, const carom_contact_frame *frame, double *value)
{
    int count = 0;
    double full[DOF];
    carom_row_spread(&frame->normal, model->dof, full);
    memcpy(value, full, sizeof full);
    carom_row_spread(&frame->tangent[0], model->dof, full);
    memcpy(value + DOF, full, sizeof full);
    count = 2 * DOF;
    value[count++] = frame->normal_rate;
    value[count++] = frame->tangent_rate[0];
    value[count++] = frame->restitution;
    value[count++] = frame->coefficients[0];
    return count;
}

static int mass(carom_model_work *work, const point *at, double *value)
{
    work->model->ops->mass(work, at->t, at->q, value);
    return DOF * DOF;
}
static int force(carom_model_work *work, const point *at, double *value)
{
    work->model->ops->force(work, at->t, at->q, at->u, value);
    return DOF;
}
static int gaps(carom_model_work *work, const point *at, double *value)
{
    work->model->ops->gaps(work, at->t, at->q, value);
    return 1;
}
static int energy(carom_model_work *work, const point *at, double *value)
{
    *value = work->model->ops->energy(work, at->t, at->q, at->u);
    return 1;
}
static int frame(carom_model_work *work, const point *at, double *value)
{
    carom_arena *arena = carom_arena_create();
    carom_contact_frame f = {0};
    assert_true(carom_contact_frame_take(arena, work->model, &f));
    work->model->ops->frame(work, 0, at->t, at->q, &f);
    const int count = frame_numbers(work->model, &f, value);
    carom_arena_free(arena);
    return count;
}
static int rows(carom_model_work *work, const point *at, double *value)
{
    const carom_motion motion = {.t = at->t, .q = at->q, .v = at->u};
    work->model->ops->block(work, CAROM_BLOCK_ROWS, &motion, value);
    return work->model->ops->block_pattern(work->model, CAROM_BLOCK_ROWS)->column_start[DOF];
}
static int constraints(carom_model_work *work, const point *at, double *value)
{
    const carom_motion motion = {.t = at->t, .q = at->q, .v = at->u};
    work->model->ops->constraints(work, &motion, value, value + 2, value + 4);
    return 6;
}

/* The same of the derivatives: two directions at once, of which the second is given back. */
typedef void (*derivative)(carom_model_work *work, const point *at, const carom_direction two[2],
                           double *value);

static void mass_along(carom_model_work *work, const point *at, const carom_direction two[2], double *value)
{
    double both[2 * DOF * DOF];
    work->model->ops->tangent->mass(work, at->t, at->q, 2, two, both);
    memcpy(value, both + DOF * DOF, DOF * DOF * sizeof *value);
}
static void force_along(carom_model_work *work, const point *at, const carom_direction two[2], double *value)
{
    double both[2 * DOF];
    work->model->ops->tangent->force(work, at->t, at->q, at->u, 2, two, both);
    memcpy(value, both + DOF, DOF * sizeof *value);
}
static void gaps_along(carom_model_work *work, const point *at, const carom_direction two[2], double *value)
{
    double both[2];
    work->model->ops->tangent->gaps(work, at->t, at->q, 2, two, both);
    *value = both[1];
}
static void energy_along(carom_model_work *work, const point *at, const carom_direction two[2], double *value)
{
    double both[2];
    work->model->ops->tangent->energy(work, at->t, at->q, at->u, 2, two, both);
    *value = both[1];
}
static void frame_along(carom_model_work *work, const point *at, const carom_direction two[2], double *value)
{
    carom_arena *arena = carom_arena_create();
    carom_contact_frame both[2];
    memset(both, 0, sizeof both);
    assert_true(carom_contact_frame_take(arena, work->model, &both[0]) &&
                carom_contact_frame_take(arena, work->model, &both[1]));
    work->model->ops->tangent->frame(work, 0, at->t, at->q, 2, two, both);
    frame_numbers(work->model, &both[1], value);
    carom_arena_free(arena);
}
static void rows_along(carom_model_work *work, const point *at, const carom_direction two[2], double *value)
{
    double both[LARGEST];
    const int count = work->model->ops->block_pattern(work->model, CAROM_BLOCK_ROWS)->column_start[DOF];
    const carom_motion motion = {.t = at->t, .q = at->q, .v = at->u};
    work->model->ops->tangent->block(work, CAROM_BLOCK_ROWS, &motion, 2, two, both);
    memcpy(value, both + count, (size_t)count * sizeof *value);
}
static void constraints_along(carom_model_work *work, const point *at, const carom_direction two[2],
                              double *value)
{
    double g[4], g_t[4], h[4];
    const carom_motion motion = {.t = at->t, .q = at->q, .v = at->u};
    work->model->ops->tangent->constraints(work, &motion, 2, two, g, g_t, h);
    for (int k = 0; k < 2; k++) {
        value[k] = g[2 + k];
        value[2 + k] = g_t[2 + k];
        value[4 + k] = h[2 + k];
    }
}

static point moved(const point *at, const point *by, double s)
{
    point there = *at;
    there.t += s * by->t;
    for (int i = 0; i < DOF; i++) {
        there.q[i] += s * by->q[i];
        there.u[i] += s * by->u[i];
    }
    for (int i = 0; i < PARAMETERS; i++)
        there.parameter[i] += s * by->parameter[i];
    return there;
}

static void evaluate(carom_model_work *work, function f, const point *at, double *value)
{
    work->model->ops->bind(work, at->parameter);
    f(work, at, value);
}

/* (4 D(s/2) - D(s)) / 3 */
static void difference(carom_model_work *work, function f, int count, const point *at, const point *by,
                       double *slope)
{
    double value[4][LARGEST];
    const double step = 1e-3, share[4] = {1.0, -1.0, 0.5, -0.5};
    for (int k = 0; k < 4; k++) {
        const point there = moved(at, by, share[k] * step);
        evaluate(work, f, &there, value[k]);
    }
    for (int i = 0; i < count; i++)
        slope[i] = (4.0 * (value[2][i] - value[3][i]) - 0.5 * (value[0][i] - value[1][i])) / (3.0 * step);
}

static point random_point(carom_random *random, bool direction)
{
    point p = {.t = carom_random_uniform(random, 0.2, 1.0)};
    for (int i = 0; i < DOF; i++) {
        p.q[i] = carom_random_uniform(random, -1.0, 1.0);
        p.u[i] = carom_random_uniform(random, 0.2, 1.0);
    }
    for (int i = 0; i < PARAMETERS; i++)
        p.parameter[i] = carom_random_uniform(random, direction ? -1.0 : 0.3, 1.5);
    return p;
}

static void check(function f, derivative along)
{
    carom_model *model = make();
    carom_model_work *work = NULL;
    carom_error error;
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    assert_non_null(model->ops->tangent);
    carom_random random = {.state = 5};
    for (int trial = 0; trial < 10; trial++) {
        const point at = random_point(&random, false), by = random_point(&random, true);
        double value[LARGEST], expected[LARGEST], found[LARGEST];
        work->model->ops->bind(work, at.parameter);
        const int count = f(work, &at, value);
        /* the first direction must leave nothing behind */
        const carom_direction two[2] = {{.t = 1.0, .q = at.u, .parameter = at.parameter},
                                        {.t = by.t, .q = by.q, .u = by.u, .parameter = by.parameter}};
        along(work, &at, two, found);
        difference(work, f, count, &at, &by, expected);
        for (int i = 0; i < count; i++)
            if (!(fabs(found[i] - expected[i]) <= 1e-8 * (1.0 + fabs(expected[i]))))
                fail_msg("number %d: %.12g, expected %.12g", i, found[i], expected[i]);
    }
    carom_model_work_free(work);
    carom_model_free(model);
}

static void test_equations_of_motion(void **state)
{
    (void)state;
    check(mass, mass_along);
    check(force, force_along);
    check(energy, energy_along);
}

static void test_contacts(void **state)
{
    (void)state;
    check(gaps, gaps_along);
    check(frame, frame_along);
}

static void test_joints(void **state)
{
    (void)state;
    check(rows, rows_along);
    check(constraints, constraints_along);
}

static void test_what_is_not_given_does_not_change(void **state)
{
    (void)state;
    carom_model *model = make();
    carom_model_work *work = NULL;
    carom_error error;
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    const double q[DOF] = {0.1, 0.2, 0.3}, u[DOF] = {1.0, 2.0, 3.0};
    double slope[DOF];
    model->ops->tangent->force(work, 0.5, q, u, 1, &(carom_direction){0}, slope);
    for (int i = 0; i < DOF; i++)
        assert_true(slope[i] == 0.0);
    carom_model_work_free(work);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equations_of_motion),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_what_is_not_given_does_not_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
