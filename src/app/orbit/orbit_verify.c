/* The event-driven scheme from a motion found: does it come back? Also: a run as a guess for shooting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orbit_guess.h"

/* The scheme beside its options, which it reads while it steps. */
typedef struct motion_in_time {
    carom_stepper *stepper;
    double *options;
} motion_in_time;

static carom_status begin(const orbit_subject *subject, double t, double h, const double *q, const double *v,
                          motion_in_time *run, carom_error *error)
{
    const carom_scheme_ops *scheme = &carom_scheme_event_driven;
    run->options = carom_new_array((size_t)scheme->option_count, sizeof *run->options);
    if (!run->options)
        return carom_fail_memory(error);
    for (int i = 0; i < scheme->option_count; i++)
        run->options[i] = scheme->options[i].value;
    const carom_step_settings settings = {.t0 = t, .h = h, .options = run->options};
    carom_status status = carom_scheme_accepts(scheme, subject->model, error);
    return status == CAROM_OK ? scheme->create(subject->work, &settings, q, v, &run->stepper, error) : status;
}

static void end(motion_in_time *run)
{
    if (run->stepper)
        carom_scheme_event_driven.free(run->stepper);
    free(run->options);
}

/* ---- does it come back? ----------------------------------------------------------------------------- */

/* Sizes of positions and velocities over the period. */
static void take_sizes(const orbit_subject *subject, const found_orbit *found, double *length, double *speed)
{
    const int n = subject->model->dof;
    *length = *speed = 0.0;
    for (int i = 0; i < found->rows; i++) {
        const double *row = found->row + (size_t)i * (size_t)(1 + 2 * n);
        *length = fmax(*length, carom_largest(n, row + 1));
        *speed = fmax(*speed, carom_largest(n, row + 1 + n));
    }
}

static double distance(int n, const double *a, const double *b, double size)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]) / size);
    return worst;
}

/* Of the deviations before the motion is another one. */
static double find_growth(const orbit_verified *verified, double left)
{
    int last = 0;
    while (last < verified->done && verified->deviation[last] < left)
        last++;
    const int middle = last / 2;
    if (last < 4 || !(verified->deviation[middle] > 0.0))
        return NAN;
    return pow(verified->deviation[last - 1] / verified->deviation[middle], 1.0 / (last - 1 - middle));
}

carom_status orbit_verify(const orbit_subject *subject, const found_orbit *found, int periods, double offset,
                          orbit_verified *verified, carom_error *error)
{
    const double left = 1e-2; /* of the sizes: the motion is another one */
    const int n = subject->model->dof;
    motion_in_time run = {0};
    double length, speed, *start = carom_arena_take(subject->arena, (size_t)n, sizeof *start);
    verified->deviation = carom_arena_take(subject->arena, (size_t)periods, sizeof(double));
    if (!start || !verified->deviation)
        return carom_fail_memory(error);
    verified->periods = periods;
    take_sizes(subject, found, &length, &speed);
    for (int i = 0; i < n; i++)
        start[i] = found->middle[i] + offset;
    carom_status status = begin(subject, found->t0 + 0.5 * found->flight[0], found->period, start,
                                found->middle + n, &run, error);
    carom_error stop = {0};
    while (status == CAROM_OK && verified->done < periods) {
        if (carom_scheme_event_driven.step(run.stepper, &stop) != CAROM_OK) {
            snprintf(verified->stopped, sizeof verified->stopped, "%.290s", stop.text);
            break;
        }
        const carom_state *state = &run.stepper->state;
        verified->deviation[verified->done++] = fmax(distance(n, state->q, found->middle, length),
                                                     distance(n, state->v, found->middle + n, speed));
    }
    for (int i = 0; i < verified->done; i++)
        verified->leaves = verified->leaves || !(verified->deviation[i] < left);
    verified->leaves = verified->leaves || verified->done < periods;
    verified->growth = find_growth(verified, left);
    end(&run);
    return status;
}

/* ---- a run as a guess ------------------------------------------------------------------------------- */

enum {
    STEPS_PER_PERIOD = 400,
    PERIODS_MAX = 50 /* until the first impact, and until the last one */
};

/* When the contact was struck in the last step; NAN when it was not. */
static double struck(const carom_stepper *stepper, int contact, double h)
{
    const carom_state *state = &stepper->state;
    if (!(state->impulse[(ptrdiff_t)CAROM_CONTACT_COMPONENTS * contact] > 0.0))
        return NAN;
    const double when = state->impact_time ? state->impact_time[contact] : NAN;
    return isnan(when) ? state->t - 0.5 * h : when;
}

/* Steps until one of the contacts is struck; *contact says which. */
static carom_status next_impact(motion_in_time *run, const orbit_impacts *impacts, double h, double *when,
                                int *contact, carom_error *error)
{
    for (long i = 0; i < (long)STEPS_PER_PERIOD * PERIODS_MAX; i++) {
        const carom_status status = carom_scheme_event_driven.step(run->stepper, error);
        if (status != CAROM_OK)
            return status;
        for (int k = 0; k < impacts->count; k++) {
            *when = struck(run->stepper, impacts->contact[k], h);
            *contact = impacts->contact[k];
            if (!isnan(*when))
                return CAROM_OK;
        }
    }
    return carom_fail(
        error, CAROM_FAILED,
        "a run from the initial state strikes no such contact in %d periods; start it with more energy",
        PERIODS_MAX);
}

/* The state at the impact: from the end of its step straight back. */
static void take_guess(const orbit_subject *subject, const carom_state *state, double when, carom_shot *shot)
{
    for (int i = 0; i < subject->model->dof; i++) {
        shot->v[i] = state->v[i];
        shot->q[i] = state->q[i] - (state->t - when) * state->v[i];
    }
    shot->t0 = when;
}

carom_status orbit_guess_run(const orbit_subject *subject, const orbit_request *request, carom_shot *shot,
                             carom_error *error)
{
    const orbit_impacts *impacts = &request->impacts;
    const double h = request->period / STEPS_PER_PERIOD;
    motion_in_time run = {0};
    double when = NAN, before = NAN;
    int contact = -1, place = 0;
    carom_status status = begin(subject, subject->t0, h, subject->q0, subject->v0, &run, error);
    if (!run.stepper) {
        end(&run);
        return status;
    }
    for (double i = 0.0; status == CAROM_OK && i < request->settle * STEPS_PER_PERIOD; i += 1.0)
        status = carom_scheme_event_driven.step(run.stepper, error);
    while (status == CAROM_OK && contact != impacts->contact[0])
        status = next_impact(&run, impacts, h, &when, &contact, error);
    if (status == CAROM_OK)
        take_guess(subject, &run.stepper->state, when, shot);
    /* The flights of the run, as long as it strikes in the order asked for. */
    for (; status == CAROM_OK && place < impacts->count && !request->flights; place++) {
        before = when;
        if (next_impact(&run, impacts, h, &when, &contact, error) != CAROM_OK ||
            contact != impacts->contact[(place + 1) % impacts->count])
            break;
        if (!impacts->given)
            shot->flight[place] = when - before;
    }
    end(&run);
    return status;
}
