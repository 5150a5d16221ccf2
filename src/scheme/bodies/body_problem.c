/* The contact problem of a step as a global one, for somebody who wants to keep it:
 *
 *   M v = H r + f,  u = H^T v + w,   f = M v_free,  w = q - H^T v_free,
 *
 * of the free bodies that a closed point is at, in the order of the points: three velocities each in the plane, six in space. */
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

static void add_point(const body_step *self, int point, const int *number, problem_entries *H)
{
    const carom_pair_rows *row = &self->row[point];
    const int d = self->plane ? 2 : 3, width = self->plane ? 3 : 6;
    for (int side = 0; side < 2; side++) {
        const double sign = side == 0 ? 1.0 : -1.0;
        for (int i = 0; row->body[side] >= 0 && i < d; i++)
            for (int k = 0; k < width; k++) {
                const int slot = slot_of(self, k);
                const double value =
                    slot < 3 ? row->direction[3 * i + slot] : row->turn[side][3 * i + slot - 3];
                if (value != 0.0)
                    problem_entries_add(H, width * number[row->body[side]] + k, d * point + i, sign * value);
            }
    }
}

static carom_status pose(const void *step, carom_arena *arena, carom_coulomb_global *problem, double **r,
                         carom_error *error)
{
    const body_step *self = step;
    const int d = self->plane ? 2 : 3, width = self->plane ? 3 : 6, contacts = self->active;
    int *number = carom_arena_take(arena, (size_t)self->bodies->count, sizeof *number);
    if (!number)
        return carom_fail_memory(error);
    const int bodies = number_bodies(self, number), size = width * bodies, rows = d * contacts;
    problem_entries M, H;
    double *v = carom_arena_take(arena, (size_t)size, sizeof *v);
    double *f = carom_arena_take(arena, (size_t)size, sizeof *f);
    double *w = carom_arena_take(arena, (size_t)rows, sizeof *w);
    double *mu = carom_arena_take(arena, (size_t)contacts, sizeof *mu);
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
    for (int i = 0; i < contacts; i++) {
        add_point(self, i, number, &H);
        mu[i] = self->row[i].mu;
        for (int k = 0; k < d; k++) {
            w[d * i + k] = -self->problem_q[3 * i + k];
            (*r)[d * i + k] = self->impulse[3 * i + k];
        }
    }
    *problem = (carom_coulomb_global){.dimension = d, .contacts = contacts, .f = f, .w = w, .mu = mu};
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
