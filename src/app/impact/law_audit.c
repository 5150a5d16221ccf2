/* The audit of a law, and its counterexamples as impacts that can be looked at. */
#include "app/impact_output.h"

/* ---- a velocity with given contact velocities -------------------------------------------------------- */

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

static carom_status least_velocity(const impact_case *made, const double *gamma, double *velocity,
                                   carom_error *error)
{
    carom_impact_geometry geometry;
    const carom_status status = carom_impact_geometry_take(made->arena, &made->impact, &geometry, error);
    if (status == CAROM_OK)
        carom_impact_lift(&geometry, gamma, velocity);
    return status;
}

/* ---- counterexamples ----------------------------------------------------------------------------------- */

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
    carom_status status = CAROM_OK;
    again.impact.rate = NULL; /* an audit is of obstacles at rest */
    if (made->chain)
        chain_velocity(made->chain, gamma, sample->velocity);
    else
        status = least_velocity(&again, gamma, sample->velocity, error);
    if (status != CAROM_OK)
        return status;
    impact_outcome outcome;
    again.impact.velocity = sample->velocity;
    contact_velocities(&again.impact, sample->velocity, sample->before);
    status = compute_outcome(&again, law, options, &outcome, error);
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
