/* From touches to rows: frames, laws, warm start. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"
#include "scheme/parts/step_report.h"

/* Gaps that are not closed on purpose, relative to the smallest body: to close them in a step would make what rests
 * rattle by rounding. */
static const double near_enough = 1e-6;

/* Two tangents beside the normal; in the plane the second one points out of it. */
static void make_frame(bool plane, const double n[3], double frame[9])
{
    double *s = frame + 3, *t = frame + 6;
    memcpy(frame, n, 3 * sizeof *n);
    if (plane) {
        const double tangents[6] = {-n[1], n[0], 0.0, 0.0, 0.0, 1.0};
        memcpy(s, tangents, sizeof tangents);
        return;
    }
    /* without a branch but one sign (Duff and others 2017): continuous wherever n_z does not change its sign */
    const double sign = n[2] >= 0.0 ? 1.0 : -1.0, a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
    s[0] = 1.0 + sign * n[0] * n[0] * a;
    s[1] = sign * b;
    s[2] = -sign * n[0];
    t[0] = b;
    t[1] = sign + n[1] * n[1] * a;
    t[2] = -n[1];
}

static void fill_side(const body_step *self, int body, const double point[3], const double frame[9],
                      double turn[9], double answer[9])
{
    const double *x = self->pose[body].x, *inverse = self->inverse_inertia + 9 * (ptrdiff_t)body;
    const double arm[3] = {point[0] - x[0], point[1] - x[1], point[2] - x[2]};
    for (int k = 0; k < 3; k++) {
        body_cross(arm, frame + 3 * (ptrdiff_t)k, turn + 3 * (ptrdiff_t)k);
        for (int c = 0; c < 3; c++)
            answer[3 * k + c] = carom_dot(3, inverse + 3 * (ptrdiff_t)c, turn + 3 * (ptrdiff_t)k);
    }
}

void body_point_velocity(const body_step *self, int place, const double *velocity, double u[3])
{
    const body_point *point = &self->point[place];
    const carom_pair_rows *row = &self->row[place];
    const double *a = velocity + 6 * (ptrdiff_t)point->a, *b = velocity + 6 * (ptrdiff_t)point->b;
    for (int k = 0; k < 3; k++) {
        const double *d = row->direction + 3 * (ptrdiff_t)k;
        u[k] = d[0] * (a[0] - b[0]) + d[1] * (a[1] - b[1]) + d[2] * (a[2] - b[2]) +
               carom_dot(3, row->turn[0] + 3 * (ptrdiff_t)k, a + 3) -
               carom_dot(3, row->turn[1] + 3 * (ptrdiff_t)k, b + 3);
    }
    if (self->plane)
        u[2] = 0.0;
}

static void fill_point(body_step *self, const carom_touch *touch, int place)
{
    const carom_bodies *bodies = self->bodies;
    const int first = self->shape_body[touch->a], second = self->shape_body[touch->b];
    const carom_body *a = &bodies->body[first], *b = &bodies->body[second];
    const carom_pair_law *law = &bodies->law[a->material * bodies->materials + b->material];
    body_point *point = &self->point[place];
    carom_pair_rows *row = &self->row[place];
    *point = (body_point){.a = first, .b = second, .feature = touch->feature, .gap = touch->gap};
    /* one point for both bodies, so that impulses are opposite and in one line */
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = 0.5 * (touch->point_a[k] + touch->point_b[k]);
    row->mu = law->friction;
    make_frame(self->plane, touch->normal, row->direction);
    fill_side(self, first, at, row->direction, row->turn[0], row->answer[0]);
    fill_side(self, second, at, row->direction, row->turn[1], row->answer[1]);
    row->body[0] = a->kind == CAROM_BODY_FREE ? first : -1;
    row->body[1] = b->kind == CAROM_BODY_FREE ? second : -1;
    if (self->moments.used)
        body_moments_fill(self, place, law);
    body_point_velocity(self, place, self->old, point->before);
    if (touch->gap <= self->gap_tolerance)
        point->shift = law->restitution * fmin(point->before[0], 0.0); /* u_N+ >= -e u_N- */
    else if (touch->gap > near_enough * self->stepper->accounts.length)
        point->shift =
            touch->gap / (self->options.theta * self->stepper->h); /* the gap may close, not more */
}

/* The spec's contacts are closed at the predicted position. Beside them stand those that rest: so near and so slow that
 * their own weight closes them within a step or two. Without these a body with restitution would hop for ever, by what it
 * falls in a step. */
static bool is_active(const body_step *self, int place)
{
    const body_point *point = &self->point[place];
    if (point->gap <= self->gap_tolerance)
        return true;
    const double h = self->stepper->h;
    const double speed = h * fmax(self->acceleration[point->a], self->acceleration[point->b]);
    return point->gap <= h * speed && fabs(point->before[0]) <= 2.0 * speed;
}

static void exchange_points(body_step *self, int i, int j)
{
    const body_point point = self->point[i];
    const carom_pair_rows row = self->row[i];
    self->point[i] = self->point[j];
    self->row[i] = self->row[j];
    self->point[j] = point;
    self->row[j] = row;
    if (!self->moments.used)
        return;
    const carom_pair_spin spin = self->moments.spin[i];
    self->moments.spin[i] = self->moments.spin[j];
    self->moments.spin[j] = spin;
}

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

bool body_step_take_room(body_step *self, size_t points)
{
    if (points <= self->room)
        return true;
    const size_t room = points + points / 2, numbers = (self->moments.used ? 9 : 3) * sizeof(double);
    const bool grown = body_moments_take_room(&self->moments, room) &&
                       grow((void **)&self->point, room, sizeof *self->point) &&
                       grow((void **)&self->row, room, sizeof *self->row) &&
                       grow((void **)&self->impulse, room, 3 * sizeof(double)) &&
                       grow((void **)&self->problem_q, room, 3 * sizeof(double)) &&
                       grow((void **)&self->shift, room, 3 * sizeof(double)) &&
                       grow((void **)&self->kept, room, sizeof *self->kept) &&
                       grow((void **)&self->next_kept, room, sizeof *self->next_kept) &&
                       grow((void **)&self->island_start, room + 1, sizeof(int)) &&
                       grow((void **)&self->island_point, room, sizeof(int)) &&
                       grow((void **)&self->island_row, room, sizeof *self->island_row) &&
                       grow((void **)&self->island_q, room, numbers) &&
                       grow((void **)&self->island_r, room, numbers) &&
                       grow((void **)&self->island_report, room, sizeof *self->island_report) &&
                       grow((void **)&self->island_jointed, room, sizeof *self->island_jointed) &&
                       grow((void **)&self->island_bodies, room + 1, sizeof(int)) &&
                       grow((void **)&self->island_e, room, sizeof(double)) &&
                       grow((void **)&self->lift, room, sizeof *self->lift);
    if (!grown || !jointed_pairs_take_room(&self->jointed_pairs, room))
        return false;
    self->room = room;
    return true;
}

static int compare_points(int a, int b, uint64_t feature, const kept_point *kept)
{
    if (a != kept->a)
        return a < kept->a ? -1 : 1;
    if (b != kept->b)
        return b < kept->b ? -1 : 1;
    return feature < kept->feature ? -1 : feature > kept->feature;
}

/* Both lists are sorted by bodies and feature. */
static void start_warm(body_step *self)
{
    int k = 0;
    for (int i = 0; i < self->active; i++) {
        const body_point *point = &self->point[i];
        double *r = self->impulse + 3 * (ptrdiff_t)i;
        int order = 1;
        while (k < self->kept_count &&
               (order = compare_points(point->a, point->b, point->feature, &self->kept[k])) > 0)
            k++;
        r[0] = r[1] = r[2] = 0.0;
        body_moments_start(self, i, r);
        if (k == self->kept_count || order != 0)
            continue;
        for (int c = 0; c < 3; c++)
            r[c] = carom_dot(3, self->row[i].direction + 3 * (ptrdiff_t)c, self->kept[k].impulse);
        self->point[i].last = r[0];
        self->point[i].pushes = self->kept[k].pushes;
        body_moments_start(self, i, self->kept[k].moment);
    }
}

static void fill_points(body_step *self, const carom_touch *touch, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fill_point(self, &touch[i], self->count);
        self->point[self->count].touch = (int)i;
        if (is_active(self, self->count++)) {
            if (self->active < self->count - 1)
                exchange_points(self, self->active, self->count - 1);
            self->active++; /* the active ones keep their order */
        }
    }
}

/* The others keep theirs, too: it must not depend on points of other processes. */
static void fill_in_order(body_step *self, const carom_touch *touch, size_t count)
{
    size_t open = 0;
    for (size_t i = 0; i < count; i++) {
        fill_point(self, &touch[i], self->active);
        self->point[self->active].touch = (int)i;
        if (is_active(self, self->active))
            self->active++;
        else
            self->island_point[open++] = (int)i; /* room that is free until islands are found */
    }
    self->count = self->active;
    for (size_t i = 0; i < open; i++) {
        fill_point(self, &touch[self->island_point[i]], self->count);
        self->point[self->count++].touch = self->island_point[i];
    }
}

carom_status body_step_find_points(body_step *self, carom_error *error)
{
    const carom_touch *touch = NULL;
    size_t count = 0;
    const carom_status status =
        self->cut.used ? space_cut_find(self, &touch, &count, error)
                       : carom_collider_find(self->collider, self->shape_pose, &touch, &count, error);
    if (status != CAROM_OK)
        return status;
    if (!body_step_take_room(self, count + (size_t)self->joints.guides + (size_t)self->rows.count + 1))
        return carom_fail_memory(error);
    self->touch = touch;
    self->active = self->count = 0;
    if (self->cut.used)
        fill_in_order(self, touch, count);
    else
        fill_points(self, touch, count);
    start_warm(self);
    return CAROM_OK;
}

void body_step_keep_impulses(body_step *self)
{
    kept_point *kept = self->next_kept;
    int count = 0;
    for (int i = 0; i < self->active; i++) {
        const double *r = self->impulse + 3 * (ptrdiff_t)i, *d = self->row[i].direction;
        if (r[0] == 0.0)
            continue;
        kept[count] = (kept_point){.a = self->point[i].a,
                                   .b = self->point[i].b,
                                   .feature = self->point[i].feature,
                                   .pushes = body_point_pushes(self, i)};
        for (int k = 0; k < 3; k++)
            kept[count].impulse[k] = r[0] * d[k] + r[1] * d[3 + k] + (self->plane ? 0.0 : r[2] * d[6 + k]);
        body_moments_keep(self, i, kept[count].moment);
        count++;
    }
    self->next_kept = self->kept;
    self->kept = kept;
    self->kept_count = count;
}

/* ---- checkpoints ------------------------------------------------------------------------------------------ */

enum {
    PACKED = 8,     /* bodies, two halves of the feature, impulse, pushes */
    WITH_MOMENT = 3 /* more */
};

static size_t packed_numbers(const body_step *self)
{
    return PACKED + (self->moments.used ? WITH_MOMENT : 0);
}

size_t body_step_packed(const body_step *self)
{
    return packed_numbers(self) * (size_t)self->kept_count;
}

void body_step_pack(const body_step *self, double *packed)
{
    for (int i = 0; i < self->kept_count; i++, packed += packed_numbers(self)) {
        const kept_point *point = &self->kept[i];
        packed[0] = point->a;
        packed[1] = point->b;
        packed[2] = (double)(point->feature >> 32);
        packed[3] = (double)(point->feature & UINT32_MAX);
        memcpy(packed + 4, point->impulse, sizeof point->impulse);
        packed[7] = point->pushes;
        if (self->moments.used)
            memcpy(packed + PACKED, point->moment, sizeof point->moment);
    }
}

/* A whole number from 0 to `last`: bytes of a file may be damaged, and not every number is one of an integer type. */
static bool is_whole(double number, double last)
{
    return number >= 0.0 && number <= last && number == floor(number);
}

static bool can_be_kept(const body_step *self, const double *packed)
{
    const double last_body = self->bodies->count - 1;
    bool finite = true;
    for (int k = 4; k < 7; k++)
        finite = finite && isfinite(packed[k]);
    for (size_t k = PACKED; k < packed_numbers(self); k++)
        finite = finite && isfinite(packed[k]);
    return finite && is_whole(packed[0], last_body) && is_whole(packed[1], last_body) &&
           is_whole(packed[2], UINT32_MAX) && is_whole(packed[3], UINT32_MAX) &&
           is_whole(packed[7], BODY_STEPS_TO_STAY);
}

bool body_step_unpack(body_step *self, size_t length, const double *packed)
{
    const size_t numbers = packed_numbers(self), count = length / numbers;
    if (length % numbers != 0 || !body_step_take_room(self, count + 1))
        return false;
    for (size_t i = 0; i < count; i++, packed += numbers) {
        if (!can_be_kept(self, packed))
            return false;
        self->kept[i] = (kept_point){.a = (int)packed[0],
                                     .b = (int)packed[1],
                                     .feature = (uint64_t)packed[2] << 32 | (uint64_t)packed[3],
                                     .pushes = (int)packed[7]};
        memcpy(self->kept[i].impulse, packed + 4, sizeof self->kept[i].impulse);
        if (self->moments.used)
            memcpy(self->kept[i].moment, packed + PACKED, sizeof self->kept[i].moment);
    }
    self->kept_count = (int)count;
    return true;
}
