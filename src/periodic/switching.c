#include "switching.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/forcing.h"

enum {
    SAMPLES = 512, /* per period of the fastest sine */
    SAMPLES_MAX = 1 << 16,
    BISECTIONS = 200
};

/* Samples are at this share of their intervals: an instant at the beginning or the middle of the period is at none of them. */
static const double offset = 0.381966;

void switching_free(switching *self)
{
    free(self->instant);
    free(self->value[0]);
    free(self->value[1]);
    *self = (switching){0};
}

static bool append(switching *self, double instant)
{
    if (self->count == self->most) {
        const int most = 2 * self->most + 16;
        double *grown = realloc(self->instant, (size_t)most * sizeof *grown);
        if (!grown)
            return false;
        self->instant = grown;
        self->most = most;
    }
    self->instant[self->count++] = instant;
    return true;
}

/* The instant in (from, to) at which the function with this index changes its sign, to the last digit. */
static double bisect(switching *self, carom_model_work *work, int index, double from, double to, bool below)
{
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (from + to);
        if (middle <= from || middle >= to)
            break;
        work->model->ops->switches(work, middle, self->value[0]);
        if ((self->value[0][index] <= 0.0) == below)
            from = middle;
        else
            to = middle;
    }
    return to;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the instants and keeps one of those that are the same to rounding. */
static void sort(switching *self)
{
    int kept = 0;
    if (self->count > 0)
        qsort(self->instant, (size_t)self->count, sizeof *self->instant, compare);
    for (int i = 0; i < self->count; i++)
        if (kept == 0 ||
            self->instant[i] > self->instant[kept - 1] + switching_margin(self, self->instant[i]))
            self->instant[kept++] = self->instant[i];
    self->count = kept;
}

static int sample_count(carom_model_work *work, double period)
{
    carom_forcing forcing = {0};
    const double turns = carom_model_forcing(work, &forcing, NULL) == CAROM_OK && isfinite(forcing.fastest)
                             ? ceil(forcing.fastest * period / (2.0 * CAROM_PI))
                             : 1.0;
    return (int)fmin(SAMPLES_MAX, SAMPLES * fmax(1.0, turns));
}

bool switching_find(switching *self, carom_model_work *work, double period)
{
    const carom_model *model = work->model;
    const int functions = model->ops->switches ? model->switches : 0;
    self->count = 0;
    self->period = functions > 0 && period > 0.0 ? period : 0.0;
    if (!model->ops->switches || !(self->period > 0.0))
        return true;
    for (int k = 0; k < 2; k++)
        if (!self->value[k] && !(self->value[k] = carom_new_array((size_t)functions, sizeof(double))))
            return false;
    const int samples = sample_count(work, period);
    const double h = period / samples;
    double *before = carom_new_array((size_t)functions, sizeof *before);
    bool good = before != NULL;
    if (good)
        model->ops->switches(work, offset * h, before);
    for (int i = 0; i < samples && good; i++) {
        const double from = h * (i + offset), to = h * (i + 1 + offset);
        model->ops->switches(work, to, self->value[1]);
        for (int k = 0; k < functions && good; k++) {
            const bool below = before[k] <= 0.0;
            if (below == (self->value[1][k] <= 0.0) || isnan(before[k]) || isnan(self->value[1][k]))
                continue;
            const double at = bisect(self, work, k, from, to, below);
            good = append(self, at < period ? at : at - period);
        }
        memcpy(before, self->value[1], (size_t)functions * sizeof *before);
    }
    free(before);
    sort(self);
    return good;
}

double switching_margin(const switching *self, double t)
{
    return 8.0 * DBL_EPSILON * (fabs(t) + self->period);
}

double switching_next(const switching *self, double t)
{
    const double after = t + switching_margin(self, t), turn = floor(t / self->period);
    if (self->count == 0)
        return INFINITY;
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < self->count; i++) {
            const double instant = (turn + round) * self->period + self->instant[i];
            if (instant > after)
                return instant;
        }
    return INFINITY;
}
