#include "convex_loop.h"

#include <math.h>
#include <string.h>

enum {
    LOCAL_STEPS = 1000, /* for one contact */
    IDLE_PASSES = 7,    /* without a smaller error */
};

/* The least part of the error that is the tolerance of a program. */
static const double smallest_factor = 1e-8;

const carom_option_info coulomb_convex_options[COULOMB_CONVEX_OPTIONS] = {
    [COULOMB_CONVEX_FACTOR] = {"inner_tolerance", 0.1, 1e-8, 1.0, NULL,
                               "tolerance of a program, as a part of the present error"},
    [COULOMB_CONVEX_LIMIT] = {"inner_iterations", 5000.0, 1.0, 1e9, NULL, "most iterations for a program"},
};

static double first_rho(const coulomb_convex *loop)
{
    const double size = coulomb_row_norm(&loop->problem->W);
    return loop->inner == COULOMB_INNER_CONVEXQP_PG && size > 0.0 ? 1.0 / size : 1.0;
}

/* best, b, work of the state, then radius and rho of the contacts */
size_t coulomb_convex_work(int contacts)
{
    return ((2 + COULOMB_VI_WORK) * 3 + 2) * (size_t)contacts;
}

coulomb_convex coulomb_convex_begin(const carom_coulomb *problem, coulomb_inner inner, double *work,
                                    double *r)
{
    const ptrdiff_t contacts = problem->contacts, size = 3 * contacts;
    coulomb_convex loop = {.problem = problem, .inner = inner, .best = work, .b = work + size};
    loop.radius = work + (2 + COULOMB_VI_WORK) * size;
    loop.contact_rho = loop.radius + contacts;
    for (ptrdiff_t i = 0; i < contacts; i++) {
        loop.radius[i] = 0.0;
        loop.contact_rho[i] = 1.0;
    }
    memcpy(loop.b, problem->q, (size_t)size * sizeof(double));
    loop.state = coulomb_vi_state_of(problem->contacts, first_rho(&loop), r, work + 2 * size);
    loop.vi = (coulomb_vi){.W = problem->W, .b = loop.b, .mu = problem->mu, .radius = loop.radius};
    return loop;
}

/* The program of one contact, the others as they are. Returns the steps. */
static int solve_contact(coulomb_convex *loop, int contact, double tolerance)
{
    static const int start[] = {0, 1}, column[] = {0}, diagonal[] = {0};
    const coulomb_vi *all = &loop->vi;
    double *const r = loop->state.r + 3 * (ptrdiff_t)contact;
    const double *const W = carom_block_at(&all->W, all->W.diagonal[contact]);
    double b[3], work[3 * COULOMB_VI_WORK];
    carom_blocks_row(&all->W, contact, loop->state.r, all->b, b);
    for (int k = 0; k < 3; k++)
        b[k] -= W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2];
    const coulomb_vi one = {.W = {1, start, column, diagonal, W},
                            .b = b,
                            .mu = all->mu + contact,
                            .radius = all->radius + contact,
                            .set = all->set};
    const coulomb_vi_rule rule = coulomb_vi_rule_of(COULOMB_VI_FIXED_POINT, COULOMB_VI_KHOBOTOV);
    coulomb_vi_state state = coulomb_vi_state_of(1, loop->contact_rho[contact], r, work);
    const int steps = coulomb_vi_run(&one, &rule, tolerance, LOCAL_STEPS, NULL, &state);
    loop->contact_rho[contact] = state.rho;
    if (steps == LOCAL_STEPS)
        loop->watch.report->local_failures++;
    return steps;
}

/* Sweeps; the tolerance of a contact is such that all contacts together stay below that of the program. */
static int gauss_seidel(coulomb_convex *loop, double tolerance)
{
    const double local_tolerance = 0.1 * tolerance / sqrt(loop->problem->contacts);
    int sweeps = 0;
    coulomb_vi_refresh(&loop->vi, &loop->state);
    while (sweeps < loop->limit && coulomb_vi_residual(&loop->vi, loop->state.r, loop->state.F) > tolerance &&
           !coulomb_watch_is_over(&loop->watch)) {
        long steps = 0;
        for (int i = 0; i < loop->problem->contacts; i++)
            steps += solve_contact(loop, i, local_tolerance);
        if (steps == 0)
            break;
        sweeps++;
        coulomb_vi_refresh(&loop->vi, &loop->state);
    }
    return sweeps;
}

/* Projected gradients begin anew with every program: their rho may have grown without bound at the last one.
 */
static int by_projections(coulomb_convex *loop, double tolerance)
{
    if (loop->inner == COULOMB_INNER_CONVEXQP_PG)
        loop->state.rho = first_rho(loop);
    static const coulomb_vi_method method[] = {
        [COULOMB_INNER_FP_VI_UPK] = COULOMB_VI_FIXED_POINT,
        [COULOMB_INNER_EG_VI_UPK] = COULOMB_VI_EXTRAGRADIENT,
        [COULOMB_INNER_CONVEXQP_PG] = COULOMB_VI_GRADIENT,
    };
    const coulomb_vi_rule rule = coulomb_vi_rule_of(method[loop->inner], COULOMB_VI_KHOBOTOV);
    return coulomb_vi_run(&loop->vi, &rule, tolerance, loop->limit, &loop->watch, &loop->state);
}

int coulomb_convex_solve(coulomb_convex *loop, double tolerance)
{
    const int iterations =
        loop->inner == COULOMB_INNER_NSGS ? gauss_seidel(loop, tolerance) : by_projections(loop, tolerance);
    loop->watch.report->inner_iterations += iterations;
    return iterations;
}

/* Programs are solved more closely when they leave r where it was, or when passes no longer bring the error
 * down: the error measures also impulses outside the cone, and may be large against what programs see. */
static carom_solve_word repeat(coulomb_convex *loop, coulomb_convex_pass pass, double factor)
{
    const carom_coulomb *problem = loop->problem;
    carom_solve_report *report = loop->watch.report;
    const double size = sqrt(carom_dot(3 * problem->contacts, problem->q, problem->q));
    int idle = 0;
    while (factor >= smallest_factor) {
        const double best = loop->watch.best_error, error = carom_coulomb_error(problem, loop->state.r);
        const int iterations = pass(loop, factor * error * size);
        report->iterations++;
        if (coulomb_watch_look(&loop->watch, loop->state.r))
            return report->word;
        idle = loop->watch.best_error < best ? 0 : idle + 1;
        if (iterations == 0 || idle == IDLE_PASSES) {
            factor *= 0.1;
            idle = 0;
        }
    }
    return CAROM_SOLVE_STALLED;
}

size_t coulomb_convex_work_size(const carom_problem_shape *shape)
{
    return coulomb_convex_work(shape->size);
}

void coulomb_convex_repeat(carom_solver *self, const carom_coulomb *problem, double *r,
                           carom_solve_report *report)
{
    const coulomb_convex_variant *variant = self->ops->variant;
    coulomb_convex loop = coulomb_convex_begin(problem, variant->inner, self->work, r);
    loop.limit = (int)self->option[COULOMB_CONVEX_LIMIT];
    carom_solve_word word = CAROM_SOLVE_OK;
    if (coulomb_watch_begin(&loop.watch, problem, &self->limits, COULOMB_CONVEX_PASSES, loop.best, r, report))
        word = report->word;
    else
        word = repeat(&loop, variant->pass, self->option[COULOMB_CONVEX_FACTOR]);
    coulomb_watch_end(&loop.watch, word, r);
}
