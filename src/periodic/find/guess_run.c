/* A run of the event-driven scheme as a guess for shooting. */
#include <math.h>
#include <string.h>

#include "find.h"

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
static carom_status next_impact(const carom_periodic_model *periodic, carom_stepper *run,
                                const carom_impact_sequence *impacts, double h, double *when, int *contact,
                                carom_error *error)
{
    const long steps = (long)STEPS_PER_PERIOD * PERIODS_MAX;
    for (long i = 0; i < steps; i++) {
        carom_status status = find_goes_on(periodic, (double)i, (double)steps, error);
        if (status == CAROM_OK)
            status = carom_stepper_step(run, error);
        if (status != CAROM_OK)
            return status;
        for (int k = 0; k < impacts->count; k++) {
            *when = struck(run, impacts->contact[k], h);
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
static void take_guess(const carom_periodic_model *periodic, const carom_state *state, double when,
                       carom_shot *shot)
{
    for (int i = 0; i < periodic->model->dof; i++) {
        shot->v[i] = state->v[i];
        shot->q[i] = state->q[i] - (state->t - when) * state->v[i];
    }
    shot->t0 = when;
}

/* Of a motion without impacts: the state after some whole periods, from which it starts. */
static carom_status guess_smooth(const carom_periodic_model *periodic, const carom_find_request *request,
                                 double settle, carom_shot *shot, carom_error *error)
{
    const size_t bytes = (size_t)periodic->model->dof * sizeof(double);
    carom_stepper *run = NULL;
    carom_status status =
        event_run_begin(periodic, periodic->t0, request->period, periodic->q0, periodic->v0, &run, error);
    const double periods = ceil(settle);
    for (double i = 0.0; status == CAROM_OK && i < periods; i += 1.0) {
        status = find_goes_on(periodic, i, periods, error);
        if (status == CAROM_OK)
            status = carom_stepper_step(run, error);
    }
    if (status == CAROM_OK) {
        memcpy(shot->q, run->state.q, bytes);
        memcpy(shot->v, run->state.v, bytes);
        shot->t0 = periodic->t0;
        shot->flight[0] = request->period;
    }
    carom_stepper_free(run);
    return status;
}

carom_status find_guess_run(const carom_periodic_model *periodic, const carom_find_request *request,
                            double settle, carom_shot *shot, carom_error *error)
{
    const carom_impact_sequence *impacts = &request->impacts;
    if (impacts->count == 0)
        return guess_smooth(periodic, request, settle, shot, error);
    const double h = request->period / STEPS_PER_PERIOD;
    carom_stepper *run = NULL;
    double when = NAN, before = NAN;
    int contact = -1, place = 0;
    carom_status status = event_run_begin(periodic, periodic->t0, h, periodic->q0, periodic->v0, &run, error);
    if (!run)
        return status;
    const double settling = settle * STEPS_PER_PERIOD;
    for (double i = 0.0; status == CAROM_OK && i < settling; i += 1.0) {
        status = find_goes_on(periodic, i, settling, error);
        if (status == CAROM_OK)
            status = carom_stepper_step(run, error);
    }
    while (status == CAROM_OK && contact != impacts->contact[0])
        status = next_impact(periodic, run, impacts, h, &when, &contact, error);
    if (status == CAROM_OK)
        take_guess(periodic, &run->state, when, shot);
    /* The flights of the run, as long as it strikes in the order asked for. */
    for (; status == CAROM_OK && place < impacts->count && !request->flights; place++) {
        before = when;
        if (next_impact(periodic, run, impacts, h, &when, &contact, error) != CAROM_OK ||
            contact != impacts->contact[(place + 1) % impacts->count])
            break;
        if (!impacts->given)
            shot->flight[place] = when - before;
    }
    carom_stepper_free(run);
    return status;
}
