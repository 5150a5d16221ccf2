/* From reactions back to what the reduction eliminated: velocities of the bodies, multipliers of equations.
 */
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/motion_factor.h"
#include "contact/coulomb/parts/velocity_system.h"

/* Large ones without equations; false when blocks do not suit, or memory is short. */
static bool move_by_blocks(const carom_coulomb_global *global, const double *r, double *v)
{
    if (global->mu_r || !coulomb_velocity_system_suits(global)) /* blocks have three numbers per contact */
        return false;
    coulomb_velocity_system *system = coulomb_velocity_system_create(global);
    const bool moved = system && coulomb_velocity_system_factor(system, NULL) &&
                       coulomb_velocity_system_move(system, r, v) <= coulomb_motion_rounding;
    coulomb_velocity_system_free(system);
    return moved;
}

carom_status carom_coulomb_motion(const carom_coulomb_global *global, const double *r, double *v, double *l,
                                  carom_error *error)
{
    if (move_by_blocks(global, r, v))
        return CAROM_OK;
    const int n = global->M.rows, p = global->G.columns;
    double *x = carom_new_array((size_t)n + (size_t)p, sizeof *x);
    if (!x)
        return carom_fail_memory(error);
    carom_sparse_factor *factor = NULL;
    const carom_status status = coulomb_motion_factor(global, &factor, error);
    if (status == CAROM_OK) {
        memcpy(x, global->f, (size_t)n * sizeof *x);
        carom_sparse_add(&global->H, r, x);
        for (int j = 0; j < p; j++)
            x[n + j] = -global->b[j];
        carom_sparse_solve(factor, x);
        memcpy(v, x, (size_t)n * sizeof *v);
        if (p > 0)
            memcpy(l, x + n, (size_t)p * sizeof *l);
    }
    carom_sparse_factor_free(factor);
    free(x);
    return status;
}

carom_status carom_coulomb_multipliers(const carom_coulomb_local *local, const double *r, double *l,
                                       carom_error *error)
{
    carom_sparse_factor *factor = NULL;
    const carom_status status = carom_sparse_factor_create(&local->R, &factor, error);
    if (status != CAROM_OK)
        return status;
    memcpy(l, local->s, (size_t)local->R.rows * sizeof *l);
    carom_sparse_add_transposed(&local->V, r, l);
    for (int j = 0; j < local->R.rows; j++)
        l[j] = -l[j];
    carom_sparse_solve(factor, l);
    carom_sparse_factor_free(factor);
    return CAROM_OK;
}
