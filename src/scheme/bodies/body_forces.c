/* Where bodies touched in the last step, and what acted there, for who wants to look at it. */
#include <string.h>

#include "body_step_data.h"

static void add_cross(double factor, const double a[3], const double b[3], double sum[3])
{
    sum[0] += factor * (a[1] * b[2] - a[2] * b[1]);
    sum[1] += factor * (a[2] * b[0] - a[0] * b[2]);
    sum[2] += factor * (a[0] * b[1] - a[1] * b[0]);
}

/* The arm from the body to the point, from the turns arm x d of an orthonormal frame: sum d x (arm x d) = 2 arm. */
static void find_arm(const carom_pair_rows *row, int side, double arm[3])
{
    arm[0] = arm[1] = arm[2] = 0.0;
    for (int k = 0; k < 3; k++)
        add_cross(0.5, row->direction + 3 * (ptrdiff_t)k, row->turn[side] + 3 * (ptrdiff_t)k, arm);
}

carom_body_point body_step_point_at(const body_step *self, int i)
{
    const carom_pair_rows *row = &self->row[i];
    const double *r = self->impulse + 3 * (ptrdiff_t)i, *d = row->direction;
    carom_body_point point = {.a = self->point[i].a,
                              .b = self->point[i].b,
                              .friction = row->mu,
                              .gap = self->point[i].gap,
                              .shift = self->point[i].shift};
    memcpy(point.normal, d, 3 * sizeof *d);
    find_arm(row, 0, point.arm[0]);
    find_arm(row, 1, point.arm[1]);
    for (int k = 0; k < 3; k++)
        point.impulse[k] = r[0] * d[k] + r[1] * d[3 + k] + (self->plane ? 0.0 : r[2] * d[6 + k]);
    return point;
}

int body_step_points(body_step *self, int room, carom_body_point *point)
{
    if (self->cut.used) {
        self->cut.asked_points = true;
        for (size_t i = 0; i < self->cut.points && i < (size_t)room; i++)
            point[i] = self->cut.point[i];
        return (int)self->cut.points;
    }
    for (int i = 0; i < self->active && i < room; i++)
        point[i] = body_step_point_at(self, i);
    return self->active;
}
