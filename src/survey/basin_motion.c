/* Where one motion ends up. After the periods that are given to it to settle,
 *
 *   z_0, z_1, ...     states once per forcing period, up to twice the longest period that is looked for
 *
 * tell its period p: the least with |z_p - z_0| and |z_2p - z_p| within the tolerance. Where there is none, the motion may still be on
 * its way: the distances |z_k+p - z_k| of some p shrink. */
#include <math.h>
#include <string.h>

#include "carom/survey/basin.h"

/* Distances that shrink to this share over the window, and were below the second one, are those of a motion on its way. */
static const double shrunk = 0.5, near = 1e-2;

size_t carom_basin_room(int state, int longest)
{
    return carom_product((size_t)state, 2 * (size_t)longest + 1) + 2 * (size_t)longest + 1;
}

const char *carom_basin_end_word(carom_basin_end end)
{
    static const char *const word[CAROM_BASIN_ENDS] = {"periodic", "not-periodic", "unsettled",
                                                       "escaped",  "failed",       "outside"};
    return word[end];
}

typedef struct window {
    carom_returns *returns;
    int positions, dof, width;
    int count;
    double *state;   /* count x width */
    double *impacts; /* count: since the state before */
} window;

static double *state_at(const window *self, int k)
{
    return self->state + (ptrdiff_t)k * self->width;
}

static void take(window *self)
{
    double *state = state_at(self, self->count);
    memcpy(state, self->returns->q, (size_t)self->positions * sizeof *state);
    memcpy(state + self->positions, self->returns->v, (size_t)self->dof * sizeof *state);
    self->impacts[self->count++] = (double)self->returns->impacts;
}

static double distance(const window *self, int a, int b)
{
    return carom_returns_distance(self->width, state_at(self, a), state_at(self, b));
}

/* For some p the distances have shrunk from the first p states to the last. */
static bool is_on_its_way(const window *self, int longest)
{
    for (int p = 1; p <= longest && 2 * p < self->count; p++) {
        double first = 0.0, last = 0.0;
        for (int k = 0; k < p; k++) {
            first = fmax(first, distance(self, k, k + p));
            last = fmax(last, distance(self, self->count - 1 - k, self->count - 1 - k - p));
        }
        if (first < near && last < shrunk * first)
            return true;
    }
    return false;
}

static int sum_impacts(const window *self, int first, int end)
{
    double sum = 0.0;
    for (int k = first; k < end; k++)
        sum += self->impacts[k];
    return (int)sum;
}

/* Another period; false: the motion ended, and *cell says how. */
static bool next(window *self, carom_basin_cell *cell, carom_status *status, carom_error *error)
{
    carom_return end = CAROM_RETURNED;
    *status = carom_returns_next(self->returns, &end, error);
    if (*status == CAROM_OK && end == CAROM_RETURNED)
        return true;
    cell->end = end == CAROM_RETURN_ESCAPED ? CAROM_BASIN_ESCAPED : CAROM_BASIN_FAILED;
    return false;
}

/* Up to twice the longest period, or as far as the period asks for. */
static carom_status find_period(window *self, int longest, double tolerance, carom_basin_cell *cell,
                                carom_error *error)
{
    carom_status status = CAROM_OK;
    int candidate = 0;
    take(self);
    for (int k = 1; k <= 2 * longest; k++) {
        if (!next(self, cell, &status, error))
            return status;
        take(self);
        if (candidate == 0 && k <= longest && distance(self, 0, k) <= tolerance)
            candidate = k;
        if (candidate > 0 && k == 2 * candidate) {
            if (distance(self, candidate, k) <= tolerance) {
                cell->end = CAROM_BASIN_PERIODIC;
                cell->period = candidate;
                cell->impacts = sum_impacts(self, candidate + 1, k + 1);
                return CAROM_OK;
            }
            for (candidate++; candidate <= longest && candidate <= k; candidate++) /* it only passed by */
                if (distance(self, 0, candidate) <= tolerance)
                    break;
            if (candidate > k || candidate > longest)
                candidate = 0;
        }
    }
    cell->end = is_on_its_way(self, longest) ? CAROM_BASIN_UNSETTLED : CAROM_BASIN_NOT_PERIODIC;
    cell->impacts = sum_impacts(self, longest + 1, 2 * longest + 1);
    return CAROM_OK;
}

carom_status carom_basin_motion(carom_returns *returns, int positions, int dof, int periods, int longest,
                                double tolerance, double *room, carom_basin_cell *cell, double *last,
                                carom_error *error)
{
    const int width = positions + dof;
    window self = {.returns = returns,
                   .positions = positions,
                   .dof = dof,
                   .width = width,
                   .state = room,
                   .impacts = room + (ptrdiff_t)width * (2 * longest + 1)};
    carom_status status = CAROM_OK;
    *cell = (carom_basin_cell){.end = CAROM_BASIN_PERIODIC, .attractor = -1};
    bool goes_on = true;
    for (int i = 0; goes_on && i < periods; i++)
        goes_on = next(&self, cell, &status, error);
    if (goes_on)
        status = find_period(&self, longest, tolerance, cell, error);
    memcpy(last, returns->q, (size_t)positions * sizeof *last);
    memcpy(last + positions, returns->v, (size_t)dof * sizeof *last);
    return status;
}
