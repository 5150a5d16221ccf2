/* Poisson's law with a restitution per contact: two phases (Winandy, Baumann and Leine 2018, (215)-(216)).
 *
 *   compression:   0 <= p_C _|_ gamma_C = gamma- + G p_C >= 0        a completely inelastic impact
 *   expansion:     0 <= p_E - E p_C _|_ gamma+ = gamma_C + G p_E >= 0
 *
 * Every contact gives back its share of the impulse of compression, and more where it would be penetrated.
 * With redundant contacts p_C is not unique, and with different restitutions the outcome depends on it: the
 * smallest is taken. */
#include <math.h>
#include <string.h>

#include "impact_law.h"

/* A contact that leaves compression faster than this, relative to all velocities, carries no impulse. */
static const double closed = 1e-10;

static size_t work_size(const carom_impact_sizes *sizes)
{
    const size_t lcp = carom_impact_lcp_work(sizes), redundant = impact_redundant_work(sizes);
    return 3 * (size_t)sizes->contacts + (size_t)sizes->coordinates + (lcp > redundant ? lcp : redundant);
}

typedef struct poisson_work {
    double *compression; /* p_C */
    double *gamma;       /* after a phase */
    double *more;        /* p_E - E p_C */
    double *dv;
    double *rest;
} poisson_work;

static poisson_work set_up(const carom_contact_space *space, double *work)
{
    const ptrdiff_t contacts = space->contacts;
    poisson_work parts = {.compression = work, .gamma = work + contacts, .more = work + 2 * contacts};
    parts.dv = parts.more + contacts;
    parts.rest = parts.dv + space->coordinates;
    return parts;
}

static double compress(const carom_contact_space *space, poisson_work *parts, carom_impact_result *result)
{
    const double residual = carom_impact_lcp(space, space->gamma, parts->rest, parts->compression);
    if (impact_lcp_word(space, parts->compression, residual) != CAROM_IMPACT_OK)
        return residual;
    if (impact_is_redundant(space, parts->rest)) {
        result->notes |= CAROM_IMPACT_REDUNDANT;
        contact_space_answer(space, space->gamma, parts->compression, parts->dv, parts->gamma);
        if (impact_smallest_impulses(space, parts->gamma, closed * space->speed, parts->rest,
                                     parts->compression))
            result->notes |= CAROM_IMPACT_MINIMUM;
    }
    return residual;
}

/* Left: p_C in impulse, gamma- + G (p_C + E p_C) in gamma. */
static double expand(const carom_contact_space *space, poisson_work *parts, carom_impact_result *result)
{
    for (int i = 0; i < space->contacts; i++)
        result->impulse[i] = (1.0 + space->restitution[i]) * parts->compression[i];
    contact_space_answer(space, space->gamma, result->impulse, parts->dv, parts->gamma);
    const double residual = carom_impact_lcp(space, parts->gamma, parts->rest, parts->more);
    for (int i = 0; i < space->contacts; i++)
        result->impulse[i] += parts->more[i];
    return residual;
}

static carom_status solve_poisson(const carom_contact_space *space, const carom_impact_options *options,
                                  double *work, carom_impact_result *result, carom_error *error)
{
    (void)options;
    (void)error;
    poisson_work parts = set_up(space, work);
    result->residual = compress(space, &parts, result);
    if (result->residual != INFINITY)
        result->residual = fmax(result->residual, expand(space, &parts, result));
    carom_impact_conclude(space, space->gamma, result);
    if (result->compression && result->word != CAROM_IMPACT_INFEASIBLE)
        memcpy(result->compression, parts.compression, (size_t)space->contacts * sizeof *parts.compression);
    return CAROM_OK;
}

const carom_impact_law_ops carom_impact_poisson = {
    .name = "poisson",
    .summary = "generalized Poisson law: a restitution of impulses per contact, compression and expansion",
    .usage = "impulses of compression and expansion: impact_law = \"poisson\"",
    .tells = CAROM_IMPACT_TELLS_COMPRESSION,
    .work_size = work_size,
    .solve = solve_poisson,
};
