#include "carom/contact/coulomb_law.h"

#include <math.h>

#include "contact/coulomb/local_contact.h"
#include "contact_maps.h"
#include "error_map.h"

double carom_coulomb_law_square(double mu, const double u[3], const double r[3])
{
    return coulomb_map_square(mu, u, r);
}

void carom_coulomb_law_step(double mu, carom_coulomb_rho rho, double alpha, const double u[3],
                            const double r[3], double D[9], double g[3])
{
    double G[3], A[9], B[9];
    coulomb_alart_curnier(mu, (coulomb_rho){rho.normal, rho.tangent}, u, r, G, A, B);
    coulomb_eliminate_reaction(alpha, G, A, B, D, g);
}

bool carom_coulomb_law_solve(double mu, const double W[9], const double q[3], double r[3])
{
    static const double tolerance = 1e-14;
    coulomb_local contact;
    coulomb_local_counts counts = {0};
    double trial[3] = {r[0], r[1], r[2]};
    coulomb_local_prepare(&contact, W, mu);
    const bool solved = coulomb_local_solve(&contact, COULOMB_LOCAL_EXACT, tolerance, q, trial, &counts);
    for (int k = 0; k < 3 && isfinite(trial[0] + trial[1] + trial[2]); k++)
        r[k] = trial[k];
    return solved;
}
