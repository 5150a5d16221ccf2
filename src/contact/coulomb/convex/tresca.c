/* Tresca friction in a loop, Algorithm 11: the radius mu r_N of the friction disk is frozen, the program over
 * half-cylinders min 1/2 r.W r + q.r, r_N >= 0, |r_T| <= radius is solved, and again. */
#include <math.h>

#include "contact/solvers.h"
#include "convex_loop.h"

static void freeze_radii(coulomb_convex *loop)
{
    for (int i = 0; i < loop->problem->contacts; i++)
        loop->radius[i] = loop->problem->mu[i] * fmax(0.0, loop->state.r[3 * (ptrdiff_t)i]);
}

/* Friction beyond the radius of the new normal impulse is cut: outside the cone the error would be in units
 * of impulses, and tell nothing about the tolerance of the next program. */
static int pass(coulomb_convex *loop, double tolerance)
{
    loop->vi.set = COULOMB_SET_CYLINDER;
    freeze_radii(loop);
    const int iterations = coulomb_convex_solve(loop, tolerance);
    freeze_radii(loop);
    coulomb_vi_project(&loop->vi, loop->state.r, 0.0, loop->state.F, loop->state.r);
    return iterations;
}

const carom_solver_ops coulomb_tresca_fp_vi_upk = {
    .name = "TRESCA-FP-VI-UPK",
    .summary = "Tresca friction in a loop (Algorithm 11), programs by the projected fixed point: any W",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_FP_VI_UPK),
};

const carom_solver_ops coulomb_tresca_eg_vi_upk = {
    .name = "TRESCA-EG-VI-UPK",
    .summary = "Tresca friction in a loop (Algorithm 11), programs by the extragradient method",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_EG_VI_UPK),
};

const carom_solver_ops coulomb_tresca_convexqp_pg = {
    .name = "TRESCA-CONVEXQP-PG",
    .summary = "Tresca friction in a loop (Algorithm 11), programs by projected gradients (Algorithm 9): "
               "symmetric W",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_CONVEXQP_PG),
};

const carom_solver_ops coulomb_tresca_nsgs_fp_vi_upk = {
    .name = "TRESCA-NSGS-FP-VI-UPK",
    .summary =
        "Tresca friction in a loop (Algorithm 11), programs by Gauss-Seidel over contacts: many rigid bodies",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_NSGS),
};
