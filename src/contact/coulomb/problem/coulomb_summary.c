/* What reactions of FC(W, q, mu) say: norms, error, energies, which contacts are open, slide and stick. */
#include "contact/coulomb/parts/coulomb_summary.h"

#include <math.h>

static double norm(int n, const double *x)
{
    return sqrt(carom_dot(n, x, x));
}

static carom_contact_regime regime_of(const double u[3], double zero)
{
    if (u[0] > zero)
        return CAROM_CONTACT_OPEN;
    return hypot(u[1], u[2]) > zero ? CAROM_CONTACT_SLIP : CAROM_CONTACT_STICK;
}

/* Velocities below the error of the solution cannot be told from zero: at a sticking contact the natural map
 * is u + (mu |u_T|, 0, 0) itself. Nor can those below the rounding of W r + q, where nothing moves. */
static void count_regimes(int contacts, const double *u, unsigned char *regime,
                          carom_coulomb_summary *summary)
{
    const double rounding = 1e-14 * summary->q_norm;
    const double zero =
        fmax(fmax(1e-6 * carom_largest(3 * contacts, u), 2.0 * summary->absolute_error), rounding);
    int count[3] = {0};
    for (int i = 0; i < contacts; i++) {
        const carom_contact_regime found = regime_of(u + 3 * (ptrdiff_t)i, zero);
        count[found]++;
        if (regime)
            regime[i] = (unsigned char)found;
    }
    summary->open = count[CAROM_CONTACT_OPEN];
    summary->sliding = count[CAROM_CONTACT_SLIP];
    summary->sticking = count[CAROM_CONTACT_STICK];
}

void coulomb_summary_fill(int contacts, const double *q, const double *r, const double *u, double error,
                          unsigned char *regime, carom_coulomb_summary *summary)
{
    const int size = 3 * contacts;
    *summary = (carom_coulomb_summary){.error = error};
    summary->q_norm = norm(size, q);
    summary->r_norm = norm(size, r);
    summary->u_norm = norm(size, u);
    summary->absolute_error = summary->q_norm > 0.0 ? error * summary->q_norm : error;
    summary->energy = 0.5 * (carom_dot(size, r, u) + carom_dot(size, r, q));
    for (int i = 0; i < size; i += 3)
        summary->dissipation += u[i + 1] * r[i + 1] + u[i + 2] * r[i + 2];
    count_regimes(contacts, u, regime, summary);
}

void carom_coulomb_summarise(const carom_coulomb *problem, const double *r, double *u, unsigned char *regime,
                             carom_coulomb_summary *summary)
{
    carom_blocks_multiply(&problem->W, r, problem->q, u);
    coulomb_summary_fill(problem->contacts, problem->q, r, u, carom_coulomb_error(problem, r), regime,
                         summary);
}
