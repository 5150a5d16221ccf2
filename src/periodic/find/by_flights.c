/* Periodic motions of linear models with k impacts of one contact: closed form, or searched flights. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

enum {
    MOTIONS_MAX = 64,
    SIDES = 24, /* first guesses of symmetric motions */
    GRID = 12   /* guesses of flights are parts of the period */
};

typedef struct motion_list {
    int count;
    carom_mode *mode[MOTIONS_MAX];
} motion_list;

/* The same motion, perhaps begun with another of its impacts. */
static bool is_same(const carom_mode *a, const carom_mode *b)
{
    double best = INFINITY;
    for (int shift = 0; shift < a->impacts; shift++) {
        double worst = fabs(a->energy - b->energy) / fmax(fabs(a->energy), fabs(b->energy));
        for (int i = 0; i < a->impacts; i++)
            worst = fmax(worst, fabs(a->flight[i] - b->flight[(i + shift) % a->impacts]) / a->period);
        best = fmin(best, worst);
    }
    return best < 1e-7;
}

/* Keeps what is new and has impacts at different times. */
static void keep(motion_list *list, carom_mode *mode)
{
    bool is_new = mode && list->count < MOTIONS_MAX && isfinite(mode->energy) &&
                  mode->verdict != CAROM_MODE_REPEATED && mode->verdict != CAROM_MODE_LIMIT;
    for (int i = 0; is_new && i < mode->impacts; i++)
        is_new = mode->flight[i] > 1e-6 * mode->period;
    for (int i = 0; is_new && i < list->count; i++)
        is_new = !is_same(mode, list->mode[i]);
    if (is_new)
        list->mode[list->count++] = mode;
    else
        carom_mode_free(mode);
}

/* Three impacts: symmetric ones from a row of guesses, then any from a triangle of them. */
static carom_status search_three(const carom_mode_basis *basis, double period, motion_list *list,
                                 carom_error *error)
{
    carom_error none;
    carom_status status = CAROM_OK;
    for (int i = 1; i < SIDES && status != CAROM_NO_MEMORY; i++) {
        const double side = 0.5 * period * i / SIDES;
        carom_mode *mode = NULL;
        status = carom_mode_symmetric(basis, period, 1, &side, &mode, &none);
        keep(list, status == CAROM_OK ? mode : NULL);
    }
    for (int i = 1; i < GRID && status != CAROM_NO_MEMORY; i++)
        for (int k = 1; i + k < GRID && status != CAROM_NO_MEMORY; k++) {
            const double flight[3] = {period * i / GRID, period * k / GRID, period * (GRID - i - k) / GRID};
            carom_mode *mode = NULL;
            if (i > k || i > GRID - i - k) /* the same again, begun with another impact */
                continue;
            status = carom_mode_impacts(basis, period, 3, flight, &mode, &none);
            keep(list, status == CAROM_OK ? mode : NULL);
        }
    return status == CAROM_NO_MEMORY ? carom_fail_memory(error) : CAROM_OK;
}

static carom_status search(const carom_mode_basis *basis, const carom_find_request *request,
                           motion_list *list, carom_error *error)
{
    const int impacts = request->impacts.count;
    double *flight = carom_new_array((size_t)impacts, sizeof *flight);
    carom_mode *mode = NULL;
    carom_status status = CAROM_OK;
    if (!flight)
        return carom_fail_memory(error);
    for (int i = 0; i < impacts; i++) {
        const double next = i + 1 < impacts ? request->impacts.phase[i + 1] : 1.0;
        flight[i] =
            request->flights ? request->flight[i] : (next - request->impacts.phase[i]) * request->period;
    }
    if (impacts > 1 && (request->flights || request->impacts.given)) {
        status = carom_mode_impacts(basis, request->period, impacts, flight, &mode, error);
        if (status == CAROM_OK)
            list->mode[list->count++] = mode;
    } else if (impacts == 1) {
        status = carom_mode_one_impact(basis, request->period, &mode, error);
        if (status == CAROM_OK)
            list->mode[list->count++] = mode;
    } else if (impacts == 2) {
        status = carom_mode_two_impacts(basis, request->period, MOTIONS_MAX, list->mode, &list->count, error);
    } else if (impacts == 3) {
        status = search_three(basis, request->period, list, error);
    } else {
        status =
            carom_fail(error, CAROM_BAD_INPUT,
                       "%d impacts: guess the times between them by --flights, a number for each; only up to "
                       "3 are searched for without",
                       impacts);
    }
    free(flight);
    return status;
}

/* The one asked for, or the first that is a motion, or the first. */
static int choose(const motion_list *list, int pick)
{
    if (pick > 0)
        return pick <= list->count ? pick - 1 : -1;
    for (int i = 0; i < list->count; i++)
        if (list->mode[i]->verdict == CAROM_MODE_ADMISSIBLE)
            return i;
    return list->count > 0 ? 0 : -1;
}

static void sample_flights(const carom_periodic_model *periodic, const carom_linearised *linear,
                           const carom_mode *mode, carom_found_orbit *found)
{
    const int n = periodic->model->dof, last = CAROM_FOUND_ROWS - 1;
    for (int i = 0; i < found->rows; i++) {
        double *row = found_row(periodic, found, i);
        const int flight = i / CAROM_FOUND_ROWS, place = i % CAROM_FOUND_ROWS;
        row[0] = mode->time[flight] + mode->flight[flight] * place / last;
        /* at its end the velocity before the impact */
        const double t = place == last ? row[0] - 1e-13 * mode->period : row[0];
        carom_mode_state(mode, t, row + 1, row + 1 + n);
        carom_axpy(n, 1.0, linear->rest, row + 1);
    }
    carom_mode_state(mode, 0.5 * mode->flight[0], found->middle, found->middle + n);
    carom_axpy(n, 1.0, linear->rest, found->middle);
}

static void describe_flights(const carom_mode *mode, const char *wall, carom_found_orbit *found)
{
    const size_t size = sizeof found->verdict;
    found->is_motion = mode->verdict == CAROM_MODE_ADMISSIBLE || mode->verdict == CAROM_MODE_REPEATED;
    found->found = isfinite(mode->energy) && mode->verdict != CAROM_MODE_LIMIT;
    if (mode->verdict == CAROM_MODE_ADMISSIBLE)
        carom_format(found->verdict, size, "a motion");
    else if (mode->verdict == CAROM_MODE_REPEATED)
        carom_format(found->verdict, size, "a motion, but %s", mode->text);
    else if (mode->verdict == CAROM_MODE_LIMIT)
        carom_format(
            found->verdict, size,
            "NOT a motion: T is resonant with mode %d, perturb T; in the limit '%s' is not struck: %s",
            mode->linear_mode + 1, wall, mode->text);
    else if (mode->verdict == CAROM_MODE_PENETRATE)
        carom_format(found->verdict, size, "NOT a motion: '%s' penetrates by %.6g at t = %.9g", wall,
                     -mode->gap, mode->gap_time);
    else
        carom_format(found->verdict, size, "NOT a motion, '%s': %s", wall, mode->text);
}

static carom_status fill_flights(const carom_periodic_model *periodic, const carom_linearised *linear,
                                 const carom_mode *mode, carom_found_orbit *found, carom_error *error)
{
    const int n = periodic->model->dof;
    describe_flights(mode, find_contact_name(periodic, found->contact[0]), found);
    if (!found->found)
        return CAROM_OK;
    memcpy(found->q, mode->q, (size_t)n * sizeof(double));
    memcpy(found->v, mode->v, (size_t)n * sizeof(double));
    carom_axpy(n, 1.0, linear->rest, found->q);
    for (int i = 0; i < mode->impacts; i++) {
        found->time[i] = mode->time[i];
        found->flight[i] = mode->flight[i];
        found->impulse[i] = mode->impulse[i];
        found->approach[i] =
            0.5 * mode->impulse[i] * mode->basis->inverse_mass[0]; /* half the jump of the gap rate */
    }
    found->energy = found_energy(periodic, found);
    found->margin = mode->gap;
    found->margin_time = mode->gap_time;
    found->margin_contact = found->contact[0];
    if (!found_take_rows(periodic, mode->impacts, found))
        return carom_fail_memory(error);
    sample_flights(periodic, linear, mode, found);
    carom_error none = {0};
    if (carom_mode_multipliers(mode, found->real, found->imaginary, &found->largest, &none) == CAROM_OK) {
        found->multipliers = 2 * n;
        found->stable = found->largest <= CAROM_STABLE_MULTIPLIER;
    }
    return CAROM_OK;
}

carom_status find_by_flights(const carom_periodic_model *periodic, const carom_linearised *linear,
                             const carom_find_request *request, carom_found_orbit *found, carom_error *error)
{
    const int contact = request->impacts.contact[0];
    const carom_mode_system system = find_mode_system(periodic, linear, contact);
    carom_mode_basis *basis = NULL;
    motion_list list = {0};
    carom_status status = carom_mode_basis_create(&system, &basis, error);
    if (status == CAROM_OK)
        status = search(basis, request, &list, error);
    const int chosen = choose(&list, request->pick);
    for (int i = 0; i < found->impacts; i++)
        found->contact[i] = contact;
    found->method = request->impacts.count == 1 ? "closed form" : "flights";
    found->period = request->period;
    found->solutions = list.count;
    if (status == CAROM_OK && chosen < 0 && list.count > 0)
        status =
            carom_fail(error, CAROM_BAD_INPUT, "--pick %d: there are %d motions", request->pick, list.count);
    else if (status == CAROM_OK && chosen < 0)
        carom_format(found->verdict, sizeof found->verdict,
                     "no motion with %d impacts of '%s' and period %.10g was found", request->impacts.count,
                     find_contact_name(periodic, contact), request->period);
    else if (status == CAROM_OK)
        status = fill_flights(periodic, linear, list.mode[chosen], found, error);
    for (int i = 0; i < list.count; i++)
        carom_mode_free(list.mode[i]);
    carom_mode_basis_free(basis);
    return status;
}
