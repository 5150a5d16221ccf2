/* Several frictional contacts by Gauss-Seidel, and by solvers of FC(W, q, mu) where that is too slow.
 *
 * Plain sweeps end soon for most steps. When they do not, and all contacts have a round cone, the problem is
 * posed as FC(W, q, mu) and goes through the stages of its default solver that serve dense W: accelerated
 * sweeps, then proximal points with Newton's method. A few plain sweeps afterwards make it the solution of
 * the problem as given. All memory is taken in setup, some 30 matrices of contacts x contacts numbers. A
 * solve takes none unless these stages fail: then the default solver of FC(W, q, mu) with all its stages is
 * the last resort, which takes memory while it works. */
#include <stdlib.h>

#include "contact/coulomb/gauss_seidel.h"
#include "contact/coulomb/proximal.h"
#include "contact/solvers.h"
#include "step_coulomb.h"
#include "step_problem.h"

enum {
    PATIENT_SWEEPS = 200, /* before FC(W, q, mu) is posed */
    ACCELERATED_SWEEPS = 150,
    MEMORY = 8,
    PROXIMAL_POINTS = 40
};

typedef struct step_auto {
    step_coulomb *posed;
    coulomb_gauss_seidel *sweeps;
    coulomb_proximal *proximal;
} step_auto;

static void free_data(carom_solver *solver)
{
    step_auto *self = solver->data;
    step_coulomb_free(self->posed);
    coulomb_gauss_seidel_free(self->sweeps);
    coulomb_proximal_free(self->proximal);
    free(self);
}

static carom_status setup(carom_solver *solver, carom_error *error)
{
    const int contacts = solver->shape.size;
    struct coulomb_nsgs_options sweeps = coulomb_nsgs_defaults();
    sweeps.memory = MEMORY;
    sweeps.any_solution = true;
    const coulomb_proximal_options points = {.solver = COULOMB_PROXIMAL_NEWTON_GP,
                                             .alpha0_rel = 0.01,
                                             .omega = 1.0,
                                             .inner_iterations = 40,
                                             .full_steps = 8};
    step_auto *self = carom_new_array(1, sizeof *self);
    solver->data = self;
    if (!self)
        return carom_fail_memory(error);
    self->posed = step_coulomb_create(contacts);
    self->sweeps = coulomb_gauss_seidel_create(contacts, &sweeps);
    self->proximal = coulomb_proximal_create(
        &(carom_problem_shape){.size = contacts, .blocks = contacts * contacts}, &points);
    return self->posed && self->sweeps && self->proximal ? CAROM_OK : carom_fail_memory(error);
}

/* From the iterate in posed->r, which becomes the best one. */
static bool run_stages(step_auto *self, double tolerance, int *iterations)
{
    step_coulomb *p = self->posed;
    carom_solve_report report;
    coulomb_gauss_seidel_solve(
        self->sweeps, &p->problem,
        &(carom_solver_options){.tolerance = tolerance, .max_iterations = ACCELERATED_SWEEPS}, p->r, &report);
    *iterations += report.iterations;
    if (report.word == CAROM_SOLVE_OK)
        return true;
    coulomb_proximal_solve(self->proximal, &p->problem,
                           &(carom_solver_options){.tolerance = tolerance, .max_iterations = PROXIMAL_POINTS},
                           p->r, &report);
    *iterations += report.iterations;
    if (report.word == CAROM_SOLVE_OK)
        return true;
    carom_coulomb_solve(&coulomb_solver_auto, &p->problem, &(carom_solver_options){.tolerance = tolerance},
                        p->r, &report, NULL);
    *iterations += report.iterations;
    return report.word == CAROM_SOLVE_OK;
}

static void solve(carom_solver *solver, const carom_friction_problem *problem, double *impulse,
                  unsigned char *regime, carom_solve_report *report, carom_error *error)
{
    const double tolerance = solver->limits.tolerance;
    const int most = solver->limits.max_iterations, few = most < PATIENT_SWEEPS ? most : PATIENT_SWEEPS;
    friction_gauss_seidel(problem, tolerance, few, impulse, regime, report, error);
    if (report->word == CAROM_SOLVE_OK || report->failed_contact >= 0 || few == most)
        return;
    step_auto *self = solver->data;
    int iterations = report->iterations;
    if (step_is_round(problem)) {
        step_coulomb_pose(self->posed, problem, impulse);
        if (run_stages(self, 0.1 * tolerance, &iterations))
            step_coulomb_take_back(self->posed, problem, impulse);
    }
    friction_gauss_seidel(problem, tolerance, most, impulse, regime, report, error);
    report->iterations += iterations;
}

/* Every solve starts afresh. */
static void keep(carom_solver *solver, carom_snapshot *snapshot)
{
    (void)solver, (void)snapshot;
}

const carom_solver_ops carom_step_auto = {
    .name = "auto",
    .summary = "several contacts: sweeps, and where they are slow accelerated ones and proximal points with "
               "Newton's "
               "method",
    .kind = CAROM_PROBLEM_STEP,
    .tolerance = 1e-10,
    .max_iterations = FRICTION_SWEEPS,
    .setup = setup,
    .free = free_data,
    .keep = keep,
    .solve.step = solve,
};
