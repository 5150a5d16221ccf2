/* Solves FC(W, q, mu) between pairs of bodies: a start that is a solution needs no W; else W is made, and a solver of
 * COULOMB sees it with impulses in the unit of velocities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solvers.h"
#include "pairs_blocks.h"

struct carom_pairs_solver {
    carom_solver *solver; /* made for the first problem that needs it */
    const carom_solver_ops *ops;
    carom_solver_options options;
    double tolerance;
    pairs_blocks blocks;
    double *scaled, *mu; /* impulses times the scale, 3 per contact; coefficients */
    size_t room;
};

carom_status carom_pairs_solver_create(const carom_solver_ops *ops, const carom_solver_options *options,
                                       carom_pairs_solver **solver, carom_error *error)
{
    *solver = NULL;
    carom_pairs_solver *self = carom_new_array(1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    self->ops = ops ? ops : &coulomb_solver_auto;
    if (options)
        self->options = *options;
    /* made now, so that wrong options are told now */
    const carom_status status =
        carom_solver_create(self->ops, &(carom_problem_shape){.size = 1}, &self->options, &self->solver, error);
    if (status != CAROM_OK) {
        free(self);
        return status;
    }
    self->options.option = NULL; /* the caller's, read by create only */
    self->tolerance = self->solver->limits.tolerance;
    *solver = self;
    return CAROM_OK;
}

void carom_pairs_solver_free(carom_pairs_solver *solver)
{
    if (!solver)
        return;
    carom_solver_free(solver->solver);
    pairs_blocks_free(&solver->blocks);
    free(solver->scaled);
    free(solver->mu);
    free(solver);
}

static bool take_room(carom_pairs_solver *self, size_t contacts)
{
    if (contacts <= self->room)
        return true;
    const size_t room = contacts + contacts / 2;
    double *scaled = realloc(self->scaled, 3 * room * sizeof *scaled);
    if (scaled)
        self->scaled = scaled;
    double *mu = realloc(self->mu, room * sizeof *mu);
    if (mu)
        self->mu = mu;
    if (!scaled || !mu)
        return false;
    self->room = room;
    return true;
}

static carom_solve_report solve_blocks(carom_pairs_solver *self, const carom_pairs *problem, double scale, double *r)
{
    const int n = problem->contacts;
    if (!take_room(self, (size_t)n) || !pairs_blocks_assemble(&self->blocks, problem, scale))
        return (carom_solve_report){.status = CAROM_NO_MEMORY, .word = CAROM_SOLVE_MEMORY, .error = INFINITY};
    for (int i = 0; i < n; i++) {
        self->mu[i] = problem->row[i].mu;
        for (int k = 0; k < 3; k++)
            self->scaled[3 * i + k] = scale * r[3 * i + k];
    }
    const carom_coulomb coulomb = {.contacts = n, .W = self->blocks.W, .q = problem->q, .mu = self->mu};
    const carom_solve_report report = carom_solver_coulomb(self->solver, &coulomb, self->scaled);
    for (int i = 0; i < 3 * n; i++)
        r[i] = self->scaled[i] / scale;
    return report;
}

carom_solve_report carom_pairs_solve(carom_pairs_solver *solver, const carom_pairs *problem, double *r,
                                     double *velocity)
{
    carom_solve_report report = {.word = CAROM_SOLVE_OK};
    const double scale = carom_pairs_scale(problem);
    carom_pairs_motion(problem, r, velocity);
    report.error = carom_pairs_error(problem, scale, r, velocity);
    if (report.error <= solver->tolerance || !(scale > 0.0))
        return report;
    report = solve_blocks(solver, problem, scale, r);
    carom_pairs_motion(problem, r, velocity);
    report.error = carom_pairs_error(problem, scale, r, velocity);
    return report;
}
