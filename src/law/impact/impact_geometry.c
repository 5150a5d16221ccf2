/* Projectors, cones and the dissipation function of an impact (Winandy, Baumann and Leine 2018, sections 4.2
 * to 5.2).
 *
 * With M = L L^T the kinetic metric becomes the Euclidean one: A = L^-1 W, G = A^T A. From A = U S V^T with
 * orthonormal U (n x rank) and V (c x rank) and a regular S follow
 *
 *      P_perp = L^-T U U^T L^T,   P = I - P_perp,   F = L^-T U S^-T V^T,
 *
 * also where columns of W depend on each other. */
#include <math.h>
#include <string.h>

#include "contact_space.h"

/* A direction that keeps less than this share of its length beside the others depends on them. */
static const double dependent = 1e-10;

struct carom_impact_geometry_work {
    carom_impact impact; /* copies of what was given */
    contact_space_memory memory;
    carom_contact_space space;
    double *gamma, *impulse; /* contacts */
    double *dv;              /* coordinates */
    double *lcp;
};

static double *take(carom_arena *arena, int a, int b)
{
    return carom_arena_take(arena, carom_product((size_t)a, (size_t)b), sizeof(double));
}

/* ---- the impact ---------------------------------------------------------------------------------------- */

static void *copy(carom_arena *arena, const void *data, size_t count, size_t size)
{
    void *made = data ? carom_arena_take(arena, count, size) : NULL;
    if (made && count > 0)
        memcpy(made, data, count * size);
    return made;
}

/* The impact with arrays of its own. */
static bool copy_impact(carom_arena *arena, carom_impact *impact)
{
    const size_t n = (size_t)impact->coordinates, contacts = (size_t)impact->contacts;
    const size_t entries = contacts > 0 ? (size_t)impact->column_start[contacts] : 0;
    impact->masses = impact->mass ? NULL : copy(arena, impact->masses, n, sizeof(double));
    impact->mass = copy(arena, impact->mass, n * n, sizeof(double));
    impact->column_start = copy(arena, impact->column_start, contacts + 1, sizeof(int));
    impact->row = copy(arena, impact->row, entries, sizeof(int));
    impact->value = copy(arena, impact->value, entries, sizeof(double));
    return (impact->mass || impact->masses) &&
           (contacts == 0 || (impact->column_start && impact->row && impact->value));
}

/* Masses and directions at rest, checked, and their space. */
static carom_status take_frame(carom_arena *arena, const carom_impact *given,
                               struct carom_impact_geometry_work *work, carom_error *error)
{
    const int n = given->coordinates > 0 ? given->coordinates : 1;
    const int contacts = given->contacts > 0 ? given->contacts : 0;
    if (given->joints > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the geometry of an impact with joints (here %d) is not known: give coordinates that need "
            "none",
            given->joints);
    const double *zeros = take(arena, n > contacts ? n : contacts, 1);
    if (!zeros)
        return carom_fail_memory(error);
    work->impact = (carom_impact){
        .coordinates = given->coordinates,
        .contacts = given->contacts,
        .mass = given->mass,
        .masses = given->masses,
        .column_start = given->column_start,
        .row = given->row,
        .value = given->value,
        .velocity = zeros,
        .restitution = zeros,
    };
    const carom_impact_sizes sizes = carom_impact_sizes_of(&work->impact);
    const carom_status status = impact_check(&sizes, &work->impact, false, error);
    if (status != CAROM_OK)
        return status;
    if (!copy_impact(arena, &work->impact) || !contact_space_take(arena, &sizes, &work->memory))
        return carom_fail_memory(error);
    work->gamma = take(arena, contacts, 1);
    work->impulse = take(arena, contacts, 1);
    work->dv = take(arena, n, 1);
    work->lcp = carom_arena_take(arena, carom_impact_lcp_work(&work->memory.sizes), sizeof(double));
    if (!work->gamma || !work->impulse || !work->dv || !work->lcp)
        return carom_fail_memory(error);
    return contact_space_fill(&work->impact, &work->memory, &work->space, error);
}

/* ---- L ------------------------------------------------------------------------------------------------- */

static double root_of(const carom_impact *impact, const double *lower, int i)
{
    return impact->mass ? lower[(ptrdiff_t)i * impact->coordinates + i] : sqrt(impact->masses[i]);
}

/* x := L^-1 x */
static void divide(const carom_contact_space *space, double *x)
{
    const int n = space->coordinates;
    for (int i = 0; i < n; i++) {
        if (space->impact->mass)
            x[i] -= carom_dot(i, space->factor + (ptrdiff_t)i * n, x);
        x[i] /= root_of(space->impact, space->factor, i);
    }
}

/* x := L^-T x */
static void divide_transposed(const carom_contact_space *space, double *x)
{
    const int n = space->coordinates;
    for (int i = n - 1; i >= 0; i--) {
        x[i] /= root_of(space->impact, space->factor, i);
        if (space->impact->mass)
            carom_axpy(i, -x[i], space->factor + (ptrdiff_t)i * n, x);
    }
}

/* ---- projectors ---------------------------------------------------------------------------------------- */

/* The vector (each n long, one after the other) that keeps most of its length, more than `least`; -1: none.
 */
static int longest(int n, int count, const double *vector, const double *length, double least)
{
    int best = -1;
    for (int i = 0; i < count; i++) {
        const double *v = vector + (ptrdiff_t)i * n;
        const double share = length[i] > 0.0 ? sqrt(carom_dot(n, v, v)) / length[i] : 0.0;
        if (share > least) {
            least = share;
            best = i;
        }
    }
    return best;
}

/* An orthonormal basis of what the vectors span; they are used up. Returns how many there are. */
static int basis_of(int n, int count, double *vector, double least, double *length, double *basis)
{
    int rank = 0;
    for (int i = 0; i < count; i++)
        length[i] = sqrt(carom_dot(n, vector + (ptrdiff_t)i * n, vector + (ptrdiff_t)i * n));
    for (int next; rank < n && (next = longest(n, count, vector, length, least)) >= 0; rank++) {
        double *made = basis + (ptrdiff_t)rank * n;
        memcpy(made, vector + (ptrdiff_t)next * n, (size_t)n * sizeof *made);
        for (int k = 0; k < rank; k++) /* once more: what rounding left the first time */
            carom_axpy(n, -carom_dot(n, basis + (ptrdiff_t)k * n, made), basis + (ptrdiff_t)k * n, made);
        const double size = sqrt(carom_dot(n, made, made));
        for (int j = 0; j < n; j++)
            made[j] /= size;
        for (int i = 0; i < count; i++) {
            double *v = vector + (ptrdiff_t)i * n;
            carom_axpy(n, -carom_dot(n, made, v), made, v);
        }
        length[next] = 0.0;
    }
    return rank;
}

/* Products of the vectors of two lists, r x s. */
static void products(int n, int r, const double *a, int s, const double *b, double *matrix)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < s; j++)
            matrix[(ptrdiff_t)i * s + j] = carom_dot(n, a + (ptrdiff_t)i * n, b + (ptrdiff_t)j * n);
}

/* Columns of A = L^-1 W, one after the other. */
static void fill_roots(const carom_contact_space *space, double *roots)
{
    const carom_impact *impact = space->impact;
    for (int contact = 0; contact < space->contacts; contact++) {
        double *column = roots + (ptrdiff_t)contact * space->coordinates;
        memset(column, 0, (size_t)space->coordinates * sizeof *column);
        for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
            column[impact->row[k]] += impact->value[k];
        divide(space, column);
    }
}

/* P_perp = L^-T U U^T L^T column by column, and P. */
static void fill_projectors(const carom_contact_space *space, int rank, const double *basis, double *column,
                            double *projector, double *normal)
{
    const int n = space->coordinates;
    double *image = column + n;
    for (int j = 0; j < n; j++) {
        memset(column, 0, 2 * (size_t)n * sizeof *column);
        /* column j of L^T is row j of L */
        for (int i = 0; i <= j; i++)
            column[i] = space->impact->mass ? space->factor[(ptrdiff_t)j * n + i] : 0.0;
        column[j] = root_of(space->impact, space->factor, j);
        for (int k = 0; k < rank; k++)
            carom_axpy(n, carom_dot(n, basis + (ptrdiff_t)k * n, column), basis + (ptrdiff_t)k * n, image);
        divide_transposed(space, image);
        for (int i = 0; i < n; i++) {
            normal[(ptrdiff_t)i * n + j] = image[i];
            projector[(ptrdiff_t)i * n + j] = (i == j ? 1.0 : 0.0) - image[i];
        }
    }
}

/* F = L^-T U S^-T V^T, with rows = U^T A = S V^T. */
static carom_status fill_lift(carom_arena *arena, const carom_contact_space *space, int rank,
                              const double *basis, const double *roots, double *lift, carom_error *error)
{
    const int n = space->coordinates, contacts = space->contacts;
    double *rows = take(arena, rank, contacts), *used = take(arena, rank, contacts),
           *other = take(arena, rank, contacts), *length = take(arena, rank, 1), *s = take(arena, rank, rank),
           *x = take(arena, rank, 1), *column = take(arena, n, 1);
    int *pivot = carom_arena_take(arena, (size_t)rank, sizeof *pivot);
    if (!rows || !used || !other || !length || !s || !x || !column || !pivot)
        return carom_fail_memory(error);
    products(n, rank, basis, contacts, roots, rows);
    memcpy(used, rows, (size_t)rank * (size_t)contacts * sizeof *used);
    if (basis_of(contacts, rank, used, 0.0, length, other) < rank)
        return carom_fail(error, CAROM_FAILED, "directions of %d contacts are too close to each other", rank);
    products(contacts, rank, other, rank, rows, s); /* S^T */
    if (carom_lu_factor(rank, s, pivot) != 0)
        return carom_fail(error, CAROM_FAILED, "directions of %d contacts are too close to each other", rank);
    for (int j = 0; j < contacts; j++) {
        for (int k = 0; k < rank; k++)
            x[k] = other[(ptrdiff_t)k * contacts + j];
        carom_lu_solve(rank, s, pivot, x);
        memset(column, 0, (size_t)n * sizeof *column);
        for (int k = 0; k < rank; k++)
            carom_axpy(n, x[k], basis + (ptrdiff_t)k * n, column);
        divide_transposed(space, column);
        for (int i = 0; i < n; i++)
            lift[(ptrdiff_t)i * contacts + j] = column[i];
    }
    return CAROM_OK;
}

carom_status carom_impact_geometry_take(carom_arena *arena, const carom_impact *impact,
                                        carom_impact_geometry *geometry, carom_error *error)
{
    struct carom_impact_geometry_work *work = carom_arena_take(arena, 1, sizeof *work);
    *geometry = (carom_impact_geometry){.work = work};
    const carom_status status = work ? take_frame(arena, impact, work, error) : carom_fail_memory(error);
    if (status != CAROM_OK)
        return status;
    const carom_contact_space *space = &work->space;
    const int n = space->coordinates, contacts = space->contacts;
    double *roots = take(arena, contacts, n), *used = take(arena, contacts, n),
           *length = take(arena, contacts, 1), *basis = take(arena, n, n), *column = take(arena, n, 2),
           *delassus = take(arena, contacts, contacts), *projector = take(arena, n, n),
           *normal = take(arena, n, n), *lift = take(arena, n, contacts);
    if (!roots || !used || !length || !basis || !column || !delassus || !projector || !normal || !lift)
        return carom_fail_memory(error);
    fill_roots(space, roots);
    memcpy(used, roots, (size_t)n * (size_t)contacts * sizeof *used);
    const int rank = basis_of(n, contacts, used, dependent, length, basis);
    products(n, contacts, roots, contacts, roots, delassus);
    fill_projectors(space, rank, basis, column, projector, normal);
    *geometry = (carom_impact_geometry){.coordinates = n,
                                        .contacts = contacts,
                                        .rank = rank,
                                        .delassus = delassus,
                                        .projector = projector,
                                        .normal = normal,
                                        .lift = lift,
                                        .work = work};
    return fill_lift(arena, space, rank, basis, roots, lift, error);
}

/* ---- cones --------------------------------------------------------------------------------------------- */

/* Both spaces have one complementarity problem; b = gamma. Leaves p, G p and M^-1 W p in the work space. */
static double split(const carom_impact_geometry *geometry, const double *gamma)
{
    struct carom_impact_geometry_work *work = geometry->work;
    carom_contact_space space = work->space; /* the problem measures rounding against the velocities */
    space.speed = carom_largest(space.contacts, gamma);
    return carom_impact_lcp(&space, gamma, work->lcp, work->impulse);
}

static void give(int count, const double *from, double *to)
{
    if (to && count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
}

double carom_impact_split_velocity(const carom_impact_geometry *geometry, const double *velocity,
                                   double *tangent, double *polar, double *impulse)
{
    struct carom_impact_geometry_work *work = geometry->work;
    for (int contact = 0; contact < geometry->contacts; contact++)
        work->gamma[contact] = carom_contact_space_rate(&work->space, contact, velocity);
    const double residual = split(geometry, work->gamma);
    contact_space_move(&work->space, work->impulse, work->dv, NULL);
    for (int i = 0; i < geometry->coordinates; i++) {
        const double v = velocity[i], dv = work->dv[i];
        if (tangent)
            tangent[i] = v + dv;
        if (polar)
            polar[i] = -dv;
    }
    give(geometry->contacts, work->impulse, impulse);
    return residual;
}

double carom_impact_split_contact(const carom_impact_geometry *geometry, const double *gamma,
                                  double *admissible, double *polar, double *impulse)
{
    struct carom_impact_geometry_work *work = geometry->work;
    const double residual = split(geometry, gamma);
    contact_space_answer(&work->space, gamma, work->impulse, work->dv, work->gamma);
    for (int i = 0; i < geometry->contacts; i++) {
        const double g = gamma[i], nearest = work->gamma[i];
        if (admissible)
            admissible[i] = nearest;
        if (polar)
            polar[i] = g - nearest;
    }
    give(geometry->contacts, work->impulse, impulse);
    return residual;
}

/* ---- dissipation --------------------------------------------------------------------------------------- */

static double elastic_dissipation(int contacts, const double *mean, double *impulse)
{
    bool admissible = true;
    for (int i = 0; i < contacts; i++)
        admissible = admissible && mean[i] >= 0.0;
    for (int i = 0; impulse && i < contacts; i++)
        impulse[i] = admissible ? 0.0 : NAN;
    return admissible ? 0.0 : INFINITY;
}

double carom_impact_dissipation(const carom_impact_geometry *geometry, double restitution, const double *mean,
                                double *impulse)
{
    struct carom_impact_geometry_work *work = geometry->work;
    if (!(restitution < 1.0))
        return elastic_dissipation(geometry->contacts, mean, impulse);
    split(geometry, mean);
    carom_contact_space_multiply(&work->space, work->impulse, work->gamma);
    const double factor = (1.0 + restitution) / (1.0 - restitution);
    const double square = carom_dot(geometry->contacts, work->impulse, work->gamma);
    for (int i = 0; impulse && i < geometry->contacts; i++)
        impulse[i] = 2.0 * factor * work->impulse[i];
    return factor * square;
}

void carom_impact_lift(const carom_impact_geometry *geometry, const double *gamma, double *velocity)
{
    for (int i = 0; i < geometry->coordinates; i++)
        velocity[i] =
            carom_dot(geometry->contacts, geometry->lift + (ptrdiff_t)i * geometry->contacts, gamma);
}
