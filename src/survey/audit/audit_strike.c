/* One impact of the law under audit. */
#include <math.h>

#include "impact_audit.h"

carom_status audit_striker_make(const audit_system *system, const carom_impact *impact,
                                const carom_impact_law_ops *law, const carom_impact_options *options,
                                carom_arena *arena, audit_striker *striker, carom_error *error)
{
    const size_t n = (size_t)impact->coordinates, contacts = (size_t)impact->contacts;
    *striker = (audit_striker){.system = system,
                               .impact = *impact,
                               .options = options,
                               .result = {.velocity = carom_arena_take(arena, n, sizeof(double)),
                                          .impulse = carom_arena_take(arena, contacts, sizeof(double))},
                               .velocity = carom_arena_take(arena, n, sizeof(double)),
                               .y = carom_arena_take(arena, n, sizeof(double)),
                               .gamma = carom_arena_take(arena, contacts, sizeof(double)),
                               .gamma_after = carom_arena_take(arena, contacts, sizeof(double))};
    if (!striker->result.velocity || !striker->result.impulse || !striker->velocity || !striker->y ||
        !striker->gamma || !striker->gamma_after)
        return carom_fail_memory(error);
    striker->impact.velocity = striker->velocity;
    striker->impact.rate = NULL;
    const carom_impact_sizes sizes = carom_impact_sizes_of(impact);
    return carom_impact_work_create(law, &sizes, &striker->work, error);
}

void audit_striker_free(audit_striker *striker)
{
    carom_impact_work_free(striker->work);
    striker->work = NULL;
}

static double energy_of(const carom_impact *impact, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < impact->coordinates; i++)
        sum += v[i] * (impact->mass ? carom_dot(impact->coordinates,
                                                impact->mass + (ptrdiff_t)i * impact->coordinates, v)
                                    : impact->masses[i] * v[i]);
    return 0.5 * sum;
}

/* What no contact sees: v+ - v- without its part in the basis. Overwrites the velocity before. */
static double hidden_change(audit_striker *striker, const double *y)
{
    const audit_system *system = striker->system;
    const int n = system->coordinates;
    double *change = striker->velocity;
    for (int i = 0; i < n; i++)
        change[i] = striker->result.velocity[i] - change[i];
    for (int k = 0; k < system->rank; k++)
        carom_axpy(n, -(striker->y[k] - y[k]), system->basis + (ptrdiff_t)k * n, change);
    const double before = striker->result.energy_before;
    return before > 0.0 ? sqrt(fmax(0.0, energy_of(&striker->impact, change)) / before) : 0.0;
}

carom_status audit_strike(audit_striker *striker, const double *y, carom_error *error)
{
    const audit_system *system = striker->system;
    audit_lift(system, y, striker->velocity);
    const carom_status status =
        carom_impact_solve(striker->work, &striker->impact, striker->options, &striker->result, error);
    if (status != CAROM_OK)
        return status;
    audit_see(system, striker->result.velocity, striker->y);
    audit_contact_velocities(system, y, striker->gamma);
    audit_contact_velocities(system, striker->y, striker->gamma_after);
    striker->hidden = hidden_change(striker, y);
    return CAROM_OK;
}
