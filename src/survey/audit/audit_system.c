/* What contacts see of a system: a basis that is orthonormal in the kinetic metric. */
#include <math.h>
#include <string.h>

#include "impact_audit.h"

/* A direction of which less than this share is new depends on the others. */
static const double independent_share = 1e-10;

/* Directions u_k = M^-1 w_k with |u_k| = 1, and M u_k beside them; Gram and Schmidt take away what the basis
 * has already, so that pairs stay pairs and M is never needed again. */
typedef struct remains {
    int contacts, coordinates;
    double *velocity, *momentum; /* contacts x coordinates */
} remains;

static double *row_of(double *matrix, int row, int columns)
{
    return matrix + (ptrdiff_t)row * columns;
}

static double length_of(const remains *r, int k)
{
    return sqrt(fmax(0.0, carom_dot(r->coordinates, row_of(r->velocity, k, r->coordinates),
                                    row_of(r->momentum, k, r->coordinates))));
}

static void scale_pair(const remains *r, int k, double factor)
{
    for (int i = 0; i < r->coordinates; i++) {
        row_of(r->velocity, k, r->coordinates)[i] *= factor;
        row_of(r->momentum, k, r->coordinates)[i] *= factor;
    }
}

static void take_away(const remains *r, int k, const double *velocity, const double *momentum)
{
    const int n = r->coordinates;
    const double share = carom_dot(n, momentum, row_of(r->velocity, k, n));
    carom_axpy(n, -share, velocity, row_of(r->velocity, k, n));
    carom_axpy(n, -share, momentum, row_of(r->momentum, k, n));
}

static bool fill_remains(const carom_impact *impact, carom_arena *arena, remains *r)
{
    const int n = impact->coordinates;
    const size_t size = (size_t)n * (size_t)impact->contacts;
    *r = (remains){.contacts = impact->contacts,
                   .coordinates = n,
                   .velocity = carom_arena_take(arena, size, sizeof(double)),
                   .momentum = carom_arena_take(arena, size, sizeof(double))};
    double *factor = carom_arena_take(arena, impact->mass ? (size_t)n * (size_t)n : 1, sizeof(double));
    if (!r->velocity || !r->momentum || !factor)
        return false;
    if (impact->mass) {
        memcpy(factor, impact->mass, (size_t)n * (size_t)n * sizeof *factor);
        carom_cholesky_factor(n, factor);
    }
    for (int k = 0; k < impact->contacts; k++) {
        double *velocity = row_of(r->velocity, k, n), *momentum = row_of(r->momentum, k, n);
        for (int l = impact->column_start[k]; l < impact->column_start[k + 1]; l++)
            momentum[impact->row[l]] += impact->value[l];
        for (int i = 0; i < n; i++)
            velocity[i] = impact->mass ? momentum[i] : momentum[i] / impact->masses[i];
        if (impact->mass)
            carom_cholesky_solve(n, factor, velocity);
        scale_pair(r, k, 1.0 / length_of(r, k));
    }
    return true;
}

/* The longest remaining direction joins the basis; false when none is left. */
static bool extend_basis(audit_system *system, const remains *r)
{
    const int n = system->coordinates, at = system->rank;
    int longest = 0;
    for (int k = 1; k < r->contacts; k++)
        if (length_of(r, k) > length_of(r, longest))
            longest = k;
    if (at == n || length_of(r, longest) <= independent_share)
        return false;
    /* Once more against the basis: rounding in a short remainder is large. */
    scale_pair(r, longest, 1.0 / length_of(r, longest));
    for (int i = 0; i < at; i++)
        take_away(r, longest, row_of(system->basis, i, n), row_of(system->momentum, i, n));
    scale_pair(r, longest, 1.0 / length_of(r, longest));
    double *velocity = row_of(system->basis, at, n), *momentum = row_of(system->momentum, at, n);
    memcpy(velocity, row_of(r->velocity, longest, n), (size_t)n * sizeof *velocity);
    memcpy(momentum, row_of(r->momentum, longest, n), (size_t)n * sizeof *momentum);
    for (int k = 0; k < r->contacts; k++)
        take_away(r, k, velocity, momentum);
    system->rank++;
    return system->rank < r->contacts;
}

static void fill_directions(audit_system *system)
{
    const carom_impact *impact = system->impact;
    for (int k = 0; k < system->contacts; k++) {
        double *direction = row_of(system->direction, k, system->rank);
        for (int i = 0; i < system->rank; i++)
            for (int l = impact->column_start[k]; l < impact->column_start[k + 1]; l++)
                direction[i] +=
                    impact->value[l] * row_of(system->basis, i, system->coordinates)[impact->row[l]];
        system->scale[k] = 1.0 / sqrt(carom_dot(system->rank, direction, direction));
    }
}

carom_status audit_system_make(const carom_impact *impact, carom_arena *arena, audit_system *system,
                               carom_error *error)
{
    const int n = impact->coordinates, contacts = impact->contacts, most = contacts < n ? contacts : n;
    const size_t size = (size_t)n * (size_t)most;
    *system = (audit_system){
        .impact = impact,
        .coordinates = n,
        .contacts = contacts,
        .basis = carom_arena_take(arena, size, sizeof(double)),
        .momentum = carom_arena_take(arena, size, sizeof(double)),
        .direction = carom_arena_take(arena, carom_product((size_t)contacts, (size_t)most), sizeof(double)),
        .scale = carom_arena_take(arena, (size_t)contacts, sizeof(double))};
    carom_arena *passing = carom_arena_create();
    remains r;
    const bool enough = passing && system->basis && system->momentum && system->direction && system->scale &&
                        fill_remains(impact, passing, &r);
    if (enough) {
        while (extend_basis(system, &r))
            ;
        fill_directions(system);
    }
    carom_arena_free(passing);
    return enough ? CAROM_OK : carom_fail_memory(error);
}

void audit_see(const audit_system *system, const double *velocity, double *y)
{
    for (int i = 0; i < system->rank; i++)
        y[i] = carom_dot(system->coordinates, row_of(system->momentum, i, system->coordinates), velocity);
}

void audit_lift(const audit_system *system, const double *y, double *velocity)
{
    memset(velocity, 0, (size_t)system->coordinates * sizeof *velocity);
    for (int i = 0; i < system->rank; i++)
        carom_axpy(system->coordinates, y[i], row_of(system->basis, i, system->coordinates), velocity);
}

void audit_contact_velocities(const audit_system *system, const double *y, double *gamma)
{
    for (int k = 0; k < system->contacts; k++)
        gamma[k] = carom_dot(system->rank, row_of(system->direction, k, system->rank), y);
}

void audit_projector(const audit_system *system, double *projector)
{
    const int n = system->coordinates;
    for (int i = 0; i < n; i++) {
        double *row = row_of(projector, i, n);
        memset(row, 0, (size_t)n * sizeof *row);
        row[i] = 1.0;
        for (int k = 0; k < system->rank; k++)
            carom_axpy(n, -row_of(system->basis, k, n)[i], row_of(system->momentum, k, n), row);
    }
}
