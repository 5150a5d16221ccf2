/* What the laws make of a system, with the measures that compare them. */
#include <math.h>
#include <string.h>

#include "app/impact_output.h"

static bool take_memory(const impact_case *made, impact_outcome *outcome)
{
    const size_t n = (size_t)made->impact.coordinates, contacts = (size_t)made->impact.contacts;
    carom_impact_result *result = &outcome->result;
    result->velocity = carom_arena_take(made->arena, n, sizeof(double));
    result->impulse = carom_arena_take(made->arena, contacts, sizeof(double));
    result->compression = carom_arena_take(made->arena, contacts, sizeof(double));
    result->peak_force = carom_arena_take(made->arena, contacts, sizeof(double));
    result->closings = carom_arena_take(made->arena, contacts, sizeof(int));
    result->repeats = carom_arena_take(made->arena, contacts, sizeof(int));
    result->reaction = carom_arena_take(made->arena, (size_t)made->impact.joints, sizeof(double));
    outcome->gamma = carom_arena_take(made->arena, contacts, sizeof(double));
    return result->reaction && result->velocity && result->impulse && result->compression &&
           result->peak_force && result->closings && result->repeats && outcome->gamma;
}

/* Of a chain: the change of the whole momentum, with what the wall gives, over sum m |v-|. */
static double momentum_residual(const impact_case *made, const carom_impact_result *result)
{
    const carom_impact *impact = &made->impact;
    if (!made->chain)
        return result->imbalance;
    double change = made->chain->wall ? result->impulse[impact->contacts - 1] : 0.0, size = 0.0;
    for (int i = 0; i < impact->coordinates; i++) {
        change += impact->masses[i] * (result->velocity[i] - impact->velocity[i]);
        size += impact->masses[i] * fabs(impact->velocity[i]);
    }
    return size > 0.0 ? fabs(change) / size : fabs(change);
}

static void measure(const impact_case *made, impact_outcome *outcome)
{
    const carom_impact *impact = &made->impact;
    const carom_impact_result *result = &outcome->result;
    contact_velocities(impact, result->velocity, outcome->gamma);
    outcome->energy_ratio = result->energy_before > 0.0 ? result->energy_after / result->energy_before : NAN;
    outcome->momentum_residual = momentum_residual(made, result);
    outcome->dispersion = outcome->dispersion_before = NAN;
    if (impact->masses) {
        outcome->dispersion = carom_energy_dispersion(impact->coordinates, impact->masses, result->velocity);
        outcome->dispersion_before =
            carom_energy_dispersion(impact->coordinates, impact->masses, impact->velocity);
    }
}

/* Pairs of contacts that may couple: what the matrix G of a law can hold. */
static carom_status check_size(const carom_impact *impact, carom_arena *arena, carom_error *error)
{
    const double most = 1e8, all = (double)impact->contacts * impact->contacts;
    double pairs = 0.0;
    int *uses = carom_arena_take(arena, (size_t)impact->coordinates, sizeof *uses);
    if (!uses)
        return carom_fail_memory(error);
    for (int k = 0; k < impact->column_start[impact->contacts]; k++)
        pairs += 2.0 * uses[impact->row[k]]++ + 1.0;
    pairs = impact->mass ? all : fmin(pairs, all);
    if (pairs <= most)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%d contacts that act on one another in %.3g pairs: at most %.3g pairs are possible",
                      impact->contacts, pairs, most);
}

carom_status compute_outcome(const impact_case *made, const carom_impact_law_ops *law,
                             const carom_impact_options *options, impact_outcome *outcome, carom_error *error)
{
    *outcome = (impact_outcome){.law = law, .gap = NAN, .good = -1};
    carom_impact_work *work = NULL;
    carom_status status = check_size(&made->impact, made->arena, error);
    if (status == CAROM_OK && !take_memory(made, outcome))
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        const carom_impact_sizes sizes = carom_impact_sizes_of(&made->impact);
        status = carom_impact_work_create(law, &sizes, &work, error);
    }
    const double started = carom_seconds();
    if (status == CAROM_OK)
        status = carom_impact_solve(work, &made->impact, options, &outcome->result, error);
    outcome->seconds = carom_seconds() - started;
    carom_impact_work_free(work);
    outcome->status = status;
    if (status == CAROM_OK)
        measure(made, outcome);
    return status;
}

static void compare(const impact_case *made, int count, impact_outcome *outcome)
{
    const impact_outcome *reference = NULL;
    for (int i = 0; i < count; i++)
        if (outcome[i].status == CAROM_OK && law_has_course(outcome[i].law))
            reference = &outcome[i];
    for (int i = 0; reference && i < count; i++) {
        if (outcome[i].status != CAROM_OK)
            continue;
        const int n = made->impact.coordinates;
        outcome[i].gap = carom_velocity_gap(n, outcome[i].result.velocity, reference->result.velocity);
        outcome[i].good = carom_good_velocities(n, outcome[i].result.velocity, reference->result.velocity);
    }
}

carom_status compute_outcomes(const impact_case *made, const chosen_laws *laws, impact_history *history,
                              impact_outcome *outcome, carom_error *error)
{
    for (int i = 0; i < laws->count; i++) {
        carom_impact_options options = laws->options[i];
        if (history && law_has_course(laws->law[i])) {
            options.observe = observe_impact;
            options.context = history;
        }
        carom_error inner = {0};
        const carom_status status = compute_outcome(made, laws->law[i], &options, &outcome[i], &inner);
        const bool is_told = status == CAROM_FAILED || (status == CAROM_BAD_INPUT && laws->count > 1);
        if (status != CAROM_OK && !is_told)
            return carom_fail(error, status, "%s", inner.text);
        if (status != CAROM_OK)
            outcome[i].message = carom_arena_copy_text(made->arena, inner.text);
        if (status != CAROM_OK && !outcome[i].message)
            return carom_fail_memory(error);
    }
    if (laws->count > 1)
        compare(made, laws->count, outcome);
    return CAROM_OK;
}
