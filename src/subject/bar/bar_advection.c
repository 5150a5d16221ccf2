/* What grids other than that of the waves do with a front: ripples of Lax and Wendroff's scheme, and of a
 * chain of masses and springs. */
#include <math.h>
#include <string.h>

#include "carom/subject/bar.h"

static void advect_once(int cells, double courant, double seam, const double *from, double *to)
{
    for (int j = 0; j < cells; j++) {
        const double behind = j > 0 ? from[j - 1] : seam * from[cells - 1];
        const double ahead = j < cells - 1 ? from[j + 1] : seam * from[0];
        to[j] = from[j] - courant / 2.0 * (ahead - behind) +
                courant * courant / 2.0 * (ahead - 2.0 * from[j] + behind);
    }
}

carom_status carom_bar_advect(int cells, double courant, long steps, int seam, double *value, double *work,
                              carom_error *error)
{
    if (cells < 2)
        return carom_fail(error, CAROM_BAD_INPUT, "advection: %d cells, but at least 2 are needed", cells);
    if (!(courant > 0.0 && courant <= 1.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "advection: Courant number %g, but it must be in (0, 1]; above 1 the scheme is "
                          "unstable",
                          courant);
    if (steps < 0 || (seam != 1 && seam != -1))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "advection: %ld steps and a seam of %d; steps must be >= 0, the seam 1 or -1",
                          steps, seam);
    double *from = value, *to = work;
    for (long k = 0; k < steps; k++) {
        advect_once(cells, courant, seam, from, to);
        double *const swapped = from;
        from = to;
        to = swapped;
    }
    if (from != value)
        memcpy(value, from, (size_t)cells * sizeof *value);
    return CAROM_OK;
}

/* Modes of the chain (42), (43): with a_p = (2p - 1) pi / (2n + 1) its frequencies are 2 sqrt(k/m) sin(a_p/2)
 * and its shapes sin(j a_p), whose squares sum to (2n + 1) / 4. */
carom_status carom_bar_chain_front(const carom_bar *bar, int masses, int struck, double velocity, double t,
                                   double *displacement, carom_error *error)
{
    if (carom_bar_check(bar, error))
        return CAROM_BAD_INPUT;
    if (masses < 2 || struck < 1 || struck > masses)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "chain: mass %d of %d; there must be 2 masses at least, and the struck one is "
                          "1 .. their number",
                          struck, masses);
    const double root = masses * carom_bar_speed(bar) / bar->length; /* sqrt(k/m) */
    for (int j = 0; j < masses; j++)
        displacement[j] = 0.0;
    for (int p = 1; p <= masses; p++) {
        const double a = (2.0 * p - 1.0) * CAROM_PI / (2.0 * masses + 1.0), omega = 2.0 * root * sin(a / 2.0);
        const double amount =
            4.0 / (2.0 * masses + 1.0) * velocity * sin(struck * a) * sin(omega * t) / omega;
        for (int j = 0; j < masses; j++)
            displacement[j] += amount * sin((j + 1) * a);
    }
    return CAROM_OK;
}
