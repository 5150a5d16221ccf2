/* The period of a motion of a driven model: a whole multiple of that of what drives it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/model/forcing.h"
#include "carom/model/scales.h"
#include "find.h"

/* A period that is written with some digits is meant as the multiple next to it. */
static const double written = 1e-4;

/* Adds to *change and *size how far `count` numbers are from those later, and how large they are. */
static void compare(size_t count, const double *now, const double *then, double *change, double *size)
{
    for (size_t k = 0; k < count; k++)
        if (isfinite(now[k]) && isfinite(then[k])) {
            *change = fmax(*change, fabs(then[k] - now[k]));
            *size = fmax(*size, fmax(fabs(now[k]), fabs(then[k])));
        }
}

/* How far forces and gaps are from themselves after `period`, relative to their sizes, at some states and times. */
static carom_status find_change(const carom_periodic_model *periodic, double period, double *change,
                                carom_error *error)
{
    const carom_model *model = periodic->model;
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts, all = n + contacts;
    double *room = carom_new_array(2 * all + 2 * n, sizeof *room);
    if (!room)
        return carom_fail_memory(error);
    double *now = room, *then = room + all, *q = room + 2 * all, *v = q + n;
    double changes[2] = {0.0, 0.0}, size[2] = {0.0, 0.0}; /* of forces, of gaps */
    carom_scales scales;
    const carom_status status =
        carom_model_scales(periodic->work, periodic->t0, periodic->q0, periodic->v0, period, &scales, error);
    if (status != CAROM_OK) {
        free(room);
        return status;
    }
    carom_random random = {.state = 20};
    *change = 0.0;
    for (int i = 0; i < 12; i++) {
        const double t = periodic->t0 + period * (i + carom_random_uniform(&random, 0.0, 1.0));
        for (size_t k = 0; k < n; k++) {
            q[k] = periodic->q0[k] + scales.length * carom_random_uniform(&random, -0.1, 0.1);
            v[k] = periodic->v0[k] + carom_scales_speed(&scales) * carom_random_uniform(&random, -0.1, 0.1);
        }
        model->ops->force(periodic->work, t, q, v, now);
        model->ops->gaps(periodic->work, t, q, now + n);
        model->ops->force(periodic->work, t + period, q, v, then);
        model->ops->gaps(periodic->work, t + period, q, then + n);
        compare(n, now, then, &changes[0], &size[0]);
        compare(contacts, now + n, then + n, &changes[1], &size[1]);
    }
    free(room);
    for (int i = 0; i < 2; i++)
        *change = fmax(*change, size[i] > 0.0 ? changes[i] / size[i] : 0.0);
    return CAROM_OK;
}

/* A period that was given, for a model whose forces cannot be read, or are not read as a multiple. */
static carom_status check_by_values(const carom_periodic_model *periodic, double period, double forcing,
                                    carom_error *error)
{
    double change = 0.0;
    const carom_status status = find_change(periodic, period, &change, error);
    if (status != CAROM_OK || change <= 1e-9)
        return status;
    if (!(forcing > 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "period: forces and gaps at t and at t + %.10g differ, by %.2g of their size: nothing "
            "repeats itself after this time",
            period, change);
    const double multiple = floor(period / forcing);
    char below[40] = "";
    if (multiple >= 1.0)
        snprintf(below, sizeof below, "%.10g or ", multiple * forcing);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "period: %.10g is no multiple of the period %.10g of what drives the model: take %s%.10g, "
        "leave it out, or give periods, the number of them",
        period, forcing, below, (multiple + 1.0) * forcing);
}

static carom_status settle_driven(const carom_periodic_model *periodic, const carom_find_request *request,
                                  double *period, int *multiple, carom_error *error)
{
    carom_forcing found;
    const carom_status status = carom_model_forcing(periodic->work, &found, error);
    if (status != CAROM_OK)
        return status;
    const double forcing = found.period;
    const int periods = request->periods > 0 ? request->periods : 1;
    if (found.other > 0.0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "period: what drives %s has several frequencies without a common period: no motion of "
            "it is periodic",
            periodic->name);
    if (!(forcing > 0.0) && !(request->period > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "period: %s depends on time in a way whose period cannot be read (it is read from "
                          "sines and cosines of the time): give it",
                          periodic->name);
    if (!(forcing > 0.0)) {
        *period = request->period;
        *multiple = periods;
        return check_by_values(periodic, *period, NAN, error);
    }
    *multiple = request->period > 0.0 ? (int)fmin(round(request->period / forcing), 1e6) : periods;
    *period = *multiple * forcing;
    if (request->period > 0.0 && (*multiple < 1 || fabs(request->period - *period) > written * forcing)) {
        *period = request->period;
        *multiple = 0;
        return check_by_values(periodic, *period, forcing, error);
    }
    if (request->period > 0.0 && request->periods > 0 && request->periods != *multiple)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "periods: %d, but the period %.10g is %d of what drives the model: give one of them",
            request->periods, request->period, *multiple);
    return CAROM_OK;
}

carom_status carom_find_period(const carom_periodic_model *periodic, const carom_find_request *request,
                               double *period, int *multiple, carom_error *error)
{
    *period = request->period;
    *multiple = 0;
    if (request->periods < 0 || !(request->period >= 0.0) || !isfinite(request->period))
        return carom_fail(error, CAROM_BAD_INPUT, "a period above 0 is needed; got %g", request->period);
    if (periodic->timed)
        return settle_driven(periodic, request, period, multiple, error);
    if (request->periods > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "periods counts those of what drives a model; nothing in %s depends on time",
                          periodic->name);
    if (!(*period > 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "period says after which time the motion returns, such as 4.4: nothing in %s depends on time, so "
            "that nothing else tells it",
            periodic->name);
    return CAROM_OK;
}

carom_status find_period_stays(const carom_periodic_model *periodic, const carom_continue_request *request,
                               const carom_found_orbit *found, carom_error *error)
{
    double change = 0.0;
    const bool known = carom_model_driven_period(periodic->work) > 0.0;
    if (!periodic->timed || request->frequency || request->parameter < 0 || (known && found->multiple > 0))
        return CAROM_OK;
    double *value = &periodic->parameter[request->parameter];
    const double kept = *value;
    *value = request->to;
    periodic->model->ops->bind(periodic->work, periodic->parameter);
    const carom_status status = find_change(periodic, found->period, &change, error);
    *value = kept;
    periodic->model->ops->bind(periodic->work, periodic->parameter);
    if (status != CAROM_OK || change <= 1e-9)
        return status;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "period: %.10g is one of the forces at the start, and no longer where '%s' is %g: give the parameter "
        "with their circular frequency (--frequency NAME)%s",
        found->period, periodic->model->parameter[request->parameter].name, request->to,
        known ? ", or a whole number of their periods (periods)" : "");
}
