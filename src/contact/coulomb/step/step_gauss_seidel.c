/* Block Gauss-Seidel for several frictional contacts. Jean 1999, "The non-smooth contact dynamics method",
 * Comput. Methods Appl. Mech. Engrg. 177, 235-257. */
#include <math.h>

#include "step_problem.h"

enum {
    COMPONENTS = 3
};

/* Slow convergence makes small steps far from the solution: the error is looked at when the sweeps change the
 * velocities by less than this share of the tolerance. */
static const double change_share = 1e-3;

carom_friction_gauss_seidel_options carom_friction_gauss_seidel_defaults(void)
{
    return (carom_friction_gauss_seidel_options){.max_sweeps = 10000, .tolerance = 1e-10};
}

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
    *result = (carom_friction_result){.branch = CAROM_CONTACT_OPEN};
    return CAROM_OK;
}

/* One pass over the contacts; the largest change of a velocity. */
static carom_status sweep(const carom_friction_problem *problem, double *impulse, unsigned char *branch,
                          double *change, int *failed_contact, carom_error *error)
{
    *change = 0.0;
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
        branch[k] = (unsigned char)result.branch;
    }
    return CAROM_OK;
}

/* No velocities: no impulses. */
static carom_solve_report solve_at_rest(const carom_friction_problem *problem, double *impulse,
                                        unsigned char *branch)
{
    for (int k = 0; k < problem->count; k++) {
        for (int i = 0; i <= problem->tangents[k]; i++)
            impulse[COMPONENTS * k + i] = 0.0;
        branch[k] = CAROM_CONTACT_OPEN;
    }
    return (carom_solve_report){.status = CAROM_OK};
}

carom_solve_report carom_friction_gauss_seidel(const carom_friction_problem *problem,
                                               const carom_friction_gauss_seidel_options *options,
                                               double *impulse, unsigned char *branch, int *failed_contact,
                                               carom_error *error)
{
    *failed_contact = -1;
    const double scale = friction_largest_velocity(problem);
    if (scale == 0.0)
        return solve_at_rest(problem, impulse, branch);
    const double settled = change_share * options->tolerance * scale;
    carom_solve_report report = {.status = CAROM_FAILED, .error = INFINITY};
    for (double change = INFINITY; report.iterations < options->max_sweeps && change > 0.0;) {
        carom_status status = sweep(problem, impulse, branch, &change, failed_contact, error);
        report.iterations++;
        if (status != CAROM_OK) {
            report.status = status;
            report.error = carom_friction_problem_error(problem, impulse);
            return report;
        }
        /* One contact alone is solved by one sweep. */
        if (problem->count > 1 && change > settled && report.iterations < options->max_sweeps)
            continue;
        report.error = carom_friction_problem_error(problem, impulse);
        if (report.error <= options->tolerance) {
            report.status = CAROM_OK;
            return report;
        }
    }
    carom_fail(error, CAROM_FAILED,
               "the impulses of %d contacts did not converge: relative error %g after %d sweeps",
               problem->count, report.error, report.iterations);
    return report;
}
