#include "contact/coulomb/parts/global_pairs.h"

#include <math.h>
#include <string.h>

#include "contact/coulomb/parts/law_residual.h"
#include "global_system.h"

/* What rounding may do to numbers that are equal, relative to them. */
static const double same_to = 1e-10;

/* ---- is it one? ---------------------------------------------------------------------------------------- */

static int width_of(const carom_coulomb_global *global)
{
    return global->dimension == 2 ? 3 : 6;
}

/* The block of M of one body, in full; false when there are entries outside of the blocks. */
static bool read_block(const carom_sparse *M, int body, int width, double block[36])
{
    const int first = width * body;
    memset(block, 0, 36 * sizeof *block);
    for (int k = 0; k < width; k++)
        for (int e = M->column_start[first + k]; e < M->column_start[first + k + 1]; e++) {
            const int row = M->row[e] - first;
            if (M->value[e] == 0.0)
                continue;
            if (row < 0 || row >= width)
                return false;
            block[6 * row + k] = M->value[e];
        }
    return true;
}

/* The inverse of a symmetric positive definite J by cofactors; false when it is none. */
static bool invert(const double J[9], double inverse[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            inverse[3 * k + i] = J[3 * ((i + 1) % 3) + (k + 1) % 3] * J[3 * ((i + 2) % 3) + (k + 2) % 3] -
                                 J[3 * ((i + 1) % 3) + (k + 2) % 3] * J[3 * ((i + 2) % 3) + (k + 1) % 3];
    const double determinant = J[0] * inverse[0] + J[1] * inverse[3] + J[2] * inverse[6];
    if (!(J[0] > 0.0) || !(inverse[8] > 0.0) || !(determinant > 0.0))
        return false;
    for (int i = 0; i < 9; i++)
        inverse[i] /= determinant;
    return true;
}

/* 1 / m and J^-1 of a block; false when it is not that of a rigid body. */
static bool read_body(const carom_sparse *M, int body, int width, double *inverse_mass, double inverse[9])
{
    double block[36], J[9] = {0.0};
    const int moves = width == 3 ? 2 : 3;
    if (!read_block(M, body, width, block))
        return false;
    const double m = block[0];
    if (!(m > 0.0) || !isfinite(m))
        return false;
    for (int i = 0; i < width; i++)
        for (int k = 0; k < width; k++) {
            const double wanted = i == k ? m : 0.0;
            if ((i < moves || k < moves) && !(fabs(block[6 * i + k] - wanted) <= same_to * m))
                return false;
            if (i >= moves && k >= moves && width == 6)
                J[3 * (i - 3) + k - 3] = block[6 * i + k];
        }
    *inverse_mass = 1.0 / m;
    if (width == 3) {
        memset(inverse, 0, 9 * sizeof *inverse);
        inverse[8] = 1.0 / block[6 * 2 + 2];
        return block[6 * 2 + 2] > 0.0 && isfinite(inverse[8]);
    }
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < i; k++)
            if (!(fabs(J[3 * i + k] - J[3 * k + i]) <= same_to * (fabs(J[4 * i]) + fabs(J[4 * k]))))
                return false;
    return invert(J, inverse);
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

/* Rows of one contact, D of its first body; `answer` is left. False when it is not a pair that pushes itself apart. */
static bool read_contact(const carom_coulomb_global *global, int contact, carom_pair_rows *row)
{
    const carom_sparse *H = &global->H;
    const int d = global->dimension, width = width_of(global), moves = width == 3 ? 2 : 3;
    double direction[2][9] = {{0.0}};
    *row = (carom_pair_rows){.body = {-1, -1}, .mu = global->mu[contact]};
    for (int i = 0; i < d; i++)
        for (int e = H->column_start[d * contact + i]; e < H->column_start[d * contact + i + 1]; e++) {
            const int body = H->row[e] / width, place = H->row[e] % width;
            if (H->value[e] == 0.0)
                continue;
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

bool global_pairs_suit(const carom_coulomb_global *global)
{
    const int width = width_of(global);
    if (global->G.columns > 0 || global->contacts == 0 || global->M.columns % width != 0)
        return false;
    for (int i = 0; i < global->M.columns / width; i++) {
        double inverse_mass, inverse[9];
        if (!read_body(&global->M, i, width, &inverse_mass, inverse))
            return false;
    }
    for (int i = 0; i < global->contacts; i++) {
        carom_pair_rows row;
        if (!read_contact(global, i, &row))
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

carom_status global_pairs_take(const carom_coulomb_global *global, global_pairs *made, carom_error *error)
{
    const int width = width_of(global), bodies = global->M.columns / width, d = global->dimension;
    *made = (global_pairs){.arena = carom_arena_create()};
    if (!made->arena)
        return carom_fail_memory(error);
    const size_t contacts = (size_t)global->contacts;
    carom_pair_rows *row = carom_arena_take(made->arena, contacts, sizeof *row);
    double *mass = carom_arena_take(made->arena, (size_t)bodies, sizeof *mass);
    double *inverse = carom_arena_take(made->arena, 9 * (size_t)bodies, sizeof *inverse);
    double *q = carom_arena_take(made->arena, 3 * contacts, sizeof *q);
    double *u = carom_arena_take(made->arena, (size_t)d * contacts, sizeof *u);
    made->free = carom_arena_take(made->arena, (size_t)global->M.columns, sizeof *made->free);
    made->inverse = inverse;
    if (!row || !mass || !inverse || !q || !u || !made->free) {
        global_pairs_free(made);
        return carom_fail_memory(error);
    }
    for (int i = 0; i < bodies; i++) {
        read_body(&global->M, i, width, &mass[i], inverse + 9 * (ptrdiff_t)i);
        move_freely(width, mass[i], inverse + 9 * (ptrdiff_t)i, global->f + (ptrdiff_t)width * i,
                    made->free + (ptrdiff_t)width * i);
    }
    memcpy(u, global->w, (size_t)d * contacts * sizeof *u);
    carom_sparse_add_transposed(&global->H, made->free, u);
    for (int i = 0; i < global->contacts; i++) {
        read_contact(global, i, &row[i]);
        answer(&row[i], inverse);
        memcpy(q + 3 * (ptrdiff_t)i, u + (ptrdiff_t)d * i, (size_t)d * sizeof *q);
    }
    made->pairs = (carom_pairs){.contacts = global->contacts,
                                .bodies = bodies,
                                .row = row,
                                .inverse_mass = mass,
                                .q = q,
                                .plane = d == 2};
    return CAROM_OK;
}

void global_pairs_free(global_pairs *made)
{
    carom_arena_free(made->arena);
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

static carom_status solve_repeatedly(const attempt *at, const carom_solver_options *limits,
                                     carom_solve_report *report, carom_error *error)
{
    double tolerance = limits->tolerance;
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

carom_status global_pairs_solve(const carom_coulomb_global *global, const carom_solver_options *limits,
                                double *v, double *r, carom_solve_report *report, carom_error *error)
{
    global_pairs made;
    carom_status status = global_pairs_take(global, &made, error);
    if (status != CAROM_OK)
        return status;
    const size_t contacts = (size_t)global->contacts, d = (size_t)global->dimension;
    const attempt at = {.global = global,
                        .made = &made,
                        .started = carom_seconds(),
                        .r = carom_arena_take(made.arena, 3 * contacts, sizeof(double)),
                        .velocity =
                            carom_arena_take(made.arena, 6 * (size_t)made.pairs.bodies, sizeof(double)),
                        .u = carom_arena_take(made.arena, 3 * contacts, sizeof(double)),
                        .given = carom_arena_take(made.arena, d * contacts, sizeof(double)),
                        .push = carom_arena_take(made.arena, (size_t)global->M.columns, sizeof(double)),
                        .v = v};
    if (!at.r || !at.velocity || !at.u || !at.given || !at.push) {
        global_pairs_free(&made);
        return carom_fail_memory(error);
    }
    for (size_t i = 0; i < contacts; i++)
        memcpy(at.r + 3 * i, r + d * i, d * sizeof *r);
    status = begin(&at, limits, report, error);
    if (status == CAROM_OK && report->word != CAROM_SOLVE_OK)
        status = solve_repeatedly(&at, limits, report, error);
    if (status == CAROM_OK)
        give(&at, r);
    global_pairs_free(&made);
    return status;
}
