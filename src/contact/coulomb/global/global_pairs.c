#include "contact/coulomb/parts/global_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/pairs_one.h"
#include "contact/coulomb/parts/law_residual.h"
#include "global_system.h"

/* What rounding may do to numbers that are equal, relative to them. */
static const double same_to = 1e-10;

/* ---- is it one? ---------------------------------------------------------------------------------------- */

static int width_of(const carom_coulomb_global *global)
{
    return global_pairs_in_plane(global) ? 3 : 6;
}

/* The inverse of a symmetric positive definite J by cofactors; false when it is none. */
static bool invert(const double J[9], double inverse[9])
{
    inverse[0] = J[4] * J[8] - J[5] * J[7];
    inverse[1] = J[2] * J[7] - J[1] * J[8];
    inverse[2] = J[1] * J[5] - J[2] * J[4];
    inverse[3] = J[5] * J[6] - J[3] * J[8];
    inverse[4] = J[0] * J[8] - J[2] * J[6];
    inverse[5] = J[2] * J[3] - J[0] * J[5];
    inverse[6] = J[3] * J[7] - J[4] * J[6];
    inverse[7] = J[1] * J[6] - J[0] * J[7];
    inverse[8] = J[0] * J[4] - J[1] * J[3];
    const double determinant = J[0] * inverse[0] + J[1] * inverse[3] + J[2] * inverse[6];
    if (!(J[0] > 0.0) || !(inverse[8] > 0.0) || !(determinant > 0.0))
        return false;
    const double factor = 1.0 / determinant;
    for (int i = 0; i < 9; i++)
        inverse[i] *= factor;
    return isfinite(factor);
}

/* 1 / J of the plane, J^-1 of space; false when it is none. */
static bool invert_inertia(int width, const double J[9], double inverse[9])
{
    if (width == 3) {
        memset(inverse, 0, 9 * sizeof *inverse);
        inverse[8] = 1.0 / J[0];
        return J[0] > 0.0 && isfinite(inverse[8]);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            if (!(fabs(J[3 * i + k] - J[3 * k + i]) <= same_to * (fabs(J[4 * i]) + fabs(J[4 * k]))))
                return false;
    return invert(J, inverse);
}

/* 1 / m and J^-1 of the block of a body; false when it is not that of a rigid one, or there are entries outside of it. */
static bool read_body(const carom_sparse *M, int body, int width, double *inverse_mass, double inverse[9])
{
    const int first = width * body, moves = width == 3 ? 2 : 3, turns = width - moves;
    double mass[3] = {0.0}, J[9] = {0.0}, largest = 0.0; /* the last: of what should be 0 */
    for (int k = 0; k < width; k++)
        for (int e = M->column_start[first + k]; e < M->column_start[first + k + 1]; e++) {
            const int row = M->row[e] - first;
            const double value = M->value[e];
            if (value == 0.0)
                continue;
            if (row < 0 || row >= width || !isfinite(value))
                return false;
            if (row >= moves && k >= moves)
                J[turns * (row - moves) + k - moves] = value;
            else if (row == k)
                mass[k] = value;
            else
                largest = fmax(largest, fabs(value));
        }
    const double m = mass[0];
    if (!(m > 0.0) || !(largest <= same_to * m))
        return false;
    for (int k = 1; k < moves; k++)
        if (!(fabs(mass[k] - m) <= same_to * m))
            return false;
    *inverse_mass = 1.0 / m;
    return invert_inertia(width, J, inverse);
}

static bool is_orthonormal(int dimension, const double direction[9])
{
    for (int i = 0; i < dimension; i++)
        for (int k = 0; k <= i; k++) {
            const double product = carom_dot(3, direction + 3 * (ptrdiff_t)i, direction + 3 * (ptrdiff_t)k);
            if (!(fabs(product - (i == k ? 1.0 : 0.0)) <= same_to))
                return false;
        }
    return true;
}

bool global_pairs_read_contact(const carom_coulomb_global *global, int contact, carom_pair_rows *row)
{
    const carom_sparse *H = &global->H;
    const int d = global_pairs_slips(global), width = width_of(global), moves = width == 3 ? 2 : 3;
    const int *start = H->column_start + (ptrdiff_t)global->dimension * contact;
    double direction[2][9] = {{0.0}}; /* of its bodies: D and -D */
    int body = 0;
    *row = (carom_pair_rows){.body = {-1, -1}, .mu = global->mu[contact]};
    for (int i = 0; i < d; i++)
        for (int e = start[i]; e < start[i + 1]; e++) {
            int place = H->row[e] - width * body;
            if (H->value[e] == 0.0)
                continue;
            if (place < 0 || place >= width) { /* another body than that of the entry before */
                body = H->row[e] / width;
                place = H->row[e] - width * body;
            }
            const int side = row->body[0] < 0 || row->body[0] == body ? 0 : 1;
            if (row->body[side] >= 0 && row->body[side] != body)
                return false;
            row->body[side] = body;
            if (place < moves)
                direction[side][3 * i + place] = H->value[e];
            else
                row->turn[side][3 * i + (width == 3 ? 2 : place - 3)] =
                    side == 0 ? H->value[e] : -H->value[e];
        }
    memcpy(row->direction, direction[0], sizeof row->direction);
    if (d == 2)
        row->direction[8] = 1.0; /* out of the plane */
    if (row->body[0] < 0 || !is_orthonormal(d, row->direction))
        return false;
    for (int i = 0; row->body[1] >= 0 && i < 3 * d; i++)
        if (!(fabs(direction[0][i] + direction[1][i]) <= same_to))
            return false;
    return true;
}

/* Sizes alone. */
static bool may_suit(const carom_coulomb_global *global)
{
    return global->G.columns == 0 && global->contacts > 0 && global->M.columns % width_of(global) == 0;
}

bool global_pairs_bodies_suit(const carom_coulomb_global *global)
{
    const int width = width_of(global);
    if (!may_suit(global))
        return false;
    for (int i = 0; i < global->M.columns / width; i++) {
        double inverse_mass, inverse[9];
        if (!read_body(&global->M, i, width, &inverse_mass, inverse))
            return false;
    }
    return true;
}

bool global_pairs_suit(const carom_coulomb_global *global)
{
    if (!global_pairs_bodies_suit(global))
        return false;
    for (int i = 0; i < global->contacts; i++) {
        carom_pair_rows row;
        if (!global_pairs_read_contact(global, i, &row))
            return false;
    }
    return true;
}

/* ---- its form ------------------------------------------------------------------------------------------- */

/* v := M^-1 f of one body. */
static void move_freely(int width, double inverse_mass, const double inverse[9], const double *f, double *v)
{
    const int moves = width == 3 ? 2 : 3;
    for (int k = 0; k < moves; k++)
        v[k] = inverse_mass * f[k];
    if (width == 3)
        v[2] = inverse[8] * f[2];
    else
        for (int k = 0; k < 3; k++)
            v[3 + k] = carom_dot(3, inverse + 3 * (ptrdiff_t)k, f + 3);
}

static void answer(carom_pair_rows *row, const double *inverse)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; row->body[side] >= 0 && i < 3; i++)
            for (int k = 0; k < 3; k++)
                row->answer[side][3 * i + k] =
                    carom_dot(3, inverse + 9 * (ptrdiff_t)row->body[side] + 3 * (ptrdiff_t)k,
                              row->turn[side] + 3 * (ptrdiff_t)i);
}

/* Memory of exactly this size: small problems are solved in less time than larger memory is cleared in. */
static carom_status take_memory(const carom_coulomb_global *global, size_t room, global_pairs *made,
                                double **mass, double **q, carom_error *error)
{
    const size_t contacts = (size_t)global->contacts, velocities = (size_t)global->M.columns,
                 bodies = velocities / (size_t)width_of(global), d = (size_t)global->dimension;
    const size_t rows = carom_product(contacts, sizeof *made->row),
                 numbers = bodies * 10 + contacts * (3 + d) + velocities + room;
    _Static_assert(sizeof *made->row % sizeof(double) == 0, "numbers stand behind the rows");
    made->memory = carom_new_array(rows + carom_product(numbers, sizeof(double)), 1);
    if (!made->memory)
        return carom_fail_memory(error);
    made->row = made->memory;
    *mass = (double *)(made->row + contacts);
    made->inverse = *mass + bodies;
    *q = *mass + 10 * bodies;
    made->u = *q + 3 * contacts;
    made->free = made->u + d * contacts;
    made->room = made->free + velocities;
    return CAROM_OK;
}

/* False when it has not this form. */
static bool fill(const carom_coulomb_global *global, global_pairs *made, double *mass, double *q)
{
    const int width = width_of(global), bodies = global->M.columns / width, d = global->dimension,
              slips = global_pairs_slips(global);
    double *inverse = mass + bodies;
    for (int i = 0; i < bodies; i++) {
        if (!read_body(&global->M, i, width, &mass[i], inverse + 9 * (ptrdiff_t)i))
            return false;
        move_freely(width, mass[i], inverse + 9 * (ptrdiff_t)i, global->f + (ptrdiff_t)width * i,
                    made->free + (ptrdiff_t)width * i);
    }
    memcpy(made->u, global->w, (size_t)(d * global->contacts) * sizeof *made->u);
    carom_sparse_add_transposed(&global->H, made->free, made->u);
    for (int i = 0; i < global->contacts; i++) {
        if (!global_pairs_read_contact(global, i, &made->row[i]))
            return false;
        answer(&made->row[i], inverse);
        memcpy(q + 3 * (ptrdiff_t)i, made->u + (ptrdiff_t)d * i, (size_t)slips * sizeof *q);
    }
    made->pairs = (carom_pairs){.contacts = global->contacts,
                                .bodies = bodies,
                                .row = made->row,
                                .inverse_mass = mass,
                                .q = q,
                                .plane = slips == 2};
    return true;
}

carom_status global_pairs_take(const carom_coulomb_global *global, size_t room, global_pairs *made,
                               carom_error *error)
{
    double *mass = NULL, *q = NULL;
    *made = (global_pairs){0};
    if (!may_suit(global))
        return CAROM_FAILED;
    const carom_status status = take_memory(global, room, made, &mass, &q, error);
    if (status != CAROM_OK || fill(global, made, mass, q))
        return status;
    global_pairs_free(made);
    return CAROM_FAILED;
}

void global_pairs_free(global_pairs *made)
{
    free(made->memory);
    *made = (global_pairs){0};
}

void global_pairs_move(const global_pairs *made, const double *push, double *v)
{
    const int width = made->pairs.plane ? 3 : 6;
    for (int i = 0; i < made->pairs.bodies; i++)
        move_freely(width, made->pairs.inverse_mass[i], made->inverse + 9 * (ptrdiff_t)i,
                    push + (ptrdiff_t)width * i, v + (ptrdiff_t)width * i);
}

/* ---- its solution --------------------------------------------------------------------------------------- */

enum {
    ATTEMPTS =
        4, /* each with a smaller tolerance of the solver, whose error has impulses in the unit of velocities */
};
static const double much_smaller = 1e-3, a_little_smaller = 0.5;

typedef struct attempt {
    const carom_coulomb_global *global;
    const global_pairs *made;
    double started;
    double *r, *velocity; /* 3 per contact, 6 per body */
    double *u;            /* 3 per contact */
    double *given;        /* dimension per contact */
    double *push, *v;     /* as the problem has them */
} attempt;

static void give(const attempt *at, double *r)
{
    const int d = at->global->dimension;
    for (int i = 0; i < at->global->contacts; i++)
        memcpy(r + (ptrdiff_t)d * i, at->r + 3 * (ptrdiff_t)i, (size_t)d * sizeof *r);
}

/* v = M^-1 (H r + f), body by body, and u = H^T v + w: three numbers per contact, 0 out of the plane. */
static void move(const attempt *at)
{
    const carom_coulomb_global *global = at->global;
    const int d = global->dimension;
    give(at, at->given);
    memcpy(at->push, global->f, (size_t)global->M.columns * sizeof *at->push);
    carom_sparse_add(&global->H, at->given, at->push);
    global_pairs_move(at->made, at->push, at->v);
    memcpy(at->given, global->w, (size_t)(d * global->contacts) * sizeof *at->given);
    carom_sparse_add_transposed(&global->H, at->v, at->given);
    for (int k = 0; k < 3 * global->contacts; k++)
        at->u[k] = k % 3 < d ? at->given[k / 3 * d + k % 3] : 0.0;
}

/* The error of the problem itself, and the law part by part. */
static carom_status judge(const attempt *at, double tolerance, carom_solve_report *report, carom_error *error)
{
    const double *q = at->made->pairs.q;
    const int size = 3 * at->global->contacts;
    carom_coulomb_residual residual;
    move(at);
    report->error = coulomb_global_error(at->global, at->u, at->r, sqrt(carom_dot(size, q, q)));
    report->word = CAROM_SOLVE_STALLED;
    if (!(report->error <= tolerance))
        return CAROM_OK;
    if (!coulomb_global_residual(at->global, q, at->u, at->r, at->v, NULL, &residual))
        return carom_fail_memory(error);
    report->word = coulomb_law_judge(&residual, tolerance);
    return CAROM_OK;
}

/* Solves to `tolerance` of the solver of pairs; the report gets the error of the problem itself. */
static carom_status solve_once(const attempt *at, const carom_solver_options *limits, double tolerance,
                               carom_solve_report *report, carom_error *error)
{
    carom_pairs_solver *solver = NULL;
    carom_solver_options own = *limits;
    own.tolerance = tolerance;
    const carom_status status = carom_pairs_solver_create(NULL, &own, &solver, error);
    if (status != CAROM_OK)
        return status;
    const int before = report->iterations;
    const carom_solve_report found = carom_pairs_solve(solver, &at->made->pairs, at->r, at->velocity);
    carom_pairs_solver_free(solver);
    if (found.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    *report = found;
    report->iterations += before;
    return judge(at, limits->tolerance, report, error);
}

static void tell(const attempt *at, const carom_solver_options *limits, const carom_solve_report *report)
{
    if (limits->report)
        limits->report(limits->context, report->iterations, report->error, carom_seconds() - at->started);
}

static double seconds_left(const attempt *at, const carom_solver_options *limits)
{
    return limits->max_seconds > 0.0 ? limits->max_seconds - (carom_seconds() - at->started) : INFINITY;
}

/* A start that is a solution stays as it is. */
static carom_status begin(const attempt *at, const carom_solver_options *limits, carom_solve_report *report,
                          carom_error *error)
{
    if (!limits->report && carom_largest(3 * at->global->contacts, at->r) == 0.0)
        return CAROM_OK;
    const carom_status status = judge(at, limits->tolerance, report, error);
    tell(at, limits, report);
    return status;
}

/* One contact by itself, from r = 0. FAILED: not solved so, nothing is changed. */
static carom_status try_one(const attempt *at, const carom_solver_options *limits, carom_solve_report *report,
                            carom_error *error)
{
    if (at->global->contacts != 1 || carom_largest(3, at->r) > 0.0 ||
        !coulomb_pairs_one(&at->made->pairs, at->r))
        return CAROM_FAILED;
    carom_solve_report alone = *report;
    alone.iterations = 1;
    const carom_status status = judge(at, limits->tolerance, &alone, error);
    if (status == CAROM_OK && alone.word == CAROM_SOLVE_OK) {
        *report = alone;
        tell(at, limits, report);
        return CAROM_OK;
    }
    memset(at->r, 0, 3 * sizeof *at->r);
    return status == CAROM_OK ? CAROM_FAILED : status;
}

static carom_status solve_repeatedly(const attempt *at, const carom_solver_options *limits,
                                     carom_solve_report *report, carom_error *error)
{
    double tolerance = limits->tolerance;
    const carom_status alone = try_one(at, limits, report, error);
    if (alone != CAROM_FAILED)
        return alone;
    for (int i = 0; i < ATTEMPTS && seconds_left(at, limits) > 0.0; i++) {
        const carom_status status = solve_once(at, limits, tolerance, report, error);
        if (status != CAROM_OK)
            return status;
        tell(at, limits, report);
        if (report->word == CAROM_SOLVE_OK)
            return CAROM_OK;
        if (!(report->error > 0.0) || !isfinite(report->error) ||
            (report->status != CAROM_OK && at->global->contacts <= GLOBAL_REDUCED_MOST))
            break;
        tolerance *= fmax(fmin(limits->tolerance / report->error, 1.0) * a_little_smaller, much_smaller);
    }
    return CAROM_FAILED;
}

size_t global_pairs_solve_room(const carom_coulomb_global *global)
{
    const size_t contacts = (size_t)global->contacts, velocities = (size_t)global->M.columns;
    return (6 + (size_t)global->dimension) * contacts + 6 * velocities / (size_t)width_of(global) +
           velocities;
}

carom_status global_pairs_solve(const carom_coulomb_global *global, const global_pairs *made,
                                const carom_solver_options *limits, double *v, double *r,
                                carom_solve_report *report, carom_error *error)
{
    const size_t contacts = (size_t)global->contacts, d = (size_t)global->dimension;
    attempt at = {.global = global, .made = made, .started = carom_seconds(), .v = v};
    at.r = made->room;
    at.u = at.r + 3 * contacts;
    at.given = at.u + 3 * contacts;
    at.velocity = at.given + d * contacts;
    at.push = at.velocity + 6 * (size_t)made->pairs.bodies;
    for (size_t i = 0; i < contacts; i++)
        memcpy(at.r + 3 * i, r + d * i, d * sizeof *r);
    carom_status status = begin(&at, limits, report, error);
    if (status == CAROM_OK && report->word != CAROM_SOLVE_OK)
        status = solve_repeatedly(&at, limits, report, error);
    if (status == CAROM_OK)
        give(&at, r);
    return status;
}
