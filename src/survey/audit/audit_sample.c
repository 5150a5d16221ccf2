/* Velocities before an impact: everywhere, and where several contacts neither approach nor separate, because
 * laws change their mind there. */
#include <math.h>
#include <string.h>

#include "impact_audit.h"

enum {
    EDGES_MAX = 6 /* contacts that may be at rest at once */
};

/* A vector shorter than this share of what it was made from is rounding. */
static const double nothing = 1e-8;
/* Pairs and loops are this far apart at least: rounding of the laws stays below the audit's tolerance. */
static const double nearest = 0.02;

static double uniform(audit_sampler *sampler)
{
    return carom_random_uniform(&sampler->random, 0.0, 1.0);
}

/* Box and Muller. */
static double normal(audit_sampler *sampler)
{
    const double radius = sqrt(-2.0 * log(1.0 - uniform(sampler)));
    return radius * cos(2.0 * CAROM_PI * uniform(sampler));
}

/* A distance between `nearest` and 1, any order of magnitude as likely as another. */
static double distance(audit_sampler *sampler)
{
    return pow(nearest, uniform(sampler));
}

/* y := y without its part along `edge`, of length 1. */
static void remove_part(int n, const double *edge, double *y)
{
    carom_axpy(n, -carom_dot(n, edge, y), edge, y);
}

/* Scales to length 1; a vector below `least` becomes zero. */
static bool normalise(int n, double least, double *y)
{
    const double length = sqrt(carom_dot(n, y, y));
    const double factor = length > least ? 1.0 / length : 0.0;
    for (int i = 0; i < n; i++)
        y[i] *= factor;
    return factor > 0.0;
}

/* Brings some contacts to rest: removes the directions d_k from y. */
static void bring_to_rest(audit_sampler *sampler, double *y)
{
    const audit_system *system = sampler->system;
    const int rank = system->rank, most = rank - 1 < EDGES_MAX ? rank - 1 : EDGES_MAX;
    const int wanted = 1 + (int)(uniform(sampler) * most);
    for (int found = 0, trial = 0; found < wanted && trial < wanted; trial++) {
        const int contact = (int)(uniform(sampler) * system->contacts);
        double *edge = sampler->edge + (ptrdiff_t)found * rank;
        memcpy(edge, system->direction + (ptrdiff_t)contact * rank, (size_t)rank * sizeof *edge);
        normalise(rank, 0.0, edge);
        for (int k = 0; k < 2 * found; k++)
            remove_part(rank, sampler->edge + (ptrdiff_t)(k % found) * rank, edge);
        if (!normalise(rank, nothing, edge))
            continue;
        remove_part(rank, edge, y);
        found++;
    }
}

static void draw_anywhere(audit_sampler *sampler, double *y)
{
    for (int i = 0; i < sampler->system->rank; i++)
        y[i] = normal(sampler);
    if (sampler->system->rank > 1 && uniform(sampler) < 0.5)
        bring_to_rest(sampler, y);
    normalise(sampler->system->rank, nothing, y);
}

/* A velocity with gamma <= 0: minus the projection of any velocity on the cone gamma >= 0, which puts many on
 * its edges. */
static carom_status draw_projected(audit_sampler *sampler, double *y, carom_error *error)
{
    const int rank = sampler->system->rank;
    draw_anywhere(sampler, y);
    const carom_status status = audit_strike(&sampler->projection, y, error);
    if (status != CAROM_OK)
        return status;
    const carom_impact_word word = sampler->projection.result.word;
    const bool projected = word == CAROM_IMPACT_OK || word == CAROM_IMPACT_NONE;
    for (int i = 0; i < rank; i++)
        y[i] = projected ? -sampler->projection.y[i] : 0.0;
    normalise(rank, nothing, y);
    return CAROM_OK;
}

/* A cone holds the sums of its members: half of the samples are sums, which lie inside. */
static carom_status draw(audit_sampler *sampler, double *y, carom_error *error)
{
    const int rank = sampler->system->rank;
    if (!sampler->approaching_only) {
        draw_anywhere(sampler, y);
        return CAROM_OK;
    }
    carom_status status = draw_projected(sampler, y, error);
    if (status == CAROM_OK && uniform(sampler) < 0.5) {
        status = draw_projected(sampler, sampler->addend, error);
        carom_axpy(rank, uniform(sampler), sampler->addend, y);
        normalise(rank, nothing, y);
    }
    return status;
}

carom_status audit_sample_pair(audit_sampler *sampler, double *a, double *b, carom_error *error)
{
    const int rank = sampler->system->rank;
    carom_status status = draw(sampler, a, error);
    if (status == CAROM_OK)
        status = draw(sampler, b, error);
    if (status != CAROM_OK || uniform(sampler) < 0.5)
        return status;
    /* Near each other: both added to a third. */
    status = draw(sampler, sampler->center, error);
    const double step = distance(sampler);
    for (int i = 0; i < rank; i++) {
        a[i] = sampler->center[i] + step * a[i];
        b[i] = sampler->center[i] + step * b[i];
    }
    return status;
}

/* center + radius ((1 + cos) a + (1 + sin) b): with coefficients >= 0 the loop stays in a cone. */
static carom_status sample_ellipse(audit_sampler *sampler, int count, double *y, carom_error *error)
{
    const int rank = sampler->system->rank;
    const double *center = sampler->center, *a = sampler->axis[0], *b = sampler->axis[1];
    carom_status status = draw(sampler, sampler->center, error);
    for (int i = 0; i < 2 && status == CAROM_OK; i++)
        status = draw(sampler, sampler->axis[i], error);
    if (status != CAROM_OK)
        return status;
    const double radius = distance(sampler);
    for (int j = 0; j < count; j++) {
        const double angle = 2.0 * CAROM_PI * j / count;
        const double along_a = radius * (1.0 + cos(angle)), along_b = radius * (1.0 + sin(angle));
        for (int i = 0; i < rank; i++)
            y[(ptrdiff_t)j * rank + i] = center[i] + along_a * a[i] + along_b * b[i];
    }
    return CAROM_OK;
}

carom_status audit_sample_loop(audit_sampler *sampler, bool ordered, int count, double *y, carom_error *error)
{
    if (ordered)
        return sample_ellipse(sampler, count, y, error);
    carom_status status = CAROM_OK;
    for (int j = 0; j < count && status == CAROM_OK; j++)
        status = draw(sampler, y + (ptrdiff_t)j * sampler->system->rank, error);
    return status;
}

carom_status audit_sampler_make(const audit_system *system, bool approaching_only, unsigned seed,
                                carom_arena *arena, audit_sampler *sampler, carom_error *error)
{
    static const carom_impact_options defaults = {0};
    const size_t rank = (size_t)system->rank;
    *sampler = (audit_sampler){.system = system,
                               .random = {seed},
                               .approaching_only = approaching_only,
                               .center = carom_arena_take(arena, rank, sizeof(double)),
                               .addend = carom_arena_take(arena, rank, sizeof(double)),
                               .axis = {carom_arena_take(arena, rank, sizeof(double)),
                                        carom_arena_take(arena, rank, sizeof(double))},
                               .edge = carom_arena_take(arena, EDGES_MAX * rank, sizeof(double))};
    double *zeros = carom_arena_take(arena, (size_t)system->contacts, sizeof(double));
    if (!sampler->center || !sampler->addend || !sampler->axis[0] || !sampler->axis[1] || !sampler->edge ||
        !zeros)
        return carom_fail_memory(error);
    if (!approaching_only)
        return CAROM_OK;
    carom_impact impact = *system->impact;
    impact.restitution = zeros;
    return audit_striker_make(system, &impact, &carom_impact_moreau, &defaults, arena, &sampler->projection,
                              error);
}

void audit_sampler_free(audit_sampler *sampler)
{
    audit_striker_free(&sampler->projection);
}
