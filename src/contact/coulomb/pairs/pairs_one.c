#include "contact/coulomb/pairs_one.h"

#include "pairs_sweep.h"

bool coulomb_pairs_one(const carom_pairs *problem, double *r)
{
    enum {
        MOST = PAIRS_MOST * PAIRS_MOST
    };
    int body[1][2];
    double mu[PAIRS_MOST_PARTS], q[PAIRS_MOST], J[2 * MOST], A[2 * MOST], W[MOST], rho[1 + PAIRS_MOST_PARTS];
    double alone[PAIRS_MOST] = {0.0};
    coulomb_local contact;
    if (problem->contacts != 1 || problem->joints > 0)
        return false;
    const double scale = carom_pairs_scale(problem);
    if (!(scale > 0.0))
        return false;
    /* with room for one contact of any kind, so that none is taken */
    pairs_rows rows = {.body = body,
                       .mu = mu,
                       .q = q,
                       .J = J,
                       .A = A,
                       .W = W,
                       .contact_room = 1,
                       .room_d = PAIRS_MOST,
                       .room_s = PAIRS_MOST};
    pairs_sweep sweeps = {.contact = &contact, .rho = rho, .room = 1, .rho_room = 1};
    if (!pairs_rows_take(&rows, problem, scale) || !pairs_sweep_take(&sweeps, &rows) || rows.hopeless ||
        !pairs_sweep_alone(&sweeps, 0, alone))
        return false;
    pairs_rows_unpack(&rows, alone, r);
    return true;
}
