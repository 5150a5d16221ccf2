/* Uzawa's predictor and corrector (de Saxce 2018, section 9): for contacts with elliptic cones, and for steps
 * of quasi-static loading. */
#include "uzawa.h"

#include <math.h>
#include <stdlib.h>

carom_uzawa_options carom_uzawa_defaults(void)
{
    return (carom_uzawa_options){
        .sweep = CAROM_UZAWA_GAUSS_SEIDEL, .tolerance = 1e-12, .max_iterations = 100000, .visits = 1};
}

static carom_uzawa_options fill_options(const carom_uzawa_options *given)
{
    const carom_uzawa_options defaults = carom_uzawa_defaults();
    carom_uzawa_options options = given ? *given : defaults;
    options.tolerance = carom_given(options.tolerance, defaults.tolerance);
    if (options.max_iterations == 0)
        options.max_iterations = defaults.max_iterations;
    if (options.visits == 0)
        options.visits = defaults.visits;
    return options;
}

static carom_status check_options(const carom_uzawa_options *options, carom_error *error)
{
    if (!(options->rho >= 0.0) || !isfinite(options->rho))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "rho = %g must be positive, or 0 for 1 / largest eigenvalue", options->rho);
    if (!(options->tolerance >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "tolerance = %g must not be negative", options->tolerance);
    if (options->max_iterations < 1 || options->visits < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "at least one iteration and one visit are needed");
    return CAROM_OK;
}

static carom_status iterate(coulomb_uzawa *uzawa, const carom_uzawa_options *options, double *r,
                            carom_uzawa_report *report)
{
    const int size = 3 * uzawa->problem->contacts;
    while (report->iterations < options->max_iterations) {
        report->change = coulomb_uzawa_advance(uzawa, r);
        report->iterations++;
        const double length = fmax(sqrt(carom_dot(size, r, r)), options->scale);
        if (report->change <= options->tolerance * length)
            return CAROM_OK;
        if (!isfinite(report->change))
            break;
    }
    return CAROM_FAILED;
}

carom_uzawa_report carom_uzawa_solve(const carom_elliptic_problem *problem, const carom_uzawa_options *given,
                                     double *r, carom_error *error)
{
    const carom_uzawa_options filled = fill_options(given), *options = &filled;
    carom_uzawa_report report = {.status = check_options(options, error), .error = INFINITY};
    if (report.status != CAROM_OK)
        return report;
    double *work = carom_new_array(COULOMB_UZAWA_WORK * (size_t)problem->contacts, sizeof *work);
    if (!work) {
        report.status = carom_fail_memory(error);
        return report;
    }
    coulomb_uzawa uzawa = coulomb_uzawa_begin(problem, options->sweep, options->rho, options->visits, work);
    report.status = iterate(&uzawa, options, r, &report);
    report.halvings = uzawa.halvings;
    free(work);
    report.error = carom_elliptic_error(problem, r);
    report.certificate = carom_elliptic_certify(problem, r, NULL);
    if (report.status != CAROM_OK)
        carom_fail(
            error, report.status,
            "no convergence after %d iterations: last change %g, bipotential %g, penetration %g; lower "
            "rho, or allow more iterations. With much friction and coupling there may be no solution",
            report.iterations, report.change, report.certificate.power, report.certificate.penetration);
    return report;
}

carom_uzawa_report carom_uzawa_load_step(const carom_elliptic_problem *problem,
                                         const carom_uzawa_options *options, double *r, double *slip,
                                         double *dissipation, carom_error *error)
{
    const carom_uzawa_report report = carom_uzawa_solve(problem, options, r, error);
    if (report.status != CAROM_OK)
        return report;
    for (int a = 0; a < problem->contacts; a++) {
        double u[3];
        carom_blocks_row(&problem->W, a, r, problem->q, u);
        for (int k = 0; k < 2; k++) {
            slip[2 * (ptrdiff_t)a + k] += u[k + 1];
            *dissipation -= r[3 * (ptrdiff_t)a + k + 1] * u[k + 1];
        }
    }
    return report;
}
