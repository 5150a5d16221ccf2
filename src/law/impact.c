/* One impact: checks, contact space, the law, and the proof of what it says. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact_frame.h"

struct carom_impact_work {
    carom_arena *arena;
    const carom_impact_law_ops *law;
    impact_frame_memory memory;
    double *law_work;
    double *momentum; /* coordinates */
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
        "impulses of the compression are not unique: the smallest were taken, another choice gives another "
        "velocity",
        "three balls with z >= 1: the collisions never end",
        "an exponent below 0.3 is stiff: take method implicit, or time with a small step, and look at the "
        "energy",
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
    if (!impact_frame_take(work->arena, sizes, &work->memory))
        return carom_fail_memory(error);
    const size_t size = work->law->work_size(&work->memory.sizes);
    work->law_work = carom_arena_take(work->arena, size, sizeof(double));
    work->momentum = carom_arena_take(work->arena, (size_t)sizes->coordinates, sizeof(double));
    return work->law_work && work->momentum ? CAROM_OK : carom_fail_memory(error);
}

carom_status carom_impact_work_create(const carom_impact_law_ops *law, const carom_impact_sizes *sizes,
                                      carom_impact_work **work, carom_error *error)
{
    *work = NULL;
    if (sizes->coordinates < 1 || sizes->contacts < 0 || sizes->entries < 0 || sizes->couplings < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an impact of %d coordinates and %d contacts: there must be a coordinate",
                          sizes->coordinates, sizes->contacts);
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

/* Contacts couple when they move one coordinate: at most the sum over coordinates of pairs of contacts. */
carom_impact_sizes carom_impact_sizes_of(const carom_impact *impact)
{
    const int contacts = impact->contacts;
    carom_impact_sizes sizes = {.coordinates = impact->coordinates,
                                .contacts = contacts,
                                .entries = impact->column_start[contacts],
                                .full_mass = impact->mass != NULL};
    int *uses = impact->mass ? NULL : carom_new_array((size_t)impact->coordinates, sizeof *uses);
    double pairs = 0.0;
    for (int k = 0; uses && k < sizes.entries; k++)
        pairs += 2.0 * uses[impact->row[k]]++ + 1.0;
    if (uses && pairs < (double)contacts * contacts)
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

/* ---- checks -------------------------------------------------------------------------------------------- */

static carom_status check_masses(const carom_impact *impact, carom_error *error)
{
    const int n = impact->coordinates;
    double asymmetry = 0.0, largest = 0.0;
    if (!impact->mass) {
        for (int i = 0; i < n; i++)
            if (!(impact->masses[i] > 0.0 && isfinite(impact->masses[i])))
                return carom_fail(error, CAROM_BAD_INPUT, "mass %d must be positive and finite (got %g)",
                                  i + 1, impact->masses[i]);
        return CAROM_OK;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double entry = impact->mass[(ptrdiff_t)i * n + j];
            if (!isfinite(entry))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "entry (%d, %d) of the mass matrix is %g; it must be finite", i + 1, j + 1,
                                  entry);
            largest = fmax(largest, fabs(entry));
            asymmetry = fmax(asymmetry, fabs(entry - impact->mass[(ptrdiff_t)j * n + i]));
        }
    if (asymmetry > 1e-12 * largest)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the mass matrix is not symmetric: it differs from its transpose by up to %g",
                          asymmetry);
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

static carom_status check_impact(const carom_impact_work *work, const carom_impact *impact, bool allow_gain,
                                 carom_error *error)
{
    const carom_impact_sizes *sizes = &work->memory.sizes;
    if (impact->coordinates < 1 || impact->contacts < 0 || impact->coordinates > sizes->coordinates ||
        impact->contacts > sizes->contacts || impact->column_start[impact->contacts] > sizes->entries ||
        (impact->mass && !sizes->full_mass))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an impact of %d coordinates and %d contacts does not fit a work made for %d and "
                          "%d",
                          impact->coordinates, impact->contacts, sizes->coordinates, sizes->contacts);
    carom_status status = check_masses(impact, error);
    for (int contact = 0; status == CAROM_OK && contact < impact->contacts; contact++)
        status = check_contact(impact, contact, allow_gain, error);
    for (int i = 0; status == CAROM_OK && i < impact->coordinates; i++)
        if (!isfinite(impact->velocity[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "velocity %d is %g; it must be finite", i + 1,
                              impact->velocity[i]);
    return status;
}

/* ---- the proof ----------------------------------------------------------------------------------------- */

static void fill_velocity(const impact_frame *frame, carom_impact_result *result)
{
    memcpy(result->velocity, frame->impact->velocity, (size_t)frame->coordinates * sizeof *result->velocity);
    for (int contact = 0; contact < frame->contacts; contact++)
        if (result->impulse[contact] != 0.0)
            impact_frame_push(frame, contact, result->impulse[contact], result->velocity);
}

/* M (v+ - v-) - W p, against the momenta and impulses there are. */
static double find_imbalance(const impact_frame *frame, const carom_impact_result *result, double *momentum)
{
    const carom_impact *impact = frame->impact;
    const int n = frame->coordinates;
    double size = 0.0, worst = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = impact->mass ? 0 : i; j < (impact->mass ? n : i + 1); j++) {
            const double mass = impact->mass ? impact->mass[(ptrdiff_t)i * n + j] : impact->masses[i];
            sum += mass * (result->velocity[j] - impact->velocity[j]);
            size = fmax(size, fabs(mass * impact->velocity[j]));
        }
        momentum[i] = sum;
    }
    for (int contact = 0; contact < frame->contacts; contact++)
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
            momentum[impact->row[k]] -= impact->value[k] * result->impulse[contact];
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(momentum[i]));
    return size > 0.0 ? worst / size : worst;
}

/* Energy, momentum and signs, from velocities and impulses alone. */
static void prove(const impact_frame *frame, double *momentum, carom_impact_result *result)
{
    const carom_impact *impact = frame->impact;
    double impulses = 0.0, smallest = 0.0, slowest = 0.0;
    result->energy_before = frame->energy_before;
    result->energy_after = impact_kinetic_energy(impact, result->velocity);
    result->imbalance = find_imbalance(frame, result, momentum);
    result->work = 0.0;
    bool moves = false;
    for (int contact = 0; contact < frame->contacts; contact++) {
        const double after = impact_frame_rate(frame, contact, result->velocity);
        const double p = result->impulse[contact];
        impulses = fmax(impulses, fabs(p));
        smallest = fmin(smallest, p);
        slowest = fmin(slowest, after);
        result->work += 0.5 * p * (frame->gamma[contact] + after);
        moves = moves || (impact->rate && impact->rate[contact] != 0.0);
    }
    const double change = moves ? result->work : result->energy_after - result->energy_before;
    result->kinematic = slowest >= -flag_tolerance * frame->speed;
    result->kinetic = smallest >= -flag_tolerance * impulses && result->imbalance <= flag_tolerance;
    result->energetic = change <= flag_tolerance * result->energy_before;
    result->largest_left = -slowest;
}

/* ---- the impact ---------------------------------------------------------------------------------------- */

static bool approaches(const impact_frame *frame)
{
    for (int contact = 0; contact < frame->contacts; contact++)
        if (frame->gamma[contact] < 0.0)
            return true;
    return false;
}

static void note_start(const impact_frame *frame, carom_impact_result *result)
{
    for (int contact = 0; contact < frame->contacts; contact++) {
        if (frame->gamma[contact] > 0.0)
            result->notes |= CAROM_IMPACT_SEPARATING;
        if (frame->restitution[contact] > 1.0)
            result->notes |= CAROM_IMPACT_GAIN;
    }
}

static void clear_result(const impact_frame *frame, carom_impact_result *result)
{
    const size_t contacts = (size_t)frame->contacts;
    *result = (carom_impact_result){.velocity = result->velocity,
                                    .impulse = result->impulse,
                                    .compression = result->compression,
                                    .closings = result->closings,
                                    .repeats = result->repeats,
                                    .peak_force = result->peak_force};
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
    impact_frame frame;
    carom_status status = check_impact(work, impact, options->allow_gain, error);
    if (status == CAROM_OK)
        status = impact_frame_fill(impact, &work->memory, &frame, error);
    if (status != CAROM_OK)
        return status;
    clear_result(&frame, result);
    note_start(&frame, result);
    if (!approaches(&frame))
        result->word = CAROM_IMPACT_NONE;
    else
        status = work->law->solve(&frame, options, work->law_work, result, error);
    if (status != CAROM_OK)
        return status;
    fill_velocity(&frame, result);
    prove(&frame, work->momentum, result);
    return CAROM_OK;
}
