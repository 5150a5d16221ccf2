#include "zeno.h"

#include <math.h>
#include <string.h>

/* Ratios may differ by this share of 1 - ratio: what the last intervals are off by, in units of the time that
 * remains. */
static const double ratio_spread = 0.05;

void impact_history_add(impact_history *history, double t)
{
    if (history->count == IMPACTS_REMEMBERED) {
        memmove(history->time, history->time + 1, (IMPACTS_REMEMBERED - 1) * sizeof history->time[0]);
        history->count--;
    }
    history->time[history->count++] = t;
}

bool impact_history_accumulates(const impact_history *history, double *ratio, double *remaining)
{
    if (history->count < IMPACTS_REMEMBERED)
        return false;
    double smallest = INFINITY, largest = 0.0, first = 0.0, last = 0.0;
    for (int i = 1; i < IMPACTS_REMEMBERED; i++) {
        const double interval = history->time[i] - history->time[i - 1];
        if (!(interval > 0.0))
            return false;
        if (i > 1) {
            smallest = fmin(smallest, interval / last);
            largest = fmax(largest, interval / last);
        } else {
            first = interval;
        }
        last = interval;
    }
    const double mean = pow(last / first, 1.0 / (IMPACTS_REMEMBERED - 2));
    if (!(largest < 1.0) || largest - smallest > ratio_spread * (1.0 - mean))
        return false;
    *ratio = mean;
    *remaining = last * mean / (1.0 - mean);
    return true;
}
