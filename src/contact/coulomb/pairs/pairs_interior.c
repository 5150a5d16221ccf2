#include "pairs_interior.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

/* x and y of the start are at least this part of the mean size of q; those of r where they are larger, or of r = 0. */
static const struct {
    double part;
    bool near;
} start[] = {{0.3, true}, {1.0, false}, {0.1, true}, {10.0, false}, {0.03, true}, {0.1, false}};
/* A step ends this far before the boundary. */
static const double boundary_part = 0.95;
/* The next mean of x y over this one. */
static const double least_centre = 0.1, largest_centre = 2.0;
/* theta rises after steps shorter than the first number, and falls after those longer than the second. */
static const double short_step = 0.1, long_step = 0.4;
static const double theta_first = 0.03, theta_growth = 2.0, theta_shrinkage = 0.3, theta_least = 0.02;
/* Products this small over the square of the mean size of q are at the end of what numbers can tell. */
static const double least_mean = 1e-26;

/* ---- memory -------------------------------------------------------------------------------------------- */

bool pairs_interior_knows(const pairs_rows *rows)
{
    return rows->d == 2 && rows->s == 3;
}

static bool grow(double **array, size_t count)
{
    double *larger = realloc(*array, carom_product(count, sizeof *larger));
    if (larger)
        *array = larger;
    return larger != NULL;
}

bool pairs_interior_take(pairs_interior *self, const pairs_rows *rows, pairs_system *system)
{
    double **wide[] = {&self->x, &self->y, &self->dx, &self->dy, &self->rest, &self->target};
    double **narrow[] = {&self->u, &self->du, &self->dr, &self->best};
    const size_t contacts = (size_t)rows->contacts, bodies = (size_t)rows->bodies;
    self->rows = rows;
    self->system = system;
    if (contacts > self->contact_room) {
        const size_t room = contacts + contacts / 2;
        self->contact_room = 0;
        for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
            if (!grow(wide[i], carom_product(PAIRS_PRODUCTS, room)))
                return false;
        for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++)
            if (!grow(narrow[i], carom_product(2, room)))
                return false;
        self->contact_room = room;
    }
    if (bodies > self->body_room || !self->dv) {
        const size_t room = bodies + bodies / 2 + 1;
        self->body_room = 0;
        if (!grow(&self->dv, 3 * (room + 1)) || !grow(&self->rest_v, 3 * (room + 1)))
            return false;
        self->body_room = room;
    }
    return true;
}

void pairs_interior_free(pairs_interior *self)
{
    double *array[] = {self->x, self->y,  self->dx, self->dy,   self->rest, self->target,
                       self->u, self->du, self->dr, self->best, self->dv,   self->rest_v};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    *self = (pairs_interior){0};
}

/* ---- one contact --------------------------------------------------------------------------------------- */

/* y = F(x, u) of the problem itself */
static void slacks(double mu, const double x[4], const double u[2], double y[4])
{
    y[0] = u[0];
    y[1] = x[3] + u[1];
    y[2] = x[3] - u[1];
    y[3] = mu * x[0] - x[1] - x[2];
}

/* What the first three x have over their y, and the divisor of dl. */
typedef struct quotients {
    double y[3], c, p, k, divisor;
} quotients;

static quotients quotients_of(double mu, double theta, const double x[4], const double y[4])
{
    quotients q = {.y = {y[0] + pairs_interior_shift * x[0], y[1] + pairs_interior_shift * x[1],
                         y[2] + pairs_interior_shift * x[2]}};
    q.c = x[0] / q.y[0];
    if (!(mu > 0.0))
        return q;
    q.p = x[1] / q.y[1];
    q.k = x[2] / q.y[2];
    q.divisor = y[3] + x[3] * (q.p + q.k + theta * mu * mu * q.c);
    return q;
}

void pairs_interior_answer(double mu, double theta, const double x[4], const double y[4], double D[4])
{
    const quotients q = quotients_of(mu, theta, x, y);
    D[0] = q.c;
    D[1] = D[2] = D[3] = 0.0;
    if (!(mu > 0.0))
        return;
    const double turn = mu * q.c * x[3] * (q.p - q.k) / q.divisor;
    D[0] = q.c * (y[3] + x[3] * (q.p + q.k)) / q.divisor;
    D[1] = theta * turn;
    D[2] = turn;
    D[3] = ((q.p + q.k) * (y[3] + x[3] * theta * mu * mu * q.c) + 4.0 * x[3] * q.p * q.k) / q.divisor;
}

void pairs_interior_step(double mu, double theta, const double x[4], const double y[4], const double rest[4],
                         const double target[4], const double du[2], double dx[4], double dy[4])
{
    const quotients q = quotients_of(mu, theta, x, y);
    const double normal = (target[0] - x[0] * (rest[0] + du[0])) / q.y[0];
    memset(dx, 0, 4 * sizeof *dx);
    memset(dy, 0, 4 * sizeof *dy);
    dx[0] = normal;
    if (mu > 0.0) {
        const double p = (target[1] - x[1] * (rest[1] + du[1])) / q.y[1],
                     k = (target[2] - x[2] * (rest[2] - du[1])) / q.y[2];
        dx[3] = (target[3] - x[3] * rest[3] + x[3] * (p + k - mu * normal)) / q.divisor;
        dx[0] += theta * mu * q.c * dx[3];
        dx[1] = p - q.p * dx[3];
        dx[2] = k - q.k * dx[3];
        dy[1] = rest[1] + du[1] + dx[3] + pairs_interior_shift * dx[1];
        dy[2] = rest[2] - du[1] + dx[3] + pairs_interior_shift * dx[2];
        dy[3] = rest[3] + mu * dx[0] - dx[1] - dx[2];
    }
    dy[0] = rest[0] + du[0] + pairs_interior_shift * dx[0] - theta * mu * dx[3];
}

/* ---- all contacts -------------------------------------------------------------------------------------- */

static double size_of_q(const pairs_rows *rows)
{
    return rows->q_size / sqrt((double)rows->contacts);
}

/* Numbers of x; those of friction where there is none stay as they are, with products of 0. */
static size_t products(const pairs_interior *self)
{
    return PAIRS_PRODUCTS * (size_t)self->rows->contacts;
}

static void begin(pairs_interior *self, int attempt, const double *r)
{
    const pairs_rows *rows = self->rows;
    const size_t chosen = (size_t)attempt % (sizeof start / sizeof *start);
    const double least = start[chosen].part * size_of_q(rows);
    const bool near = start[chosen].near;
    self->theta = 0.0;
    for (int i = 0; i < rows->contacts; i++) {
        double *x = self->x + 4 * (ptrdiff_t)i, *y = self->y + 4 * (ptrdiff_t)i;
        const double mu = rows->mu[i], *u = self->u + 2 * (ptrdiff_t)i;
        const double *own = r + 2 * (ptrdiff_t)i;
        const double friction = 0.25 * mu * least;
        x[0] = fmax(least, near ? own[0] : 0.0);
        x[1] = fmax(friction, near ? own[1] : 0.0);
        x[2] = fmax(friction, near ? -own[1] : 0.0);
        x[3] = fmax(least, near ? fabs(u[1]) : 0.0);
        if (near)
            slacks(mu, x, u, y);
        for (int k = 0; k < 3; k++)
            y[k] = fmax(least, near ? y[k] : 0.0);
        y[3] = fmax(2.0 * friction, near ? y[3] : 0.0);
    }
}

/* u and v of r. */
static void find_velocities(pairs_interior *self, const double *r, double *v)
{
    const pairs_rows *rows = self->rows;
    pairs_rows_motion(rows, r, v);
    pairs_rows_change(rows, v, self->u);
    carom_axpy(rows->d * rows->contacts, 1.0, rows->q, self->u);
}

/* r of x, its motion, and what y and x y are. */
static void look(pairs_interior *self, double *r, double *v)
{
    const pairs_rows *rows = self->rows;
    double sum = 0.0, squares = 0.0;
    int count = 0;
    for (int i = 0; i < rows->contacts; i++) {
        const double *x = self->x + 4 * (ptrdiff_t)i;
        r[2 * i] = x[0];
        r[2 * i + 1] = rows->mu[i] > 0.0 ? x[1] - x[2] : 0.0;
    }
    find_velocities(self, r, v);
    for (int i = 0; i < rows->contacts; i++) {
        const double *x = self->x + 4 * (ptrdiff_t)i, *y = self->y + 4 * (ptrdiff_t)i;
        double *rest = self->rest + 4 * (ptrdiff_t)i;
        slacks(rows->mu[i], x, self->u + 2 * (ptrdiff_t)i, rest);
        for (int k = 0; k < (rows->mu[i] > 0.0 ? PAIRS_PRODUCTS : 1); k++, count++) {
            rest[k] -= y[k];
            sum += x[k] * y[k];
            squares += rest[k] * rest[k];
        }
    }
    self->count = count;
    self->mean = sum / count;
    self->gap = sqrt(squares / count);
}

/* False when the system is singular. */
static bool factor(pairs_interior *self)
{
    const pairs_rows *rows = self->rows;
    pairs_system_clear(self->system, rows, 1.0 / pairs_interior_shift);
    for (int i = 0; i < rows->contacts; i++) {
        double D[4];
        pairs_interior_answer(rows->mu[i], self->theta, self->x + 4 * (ptrdiff_t)i,
                              self->y + 4 * (ptrdiff_t)i, D);
        pairs_system_add(self->system, rows, i, D);
    }
    return carom_block_lu_factor(self->system->lu);
}

static void step_contact(pairs_interior *self, int i, const double du[2])
{
    const ptrdiff_t at = 4 * (ptrdiff_t)i;
    pairs_interior_step(self->rows->mu[i], self->theta, self->x + at, self->y + at, self->rest + at,
                        self->target + at, du, self->dx + at, self->dy + at);
}

/* Impulses of the step. */
static void find_impulses(pairs_interior *self, double *dr)
{
    for (int i = 0; i < self->rows->contacts; i++) {
        const double *dx = self->dx + 4 * (ptrdiff_t)i;
        dr[2 * i] = dx[0];
        dr[2 * i + 1] = dx[1] - dx[2];
    }
}

/* du = J dv of bodies that stick together is a small difference, and D is large: what impulses move differs from dv by the
 * rounding of dv times D. The difference is solved for once more. */
static void refine(pairs_interior *self)
{
    const pairs_rows *rows = self->rows;
    find_impulses(self, self->dr);
    pairs_rows_motion(rows, self->dr, self->rest_v);
    carom_axpy(rows->s * rows->bodies, -1.0, self->dv, self->rest_v);
    pairs_system_solve(self->system, rows, self->rest_v);
    pairs_rows_change(rows, self->rest_v, self->dr);
    carom_axpy(rows->d * rows->contacts, 1.0, self->dr, self->du);
    for (int i = 0; i < rows->contacts; i++)
        step_contact(self, i, self->du + 2 * (ptrdiff_t)i);
}

/* dx and dy for the target. */
static void find_direction(pairs_interior *self, bool refined)
{
    const pairs_rows *rows = self->rows;
    for (int i = 0; i < rows->contacts; i++)
        step_contact(self, i, (const double[2]){0.0, 0.0});
    find_impulses(self, self->dr);
    pairs_rows_motion(rows, self->dr, self->dv);
    pairs_system_solve(self->system, rows, self->dv);
    pairs_rows_change(rows, self->dv, self->du);
    for (int i = 0; i < rows->contacts; i++)
        step_contact(self, i, self->du + 2 * (ptrdiff_t)i);
    if (refined)
        refine(self);
}

static double longest_step(const pairs_interior *self)
{
    double step = INFINITY;
    for (size_t k = 0; k < products(self); k++) {
        if (self->dx[k] < 0.0)
            step = fmin(step, -self->x[k] / self->dx[k]);
        if (self->dy[k] < 0.0)
            step = fmin(step, -self->y[k] / self->dy[k]);
    }
    return step;
}

static double mean_after(const pairs_interior *self, double step)
{
    double sum = 0.0;
    for (size_t k = 0; k < products(self); k++)
        sum += (self->x[k] + step * self->dx[k]) * (self->y[k] + step * self->dy[k]);
    return sum / self->count;
}

static void predict(pairs_interior *self)
{
    for (size_t k = 0; k < products(self); k++)
        self->target[k] = -self->x[k] * self->y[k];
    find_direction(self, false);
}

/* Products do not fall below the equations of y: a step between them would be short ever after. */
static void correct(pairs_interior *self)
{
    const double left = mean_after(self, fmin(1.0, longest_step(self))) / self->mean;
    const double centre = fmax(fmin(1.0, fmax(least_centre, left * left * left)),
                               fmin(largest_centre, self->gap * self->gap / self->mean));
    for (size_t k = 0; k < products(self); k++)
        self->target[k] = centre * self->mean - self->x[k] * self->y[k] - self->dx[k] * self->dy[k];
    find_direction(self, true);
}

/* One step; false when it got nowhere. */
static bool advance(pairs_interior *self)
{
    if (!factor(self))
        return false;
    predict(self);
    correct(self);
    const double step = fmin(1.0, boundary_part * longest_step(self));
    const int n = PAIRS_PRODUCTS * self->rows->contacts;
    if (!(step > 0.0) || !carom_all_finite(n, self->dx) || !carom_all_finite(n, self->dy))
        return false;
    carom_axpy(n, step, self->dx, self->x);
    carom_axpy(n, step, self->dy, self->y);
    if (step < short_step)
        self->theta = fmin(1.0, theta_growth * self->theta + theta_first);
    else if (step > long_step)
        self->theta = self->theta > theta_least / theta_shrinkage ? theta_shrinkage * self->theta : 0.0;
    return true;
}

static bool is_over(const pairs_interior *self, const pairs_interior_limits *limits,
                    const pairs_interior_report *report)
{
    const double size = size_of_q(self->rows);
    return report->error <= limits->tolerance || report->steps >= limits->steps ||
           !(self->mean > least_mean * size * size) ||
           (limits->until > 0.0 && carom_seconds() > limits->until);
}

void pairs_interior_solve(pairs_interior *self, const pairs_interior_limits *limits, double *r, double *v,
                          pairs_interior_report *report)
{
    const pairs_rows *rows = self->rows;
    const size_t bytes = (size_t)(rows->d * rows->contacts) * sizeof *r;
    memcpy(self->best, r, bytes);
    find_velocities(self, r, v);
    begin(self, limits->attempt, r);
    for (report->steps = 0;; report->steps++) {
        look(self, r, v);
        const double error = pairs_rows_error(rows, r, v);
        if (error < report->error) {
            report->error = error;
            memcpy(self->best, r, bytes);
        }
        if (is_over(self, limits, report) || !advance(self))
            break;
    }
    memcpy(r, self->best, bytes);
    pairs_rows_motion(rows, r, v);
}
