/* Panagiotopoulos' alternation, Algorithm 10: the normal program (126) min 1/2 r_N.W_NN r_N + (q_N + W_NT
 * r_T).r_N, r_N >= 0, then the tangential one (128) over disks of radius mu r_N, and again. */
#include <math.h>

#include "contact/solvers.h"
#include "convex_loop.h"

static double normal_velocity(const carom_coulomb *problem, int contact, const double *r)
{
    const carom_blocks *W = &problem->W;
    double sum = problem->q[3 * (ptrdiff_t)contact];
    for (int k = W->row_start[contact]; k < W->row_start[contact + 1]; k++)
        sum += carom_dot(3, carom_block_at(W, k), r + 3 * (ptrdiff_t)W->column[k]);
    return sum;
}

/* Projected Gauss-Seidel for the normal program. */
static int sweep_normals(coulomb_convex *loop, double tolerance)
{
    const carom_coulomb *problem = loop->problem;
    double *const r = loop->state.r;
    int sweeps = 0;
    coulomb_vi_refresh(&loop->vi, &loop->state);
    while (sweeps < loop->limit && coulomb_vi_residual(&loop->vi, r, loop->state.F) > tolerance &&
           !coulomb_watch_is_over(&loop->watch)) {
        for (int i = 0; i < problem->contacts; i++) {
            const double W = carom_block_at(&problem->W, problem->W.diagonal[i])[0];
            double *const normal = r + 3 * (ptrdiff_t)i;
            if (W > 0.0)
                *normal = fmax(0.0, *normal - normal_velocity(problem, i, r) / W);
        }
        sweeps++;
        coulomb_vi_refresh(&loop->vi, &loop->state);
    }
    loop->watch.report->inner_iterations += sweeps;
    return sweeps;
}

static int solve_tangents(coulomb_convex *loop, double tolerance)
{
    loop->vi.set = COULOMB_SET_DISK;
    for (int i = 0; i < loop->problem->contacts; i++)
        loop->radius[i] = loop->problem->mu[i] * loop->state.r[3 * (ptrdiff_t)i];
    return coulomb_convex_solve(loop, tolerance);
}

/* A start may have r_N < 0 where the normal program has nothing to do. */
static void make_normals_positive(coulomb_convex *loop)
{
    for (int i = 0; i < loop->problem->contacts; i++)
        loop->state.r[3 * (ptrdiff_t)i] = fmax(0.0, loop->state.r[3 * (ptrdiff_t)i]);
}

static int pass(coulomb_convex *loop, double tolerance)
{
    make_normals_positive(loop);
    loop->vi.set = COULOMB_SET_HALF_LINE;
    const int normal_iterations = coulomb_convex_solve(loop, tolerance);
    return normal_iterations + solve_tangents(loop, tolerance);
}

static int pass_pgs(coulomb_convex *loop, double tolerance)
{
    make_normals_positive(loop);
    loop->vi.set = COULOMB_SET_HALF_LINE;
    const int normal_iterations = sweep_normals(loop, tolerance);
    return normal_iterations + solve_tangents(loop, tolerance);
}

const carom_solver_ops coulomb_pana_pgs_fp_vi_upk = {
    .name = "PANA-PGS-FP-VI-UPK",
    .summary = "normal and tangential programs in turn (Algorithm 10), by Gauss-Seidel and the projected "
               "fixed point: "
               "small mu",
    COULOMB_CONVEX_LOOP(pass_pgs, COULOMB_INNER_FP_VI_UPK),
};

const carom_solver_ops coulomb_pana_pgs_eg_vi_upk = {
    .name = "PANA-PGS-EG-VI-UPK",
    .summary =
        "normal and tangential programs in turn (Algorithm 10), by Gauss-Seidel and the extragradient method",
    COULOMB_CONVEX_LOOP(pass_pgs, COULOMB_INNER_EG_VI_UPK),
};

const carom_solver_ops coulomb_pana_pgs_convexqp_pg = {
    .name = "PANA-PGS-CONVEXQP-PG",
    .summary =
        "normal and tangential programs in turn (Algorithm 10), by Gauss-Seidel and projected gradients",
    COULOMB_CONVEX_LOOP(pass_pgs, COULOMB_INNER_CONVEXQP_PG),
};

const carom_solver_ops coulomb_pana_convexqp_pg = {
    .name = "PANA-CONVEXQP-PG",
    .summary =
        "normal and tangential programs in turn (Algorithm 10), both by projected gradients (Algorithm 9)",
    COULOMB_CONVEX_LOOP(pass, COULOMB_INNER_CONVEXQP_PG),
};
