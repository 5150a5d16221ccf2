/* A proximal point is the solution of the problem with u' = H^T v + w + (r - r_k) / alpha in the law of Alart and Curnier,
 * G(u', r) = 0. A step of Newton's method says A du' + B dr = -G, A = dG/du, B = dG/dr, for every contact alone: with
 * S = B + A / alpha, which is never singular,
 *
 *   dr = -g - D H^T dv,   D = S^-1 A,   g = S^-1 G,
 *
 * and one system of the size of the velocities remains,
 *
 *   (M + H D H^T) dv = H r + f - M v - H g.
 *
 * Sticking contacts have D = alpha I: alpha is as much larger than the stiffness at a contact as `hardness` says (rho is a hundredth of the latter), and each
 * proximal point divides the error by about as much where W is not singular. Where an inner problem is not solved by full steps
 * a softer one is. */
#include "velocity_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/contact_maps.h"
#include "contact/coulomb/parts/error_map.h"
#include "contact/coulomb/parts/law_residual.h"
#include "global_system.h"

enum {
    FULL_STEPS = 12, /* for one inner problem */
    DEFAULT_FACTORS = 300,
    PROBES = 4, /* of the softness of contacts */
};

static const double rho_part = 0.01;
static const double first_hardness = 1e5, least_hardness = 1e-1, largest_hardness = 1e9;
static const double growth_first = 10.0, growth_later = 2.0, shrinkage = 0.1;
/* An inner problem is solved to this part of the error outside; one whose error grows so much is given up. */
static const double inner_part = 0.1, inner_growth = 1e4;
/* Errors that fall slower than this from one proximal point to the next ask for harder contacts. */
static const double slow = 0.1;
/* The motion is computed anew at the end, and its error is a little larger than that of the iteration. */
static const double reserve = 0.5;

typedef struct velocity_newton {
    const carom_coulomb_global *global;
    const carom_solver_options *limits;
    carom_solve_report *report;
    coulomb_velocity_system *system;
    double started, q_size;
    double hardness;
    coulomb_rho *rho;                                 /* per contact */
    double *q, *u, *r, *r_k, *best, *du, *dr, *g, *D; /* 3 per contact; 9 of D */
    double *v, *v_k, *dv;                             /* velocities */
    double *pushed;                                   /* dimension per contact */
    double error, best_error;                         /* of r_k; the smallest */
} velocity_newton;

static double seconds(const velocity_newton *self)
{
    return carom_seconds() - self->started;
}

/* ---- contacts ---------------------------------------------------------------------------------------------------- */

static double alpha_of(const velocity_newton *self, int contact)
{
    return self->hardness * self->rho[contact].normal;
}

/* Of the problem itself. */
static double outer_error(const velocity_newton *self)
{
    return coulomb_global_error(self->global, self->u, self->r, self->q_size);
}

static void shifted(const velocity_newton *self, int contact, double u[3])
{
    for (int k = 0; k < 3; k++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)contact + k;
        u[k] = self->u[at] + (self->r[at] - self->r_k[at]) / alpha_of(self, contact);
    }
}

/* Of the proximal point. */
static double inner_error(const velocity_newton *self)
{
    double sum = 0.0;
    for (int a = 0; a < self->global->contacts; a++) {
        double u[3];
        shifted(self, a, u);
        sum += coulomb_map_square(self->global->mu[a], u, self->r + 3 * (ptrdiff_t)a);
    }
    const double error = sum == 0.0 ? 0.0 : sqrt(sum) / self->q_size;
    return isfinite(error) ? error : INFINITY;
}

static void linearise_contact(velocity_newton *self, int contact)
{
    const double alpha = alpha_of(self, contact);
    double u[3], G[3], A[9], B[9];
    shifted(self, contact, u);
    coulomb_alart_curnier(self->global->mu[contact], self->rho[contact], u, self->r + 3 * (ptrdiff_t)contact,
                          G, A, B);
    coulomb_eliminate_reaction(alpha, G, A, B, self->D + 9 * (ptrdiff_t)contact,
                               self->g + 3 * (ptrdiff_t)contact);
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

/* dimension numbers per contact of three. */
static const double *extract(const velocity_newton *self, const double *three)
{
    const int d = self->global->dimension;
    for (int a = 0; a < self->global->contacts; a++)
        for (int k = 0; k < d; k++)
            self->pushed[d * a + k] = three[3 * a + k];
    return self->pushed;
}

/* False when the system is singular or the step is not finite. */
static bool step(velocity_newton *self)
{
    const carom_coulomb_global *global = self->global;
    const int n = global->M.columns, m = 3 * global->contacts;
    for (int a = 0; a < global->contacts; a++)
        linearise_contact(self, a);
    if (!coulomb_velocity_system_factor(self->system, self->D))
        return false;
    for (int k = 0; k < m; k++)
        self->dr[k] = self->r[k] - self->g[k];
    coulomb_velocity_system_residual(global, extract(self, self->dr), self->v, self->dv);
    coulomb_velocity_system_solve(self->system, self->dv);
    carom_axpy(n, 1.0, self->dv, self->v);
    memcpy(self->du, self->u, (size_t)m * sizeof *self->u);
    coulomb_velocity_system_contacts(global, self->v, self->u);
    for (int k = 0; k < m; k++)
        self->du[k] = self->u[k] - self->du[k];
    for (int k = 0; k < m; k++) {
        const double *D = self->D + 9 * (ptrdiff_t)(k / 3) + 3 * (ptrdiff_t)(k % 3);
        self->r[k] -= self->g[k] + carom_dot(3, D, self->du + 3 * (ptrdiff_t)(k / 3));
        if (k % 3 >= global->dimension)
            self->r[k] = 0.0;
    }
    return carom_all_finite(m, self->r);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

static bool is_over(velocity_newton *self)
{
    const carom_solver_options *limits = self->limits;
    carom_solve_report *report = self->report;
    if (report->iterations >= limits->max_iterations)
        report->word = CAROM_SOLVE_ITERATIONS;
    else if (limits->max_seconds > 0.0 && seconds(self) > limits->max_seconds)
        report->word = CAROM_SOLVE_TIME;
    else if (limits->progress.report &&
             !limits->progress.report(limits->progress.context, seconds(self), limits->max_seconds))
        report->word = CAROM_SOLVE_INTERRUPTED;
    else
        return false;
    return true;
}

static void keep_best(velocity_newton *self, double error)
{
    if (!(error < self->best_error))
        return;
    self->best_error = error;
    memcpy(self->best, self->r, 3 * (size_t)self->global->contacts * sizeof *self->r);
}

/* ---- proximal points --------------------------------------------------------------------------------------------- */

static void set_point(velocity_newton *self, double error)
{
    memcpy(self->r_k, self->r, 3 * (size_t)self->global->contacts * sizeof *self->r);
    memcpy(self->v_k, self->v, (size_t)self->global->M.columns * sizeof *self->v);
    self->error = error;
}

static void go_back(velocity_newton *self)
{
    memcpy(self->r, self->r_k, 3 * (size_t)self->global->contacts * sizeof *self->r);
    memcpy(self->v, self->v_k, (size_t)self->global->M.columns * sizeof *self->v);
    coulomb_velocity_system_contacts(self->global, self->v, self->u);
}

static void scale_rho(velocity_newton *self, double factor)
{
    for (int a = 0; a < self->global->contacts; a++) {
        self->rho[a].normal *= factor;
        self->rho[a].tangent *= factor;
    }
}

/* True when the inner problem is solved, or the problem itself. */
static bool find_point(velocity_newton *self)
{
    const double wanted = inner_part * self->error;
    for (int k = 0; k < FULL_STEPS && !is_over(self); k++) {
        self->report->iterations++;
        if (!step(self))
            return false;
        const double outer = outer_error(self), inner = inner_error(self);
        keep_best(self, outer);
        if (self->limits->report)
            self->limits->report(self->limits->context, self->report->iterations, outer, seconds(self));
        if (inner <= wanted || outer <= reserve * self->limits->tolerance)
            return true;
        if (!(inner <= inner_growth * self->error))
            return false;
    }
    return false;
}

/* Word STALLED when contacts as soft as can be do not help. */
static void iterate(velocity_newton *self)
{
    double growth = growth_first;
    bool is_first = true;
    self->hardness = first_hardness;
    while (self->error > reserve * self->limits->tolerance && !is_over(self)) {
        const double before = self->error;
        if (!find_point(self)) {
            go_back(self);
            if (is_first) { /* the same proximal point with a smaller rho */
                scale_rho(self, shrinkage);
                self->hardness /= shrinkage;
            } else {
                self->hardness *= shrinkage;
            }
            is_first = false;
            growth = growth_later;
            if (self->hardness >= least_hardness)
                continue;
            self->report->word = CAROM_SOLVE_STALLED;
            return;
        }
        self->report->inner_iterations++;
        set_point(self, outer_error(self));
        if (self->error > slow * before)
            self->hardness = fmin(growth * self->hardness, largest_hardness);
    }
}

/* ---- beginning and end ------------------------------------------------------------------------------------------- */

static double mass_at(const carom_sparse *M, int i)
{
    const int place = carom_sparse_place(M, i, i);
    return place >= 0 && M->value[place] > 0.0 ? M->value[place] : 1.0;
}

/* How many times softer contacts are than if what they touch were alone: the mean of z.W z over the trace of H^T diag(M)^-1 H,
 * z of +1 and -1, which has the mean trace W (Hutchinson 1990). M is factored. */
static double find_softness(velocity_newton *self, double trace)
{
    const int size = self->global->dimension * self->global->contacts, n = self->global->M.columns;
    carom_random random = {17};
    double sum = 0.0;
    for (int probe = 0; probe < PROBES; probe++) {
        for (int k = 0; k < size; k++)
            self->pushed[k] = carom_random_uniform(&random, -1.0, 1.0) < 0.0 ? -1.0 : 1.0;
        memset(self->dv, 0, (size_t)n * sizeof *self->dv);
        carom_sparse_add(&self->global->H, self->pushed, self->dv);
        memcpy(self->v_k, self->dv, (size_t)n * sizeof *self->dv);
        coulomb_velocity_system_solve(self->system, self->dv);
        sum += carom_dot(n, self->v_k, self->dv) / PROBES;
    }
    return sum > 0.0 && isfinite(sum) && trace > 0.0 ? sum / trace : 1.0;
}

/* A hundredth of the stiffness of contacts: that of the contact's block of H^T diag(M)^-1 H, as if what it touches were alone, over
 * how much softer contacts are in the mean. With the stiffness itself, the usual choice, contacts of an elastic body go to and fro
 * between stick and slip for ever, on fine meshes with a tenth of it, too: together they are much softer than one alone. A smaller
 * one costs two or three steps more. */
static void choose_rho(velocity_newton *self)
{
    const carom_sparse *H = &self->global->H;
    const int d = self->global->dimension;
    double *column = self->dv, trace = 0.0;
    memset(column, 0, (size_t)self->global->M.columns * sizeof *column);
    for (int a = 0; a < self->global->contacts; a++) {
        double block[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        for (int k = d * a; k < d * (a + 1); k++) {
            for (int at = H->column_start[k]; at < H->column_start[k + 1]; at++)
                column[H->row[at]] = H->value[at] / mass_at(&self->global->M, H->row[at]);
            for (int i = 0; i < d; i++) {
                double sum = 0.0;
                for (int at = H->column_start[d * a + i]; at < H->column_start[d * a + i + 1]; at++)
                    sum += H->value[at] * column[H->row[at]];
                block[3 * i + k - d * a] = sum;
            }
            for (int at = H->column_start[k]; at < H->column_start[k + 1]; at++)
                column[H->row[at]] = 0.0;
        }
        self->rho[a] = coulomb_rho_of(COULOMB_RHO_111, block);
        for (int k = 0; k < d; k++)
            trace += block[4 * k];
    }
    scale_rho(self, rho_part / find_softness(self, trace));
}

/* The motion of the reactions self->r; FAILED where M has no factors without exchanges. */
static carom_status move(velocity_newton *self, carom_error *error)
{
    if (!(coulomb_velocity_system_move(self->system, extract(self, self->r), self->v) <=
          coulomb_motion_rounding))
        return carom_fail(error, CAROM_FAILED, "M is singular, or far from symmetric and positive definite");
    coulomb_velocity_system_contacts(self->global, self->v, self->u);
    return CAROM_OK;
}

static carom_status begin(velocity_newton *self, const double *r, carom_error *error)
{
    const int d = self->global->dimension, m = 3 * self->global->contacts;
    if (!coulomb_velocity_system_factor(self->system, NULL))
        return carom_fail(error, CAROM_FAILED, "M is singular");
    carom_status status = move(self, error); /* of r = 0 */
    if (status != CAROM_OK)
        return status;
    memcpy(self->q, self->u, (size_t)m * sizeof *self->q);
    self->q_size = sqrt(carom_dot(m, self->q, self->q));
    choose_rho(self);
    if (self->q_size > 0.0 &&
        carom_largest(d * self->global->contacts, r) > 0.0) { /* else r = 0 is a solution */
        for (int k = 0; k < m; k++)
            self->r[k] = k % 3 < d ? r[k / 3 * d + k % 3] : 0.0;
        status = move(self, error);
    }
    const double start = outer_error(self);
    if (self->limits->report)
        self->limits->report(self->limits->context, 0, start, seconds(self));
    keep_best(self, start);
    set_point(self, start);
    return status;
}

/* The best reactions with their own motion, and the error of both. */
static carom_status end(velocity_newton *self, double *v, double *r, carom_error *error)
{
    const int d = self->global->dimension;
    memcpy(self->r, self->best, 3 * (size_t)self->global->contacts * sizeof *self->r);
    if (!coulomb_velocity_system_factor(self->system, NULL))
        return carom_fail(error, CAROM_FAILED, "M is singular");
    const carom_status status = move(self, error);
    self->report->error = outer_error(self);
    memcpy(v, self->v, (size_t)self->global->M.columns * sizeof *v);
    for (int k = 0; k < 3 * self->global->contacts; k++)
        if (k % 3 < d)
            r[k / 3 * d + k % 3] = self->r[k];
    return status;
}

static carom_status solve(velocity_newton *self, double *v, double *r, carom_error *error)
{
    carom_solve_report *report = self->report;
    report->word = CAROM_SOLVE_STALLED;
    carom_status status = begin(self, r, error);
    if (status != CAROM_OK)
        return status;
    iterate(self);
    status = end(self, v, r, error);
    if (status != CAROM_OK || !(report->error <= self->limits->tolerance))
        return status;
    carom_coulomb_residual residual; /* a small natural map is not enough */
    if (!coulomb_global_residual(self->global, self->q, self->u, self->r, self->v, NULL, &residual))
        return carom_fail_memory(error);
    report->word = coulomb_law_judge(&residual, self->limits->tolerance);
    return CAROM_OK;
}

static bool take_memory(velocity_newton *self, carom_arena *arena)
{
    const size_t contacts = (size_t)self->global->contacts, n = (size_t)self->global->M.columns;
    double **three[] = {&self->q,  &self->u,  &self->r, &self->r_k,   &self->best,
                        &self->du, &self->dr, &self->g, &self->pushed};
    double **velocity[] = {&self->v, &self->v_k, &self->dv};
    for (size_t i = 0; i < sizeof three / sizeof *three; i++)
        if (!(*three[i] = carom_arena_take(arena, 3 * contacts, sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof velocity / sizeof *velocity; i++)
        if (!(*velocity[i] = carom_arena_take(arena, n, sizeof(double))))
            return false;
    self->D = carom_arena_take(arena, 9 * contacts, sizeof *self->D);
    self->rho = carom_arena_take(arena, contacts, sizeof *self->rho);
    return self->D && self->rho;
}

carom_status coulomb_velocity_newton(const carom_coulomb_global *global, const carom_solver_options *limits,
                                     double *v, double *r, carom_solve_report *report, carom_error *error)
{
    carom_solver_options own = *limits;
    if (own.max_iterations == 0)
        own.max_iterations = DEFAULT_FACTORS;
    velocity_newton self = {.global = global, .limits = &own, .report = report, .started = carom_seconds()};
    self.best_error = INFINITY;
    carom_arena *arena = carom_arena_create();
    carom_status status = arena && take_memory(&self, arena) ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK && !(self.system = coulomb_velocity_system_create(global)))
        status = carom_fail(error, CAROM_FAILED, "M + H D H^T has more blocks than there is memory for");
    if (status == CAROM_OK)
        status = solve(&self, v, r, error);
    coulomb_velocity_system_free(self.system);
    carom_arena_free(arena);
    return status;
}
