/* Alart and Curnier's problem in the form of a loop over convex programs, Algorithm 12: the correction s = mu
 * |u_T| is frozen, the program over cones min 1/2 r.W r + (q + s).r is solved, u = W r + q, and again. */
#include <math.h>

#include "contact/solvers.h"
#include "convex_loop.h"

static int pass(coulomb_convex *loop, double tolerance)
{
    const carom_coulomb *problem = loop->problem;
    for (int i = 0; i < problem->contacts; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)i;
        double u[3];
        carom_blocks_row(&problem->W, i, loop->state.r, problem->q, u);
        loop->b[at] = problem->q[at] + problem->mu[i] * hypot(u[1], u[2]);
    }
    loop->vi.set = COULOMB_SET_CONE;
    return coulomb_convex_solve(loop, tolerance);
}

const carom_solver_ops coulomb_aclm_fp_vi_upk = {
    .name = "ACLM-FP-VI-UPK",
    .summary =
        "frozen correction mu |u_T| (Algorithm 12), programs over cones by the projected fixed point: any W",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_FP_VI_UPK),
};

const carom_solver_ops coulomb_aclm_eg_vi_upk = {
    .name = "ACLM-EG-VI-UPK",
    .summary = "frozen correction mu |u_T| (Algorithm 12), programs over cones by the extragradient method",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_EG_VI_UPK),
};

const carom_solver_ops coulomb_aclm_convexqp_pg = {
    .name = "ACLM-CONVEXQP-PG",
    .summary = "frozen correction mu |u_T| (Algorithm 12), programs by projected gradients (Algorithm 9): "
               "large mu, few "
               "sliding contacts",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_CONVEXQP_PG),
};

const carom_solver_ops coulomb_aclm_nsgs_fp_vi_upk = {
    .name = "ACLM-NSGS-FP-VI-UPK",
    .summary = "frozen correction mu |u_T| (Algorithm 12), programs over cones by Gauss-Seidel over contacts",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_NSGS),
};
