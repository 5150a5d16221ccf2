/* Central differences of functions of one number, with a step that they find themselves: without a unit, and without memory of
 * their own.
 *
 * A step is good where the differences with it and with about a quarter of it agree. The search begins with a step that is rather too
 * large, where rounding counts least, goes to smaller steps, and then to larger ones, as where rounding of a sum hides what a
 * tiny number changes. Values depend on their arguments only, so
 * that a motion that is taken up again has the same bits. */
#ifndef CAROM_MODEL_FUNCTIONS_DIFFERENCES_H
#define CAROM_MODEL_FUNCTIONS_DIFFERENCES_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "carom/model.h"

/* The values where the number that is changed is `at`. */
typedef void (*difference_values)(void *context, double at, double *value);

/* Ratio of two steps. It is irrational: rounding to the same grid then does not make them agree. */
static const double difference_shorter = 0.23606797749978969;

typedef struct difference_memory {
    double *plus, *minus, *coarse, *best; /* room for all values */
    double terms; /* size of the terms that values are sums of, as far as it is known */
} difference_memory;

static inline bool difference_take(difference_memory *memory, carom_arena *arena, int room)
{
    double **array[] = {&memory->plus, &memory->minus, &memory->coarse, &memory->best};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        if (!(*array[i] = carom_arena_take(arena, (size_t)room, sizeof **array)))
            return false;
    return true;
}

/* The central difference with step s. */
static inline void difference_with(const difference_memory *memory, difference_values values, void *context,
                                   double x, double s, int count, double *derivative)
{
    const double up = x + s, down = x - s; /* their difference is exact */
    values(context, up, memory->plus);
    values(context, down, memory->minus);
    for (int i = 0; i < count; i++)
        derivative[i] = (memory->plus[i] - memory->minus[i]) / (up - down);
}

/* How far both differences are apart, relative to what is allowed; the values of the finer one, whose step is s, are still there. */
static inline double difference_apart(const difference_memory *memory, const double *coarse,
                                      const double *fine, double s, int count)
{
    static const double agreement = 1e-9;
    double worst = 0.0;
    for (int i = 0; i < count; i++) {
        const double size = fmax(memory->terms, fmax(fabs(memory->plus[i]), fabs(memory->minus[i]))),
                     apart = fabs(fine[i] - coarse[i]);
        if (!isfinite(apart))
            return INFINITY;
        if (apart > 0.0)
            worst = fmax(worst, apart / (agreement * fabs(fine[i]) + 8.0 * DBL_EPSILON * size / s));
    }
    return worst;
}

/* Whether rounding of the last values, of step s, is more than a small share of a derivative that is not zero. */
static inline bool difference_is_noisy(const difference_memory *memory, const double *derivative, double s,
                                       int count)
{
    static const double small = 1e-8;
    for (int i = 0; i < count; i++) {
        const double size = fmax(memory->terms, fmax(fabs(memory->plus[i]), fabs(memory->minus[i])));
        if (derivative[i] != 0.0 && DBL_EPSILON * size > small * s * fabs(derivative[i]))
            return true;
    }
    return false;
}

/* Whether a derivative is zero that was not with a larger step. */
static inline bool difference_vanishes(const double *before, const double *derivative, int count)
{
    for (int i = 0; i < count; i++)
        if (before[i] != 0.0 && derivative[i] == 0.0)
            return true;
    return false;
}

/* From a good step s to larger ones, as long as they are good and rounding counts: x may be much smaller than what it is added to. */
static inline void difference_climb(const difference_memory *memory, difference_values values, void *context,
                                    double x, double s, int count, double *derivative)
{
    enum {
        CLIMBS = 16
    };
    for (int i = 0; i < CLIMBS && difference_is_noisy(memory, derivative, s, count);
         i++, s /= difference_shorter) {
        difference_with(memory, values, context, x, s / difference_shorter, count, memory->coarse);
        if (!(difference_apart(memory, memory->coarse, derivative, s, count) <= 1.0))
            return;
        memcpy(derivative, memory->coarse, (size_t)count * sizeof *derivative);
    }
}

/* Derivatives at x, whose size is about `scale`; 0: nothing is known of it. */
static inline void difference_find(const difference_memory *memory, difference_values values, void *context,
                                   double x, double scale, int count, double *derivative)
{
    enum {
        SMALLER = 20,
        SMALLER_FROM_NOTHING = 40,
        LARGER = 14
    };
    const bool known = scale > 0.0;
    /* eps^(1/3) balances the error s^2 of a difference against the rounding eps / s; a linear function has no error */
    const double first = cbrt(DBL_EPSILON) * (known ? 0x1p10 * scale : 0x1p20);
    const int levels = known ? SMALLER : SMALLER_FROM_NOTHING;
    double least = INFINITY;
    for (int direction = 0; direction < (known ? 2 : 1); direction++) {
        double s = direction == 0 ? first / difference_shorter : first;
        difference_with(memory, values, context, x, s, count, memory->coarse);
        for (int i = 0; i < (direction == 0 ? levels : LARGER); i++) {
            const double next = direction == 0 ? s * difference_shorter : s / difference_shorter;
            difference_with(memory, values, context, x, next, count, derivative);
            const double apart = difference_apart(memory, memory->coarse, derivative, fmin(s, next), count);
            const bool vanishes =
                direction == 0 && i > 0 && difference_vanishes(memory->best, derivative, count);
            if (apart <= 1.0 && direction == 0 && i == 0)
                difference_climb(memory, values, context, x, next, count, derivative);
            if (apart <= 1.0 && !vanishes)
                return;
            if (vanishes && apart <= 1.0) { /* rounding, if larger steps agree; else zero nearby */
                memcpy(memory->best, derivative, (size_t)count * sizeof *derivative);
                least = 0.0;
                break;
            }
            if (apart < least || (i == 0 && direction == 0)) {
                least = apart;
                memcpy(memory->best, derivative, (size_t)count * sizeof *derivative);
            }
            memcpy(memory->coarse, derivative, (size_t)count * sizeof *derivative);
            s = next;
        }
    }
    memcpy(derivative, memory->best, (size_t)count * sizeof *derivative);
}

#endif
