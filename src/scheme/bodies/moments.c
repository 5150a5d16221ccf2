#include "moments.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

bool body_moments_needed(const carom_bodies *bodies)
{
    for (int i = 0; i < bodies->materials * bodies->materials; i++)
        if (bodies->law[i].rolling > 0.0 ||
            (bodies->law[i].torsion > 0.0 && bodies->dimension == CAROM_SPACE))
            return true;
    return false;
}

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

bool body_moments_take_room(body_moments *moments, size_t points)
{
    return !moments->used || (grow((void **)&moments->spin, points, sizeof *moments->spin) &&
                              grow((void **)&moments->moment, points, 3 * sizeof(double)) &&
                              grow((void **)&moments->q, points, 3 * sizeof(double)) &&
                              grow((void **)&moments->island_spin, points, sizeof *moments->island_spin) &&
                              grow((void **)&moments->contact, points, 2 * sizeof *moments->contact));
}

void body_moments_free(body_moments *moments)
{
    free(moments->spin);
    free(moments->moment);
    free(moments->q);
    free(moments->island_spin);
    free(moments->contact);
}

/* The axes of moments: second tangent, first tangent, normal; in the plane the first alone, which points out of it. */
static const double *axis_of(const body_step *self, int point, int axis)
{
    return self->row[point].direction + 3 * (ptrdiff_t)(2 - axis);
}

static int axes_of(const body_step *self)
{
    return self->plane ? 1 : 3;
}

/* A length that makes inertias against spin as large as that against the normal velocity, of the order of the radii of
 * inertia: moments and impulses then weigh the same, whatever the units. */
static double find_length(const body_step *self, int place, double inverse_inertia)
{
    const carom_pair_rows *row = &self->row[place];
    double normal = 0.0;
    for (int side = 0; side < 2; side++)
        if (row->body[side] >= 0)
            normal += self->inverse_mass[row->body[side]] + carom_dot(3, row->turn[side], row->answer[side]);
    const double length = sqrt(normal / inverse_inertia);
    return isfinite(length) && length > 0.0 ? length : 1.0;
}

void body_moments_fill(body_step *self, int place, const carom_pair_law *law)
{
    carom_pair_spin *spin = &self->moments.spin[place];
    const carom_pair_rows *row = &self->row[place];
    double sum = 0.0;
    *spin = (carom_pair_spin){0};
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const double *inverse = self->inverse_inertia + 9 * (ptrdiff_t)row->body[side];
        for (int k = 0; k < axes_of(self); k++)
            for (int c = 0; c < 3; c++) {
                const double *axis = axis_of(self, place, k);
                spin->answer[side][3 * k + c] = carom_dot(3, inverse + 3 * (ptrdiff_t)c, axis);
                sum += axis[c] * spin->answer[side][3 * k + c] / axes_of(self);
            }
    }
    spin->length = find_length(self, place, sum);
    spin->rolling = law->rolling / spin->length;
    spin->torsion = self->plane ? 0.0 : law->torsion / spin->length;
    for (int k = 0; k < 9; k++) {
        spin->answer[0][k] *= spin->length;
        spin->answer[1][k] *= spin->length;
    }
}

void body_moments_velocity(const body_step *self, int point, const double *velocity, double u[3])
{
    const double *a = velocity + 6 * (ptrdiff_t)self->point[point].a + 3,
                 *b = velocity + 6 * (ptrdiff_t)self->point[point].b + 3;
    const double w[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    u[0] = u[1] = u[2] = 0.0;
    for (int k = 0; k < axes_of(self); k++)
        u[k] = self->moments.spin[point].length * carom_dot(3, axis_of(self, point, k), w);
}

void body_moments_find_problem(body_step *self, int points, const double *velocity)
{
    for (int i = 0; self->moments.used && i < points; i++)
        body_moments_velocity(self, i, velocity, self->moments.q + 3 * (ptrdiff_t)i);
}

void body_moments_keep(const body_step *self, int point, double along[3])
{
    along[0] = along[1] = along[2] = 0.0;
    for (int k = 0; self->moments.used && k < axes_of(self); k++)
        carom_axpy(3, self->moments.spin[point].length * self->moments.moment[3 * point + k],
                   axis_of(self, point, k), along);
}

void body_moments_start(body_step *self, int point, const double along[3])
{
    for (int k = 0; self->moments.used && k < 3; k++)
        self->moments.moment[3 * point + k] =
            k < axes_of(self)
                ? carom_dot(3, axis_of(self, point, k), along) / self->moments.spin[point].length
                : 0.0;
}

void body_moments_gather(body_step *self, int first, double *q, double *r, carom_pairs *problem)
{
    const body_moments *moments = &self->moments;
    const int *point = self->island_point + first;
    carom_pair_spin *own = moments->island_spin + (moments->used ? first : 0);
    const int contacts = problem->contacts;
    bool needed = false;
    for (int k = 0; moments->used && k < contacts; k++) {
        const carom_pair_spin *spin = &moments->spin[point[k]];
        needed = needed || spin->rolling > 0.0 || spin->torsion > 0.0;
    }
    if (!needed)
        return;
    problem->spin = own;
    for (int k = 0; k < contacts; k++) {
        const ptrdiff_t from = 3 * (ptrdiff_t)point[k], to = 3 * (ptrdiff_t)(contacts + k);
        own[k] = moments->spin[point[k]];
        memcpy(q + to, moments->q + from, 3 * sizeof(double));
        memcpy(r + to, moments->moment + from, 3 * sizeof(double));
    }
}

void body_moments_scatter(body_step *self, int first, const double *r, const carom_pairs *problem)
{
    const int *point = self->island_point + first;
    for (int k = 0; problem->spin && k < problem->contacts; k++)
        memcpy(self->moments.moment + 3 * (ptrdiff_t)point[k], r + 3 * (ptrdiff_t)(problem->contacts + k),
               3 * sizeof(double));
}

int body_moments_list(body_step *self, const int *point, int points)
{
    body_moments *moments = &self->moments;
    int count = 0;
    for (int i = 0; moments->used && i < points; i++)
        for (int torsion = 0; torsion < 2; torsion++) {
            const carom_pair_spin *spin = &moments->spin[point[i]];
            if (!((torsion ? spin->torsion : spin->rolling) > 0.0))
                continue;
            moments->contact[count++] =
                (moment_contact){.contact = i,
                                 .torsion = torsion,
                                 .row = carom_pair_moments(&self->row[point[i]], spin, torsion)};
        }
    return count;
}

void body_moments_contact_velocity(const carom_pair_rows *row, const double *velocity, double u[3])
{
    u[0] = u[1] = u[2] = 0.0;
    for (int side = 0; side < 2; side++)
        for (int k = 1; row->body[side] >= 0 && k < 3; k++)
            u[k] += (side == 0 ? 1.0 : -1.0) * carom_dot(3, row->turn[side] + 3 * (ptrdiff_t)k,
                                                         velocity + 6 * (ptrdiff_t)row->body[side] + 3);
}

void body_moments_numbers(const body_step *self, int point, bool torsion, double normal, double scale,
                          double q[3], double r[3])
{
    const double *own = self->moments.q + 3 * (ptrdiff_t)point,
                 *start = self->moments.moment + 3 * (ptrdiff_t)point;
    q[0] = 0.0;
    q[1] = torsion ? own[2] : own[0];
    q[2] = torsion ? 0.0 : own[1];
    r[0] = normal;
    r[1] = scale * (torsion ? start[2] : start[0]);
    r[2] = torsion ? 0.0 : scale * start[1];
}

void body_moments_set(body_step *self, int point, bool torsion, const double r[3])
{
    double *own = self->moments.moment + 3 * (ptrdiff_t)point;
    own[torsion ? 2 : 0] = r[1];
    if (!torsion)
        own[1] = r[2];
}

double body_moments_work(const body_step *self, int point, double *of_pair)
{
    double work = 0.0, before[3], after[3], along[3];
    if (!self->moments.used)
        return 0.0;
    body_moments_velocity(self, point, self->old, before);
    body_moments_velocity(self, point, self->end, after);
    body_moments_keep(self, point, along);
    for (int k = 0; k < 3; k++)
        *of_pair += 0.5 * self->moments.moment[3 * point + k] * (before[k] + after[k]);
    for (int side = 0; side < 2; side++) {
        const int body = self->row[point].body[side];
        if (body >= 0)
            work += (side == 0 ? 0.5 : -0.5) * (carom_dot(3, along, self->old + 6 * (ptrdiff_t)body + 3) +
                                                carom_dot(3, along, self->end + 6 * (ptrdiff_t)body + 3));
    }
    return work;
}
