/* For tests of tangents: the derivatives of a motion's last state against differences of whole motions, central and
 * extrapolated twice. */
#ifndef CAROM_TEST_SCHEME_TANGENT_CHECK_H
#define CAROM_TEST_SCHEME_TANGENT_CHECK_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/scheme.h"

enum {
    CHECK_MOST = 8,   /* coordinates, parameters, contacts, joints of a model under test */
    CHECK_LEVELS = 3, /* differences with steps s, s/2, s/4 */
    CHECK_OPTIONS = 64
};

/* A motion, and one direction of all that it depends on. */
typedef struct motion_case {
    const carom_model *model;
    const char *scheme;
    const carom_option *option;
    int steps;
    double t0, h, parameter[CHECK_MOST], q[CHECK_MOST], v[CHECK_MOST];
    double difference; /* step of differences; 0: 1e-4 */
} motion_case;

typedef struct motion_end {
    double q[CHECK_MOST], v[CHECK_MOST], impulse[3 * CHECK_MOST], reaction[CHECK_MOST];
} motion_end;
enum {
    END_NUMBERS = sizeof(motion_end) / sizeof(double)
};

static inline void take_end(const carom_stepper *stepper, motion_end *end)
{
    const carom_model *model = stepper->model;
    memset(end, 0, sizeof *end);
    memcpy(end->q, stepper->state.q, (size_t)model->dof * sizeof(double));
    memcpy(end->v, stepper->state.v, (size_t)model->dof * sizeof(double));
    memcpy(end->impulse, stepper->state.impulse, 3 * (size_t)model->contacts * sizeof(double));
    if (stepper->state.reaction)
        memcpy(end->reaction, stepper->state.reaction, (size_t)model->joints * sizeof(double));
}

static inline carom_stepper *begin_motion(const motion_case *m, carom_model_work **work)
{
    carom_error error = {0};
    carom_stepper *stepper = NULL;
    const carom_step_settings settings = {.h = m->h, .t0 = m->t0, .option = m->option};
    if (carom_model_work_create(m->model, m->parameter, work, &error) != CAROM_OK ||
        carom_stepper_create(carom_scheme_find(m->scheme, &error), *work, &settings, m->q, m->v, &stepper,
                             &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

static inline motion_end move(const motion_case *m)
{
    carom_model_work *work = NULL;
    carom_error error = {0};
    motion_end end;
    carom_stepper *stepper = begin_motion(m, &work);
    for (int i = 0; i < m->steps; i++)
        if (carom_stepper_step(stepper, &error) != CAROM_OK)
            fail_msg("%s", error.text);
    take_end(stepper, &end);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    return end;
}

static inline motion_case moved_case(const motion_case *m, const motion_case *by, double s)
{
    motion_case there = *m;
    there.t0 += s * by->t0;
    there.h += s * by->h;
    for (int i = 0; i < CHECK_MOST; i++) {
        there.parameter[i] += s * by->parameter[i];
        there.q[i] += s * by->q[i];
        there.v[i] += s * by->v[i];
    }
    return there;
}

/* Richardson's extrapolation; *error: how far the last two columns differ, relative to the largest number. */
static inline motion_end differences(const motion_case *m, const motion_case *by, double *error)
{
    double table[CHECK_LEVELS][END_NUMBERS], step = m->difference > 0.0 ? m->difference : 1e-4;
    double last[END_NUMBERS];
    for (int level = 0; level < CHECK_LEVELS; level++, step /= 2.0) {
        const motion_case up = moved_case(m, by, step), down = moved_case(m, by, -step);
        const motion_end above = move(&up), below = move(&down);
        const double *a = (const double *)&above, *b = (const double *)&below;
        for (int i = 0; i < END_NUMBERS; i++)
            table[level][i] = (a[i] - b[i]) / (2.0 * step);
        double power = 4.0;
        for (int k = level - 1; k >= 0; k--, power *= 4.0)
            for (int i = 0; i < END_NUMBERS; i++) {
                last[i] = table[k + 1][i];
                table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) / (power - 1.0);
            }
    }
    motion_end result;
    memcpy(&result, table[0], sizeof result);
    double size = 1e-300;
    *error = 0.0;
    for (int i = 0; i < END_NUMBERS; i++) {
        size = fmax(size, fabs(table[0][i]));
        *error = fmax(*error, fabs(table[0][i] - last[i]));
    }
    *error /= size;
    return result;
}

/* The tangent after all steps; *breaks: how many there were. */
static inline motion_end exact(const motion_case *m, const motion_case *by, int *breaks)
{
    carom_model_work *work = NULL;
    carom_error error = {0};
    motion_end end = {0};
    carom_stepper *stepper = begin_motion(m, &work);
    const carom_model *model = m->model;
    carom_tangent *tangent = NULL;
    const carom_tangent_column two[2] = {
        {.h = 1.0, .v0 = m->v}, /* must not mix with the next */
        {.q0 = by->q, .v0 = by->v, .parameter = by->parameter, .t0 = by->t0, .h = by->h}};
    if (carom_tangent_create(stepper, 2, two, &tangent, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    bool touched = model->contacts == 0;
    for (int i = 0; i < m->steps; i++) {
        if (carom_tangent_step(tangent, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        for (int k = 0; k < 3 * model->contacts; k++) /* friction forces have no normal impulse */
            touched = touched || stepper->state.impulse[k] != 0.0;
    }
    if (!touched && m->steps > 20)
        fail_msg("nothing touches in %d steps of %s: the case tests nothing of contacts", m->steps,
                 m->scheme);
    memcpy(end.q, carom_tangent_q(tangent, 1), (size_t)model->dof * sizeof(double));
    memcpy(end.v, carom_tangent_v(tangent, 1), (size_t)model->dof * sizeof(double));
    memcpy(end.impulse, tangent->impulse + 3 * (size_t)model->contacts,
           3 * (size_t)model->contacts * sizeof(double));
    if (stepper->state.reaction)
        memcpy(end.reaction, tangent->reaction + model->joints, (size_t)model->joints * sizeof(double));
    *breaks = tangent->breaks;
    for (int i = 0; i < tangent->breaks && i < CAROM_BREAKS_KEPT; i++)
        print_message("t = %g: %s\n", tangent->kept[i].t, tangent->kept[i].why);
    assert_true(fabs(tangent->t[1] - (by->t0 + m->steps * by->h)) <= 1e-12);
    carom_tangent_free(tangent);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    return end;
}

/* All numbers agree to the tolerance, relative to the largest of their kind, and there are no breaks. */
static inline void check_tangent(const motion_case *m, const motion_case *by, double tolerance)
{
    int breaks = 0;
    double error = 0.0;
    const motion_end found = exact(m, by, &breaks), expected = differences(m, by, &error);
    const double *f = (const double *)&found, *e = (const double *)&expected;
    const int kind[] = {0, CHECK_MOST, 2 * CHECK_MOST, 5 * CHECK_MOST, END_NUMBERS};
    assert_int_equal(breaks, 0);
    if (!(error <= tolerance))
        fail_msg("differences of %s converge only to %g", m->scheme, error);
    double largest = 0.0;
    for (int i = 0; i < 2 * CHECK_MOST; i++)
        largest = fmax(largest, fabs(e[i]));
    for (int k = 0; k < 4; k++) {
        double size = 1e-2 * largest; /* where derivatives cancel differences are rounding */
        for (int i = kind[k]; i < kind[k + 1]; i++)
            size = fmax(size, fabs(e[i]));
        for (int i = kind[k]; i < kind[k + 1]; i++)
            if (!(fabs(f[i] - e[i]) <= tolerance * size))
                fail_msg("%s, number %d of kind %d: %.12g, differences %.12g (their error %.1g)", m->scheme,
                         i - kind[k], k, f[i], e[i], error);
    }
}

#endif
