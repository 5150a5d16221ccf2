#include "variation_flow.h"

#include <math.h>
#include <string.h>

const double variation_apart = 1e3;
/* Parts of a block count as numbers of at least this share of the block, and of the largest that it ever had. */
static const double share_of_block = 1e-4, share_of_most = 1e-9;

bool variation_flow_take(variation_flow *self, carom_arena *arena, int n, int extra, int columns,
                         const carom_scales *scales, void *context,
                         bool (*rate)(void *context, double t, const double *y, double *rate))
{
    const size_t all = (size_t)columns + 1, parts = 3 * all;
    *self = (variation_flow){
        .n = n, .extra = extra, .block = 2 * n + extra, .columns = columns, .scales = scales};
    const size_t numbers = carom_product(all, (size_t)self->block);
    self->y = carom_arena_take(arena, numbers, sizeof(double));
    self->rate = carom_arena_take(arena, numbers, sizeof(double));
    self->floor = carom_arena_take(arena, parts, sizeof(double));
    self->most = carom_arena_take(arena, all, sizeof(double));
    self->part = carom_arena_take(arena, parts, sizeof *self->part);
    if (!self->y || !self->rate || !self->floor || !self->most || !self->part)
        return false;
    for (int b = 0, p = 0; b <= columns; b++) {
        const int first = b * self->block;
        self->part[p++] = first + n;
        self->part[p++] = first + 2 * n;
        if (extra > 0)
            self->part[p++] = first + self->block;
    }
    self->way = (extrapolation){.size = (1 + columns) * self->block,
                                .part = self->part,
                                .context = context,
                                .rate = rate,
                                .floor = self->floor,
                                .watched = 2};
    return extrapolation_take(&self->way, arena);
}

/* Positions count as velocities times the time of the model, impulses as its mass times velocities. The motion itself has the
 * model's velocity as a scale: where it leaves a state of rest, rounding errors of forces are large beside its velocities. */
static void find_floors(variation_flow *self)
{
    const double unit[3] = {self->scales->time, 1.0, self->scales->mass};
    for (int b = 0, p = 0; b <= self->columns; b++) {
        const double *q = self->y + (ptrdiff_t)b * self->block;
        const double size =
            fmax(carom_largest(self->n, q) / self->scales->time, carom_largest(self->n, q + self->n));
        self->most[b] = fmax(self->most[b], size);
        const double scale = b == 0 ? fmax(size, carom_scales_speed(self->scales)) : size;
        for (int i = 0; i < (self->extra > 0 ? 3 : 2); i++, p++)
            self->floor[p] = unit[i] * (share_of_block * scale + share_of_most * self->most[b]);
    }
}

bool variation_flow_go(variation_flow *self, double t)
{
    if (!(t > self->t))
        return true;
    find_floors(self);
    if (!extrapolation_go(&self->way, self->t, t, self->y))
        return false;
    self->t = t;
    return true;
}

void variation_flow_stay_beside(variation_flow *self, double t, const double *q, const double *u,
                                const carom_scales *scales, double relative, double absolute)
{
    const double *own[2] = {self->y, self->y + self->n}, *given[2] = {q, u};
    bool near = fabs(self->t - t) <= 1e-9 * (scales->time + fabs(t));
    for (int k = 0; near && k < 2; k++) {
        const double unit = k == 0 ? scales->length : carom_scales_speed(scales);
        const double size = fmax(unit, carom_largest(self->n, given[k]));
        for (int i = 0; i < self->n; i++)
            near = near &&
                   fabs(own[k][i] - given[k][i]) <= variation_apart * (absolute * unit + relative * size);
    }
    if (near)
        return;
    memcpy(self->y, q, (size_t)self->n * sizeof *q);
    memcpy(self->y + self->n, u, (size_t)self->n * sizeof *u);
    self->t = t;
}

void variation_flow_load(variation_flow *self, const carom_tangent *tangent)
{
    const size_t values = 2 * (size_t)self->n;
    memset(self->y + values, 0, (size_t)self->extra * sizeof(double));
    for (int c = 0; c < self->columns; c++) {
        double *column = variation_flow_column(self, self->y, c);
        memcpy(column, carom_tangent_q(tangent, c), values * sizeof(double));
        memset(column + values, 0, (size_t)self->extra * sizeof(double));
    }
}

void variation_flow_shift(variation_flow *self, double factor, const double *time_along)
{
    for (int c = 0; c < self->columns; c++)
        carom_axpy(self->block, factor * time_along[c], self->rate, variation_flow_column(self, self->y, c));
}

void variation_flow_keep(variation_flow *self, carom_snapshot *snapshot)
{
    const size_t blocks = (size_t)self->columns + 1;
    carom_snapshot_block(snapshot, &self->t, sizeof self->t);
    carom_snapshot_block(snapshot, &self->way.h, sizeof self->way.h);
    carom_snapshot_block(snapshot, self->y, blocks * (size_t)self->block * sizeof(double));
    carom_snapshot_block(snapshot, self->most, blocks * sizeof(double));
}

void variation_flow_tell_break(variation_flow *flow, carom_tangent *tangent)
{
    if (flow->way.broken)
        carom_tangent_tell(
            tangent, flow->way.broken_time,
            "a force jumps there, without a contact: what the moment of the jump gives is left out");
    flow->way.broken = false;
}
