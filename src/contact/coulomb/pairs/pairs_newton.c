#include "pairs_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FULL_STEPS = 6,     /* for one inner problem */
    NEWTON_STEPS = 500, /* for all of one attempt, ... */
    MORE_STEPS = 250,   /* ... so many more while it comes nearer, or is near, ... */
    MOST_STEPS = 2000,  /* ... and never more */
    WEIGHED_FROM = 500, /* contacts */
};
/* Nearer: the error has fallen to this part in so many steps. Near: it is below this times the tolerance. */
static const double nearer = 0.5, near = 5.0;

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

/* Parts may move so many times as far as normals in the proximal term, u' = u + weight (r - r_k) / alpha, ... */
static const double part_weight = 2.0;
/* ... but where reactions drift and the error is below this times the tolerance, weights are those of weigh(), up to the second. */
static const double weigh_below = 3.0, largest_weight = 8.0;

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
    double **vector[] = {&self->weight, &self->r_k, &self->best, &self->u, &self->du, &self->dr, &self->g};
    double **matrix[] = {&self->D, &self->last_D};
    if (contacts > self->contact_room || self->rows->d > self->room_d) {
        const size_t d = (size_t)(self->rows->d > self->room_d ? self->rows->d : self->room_d);
        size_t room = contacts + contacts / 2;
        room = room > self->contact_room ? room : self->contact_room;
        self->contact_room = 0;
        for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
            if (!grow(vector[i], carom_product(d, room)))
                return false;
        for (size_t i = 0; i < sizeof matrix / sizeof *matrix; i++)
            if (!grow(matrix[i], carom_product(d * d, room)))
                return false;
        if (!grow(&self->rho, carom_product(1 + PAIRS_MOST_PARTS, room)))
            return false;
        self->contact_room = room;
        self->room_d = (int)d;
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
    carom_block_lu **lu = &self->factor[rows->s == 3 ? 0 : 1];
    if (!*lu)
        *lu = carom_block_lu_create(rows->s);
    self->rows = rows;
    self->has_factor = false;
    if (!*lu || !take_room(self, (size_t)rows->contacts, (size_t)rows->bodies) ||
        !pairs_system_take(&self->system, rows, *lu))
        return false;
    for (int i = 0; i < rows->contacts; i++)
        pairs_law_rho(rows->d, rows->s, rows->w, rows->W + (ptrdiff_t)rows->w * rows->w * i,
                      self->rho + (ptrdiff_t)(1 + rows->parts) * i);
    return true;
}

void pairs_newton_forget(pairs_newton *self)
{
    self->has_factor = false;
}

void pairs_newton_free(pairs_newton *self)
{
    carom_block_lu_free(self->factor[0]);
    carom_block_lu_free(self->factor[1]);
    pairs_system_free(&self->system);
    double *array[] = {self->rho, self->weight, self->r_k, self->best,   self->u, self->du,
                       self->dr,  self->g,      self->D,   self->last_D, self->dv};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    *self = (pairs_newton){0};
}

static size_t size_of(const pairs_newton *self)
{
    return (size_t)(self->rows->d * self->rows->contacts) * sizeof(double);
}

/* ---- the law ------------------------------------------------------------------------------------------- */

/* u' of contact i */
static inline void shifted(const pairs_newton *self, int d, int i, const double *r, double *u)
{
    for (int k = d * i; k < d * (i + 1); k++)
        u[k - d * i] = self->u[k] + self->weight[k] * (r[k] - self->r_k[k]) / self->alpha;
}

PAIRS_INLINE double distance(const pairs_newton *self, int d, int s, int i, const double *r)
{
    const int parts = pairs_parts(d, s);
    double u[PAIRS_MOST];
    shifted(self, d, i, r, u);
    return pairs_law_distance(d, s, self->rows->mu + (ptrdiff_t)parts * i,
                              self->rho + (ptrdiff_t)(1 + parts) * i, u, r + (ptrdiff_t)d * i);
}

/* |G|^2 */
static double merit(const pairs_newton *self, const double *r)
{
    const pairs_rows *rows = self->rows;
    double sum = 0.0;
    for (int i = 0; i < rows->contacts; i++)
        sum += rows->d == 2       ? distance(self, 2, 3, i, r)
               : rows->parts == 1 ? distance(self, 3, 6, i, r)
               : rows->s == 3     ? distance(self, 3, 3, i, r)
                                  : distance(self, 6, 6, i, r);
    return sum;
}

PAIRS_INLINE void linearise_contact(pairs_newton *self, int d, int s, int i, const double *r)
{
    const int parts = pairs_parts(d, s);
    double u[PAIRS_MOST], alpha[1 + PAIRS_MOST_PARTS] = {0.0};
    alpha[0] = self->alpha / self->weight[d * i];
    for (int part = 0; part < parts; part++)
        alpha[1 + part] = self->alpha / self->weight[d * i + pairs_part_start(s, part)];
    shifted(self, d, i, r, u);
    pairs_law_linearise(d, s, self->rows->mu + (ptrdiff_t)parts * i, self->rho + (ptrdiff_t)(1 + parts) * i,
                        alpha, u, r + (ptrdiff_t)d * i, self->D + (ptrdiff_t)d * d * i,
                        self->g + (ptrdiff_t)d * i);
}

static void linearise(pairs_newton *self, const double *r)
{
    const pairs_rows *rows = self->rows;
    for (int i = 0; i < rows->contacts; i++)
        if (rows->d == 2)
            linearise_contact(self, 2, 3, i, r);
        else if (rows->parts == 1)
            linearise_contact(self, 3, 6, i, r);
        else if (rows->s == 3)
            linearise_contact(self, 3, 3, i, r);
        else
            linearise_contact(self, 6, 6, i, r);
}

/* ---- the system ---------------------------------------------------------------------------------------- */

static void assemble(pairs_newton *self)
{
    const pairs_rows *rows = self->rows;
    const int square = rows->d * rows->d;
    pairs_system_clear(&self->system, rows, self->alpha);
    for (int i = 0; i < rows->contacts; i++)
        if (self->D[(ptrdiff_t)square * i] > 0.0)
            pairs_system_add(&self->system, rows, i, self->D + (ptrdiff_t)square * i);
}

/* Only contacts that changed. Rounding of what is taken away stays behind, which is as small as alpha is not
 * large; another alpha begins anew. */
static void assemble_changes(pairs_newton *self)
{
    const pairs_rows *rows = self->rows;
    const int square = rows->d * rows->d;
    for (int i = 0; i < rows->contacts; i++) {
        const double *D = self->D + (ptrdiff_t)square * i, *last = self->last_D + (ptrdiff_t)square * i;
        double change[PAIRS_MOST * PAIRS_MOST];
        if (memcmp(D, last, (size_t)square * sizeof *D) == 0)
            continue;
        for (int k = 0; k < square; k++)
            change[k] = D[k] - last[k];
        pairs_system_add(&self->system, rows, i, change);
        for (int side = 0; side < 2; side++)
            if (rows->body[i][side] < rows->bodies)
                carom_block_lu_touch(self->system.lu, rows->body[i][side]);
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
    self->has_factor = carom_block_lu_factor(self->system.lu);
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
    pairs_system_solve(&self->system, rows, self->dv);
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

/* ---- proximal points, one after the other ------------------------------------------------------------- */

typedef struct progress {
    const pairs_newton_limits *limits;
    double *r, *v;
    double error; /* of r_k */
    pairs_newton_report *report;
    bool plain;
    int steps;     /* that it has, ... */
    double so_far; /* ... and the best error when it got them */
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
    for (int i = 0; i < rows->contacts; i++) {
        const ptrdiff_t at = (ptrdiff_t)rows->d * i;
        t = fmin(t, pairs_law_change(rows->d, rows->s, rows->mu + (ptrdiff_t)rows->parts * i,
                                     self->rho + (ptrdiff_t)(1 + rows->parts) * i, self->u + at, now->r + at,
                                     self->dr + at));
    }
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

/* ---- weights ------------------------------------------------------------------------------------------- */

static void set_weights(pairs_newton *self, int contact, double normal, const double *parts)
{
    const int d = self->rows->d, s = self->rows->s;
    double *weight = self->weight + (ptrdiff_t)d * contact;
    weight[0] = normal;
    for (int part = 0; part < self->rows->parts; part++)
        for (int k = 0; k < pairs_part_size(s, part); k++)
            weight[pairs_part_start(s, part) + k] = parts[part];
}

/* Weights save factors in the mean, which count where they are large. The first attempt at a smaller problem with friction alone, which
 * is mostly the last one, goes without them, and without more steps. */
static bool is_plain(const pairs_newton *self, int attempt)
{
    return self->rows->parts == 1 && attempt == 0 && self->rows->contacts < WEIGHED_FROM;
}

static void weigh_evenly(pairs_newton *self, bool plain)
{
    const double weight = plain ? 1.0 : part_weight;
    const double parts[PAIRS_MOST_PARTS] = {weight, weight, weight};
    for (int i = 0; i < self->rows->contacts; i++)
        set_weights(self, i, 1.0, parts);
}

static double bounded(double weight)
{
    return fmax(1.0 / largest_weight, fmin(largest_weight, weight));
}

/* Reactions that drift for good do so along dr in the cone with W dr = 0 and q.dr < 0: contacts cannot all be kept from approaching,
 * and proximal points end with the u = -weight dr / alpha that q.dr asks for. Which u is the least one for the error? A contact has
 *
 *   u_N = -x,  |u_part| = z_part,  error^2 = max(x^2, (x - c.z)^2 + z.z)   (pairs_cone_distance, c its coefficients),
 *
 * and gives x dr_N + z.l, l the lengths |dr_part|. With x = 1 the most that z.l can be for an error of 1 is where z is on the
 * ellipsoid z.Q z = 2 c.z, Q = I + c c^T:  z = Q^-1 c + (c.Q^-1 c)^(1/2) Q^-1 l / (l.Q^-1 l)^(1/2). Contacts then share as their
 * gains, dr_N + z.l. */
static void weigh_contact(pairs_newton *self, int contact, const double *dr)
{
    const pairs_rows *rows = self->rows;
    const double *c = rows->mu + (ptrdiff_t)rows->parts * contact;
    double l[PAIRS_MOST_PARTS] = {0.0}, weight[PAIRS_MOST_PARTS] = {0.0};
    if (!(dr[0] > 0.0))
        return;
    for (int part = 0; part < rows->parts; part++)
        l[part] =
            pairs_part_length(pairs_part_size(rows->s, part), dr + pairs_part_start(rows->s, part)) / dr[0];
    const double one = 1.0 + carom_dot(rows->parts, c, c), cl = carom_dot(rows->parts, c, l);
    const double lQl = carom_dot(rows->parts, l, l) - cl * cl / one;
    const double radius = lQl > 0.0 ? sqrt((one - 1.0) / one / lQl) : 0.0;
    double gain = 1.0;
    for (int part = 0; part < rows->parts; part++) {
        weight[part] = c[part] / one + radius * (l[part] - c[part] * cl / one);
        gain += weight[part] * l[part];
    }
    for (int part = 0; part < rows->parts; part++)
        weight[part] = l[part] > 0.0 ? bounded(gain * weight[part] / l[part]) : 1.0;
    set_weights(self, contact, bounded(gain), weight);
}

/* By the step from r_k to r. */
static void weigh(pairs_newton *self, const double *r)
{
    const pairs_rows *rows = self->rows;
    for (int k = 0; k < rows->d * rows->contacts; k++)
        self->dr[k] = r[k] - self->r_k[k];
    for (int i = 0; i < rows->contacts; i++)
        weigh_contact(self, i, self->dr + (ptrdiff_t)rows->d * i);
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

/* Has it had its steps? It gets more where they are worth it. */
static bool has_ended(progress *now)
{
    const pairs_newton_report *report = now->report;
    if (report->steps < now->steps)
        return false;
    if (report->steps >= MOST_STEPS ||
        (report->steps >= NEWTON_STEPS && (now->plain || !(report->error < nearer * now->so_far ||
                                                           report->error < near * now->limits->tolerance))))
        return true;
    now->steps += MORE_STEPS;
    now->so_far = report->error;
    return false;
}

static bool is_over(const pairs_newton *self, progress *now)
{
    const pairs_newton_limits *limits = now->limits;
    return now->report->error <= limits->tolerance || has_ended(now) || now->report->steps >= limits->steps ||
           self->alpha < least_alpha || (limits->until > 0.0 && carom_seconds() > limits->until);
}

/* An inner problem that full steps do not solve asks for a smaller alpha. Errors may grow for a while: where
 * friction wedges, points that nearly solve the problem repel. */
static void run(pairs_newton *self, progress *now)
{
    const pairs_newton_report *report = now->report;
    const size_t chosen = (size_t)now->limits->attempt % (sizeof manner / sizeof *manner);
    double growth = growth_first;
    weigh_evenly(self, now->plain);
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
        const bool drifts = fabs(after - before) < drift_change * before;
        if (drifts && !now->plain && after < weigh_below * now->limits->tolerance)
            weigh(self, now->r);
        if (drifts && report->steps == steps + 1)
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
    progress now = {.limits = limits,
                    .r = r,
                    .v = v,
                    .error = report->error,
                    .report = report,
                    .plain = is_plain(self, limits->attempt),
                    .steps = MORE_STEPS,
                    .so_far = report->error};
    report->steps = report->factors = 0;
    self->system.hasty = limits->attempt % 2 == 1; /* another way */
    memcpy(self->best, r, size_of(self));
    memcpy(self->r_k, r, size_of(self));
    find_velocities(self, r, v);
    run(self, &now);
    memcpy(r, self->best, size_of(self));
    pairs_rows_motion(self->rows, r, v);
}
