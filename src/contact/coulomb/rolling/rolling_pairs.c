/* Problems with rolling friction that are those of rigid bodies in pairs: carom_pairs_solve, in the space of velocities. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/pairs_one.h"
#include "contact/coulomb/parts/global_pairs.h"
#include "contact/coulomb/parts/law_residual.h"
#include "rolling_parts.h"

/* What rounding may do to numbers that are equal. */
static const double same_to = 1e-10;

/* The axes of moments as carom_pair_spin has them, and where they stand in a contact of the problem: second tangent, first tangent,
 * normal; in the plane the first alone. */
static int number_of(int dimension, int axis)
{
    return dimension == 3 ? 2 : axis == 0 ? 4 : axis == 1 ? 3 : 5;
}

static int axes_of(int dimension)
{
    return dimension - rolling_slips(dimension);
}

/* ---- moments ---------------------------------------------------------------------------------------------- */

/* The columns of moments are axes of spins: those of the contact, in opposite directions for its bodies. In the plane the sign of
 * the axis is taken over. */
static bool read_axes(const carom_coulomb_global *global, int contact, carom_pair_rows *row)
{
    const carom_sparse *H = &global->H;
    const int d = global->dimension, width = d == 3 ? 3 : 6, first = d == 3 ? 2 : 3;
    for (int axis = 0; axis < axes_of(d); axis++) {
        double found[2][3] = {{0.0}};
        const int column = d * contact + number_of(d, axis);
        for (int e = H->column_start[column]; e < H->column_start[column + 1]; e++) {
            const int in_first = H->row[e] - width * row->body[0];
            const int side = in_first >= 0 && in_first < width ? 0 : 1;
            const int place = (side == 0 ? in_first : H->row[e] - width * row->body[1]) - first;
            if (H->value[e] == 0.0)
                continue;
            if (row->body[side] < 0 || place < 0 || place >= width - first)
                return false;
            found[side][d == 3 ? 2 : place] = H->value[e];
        }
        double *direction = row->direction + 3 * (ptrdiff_t)(2 - axis);
        if (d == 3)
            direction[2] = found[0][2] < 0.0 ? -1.0 : 1.0;
        for (int k = 0; k < 3; k++)
            if (!(fabs(found[0][k] - direction[k]) <= same_to) ||
                (row->body[1] >= 0 && !(fabs(found[1][k] + direction[k]) <= same_to)))
                return false;
    }
    return true;
}

/* Length, coefficients and answers of a contact whose rows are known. */
static void fill_spin(const carom_coulomb_global *global, const global_pairs *made, int contact,
                      carom_pair_spin *spin)
{
    const carom_pair_rows *row = &made->pairs.row[contact];
    const int axes = axes_of(global->dimension), every = made->pairs.plane ? 1 : 3;
    double normal = 0.0, mean = 0.0;
    *spin = (carom_pair_spin){0};
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const double *inverse = made->inverse + 9 * (ptrdiff_t)row->body[side];
        normal +=
            made->pairs.inverse_mass[row->body[side]] + carom_dot(3, row->turn[side], row->answer[side]);
        for (int axis = 0; axis < every; axis++) {
            const double *direction = row->direction + 3 * (ptrdiff_t)(2 - axis);
            double *answer = spin->answer[side] + 3 * (ptrdiff_t)axis;
            for (int k = 0; k < 3; k++)
                answer[k] = carom_dot(3, inverse + 3 * (ptrdiff_t)k, direction);
            if (axis < axes)
                mean += carom_dot(3, direction, answer) / axes;
        }
    }
    spin->length = rolling_length(normal, mean);
    spin->rolling = global->mu_r[contact] / spin->length;
    spin->torsion = global->mu_t ? global->mu_t[contact] / spin->length : 0.0;
    for (int k = 0; k < 9; k++) {
        spin->answer[0][k] *= spin->length;
        spin->answer[1][k] *= spin->length;
    }
}

/* The problem in the form of pairs, with moments. */
typedef struct rolling_pairs {
    global_pairs made;
    carom_pairs pairs;
    double *u, *push; /* dimension per contact; velocities: room */
    double *room;     /* that was asked for */
} rolling_pairs;

static void free_pairs(rolling_pairs *self)
{
    global_pairs_free(&self->made);
}

/* u = H^T v + w */
static void find_velocities(const carom_coulomb_global *global, const double *v, double *u)
{
    memcpy(u, global->w, (size_t)global->H.columns * sizeof *u);
    carom_sparse_add_transposed(&global->H, v, u);
}

enum {
    SPIN_NUMBERS = (int)(sizeof(carom_pair_spin) / sizeof(double))
};
_Static_assert(SPIN_NUMBERS * sizeof(double) == sizeof(carom_pair_spin), "spins stand among numbers");

/* Of fill_pairs. */
static size_t pairs_room(const carom_coulomb_global *global)
{
    return (SPIN_NUMBERS + 6) * (size_t)global->contacts + (size_t)global->M.columns;
}

/* False when axes of moments are not those of contacts. */
static bool fill_pairs(const carom_coulomb_global *global, rolling_pairs *self)
{
    const int n = global->contacts, d = global->dimension, slips = rolling_slips(d);
    carom_pair_spin *spin = (carom_pair_spin *)self->made.room;
    double *q = (double *)(spin + n);
    self->push = q + 6 * (ptrdiff_t)n;
    self->room = self->push + global->M.columns;
    self->u = self->made.u;
    for (int i = 0; i < n; i++) {
        if (!read_axes(global, i, &self->made.row[i]))
            return false;
        fill_spin(global, &self->made, i, &spin[i]);
        for (int k = 0; k < slips; k++)
            q[3 * i + k] = self->u[d * i + k];
        for (int axis = 0; axis < axes_of(d); axis++)
            q[3 * (n + i) + axis] = spin[i].length * self->u[d * i + number_of(d, axis)];
    }
    self->pairs = self->made.pairs;
    self->pairs.q = q;
    self->pairs.spin = spin;
    return true;
}

static carom_status check(const carom_coulomb_global *global, carom_error *error)
{
    return rolling_check(global->dimension, global->contacts, global->H.columns, global->mu_r, global->mu_t,
                         error);
}

/* FAILED: it has not this form. The caller frees it, also after a failure. `room`: so many numbers more. */
static carom_status take_pairs(const carom_coulomb_global *global, size_t room, rolling_pairs *self,
                               carom_error *error)
{
    *self = (rolling_pairs){0};
    carom_status status = check(global, error);
    if (status != CAROM_OK)
        return status;
    status = global_pairs_take(global, pairs_room(global) + room, &self->made, error);
    if (status == CAROM_OK && fill_pairs(global, self))
        return CAROM_OK;
    return status == CAROM_NO_MEMORY
               ? status
               : carom_fail(error, CAROM_FAILED,
                            "these are no rigid bodies that touch in pairs, with axes of moments along "
                            "their normals and tangents");
}

bool carom_rolling_prefers_global(const carom_coulomb_global *global)
{
    if (!global->mu_r || check(global, NULL) != CAROM_OK || !global_pairs_bodies_suit(global))
        return false;
    for (int i = 0; i < global->contacts; i++) {
        carom_pair_rows row;
        if (!global_pairs_read_contact(global, i, &row) || !read_axes(global, i, &row))
            return false;
    }
    return true;
}

/* ---- as a problem with rolling friction ------------------------------------------------------------------- */

/* length: one per contact; q: three per part; mu: one per part. u of `pairs` is that of the free motion. */
static void describe(const carom_coulomb_global *global, const rolling_pairs *pairs, double *length,
                     double *q, double *mu, carom_rolling *problem)
{
    const int n = global->contacts, parts = carom_rolling_parts(global->dimension) * n;
    const double scale = carom_pairs_scale(&pairs->pairs);
    for (int i = 0; i < n; i++)
        length[i] = pairs->pairs.spin[i].length;
    *problem = (carom_rolling){.dimension = global->dimension,
                               .contacts = n,
                               .mu = global->mu,
                               .mu_r = global->mu_r,
                               .mu_t = global->mu_t,
                               .length = length,
                               .scale = scale > 0.0 ? scale : 1.0,
                               .parts = {.contacts = parts, .q = q, .mu = mu}};
    rolling_fill_coefficients(problem, mu);
    carom_rolling_pack_velocities(problem, pairs->u, q);
}

carom_status carom_rolling_take_global(const carom_coulomb_global *global, carom_arena *arena,
                                       carom_rolling *problem, carom_error *error)
{
    rolling_pairs pairs;
    carom_status status = take_pairs(global, 0, &pairs, error);
    if (status == CAROM_OK) {
        const size_t n = (size_t)global->contacts, parts = (size_t)carom_rolling_parts(global->dimension) * n;
        double *length = carom_arena_take(arena, n, sizeof *length);
        double *q = carom_arena_take(arena, 3 * parts, sizeof *q);
        double *mu = carom_arena_take(arena, parts, sizeof *mu);
        if (length && q && mu)
            describe(global, &pairs, length, q, mu, problem);
        else
            status = carom_fail_memory(error);
    }
    free_pairs(&pairs);
    return status;
}

/* ---- the law, from the motion ------------------------------------------------------------------------------ */

/* |v| + (|f| + |H| |r|) / M_ii: how large the terms are that v is the sum of. */
static void fill_terms(const carom_coulomb_global *global, const double *r, const double *v, double *terms)
{
    const carom_sparse *H = &global->H, *M = &global->M;
    for (int i = 0; i < M->rows; i++)
        terms[i] = fabs(global->f[i]);
    for (int j = 0; j < H->columns; j++)
        for (int k = H->column_start[j]; k < H->column_start[j + 1]; k++)
            terms[H->row[k]] += fabs(H->value[k] * r[j]);
    for (int i = 0; i < M->rows; i++) {
        const int place = carom_sparse_place(M, i, i);
        terms[i] = fabs(v[i]) + (place >= 0 ? terms[i] / fabs(M->value[place]) : INFINITY);
    }
}

/* Of one reaction: |H^T| terms + |w|. */
static double velocity_terms(const carom_coulomb_global *global, int column, const double *terms)
{
    double sum = fabs(global->w[column]);
    for (int k = global->H.column_start[column]; k < global->H.column_start[column + 1]; k++)
        sum += fabs(global->H.value[k]) * terms[global->H.row[k]];
    return sum;
}

/* r, u: three per part. The law of each part by itself, with the normal of its contact. */
static carom_coulomb_residual residual_of(const carom_rolling *problem, const double *r, const double *u,
                                          const double *terms)
{
    const carom_coulomb *parts = &problem->parts;
    coulomb_law_sums sums = {0};
    for (int i = 0; i < parts->contacts; i++)
        coulomb_law_add(&sums, parts->mu[i], parts->q + 3 * (ptrdiff_t)i, r + 3 * (ptrdiff_t)i,
                        u + 3 * (ptrdiff_t)i,
                        carom_dot(3, terms + 3 * (ptrdiff_t)i, terms + 3 * (ptrdiff_t)i));
    return coulomb_law_residual(&sums);
}

/* The motion v of reactions r (dimension per contact), and both in the numbers of the parts, with sizes of terms. */
typedef struct rolling_motion {
    double *r, *u, *terms; /* three per part */
    double *given;         /* dimension per contact */
    double *sizes;         /* per velocity */
} rolling_motion;

static size_t parts_of(const carom_coulomb_global *global)
{
    return (size_t)carom_rolling_parts(global->dimension) * (size_t)global->contacts;
}

static size_t motion_room(const carom_coulomb_global *global)
{
    return 9 * parts_of(global) + (size_t)global->H.columns + (size_t)global->M.columns;
}

static rolling_motion make_motion(const carom_coulomb_global *global, double *room)
{
    rolling_motion motion = {.r = room};
    motion.u = motion.r + 3 * parts_of(global);
    motion.terms = motion.u + 3 * parts_of(global);
    motion.given = motion.terms + 3 * parts_of(global);
    motion.sizes = motion.given + global->H.columns;
    return motion;
}

static void move(const carom_coulomb_global *global, const rolling_pairs *pairs, const carom_rolling *problem,
                 const double *r, double *v, rolling_motion *motion)
{
    memcpy(pairs->push, global->f, (size_t)global->M.columns * sizeof *pairs->push);
    carom_sparse_add(&global->H, r, pairs->push);
    global_pairs_move(&pairs->made, pairs->push, v);
    find_velocities(global, v, pairs->u);
    carom_rolling_pack_reactions(problem, r, motion->r);
    carom_rolling_pack_velocities(problem, pairs->u, motion->u);
}

static carom_coulomb_residual find_residual(const carom_coulomb_global *global, const carom_rolling *problem,
                                            const double *r, const double *v, rolling_motion *motion)
{
    fill_terms(global, r, v, motion->sizes);
    for (int j = 0; j < global->H.columns; j++)
        motion->given[j] = velocity_terms(global, j, motion->sizes);
    carom_rolling_pack_velocities(problem, motion->given, motion->terms);
    return residual_of(problem, motion->r, motion->u, motion->terms);
}

carom_status carom_rolling_examine_global(const carom_coulomb_global *global, const carom_rolling *problem,
                                          const double *r, double *u, unsigned char *regime,
                                          carom_coulomb_summary *summary, carom_coulomb_residual *residual,
                                          carom_error *error)
{
    rolling_pairs pairs;
    const carom_status status =
        take_pairs(global, motion_room(global) + (size_t)global->M.columns, &pairs, error);
    if (status == CAROM_OK) {
        rolling_motion motion = make_motion(global, pairs.room);
        double *v = pairs.room + motion_room(global);
        move(global, &pairs, problem, r, v, &motion);
        memcpy(u, pairs.u, (size_t)global->H.columns * sizeof *u);
        rolling_summarise(problem, motion.r, motion.u, regime, summary);
        *residual = find_residual(global, problem, r, v, &motion);
    }
    free_pairs(&pairs);
    return status;
}

/* ---- the solution ------------------------------------------------------------------------------------------ */

enum {
    ATTEMPTS = 4 /* each with a smaller tolerance of the solver */
};
static const double much_smaller = 1e-3, a_little_smaller = 0.5;
static const double default_tolerance = 1e-8;

typedef struct attempt {
    const carom_coulomb_global *global;
    const rolling_pairs *pairs;
    const carom_rolling *problem;
    const carom_solver_options *limits;
    double started;
    double *own, *velocity; /* as carom_pairs has them */
    double *r, *v;          /* as the problem has them */
    double *best;           /* r */
    rolling_motion motion;
} attempt;

/* From the numbers of the problem to those of pairs, and back. */
static void take_own(const attempt *at)
{
    const int n = at->global->contacts, d = at->global->dimension;
    memset(at->own, 0, 6 * (size_t)n * sizeof *at->own);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < rolling_slips(d); k++)
            at->own[3 * i + k] = at->r[d * i + k];
        for (int axis = 0; axis < axes_of(d); axis++)
            at->own[3 * (n + i) + axis] = at->r[d * i + number_of(d, axis)] / at->problem->length[i];
    }
}

static void give_own(const attempt *at)
{
    const int n = at->global->contacts, d = at->global->dimension;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < rolling_slips(d); k++)
            at->r[d * i + k] = at->own[3 * i + k];
        for (int axis = 0; axis < axes_of(d); axis++)
            at->r[d * i + number_of(d, axis)] = at->own[3 * (n + i) + axis] * at->problem->length[i];
    }
}

static void judge(attempt *at, carom_solve_report *report)
{
    move(at->global, at->pairs, at->problem, at->r, at->v, &at->motion);
    report->error = carom_rolling_error(at->problem, at->motion.r, at->motion.u);
    if (report->error <= at->limits->tolerance) {
        const carom_coulomb_residual residual =
            find_residual(at->global, at->problem, at->r, at->v, &at->motion);
        report->word = coulomb_law_judge(&residual, at->limits->tolerance);
    } else if (report->word == CAROM_SOLVE_OK) {
        report->word = CAROM_SOLVE_STALLED;
    }
    if (at->limits->report)
        at->limits->report(at->limits->context, report->iterations, report->error,
                           carom_seconds() - at->started);
}

static carom_status solve_once(attempt *at, double tolerance, carom_solve_report *report, carom_error *error)
{
    carom_pairs_solver *solver = NULL;
    carom_solver_options own = *at->limits;
    own.tolerance = tolerance;
    own.report = NULL;
    own.option = NULL;
    if (own.max_seconds > 0.0)
        own.max_seconds = fmax(own.max_seconds - (carom_seconds() - at->started), 1e-9);
    const carom_status status = carom_pairs_solver_create(NULL, &own, &solver, error);
    if (status != CAROM_OK)
        return status;
    const int before = report->iterations;
    *report = carom_pairs_solve(solver, &at->pairs->pairs, at->own, at->velocity);
    carom_pairs_solver_free(solver);
    if (report->status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    report->iterations += before;
    give_own(at);
    judge(at, report);
    return CAROM_OK;
}

/* One contact by itself, from r = 0. */
static void try_one(attempt *at, carom_solve_report *report)
{
    if (at->global->contacts != 1 || carom_largest(6, at->own) > 0.0 ||
        !coulomb_pairs_one(&at->pairs->pairs, at->own))
        return;
    give_own(at);
    report->iterations = 1;
    judge(at, report);
    if (report->word != CAROM_SOLVE_OK) { /* then as if nothing had been */
        memset(at->r, 0, (size_t)at->global->dimension * sizeof *at->r);
        take_own(at);
        report->iterations = 0;
    }
}

static carom_status solve_repeatedly(attempt *at, carom_solve_report *report, carom_error *error)
{
    const size_t bytes = (size_t)at->global->H.columns * sizeof *at->r;
    double tolerance = at->limits->tolerance;
    *report = (carom_solve_report){.word = CAROM_SOLVE_STALLED, .failed_contact = -1};
    if (at->limits->report || carom_largest(at->global->H.columns, at->r) > 0.0)
        judge(at, report); /* a start that is a solution stays as it is */
    if (report->word != CAROM_SOLVE_OK)
        try_one(at, report);
    for (int i = 0; i < ATTEMPTS && report->word != CAROM_SOLVE_OK; i++) {
        const double before = i > 0 ? report->error : INFINITY;
        memcpy(at->best, at->r, bytes);
        const carom_status status = solve_once(at, tolerance, report, error);
        if (status != CAROM_OK)
            return status;
        if (report->word == CAROM_SOLVE_OK)
            break;
        if (!(report->error < before)) {
            memcpy(at->r, at->best, bytes);
            judge(at, report);
            break;
        }
        if (report->status == CAROM_OK) /* else it goes on from where it stopped */
            tolerance *=
                fmax(fmin(at->limits->tolerance / report->error, 1.0) * a_little_smaller, much_smaller);
    }
    report->status = report->word == CAROM_SOLVE_OK            ? CAROM_OK
                     : report->word == CAROM_SOLVE_INTERRUPTED ? CAROM_INTERRUPTED
                                                               : CAROM_FAILED;
    return CAROM_OK;
}

/* Of solve_pairs: lengths, q and mu of the parts; impulses and velocities of pairs, the best r; motion. */
static size_t solve_room(const carom_coulomb_global *global)
{
    return (1 + 6) * (size_t)global->contacts + 4 * parts_of(global) + 2 * (size_t)global->M.columns +
           (size_t)global->H.columns + motion_room(global);
}

static carom_status solve_pairs(const carom_coulomb_global *global, const rolling_pairs *pairs,
                                const carom_solver_options *limits, double *v, double *r,
                                carom_solve_report *report, carom_error *error)
{
    const size_t n = (size_t)global->contacts, parts = parts_of(global);
    double *length = pairs->room, *q = length + n, *mu = q + 3 * parts;
    carom_rolling problem;
    attempt at = {.global = global,
                  .pairs = pairs,
                  .problem = &problem,
                  .limits = limits,
                  .started = carom_seconds(),
                  .own = mu + parts,
                  .r = r,
                  .v = v};
    at.velocity = at.own + 6 * n;
    at.best = at.velocity + 6 * (size_t)pairs->pairs.bodies;
    at.motion = make_motion(global, at.best + global->H.columns);
    describe(global, pairs, length, q, mu, &problem);
    take_own(&at);
    const carom_status status = solve_repeatedly(&at, report, error);
    report->tolerance = limits->tolerance;
    report->seconds = carom_seconds() - at.started;
    return status;
}

carom_status carom_rolling_solve_global(const carom_coulomb_global *global,
                                        const carom_solver_options *options, double *v, double *r,
                                        carom_solve_report *report, carom_error *error)
{
    carom_solver_options limits = options ? *options : (carom_solver_options){0};
    if (!(limits.tolerance > 0.0))
        limits.tolerance = default_tolerance;
    rolling_pairs pairs;
    carom_status status = take_pairs(global, solve_room(global), &pairs, error);
    if (status == CAROM_OK)
        status = solve_pairs(global, &pairs, &limits, v, r, report, error);
    free_pairs(&pairs);
    return status;
}
