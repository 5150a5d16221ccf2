#include "slips.h"

#include <math.h>

enum {
    GROUP_MOST = 8,
    LOOKED_AT = 24 /* of the last onsets */
};

void drill_slips_start(drill_slips *slips, double from, carom_drill_slip *memory)
{
    *slips = (drill_slips){.from = from, .first_stick = NAN, .slip = memory};
}

static void keep(drill_slips *s, double end)
{
    if (s->count == CAROM_DRILL_SLIPS) { /* forget the older half */
        for (int i = 0; i < CAROM_DRILL_SLIPS / 2; i++)
            s->slip[i] = s->slip[i + CAROM_DRILL_SLIPS / 2];
        s->count = CAROM_DRILL_SLIPS / 2;
    }
    s->slip[s->count++] = (carom_drill_slip){s->onset, end - s->onset, s->peak / carom_rpm(1.0)};
}

/* A slip counts from the stick before it to the one after it. Sticking is speed 0, exactly. */
void drill_slips_take(drill_slips *s, double t, double speed)
{
    if (t <= s->from)
        return;
    if (speed == 0.0) {
        if (isnan(s->first_stick))
            s->first_stick = t;
        if (s->slipping)
            keep(s, t);
        s->slipping = false;
        s->started = true;
    } else if (s->started) {
        if (!s->slipping) {
            s->onset = t;
            s->peak = speed;
            s->slipping = true;
        }
        s->peak = speed > s->peak ? speed : s->peak;
    }
}

/* Mean of t_{i+m} - t_i over the last onsets, and how far one is from it. */
static double repeat(const drill_slips *s, int m, double *spread)
{
    const int first = s->count > LOOKED_AT ? s->count - LOOKED_AT : 0;
    double sum = 0.0;
    int pairs = 0;
    for (int i = first; i + m < s->count; i++, pairs++)
        sum += s->slip[i + m].start - s->slip[i].start;
    const double mean = sum / pairs;
    *spread = 0.0;
    for (int i = first; i + m < s->count; i++)
        *spread = fmax(*spread, fabs(s->slip[i + m].start - s->slip[i].start - mean));
    return mean;
}

double drill_slips_period(const drill_slips *slips, int *per_period)
{
    *per_period = 0;
    for (int m = 1; m <= GROUP_MOST && slips->count >= 2 * m + 1; m++) {
        double spread;
        const double mean = repeat(slips, m, &spread);
        if (spread <= 0.02 * mean) {
            *per_period = m;
            return mean;
        }
    }
    return NAN;
}
