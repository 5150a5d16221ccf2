/* The contact problem of a step as a global one, for somebody who wants to keep it:
 *
 *   M v = H r + f,  u = H^T v + w,   f = M v_free,  w = q - H^T v_free,
 *
 * of the free bodies that a closed point is at, in the order of the points: three velocities each in the plane, six in space. Moments
 * (moments.h) are about the tangents, the first one first, and about the normal where torsion has a coefficient (carom/contact/rolling.h). */
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/problem_entries.h"
#include "scheme/parts/step_report.h"

/* Of six velocities those that the plane has: x, y and the turn about z. */
static int slot_of(const body_step *self, int k)
{
    return self->plane && k == 2 ? 5 : k;
}

/* Number of each free body at a point, in the order of points; -1: none. Returns how many they are. */
static int number_bodies(const body_step *self, int *number)
{
    int count = 0;
    for (int i = 0; i < self->bodies->count; i++)
        number[i] = -1;
    for (int i = 0; i < self->active; i++)
        for (int side = 0; side < 2; side++) {
            const int body = self->row[i].body[side];
            if (body >= 0 && number[body] < 0)
                number[body] = count++;
        }
    return count;
}

/* The mass matrix of one body: m on the diagonal, and the inverse of the inverse inertia, by cofactors. */
static void add_body(const body_step *self, int body, int first, problem_entries *M)
{
    const double m = 1.0 / self->inverse_mass[body], *a = self->inverse_inertia + 9 * (ptrdiff_t)body;
    for (int k = 0; k < (self->plane ? 2 : 3); k++)
        problem_entries_add(M, first + k, first + k, m);
    if (self->plane) {
        problem_entries_add(M, first + 2, first + 2, 1.0 / a[8]);
        return;
    }
    double cofactor[9];
    body_cross(a + 3, a + 6, cofactor);
    body_cross(a + 6, a, cofactor + 3);
    body_cross(a, a + 3, cofactor + 6);
    const double determinant = carom_dot(3, a, cofactor);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            problem_entries_add(M, first + 3 + i, first + 3 + k, cofactor[3 * k + i] / determinant);
}

/* Normal and tangents of a point, which has d numbers. */
static void add_point(const body_step *self, int point, int d, const int *number, problem_entries *H)
{
    const carom_pair_rows *row = &self->row[point];
    const int width = self->plane ? 3 : 6;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        for (int i = 0; row->body[side] >= 0 && i < (self->plane ? 2 : 3); i++)
            for (int k = 0; k < width; k++) {
                const int slot = slot_of(self, k);
                const double value =
                    slot < 3 ? row->direction[3 * i + slot] : row->turn[side][3 * i + slot - 3];
                if (value != 0.0)
                    problem_entries_add(H, width * number[row->body[side]] + k, d * point + i, sign * value);
            }
    }
}

/* ---- moments -------------------------------------------------------------------------------------------- */

/* Numbers per contact without moments, and with them. */
static int slips_of(const body_step *self)
{
    return self->plane ? 2 : 3;
}

static int numbers_of(const body_step *self)
{
    bool torsion = false;
    if (!self->moments.used)
        return slips_of(self);
    for (int i = 0; i < self->active && !self->plane; i++)
        torsion = torsion || self->moments.spin[i].torsion > 0.0;
    return self->plane ? 3 : torsion ? 6 : 5;
}

/* Which of a point's moments, second tangent, first tangent, normal, stands at this number of the problem. */
static int axis_at(const body_step *self, int k)
{
    static const int axis[3] = {1, 0, 2};
    return self->plane ? 0 : axis[k - 3];
}

static void add_moments(const body_step *self, int point, int d, const int *number, problem_entries *H)
{
    const carom_pair_rows *row = &self->row[point];
    const int width = self->plane ? 3 : 6, first = self->plane ? 2 : 3;
    for (int side = 0; side < 2; side++)
        for (int i = slips_of(self); row->body[side] >= 0 && i < d; i++)
            for (int k = first; k < width; k++) {
                const double value = row->direction[3 * (2 - axis_at(self, i)) + (self->plane ? 2 : k - 3)];
                if (value != 0.0)
                    problem_entries_add(H, width * number[row->body[side]] + k, d * point + i,
                                        side == 0 ? value : -value);
            }
}

/* -q and the start of a point's moments, in units of the model; coefficients. */
static void fill_moments(const body_step *self, int point, int d, double *w, double *r, double *mu_r,
                         double *mu_t)
{
    const carom_pair_spin *spin = &self->moments.spin[point];
    for (int i = slips_of(self); i < d; i++) {
        const ptrdiff_t at = 3 * (ptrdiff_t)point + axis_at(self, i);
        w[i] = -self->moments.q[at] / spin->length;
        r[i] = self->moments.moment[at] * spin->length;
    }
    mu_r[point] = spin->rolling * spin->length;
    if (mu_t)
        mu_t[point] = spin->torsion * spin->length;
}

/* ---- the problem ---------------------------------------------------------------------------------------- */

/* Numbers of a point: -q into w, where the solver starts into r, coefficients. */
static void fill_point(const body_step *self, int point, int d, double *w, double *r)
{
    for (int k = 0; k < slips_of(self); k++) {
        w[d * point + k] = -self->problem_q[3 * point + k];
        r[d * point + k] = self->impulse[3 * point + k];
    }
}

static carom_status pose(const void *step, carom_arena *arena, carom_coulomb_global *problem, double **r,
                         carom_error *error)
{
    const body_step *self = step;
    const int d = numbers_of(self), width = self->plane ? 3 : 6, contacts = self->active;
    int *number = carom_arena_take(arena, (size_t)self->bodies->count, sizeof *number);
    if (!number)
        return carom_fail_memory(error);
    const int bodies = number_bodies(self, number), size = width * bodies, rows = d * contacts;
    problem_entries M, H;
    double *v = carom_arena_take(arena, (size_t)size, sizeof *v);
    double *f = carom_arena_take(arena, (size_t)size, sizeof *f);
    double *w = carom_arena_take(arena, (size_t)rows, sizeof *w);
    double *mu = carom_arena_take(arena, 3 * (size_t)contacts, sizeof *mu);
    *r = carom_arena_take(arena, (size_t)rows, sizeof **r);
    if (!problem_entries_take(arena, 12 * (size_t)bodies, &M) ||
        !problem_entries_take(arena, 2 * (size_t)width * (size_t)rows, &H) || !v || !f || !w || !mu || !*r)
        return carom_fail_memory(error);
    for (int i = 0; i < self->bodies->count; i++) {
        if (number[i] < 0)
            continue;
        add_body(self, i, width * number[i], &M);
        for (int k = 0; k < width; k++)
            v[width * number[i] + k] = self->free[6 * i + slot_of(self, k)];
    }
    *problem = (carom_coulomb_global){.dimension = d,
                                      .contacts = contacts,
                                      .f = f,
                                      .w = w,
                                      .mu = mu,
                                      .mu_r = self->moments.used ? mu + contacts : NULL,
                                      .mu_t = d == 6 ? mu + 2 * (ptrdiff_t)contacts : NULL};
    for (int i = 0; i < contacts; i++) {
        add_point(self, i, d, number, &H);
        fill_point(self, i, d, w, *r);
        mu[i] = self->row[i].mu;
        if (!self->moments.used)
            continue;
        add_moments(self, i, d, number, &H);
        fill_moments(self, i, d, w + (ptrdiff_t)d * i, *r + (ptrdiff_t)d * i, mu + contacts,
                     d == 6 ? mu + 2 * (ptrdiff_t)contacts : NULL);
    }
    if (!carom_sparse_take(arena, size, size, M.count, M.row, M.column, M.value, &problem->M) ||
        !carom_sparse_take(arena, size, rows, H.count, H.row, H.column, H.value, &problem->H))
        return carom_fail_memory(error);
    carom_sparse_add(&problem->M, v, f);
    carom_sparse_add_transposed(&problem->H, v, w);
    for (int i = 0; i < rows; i++)
        w[i] = -w[i];
    return CAROM_OK;
}

carom_status body_step_tell_problem(body_step *self, carom_error *error)
{
    const carom_problem_listener *listener = &self->stepper->problems;
    if (!listener->take || self->active == 0)
        return CAROM_OK;
    return problem_tell(listener, step_end(self->stepper), pose, self, error);
}
