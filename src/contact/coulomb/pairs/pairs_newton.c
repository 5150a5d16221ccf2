#include "pairs_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/contact_maps.h"

enum {
    FULL_STEPS = 6,     /* for one inner problem */
    NEWTON_STEPS = 500, /* for all of one attempt */
};

/* The first alpha is this over the error, within its limits: far from the solution, problems whose r stays
 * nearby are easier. From one inner problem to the next it grows, fast until one is not solved. */
static const double first_part = 10.0, first_least = 10.0, first_largest = 1e6;
static const double growth_first = 3.0;
/* What one sequence goes round in circles with, another may lead on. */
static const struct {
    double growth, shrinkage;
} manner[] = {{1.4, 0.1}, {2.0, 0.1}, {3.0, 0.3}};
static const double least_alpha = 0.1, largest_alpha = 1e9;
/* An inner problem is solved to this part of the error outside. */
static const double inner_part = 0.5;
/* Errors that fall slower than this ask for a larger alpha. */
static const double slow = 0.1;
/* Errors that change less than this from one inner problem to the next may be those of a drift; one that goes
 * on may make them grow by the factor. */
static const double drift_change = 0.2, drift_growth = 1.5;

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool grow(double **array, size_t count)
{
    double *larger = realloc(*array, carom_product(count, sizeof *larger));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_room(pairs_newton *self, size_t contacts, size_t bodies)
{
    double **three[] = {&self->r_k, &self->best, &self->u, &self->du, &self->dr, &self->g};
    double **nine[] = {&self->D, &self->last_D};
    if (contacts > self->contact_room) {
        const size_t room = contacts + contacts / 2;
        self->contact_room = 0;
        for (size_t i = 0; i < sizeof three / sizeof *three; i++)
            if (!grow(three[i], 3 * room))
                return false;
        for (size_t i = 0; i < sizeof nine / sizeof *nine; i++)
            if (!grow(nine[i], 9 * room))
                return false;
        if (!grow(&self->rho, 2 * room))
            return false;
        self->contact_room = room;
    }
    if (bodies > self->body_room || !self->dv) {
        const size_t room = bodies + bodies / 2 + 1;
        self->body_room = 0;
        if (!grow(&self->dv, 6 * (room + 1)))
            return false;
        self->body_room = room;
    }
    return true;
}

bool pairs_newton_take(pairs_newton *self, const pairs_rows *rows)
{
    carom_block_lu **lu = &self->factor[rows->d == 2 ? 0 : 1];
    if (!*lu)
        *lu = carom_block_lu_create(rows->s);
    self->rows = rows;
    self->lu = *lu;
    self->has_factor = false;
    if (!*lu || !take_room(self, (size_t)rows->contacts, (size_t)rows->bodies) ||
        !carom_block_lu_pattern(*lu, rows->bodies, rows->contacts, (const int(*)[2])rows->body))
        return false;
    for (int i = 0; i < rows->contacts; i++) {
        const double *W = rows->W + 9 * (ptrdiff_t)i;
        coulomb_rho rho = coulomb_rho_of(COULOMB_RHO_111, W);
        if (rows->d == 2)
            rho.tangent = W[4] > 0.0 ? 1.0 / W[4] : 1.0;
        self->rho[2 * i] = rho.normal;
        self->rho[2 * i + 1] = rho.tangent;
    }
    return true;
}

void pairs_newton_free(pairs_newton *self)
{
    carom_block_lu_free(self->factor[0]);
    carom_block_lu_free(self->factor[1]);
    double *array[] = {self->rho, self->r_k, self->best, self->u,      self->du,
                       self->dr,  self->g,   self->D,    self->last_D, self->dv};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    *self = (pairs_newton){0};
}

static size_t size_of(const pairs_newton *self)
{
    return (size_t)(self->rows->d * self->rows->contacts) * sizeof(double);
}

/* ---- the law ------------------------------------------------------------------------------------------- */

static inline double length(int d, const double *t)
{
    return d == 2 ? fabs(t[0]) : sqrt(t[0] * t[0] + t[1] * t[1]);
}

/* |G|^2 of one contact, Alart and Curnier's function at (u, r). */
static inline double distance(int d, double mu, const double *rho, const double *u, const double *r)
{
    const double y_N = r[0] - rho[0] * u[0], c = fmax(0.0, y_N), G = r[0] - c;
    double y[2] = {0.0, 0.0}, sum = G * G;
    for (int k = 0; k < d - 1; k++)
        y[k] = r[1 + k] - rho[1] * u[1 + k];
    const double size = length(d, y), part = size > mu * c ? mu * c / size : 1.0;
    for (int k = 0; k < d - 1; k++)
        sum += (r[1 + k] - part * y[k]) * (r[1 + k] - part * y[k]);
    return sum;
}

/* D and g of one contact, in closed form. With n = y_T / |y_T|, P = I - n n^T, t = mu y_N / |y_T|:
 *
 *   open:   D = 0,                                            g = r
 *   stick:  D = alpha I,                                      g = alpha u'
 *   slip:   D = [alpha, 0; alpha mu n, rho t P / (1 - k)],    k = t (1 - rho / alpha),
 *           g = (alpha u'_N, (n.r_T - mu r_N + alpha mu u'_N) n + P r_T / (1 - k)) */
static inline void linearise_contact(int d, double mu, const double *rho, double alpha, const double *u,
                                     const double *r, double *D, double *g)
{
    const double y_N = r[0] - rho[0] * u[0];
    double y[2] = {0.0, 0.0};
    memset(D, 0, (size_t)(d * d) * sizeof *D);
    if (!(y_N > 0.0)) {
        memcpy(g, r, (size_t)d * sizeof *g);
        return;
    }
    for (int k = 0; k < d - 1; k++)
        y[k] = r[1 + k] - rho[1] * u[1 + k];
    const double size = length(d, y);
    D[0] = alpha;
    g[0] = alpha * u[0];
    if (mu == 0.0) { /* no tangent, where y_T = 0, either */
        memcpy(g + 1, r + 1, (size_t)(d - 1) * sizeof *g);
        return;
    }
    if (size <= mu * y_N) {
        for (int k = 1; k < d; k++) {
            D[(d + 1) * k] = alpha;
            g[k] = alpha * u[k];
        }
        return;
    }
    const double n[2] = {y[0] / size, y[1] / size}, t = mu * y_N / size;
    const double turn = 1.0 - t * (1.0 - rho[1] / alpha), friction = carom_dot(d - 1, n, r + 1);
    const double along = friction - mu * r[0] + alpha * mu * u[0];
    for (int k = 0; k < d - 1; k++) {
        D[d * (k + 1)] = alpha * mu * n[k];
        g[1 + k] = along * n[k];
        if (d == 2)
            continue;
        g[1 + k] += (r[1 + k] - friction * n[k]) / turn;
        for (int j = 0; j < d - 1; j++)
            D[d * (k + 1) + 1 + j] = rho[1] * t / turn * ((k == j ? 1.0 : 0.0) - n[k] * n[j]);
    }
}

/* u' of contact i */
static inline void shifted(const pairs_newton *self, int d, int i, const double *r, double *u)
{
    for (int k = d * i; k < d * (i + 1); k++)
        u[k - d * i] = self->u[k] + (r[k] - self->r_k[k]) / self->alpha;
}

/* |G|^2 */
static double merit(const pairs_newton *self, const double *r)
{
    const pairs_rows *rows = self->rows;
    double sum = 0.0, u[3];
    for (int i = 0; i < rows->contacts; i++) {
        const double mu = rows->mu[i], *rho = self->rho + 2 * (ptrdiff_t)i;
        if (rows->d == 2) {
            shifted(self, 2, i, r, u);
            sum += distance(2, mu, rho, u, r + 2 * (ptrdiff_t)i);
        } else {
            shifted(self, 3, i, r, u);
            sum += distance(3, mu, rho, u, r + 3 * (ptrdiff_t)i);
        }
    }
    return sum;
}

static void linearise(pairs_newton *self, const double *r)
{
    const pairs_rows *rows = self->rows;
    const int d = rows->d;
    for (int i = 0; i < rows->contacts; i++) {
        const double *rho = self->rho + 2 * (ptrdiff_t)i;
        double *D = self->D + (ptrdiff_t)d * d * i, *g = self->g + (ptrdiff_t)d * i, u[3];
        shifted(self, d, i, r, u);
        if (d == 2)
            linearise_contact(2, rows->mu[i], rho, self->alpha, u, r + (ptrdiff_t)d * i, D, g);
        else
            linearise_contact(3, rows->mu[i], rho, self->alpha, u, r + (ptrdiff_t)d * i, D, g);
    }
}

/* ---- the system ---------------------------------------------------------------------------------------- */

/* to += A^T D J of one side each: s x s */
static inline void add_block(int d, int s, const double *A, const double *DJ, double *to)
{
    for (int k = 0; k < s; k++)
        for (int j = 0; j < s; j++) {
            double sum = 0.0;
            for (int i = 0; i < d; i++)
                sum += A[s * i + k] * DJ[s * i + j];
            to[s * k + j] += sum;
        }
}

static inline void add_contact(pairs_newton *self, int d, int s, int i, const double *D)
{
    const pairs_rows *rows = self->rows;
    for (int side = 0; side < 2; side++) { /* of the column */
        const double *J = rows->J + ((ptrdiff_t)2 * i + side) * d * s;
        double DJ[3 * 6];
        if (rows->body[i][side] == rows->bodies)
            continue;
        for (int k = 0; k < d; k++)
            for (int j = 0; j < s; j++) {
                double sum = 0.0;
                for (int m = 0; m < d; m++)
                    sum += D[d * k + m] * J[s * m + j];
                DJ[s * k + j] = sum;
            }
        for (int row = 0; row < 2; row++) {
            const double *A = rows->A + ((ptrdiff_t)2 * i + row) * d * s;
            if (rows->body[i][row] == rows->bodies)
                continue;
            double *to = row == side ? carom_block_lu_diagonal(self->lu, rows->body[i][row])
                                     : carom_block_lu_beside(self->lu, i, row);
            add_block(d, s, A, DJ, to);
        }
    }
}

static void add(pairs_newton *self, int i, const double *D)
{
    if (self->rows->d == 2)
        add_contact(self, 2, 3, i, D);
    else
        add_contact(self, 3, 6, i, D);
}

static void assemble(pairs_newton *self)
{
    const pairs_rows *rows = self->rows;
    const int s = rows->s, square = rows->d * rows->d;
    carom_block_lu_clear(self->lu);
    for (int b = 0; b < rows->bodies; b++)
        for (int k = 0; k < s; k++)
            carom_block_lu_diagonal(self->lu, b)[(s + 1) * k] = 1.0;
    for (int i = 0; i < rows->contacts; i++)
        if (self->D[(ptrdiff_t)square * i] > 0.0)
            add(self, i, self->D + (ptrdiff_t)square * i);
}

/* Only contacts that changed. Rounding of what is taken away stays behind, which is as small as alpha is not
 * large; another alpha begins anew. */
static void assemble_changes(pairs_newton *self)
{
    const pairs_rows *rows = self->rows;
    const int square = rows->d * rows->d;
    for (int i = 0; i < rows->contacts; i++) {
        const double *D = self->D + (ptrdiff_t)square * i, *last = self->last_D + (ptrdiff_t)square * i;
        double change[9];
        if (memcmp(D, last, (size_t)square * sizeof *D) == 0)
            continue;
        for (int k = 0; k < square; k++)
            change[k] = D[k] - last[k];
        add(self, i, change);
        for (int side = 0; side < 2; side++)
            if (rows->body[i][side] < rows->bodies)
                carom_block_lu_touch(self->lu, rows->body[i][side]);
    }
}

/* False when the system is singular. */
static bool factor(pairs_newton *self, pairs_newton_report *report)
{
    const size_t bytes = (size_t)self->rows->d * size_of(self);
    if (self->has_factor && memcmp(self->D, self->last_D, bytes) == 0)
        return true;
    report->factors++;
    if (self->has_factor && self->factor_alpha == self->alpha)
        assemble_changes(self);
    else
        assemble(self);
    self->has_factor = carom_block_lu_factor(self->lu);
    self->factor_alpha = self->alpha;
    memcpy(self->last_D, self->D, bytes);
    return self->has_factor;
}

/* The direction dr, dv, du from D and g. False when the system is singular. */
static bool find_direction(pairs_newton *self, pairs_newton_report *report)
{
    const pairs_rows *rows = self->rows;
    const int d = rows->d;
    if (!factor(self, report))
        return false;
    pairs_rows_motion(rows, self->g, self->dv);
    for (int k = 0; k < rows->s * rows->bodies; k++)
        self->dv[k] = -self->dv[k];
    carom_block_lu_solve(self->lu, self->dv);
    pairs_rows_change(rows, self->dv, self->du);
    for (int i = 0; i < rows->contacts; i++)
        for (int k = 0; k < d; k++) {
            const double *D = self->D + ((ptrdiff_t)d * i + k) * d, *du = self->du + (ptrdiff_t)d * i;
            self->dr[d * i + k] = -self->g[d * i + k] - carom_dot(d, D, du);
        }
    return true;
}

/* ---- proximal points ----------------------------------------------------------------------------------- */

/* u of r, from its motion. */
static void find_velocities(pairs_newton *self, const double *r, double *v)
{
    const pairs_rows *rows = self->rows;
    pairs_rows_motion(rows, r, v);
    pairs_rows_change(rows, v, self->u);
    carom_axpy(rows->d * rows->contacts, 1.0, rows->q, self->u);
}

static double outer_error(const pairs_newton *self, const double *r)
{
    const pairs_rows *rows = self->rows;
    double sum = 0.0;
    for (int i = 0; i < rows->contacts; i++)
        sum += pairs_rows_distance(rows, i, r + (ptrdiff_t)rows->d * i, self->u + (ptrdiff_t)rows->d * i);
    return pairs_rows_relative(rows, sum);
}

/* Full steps for Alart and Curnier's function from r_k on; true when r solves the inner problem to `wanted`
 * (|G|). */
static bool solve_proximal(pairs_newton *self, double wanted, double *r, pairs_newton_report *report)
{
    const int n = self->rows->d * self->rows->contacts;
    for (int step = 0; step < FULL_STEPS; step++) {
        report->steps++;
        linearise(self, r);
        if (!find_direction(self, report))
            return false;
        carom_axpy(n, 1.0, self->dr, r);
        carom_axpy(n, 1.0, self->du, self->u);
        const double rest = merit(self, r);
        if (!isfinite(rest))
            return false;
        if (rest <= wanted * wanted)
            return true;
    }
    return false;
}

/* The smallest t > 0 at which a t^2 + b t + c, whose sign at 0 is that of c, changes it; infinite: nowhere. */
static double first_root(double a, double b, double c)
{
    const double side = c < 0.0 ? -1.0 : 1.0;
    a *= side;
    b *= side;
    c *= side;
    const double discriminant = b * b - 4.0 * a * c;
    if (discriminant < 0.0 || (a >= 0.0 && b >= 0.0))
        return INFINITY;
    const double root = sqrt(discriminant);
    return b < 0.0 ? 2.0 * c / (root - b) : (b + root) / (-2.0 * a);
}

/* Where contact i changes between open, stick and slip, when r moves along dr and u stays. */
static double find_change(const pairs_newton *self, int i, const double *r)
{
    const int d = self->rows->d;
    const double mu = self->rows->mu[i], *rho = self->rho + 2 * (ptrdiff_t)i;
    const double *dy = self->dr + (ptrdiff_t)d * i;
    double y[3], t = INFINITY;
    for (int k = 0; k < d; k++)
        y[k] = r[d * i + k] - rho[k == 0 ? 0 : 1] * self->u[d * i + k];
    if (y[0] > 0.0 ? dy[0] < 0.0 : dy[0] > 0.0)
        t = fabs(y[0] / dy[0]);
    if (!(y[0] > 0.0) || !(mu > 0.0))
        return t;
    const double a = mu * mu * dy[0] * dy[0] - carom_dot(d - 1, dy + 1, dy + 1);
    const double b = 2.0 * (mu * mu * y[0] * dy[0] - carom_dot(d - 1, y + 1, dy + 1));
    const double c = mu * mu * y[0] * y[0] - carom_dot(d - 1, y + 1, y + 1);
    return fmin(t, first_root(a, b, c));
}

/* ---- proximal points, one after the other ------------------------------------------------------------- */

typedef struct progress {
    const pairs_newton_limits *limits;
    double *r, *v;
    double error; /* of r_k */
    pairs_newton_report *report;
} progress;

/* r becomes r_k. */
static void accept(pairs_newton *self, progress *now, double error)
{
    const size_t bytes = size_of(self);
    memcpy(self->r_k, now->r, bytes);
    now->error = error;
    if (!(error < now->report->error))
        return;
    now->report->error = error;
    memcpy(self->best, now->r, bytes);
}

/* r becomes r_k again. */
static void go_back(pairs_newton *self, progress *now)
{
    memcpy(now->r, self->r_k, size_of(self));
    find_velocities(self, now->r, now->v);
}

/* Where friction wedges, reactions drift with a velocity that stays as it is, until a contact changes:
 * straight there, along the step from r_k to r. */
static void drift(pairs_newton *self, progress *now)
{
    const pairs_rows *rows = self->rows;
    const int n = rows->d * rows->contacts;
    double t = INFINITY;
    for (int k = 0; k < n; k++)
        self->dr[k] = now->r[k] - self->r_k[k];
    for (int i = 0; i < rows->contacts; i++)
        t = fmin(t, find_change(self, i, now->r));
    accept(self, now, outer_error(self, now->r));
    if (!(t > 1.0 && isfinite(t)))
        return;
    const double before = now->error;
    carom_axpy(n, t, self->dr, now->r);
    find_velocities(self, now->r, now->v);
    const double after = outer_error(self, now->r);
    if (after < drift_growth * before)
        accept(self, now, after);
    else
        go_back(self, now);
}

static bool is_over(const pairs_newton *self, const progress *now)
{
    const pairs_newton_limits *limits = now->limits;
    return now->report->error <= limits->tolerance || now->report->steps >= NEWTON_STEPS ||
           now->report->steps >= limits->steps || self->alpha < least_alpha ||
           (limits->until > 0.0 && carom_seconds() > limits->until);
}

/* An inner problem that full steps do not solve asks for a smaller alpha. Errors may grow for a while: where
 * friction wedges, points that nearly solve the problem repel. */
static void run(pairs_newton *self, progress *now)
{
    const pairs_newton_report *report = now->report;
    const size_t chosen = (size_t)now->limits->attempt % (sizeof manner / sizeof *manner);
    double growth = growth_first;
    self->alpha = fmin(first_largest, fmax(first_least, first_part / now->error));
    while (!is_over(self, now)) {
        const double before = now->error;
        const int steps = report->steps;
        if (!solve_proximal(self, inner_part * before * self->rows->q_size, now->r, now->report)) {
            go_back(self, now);
            self->alpha *= manner[chosen].shrinkage;
            growth = manner[chosen].growth;
            continue;
        }
        find_velocities(self, now->r, now->v);
        const double after = outer_error(self, now->r);
        if (report->steps == steps + 1 && fabs(after - before) < drift_change * before)
            drift(self, now);
        else
            accept(self, now, after);
        if (after > slow * before)
            self->alpha = fmin(growth * self->alpha, largest_alpha);
    }
}

void pairs_newton_solve(pairs_newton *self, const pairs_newton_limits *limits, double *r, double *v,
                        pairs_newton_report *report)
{
    progress now = {.limits = limits, .r = r, .v = v, .error = report->error, .report = report};
    report->steps = report->factors = 0;
    memcpy(self->best, r, size_of(self));
    memcpy(self->r_k, r, size_of(self));
    find_velocities(self, r, v);
    run(self, &now);
    memcpy(r, self->best, size_of(self));
    pairs_rows_motion(self->rows, r, v);
}
