/* Block Gauss-Seidel for several frictional contacts. Jean 1999, "The non-smooth contact dynamics method",
 * Comput. Methods Appl. Mech. Engrg. 177, 235-257. */
#include <math.h>

#include "contact/solvers.h"
#include "step_problem.h"

enum {
    COMPONENTS = 3
};

/* Slow convergence makes small steps far from the solution: the error is looked at when the sweeps change the
 * velocities by less than this share of the tolerance. */
static const double change_share = 1e-3;

/* Takes over a new impulse; the largest change of the contact's relative velocity that it makes. */
static double replace_impulse(const carom_friction_contact *contact, const double *next, double *impulse)
{
    double change = 0.0;
    for (int i = 0; i <= contact->tangents; i++) {
        double du = 0.0;
        for (int j = 0; j <= contact->tangents; j++)
            du += contact->W[i][j] * (next[j] - impulse[j]);
        if (fabs(du) > change)
            change = fabs(du);
    }
    for (int i = 0; i <= contact->tangents; i++)
        impulse[i] = next[i];
    return change;
}

static carom_status solve_contact(const carom_friction_contact *contact, carom_friction_result *result,
                                  carom_error *error)
{
    if (!(contact->u_free[0] >= contact->target))
        return carom_friction_contact_solve(contact, result, error);
    *result = (carom_friction_result){.regime = CAROM_CONTACT_OPEN};
    return CAROM_OK;
}

/* One pass over the contacts; the largest change of a velocity, and by what the last contact misses its law. */
static carom_status sweep(const carom_friction_problem *problem, double *impulse, unsigned char *regime,
                          double *change, double *missed, int *failed_contact, carom_error *error)
{
    *change = *missed = 0.0;
    for (int k = 0; k < problem->count; k++) {
        const carom_friction_contact contact = friction_contact_among(problem, impulse, k);
        carom_friction_result result;
        carom_status status = solve_contact(&contact, &result, error);
        if (status != CAROM_OK) {
            *failed_contact = k;
            return status;
        }
        double moved = replace_impulse(&contact, result.impulse, impulse + (ptrdiff_t)COMPONENTS * k);
        if (moved > *change)
            *change = moved;
        regime[k] = (unsigned char)result.regime;
        *missed = result.error;
    }
    return CAROM_OK;
}

/* No velocities: no impulses. */
static void solve_at_rest(const carom_friction_problem *problem, double *impulse, unsigned char *regime)
{
    for (int k = 0; k < problem->count; k++) {
        for (int i = 0; i <= problem->tangents[k]; i++)
            impulse[COMPONENTS * k + i] = 0.0;
        regime[k] = CAROM_CONTACT_OPEN;
    }
}

void friction_sweeps(const carom_friction_problem *problem, double tolerance, int max_sweeps, double *impulse,
                     unsigned char *regime, carom_solve_report *report, carom_error *error)
{
    *report = (carom_solve_report){.failed_contact = -1};
    const double scale = friction_largest_velocity(problem);
    if (scale == 0.0) {
        solve_at_rest(problem, impulse, regime);
        return;
    }
    const double settled = change_share * tolerance * scale;
    double change = INFINITY, missed = INFINITY;
    report->error = INFINITY;
    while (report->iterations < max_sweeps && change > 0.0) {
        report->status = sweep(problem, impulse, regime, &change, &missed, &report->failed_contact, error);
        report->iterations++;
        if (report->status != CAROM_OK) {
            report->word = CAROM_SOLVE_LOCAL;
            report->error = carom_friction_problem_error(problem, impulse);
            return;
        }
        /* One contact alone is solved by one sweep. */
        if (problem->count > 1 && change > settled && report->iterations < max_sweeps)
            continue;
        /* its own measure, by which it was proved, is that of the problem */
        report->error = problem->count == 1 && isfinite(missed / scale)
                            ? missed / scale
                            : carom_friction_problem_error(problem, impulse);
        if (report->error <= tolerance)
            return;
    }
    report->word = change > 0.0 ? CAROM_SOLVE_ITERATIONS : CAROM_SOLVE_STALLED;
    report->status = CAROM_FAILED;
}

void friction_tell_unsettled(const carom_friction_problem *problem, const carom_solve_report *report,
                             carom_error *error)
{
    if (report->word == CAROM_SOLVE_ITERATIONS || report->word == CAROM_SOLVE_STALLED)
        carom_fail(error, CAROM_FAILED,
                   "the impulses of %d contacts did not converge: relative error %g after %d sweeps",
                   problem->count, report->error, report->iterations);
}

void friction_gauss_seidel(const carom_friction_problem *problem, double tolerance, int max_sweeps,
                           double *impulse, unsigned char *regime, carom_solve_report *report,
                           carom_error *error)
{
    friction_sweeps(problem, tolerance, max_sweeps, impulse, regime, report, error);
    friction_tell_unsettled(problem, report, error);
}

static void solve(carom_solver *self, const carom_friction_problem *problem, double *impulse,
                  unsigned char *regime, carom_solve_report *report, carom_error *error)
{
    friction_gauss_seidel(problem, self->limits.tolerance, self->limits.max_iterations, impulse, regime,
                          report, error);
}

const carom_solver_ops carom_step_nsgs = {
    .name = "nsgs",
    .summary =
        "several contacts: block Gauss-Seidel sweeps with the one-contact solver (Jean 1999), first order",
    .kind = CAROM_PROBLEM_STEP,
    .tolerance = 1e-10,
    .max_iterations = FRICTION_SWEEPS,
    .solve.step = solve,
};
