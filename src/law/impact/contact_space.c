/* From masses, contact directions and joints to contact space: G = W^T M^-1 W, or with joints
 * G = W^T (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) W. */
#include "contact_space.h"

#include <float.h>
#include <math.h>
#include <string.h>

void carom_contact_space_multiply(const carom_contact_space *space, const double *p, double *y)
{
    for (int i = 0; i < space->contacts; i++) {
        double sum = 0.0;
        for (int k = space->start[i]; k < space->start[i + 1]; k++)
            sum += space->entry[k] * p[space->column[k]];
        y[i] = sum;
    }
}

/* Impulses whose rounding is a larger share of the velocities are no solution of anything. */
static const double most_rounding = 1e-7;

double contact_space_rounding(const carom_contact_space *space, int contact, const double *p)
{
    double sum = 0.0;
    for (int k = space->start[contact]; k < space->start[contact + 1]; k++)
        sum += fabs(space->entry[k] * p[space->column[k]]);
    return fmin(4.0 * DBL_EPSILON * sum, most_rounding * space->speed);
}

static size_t product(int a, int b)
{
    return (size_t)a * (size_t)b;
}

void contact_space_move(const carom_contact_space *space, const double *p, double *dv, double *lambda)
{
    const carom_impact *impact = space->impact;
    memset(dv, 0, (size_t)space->coordinates * sizeof *dv);
    for (int contact = 0; contact < space->contacts; contact++)
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
            dv[impact->row[k]] += impact->value[k] * p[contact];
    if (impact->mass)
        carom_cholesky_solve(space->coordinates, space->factor, dv);
    else
        for (int i = 0; i < space->coordinates; i++)
            dv[i] /= impact->masses[i];
    if (space->joints)
        impact_joints_project(space->joints, dv, lambda);
}

void contact_space_answer(const carom_contact_space *space, const double *base, const double *p, double *dv,
                          double *y)
{
    const carom_impact *impact = space->impact;
    contact_space_move(space, p, dv, NULL);
    for (int contact = 0; contact < space->contacts; contact++) {
        double sum = 0.0;
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
            sum += impact->value[k] * dv[impact->row[k]];
        y[contact] = base[contact] + sum;
    }
}

bool contact_space_take(carom_arena *arena, const carom_impact_sizes *given, contact_space_memory *memory)
{
    carom_impact_sizes sizes = *given;
    const int n = sizes.coordinates, contacts = sizes.contacts;
    const size_t all_entries = product(n, contacts), all_couplings = product(contacts, contacts);
    const size_t entries = sizes.entries > 0 ? (size_t)sizes.entries : all_entries;
    const size_t couplings = sizes.couplings > 0 ? (size_t)sizes.couplings : all_couplings;
    const bool full = sizes.full_mass || sizes.joints > 0;
    const size_t responses = full && all_entries > entries ? all_entries : entries;
    const size_t count = (size_t)contacts;
    if (entries > INT32_MAX || couplings > INT32_MAX || responses > INT32_MAX)
        return false;
    sizes.entries = (int)entries;
    sizes.couplings = (int)couplings;
    *memory = (contact_space_memory){
        .sizes = sizes,
        .gamma = carom_arena_take(arena, count, sizeof(double)),
        .stiffness = carom_arena_take(arena, count, sizeof(double)),
        .exponent = carom_arena_take(arena, count, sizeof(double)),
        .start = carom_arena_take(arena, count + 1, sizeof(int)),
        .column = carom_arena_take(arena, couplings, sizeof(int)),
        .diagonal = carom_arena_take(arena, count, sizeof(int)),
        .entry = carom_arena_take(arena, couplings, sizeof(double)),
        .response_start = carom_arena_take(arena, count + 1, sizeof(int)),
        .response_row = carom_arena_take(arena, responses, sizeof(int)),
        .response = carom_arena_take(arena, responses, sizeof(double)),
        .by_row_start = carom_arena_take(arena, (size_t)n + 1, sizeof(int)),
        .by_row_contact = carom_arena_take(arena, entries, sizeof(int)),
        .by_row_value = carom_arena_take(arena, entries, sizeof(double)),
        .marker = carom_arena_take(arena, count, sizeof(int)),
        .factor = carom_arena_take(arena, sizes.full_mass ? product(n, n) : 1, sizeof(double)),
    };
    return impact_joints_take(arena, &sizes, &memory->joints) && memory->gamma && memory->stiffness &&
           memory->exponent && memory->start && memory->column && memory->diagonal && memory->entry &&
           memory->response_start && memory->response_row && memory->response && memory->by_row_start &&
           memory->by_row_contact && memory->by_row_value && memory->marker && memory->factor;
}

/* W by rows. */
static void transpose(const carom_impact *impact, contact_space_memory *memory)
{
    const int n = impact->coordinates, contacts = impact->contacts;
    const int entries = contacts > 0 ? impact->column_start[contacts] : 0;
    int *start = memory->by_row_start;
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (int k = 0; k < entries; k++)
        start[impact->row[k] + 1]++;
    for (int i = 0; i < n; i++)
        start[i + 1] += start[i];
    for (int contact = 0; contact < contacts; contact++)
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++) {
            const int place = start[impact->row[k]]++;
            memory->by_row_contact[place] = contact;
            memory->by_row_value[place] = impact->value[k];
        }
    for (int i = n; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* A pivot below this share of its diagonal entry is rounding; so is what joints leave of a contact's answer. */
static const double least_pivot = 1e-14, held = 1e-14;

static carom_status factor_mass(const carom_impact *impact, double *factor, carom_error *error)
{
    const int n = impact->coordinates;
    memcpy(factor, impact->mass, product(n, n) * sizeof *factor);
    int bad_row = carom_cholesky_factor(n, factor);
    for (int i = 0; i < n && bad_row == 0; i++) {
        const double pivot = factor[(ptrdiff_t)i * n + i];
        if (!(pivot * pivot > least_pivot * impact->mass[(ptrdiff_t)i * n + i]))
            bad_row = i + 1;
    }
    if (bad_row != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is not positive definite (pivot %d)",
                          bad_row);
    return CAROM_OK;
}

/* w . response */
static double along(const carom_impact *impact, int contact, const double *response)
{
    double sum = 0.0;
    for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
        sum += impact->value[k] * response[impact->row[k]];
    return sum;
}

/* Where a full mass matrix or joints spread an impulse to all coordinates. */
static carom_status fill_full_response(const carom_impact *impact, contact_space_memory *memory, int contact,
                                       double *response, carom_error *error)
{
    const int n = impact->coordinates;
    memset(response, 0, (size_t)n * sizeof *response);
    for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
        response[impact->row[k]] += impact->value[k];
    if (impact->mass)
        carom_cholesky_solve(n, memory->factor, response);
    else
        for (int i = 0; i < n; i++)
            response[i] /= impact->masses[i];
    if (impact->joints == 0)
        return CAROM_OK;
    const double free = along(impact, contact, response);
    impact_joints_project(&memory->joints, response, NULL);
    if (free > 0.0 && !(along(impact, contact, response) > held * free))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the joints hold contact %d: its impulse moves nothing, and is not unique",
                          contact + 1);
    return CAROM_OK;
}

static carom_status fill_responses(const carom_impact *impact, contact_space_memory *memory,
                                   carom_error *error)
{
    const int n = impact->coordinates;
    int place = 0;
    for (int contact = 0; contact < impact->contacts; contact++) {
        memory->response_start[contact] = place;
        if (impact->mass || impact->joints > 0) {
            const carom_status status =
                fill_full_response(impact, memory, contact, memory->response + place, error);
            if (status != CAROM_OK)
                return status;
            for (int i = 0; i < n; i++)
                memory->response_row[place + i] = i;
            place += n;
            continue;
        }
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++) {
            memory->response_row[place] = impact->row[k];
            memory->response[place++] = impact->value[k] / impact->masses[impact->row[k]];
        }
    }
    memory->response_start[impact->contacts] = place;
    return CAROM_OK;
}

/* Sorts the columns of a row of G; rows are short or nearly sorted. */
static void sort_row(int count, int *column, double *entry)
{
    for (int i = 1; i < count; i++) {
        const int c = column[i];
        const double e = entry[i];
        int k = i;
        for (; k > 0 && column[k - 1] > c; k--) {
            column[k] = column[k - 1];
            entry[k] = entry[k - 1];
        }
        column[k] = c;
        entry[k] = e;
    }
}

/* Row i of G = sum over the coordinates that w_i moves at M^-1 of the contacts that move them, too. */
static bool fill_row(contact_space_memory *memory, int contact, int *place)
{
    const int first = *place;
    for (int k = memory->response_start[contact]; k < memory->response_start[contact + 1]; k++) {
        const int row = memory->response_row[k];
        const double response = memory->response[k];
        if (response == 0.0)
            continue;
        for (int l = memory->by_row_start[row]; l < memory->by_row_start[row + 1]; l++) {
            const int other = memory->by_row_contact[l];
            if (memory->marker[other] < first) {
                if (*place == memory->sizes.couplings)
                    return false;
                memory->marker[other] = *place;
                memory->column[*place] = other;
                memory->entry[(*place)++] = 0.0;
            }
            memory->entry[memory->marker[other]] += response * memory->by_row_value[l];
        }
    }
    sort_row(*place - first, memory->column + first, memory->entry + first);
    memory->diagonal[contact] = -1;
    for (int k = first; k < *place; k++)
        if (memory->column[k] == contact)
            memory->diagonal[contact] = k;
    return true;
}

static carom_status fill_matrix(const carom_impact *impact, contact_space_memory *memory, carom_error *error)
{
    int place = 0;
    for (int contact = 0; contact < impact->contacts; contact++)
        memory->marker[contact] = -1;
    for (int contact = 0; contact < impact->contacts; contact++) {
        memory->start[contact] = place;
        if (!fill_row(memory, contact, &place))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contacts couple in more than %d places, which this work was made for",
                              memory->sizes.couplings);
        if (memory->diagonal[contact] < 0 || !(memory->entry[memory->diagonal[contact]] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the direction of contact %d is zero: its gap has no gradient here",
                              contact + 1);
        if (!carom_all_finite(place - memory->start[contact], memory->entry + memory->start[contact]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact %d answers an impulse with an infinite velocity: its direction is too "
                              "large, or a mass too small",
                              contact + 1);
    }
    memory->start[impact->contacts] = place;
    return CAROM_OK;
}

double impact_kinetic_energy(const carom_impact *impact, const double *v)
{
    const int n = impact->coordinates;
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += v[i] *
               (impact->mass ? carom_dot(n, impact->mass + (ptrdiff_t)i * n, v) : impact->masses[i] * v[i]);
    return 0.5 * sum;
}

carom_status contact_space_fill(const carom_impact *impact, contact_space_memory *memory,
                                carom_contact_space *space, carom_error *error)
{
    carom_status status = impact->mass ? factor_mass(impact, memory->factor, error) : CAROM_OK;
    if (status == CAROM_OK && impact->joints > 0)
        status = impact_joints_fill(impact, memory->factor, &memory->joints, error);
    if (status == CAROM_OK)
        status = fill_responses(impact, memory, error);
    if (status != CAROM_OK)
        return status;
    transpose(impact, memory);
    status = fill_matrix(impact, memory, error);
    if (status != CAROM_OK)
        return status;
    *space = (carom_contact_space){
        .impact = impact,
        .sizes = &memory->sizes,
        .contacts = impact->contacts,
        .coordinates = impact->coordinates,
        .gamma = memory->gamma,
        .restitution = impact->restitution,
        .stiffness = memory->stiffness,
        .exponent = memory->exponent,
        .start = memory->start,
        .column = memory->column,
        .diagonal = memory->diagonal,
        .entry = memory->entry,
        .response_start = memory->response_start,
        .response_row = memory->response_row,
        .response = memory->response,
        .factor = memory->factor,
        .joints = impact->joints > 0 ? &memory->joints : NULL,
        .energy_before = impact_kinetic_energy(impact, impact->velocity),
    };
    for (int contact = 0; contact < impact->contacts; contact++) {
        memory->gamma[contact] = carom_contact_space_rate(space, contact, impact->velocity);
        memory->stiffness[contact] = impact->stiffness ? impact->stiffness[contact] : carom_default_stiffness;
        memory->exponent[contact] = impact->exponent ? impact->exponent[contact] : carom_default_exponent;
        space->speed = fmax(space->speed, fabs(memory->gamma[contact]));
    }
    if (!carom_all_finite(impact->contacts, memory->gamma) || !isfinite(space->energy_before))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "velocities are so large that contact velocities or the energy (%g) overflow",
                          space->energy_before);
    return CAROM_OK;
}
