/* Periodic motions of linear models by their pattern: each contact struck at 0 or half the period. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

static void describe_pattern(const carom_periodic_model *periodic, const carom_linear_oscillator *oscillator,
                             const carom_orbit *orbit, carom_found_orbit *found)
{
    /* no contact is to blame for a resonance */
    const char *name = orbit->contact >= 0 ? find_contact_name(periodic, orbit->contact) : "";
    const size_t size = sizeof found->verdict;
    switch (orbit->word) {
    case CAROM_ORBIT_OK:
        carom_format(found->verdict, size, "a motion");
        break;
    case CAROM_ORBIT_GRAZE:
        carom_format(found->verdict, size, "NOT a motion: '%s' only grazes, velocity %.3g at t = %.9g", name,
                     orbit->margin, orbit->time);
        break;
    case CAROM_ORBIT_PULL:
        carom_format(found->verdict, size, "NOT a motion: '%s' would have to pull, velocity %.6g at t = %.9g",
                     name, orbit->margin, orbit->time);
        break;
    case CAROM_ORBIT_TOUCH:
    case CAROM_ORBIT_PENETRATE:
        carom_format(found->verdict, size, "NOT a motion: '%s' penetrates by %.6g at t = %.9g", name,
                     fmax(0.0, -orbit->margin), orbit->time);
        break;
    case CAROM_ORBIT_SINGULAR:
        carom_format(found->verdict, size,
                     "NOT a motion: T = %.10g is resonant with mode %d, whose period is %.10g; perturb T",
                     orbit->period, orbit->resonance + 1,
                     2.0 * acos(-1.0) / oscillator->frequency[orbit->resonance]);
        break;
    case CAROM_ORBIT_DIVERGE:
        carom_format(found->verdict, size,
                     "NOT a motion: the amplitude is %.3g times the largest gap, next to a pole; perturb T",
                     orbit->amplitude);
        break;
    }
}

static void sample_pattern(const carom_periodic_model *periodic, const carom_linearised *linear,
                           const carom_linear_oscillator *oscillator, const carom_orbit *orbit, int flights,
                           double *work, carom_found_orbit *found)
{
    const int n = periodic->model->dof, last = CAROM_FOUND_ROWS - 1;
    for (int i = 0; i < flights * CAROM_FOUND_ROWS; i++) {
        double *row = found_row(periodic, found, i);
        const int flight = i / CAROM_FOUND_ROWS, place = i % CAROM_FOUND_ROWS;
        row[0] = orbit->period / flights * (flight + (double)place / last);
        carom_orbit_state(orbit, oscillator, row[0], place == last, row + 1, row + 1 + n, work);
        carom_axpy(n, 1.0, linear->rest, row + 1);
    }
    carom_orbit_state(orbit, oscillator, 0.5 * orbit->period / flights, false, found->middle,
                      found->middle + n, work);
    carom_axpy(n, 1.0, linear->rest, found->middle);
}

static void copy_pattern(const carom_periodic_model *periodic, const carom_linearised *linear,
                         const carom_find_request *request, const carom_orbit *orbit,
                         carom_found_orbit *found)
{
    const int n = periodic->model->dof, count = request->impacts.count;
    memcpy(found->q, orbit->y0, (size_t)n * sizeof(double));
    memcpy(found->v, orbit->v0, (size_t)n * sizeof(double));
    carom_axpy(n, 1.0, linear->rest, found->q);
    for (int i = 0; i < count; i++) {
        const double next = i + 1 < count ? request->impacts.phase[i + 1] : 1.0;
        const int contact = request->impacts.contact[i];
        found->contact[i] = contact;
        found->time[i] = request->impacts.phase[i] * request->period;
        found->flight[i] = (next - request->impacts.phase[i]) * request->period;
        found->impulse[i] = orbit->impulse[contact];
        found->approach[i] = orbit->speed[contact];
    }
    found->energy = found_energy(periodic, found);
    if (orbit->word == CAROM_ORBIT_GRAZE || orbit->word == CAROM_ORBIT_PULL)
        return;
    found->margin = orbit->margin;
    found->margin_time = orbit->time;
    found->margin_contact = orbit->contact;
}

static carom_status multiply_pattern(const carom_linear_oscillator *oscillator, const carom_orbit *orbit,
                                     carom_found_orbit *found, carom_error *error)
{
    carom_floquet *floquet = NULL;
    const carom_floquet_options options = carom_floquet_defaults();
    carom_status status = carom_floquet_create(oscillator, &floquet, error);
    carom_error none = {0};
    if (status == CAROM_OK) {
        status = carom_floquet_compute(floquet, oscillator, orbit, &options, &none);
        if (status == CAROM_OK) {
            found->multipliers = floquet->count;
            memcpy(found->real, floquet->real, (size_t)floquet->count * sizeof(double));
            memcpy(found->imaginary, floquet->imaginary, (size_t)floquet->count * sizeof(double));
            found->largest = floquet->largest;
            found->stable = floquet->stable;
        }
        /* A candidate that is no motion may have none. */
        status = status == CAROM_BAD_INPUT ? CAROM_OK : status;
        if (status != CAROM_OK)
            carom_fail(error, status, "%s", none.text);
    }
    carom_floquet_free(floquet);
    return status;
}

static carom_status fill_pattern(const carom_periodic_model *periodic, const carom_linearised *linear,
                                 const carom_find_request *request, const carom_linear_oscillator *oscillator,
                                 const carom_orbit *orbit, carom_found_orbit *found, carom_error *error)
{
    const int flights = request->impacts.phase[request->impacts.count - 1] > 0.0 ? 2 : 1;
    double *work = carom_arena_take(found->arena, 2 * (size_t)periodic->model->dof, sizeof *work);
    describe_pattern(periodic, oscillator, orbit, found);
    found->is_motion = orbit->word == CAROM_ORBIT_OK;
    found->found = orbit->word != CAROM_ORBIT_SINGULAR;
    if (!found->found)
        return CAROM_OK;
    if (!work || !found_take_rows(periodic, flights, found))
        return carom_fail_memory(error);
    copy_pattern(periodic, linear, request, orbit, found);
    sample_pattern(periodic, linear, oscillator, orbit, flights, work, found);
    /* at a graze the flow has no derivative */
    return orbit->word == CAROM_ORBIT_GRAZE ? CAROM_OK : multiply_pattern(oscillator, orbit, found, error);
}

void find_fill_pattern(const carom_periodic_model *periodic, const carom_impact_sequence *impacts,
                       carom_phase *pattern)
{
    for (int i = 0; i < periodic->model->contacts; i++)
        pattern[i] = CAROM_PHASE_NEVER;
    for (int i = 0; i < impacts->count; i++)
        pattern[impacts->contact[i]] = impacts->phase[i] > 0.0 ? CAROM_PHASE_HALF : CAROM_PHASE_START;
}

carom_status find_by_pattern(const carom_periodic_model *periodic, const carom_linearised *linear,
                             const carom_find_request *request, carom_found_orbit *found, carom_error *error)
{
    const carom_model *model = periodic->model;
    const carom_linear_system system = linearised_system(periodic, linear);
    carom_linear_oscillator *oscillator = NULL;
    carom_orbit *orbit = NULL;
    const carom_orbit_options options = carom_orbit_defaults();
    carom_phase *pattern = carom_arena_take(found->arena, (size_t)model->contacts, sizeof *pattern);
    if (pattern)
        find_fill_pattern(periodic, &request->impacts, pattern);
    carom_status status =
        pattern ? carom_linear_oscillator_create(&system, &oscillator, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_orbit_create(oscillator, &orbit, error);
    if (status == CAROM_OK)
        status = carom_orbit_solve(orbit, oscillator, request->period, pattern, &options, error);
    found->method = "pattern";
    found->period = request->period;
    found->solutions = 1;
    if (status == CAROM_OK && oscillator && orbit)
        status = fill_pattern(periodic, linear, request, oscillator, orbit, found, error);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(oscillator);
    return status;
}
