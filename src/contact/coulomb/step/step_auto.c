/* Several frictional contacts by Gauss-Seidel, and by solvers of FC(W, q, mu) where that is too slow.
 *
 * Plain sweeps end soon for most steps. When they do not, and all contacts have a round cone, the problem is
 * posed as FC(W, q, mu): velocities are counted from the targets, and impulses in units in which W is of size
 * one, so that the tolerance is one of velocities. It goes through the stages of the default solver that
 * serve dense W: accelerated sweeps, then proximal points with Newton's method. A few plain sweeps afterwards
 * make it the solution of the problem as given. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/coulomb_auto.h"
#include "contact/coulomb/gauss_seidel.h"
#include "contact/coulomb/proximal.h"

enum {
    COMPONENTS = 3,
    PATIENT_SWEEPS = 200, /* before FC(W, q, mu) is posed */
    ACCELERATED_SWEEPS = 150,
    MEMORY = 8,
    MOST_CONTACTS = 15000, /* blocks are counted by ints */
    PROXIMAL_POINTS = 40
};

/* Radius of the contact's disk; -1: the set is no disk. */
static double round_radius(const carom_friction_problem *problem, int contact)
{
    const carom_planar_set *set = &problem->set[contact];
    if (problem->tangents[contact] == 0 || set->kind == CAROM_PLANAR_POINT)
        return 0.0;
    if (problem->tangents[contact] == 2 && set->kind == CAROM_PLANAR_DISK)
        return set->a;
    if (problem->tangents[contact] == 1 && set->kind == CAROM_PLANAR_INTERVAL && set->a == -set->b)
        return set->b;
    return -1.0;
}

static bool is_round(const carom_friction_problem *problem)
{
    for (int k = 0; k < problem->count; k++)
        if (round_radius(problem, k) < 0.0)
            return false;
    return true;
}

typedef struct posed {
    carom_coulomb problem;
    int *row_start, *column, *diagonal;
    double *block, *q, *mu, *r;
    double unit; /* r = impulse * unit */
} posed;

struct carom_friction_solver {
    carom_arena *arena;
    int contacts;
    posed posed;
    coulomb_gauss_seidel *sweeps;
    coulomb_proximal *proximal;
};

static bool take(carom_arena *arena, int count, posed *p)
{
    const size_t n = (size_t)count;
    p->row_start = carom_arena_take(arena, n + 1, sizeof *p->row_start);
    p->column = carom_arena_take(arena, n * n, sizeof *p->column);
    p->diagonal = carom_arena_take(arena, n, sizeof *p->diagonal);
    p->block = carom_arena_take(arena, 9 * n * n, sizeof *p->block);
    p->q = carom_arena_take(arena, 3 * n, sizeof *p->q);
    p->mu = carom_arena_take(arena, n, sizeof *p->mu);
    p->r = carom_arena_take(arena, 3 * n, sizeof *p->r);
    return p->row_start && p->column && p->diagonal && p->block && p->q && p->mu && p->r;
}

/* ---- set-up -------------------------------------------------------------------------------------------- */

static bool create_solvers(carom_friction_solver *solver)
{
    struct coulomb_nsgs_options sweeps = coulomb_nsgs_defaults();
    sweeps.memory = MEMORY;
    sweeps.any_solution = true;
    const coulomb_proximal_options points = {.solver = COULOMB_PROXIMAL_NEWTON_GP,
                                             .alpha0_rel = 0.01,
                                             .omega = 1.0,
                                             .inner_iterations = 40,
                                             .full_steps = 8};
    const int n = solver->contacts;
    for (int k = 0; k <= n; k++)
        solver->posed.row_start[k] = n * k;
    solver->sweeps = coulomb_gauss_seidel_create(n, &sweeps);
    solver->proximal =
        coulomb_proximal_create(&(carom_blocks){.rows = n, .row_start = solver->posed.row_start}, &points);
    return solver->sweeps && solver->proximal;
}

carom_status carom_friction_solver_create(int contacts, carom_friction_solver **solver, carom_error *error)
{
    *solver = NULL;
    if (contacts < 0 || contacts > MOST_CONTACTS)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d contacts; at least 0 and at most %d can be solved together", contacts,
                          MOST_CONTACTS);
    carom_friction_solver *made = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    made->arena = carom_arena_create();
    made->contacts = contacts;
    if (!made->arena || !take(made->arena, contacts, &made->posed) || !create_solvers(made)) {
        carom_friction_solver_free(made);
        return carom_fail_memory(error);
    }
    *solver = made;
    return CAROM_OK;
}

void carom_friction_solver_free(carom_friction_solver *solver)
{
    if (!solver)
        return;
    coulomb_gauss_seidel_free(solver->sweeps);
    coulomb_proximal_free(solver->proximal);
    carom_arena_free(solver->arena);
    free(solver);
}

/* ---- one problem --------------------------------------------------------------------------------------- */

/* Entries of tangents that a contact does not have are those of the unit matrix. */
static double entry_of(const carom_friction_problem *problem, const posed *p, int i, int j)
{
    const bool there = i % COMPONENTS <= problem->tangents[i / COMPONENTS] &&
                       j % COMPONENTS <= problem->tangents[j / COMPONENTS];
    if (!there)
        return i == j ? 1.0 : 0.0;
    return problem->W[(ptrdiff_t)i * COMPONENTS * problem->count + j] / p->unit;
}

static double mean_normal_entry(const carom_friction_problem *problem)
{
    double sum = 0.0;
    const ptrdiff_t size = (ptrdiff_t)COMPONENTS * problem->count;
    for (int k = 0; k < problem->count; k++)
        sum += problem->W[COMPONENTS * k * (size + 1)];
    return sum / problem->count;
}

static void pose(const carom_friction_problem *problem, const double *impulse, posed *p)
{
    const int n = problem->count;
    p->unit = mean_normal_entry(problem);
    for (int k = 0; k < n; k++) {
        p->row_start[k + 1] = n * (k + 1);
        p->diagonal[k] = n * k + k;
        p->mu[k] = round_radius(problem, k);
        for (int l = 0; l < n; l++) {
            p->column[n * k + l] = l;
            for (int e = 0; e < 9; e++)
                p->block[9 * (ptrdiff_t)(n * k + l) + e] =
                    entry_of(problem, p, COMPONENTS * k + e / 3, COMPONENTS * l + e % 3);
        }
        for (int i = 0; i < COMPONENTS; i++) {
            const bool there = i <= problem->tangents[k];
            const int at = COMPONENTS * k + i;
            p->q[at] = there ? problem->u_free[at] - (i == 0 ? problem->target[k] : 0.0) : 0.0;
            p->r[at] = there ? impulse[at] * p->unit : 0.0;
        }
    }
    p->problem = (carom_coulomb){n, {n, p->row_start, p->column, p->diagonal, p->block}, p->q, p->mu};
}

/* From the iterate in posed.r, which becomes the best one. */
static bool run_stages(carom_friction_solver *solver, double tolerance, int *iterations)
{
    posed *p = &solver->posed;
    carom_coulomb_report report;
    coulomb_gauss_seidel_solve(solver->sweeps, &p->problem,
                               &(carom_coulomb_limits){tolerance, ACCELERATED_SWEEPS, 0.0, NULL, NULL}, p->r,
                               &report);
    *iterations += report.iterations;
    if (report.word == CAROM_SOLVE_OK)
        return true;
    coulomb_proximal_solve(solver->proximal, &p->problem,
                           &(carom_coulomb_limits){tolerance, PROXIMAL_POINTS, 0.0, NULL, NULL}, p->r,
                           &report);
    *iterations += report.iterations;
    if (report.word == CAROM_SOLVE_OK)
        return true;
    coulomb_auto(&p->problem, &(carom_coulomb_limits){.tolerance = tolerance}, p->r, &report);
    *iterations += report.iterations;
    return report.word == CAROM_SOLVE_OK;
}

/* From the impulses given; they are replaced on success. */
static void solve_posed(carom_friction_solver *solver, const carom_friction_problem *problem,
                        double tolerance, double *impulse, int *iterations)
{
    posed *p = &solver->posed;
    pose(problem, impulse, p);
    if (!run_stages(solver, tolerance, iterations))
        return;
    for (int k = 0; k < problem->count; k++)
        for (int i = 0; i <= problem->tangents[k]; i++)
            impulse[COMPONENTS * k + i] = p->r[COMPONENTS * k + i] / p->unit;
}

carom_solve_report carom_friction_auto(carom_friction_solver *solver, const carom_friction_problem *problem,
                                       const carom_friction_gauss_seidel_options *options, double *impulse,
                                       unsigned char *branch, int *failed_contact, carom_error *error)
{
    carom_friction_gauss_seidel_options few = *options;
    few.max_sweeps = few.max_sweeps < PATIENT_SWEEPS ? few.max_sweeps : PATIENT_SWEEPS;
    carom_solve_report report =
        carom_friction_gauss_seidel(problem, &few, impulse, branch, failed_contact, error);
    if (report.status == CAROM_OK || *failed_contact >= 0 || few.max_sweeps == options->max_sweeps)
        return report;
    int iterations = report.iterations;
    if (is_round(problem) && problem->count <= solver->contacts)
        solve_posed(solver, problem, 0.1 * options->tolerance, impulse, &iterations);
    report = carom_friction_gauss_seidel(problem, options, impulse, branch, failed_contact, error);
    report.iterations += iterations;
    return report;
}
