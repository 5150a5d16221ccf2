/* One contact: constants of its block, error, and its solvers, one after the other until one succeeds. */
#include "contact/coulomb/local_contact.h"

#include <math.h>
#include <string.h>

static const double condition_limit = 100.0;

static double inverse_or_one(double value)
{
    return value > 0.0 ? 1.0 / value : 1.0;
}

/* By cofactors. A determinant that is rounding of its terms counts as zero: by Hadamard's bound it is at most
 * the product of the lengths of the rows. */
static bool invert(const double W[9], double inverse[9])
{
    const double cofactor[9] = {
        W[4] * W[8] - W[5] * W[7], W[2] * W[7] - W[1] * W[8], W[1] * W[5] - W[2] * W[4],
        W[5] * W[6] - W[3] * W[8], W[0] * W[8] - W[2] * W[6], W[2] * W[3] - W[0] * W[5],
        W[3] * W[7] - W[4] * W[6], W[1] * W[6] - W[0] * W[7], W[0] * W[4] - W[1] * W[3]};
    const double determinant = W[0] * cofactor[0] + W[1] * cofactor[3] + W[2] * cofactor[6];
    double bound = 1.0;
    for (int i = 0; i < 3; i++)
        bound *= sqrt(carom_dot(3, W + 3 * i, W + 3 * i));
    if (!(fabs(determinant) > 1e-14 * bound))
        return false;
    for (int k = 0; k < 9; k++)
        inverse[k] = cofactor[k] / determinant;
    return true;
}

void coulomb_local_prepare(coulomb_local *contact, const double W[9], double mu)
{
    *contact = (coulomb_local){.W = W, .mu = mu};
    contact->regular = invert(W, contact->inverse);
    contact->size = sqrt(carom_dot(9, W, W));
    contact->well_conditioned =
        contact->regular &&
        contact->size * sqrt(carom_dot(9, contact->inverse, contact->inverse)) <= condition_limit;
    const double yz = 0.5 * (W[5] + W[7]);
    contact->rho_N = inverse_or_one(W[0]);
    contact->rho_T = inverse_or_one(0.5 * (W[4] + W[8]) + hypot(0.5 * (W[4] - W[8]), yz));
}

void coulomb_local_modified_velocity(const coulomb_local *contact, const double q[3], const double r[3],
                                     double u[3])
{
    u[0] = q[0];
    u[1] = q[1];
    u[2] = q[2];
    carom_block_add(contact->W, r, u);
    u[0] += contact->mu * hypot(u[1], u[2]);
}

double coulomb_local_error(const coulomb_local *contact, const double q[3], const double r[3])
{
    const double rho = inverse_or_one(contact->size);
    double u[3], p[3];
    coulomb_local_modified_velocity(contact, q, r, u);
    carom_cone_project(contact->mu, (const double[]){r[0] - rho * u[0], r[1] - rho * u[1], r[2] - rho * u[2]},
                       p);
    const double d[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
    const double distance = sqrt(carom_dot(3, d, d));
    return distance == 0.0 ? 0.0 : distance / (sqrt(carom_dot(3, r, r)) + rho * sqrt(carom_dot(3, q, q)));
}

/* Exact, then the variational inequality from the given r. */
static bool solve_surely(coulomb_local *contact, double tolerance, const double q[3], double r[3],
                         coulomb_local_counts *counts)
{
    double trial[3];
    if (coulomb_local_exact(contact, q, trial)) {
        memcpy(r, trial, sizeof trial);
        return true;
    }
    counts->failures++;
    return coulomb_local_vi(contact, tolerance, q, r, counts);
}

static bool solve_newton(coulomb_local *contact, coulomb_local_method method, double tolerance,
                         const double q[3], double r[3], coulomb_local_counts *counts)
{
    const bool jean_moreau = method == COULOMB_LOCAL_NEWTON_JM || method == COULOMB_LOCAL_NEWTON_JM_GP;
    const bool line_search = method == COULOMB_LOCAL_NEWTON_AC_GP || method == COULOMB_LOCAL_NEWTON_JM_GP;
    double trial[3] = {r[0], r[1], r[2]};
    if (coulomb_local_newton(contact, jean_moreau, line_search, tolerance, q, trial, counts)) {
        memcpy(r, trial, sizeof trial);
        return true;
    }
    counts->failures++;
    return solve_surely(contact, tolerance, q, r, counts);
}

static bool solve_vi(coulomb_local *contact, double tolerance, const double q[3], double r[3],
                     coulomb_local_counts *counts)
{
    if (coulomb_local_vi(contact, tolerance, q, r, counts))
        return true;
    counts->failures++;
    double trial[3];
    if (!coulomb_local_exact(contact, q, trial))
        return false;
    memcpy(r, trial, sizeof trial);
    return true;
}

bool coulomb_local_solve(coulomb_local *contact, coulomb_local_method method, double tolerance,
                         const double q[3], double r[3], coulomb_local_counts *counts)
{
    switch (method) {
    case COULOMB_LOCAL_PROJECTION:
        coulomb_local_projection(contact, q, r);
        return true;
    case COULOMB_LOCAL_VI:
        return solve_vi(contact, tolerance, q, r, counts);
    case COULOMB_LOCAL_NEWTON_AC:
    case COULOMB_LOCAL_NEWTON_JM:
    case COULOMB_LOCAL_NEWTON_AC_GP:
    case COULOMB_LOCAL_NEWTON_JM_GP:
        return solve_newton(contact, method, tolerance, q, r, counts);
    case COULOMB_LOCAL_EXACT:
    case COULOMB_LOCAL_METHODS:
        break;
    }
    return solve_surely(contact, tolerance, q, r, counts);
}
