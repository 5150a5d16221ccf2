/* One impact: checks, contact space, the law, and the proof of what it says. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact_space.h"

struct carom_impact_work {
    carom_arena *arena;
    const carom_impact_law_ops *law;
    contact_space_memory memory;
    double *law_work;
    double *momentum; /* coordinates */
    double *reaction; /* joints */
};

const double carom_default_stiffness = 1.0, carom_default_exponent = 1.5;

/* Velocities, impulses and energies that differ from zero by less than this share of their size are zero. */
static const double flag_tolerance = 1e-10;

carom_impact_options carom_impact_defaults(void)
{
    return (carom_impact_options){.seed = 1};
}

const char *carom_impact_word_text(carom_impact_word word)
{
    switch (word) {
    case CAROM_IMPACT_OK:
        return "ok";
    case CAROM_IMPACT_NONE:
        return "no-impact";
    case CAROM_IMPACT_NOT_CONVERGED:
        return "not-converged";
    case CAROM_IMPACT_ROUNDING:
        return "ended-by-rounding";
    case CAROM_IMPACT_INFEASIBLE:
        return "infeasible";
    }
    return "unknown";
}

const char *carom_impact_note_text(int bit)
{
    static const char *const text[CAROM_IMPACT_NOTES] = {
        "a closed contact separates before the impact",
        "the law's velocity penetrates: the nearest admissible velocity was taken",
        "contact directions depend on each other: impulses are not unique",
        "impulses of the compression are not unique; the smallest were taken, others change the velocity",
        "three balls with z >= 1: the collisions never end",
        "an exponent below 0.3 is stiff: take method implicit, or time with a small step; mind the energy",
        "exponents differ: the outcome depends on absolute stiffness and speed",
        "the step is longer than a tenth of the shortest time of contact",
        "restitution below 0.01 was taken as 0.01",
        "a restitution above 1 may create energy",
    };
    return bit >= 0 && bit < CAROM_IMPACT_NOTES ? text[bit] : NULL;
}

/* ---- work ---------------------------------------------------------------------------------------------- */

static carom_status take_memory(carom_impact_work *work, const carom_impact_sizes *sizes, carom_error *error)
{
    if (!contact_space_take(work->arena, sizes, &work->memory))
        return carom_fail_memory(error);
    const size_t size = work->law->work_size(&work->memory.sizes);
    work->law_work = carom_arena_take(work->arena, size, sizeof(double));
    work->momentum = carom_arena_take(work->arena, (size_t)sizes->coordinates, sizeof(double));
    work->reaction = carom_arena_take(work->arena, (size_t)sizes->joints, sizeof(double));
    return work->law_work && work->momentum && work->reaction ? CAROM_OK : carom_fail_memory(error);
}

static carom_status check_sizes(const carom_impact_sizes *sizes, carom_error *error)
{
    const double n = sizes->coordinates, contacts = sizes->contacts;
    if (sizes->coordinates < 1 || sizes->contacts < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an impact of %d coordinates and %d contacts: there must be a coordinate",
                          sizes->coordinates, sizes->contacts);
    if (sizes->entries < 0 || sizes->couplings < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an impact with %d entries of W and %d couplings: they cannot be negative",
                          sizes->entries, sizes->couplings);
    if (sizes->joints < 0 || sizes->joints > sizes->coordinates || n * sizes->joints > INT_MAX)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "an impact of %d coordinates with %d joints: there can be one per coordinate, and %d "
            "numbers in all of them",
            sizes->coordinates, sizes->joints, INT_MAX);
    if ((sizes->entries == 0 || sizes->full_mass || sizes->joints > 0) && n * contacts > INT_MAX)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%d coordinates and %d contacts are too many for a full matrix: give the entries of "
            "W, masses instead of a mass matrix, and no joints",
            sizes->coordinates, sizes->contacts);
    if (sizes->couplings == 0 && contacts * contacts > INT_MAX)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d contacts are too many for a full matrix of couplings: give their number",
                          sizes->contacts);
    return CAROM_OK;
}

carom_status carom_impact_work_create(const carom_impact_law_ops *law, const carom_impact_sizes *sizes,
                                      carom_impact_work **work, carom_error *error)
{
    *work = NULL;
    if (!law)
        return carom_fail(error, CAROM_BAD_INPUT, "no law of impact is given; see carom_impact_law_find");
    const carom_status checked = check_sizes(sizes, error);
    if (checked != CAROM_OK)
        return checked;
    carom_arena *arena = carom_arena_create();
    carom_impact_work *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    made->arena = arena;
    made->law = law;
    const carom_status status = take_memory(made, sizes, error);
    if (status != CAROM_OK) {
        carom_arena_free(arena);
        return status;
    }
    *work = made;
    return CAROM_OK;
}

void carom_impact_work_free(carom_impact_work *work)
{
    if (work)
        carom_arena_free(work->arena);
}

/* Contacts couple when they move one coordinate: at most the sum over coordinates of pairs of contacts. Data
 * that carom_impact_solve will refuse do no harm here. */
carom_impact_sizes carom_impact_sizes_of(const carom_impact *impact)
{
    const int n = impact->coordinates, contacts = impact->contacts;
    carom_impact_sizes sizes = {
        .coordinates = n, .contacts = contacts, .full_mass = impact->mass != NULL, .joints = impact->joints};
    if (n < 1 || contacts < 1 || !impact->column_start || !impact->row || impact->column_start[contacts] < 1)
        return sizes;
    sizes.entries = impact->column_start[contacts];
    int *uses = impact->mass || impact->joints > 0 ? NULL : carom_new_array((size_t)n, sizeof *uses);
    double pairs = 0.0;
    for (int k = 0; uses && k < sizes.entries; k++)
        if (impact->row[k] >= 0 && impact->row[k] < n)
            pairs += 2.0 * uses[impact->row[k]]++ + 1.0;
    if (pairs > 0.0 && pairs < (double)contacts * contacts && pairs <= INT_MAX)
        sizes.couplings = (int)pairs;
    free(uses);
    return sizes;
}

int carom_impact_columns(int coordinates, int contacts, const double *matrix, int *column_start, int *row,
                         double *value)
{
    int place = 0;
    for (int contact = 0; contact < contacts; contact++) {
        column_start[contact] = place;
        for (int i = 0; i < coordinates; i++) {
            const double entry = matrix[(ptrdiff_t)i * contacts + contact];
            if (entry == 0.0)
                continue;
            row[place] = i;
            value[place++] = entry;
        }
    }
    column_start[contacts] = place;
    return place;
}

/* ---- the proof ----------------------------------------------------------------------------------------- */

/* v+, and with joints what they do. */
static void fill_velocity(const carom_contact_space *space, double *reaction, carom_impact_result *result)
{
    contact_space_move(space, result->impulse, result->velocity, reaction);
    carom_axpy(space->coordinates, 1.0, space->impact->velocity, result->velocity);
    if (result->reaction && space->joints)
        memcpy(result->reaction, reaction, (size_t)space->impact->joints * sizeof *reaction);
}

/* J (v+ - v-), against the terms of its sum. */
static double find_slippage(const carom_impact *impact, const carom_impact_result *result)
{
    const int n = impact->coordinates;
    double worst = 0.0;
    for (int k = 0; k < impact->joints; k++) {
        double sum = 0.0, terms = 0.0;
        for (int i = 0; i < n; i++) {
            const double entry = impact->joint[(ptrdiff_t)k * n + i];
            sum += entry * (result->velocity[i] - impact->velocity[i]);
            terms += fabs(entry) * (fabs(result->velocity[i]) + fabs(impact->velocity[i]));
        }
        worst = fmax(worst, terms > 0.0 ? fabs(sum) / terms : 0.0);
    }
    return worst;
}

/* Joints that move do work. */
static bool joints_move(const carom_impact *impact)
{
    const int n = impact->coordinates;
    for (int k = 0; k < impact->joints; k++) {
        double sum = 0.0, terms = 0.0;
        for (int i = 0; i < n; i++) {
            sum += impact->joint[(ptrdiff_t)k * n + i] * impact->velocity[i];
            terms += fabs(impact->joint[(ptrdiff_t)k * n + i] * impact->velocity[i]);
        }
        if (fabs(sum) > flag_tolerance * terms)
            return true;
    }
    return false;
}

/* M (v+ - v-) - W p - J^T lambda, against the momenta there are before and after. */
static double find_imbalance(const carom_contact_space *space, const carom_impact_result *result,
                             const double *reaction, double *momentum)
{
    const carom_impact *impact = space->impact;
    const int n = space->coordinates;
    double size = 0.0, worst = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = impact->mass ? 0 : i; j < (impact->mass ? n : i + 1); j++) {
            const double mass = impact->mass ? impact->mass[(ptrdiff_t)i * n + j] : impact->masses[i];
            sum += mass * (result->velocity[j] - impact->velocity[j]);
            size = fmax(size, fabs(mass) * fmax(fabs(impact->velocity[j]), fabs(result->velocity[j])));
        }
        momentum[i] = sum;
    }
    for (int contact = 0; contact < space->contacts; contact++)
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
            momentum[impact->row[k]] -= impact->value[k] * result->impulse[contact];
    for (int k = 0; k < impact->joints; k++)
        carom_axpy(n, -reaction[k], impact->joint + (ptrdiff_t)k * n, momentum);
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(momentum[i]));
    return size > 0.0 ? worst / size : worst;
}

/* What of a contact's velocity is rounding: its terms, velocities and impulses, may be much larger than their
 * sum. */
static double rounding_of(const carom_contact_space *space, int contact, const carom_impact_result *result)
{
    const carom_impact *impact = space->impact;
    const double *v = result->velocity;
    double terms = impact->rate ? fabs(impact->rate[contact]) : 0.0;
    for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
        terms += fabs(impact->value[k] * v[impact->row[k]]);
    return 8.0 * DBL_EPSILON * terms + contact_space_rounding(space, contact, result->impulse);
}

/* Energy, momentum and signs, from velocities and impulses alone. */
static void prove(const carom_contact_space *space, const double *reaction, double *momentum,
                  carom_impact_result *result)
{
    const carom_impact *impact = space->impact;
    double largest_impulse = 0.0, smallest_impulse = 0.0, terms = 0.0;
    bool moves = joints_move(impact);
    result->energy_before = space->energy_before;
    result->energy_after = impact_kinetic_energy(impact, result->velocity);
    result->imbalance = find_imbalance(space, result, reaction, momentum);
    result->slippage = find_slippage(impact, result);
    result->work = 0.0;
    result->largest_left = 0.0;
    result->kinematic = true;
    for (int contact = 0; contact < space->contacts; contact++) {
        const double before = space->gamma[contact], p = result->impulse[contact];
        const double after = carom_contact_space_rate(space, contact, result->velocity);
        const double allowed = flag_tolerance * space->speed + rounding_of(space, contact, result);
        result->kinematic = result->kinematic && after >= -allowed;
        result->largest_left = fmax(result->largest_left, -after);
        largest_impulse = fmax(largest_impulse, fabs(p));
        smallest_impulse = fmin(smallest_impulse, p);
        result->work += 0.5 * p * (before + after);
        terms += 0.5 * fabs(p) * (fabs(before) + fabs(after));
        moves = moves || (impact->rate && impact->rate[contact] != 0.0);
    }
    /* An obstacle or joint that moves does work: then only what the contacts do must not be positive. */
    const double gain = moves ? result->work : result->energy_after - result->energy_before;
    const double energy = moves ? fmax(terms, result->energy_before) : result->energy_before;
    result->kinetic = smallest_impulse >= -flag_tolerance * largest_impulse &&
                      result->imbalance <= flag_tolerance && result->slippage <= flag_tolerance;
    result->energetic = gain <= flag_tolerance * energy;
}

/* A result is numbers: what is not finite is no result, whatever the law says of it. */
static carom_status check_result(const carom_impact_work *work, const carom_contact_space *space,
                                 const carom_impact_result *result, carom_error *error)
{
    const int contacts = space->contacts;
    const bool course = carom_all_finite(contacts, result->impulse) &&
                        carom_all_finite(space->impact->joints, work->reaction) &&
                        (!result->compression || carom_all_finite(contacts, result->compression)) &&
                        (!result->peak_force || carom_all_finite(contacts, result->peak_force));
    if (course && carom_all_finite(space->coordinates, result->velocity) && isfinite(result->duration) &&
        isfinite(result->energy_before) && isfinite(result->energy_after) && isfinite(result->work))
        return CAROM_OK;
    double exponent = 0.0;
    for (int i = 0; space->impact->exponent && i < contacts; i++)
        exponent = fmax(exponent, space->impact->exponent[i]);
    if (exponent > 10.0)
        return carom_fail(
            error, CAROM_FAILED,
            "law %s: the result is not finite: a force K x^%g leaves the range of numbers; take "
            "a smaller exponent (1.5 is Hertz's)",
            work->law->name, exponent);
    return carom_fail(
        error, CAROM_FAILED,
        "law %s: the result is not finite: masses, velocities or stiffnesses leave the range of "
        "numbers",
        work->law->name);
}

/* ---- the impact ---------------------------------------------------------------------------------------- */

static bool approaches(const carom_contact_space *space)
{
    for (int contact = 0; contact < space->contacts; contact++)
        if (space->gamma[contact] < 0.0)
            return true;
    return false;
}

static void note_start(const carom_contact_space *space, carom_impact_result *result)
{
    for (int contact = 0; contact < space->contacts; contact++) {
        if (space->gamma[contact] > 0.0)
            result->notes |= CAROM_IMPACT_SEPARATING;
        if (space->restitution[contact] > 1.0)
            result->notes |= CAROM_IMPACT_GAIN;
    }
}

static void clear_result(const carom_contact_space *space, carom_impact_result *result)
{
    const size_t contacts = (size_t)space->contacts;
    *result = (carom_impact_result){.velocity = result->velocity,
                                    .impulse = result->impulse,
                                    .compression = result->compression,
                                    .closings = result->closings,
                                    .repeats = result->repeats,
                                    .peak_force = result->peak_force,
                                    .reaction = result->reaction};
    memset(result->impulse, 0, contacts * sizeof *result->impulse);
    if (result->compression)
        memset(result->compression, 0, contacts * sizeof *result->compression);
    if (result->closings)
        memset(result->closings, 0, contacts * sizeof *result->closings);
    if (result->repeats)
        memset(result->repeats, 0, contacts * sizeof *result->repeats);
    if (result->peak_force)
        memset(result->peak_force, 0, contacts * sizeof *result->peak_force);
}

carom_status carom_impact_solve(carom_impact_work *work, const carom_impact *impact,
                                const carom_impact_options *options, carom_impact_result *result,
                                carom_error *error)
{
    carom_contact_space space;
    const carom_impact_options defaults = carom_impact_defaults();
    if (!options)
        options = &defaults;
    carom_status status = impact_check(&work->memory.sizes, impact, options->allow_gain, error);
    if (status == CAROM_OK && work->law->check)
        status = work->law->check(impact, error);
    if (status == CAROM_OK)
        status = contact_space_fill(impact, &work->memory, &space, error);
    if (status != CAROM_OK)
        return status;
    clear_result(&space, result);
    note_start(&space, result);
    if (!approaches(&space))
        result->word = CAROM_IMPACT_NONE;
    else
        status = work->law->solve(&space, options, work->law_work, result, error);
    if (status != CAROM_OK)
        return status;
    fill_velocity(&space, work->reaction, result);
    prove(&space, work->reaction, work->momentum, result);
    return check_result(work, &space, result, error);
}
