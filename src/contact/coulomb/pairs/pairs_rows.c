#include "pairs_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/error_map.h"

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_room(pairs_rows *self, size_t contacts)
{
    if (contacts <= self->contact_room && self->d <= self->room_d && self->s <= self->room_s)
        return true;
    const int d = self->d > self->room_d ? self->d : self->room_d,
              s = self->s > self->room_s ? self->s : self->room_s;
    size_t room = contacts + contacts / 2;
    room = room > self->contact_room ? room : self->contact_room;
    const size_t rows = (size_t)(2 * d * s) * sizeof(double);
    self->contact_room = 0;
    if (!grow((void **)&self->body, room, sizeof *self->body) ||
        !grow((void **)&self->mu, room, PAIRS_MOST_PARTS * sizeof(double)) ||
        !grow((void **)&self->q, room, (size_t)d * sizeof(double)) || !grow((void **)&self->J, room, rows) ||
        !grow((void **)&self->A, room, rows) ||
        !grow((void **)&self->W, room, (size_t)(d > 3 ? d * d : 9) * sizeof(double)))
        return false;
    self->contact_room = room;
    self->room_d = d;
    self->room_s = s;
    return true;
}

void pairs_rows_free(pairs_rows *self)
{
    free(self->body);
    free(self->mu);
    free(self->q);
    free(self->J);
    free(self->A);
    free(self->W);
    *self = (pairs_rows){0};
}

/* Rows of moments turn only: the last s - 3 velocities, or the last one in the plane. */
static void fill_moments(const pairs_rows *self, const carom_pair_rows *row, const carom_pair_spin *spin,
                         int side, double *J, double *A)
{
    const bool plane = self->s == 3;
    const int first = plane ? 2 : 0, turn = plane ? 2 : 3;
    const double sign = side == 0 ? 1.0 : -1.0;
    for (int i = 0; i < (plane ? 1 : 3); i++, J += self->s, A += self->s) {
        const double *axis = row->direction + 3 * (ptrdiff_t)(2 - i),
                     *answer = spin->answer[side] + 3 * (ptrdiff_t)i;
        memset(J, 0, (size_t)turn * sizeof *J);
        memset(A, 0, (size_t)turn * sizeof *A);
        for (int k = first; k < 3; k++) {
            J[turn + k - first] = sign * spin->length * axis[k] / self->length;
            A[turn + k - first] = sign * answer[k] / self->scale * self->length;
        }
    }
}

/* Velocities of the plane are x, y and the turn about z. */
static void fill_side(pairs_rows *self, const carom_pairs *problem, int contact, int side)
{
    const carom_pair_rows *row = &problem->row[contact];
    const int d = self->d, s = self->s, body = row->body[side];
    double *J = self->J + ((ptrdiff_t)2 * contact + side) * d * s, *A = self->A + (J - self->J);
    self->body[contact][side] = body < 0 ? self->bodies : body;
    if (body < 0) {
        memset(J, 0, (size_t)(d * s) * sizeof *J);
        memset(A, 0, (size_t)(d * s) * sizeof *A);
        return;
    }
    const double sign = side == 0 ? 1.0 : -1.0, inverse = problem->inverse_mass[body];
    for (int i = 0; i < (problem->plane ? 2 : 3); i++, J += s, A += s) {
        const double *direction = row->direction + 3 * (ptrdiff_t)i,
                     *turn = row->turn[side] + 3 * (ptrdiff_t)i;
        const double *answer = row->answer[side] + 3 * (ptrdiff_t)i;
        const int first = problem->plane ? 2 : 0, moves = problem->plane ? 2 : 3;
        for (int k = 0; k < moves; k++) {
            J[k] = sign * direction[k];
            A[k] = sign * inverse * direction[k] / self->scale;
        }
        for (int k = first; k < 3; k++) {
            J[moves + k - first] = sign * turn[k] / self->length;
            A[moves + k - first] = sign * answer[k] / self->scale * self->length;
        }
    }
    if (problem->spin)
        fill_moments(self, row, &problem->spin[contact], side, J, A);
}

/* Nothing of a body that does not move is added. */
PAIRS_INLINE void fill_block(pairs_rows *self, int d, int s, int contact)
{
    const int w = d == 2 ? 3 : d;
    double *W = self->W + (ptrdiff_t)w * w * contact;
    memset(W, 0, (size_t)(w * w) * sizeof *W);
    if (d == 2)
        W[8] = 1.0;
    for (int side = 0; side < 2; side++) {
        const double *J = self->J + ((ptrdiff_t)2 * contact + side) * d * s,
                     *A = self->A + ((ptrdiff_t)2 * contact + side) * d * s;
        if (self->body[contact][side] == self->bodies)
            continue;
        for (int i = 0; i < d; i++)
            for (int j = 0; j < d; j++)
                W[w * i + j] += carom_dot(s, J + (ptrdiff_t)s * i, A + (ptrdiff_t)s * j);
    }
}

/* Coefficients and q of one contact. Returns |q|^2. */
static double fill_numbers(pairs_rows *self, const carom_pairs *problem, int contact)
{
    const double *q = problem->q + 3 * (ptrdiff_t)contact;
    double *mu = self->mu + (ptrdiff_t)self->parts * contact, *own = self->q + (ptrdiff_t)self->d * contact;
    const int slips = problem->plane ? 2 : 3;
    double size = carom_dot(3, q, q);
    mu[0] = problem->row[contact].mu;
    memcpy(own, q, (size_t)slips * sizeof *q);
    if (!problem->spin)
        return size;
    q += 3 * (ptrdiff_t)problem->contacts;
    mu[1] = problem->spin[contact].rolling;
    if (!problem->plane)
        mu[2] = problem->spin[contact].torsion;
    for (int k = slips; k < self->d; k++) {
        own[k] = q[k - slips];
        size += own[k] * own[k];
    }
    return size;
}

/* Mean radius of gyration: sqrt(sum of |turn|^2 / m over that of turn.J^-1 turn). */
static double radius_of_gyration(const carom_pairs *problem)
{
    double arms = 0.0, answers = 0.0;
    for (int i = 0; i < problem->contacts; i++)
        for (int side = 0; side < 2; side++) {
            const carom_pair_rows *row = &problem->row[i];
            if (row->body[side] < 0)
                continue;
            arms += problem->inverse_mass[row->body[side]] * carom_dot(9, row->turn[side], row->turn[side]);
            answers += carom_dot(9, row->turn[side], row->answer[side]);
        }
    return answers > 0.0 ? sqrt(arms / answers) : 0.0;
}

double pairs_length(const carom_pairs *problem)
{
    const double length = problem->length > 0.0 ? problem->length : radius_of_gyration(problem);
    return length > 0.0 && isfinite(length) ? scalbn(1.0, ilogb(length)) : 1.0;
}

bool pairs_rows_take(pairs_rows *self, const carom_pairs *problem, double scale)
{
    self->s = problem->plane ? 3 : 6;
    self->d = problem->spin ? self->s : problem->plane ? 2 : 3;
    self->parts = pairs_parts(self->d, self->s);
    self->w = self->d > 3 ? self->d : 3;
    if (!take_room(self, (size_t)problem->contacts))
        return false;
    self->contacts = problem->contacts;
    self->bodies = problem->bodies;
    self->scale = scale;
    self->length = pairs_length(problem);
    self->joints = NULL;
    self->hopeless = false;
    double size = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        size += fill_numbers(self, problem, i);
        fill_side(self, problem, i, 0);
        fill_side(self, problem, i, 1);
        if (self->d == 2)
            fill_block(self, 2, 3, i);
        else if (self->parts == 1)
            fill_block(self, 3, 6, i);
        else if (self->s == 3)
            fill_block(self, 3, 3, i);
        else
            fill_block(self, 6, 6, i);
        self->hopeless =
            self->hopeless || (!(self->W[(ptrdiff_t)self->w * self->w * i] > 0.0) && problem->q[3 * i] < 0.0);
    }
    self->q_size = sqrt(size);
    return true;
}

void pairs_rows_pack(const pairs_rows *self, const double *r, double *packed)
{
    const int n = self->contacts, d = self->d, slips = self->s == 3 ? 2 : 3;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < d; k++)
            packed[d * i + k] = self->scale * (k < slips ? r[3 * i + k] : r[3 * (n + i) + k - slips]);
}

/* Parts of reactions that fade away from step to step end at zero. Otherwise their squares would underflow some day, at another
 * step in other units. */
static const double faded = 1e-30;

static double unpacked(const pairs_rows *self, double part, double least)
{
    return fabs(part) <= least ? 0.0 : part / self->scale;
}

void pairs_rows_unpack(const pairs_rows *self, const double *packed, double *r)
{
    const int n = self->contacts, d = self->d, slips = self->s == 3 ? 2 : 3;
    const double least = faded * carom_largest(d * n, packed);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) {
            r[3 * i + k] = k < slips ? unpacked(self, packed[d * i + k], least) : 0.0;
            if (pairs_has_moments(d, self->s))
                r[3 * (n + i) + k] = slips + k < d ? unpacked(self, packed[d * i + slips + k], least) : 0.0;
        }
}

PAIRS_INLINE void motion(const pairs_rows *self, int d, int s, const double *r, double *v)
{
    memset(v, 0, (size_t)(self->bodies + 1) * (size_t)s * sizeof *v);
    for (int i = 0; i < self->contacts; i++)
        pairs_add_motion(d, s, self->A + (ptrdiff_t)2 * d * s * i, r + (ptrdiff_t)d * i,
                         v + (ptrdiff_t)s * self->body[i][0], v + (ptrdiff_t)s * self->body[i][1]);
}

void pairs_rows_motion(const pairs_rows *self, const double *r, double *v)
{
    if (self->d == 2)
        motion(self, 2, 3, r, v);
    else if (self->parts == 1)
        motion(self, 3, 6, r, v);
    else if (self->s == 3)
        motion(self, 3, 3, r, v);
    else
        motion(self, 6, 6, r, v);
    if (self->joints)
        pairs_joints_obey(self->joints, v);
}

PAIRS_INLINE void change(const pairs_rows *self, int d, int s, const double *v, double *u)
{
    for (int i = 0; i < self->contacts; i++) {
        memset(u + (ptrdiff_t)d * i, 0, (size_t)d * sizeof *u);
        pairs_add_velocity(d, s, self->J + (ptrdiff_t)2 * d * s * i, v + (ptrdiff_t)s * self->body[i][0],
                           v + (ptrdiff_t)s * self->body[i][1], u + (ptrdiff_t)d * i);
    }
}

void pairs_rows_change(const pairs_rows *self, const double *v, double *u)
{
    if (self->d == 2)
        change(self, 2, 3, v, u);
    else if (self->parts == 1)
        change(self, 3, 6, v, u);
    else if (self->s == 3)
        change(self, 3, 3, v, u);
    else
        change(self, 6, 6, v, u);
}

double pairs_rows_distance(const pairs_rows *self, int contact, const double *r, const double *u)
{
    const int d = self->d;
    if (self->parts > 1)
        return pairs_cone_distance(d, self->s, self->mu + (ptrdiff_t)self->parts * contact, r, u);
    const double mu = self->mu[contact];
    if (mu > coulomb_large_mu)
        return coulomb_parts_distance(mu, (const double[3]){r[0], r[1], d == 2 ? 0.0 : r[2]},
                                      (const double[3]){u[0], u[1], d == 2 ? 0.0 : u[2]});
    const double slip = d == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]);
    const double z[3] = {r[0] - u[0] - mu * slip, r[1] - u[1], d == 2 ? 0.0 : r[2] - u[2]};
    double p[3], sum = 0.0;
    carom_cone_project(mu, z, p);
    for (int k = 0; k < d; k++)
        sum += (r[k] - p[k]) * (r[k] - p[k]);
    return sum;
}

double pairs_rows_relative(const pairs_rows *self, double sum)
{
    if (sum == 0.0)
        return 0.0;
    return isfinite(sum) && isfinite(self->q_size) ? sqrt(sum) / self->q_size : INFINITY;
}

PAIRS_INLINE double sum_distances(const pairs_rows *self, int d, int s, const double *r, const double *v)
{
    double sum = 0.0;
    for (int i = 0; i < self->contacts; i++) {
        const double *J = self->J + (ptrdiff_t)2 * d * s * i;
        const double *va = v + (ptrdiff_t)s * self->body[i][0], *vb = v + (ptrdiff_t)s * self->body[i][1];
        double u[PAIRS_MOST];
        memcpy(u, self->q + (ptrdiff_t)d * i, (size_t)d * sizeof *u);
        pairs_add_velocity(d, s, J, va, vb, u);
        sum += pairs_rows_distance(self, i, r + (ptrdiff_t)d * i, u);
    }
    return sum;
}

double pairs_rows_distances(const pairs_rows *self, const double *r, const double *v)
{
    return self->d == 2       ? sum_distances(self, 2, 3, r, v)
           : self->parts == 1 ? sum_distances(self, 3, 6, r, v)
           : self->s == 3     ? sum_distances(self, 3, 3, r, v)
                              : sum_distances(self, 6, 6, r, v);
}

double pairs_rows_error(const pairs_rows *self, const double *r, const double *v)
{
    return pairs_rows_relative(self, pairs_rows_distances(self, r, v));
}
