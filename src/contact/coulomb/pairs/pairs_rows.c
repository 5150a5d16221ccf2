#include "pairs_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_room(pairs_rows *self, size_t contacts)
{
    if (contacts <= self->contact_room)
        return true;
    const size_t room = contacts + contacts / 2;
    self->contact_room = 0;
    if (!grow((void **)&self->body, room, sizeof *self->body) ||
        !grow((void **)&self->mu, room, sizeof(double)) ||
        !grow((void **)&self->q, room, 3 * sizeof(double)) ||
        !grow((void **)&self->J, room, 36 * sizeof(double)) ||
        !grow((void **)&self->A, room, 36 * sizeof(double)) ||
        !grow((void **)&self->W, room, 9 * sizeof(double)))
        return false;
    self->contact_room = room;
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
    for (int i = 0; i < d; i++, J += s, A += s) {
        const double *direction = row->direction + 3 * (ptrdiff_t)i,
                     *turn = row->turn[side] + 3 * (ptrdiff_t)i;
        const double *answer = row->answer[side] + 3 * (ptrdiff_t)i;
        const int first = problem->plane ? 2 : 0, moves = problem->plane ? 2 : 3;
        for (int k = 0; k < moves; k++) {
            J[k] = sign * direction[k];
            A[k] = sign * inverse * direction[k] / self->scale;
        }
        for (int k = first; k < 3; k++) {
            J[moves + k - first] = sign * turn[k];
            A[moves + k - first] = sign * answer[k] / self->scale;
        }
    }
}

static void fill_block(pairs_rows *self, int contact)
{
    const int d = self->d, s = self->s;
    const double *J = self->J + (ptrdiff_t)2 * contact * d * s, *A = self->A + (ptrdiff_t)2 * contact * d * s;
    double *W = self->W + 9 * (ptrdiff_t)contact;
    memset(W, 0, 9 * sizeof *W);
    if (d == 2)
        W[8] = 1.0;
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            W[3 * i + j] = carom_dot(s, J + (ptrdiff_t)s * i, A + (ptrdiff_t)s * j) +
                           carom_dot(s, J + (ptrdiff_t)s * (d + i), A + (ptrdiff_t)s * (d + j));
}

bool pairs_rows_take(pairs_rows *self, const carom_pairs *problem, double scale)
{
    if (!take_room(self, (size_t)problem->contacts))
        return false;
    self->contacts = problem->contacts;
    self->bodies = problem->bodies;
    self->d = problem->plane ? 2 : 3;
    self->s = problem->plane ? 3 : 6;
    self->scale = scale;
    self->hopeless = false;
    double size = 0.0;
    for (int i = 0; i < problem->contacts; i++) {
        const double *q = problem->q + 3 * (ptrdiff_t)i;
        self->mu[i] = problem->row[i].mu;
        for (int k = 0; k < self->d; k++)
            self->q[self->d * i + k] = q[k];
        size += carom_dot(3, q, q);
        fill_side(self, problem, i, 0);
        fill_side(self, problem, i, 1);
        fill_block(self, i);
        self->hopeless = self->hopeless || (!(self->W[9 * i] > 0.0) && q[0] < 0.0);
    }
    self->q_size = sqrt(size);
    return true;
}

static inline void motion(const pairs_rows *self, int d, int s, const double *r, double *v)
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
    else
        motion(self, 3, 6, r, v);
}

static inline void change(const pairs_rows *self, int d, int s, const double *v, double *u)
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
    else
        change(self, 3, 6, v, u);
}

double pairs_rows_distance(const pairs_rows *self, int contact, const double *r, const double *u)
{
    const int d = self->d;
    const double mu = self->mu[contact], slip = d == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]);
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

double pairs_rows_error(const pairs_rows *self, const double *r, const double *v)
{
    const int d = self->d, s = self->s;
    double sum = 0.0;
    for (int i = 0; i < self->contacts; i++) {
        const double *J = self->J + (ptrdiff_t)2 * d * s * i;
        const double *va = v + (ptrdiff_t)s * self->body[i][0], *vb = v + (ptrdiff_t)s * self->body[i][1];
        double u[3];
        memcpy(u, self->q + (ptrdiff_t)d * i, (size_t)d * sizeof *u);
        if (d == 2)
            pairs_add_velocity(2, 3, J, va, vb, u);
        else
            pairs_add_velocity(3, 6, J, va, vb, u);
        sum += pairs_rows_distance(self, i, r + (ptrdiff_t)d * i, u);
    }
    return pairs_rows_relative(self, sum);
}
