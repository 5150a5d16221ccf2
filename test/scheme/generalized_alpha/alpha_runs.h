/* For tests: runs of generalized-alpha on models written as texts, with a look inside the scheme. */
#ifndef CAROM_TEST_SCHEME_GENERALIZED_ALPHA_ALPHA_RUNS_H
#define CAROM_TEST_SCHEME_GENERALIZED_ALPHA_ALPHA_RUNS_H

#include "scheme/generalized_alpha/generalized_alpha.h"

#include <stdlib.h>

#include "carom/io.h"
#include "test/scheme/models.h"

enum {
    X,
    Y,
    THETA
};

typedef struct alpha_run {
    carom_experiment *experiment;
    carom_model_work *work;
    carom_stepper *stepper;
} alpha_run;

/* "name=value" texts up to NULL */
static inline void read_options(const char *const *texts, double *options)
{
    const carom_scheme_ops *scheme = scheme_named("generalized-alpha");
    for (int i = 0; i < scheme->option_count; i++)
        options[i] = scheme->options[i].value;
    for (int i = 0; texts && texts[i]; i++) {
        char name[32];
        const char *equals = strchr(texts[i], '=');
        snprintf(name, sizeof name, "%.*s", (int)(equals - texts[i]), texts[i]);
        const int option = carom_scheme_find_option(scheme, name);
        carom_error error = {0};
        if (option < 0 ||
            carom_scheme_parse_option(scheme, option, equals + 1, &options[option], &error) != CAROM_OK)
            fail_msg("%s: %s", texts[i], error.text);
    }
}

static inline alpha_run alpha_load(const char *text)
{
    alpha_run run = {0};
    carom_error error = {0};
    char whole[4096];
    snprintf(whole, sizeof whole, "%s\nintegrate { scheme = 'generalized-alpha', h = 1, until_t = 1 }\n",
             text);
    const carom_load_request request = {.name = "test", .file = "test", .text = whole};
    if (carom_experiment_load(&request, &run.experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    run.work = run.experiment->model->ops->work_create(run.experiment->model);
    run.experiment->model->ops->bind(run.work, run.experiment->parameter);
    return run;
}

static inline carom_status alpha_try(alpha_run *run, double h, const double *q0, const double *v0,
                                     const char *const *texts, carom_error *error)
{
    const carom_scheme_ops *scheme = scheme_named("generalized-alpha");
    double options[16];
    read_options(texts, options);
    const carom_step_settings settings = {
        .t0 = 0.0, .h = h, .values = options, .value_count = scheme->option_count};
    return carom_stepper_create(scheme, run->work, &settings, q0, v0, &run->stepper, error);
}

static inline alpha_run alpha_start_run(const char *text, double h, const double *q0, const double *v0,
                                        const char *const *texts)
{
    alpha_run run = alpha_load(text);
    carom_error error = {0};
    if (alpha_try(&run, h, q0, v0, texts, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return run;
}

static inline void alpha_free(alpha_run *run)
{
    if (run->stepper)
        carom_stepper_free(run->stepper);
    run->experiment->model->ops->work_free(run->work);
    carom_experiment_free(run->experiment);
}

static inline const generalized_alpha *inside(const alpha_run *run)
{
    return (const generalized_alpha *)run->stepper;
}

static inline double alpha_energy(const alpha_run *run)
{
    const carom_state *state = &run->stepper->state;
    return run->experiment->model->ops->energy(run->work, state->t, state->q, state->v);
}

static inline double with_joints(const generalized_alpha *self, const double *residual)
{
    return carom_largest(self->joints, residual);
}

/* ---- runs with their impacts ------------------------------------------------------------------------ */

typedef struct history {
    int impacts;         /* steps in which the contact closes: regime open -> not open */
    double time[40];     /* of the first ones */
    double closed_from;  /* first step after the last open one */
    double impulse;      /* sum */
    double largest_gain; /* of energy in a step */
    double least_gap;
    double residual[3]; /* largest of joints: position, velocity, acceleration */
} history;

static inline void note_step(const alpha_run *run, double energy_before, bool was_open, history *noted)
{
    const generalized_alpha *self = inside(run);
    const carom_state *state = &run->stepper->state;
    const bool open = state->regime[0] == CAROM_CONTACT_OPEN;
    if (was_open && !open && noted->impacts < 40)
        noted->time[noted->impacts++] = state->t;
    if (was_open && !open)
        noted->closed_from = state->t;
    noted->impulse += state->impulse[0];
    noted->largest_gain = fmax(noted->largest_gain, alpha_energy(run) - energy_before);
    noted->least_gap = fmin(noted->least_gap, self->g[self->joints]);
    const double *const level[] = {self->g, self->rate, self->curvature};
    for (int k = 0; k < 3; k++)
        noted->residual[k] = fmax(noted->residual[k], with_joints(self, level[k]));
}

static inline void run_noting(alpha_run *run, long steps, history *noted)
{
    for (long i = 0; i < steps; i++) {
        const double energy = alpha_energy(run);
        const bool was_open = run->stepper->state.regime[0] == CAROM_CONTACT_OPEN;
        hand_step(run->stepper);
        note_step(run, energy, was_open, noted);
    }
}

/* ---- the pendulum of the chapter: mass 1 on a rod of length 1, inertia 0.1, gravity 10 downwards ---- */

#define PENDULUM                                                                                             \
    "local x, y, th = coordinates('x', 'y', 'th')\n"                                                         \
    "kinetic((dot(x)^2 + dot(y)^2 + 0.1 * dot(th)^2) / 2)\n"                                                 \
    "potential(10 * y)\n"                                                                                    \
    "joint { 'pin_x', x - cos(th) }\n"                                                                       \
    "joint { 'pin_y', y - sin(th) }\n"

static const char pendulum_text[] = PENDULUM;
static const char bouncing_text[] =
    PENDULUM "contact { 'wall', gap = x - math.sqrt(2) / 2, restitution = 0.8 }\n";

static inline alpha_run pendulum_run(const char *text, double h, double theta, double w,
                                     const char *const *texts)
{
    const double q0[] = {cos(theta), sin(theta), theta}, v0[] = {-sin(theta) * w, cos(theta) * w, w};
    return alpha_start_run(text, h, q0, v0, texts);
}

/* The motion of the angle, theta'' = -100/11 cos(theta), by Runge-Kutta steps of fourth order. */
static inline void exact_pendulum(double span, int steps, double *theta, double *w)
{
    const double h = span / steps, k = -10.0 / 1.1;
    for (int i = 0; i < steps; i++) {
        const double v1 = *w, a1 = k * cos(*theta);
        const double v2 = *w + h / 2 * a1, a2 = k * cos(*theta + h / 2 * v1);
        const double v3 = *w + h / 2 * a2, a3 = k * cos(*theta + h / 2 * v2);
        const double v4 = *w + h * a3, a4 = k * cos(*theta + h * v3);
        *theta += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
        *w += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
}

#endif
