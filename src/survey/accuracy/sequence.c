/* The limit of a sequence m(h) for h -> 0. Errors of schemes are of two kinds:
 *
 *   smooth     e(h) = C h^p: quotients of differences show p, and e(h_n) = C h_n^p follows (Richardson);
 *   scattered  e(h) = c(h) h^p, |c| <= C: impacts lie anywhere between two outputs, so c changes with each h as if by chance.
 *
 * Of the second kind a difference may be small by luck. The bound is the largest C that any two of the last values give, with a
 * power of h that the decay of all differences supports. */
#include <math.h>
#include <stdlib.h>

#include "carom/survey/accuracy.h"

enum {
    WINDOW = 5,     /* values that count: those before are too far from the limit */
    SEEN_PAIRS = 3, /* neighbouring differences that must agree */
    ORDERS_MOST = 4
};
/* Constants C of neighbouring differences agree up to this factor where the order is seen. */
static const double agreement = 1.25;
/* What the constant may be off by. */
static const double seen_safety = 1.5, scattered_safety = 1.25;
/* Differences that decay more slowly than h to this power do not converge. */
static const double slowest = 0.2;

/* C of m_i - m_j = C (h_i^p - h_j^p), h in units of the last step, so that C is the error of the last value. */
static double constant_of(const double *h, const double *value, double last, int i, int j, double p)
{
    return (value[i] - value[j]) / (pow(h[i] / last, p) - pow(h[j] / last, p));
}

/* Order 1, 2, 3 or 4 whose constants agree best. Returns false if none is seen. */
static bool see_order(int count, const double *h, const double *value, carom_sequence_limit *found)
{
    const double last = h[count - 1];
    double best = agreement;
    for (int p = 1; p <= ORDERS_MOST; p++) {
        double least = INFINITY, most = 0.0;
        int signs = 0;
        for (int i = count - 1 - SEEN_PAIRS; i < count - 1; i++) {
            const double constant = constant_of(h, value, last, i, i + 1, p);
            least = fmin(least, fabs(constant));
            most = fmax(most, fabs(constant));
            signs += constant > 0.0 ? 1 : -1;
        }
        if (abs(signs) == SEEN_PAIRS && most <= best * least) {
            best = most / least;
            found->order = p;
            found->error = seen_safety * most;
            found->seen = true;
        }
    }
    return found->seen;
}

/* Exponent of h with which differences decay, from the larger ones of the first and of the last half. */
static double decay(int count, const double *h, const double *value)
{
    const int differences = count - 1, half = differences / 2;
    double coarse = 0.0, fine = 0.0;
    for (int i = 0; i < half; i++)
        coarse = fmax(coarse, fabs(value[i] - value[i + 1]));
    for (int i = differences - half; i < differences; i++)
        fine = fmax(fine, fabs(value[i] - value[i + 1]));
    if (fine == 0.0)
        return INFINITY;
    return log(coarse / fine) / log(h[0] / h[differences - half]);
}

static void bound_scatter(int count, const double *h, const double *value, carom_sequence_limit *found)
{
    const double power = decay(count, h, value);
    if (!(power >= slowest)) {
        found->diverges = true;
        return;
    }
    found->order = fmin(fmax(0.5 * floor(2.0 * power), 0.5), 2.0);
    double most = 0.0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            most = fmax(most, fabs(constant_of(h, value, h[count - 1], i, j, found->order)));
    found->error = scattered_safety * most;
}

carom_sequence_limit carom_sequence_limit_of(int count, const double *h, const double *value, double rounding)
{
    carom_sequence_limit found = {.error = NAN, .order = NAN};
    if (count < CAROM_SEQUENCE_LEAST)
        return found;
    const int first = count > WINDOW ? count - WINDOW : 0;
    double low = INFINITY, high = -INFINITY;
    for (int i = first; i < count; i++) {
        if (!isfinite(value[i]))
            return found;
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    if (high - low <= rounding) {
        found.error = fmax(rounding, high - low);
        return found;
    }
    if (!see_order(count - first, h + first, value + first, &found))
        bound_scatter(count - first, h + first, value + first, &found);
    found.error = fmax(found.error, isnan(found.error) ? NAN : rounding);
    return found;
}
