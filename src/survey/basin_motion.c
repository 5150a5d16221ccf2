/* Where one motion ends up. After the periods that are given to it to settle,
 *
 *   z_0, z_1, ...     states once per forcing period, up to twice the longest period that is looked for
 *
 * tell its period p: the least with |z_p - z_0| and |z_2p - z_p| within the tolerance. Where there is none, the motion may still be on
 * its way: the distances |z_k+p - z_k| of some p shrink. */
#include <math.h>
#include <string.h>

#include "basin_motion.h"

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

static double *state_at(const basin_motion *self, int k)
{
    return self->state + (ptrdiff_t)k * self->width;
}

static void take(basin_motion *self)
{
    double *state = state_at(self, self->count);
    memcpy(state, self->returns->q, (size_t)self->positions * sizeof *state);
    memcpy(state + self->positions, self->returns->v, (size_t)self->dof * sizeof *state);
    self->impacts[self->count++] = (double)self->returns->impacts;
}

static double distance(const basin_motion *self, int a, int b)
{
    return carom_returns_distance(self->returns, self->positions, self->dof, state_at(self, a),
                                  state_at(self, b));
}

/* For some p the distances have shrunk from the first p states to the last. */
static bool is_on_its_way(const basin_motion *self, int longest)
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

static int sum_impacts(const basin_motion *self, int first, int end)
{
    double sum = 0.0;
    for (int k = first; k < end; k++)
        sum += self->impacts[k];
    return (int)sum;
}

/* The k-th state after those of the settling is there; false: the motion is known. */
static bool look_at_period(basin_motion *self, int k)
{
    carom_basin_cell *cell = self->cell;
    const int longest = self->longest;
    if (self->candidate == 0 && k <= longest && distance(self, 0, k) <= self->tolerance)
        self->candidate = k;
    if (self->candidate > 0 && k == 2 * self->candidate) {
        if (distance(self, self->candidate, k) <= self->tolerance) {
            cell->end = CAROM_BASIN_PERIODIC;
            cell->period = self->candidate;
            cell->impacts = sum_impacts(self, self->candidate + 1, k + 1);
            return false;
        }
        for (self->candidate++; self->candidate <= longest && self->candidate <= k; self->candidate++)
            if (distance(self, 0, self->candidate) <= self->tolerance) /* it only passed by before */
                break;
        if (self->candidate > k || self->candidate > longest)
            self->candidate = 0;
    }
    if (k < 2 * longest)
        return true;
    cell->end = is_on_its_way(self, longest) ? CAROM_BASIN_UNSETTLED : CAROM_BASIN_NOT_PERIODIC;
    cell->impacts = sum_impacts(self, longest + 1, 2 * longest + 1);
    return false;
}

void basin_motion_begin(basin_motion *self, carom_returns *returns, double *room, carom_basin_cell *cell)
{
    self->returns = returns;
    self->width = self->positions + self->dof;
    self->state = room;
    self->impacts = room + (ptrdiff_t)self->width * (2 * self->longest + 1);
    self->cell = cell;
    self->settled = self->count = self->candidate = 0;
    *cell = (carom_basin_cell){.end = CAROM_BASIN_PERIODIC, .attractor = -1};
    if (self->periods == 0)
        take(self);
}

bool basin_motion_take(basin_motion *self, carom_return end)
{
    if (end != CAROM_RETURNED) {
        self->cell->end = end == CAROM_RETURN_ESCAPED ? CAROM_BASIN_ESCAPED : CAROM_BASIN_FAILED;
        return false;
    }
    if (self->settled < self->periods) {
        self->settled++;
        if (self->settled == self->periods)
            take(self);
        return true;
    }
    take(self);
    return look_at_period(self, self->count - 1);
}

void basin_motion_end(const basin_motion *self, double *last)
{
    memcpy(last, self->returns->q, (size_t)self->positions * sizeof *last);
    memcpy(last + self->positions, self->returns->v, (size_t)self->dof * sizeof *last);
}

carom_status carom_basin_motion(carom_returns *returns, int positions, int dof, int periods, int longest,
                                double tolerance, double *room, carom_basin_cell *cell, double *last,
                                carom_error *error)
{
    basin_motion self = {
        .positions = positions, .dof = dof, .periods = periods, .longest = longest, .tolerance = tolerance};
    carom_return end = CAROM_RETURNED;
    carom_status status = CAROM_OK;
    basin_motion_begin(&self, returns, room, cell);
    do
        status = carom_returns_next(returns, &end, error);
    while (status == CAROM_OK && basin_motion_take(&self, end));
    if (status != CAROM_OK)
        cell->end = CAROM_BASIN_FAILED;
    basin_motion_end(&self, last);
    return status;
}
