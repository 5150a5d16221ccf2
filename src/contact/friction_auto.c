/* Several frictional contacts by Gauss-Seidel, and by the default solver of FC(W, q, mu) where that is too
 * slow.
 *
 * Sweeps take no memory and end soon for most steps. When they do not, and all contacts have a round cone,
 * the problem is posed as FC(W, q, mu): velocities are counted from the targets, and impulses in units in
 * which W is of size one, so that the tolerance is one of velocities. A few sweeps afterwards make it the
 * solution of the problem as given. */
#include <math.h>
#include <string.h>

#include "coulomb_auto.h"

enum {
    COMPONENTS = 3,
    PATIENT_SWEEPS = 200 /* before the other solver is asked */
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

/* The default solver from the impulses given; they are replaced when it succeeds. */
static bool solve_posed(const carom_friction_problem *problem, double tolerance, double *impulse,
                        int *iterations)
{
    carom_arena *arena = carom_arena_create();
    posed p = {0};
    bool solved = false;
    if (arena && take(arena, problem->count, &p)) {
        carom_coulomb_report report;
        pose(problem, impulse, &p);
        coulomb_auto(&p.problem, &(carom_coulomb_limits){.tolerance = tolerance}, p.r, &report);
        *iterations += report.iterations;
        solved = report.word == CAROM_SOLVE_OK;
        for (int k = 0; solved && k < problem->count; k++)
            for (int i = 0; i <= problem->tangents[k]; i++)
                impulse[COMPONENTS * k + i] = p.r[COMPONENTS * k + i] / p.unit;
    }
    carom_arena_free(arena);
    return solved;
}

carom_solve_report carom_friction_auto(const carom_friction_problem *problem,
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
    if (is_round(problem))
        solve_posed(problem, 0.1 * options->tolerance, impulse, &iterations);
    report = carom_friction_gauss_seidel(problem, options, impulse, branch, failed_contact, error);
    report.iterations += iterations;
    return report;
}
