/* Contacts with rolling friction: their numbers, and what reactions say. */
#include "carom/contact/rolling.h"

#include <math.h>
#include <string.h>

#include "carom/contact/pairs.h"
#include "contact/coulomb/parts/coulomb_summary.h"
#include "rolling_parts.h"

int carom_rolling_parts(int dimension)
{
    return dimension == 3 || dimension == 5 ? 2 : dimension == 6 ? 3 : 0;
}

double rolling_length(double normal, double spin)
{
    const double length = sqrt(normal / spin);
    return isfinite(length) && length > 0.0 ? length : 1.0;
}

void rolling_fill_coefficients(const carom_rolling *problem, double *mu)
{
    for (int i = 0; i < problem->contacts; i++) {
        double coefficient[3];
        rolling_coefficients(problem, i, coefficient);
        for (int part = 0; part < carom_rolling_parts(problem->dimension); part++)
            mu[part * problem->contacts + i] = coefficient[part];
    }
}

static carom_status check_coefficients(const char *name, int contacts, const double *value,
                                       carom_error *error)
{
    for (int i = 0; i < contacts; i++)
        if (!(value[i] >= 0.0) || !isfinite(value[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "%s[%d] = %.17g; it must be finite and >= 0", name, i,
                              value[i]);
    return CAROM_OK;
}

carom_status rolling_check(int dimension, int contacts, int reactions, const double *mu_r, const double *mu_t,
                           carom_error *error)
{
    if (!mu_r)
        return carom_fail(error, CAROM_BAD_INPUT, "the problem has no rolling friction: mu_r is missing");
    if (carom_rolling_parts(dimension) == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d numbers per contact; rolling friction has 3 in the plane, 5 in space, 6 with "
                          "torsion",
                          dimension);
    if (reactions != dimension * contacts)
        return carom_fail(error, CAROM_BAD_INPUT, "%d reactions; %d contacts of %d numbers have %d",
                          reactions, contacts, dimension, dimension * contacts);
    if ((dimension == 6) != (mu_t != NULL))
        return carom_fail(error, CAROM_BAD_INPUT, "%d numbers per contact and %s mu_t: torsion has 6",
                          dimension, mu_t ? "a" : "no");
    const carom_status status = check_coefficients("mu_r", contacts, mu_r, error);
    return status == CAROM_OK && mu_t ? check_coefficients("mu_t", contacts, mu_t, error) : status;
}

/* ---- numbers -------------------------------------------------------------------------------------------- */

static int part_count(const carom_rolling *problem)
{
    return carom_rolling_parts(problem->dimension) * problem->contacts;
}

/* Numbers of a problem times `slip`, those of moments also times the length or one over it, at the places of the parts, ... */
static void pack(const carom_rolling *problem, double slip, bool over, const double *given, double *three)
{
    const int d = problem->dimension, n = problem->contacts, slips = rolling_slips(d);
    memset(three, 0, 3 * (size_t)part_count(problem) * sizeof *three);
    for (int i = 0; i < n; i++) {
        const double spin = over ? slip / problem->length[i] : slip * problem->length[i];
        for (int k = 0; k < d; k++)
            three[rolling_place(d, n, i, k)] = (k < slips ? slip : spin) * given[d * i + k];
    }
}

/* ... and back. */
static void unpack(const carom_rolling *problem, double slip, bool over, const double *three, double *given)
{
    const int d = problem->dimension, n = problem->contacts, slips = rolling_slips(d);
    for (int i = 0; i < n; i++) {
        const double spin = over ? slip / problem->length[i] : slip * problem->length[i];
        for (int k = 0; k < d; k++)
            given[d * i + k] = three[rolling_place(d, n, i, k)] / (k < slips ? slip : spin);
    }
}

/* Parts have the normal of their contact. */
static void repeat_normals(const carom_rolling *problem, double *r)
{
    for (int i = problem->contacts; i < part_count(problem); i++)
        r[3 * i] = fmax(0.0, r[3 * (i % problem->contacts)]);
}

void carom_rolling_pack_reactions(const carom_rolling *problem, const double *r, double *three)
{
    pack(problem, problem->scale, true, r, three); /* a moment is as many impulses as one over the length */
    repeat_normals(problem, three);
}

void carom_rolling_unpack_reactions(const carom_rolling *problem, const double *three, double *r)
{
    unpack(problem, problem->scale, true, three, r);
}

void carom_rolling_pack_velocities(const carom_rolling *problem, const double *u, double *three)
{
    pack(problem, 1.0, false, u, three); /* a spin is as many velocities as the length */
}

void carom_rolling_unpack_velocities(const carom_rolling *problem, const double *three, double *u)
{
    unpack(problem, 1.0, false, three, u);
}

/* ---- the law -------------------------------------------------------------------------------------------- */

/* Normal, tangents, rolling, torsion of one contact. */
static void take_six(const carom_rolling *problem, int contact, const double *three, double six[6])
{
    const int n = problem->contacts;
    memcpy(six, three + 3 * (ptrdiff_t)contact, 3 * sizeof *six);
    memcpy(six + 3, three + 3 * (ptrdiff_t)(n + contact) + 1, 2 * sizeof *six);
    six[5] = problem->dimension == 6 ? three[3 * (ptrdiff_t)(2 * n + contact) + 1] : 0.0;
}

double carom_rolling_error(const carom_rolling *problem, const double *r, const double *u)
{
    const int size = 3 * part_count(problem);
    const double q_size = sqrt(carom_dot(size, problem->parts.q, problem->parts.q));
    double sum = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        double coefficient[3], p[6], v[6];
        rolling_coefficients(problem, i, coefficient);
        take_six(problem, i, r, p);
        take_six(problem, i, u, v);
        sum += carom_pair_distance(problem->dimension == 3, coefficient[0], coefficient[1], coefficient[2], p,
                                   v);
    }
    if (sum == 0.0)
        return 0.0;
    const double error = sqrt(sum) / q_size;
    return isfinite(error) ? error : INFINITY;
}

void rolling_summarise(const carom_rolling *problem, const double *r, const double *u, unsigned char *regime,
                       carom_coulomb_summary *summary)
{
    const int n = problem->contacts, parts = part_count(problem);
    coulomb_summary_fill(parts, problem->parts.q, r, u, carom_rolling_error(problem, r, u), regime, summary);
    double size = 0.0;
    int count[3] = {0};
    for (int i = 0; i < parts; i++) {
        const double *own = r + 3 * (ptrdiff_t)i;
        size += own[1] * own[1] + own[2] * own[2] + (i < n ? own[0] * own[0] : 0.0);
        if (i < n)
            count[regime[i]]++;
        else if (regime[i % n] == CAROM_CONTACT_OPEN)
            regime[i] = CAROM_CONTACT_OPEN; /* its normal has no velocity of its own */
    }
    summary->r_norm = sqrt(size) / problem->scale;
    summary->energy /= problem->scale;
    summary->dissipation /= problem->scale;
    summary->open = count[CAROM_CONTACT_OPEN];
    summary->sliding = count[CAROM_CONTACT_SLIP];
    summary->sticking = count[CAROM_CONTACT_STICK];
}

void carom_rolling_examine(const carom_rolling *problem, double *r, double *u, unsigned char *regime,
                           carom_coulomb_summary *summary, carom_coulomb_residual *residual)
{
    repeat_normals(problem, r);
    carom_blocks_multiply(&problem->parts.W, r, problem->parts.q, u);
    for (int i = problem->contacts; i < part_count(problem); i++)
        u[3 * i] = 0.0;
    if (summary)
        rolling_summarise(problem, r, u, regime, summary);
    if (residual)
        *residual = carom_coulomb_residuals(&problem->parts, r);
}
