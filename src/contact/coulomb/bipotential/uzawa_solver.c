/* Uzawa's predictor and corrector as a solver of FC(W, q, mu): uzawa-bipotential, for round cones or for the
 * orthotropic ones that its options ask for. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/anderson.h"
#include "contact/coulomb/parts/watch.h"
#include "contact/elliptic.h"
#include "contact/solvers.h"
#include "uzawa.h"

enum {
    OPTION_SWEEP,
    OPTION_RHO,
    OPTION_VISITS,
    OPTION_MEMORY,
    OPTION_RATIO,
    OPTION_SLIP_RATIO,
    OPTION_ANGLE,
    OPTION_COUNT
};

enum {
    DEFAULT_ITERATIONS = 100000,
    SURE_LOOK = 25,       /* sweeps after which the error is computed in any case */
    LONG_PATIENCE = 2000, /* accelerated changes rise and fall without meaning that rho is too large */
};

static const char *const sweeps[] = {"gauss-seidel", "jacobi", NULL};
static const carom_option_info solver_options[OPTION_COUNT] = {
    [OPTION_SWEEP] = {"sweep", 0, 0, 1, sweeps, "contact after contact, or all at once"},
    [OPTION_RHO] = {"rho", 0, 0, 1e12, NULL,
                    "step; 0: 1 / largest eigenvalue, of W or of each contact's block. Halved where 50 "
                    "sweeps (accelerated: 2000) make no progress"},
    [OPTION_VISITS] = {"visits", 20, 1, 100000, NULL,
                       "most predictor and corrector steps at a contact per sweep; 1: as published"},
    [OPTION_MEMORY] = {"memory", 8, 0, COULOMB_ANDERSON_MOST, NULL,
                       "sweeps that Anderson's acceleration remembers; 0: none, as published"},
    [OPTION_RATIO] = {"ratio", 1, 1e-3, 1e3, NULL,
                      "orthotropic friction: mu_y = ratio mu, where mu_x is the mu of the problem"},
    [OPTION_SLIP_RATIO] = {"slip_ratio", 0, 0, 1e3, NULL,
                           "p_y / p_x of the slip potential; 0: as ratio, the associated rule"},
    [OPTION_ANGLE] = {"angle", 0, -1e3, 1e3, NULL,
                      "radians from the first tangent to the axis of mu_x, at every contact"},
};

/* The error costs a sweep: it is computed when the change is as small as the last quotient of error and
 * change makes hope. */
static void run_sweeps(coulomb_uzawa *uzawa, coulomb_anderson *anderson, coulomb_watch *watch, double *before,
                       double *r)
{
    const size_t bytes = 3 * (size_t)uzawa->problem->contacts * sizeof *r;
    carom_solve_report *report = watch->report;
    double change = INFINITY, hopeful = INFINITY;
    int since = 0;
    while (!coulomb_watch_is_over(watch)) {
        memcpy(before, r, bytes);
        change = coulomb_uzawa_advance(uzawa, r);
        report->iterations++;
        if (change <= hopeful || ++since >= SURE_LOOK) {
            since = 0;
            if (coulomb_watch_look(watch, r))
                return;
            hopeful = change * watch->limits->tolerance / watch->best_error;
        }
        if (change == 0.0) { /* a fixed point to rounding will not move any more */
            coulomb_watch_look(watch, r);
            report->word = CAROM_SOLVE_STALLED;
            return;
        }
        if (anderson->depth > 0)
            coulomb_anderson_step(anderson, before, r);
    }
    coulomb_watch_look(watch, r);
}

static carom_orthotropy orthotropy_of(const double *option)
{
    return (carom_orthotropy){.ratio = option[OPTION_RATIO],
                              .slip_ratio = option[OPTION_SLIP_RATIO],
                              .angle = option[OPTION_ANGLE]};
}

static bool is_round(const carom_orthotropy *orthotropy)
{
    return orthotropy->ratio == 1.0 && (orthotropy->slip_ratio == 0.0 || orthotropy->slip_ratio == 1.0);
}

typedef struct uzawa_solver {
    carom_elliptic_cone *cone;
    double *axes;
    double *work, *best, *before;
    coulomb_anderson anderson;
} uzawa_solver;

static void free_data(carom_solver *solver)
{
    uzawa_solver *self = solver->data;
    free(self->cone);
    free(self->axes);
    coulomb_anderson_free(&self->anderson);
    free(self);
}

static carom_status setup(carom_solver *solver, carom_error *error)
{
    const size_t contacts = (size_t)solver->shape.size;
    const int depth = (int)solver->option[OPTION_MEMORY];
    uzawa_solver *self = carom_new_array(1, sizeof *self);
    solver->data = self;
    if (!self)
        return carom_fail_memory(error);
    self->cone = carom_new_array(contacts, sizeof *self->cone);
    self->axes = carom_new_array((1 + COULOMB_UZAWA_WORK + 6) * contacts, sizeof *self->axes);
    const bool accelerated =
        depth == 0 || coulomb_anderson_create(&self->anderson, 3 * solver->shape.size, depth);
    if (!self->cone || !self->axes || !accelerated)
        return carom_fail_memory(error);
    self->work = self->axes + contacts;
    self->best = self->work + COULOMB_UZAWA_WORK * contacts;
    self->before = self->best + 3 * contacts;
    return CAROM_OK;
}

static void solve(carom_solver *solver, const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    uzawa_solver *self = solver->data;
    const double *option = solver->option;
    const carom_orthotropy asked = orthotropy_of(option);
    carom_elliptic_problem elliptic;
    if (elliptic_pose(problem, &asked, self->cone, self->axes, &elliptic, NULL) != CAROM_OK) {
        *report = (carom_solve_report){.word = CAROM_SOLVE_REFUSED, .error = INFINITY};
        return;
    }
    coulomb_uzawa uzawa = coulomb_uzawa_begin(&elliptic, (carom_uzawa_sweep)option[OPTION_SWEEP],
                                              option[OPTION_RHO], (int)option[OPTION_VISITS], self->work);
    if (self->anderson.depth > 0) {
        uzawa.patience = LONG_PATIENCE;
        coulomb_anderson_begin(&self->anderson, 3 * problem->contacts);
    }
    coulomb_watch watch;
    if (!coulomb_watch_begin_elliptic(&watch, problem, is_round(&asked) ? NULL : &elliptic, &solver->limits,
                                      DEFAULT_ITERATIONS, self->best, r, report))
        run_sweeps(&uzawa, &self->anderson, &watch, self->before, r);
    report->inner_iterations = uzawa.visited;
    coulomb_watch_end(&watch, report->word, r);
}

bool carom_solver_orthotropy(const carom_solver_ops *solver, const carom_option *option,
                             carom_orthotropy *orthotropy)
{
    double value[OPTION_COUNT];
    if (solver != &coulomb_solver_uzawa_bipotential ||
        carom_options_resolve(solver->name, OPTION_COUNT, solver_options, option, value, NULL) != CAROM_OK)
        return false;
    *orthotropy = orthotropy_of(value);
    return !is_round(orthotropy);
}

const carom_solver_ops coulomb_solver_uzawa_bipotential = {
    .name = "uzawa-bipotential",
    .summary = "Uzawa's predictor and corrector on the bipotential of Coulomb's law (de Saxce 2018): any W, "
               "no factorisation, step lengths that correct themselves; round or elliptic friction cones",
    .kind = CAROM_PROBLEM_COULOMB,
    .options = solver_options,
    .option_count = OPTION_COUNT,
    .tolerance = 1e-8,
    .max_iterations = DEFAULT_ITERATIONS,
    .setup = setup,
    .free = free_data,
    .solve.coulomb = solve,
};
