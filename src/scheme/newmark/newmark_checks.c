#include "newmark_checks.h"

#include <math.h>

/* Violation of the first positions that is taken for rounding, relative to the size of the bound. */
static const double rounding = 1e-9;

static carom_status check_stability(double kappa, double h, double beta, carom_error *error)
{
    /* The energy of the scheme is positive while M + h^2 (beta - 1/4) S is. */
    const double limit = 2.0 / sqrt(kappa * (1.0 - 4.0 * beta));
    if (h <= limit)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the step h = %g is unstable with beta = %g: the largest eigenvalue of stiffness and mass "
        "is kappa = %.7g, so h must not exceed 2/sqrt(kappa (1 - 4 beta)) = %.4g (the convergence "
        "proof asks for h < sqrt(2/(kappa (1 - 2 beta))) = %.4g); take a smaller h, fewer "
        "elements, or beta >= 1/4, which has no limit",
        h, beta, kappa, limit, sqrt(2.0 / (kappa * (1.0 - 2.0 * beta))));
}

carom_status newmark_check_step(const carom_structure *structure, double h, double beta,
                                carom_warnings *warnings, carom_error *error)
{
    const bool bounces = structure->restitution > 0.0 && structure->rows > 0;
    if (beta >= 0.25 && !bounces)
        return CAROM_OK;
    double kappa = 0.0;
    carom_status status = carom_band_eigenvalue(&structure->stiffness, &structure->mass, structure->mass.size,
                                                &kappa, NULL, error);
    if (status != CAROM_OK)
        return status;
    if (beta < 0.25)
        status = check_stability(kappa, h, beta, error);
    const double omega_h = sqrt(kappa) * h;
    if (status == CAROM_OK && bounces && omega_h > 1.0)
        carom_warn(warnings, "e>0 and omega_max*h=%g > 1: the scheme may create energy at contact", omega_h);
    return status;
}

static double displacement(const carom_structure *structure, int row, const double *u)
{
    double sum = 0.0;
    for (int k = structure->row_start[row]; k < structure->row_start[row + 1]; k++)
        sum += structure->entry[k] * u[structure->column[k]];
    return sum;
}

carom_status newmark_check_position(const carom_model *model, const carom_structure *structure,
                                    const double *u, const char *when, const char *advice, carom_error *error)
{
    double worst = 0.0;
    int at = -1;
    for (int i = 0; i < structure->rows; i++) {
        const double d = displacement(structure, i, u);
        const double violation = fmax(structure->lower[i] - d, d - structure->upper[i]);
        if (violation > worst && violation > rounding * fmax(fabs(d), fabs(d + violation))) {
            worst = violation;
            at = i;
        }
    }
    if (at < 0)
        return CAROM_OK;
    const double d = displacement(structure, at, u);
    const bool below = d < structure->lower[at];
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the position %s lies outside the obstacles: contact '%s' at x = %.10g, displacement %.10g is %s "
        "%.10g "
        "by %.10g; %s",
        when, model->contact[below ? structure->lower_contact[at] : structure->upper_contact[at]].name,
        structure->place[at], d, below ? "below" : "above",
        below ? structure->lower[at] : structure->upper[at], worst, advice);
}

void newmark_warn_about_rest(const carom_model *model, const carom_structure *structure,
                             carom_warnings *warnings)
{
    for (int i = 0; i < structure->rows; i++) {
        const bool from_below = structure->lower[i] > 0.0, from_above = structure->upper[i] < 0.0;
        if (!from_below && !from_above)
            continue;
        carom_warn(
            warnings, "obstacle crosses the rest position: contact '%s' at x = %g has its bound at %g",
            model->contact[from_below ? structure->lower_contact[i] : structure->upper_contact[i]].name,
            structure->place[i], from_below ? structure->lower[i] : structure->upper[i]);
        return;
    }
}
