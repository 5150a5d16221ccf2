#include "difference.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

enum {
    SHORTENINGS_MAX = 24
};

/* First step, as a share of the scale. */
static const double longest = 0.03125;
/* Orders 4 and 6 with the same step agree to this share. The error of order 6 is smaller by (s w)^2. */
static const double agreement = 1e-9;
/* Estimates with two steps agree to this share: differences of a periodic function vanish where the step is a multiple of half
 * a period, and noise makes orders agree by chance. */
static const double same = 1e-7;
/* Ratio of two steps. It is irrational, so that no two steps are multiples of half a period. */
static const double shorter = 0.23606797749978969;

/* Weights of the differences over s, 2 s and 3 s, for the first and the second derivative. */
typedef struct formula {
    double order4[3], order6[3], divisor;
} formula;

static const formula formulas[2] = {
    {{40.0, -5.0, 0.0}, {45.0, -9.0, 1.0}, 60.0},
    {{240.0, -15.0, 0.0}, {270.0, -27.0, 2.0}, 180.0},
};

/* What a derivative has, of values of this size and a step of this length. */
static double per_step(const difference *self, double size, double s)
{
    return self->second ? size / (s * s) : size / s;
}

/* Order 6 with step s. Returns its difference from order 4, as a share of what is allowed; *relative: of the derivative, which
 * counts as at least the size of the values over the scale. */
static double estimate(const difference *self, double s, double *derivative, double *relative)
{
    double *after = self->scratch, *before = after + self->count, *order4 = before + self->count,
           *size = order4 + self->count, *middle = size + self->count, worst = 0.0;
    const formula *of = &formulas[self->second];
    const size_t bytes = (size_t)self->count * sizeof *derivative;
    memset(derivative, 0, bytes);
    memset(order4, 0, bytes);
    memset(size, 0, bytes);
    self->value(self->context, 0.0, middle);
    for (int k = 0; k < 3; k++) {
        self->value(self->context, (k + 1) * s, after);
        self->value(self->context, -(k + 1) * s, before);
        for (int i = 0; i < self->count; i++) {
            const double change =
                self->second ? after[i] - middle[i] + (before[i] - middle[i]) : after[i] - before[i];
            derivative[i] += of->order6[k] * per_step(self, change, s) / of->divisor;
            order4[i] += of->order4[k] * per_step(self, change, s) / of->divisor;
            size[i] = fmax(size[i], fmax(fabs(after[i]), fabs(before[i])));
        }
    }
    *relative = 0.0;
    for (int i = 0; i < self->count; i++) {
        const double apart = fabs(derivative[i] - order4[i]);
        if (!isfinite(apart))
            return *relative = INFINITY;
        if (!(apart > 0.0))
            continue;
        worst = fmax(worst, apart / (agreement * fabs(derivative[i]) +
                                     64.0 * DBL_EPSILON * per_step(self, size[i], s)));
        *relative = fmax(*relative, apart / fmax(fabs(derivative[i]), per_step(self, size[i], self->scale)));
    }
    return worst;
}

static bool are_same(const difference *self, const double *one, const double *other)
{
    const double *size = self->scratch + 3 * (ptrdiff_t)self->count;
    for (int i = 0; i < self->count; i++)
        if (!(fabs(one[i] - other[i]) <= same * fmax(fabs(one[i]), per_step(self, size[i], self->scale))))
            return false;
    return true;
}

bool difference_find(const difference *self, double *derivative)
{
    const size_t bytes = (size_t)self->count * sizeof *derivative;
    double *now = self->scratch + 5 * (ptrdiff_t)self->count, *last = now + self->count;
    double least = INFINITY, s = longest * self->scale, relative = 0.0;
    bool agrees = estimate(self, s, last, &relative) <= 1.0;
    memcpy(derivative, last, bytes);
    for (int i = 0; i < SHORTENINGS_MAX; i++) {
        s *= shorter;
        const bool next = estimate(self, s, now, &relative) <= 1.0;
        if (agrees && next && are_same(self, last, now)) {
            memcpy(derivative, last, bytes);
            return true;
        }
        if (relative < least) {
            least = relative;
            memcpy(derivative, now, bytes);
        }
        memcpy(last, now, bytes);
        agrees = next;
    }
    return false;
}
