/* The contacts of a step with friction, by whatever serves.
 *
 *   one contact: its closed form
 *   a few plain sweeps, which most steps need
 *     -> Newton's method for all contacts at once, from the impulses of the sweeps; two contacts: what they do is
 *        tried out where it fails
 *   round cones:
 *     -> posed as FC(W, q, mu): accelerated sweeps
 *     -> Newton's method from there
 *     -> proximal points with Newton's method
 *     -> the default solver of FC(W, q, mu), which looks for islands and tries all there is
 *     -> plain sweeps, as long as they may
 *
 * Each stage begins with the best impulses so far, and the error that is believed is that of the problem as given. All
 * memory is taken in setup, some 30 matrices of contacts x contacts numbers. A solve takes none unless all stages but
 * the default solver of FC(W, q, mu) fail, which takes memory while it works. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/gauss_seidel.h"
#include "contact/coulomb/proximal.h"
#include "contact/solvers.h"
#include "step_coulomb.h"
#include "step_newton.h"
#include "step_problem.h"

enum {
    FIRST_SWEEPS = 10,     /* before Newton's method */
    OTHER_SWEEPS = 200,    /* where there is none */
    NEWTON_CONTACTS = 150, /* up to which its full matrices are worth while */
    NEWTON_STEPS = 12,
    ACCELERATED_SWEEPS = 150,
    MEMORY = 8,
    PROXIMAL_POINTS = 40
};

/* Newton's method is worth a step more until the error is this small: the first digits are the costly ones. */
static const double newton_share = 1e-3, newton_smallest = 1e-14;

typedef struct step_auto {
    step_newton *newton;
    step_coulomb *posed;
    coulomb_gauss_seidel *sweeps;
    coulomb_proximal *proximal;
    double *kept; /* 3 per contact */
} step_auto;

static void free_data(carom_solver *solver)
{
    step_auto *self = solver->data;
    step_newton_free(self->newton);
    step_coulomb_free(self->posed);
    coulomb_gauss_seidel_free(self->sweeps);
    coulomb_proximal_free(self->proximal);
    free(self->kept);
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
    self->newton = step_newton_create(contacts < NEWTON_CONTACTS ? contacts : NEWTON_CONTACTS);
    self->posed = step_coulomb_create(contacts);
    self->sweeps = coulomb_gauss_seidel_create(contacts, &sweeps);
    self->proximal = coulomb_proximal_create(
        &(carom_problem_shape){.size = contacts, .blocks = contacts * contacts}, &points);
    self->kept = carom_new_array(3 * (size_t)contacts, sizeof *self->kept);
    return self->kept && self->newton && self->posed && self->sweeps && self->proximal
               ? CAROM_OK
               : carom_fail_memory(error);
}

/* One solution on its way. */
typedef struct progress {
    step_auto *self;
    const carom_friction_problem *problem;
    double tolerance;
    double *impulse; /* the best so far ... */
    double error;    /* ... and its error */
    int iterations;
} progress;

static bool is_solved(const progress *p)
{
    return p->error <= p->tolerance;
}

/* True when the problem is solved. */
static bool run_newton(progress *p)
{
    if (p->problem->count > NEWTON_CONTACTS || !step_newton_takes(p->problem))
        return false;
    const double aim = fmax(newton_share * p->tolerance, newton_smallest);
    p->error = step_newton_solve(p->self->newton, p->problem, aim, NEWTON_STEPS, p->impulse, &p->iterations);
    if (!is_solved(p) && step_newton_enumerate(p->self->newton, p->problem, p->tolerance, p->impulse))
        p->error = carom_friction_problem_error(p->problem, p->impulse);
    return is_solved(p);
}

/* What a solver of FC(W, q, mu) has found, when it is better. */
static bool take_posed(progress *p, const carom_solve_report *report)
{
    double *kept = p->self->kept;
    const size_t bytes = 3 * (size_t)p->problem->count * sizeof *kept;
    p->iterations += report->iterations;
    memcpy(kept, p->impulse, bytes);
    step_coulomb_take_back(p->self->posed, p->problem, p->impulse);
    const double error = carom_friction_problem_error(p->problem, p->impulse);
    if (error < p->error)
        p->error = error;
    else
        memcpy(p->impulse, kept, bytes);
    return is_solved(p);
}

static void run_stages(progress *p)
{
    step_auto *self = p->self;
    step_coulomb *posed = self->posed;
    const double tolerance = 0.1 * p->tolerance;
    carom_solve_report report;
    step_coulomb_pose(posed, p->problem, p->impulse);
    coulomb_gauss_seidel_solve(
        self->sweeps, &posed->problem,
        &(carom_solver_options){.tolerance = tolerance, .max_iterations = ACCELERATED_SWEEPS}, posed->r,
        &report);
    if (take_posed(p, &report) || run_newton(p))
        return;
    step_coulomb_pose(posed, p->problem, p->impulse);
    coulomb_proximal_solve(self->proximal, &posed->problem,
                           &(carom_solver_options){.tolerance = tolerance, .max_iterations = PROXIMAL_POINTS},
                           posed->r, &report);
    if (take_posed(p, &report))
        return;
    carom_coulomb_solve(&coulomb_solver_auto, &posed->problem,
                        &(carom_solver_options){.tolerance = tolerance}, posed->r, &report, NULL);
    take_posed(p, &report);
}

/* Plain sweeps from the best impulses, which remain the best unless they are bettered. */
static void sweep_at_last(progress *p, int most, unsigned char *regime, carom_solve_report *report,
                          carom_error *error)
{
    double *kept = p->self->kept;
    const size_t bytes = 3 * (size_t)p->problem->count * sizeof *kept;
    memcpy(kept, p->impulse, bytes);
    friction_gauss_seidel(p->problem, p->tolerance, most, p->impulse, regime, report, error);
    if (report->error <= p->error || report->failed_contact >= 0)
        return;
    memcpy(p->impulse, kept, bytes);
    report->error = p->error;
    friction_find_regimes(p->problem, p->impulse, regime);
}

static void solve(carom_solver *solver, const carom_friction_problem *problem, double *impulse,
                  unsigned char *regime, carom_solve_report *report, carom_error *error)
{
    const double tolerance = solver->limits.tolerance;
    const bool for_newton = problem->count <= NEWTON_CONTACTS && step_newton_takes(problem);
    const int most = solver->limits.max_iterations;
    int few = !for_newton ? OTHER_SWEEPS : problem->count == 2 ? 1 : FIRST_SWEEPS;
    few = most < few ? most : few;
    friction_sweeps(problem, tolerance, few, impulse, regime, report, error);
    if (few == most)
        friction_tell_unsettled(problem, report, error);
    /* sweeps that have settled are closer than the tolerance asks: so is Newton's method */
    const bool settled = report->iterations < few || report->error <= newton_share * tolerance;
    if (report->failed_contact >= 0 || few == most || (report->word == CAROM_SOLVE_OK && settled))
        return;
    progress p = {.self = solver->data,
                  .problem = problem,
                  .tolerance = tolerance,
                  .impulse = impulse,
                  .error = report->error,
                  .iterations = report->iterations};
    if (!run_newton(&p) && step_is_round(problem))
        run_stages(&p);
    if (is_solved(&p)) {
        friction_find_regimes(problem, impulse, regime);
        *report = (carom_solve_report){.error = p.error, .failed_contact = -1};
    } else {
        sweep_at_last(&p, most, regime, report, error);
    }
    report->iterations += p.iterations;
}

/* Every solve starts afresh. */
static void keep(carom_solver *solver, carom_snapshot *snapshot)
{
    (void)solver, (void)snapshot;
}

const carom_solver_ops carom_step_auto = {
    .name = "auto",
    .summary =
        "several contacts: a few sweeps, Newton's method for all at once, and where that fails accelerated "
        "sweeps, proximal points and all the default solver of FC(W, q, mu) tries",
    .kind = CAROM_PROBLEM_STEP,
    .tolerance = 1e-10,
    .max_iterations = FRICTION_SWEEPS,
    .setup = setup,
    .free = free_data,
    .keep = keep,
    .solve.step = solve,
};
