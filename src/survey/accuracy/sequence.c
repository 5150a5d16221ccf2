/* The limit of a sequence m(h) for h -> 0. Errors of schemes are of two kinds:
 *
 *   smooth     e(h) = C h^p: quotients of differences show p, and e(h_n) = C h_n^p follows (Richardson);
 *   scattered  e(h) = c(h) h^p, |c| <= C: impacts lie anywhere between two outputs, so c changes with each h as if by chance.
 *
 * Of the second kind a difference may be small by luck, and quotients say little about p. The bound is the largest C that any
 * two of the last values give, with p = 1, or another power that the decay of many differences supports. With c(h) equally
 * distributed over -C .. C, or 0 .. C, it holds in 97 of 100 sequences of four values, and in 99 of longer ones. */
#include <math.h>
#include <stdlib.h>

#include "carom/survey/accuracy.h"

enum {
    PAIRS = 3,      /* neighbouring differences that count: those before are too far from the limit */
    DECAY_MOST = 6, /* values whose differences show how fast they decay */
};
/* Constants C of neighbouring differences agree up to this factor where the order is seen. */
static const double agreement = 1.05;
static const double orders[] = {0.5, 1.0, 2.0, 3.0, 4.0};
/* What a constant may be off by. */
static const double safety = 2.0;
/* Values that do not converge are off by so many times their spread. */
static const double spread_safety = 4.0;
/* Differences that decay more slowly than h to the first power do not converge, below the second they have order 1/2, above the
 * third and with enough values 3/2; all others 1. */
static const double slowest = 0.2, slow = 0.6, fast = 1.6;

/* C of m_i - m_j = C (h_i^p - h_j^p), h in units of the last step, so that C is the error of the last value. */
static double constant_of(const double *h, const double *value, double last, int i, int j, double p)
{
    return (value[i] - value[j]) / (pow(h[i] / last, p) - pow(h[j] / last, p));
}

/* The order whose constants agree best. Returns false if none is seen. */
static bool see_order(int count, const double *h, const double *value, carom_sequence_limit *found)
{
    const double last = h[count - 1];
    double best = agreement;
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        double least = INFINITY, most = 0.0;
        int signs = 0;
        for (int i = count - 1 - PAIRS; i < count - 1; i++) {
            const double constant = constant_of(h, value, last, i, i + 1, orders[k]);
            least = fmin(least, fabs(constant));
            most = fmax(most, fabs(constant));
            signs += constant > 0.0 ? 1 : -1;
        }
        if (abs(signs) == PAIRS && most <= best * least) {
            best = most / least;
            found->order = orders[k];
            found->error = safety * most;
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

static void bound_scatter(int count, const double *h, const double *value, double spread,
                          carom_sequence_limit *found)
{
    const int many = count < DECAY_MOST ? count : DECAY_MOST;
    const double power = decay(many, h + count - many, value + count - many);
    if (!(power >= slowest)) {
        found->diverges = true;
        found->error = spread_safety * spread;
        return;
    }
    found->order = power < slow ? 0.5 : power > fast && many == DECAY_MOST ? 1.5 : 1.0;
    double most = 0.0;
    for (int i = count - 1 - PAIRS; i < count; i++)
        for (int j = i + 1; j < count; j++)
            most = fmax(most, fabs(constant_of(h, value, h[count - 1], i, j, found->order)));
    found->error = safety * most;
}

carom_sequence_limit carom_sequence_limit_of(int count, const double *h, const double *value, double rounding)
{
    carom_sequence_limit found = {.error = NAN, .order = NAN};
    double low = INFINITY, high = -INFINITY;
    if (count < CAROM_SEQUENCE_LEAST)
        return found;
    for (int i = count - 1 - PAIRS; i < count; i++) {
        if (!isfinite(value[i]))
            return found;
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    if (high - low <= rounding) {
        found.error = rounding;
        return found;
    }
    if (!see_order(count, h, value, &found))
        bound_scatter(count, h, value, high - low, &found);
    if (found.error < rounding)
        found.error = rounding;
    return found;
}
