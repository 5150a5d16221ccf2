/* projection.c in numbers with a derivative: the same sweeps in the same order, each deciding by values. Of islands with joints, which
 * solve their problem, the points that were lifted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "replay.h"

enum {
    SWEEPS = 30,
    WHY = 200
};
static const double left_over = 0.01;

/* The gap at the end of the step goes into `gap`. Returns the deepest overlap. */
static double find_end_gaps(body_replay *self)
{
    const body_step *step = self->step;
    const carom_dual early = self->h * (1.0 - self->theta) - self->ahead;
    double deepest = 0.0;
    for (int i = 0; i < step->count; i++) {
        carom_dual before[3], after[3];
        body_replay_point_velocity(self, i, REPLAY_OLD, before);
        body_replay_point_velocity(self, i, REPLAY_END, after);
        self->point[i].gap += early * before[0] + self->h * self->theta * after[0];
        deepest = fmax(deepest, -creal(self->point[i].gap));
    }
    return deepest;
}

double body_replay_size_before(const body_replay *self, int column)
{
    const carom_scales *scales = &self->base->stepper->scales;
    const double *q = carom_tangent_q(self->base, column), *v = carom_tangent_v(self->base, column);
    const bool plane = self->step->plane;
    const int axes = plane ? 2 : 3, turns = plane ? 1 : 4, spins = plane ? 1 : 3;
    double way = 0.0, angle = 0.0, speed = 0.0, spin = 0.0;
    for (int i = 0; i < self->step->bodies->count; i++) {
        const carom_body *body = &self->step->bodies->body[i];
        if (body->q >= 0) {
            way = fmax(way, carom_largest(axes, q + body->q));
            angle = fmax(angle, carom_largest(turns, q + body->q + axes));
        }
        if (body->v >= 0) {
            speed = fmax(speed, carom_largest(axes, v + body->v));
            spin = fmax(spin, carom_largest(spins, v + body->v + axes));
        }
    }
    way = fmax(way, angle * scales->length) / scales->time;
    return fmax(way, fmax(speed, spin * scales->length));
}

double body_replay_size(const body_replay *self)
{
    double size = body_replay_size_before(self, self->column);
    for (int i = 0; i < self->step->bodies->count; i++) {
        const replay_body *body = &self->body[i];
        for (int k = 0; k < 6; k++) { /* a moment is one of forces at the model's length */
            const double length = self->base->stepper->scales.length, unit = k < 3 ? 1.0 : length,
                         force = k < 3 ? 1.0 : 1.0 / length;
            size = fmax(size, unit * fabs(carom_dual_slope(body->end[k])));
            size = fmax(size,
                        force * fabs(creal(body->inverse_mass) * carom_dual_slope(self->h * body->force[k])));
            size = fmax(size,
                        force * fabs(creal(self->h * body->force[k]) * carom_dual_slope(body->inverse_mass)));
        }
    }
    return size;
}

bool body_replay_just_touches(const body_replay *self, carom_dual gap)
{
    static const double near = 1e-6, rounding = 1e-9;
    const carom_tangent *base = self->base;
    const double slope = fabs(carom_dual_slope(gap)), length = base->stepper->accounts.length;
    const double size = body_replay_size(self) * base->stepper->scales.time;
    return slope > rounding * size && fabs(creal(gap)) * size <= near * length * slope;
}

/* An overlap that is zero to rounding and changes is put back on one side only. */
static void look_at_end_gaps(const body_replay *self)
{
    const body_step *step = self->step;
    carom_tangent *base = self->base;
    for (int i = 0; step->options.projection && i < step->count; i++) {
        const carom_dual gap = self->point[i].gap;
        char pair[120];
        if (!body_replay_just_touches(self, gap))
            continue;
        carom_tangent_tell(
            base, base->stepper->state.t,
            "bodies %s just touch at the end of the step: on one side they overlap and are put "
            "apart; taken: the side on which they are%s",
            carom_bodies_pair_name(step->bodies, step->point[i].a, step->point[i].b, pair, sizeof pair),
            -creal(gap) > step->gap_tolerance ? "" : " not");
    }
}

static carom_dual lifted_gap(const body_replay *self, int point)
{
    carom_dual moved[3];
    body_replay_point_velocity(self, point, REPLAY_LIFT, moved);
    return self->point[point].gap + moved[0];
}

static void push(body_replay *self, int i, carom_dual r)
{
    const carom_pair_rows *row = &self->step->row[i];
    replay_point *point = &self->point[i];
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        replay_body *body = &self->body[row->body[side]];
        const carom_dual change = side == 0 ? r : -r;
        carom_dual answer[3];
        carom_dual_turn(body->spread, point->turn[side], answer);
        for (int k = 0; k < 3; k++) {
            body->lift[k] += change * body->inverse_mass * point->direction[k];
            body->lift[3 + k] += change * answer[k];
        }
    }
}

static carom_dual inverse_of(const body_replay *self, int i)
{
    const carom_pair_rows *row = &self->step->row[i];
    carom_dual W = 0.0, answer[3];
    for (int side = 0; side < 2; side++) {
        if (row->body[side] < 0)
            continue;
        const replay_body *body = &self->body[row->body[side]];
        carom_dual_turn(body->spread, self->point[i].turn[side], answer);
        W += body->inverse_mass + carom_dual_dot(self->point[i].turn[side], answer);
    }
    return creal(W) > 0.0 ? 1.0 / W : 0.0;
}

static bool was_moved(const carom_pair_rows *row, const int *moved_in, int since)
{
    return (row->body[0] >= 0 && moved_in[row->body[0]] >= since) ||
           (row->body[1] >= 0 && moved_in[row->body[1]] >= since);
}

static void mark(const carom_pair_rows *row, int *moved_in, int sweep)
{
    for (int side = 0; side < 2; side++)
        if (row->body[side] >= 0)
            moved_in[row->body[side]] = sweep;
}

static void sweep_island(body_replay *self, const int *list, int count, double small)
{
    const body_step *step = self->step;
    int *moved_in = step->moved_in;
    for (int k = 0; k < count; k++)
        mark(&step->row[list[k]], moved_in, -2);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool changed = false;
        for (int k = 0; k < count; k++) {
            const int i = list[sweep % 2 == 0 ? k : count - 1 - k];
            replay_point *point = &self->point[i];
            if (!(sweep == 0 && creal(point->gap) < -small) && !was_moved(&step->row[i], moved_in, sweep - 1))
                continue;
            const carom_dual gap = lifted_gap(self, i);
            if (creal(gap) >= -small && (creal(point->lift) == 0.0 || creal(gap) <= small))
                continue;
            carom_dual change = -gap * inverse_of(self, i);
            if (creal(change) < -creal(point->lift))
                change = -point->lift;
            if (creal(change) == 0.0)
                continue;
            point->lift += change;
            push(self, i, change);
            mark(&step->row[i], moved_in, sweep);
            changed = true;
        }
        if (!changed)
            return;
    }
}

static void put_apart(body_replay *self, int island)
{
    const body_step *step = self->step;
    const int *list = step->island_point + step->island_start[island],
              count = step->island_start[island + 1] - step->island_start[island];
    double deepest = 0.0;
    for (int k = 0; k < count; k++)
        deepest = fmax(deepest, -creal(self->point[list[k]].gap));
    if (deepest > step->gap_tolerance)
        sweep_island(self, list, count, fmax(0.5 * step->gap_tolerance, left_over * deepest));
}

/* ---- with joints --------------------------------------------------------------------------------------------- */

/* gap + H x = 0 of the points that were lifted, G x = 0 of the joints. The unknowns: impulses of both. */
static bool put_jointed_apart(body_replay *self, int island)
{
    const body_step *step = self->step;
    const int first = step->island_start[island], all = step->island_start[island + 1] - first;
    int points = 0;
    for (int k = 0; k < all; k++)
        points += step->shift[3 * step->island_point[first + k]] > 0.0;
    if (points == 0)
        return true;
    const int n = points + self->joints;
    for (int column = 0, next = 0; column < n; column++) {
        for (int i = 0; i < step->bodies->count; i++)
            memset(self->body[i].lift, 0, sizeof self->body[i].lift);
        if (column < points) {
            while (!(step->shift[3 * step->island_point[first + next]] > 0.0))
                next++;
            const int i = step->island_point[first + next++];
            self->right[column] = -self->point[i].gap;
            push(self, i, 1.0);
        } else {
            self->right[column] = 0.0;
            body_replay_push_joint(self, column - points, 1.0);
        }
        for (int k = 0, row = 0; k < all; k++) {
            carom_dual u[3];
            const int i = step->island_point[first + k];
            if (!(step->shift[3 * i] > 0.0))
                continue;
            body_replay_point_velocity(self, i, REPLAY_LIFT, u);
            self->matrix[(ptrdiff_t)column * n + row++] = u[0];
        }
        for (int k = 0; k < self->joints; k++)
            self->matrix[(ptrdiff_t)column * n + points + k] =
                body_replay_joint_velocity(self, k, REPLAY_LIFT);
    }
    return body_replay_solve(self, n);
}

/* Adds what was solved for to the displacement, which began with that of other islands. */
static bool lift_jointed(body_replay *self, int island)
{
    const body_step *step = self->step;
    const int first = step->island_start[island], all = step->island_start[island + 1] - first;
    int points = 0;
    for (int i = 0; i < step->bodies->count; i++)
        memcpy(self->body[i].way, self->body[i].lift,
               sizeof self->body[i].way); /* way is not used any more */
    if (!put_jointed_apart(self, island))
        return false;
    for (int i = 0; i < step->bodies->count; i++)
        memcpy(self->body[i].lift, self->body[i].way, sizeof self->body[i].lift);
    for (int k = 0; k < all; k++) {
        const int i = step->island_point[first + k];
        if (!(step->shift[3 * i] > 0.0))
            continue;
        self->point[i].lift = self->right[points];
        push(self, i, self->right[points++]);
    }
    for (int k = 0; points > 0 && k < self->joints; k++)
        body_replay_push_joint(self, k, self->right[points + k]);
    return true;
}

/* ---- the projection ------------------------------------------------------------------------------------------- */

/* w turned by the rotation vector a. */
static void turn_by(const carom_dual a[3], carom_dual w[3])
{
    const carom_dual square = carom_dual_dot(a, a);
    carom_dual s = 1.0 - square / 6.0, c = 0.5 - square / 24.0, across[3];
    if (creal(square) >= 1e-8) { /* sin / angle and (1 - cos) / angle^2 */
        const carom_dual angle = csqrt(square), half = csin(0.5 * angle);
        s = csin(angle) / angle;
        c = 2.0 * half * half / square;
    }
    const carom_dual along = carom_dual_dot(a, w);
    carom_dual_cross(a, w, across);
    for (int k = 0; k < 3; k++)
        w[k] += s * across[k] - c * (square * w[k] - along * a[k]);
}

static void turn_spins(body_replay *self)
{
    const carom_bodies *bodies = self->step->bodies;
    for (int i = 0; i < bodies->count && !self->step->plane; i++)
        if (body_spin_is_gyroscopic(self->step, i))
            turn_by(self->body[i].lift + 3, self->body[i].final + 3);
}

bool body_replay_project(body_replay *self, char *why)
{
    body_step *step = self->step;
    const double deepest = find_end_gaps(self);
    look_at_end_gaps(self);
    const bool needed = step->options.projection && deepest > step->gap_tolerance;
    for (int i = 0; i < step->bodies->count; i++)
        memset(self->body[i].lift, 0, sizeof self->body[i].lift);
    if (needed) {
        body_step_find_islands(step, step->count);
        for (int island = 0; island < step->islands; island++) {
            const bool jointed = self->joints > 0 && body_step_is_jointed(step, island);
            if (jointed && !lift_jointed(self, island)) {
                snprintf(why, WHY, "the projection of bodies with joints has no derivatives there");
                return false;
            }
            if (!jointed)
                put_apart(self, island);
        }
    }
    body_replay_balance(self, needed);
    if (needed) {
        turn_spins(self);
        body_replay_displace(self);
    }
    return true;
}
