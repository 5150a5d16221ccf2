/* Steps for solvers of FC(W, q, mu). */
#include "step_coulomb.h"

#include <math.h>
#include <stdlib.h>

#include "step_problem.h"

enum {
    COMPONENTS = 3,
    ROUNDS = 3 /* of ever smaller tolerances */
};

/* ---- memory ------------------------------------------------------------------------------------------- */

step_coulomb *step_coulomb_create(int contacts)
{
    const size_t n = (size_t)contacts;
    step_coulomb *p = carom_new_array(1, sizeof *p);
    if (!p)
        return NULL;
    p->row_start = carom_new_array(n + 1, sizeof *p->row_start);
    p->column = carom_new_array(carom_product(n, n), sizeof *p->column);
    p->diagonal = carom_new_array(n, sizeof *p->diagonal);
    p->block = carom_new_array(9 * n * n, sizeof *p->block);
    p->q = carom_new_array(3 * n, sizeof *p->q);
    p->mu = carom_new_array(n, sizeof *p->mu);
    p->r = carom_new_array(3 * n, sizeof *p->r);
    if (p->row_start && p->column && p->diagonal && p->block && p->q && p->mu && p->r)
        return p;
    step_coulomb_free(p);
    return NULL;
}

void step_coulomb_free(step_coulomb *p)
{
    if (!p)
        return;
    free(p->row_start);
    free(p->column);
    free(p->diagonal);
    free(p->block);
    free(p->q);
    free(p->mu);
    free(p->r);
    free(p);
}

/* ---- the problem -------------------------------------------------------------------------------------- */

/* Radius of the contact's disk; -1: the set is no disk. */
static double step_radius(const carom_friction_problem *problem, int contact)
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

bool step_is_round(const carom_friction_problem *problem)
{
    for (int k = 0; k < problem->count; k++)
        if (step_radius(problem, k) < 0.0)
            return false;
    return true;
}

/* Entries of tangents that a contact does not have are those of the unit matrix. */
static double entry_of(const carom_friction_problem *problem, const step_coulomb *p, int i, int j)
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

void step_coulomb_pose(step_coulomb *p, const carom_friction_problem *problem, const double *impulse)
{
    const int n = problem->count;
    p->unit = mean_normal_entry(problem);
    for (int k = 0; k < n; k++) {
        p->row_start[k + 1] = n * (k + 1);
        p->diagonal[k] = n * k + k;
        p->mu[k] = step_radius(problem, k);
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

void step_coulomb_take_back(const step_coulomb *p, const carom_friction_problem *problem, double *impulse)
{
    for (int k = 0; k < problem->count; k++)
        for (int i = 0; i <= problem->tangents[k]; i++)
            impulse[COMPONENTS * k + i] = p->r[COMPONENTS * k + i] / p->unit;
}

/* ---- its solution ------------------------------------------------------------------------------------- */

/* Names the solvers that take any cone. */
static void refuse(const carom_solver *solver, const carom_friction_problem *problem,
                   carom_solve_report *report, carom_error *error)
{
    carom_text names = {0};
    for (size_t i = 0; i < carom_solver_count(CAROM_PROBLEM_STEP); i++) {
        const carom_solver_ops *other = carom_solver_at(CAROM_PROBLEM_STEP, i);
        if (other->kind == CAROM_PROBLEM_STEP)
            carom_text_append(&names, "%s'%s'", names.length ? ", " : "", other->name);
    }
    int contact = 0;
    while (contact < problem->count - 1 && step_radius(problem, contact) >= 0.0)
        contact++;
    carom_fail(error, CAROM_BAD_INPUT,
               "solver '%s' is for round friction cones, and that of contact %d of the step is not round; "
               "solvers for "
               "any cone: %s",
               solver->ops->name, contact, names.bytes ? names.bytes : "");
    carom_text_free(&names);
    report->word = CAROM_SOLVE_REFUSED;
}

/* The tolerance of FC(W, q, mu), whose error is that of all contacts together and relative to |q|. */
static double tolerance_of(const step_coulomb *p, double tolerance, double velocity)
{
    const int size = COMPONENTS * p->problem.contacts;
    const double q = sqrt(carom_dot(size, p->q, p->q));
    return q > 0.0 ? 0.1 * tolerance * velocity / q : tolerance;
}

void step_coulomb_solve(carom_solver *solver, const carom_friction_problem *problem, double *impulse,
                        unsigned char *regime, carom_solve_report *report, carom_error *error)
{
    step_coulomb *p = solver->step;
    const double tolerance = solver->limits.tolerance;
    if (!step_is_round(problem)) {
        report->error = carom_friction_problem_error(problem, impulse);
        refuse(solver, problem, report, error);
        return;
    }
    step_coulomb_pose(p, problem, impulse);
    solver->limits.tolerance = tolerance_of(p, tolerance, friction_largest_velocity(problem));
    int iterations = 0;
    /* The measures of the two problems differ: what is not close enough yet is solved more closely. */
    for (int round = 0; round < ROUNDS; round++) {
        solver->ops->solve.coulomb(solver, &p->problem, p->r, report);
        iterations += report->iterations;
        step_coulomb_take_back(p, problem, impulse);
        report->error = carom_friction_problem_error(problem, impulse);
        if (report->error <= tolerance || report->word != CAROM_SOLVE_OK)
            break;
        solver->limits.tolerance *= 0.01;
    }
    solver->limits.tolerance = tolerance;
    report->iterations = iterations;
    report->failed_contact = -1;
    friction_find_regimes(problem, impulse, regime);
    if (report->error <= tolerance) {
        report->word = CAROM_SOLVE_OK;
        return;
    }
    if (report->word == CAROM_SOLVE_OK)
        report->word = CAROM_SOLVE_STALLED;
    carom_fail(error, CAROM_FAILED,
               "the impulses of %d contacts were not found by '%s' (%s): relative error %g after "
               "%d iterations",
               problem->count, solver->ops->name, carom_solve_word_text(report->word), report->error,
               iterations);
}
