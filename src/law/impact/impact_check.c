/* Are the data of an impact sound? Every message says which number is wrong, and what would be right. */
#include <math.h>

#include "contact_space.h"

static carom_status check_sizes(const carom_impact_sizes *sizes, const carom_impact *impact,
                                carom_error *error)
{
    if (impact->coordinates < 1 || impact->contacts < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an impact of %d coordinates and %d contacts: there must be a coordinate",
                          impact->coordinates, impact->contacts);
    if (impact->coordinates > sizes->coordinates || impact->contacts > sizes->contacts)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an impact of %d coordinates and %d contacts does not fit a work made for %d and "
                          "%d",
                          impact->coordinates, impact->contacts, sizes->coordinates, sizes->contacts);
    if (impact->mass && !sizes->full_mass)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a full mass matrix does not fit a work made for masses: set full_mass in its "
                          "sizes");
    if (!impact->mass && !impact->masses)
        return carom_fail(error, CAROM_BAD_INPUT, "there are neither a mass matrix nor masses");
    if (!impact->velocity)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no velocity before the impact");
    if (impact->contacts > 0 &&
        (!impact->column_start || !impact->row || !impact->value || !impact->restitution))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "directions (column_start, row, value) or restitution of %d contacts are missing",
                          impact->contacts);
    return CAROM_OK;
}

static carom_status check_joints(const carom_impact_sizes *sizes, const carom_impact *impact,
                                 carom_error *error)
{
    const ptrdiff_t n = impact->coordinates;
    if (impact->joints == 0)
        return CAROM_OK;
    if (impact->joints < 0 || impact->joints > sizes->joints || !impact->joint)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d joints%s do not fit a work made for %d: set joints in its sizes",
                          impact->joints, impact->joint ? "" : " without rows", sizes->joints);
    for (ptrdiff_t k = 0; k < impact->joints * n; k++)
        if (!isfinite(impact->joint[k]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the direction of joint %td is %g at coordinate %td; it must be finite",
                              k / n + 1, impact->joint[k], k % n + 1);
    return CAROM_OK;
}

/* W by columns: starts that begin with 0, do not fall, and end where there is memory. */
static carom_status check_columns(const carom_impact_sizes *sizes, const carom_impact *impact,
                                  carom_error *error)
{
    const int *start = impact->column_start;
    if (impact->contacts == 0)
        return CAROM_OK;
    if (start[0] != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "column_start must begin with 0 (got %d)", start[0]);
    for (int contact = 0; contact < impact->contacts; contact++)
        if (start[contact + 1] < start[contact])
            return carom_fail(error, CAROM_BAD_INPUT, "column_start falls from %d to %d at contact %d",
                              start[contact], start[contact + 1], contact + 1);
    if (start[impact->contacts] > sizes->entries)
        return carom_fail(error, CAROM_BAD_INPUT, "directions with %d entries do not fit a work made for %d",
                          start[impact->contacts], sizes->entries);
    return CAROM_OK;
}

static carom_status check_masses(const carom_impact *impact, carom_error *error)
{
    for (int i = 0; i < impact->coordinates; i++)
        if (!(impact->masses[i] > 0.0 && isfinite(impact->masses[i])))
            return carom_fail(error, CAROM_BAD_INPUT, "mass %d must be positive and finite (got %g)", i + 1,
                              impact->masses[i]);
    return CAROM_OK;
}

/* Coordinates may have different units: entry (i, j) is compared with sqrt(M_ii M_jj). */
static carom_status check_mass_matrix(const carom_impact *impact, carom_error *error)
{
    const ptrdiff_t n = impact->coordinates;
    const double *mass = impact->mass;
    for (ptrdiff_t k = 0; k < n * n; k++)
        if (!isfinite(mass[k]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "entry (%td, %td) of the mass matrix is %g; it must be finite", k / n + 1,
                              k % n + 1, mass[k]);
    for (ptrdiff_t i = 0; i < n; i++)
        if (!(mass[i * n + i] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the mass matrix is not positive definite: its diagonal entry %td is %g", i + 1,
                              mass[i * n + i]);
    double asymmetry = 0.0;
    bool symmetric = true;
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t j = 0; j < i; j++) {
            const double difference = fabs(mass[i * n + j] - mass[j * n + i]);
            asymmetry = fmax(asymmetry, difference);
            symmetric = symmetric && difference <= 1e-12 * sqrt(mass[i * n + i]) * sqrt(mass[j * n + j]);
        }
    if (!symmetric)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the mass matrix is not symmetric: it differs from its transpose by up to %g",
                          asymmetry);
    return CAROM_OK;
}

static carom_status check_direction(const carom_impact *impact, int contact, carom_error *error)
{
    for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++) {
        if (impact->row[k] < 0 || impact->row[k] >= impact->coordinates)
            return carom_fail(error, CAROM_BAD_INPUT, "contact %d moves coordinate %d of %d", contact + 1,
                              impact->row[k] + 1, impact->coordinates);
        if (!isfinite(impact->value[k]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the direction of contact %d is %g at coordinate %d; it must be finite",
                              contact + 1, impact->value[k], impact->row[k] + 1);
    }
    return CAROM_OK;
}

static carom_status check_contact(const carom_impact *impact, int contact, bool allow_gain,
                                  carom_error *error)
{
    const double restitution = impact->restitution[contact];
    if (!(restitution >= 0.0) || !isfinite(restitution) || (restitution > 1.0 && !allow_gain))
        return carom_fail(error, CAROM_BAD_INPUT, "restitution of contact %d must lie in [0, 1] (got %g)%s",
                          contact + 1, restitution, restitution > 1.0 ? ": above 1 it creates energy" : "");
    if (impact->rate && !isfinite(impact->rate[contact]))
        return carom_fail(error, CAROM_BAD_INPUT, "the rate of contact %d is %g; it must be finite",
                          contact + 1, impact->rate[contact]);
    if (impact->stiffness && !(impact->stiffness[contact] > 0.0 && isfinite(impact->stiffness[contact])))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "stiffness of contact %d must be positive and finite (got %g)", contact + 1,
                          impact->stiffness[contact]);
    if (impact->exponent && !(impact->exponent[contact] > 0.0 && isfinite(impact->exponent[contact])))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "exponent of contact %d must be positive and finite (got %g); the limit 0 is law "
                          "moreau",
                          contact + 1, impact->exponent[contact]);
    return check_direction(impact, contact, error);
}

carom_status impact_check(const carom_impact_sizes *sizes, const carom_impact *impact, bool allow_gain,
                          carom_error *error)
{
    carom_status status = check_sizes(sizes, impact, error);
    if (status == CAROM_OK)
        status = check_joints(sizes, impact, error);
    if (status == CAROM_OK)
        status = check_columns(sizes, impact, error);
    if (status == CAROM_OK)
        status = impact->mass ? check_mass_matrix(impact, error) : check_masses(impact, error);
    for (int contact = 0; status == CAROM_OK && contact < impact->contacts; contact++)
        status = check_contact(impact, contact, allow_gain, error);
    for (int i = 0; status == CAROM_OK && i < impact->coordinates; i++)
        if (!isfinite(impact->velocity[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "velocity %d is %g; it must be finite", i + 1,
                              impact->velocity[i]);
    return status;
}
