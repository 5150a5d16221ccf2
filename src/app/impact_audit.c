/* The audit of a law, and its counterexamples as impacts that can be looked at. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact_output.h"

/* ---- a velocity with given contact velocities
 * ---------------------------------------------------------------- */

/* Of a chain: each ball from its neighbour, from the wall or from a first ball at rest. */
static void chain_velocity(const carom_chain *chain, const double *gamma, double *velocity)
{
    const int n = chain->balls;
    if (!chain->wall) {
        velocity[0] = 0.0;
        for (int i = 1; i < n; i++)
            velocity[i] = velocity[i - 1] + gamma[i - 1];
        return;
    }
    velocity[n - 1] = -gamma[n - 1];
    for (int i = n - 2; i >= 0; i--)
        velocity[i] = velocity[i + 1] - gamma[i];
}

/* Memory and the factor of M for v = M^-1 W x, W^T v = G x. */
typedef struct velocity_lift {
    const carom_impact *impact;
    double *factor; /* of M; NULL: diagonal */
    double *x, *residual, *direction, *image;
} velocity_lift;

static bool take_lift(const impact_case *made, velocity_lift *lift)
{
    const carom_impact *impact = &made->impact;
    const size_t n = (size_t)impact->coordinates, contacts = (size_t)impact->contacts;
    lift->impact = impact;
    lift->x = carom_arena_take(made->arena, contacts, sizeof(double));
    lift->residual = carom_arena_take(made->arena, contacts, sizeof(double));
    lift->direction = carom_arena_take(made->arena, contacts, sizeof(double));
    lift->image = carom_arena_take(made->arena, contacts, sizeof(double));
    lift->factor = impact->mass ? carom_arena_take(made->arena, n * n, sizeof(double)) : NULL;
    if (!lift->x || !lift->residual || !lift->direction || !lift->image || (impact->mass && !lift->factor))
        return false;
    if (impact->mass) {
        memcpy(lift->factor, impact->mass, n * n * sizeof(double));
        return carom_cholesky_factor(impact->coordinates, lift->factor) == 0;
    }
    return true;
}

/* velocity = M^-1 W x */
static void push(const velocity_lift *lift, const double *x, double *velocity)
{
    const carom_impact *impact = lift->impact;
    memset(velocity, 0, (size_t)impact->coordinates * sizeof *velocity);
    for (int j = 0; j < impact->contacts; j++)
        for (int k = impact->column_start[j]; k < impact->column_start[j + 1]; k++)
            velocity[impact->row[k]] += impact->value[k] * x[j];
    if (lift->factor)
        carom_cholesky_solve(impact->coordinates, lift->factor, velocity);
    for (int i = 0; !lift->factor && i < impact->coordinates; i++)
        velocity[i] /= impact->masses[i];
}

/* The velocity of least energy with W^T v = gamma, by conjugate gradients on G x = gamma. */
static void least_velocity(velocity_lift *lift, const double *gamma, double *velocity)
{
    const carom_impact *impact = lift->impact;
    const int contacts = impact->contacts;
    double size = 0.0;
    memset(lift->x, 0, (size_t)contacts * sizeof *lift->x);
    for (int j = 0; j < contacts; j++) {
        lift->residual[j] = lift->direction[j] = gamma[j];
        size += lift->residual[j] * lift->residual[j];
    }
    const double enough = 1e-30 * size;
    for (int round = 0; size > enough && round < 10 * contacts; round++) {
        push(lift, lift->direction, velocity);
        contact_velocities(impact, velocity, lift->image);
        const double curvature = carom_dot(contacts, lift->direction, lift->image);
        if (!(curvature > 0.0))
            break;
        const double step = size / curvature, before = size;
        carom_axpy(contacts, step, lift->direction, lift->x);
        carom_axpy(contacts, -step, lift->image, lift->residual);
        size = carom_dot(contacts, lift->residual, lift->residual);
        for (int j = 0; j < contacts; j++)
            lift->direction[j] = lift->residual[j] + size / before * lift->direction[j];
    }
    push(lift, lift->x, velocity);
}

/* ---- counterexamples
 * ------------------------------------------------------------------------------------------- */

static carom_status recompute(const impact_case *made, const carom_impact_law_ops *law,
                              const carom_impact_options *options, const double *gamma, audit_sample *sample,
                              carom_error *error)
{
    const size_t n = (size_t)made->impact.coordinates, contacts = (size_t)made->impact.contacts;
    sample->velocity = carom_arena_take(made->arena, n, sizeof(double));
    sample->before = carom_arena_take(made->arena, contacts, sizeof(double));
    if (!sample->velocity || !sample->before)
        return carom_fail_memory(error);
    impact_case again = *made;
    velocity_lift lift = {0};
    again.impact.rate = NULL; /* an audit is of obstacles at rest */
    if (made->chain)
        chain_velocity(made->chain, gamma, sample->velocity);
    else if (take_lift(&again, &lift))
        least_velocity(&lift, gamma, sample->velocity);
    else
        return carom_fail_memory(error);
    impact_outcome outcome;
    again.impact.velocity = sample->velocity;
    contact_velocities(&again.impact, sample->velocity, sample->before);
    carom_status status = compute_outcome(&again, law, options, &outcome, error);
    sample->after = outcome.gamma;
    sample->given = status == CAROM_OK;
    return status;
}

static bool is_shown(const carom_audit *audit, int property)
{
    const carom_audit_finding *finding = &audit->finding[property];
    return finding->tested && !finding->holds;
}

carom_status audit_law(const impact_case *made, const carom_impact_law_ops *law,
                       const carom_impact_options *options, const carom_audit_options *audit_options,
                       const carom_progress *progress, law_audit *result, carom_error *error)
{
    *result = (law_audit){.law = law};
    carom_status status =
        carom_impact_audit(&made->impact, law, options, audit_options, progress, &result->audit, error);
    for (int p = 0; status == CAROM_OK && p < CAROM_AUDIT_PROPERTIES; p++)
        for (int side = 0; status == CAROM_OK && side < 2; side++) {
            const double *gamma = result->audit->counterexample[p][side];
            if (is_shown(result->audit, p) && gamma && carom_all_finite(made->impact.contacts, gamma))
                status = recompute(made, law, options, gamma, &result->example[p][side], error);
        }
    return status;
}
