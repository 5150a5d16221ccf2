/* Windows of the period in which motions with one impact per period are admissible. */
#include <math.h>

#include "impulse_motion.h"

enum {
    BISECTIONS = 60
};

/* Periods closer than this share are one. */
static const double sharpness = 1e-12;
/* The energy at a bisected end grows beyond this multiple of the smallest grazing energy at a pole only. */
static const double infinite_energy = 1e8;

static carom_status is_admissible(const carom_mode_basis *basis, double period, bool *admissible,
                                  carom_error *error)
{
    carom_mode *mode = NULL;
    const carom_status status = carom_mode_one_impact(basis, period, &mode, error);
    *admissible = mode && mode->verdict == CAROM_MODE_ADMISSIBLE;
    carom_mode_free(mode);
    return status;
}

/* A linear mode whose period divides T nearly. */
static int near_linear(const carom_mode_basis *basis, double period)
{
    for (int j = 0; j < basis->size; j++) {
        const double half_angle = 0.5 * basis->frequency[j] * period;
        if (modes_seen(basis, j) && fabs(sin(half_angle)) < 1e-8 * (1.0 + half_angle))
            return j;
    }
    return -1;
}

static carom_status classify(const carom_mode_basis *basis, double inside, int side,
                             carom_mode_window *window, carom_error *error)
{
    carom_mode *mode = NULL;
    const int j = near_linear(basis, inside);
    double smallest = INFINITY;
    for (int i = 0; i < basis->size; i++)
        smallest = fmin(smallest, carom_mode_grazing_energy(basis, i));
    window->period[side] = inside;
    window->touch_time[side] = NAN;
    const carom_status status = carom_mode_one_impact(basis, inside, &mode, error);
    if (status != CAROM_OK)
        return status;
    window->energy[side] = mode->energy;
    if (j >= 0) {
        window->end[side] = CAROM_END_LINEAR_MODE;
        window->energy[side] = carom_mode_grazing_energy(basis, j);
    } else if (mode->energy > infinite_energy * smallest) {
        window->end[side] = CAROM_END_ENERGY;
        window->energy[side] = INFINITY;
    } else {
        window->end[side] = CAROM_END_JUNCTION;
        window->touch_time[side] = mode->gap_time;
    }
    carom_mode_free(mode);
    return CAROM_OK;
}

static carom_status find_end(const carom_mode_basis *basis, double inside, double outside, int side,
                             carom_mode_window *window, carom_error *error)
{
    for (int i = 0; i < BISECTIONS && fabs(outside - inside) > sharpness * inside; i++) {
        const double middle = 0.5 * (inside + outside);
        bool admissible = false;
        const carom_status status = is_admissible(basis, middle, &admissible, error);
        if (status != CAROM_OK)
            return status;
        *(admissible ? &inside : &outside) = middle;
    }
    return classify(basis, inside, side, window, error);
}

static void set_range_end(const carom_mode_basis *basis, double period, int side, carom_mode_window *window)
{
    carom_mode *mode = NULL;
    window->period[side] = period;
    window->end[side] = CAROM_END_OF_RANGE;
    window->touch_time[side] = NAN;
    window->energy[side] = NAN;
    if (carom_mode_one_impact(basis, period, &mode, NULL) == CAROM_OK)
        window->energy[side] = mode->energy;
    carom_mode_free(mode);
}

carom_status carom_mode_scan(const carom_mode_basis *basis, double from, double to, double step, int most,
                             carom_progress progress, carom_mode_window *window, int *found,
                             carom_error *error)
{
    *found = 0;
    if (!(from > 0.0) || !(to > from) || !(step > 0.0) || !(to - from < 1e8 * step))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "a scan goes from a positive period to a larger one in positive steps (got %g to %g "
            "by %g)",
            from, to, step);
    const long steps = (long)ceil((to - from) / step);
    bool before = false;
    carom_status status = is_admissible(basis, from, &before, error);
    if (before && most > 0)
        set_range_end(basis, from, 0, &window[0]);
    double last = from;
    for (long i = 1; i <= steps && status == CAROM_OK && *found < most; i++) {
        const double period = i < steps ? from + step * (double)i : to;
        bool now = false;
        status = is_admissible(basis, period, &now, error);
        if (status == CAROM_OK && now != before)
            status = find_end(basis, now ? period : last, now ? last : period, now ? 0 : 1, &window[*found],
                              error);
        if (before && !now)
            ++*found;
        before = now;
        last = period;
        if (status == CAROM_OK && progress.report &&
            !progress.report(progress.context, (double)i, (double)steps))
            return carom_fail(error, CAROM_INTERRUPTED, "interrupted at period %.6g of %.6g to %.6g", period,
                              from, to);
    }
    if (status == CAROM_OK && before && *found < most)
        set_range_end(basis, to, 1, &window[(*found)++]);
    return status;
}
