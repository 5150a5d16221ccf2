#include "extrapolation.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double usual_tolerance = 1e-13;
/* A step this small, relative to the stretch and to the time, is taken whatever its error. */
static const double smallest_step = 1e-11;
/* Rates that differ by this share across a step that is this share of the stretch jump. */
static const double jump = 1e-4, jump_step = 1e-7;
/* How the next step is changed by the row that was good enough; few rows: it could have been longer. */
static const double growth[EXTRAPOLATION_ROWS] = {4.0, 4.0, 3.0, 2.0, 1.6, 1.3, 1.0, 0.8, 0.7, 0.6};

enum {
    STEPS_MAX = 1000000
};

bool extrapolation_take(extrapolation *self, carom_arena *arena)
{
    const size_t size = (size_t)self->size;
    double **vectors[] = {&self->start, &self->stage, &self->other, &self->change, &self->point};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = carom_arena_take(arena, size, sizeof(double))))
            return false;
    self->table = carom_arena_take(arena, carom_product(size, EXTRAPOLATION_ROWS), sizeof(double));
    return self->table != NULL;
}

static double *row_of(const extrapolation *self, int row)
{
    return self->table + (ptrdiff_t)row * self->size;
}

/* What n substeps add to y: as increments, whose rounding is that of the change alone. */
static bool midpoint(extrapolation *self, double t, double h, int n, const double *y, double *result)
{
    const int size = self->size;
    const double s = h / n;
    double *before = self->other, *now = self->change;
    memset(before, 0, (size_t)size * sizeof *before);
    for (int i = 0; i < size; i++)
        now[i] = s * self->start[i];
    for (int k = 1; k <= n; k++) {
        for (int i = 0; i < size; i++)
            self->point[i] = y[i] + now[i];
        if (!self->rate(self->context, t + (k == n ? h : k * s), self->point, self->stage))
            return false;
        if (k == n)
            break;
        for (int i = 0; i < size; i++) {
            const double next = before[i] + 2.0 * s * self->stage[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (int i = 0; i < size; i++)
        result[i] = 0.5 * (before[i] + now[i] + s * self->stage[i]);
    return true;
}

/* Row j of the table, in place: place k has T_jk, and before it had T_j-1,k. Leaves in `last` what the last place adds. */
static void extrapolate(extrapolation *self, int j)
{
    for (int i = 0; i < self->size; i++) {
        double value = row_of(self, EXTRAPOLATION_ROWS - 1)[i]; /* T_j0 */
        for (int k = 0; k <= j; k++) {
            double *place = row_of(self, k) + i;
            const double above = *place;
            *place = value;
            if (k == j)
                break;
            const double ratio = (double)(j + 1) / (double)(j - k);
            value += (value - above) / (ratio * ratio - 1.0);
        }
    }
}

/* How far the last two places of row j differ, in tolerances. */
static double error_of(const extrapolation *self, int j, const double *y)
{
    const double tolerance = self->tolerance > 0.0 ? self->tolerance : usual_tolerance;
    const double *best = row_of(self, j), *next = row_of(self, j - 1);
    double worst = 0.0;
    for (int first = 0, p = 0; first < self->size; p++) {
        double scale = self->floor ? self->floor[p] : 0.0, error = 0.0;
        for (int i = first; i < self->part[p]; i++) {
            scale = fmax(scale, fmax(fabs(y[i]), fabs(y[i] + best[i])));
            scale = fmax(scale, fabs(next[i]));
            error = fmax(error, fabs(best[i] - next[i]));
        }
        first = self->part[p];
        if (!isfinite(error))
            return INFINITY;
        if (error > 0.0)
            worst = fmax(worst, error / (tolerance * scale));
    }
    return worst;
}

/* Rows until one is good enough; its number, -1: none is, or a rate is missing. */
static int try_step(extrapolation *self, double t, double h, const double *y)
{
    double before = INFINITY;
    for (int j = 0; j < EXTRAPOLATION_ROWS - 1; j++) {
        if (!midpoint(self, t, h, 2 * (j + 1), y, row_of(self, EXTRAPOLATION_ROWS - 1)))
            return -1;
        extrapolate(self, j);
        if (j == 0)
            continue;
        const double error = error_of(self, j, y);
        if (error <= 1.0)
            return j;
        if (j >= 4 && error > 0.3 * before) /* it does not get better any more */
            return -1;
        before = error;
    }
    return -1;
}

/* Does the rate jump between the two ends of a small step? self->start is that at its beginning. */
static void look_for_jump(extrapolation *self, double t, const double *y)
{
    if (self->broken || !self->rate(self->context, t, y, self->stage))
        return;
    for (int first = 0, p = 0; p < self->watched; p++) {
        double scale = 0.0, change = 0.0;
        for (int i = first; i < self->part[p]; i++) {
            scale = fmax(scale, fmax(fabs(self->start[i]), fabs(self->stage[i])));
            change = fmax(change, fabs(self->stage[i] - self->start[i]));
        }
        first = self->part[p];
        if (change > jump * scale && !self->broken) {
            self->broken = true;
            self->broken_time = t;
        }
    }
}

bool extrapolation_go(extrapolation *self, double t, double t_end, double *y)
{
    const double whole = t_end - t;
    const double smallest =
        smallest_step * fmax(whole, 1e-2 * fmax(fabs(t), fabs(t_end))) + 4.0 * DBL_EPSILON * fabs(t_end);
    double h = self->h > 0.0 ? self->h : whole, least = smallest;
    for (int steps = 0; t < t_end && steps < STEPS_MAX; steps++) {
        const double left = t_end - t;
        const bool last = h >= 0.999 * left;
        double now = last ? left : h;
        if (!self->rate(self->context, t, y, self->start))
            return false;
        int row = try_step(self, t, now, y);
        const bool forced = row < 0 && now <= least;
        if (forced) {
            row = 1;
            bool found = midpoint(self, t, now, 2, y, row_of(self, EXTRAPOLATION_ROWS - 1));
            extrapolate(self, 0);
            found = found && midpoint(self, t, now, 4, y, row_of(self, EXTRAPOLATION_ROWS - 1));
            extrapolate(self, 1);
            if (!found)
                return false;
        }
        if (row < 0) {
            h = 0.35 * now;
            continue;
        }
        /* many forced steps in a row: rounding errors of the rate are above the tolerance */
        least = forced ? 2.0 * least : smallest;
        for (int i = 0; i < self->size; i++)
            y[i] += row_of(self, row)[i];
        t = last ? t_end : t + now;
        if (now <= jump_step * whole)
            look_for_jump(self, t, y);
        /* a last step that was cut short says little about the next one */
        const double grown = now * (forced ? 10.0 : growth[row]);
        h = last ? fmax(h, grown) : grown;
    }
    self->h = h;
    return t >= t_end;
}
