/* Islands across borders that are too large for one process: each solves its own touches. Of a body at a border every process that
 * has touches of it holds an equal part (carom_pairs_others). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

enum {
    GATHERED = 1000, /* touches of an island across borders that one process solves */
    SWEEPS = 30,     /* of the projection */
    LAST_REST = 16   /* steps at most, until wide islands are tried again */
};
static const double left_over = 0.01; /* as in projection.c */

/* ---- memory ------------------------------------------------------------------------------------------------ */

bool space_cut_take_wide(body_step *self)
{
    space_cut *cut = &self->cut;
    carom_arena *arena = self->arena;
    const size_t n = (size_t)self->bodies->count;
    cut->all = carom_arena_take(arena, n, sizeof(double));
    cut->parts = carom_arena_take(arena, n, sizeof(int));
    cut->is_wide = carom_arena_take(arena, n, sizeof(bool));
    cut->holders = carom_arena_take(arena, n, sizeof(int));
    cut->first_holder = carom_arena_take(arena, n, sizeof(int));
    cut->wide_number = carom_arena_take(arena, n, sizeof(int));
    cut->wide_body = carom_arena_take(arena, n, sizeof(int));
    cut->wide_holders = carom_arena_take(arena, n, sizeof(int));
    cut->group = carom_arena_take(arena, n, sizeof *cut->group);
    cut->shared_start = carom_arena_take(arena, (size_t)self->stepper->sharing->ranks + 1, sizeof(size_t));
    return cut->all && cut->parts && cut->is_wide && cut->holders && cut->first_holder && cut->wide_number &&
           cut->wide_body && cut->wide_holders && cut->group && cut->shared_start;
}

static bool grow(void *array, size_t count, size_t size)
{
    void **place = array, *larger = realloc(*place, carom_product(count, size));
    if (larger)
        *place = larger;
    return larger != NULL;
}

/* Room for touches and bodies of wide islands here. */
static bool take_room(space_cut *cut, size_t touches, size_t bodies)
{
    const size_t needed = touches > bodies ? touches : bodies;
    if (needed < cut->wide_room)
        return true;
    const size_t room = needed + needed / 2 + 1;
    if (!grow(&cut->wide_row, room, sizeof *cut->wide_row) || !grow(&cut->wide_q, room, 3 * sizeof(double)) ||
        !grow(&cut->wide_r, room, 3 * sizeof(double)) || !grow(&cut->wide_point, room, sizeof(int)) ||
        !grow(&cut->wide_lift, room, sizeof(lift_row)) || !grow(&cut->wide_mass, room, sizeof(double)) ||
        !grow(&cut->wide_velocity, room, 6 * sizeof(double)) || !grow(&cut->mean, room, 6 * sizeof(double)))
        return false;
    cut->wide_room = room;
    return true;
}

static bool take_shared(space_cut *cut, size_t bodies)
{
    if (bodies < cut->shared_room)
        return true;
    const size_t room = bodies + bodies / 2 + 1;
    if (!grow(&cut->shared_body, room, sizeof(int)) || !grow(&cut->sent, room, 6 * sizeof(double)) ||
        !grow(&cut->came, room, 6 * sizeof(double)))
        return false;
    cut->shared_room = room;
    return true;
}

/* ---- which islands, and who has what of them ---------------------------------------------------------------- */

bool space_cut_leaves(const body_step *self, int root)
{
    const space_cut *cut = &self->cut;
    const int given = self->stepper->sharing->most_gathered;
    return cut->parts[root] > 1 && cut->all[root] > (given > 0 ? given : GATHERED) && !cut->gathers &&
           !self->moments.used && self->options.impact == BODY_IMPACT_NEWTON;
}

static int compare_numbers(const void *left, const void *right)
{
    const int a = *(const int *)left, b = *(const int *)right;
    return a < b ? -1 : a > b;
}

/* Wide bodies of this process, which it mentioned or which stand inside; they are numbered. */
static void number_bodies(body_step *self)
{
    space_cut *cut = &self->cut;
    cut->wide_bodies = 0;
    memset(cut->is_wide, 0, (size_t)self->bodies->count * sizeof *cut->is_wide);
    for (int i = 0; i < self->bodies->count; i++) {
        cut->wide_number[i] = -1;
        cut->holders[i] = 0;
    }
    for (size_t i = 0; i < cut->touches; i++) {
        const int body[2] = {self->shape_body[cut->touch[i].a], self->shape_body[cut->touch[i].b]};
        for (int side = 0; side < 2; side++) {
            if (cut->owner[body[side]] < 0 || cut->wide_number[body[side]] >= 0)
                continue;
            const int root = carom_sets_root(cut->set, carom_sets_root(self->set, body[side]));
            if (cut->lead[root] < 0 || !space_cut_leaves(self, root))
                continue;
            cut->is_wide[body[side]] = true;
            cut->wide_body[cut->wide_bodies] = body[side];
            cut->wide_number[body[side]] = cut->wide_bodies++;
        }
    }
}

carom_status space_cut_find_wide(body_step *self, const double *received, carom_error *error)
{
    space_cut *cut = &self->cut;
    const carom_sharing *sharing = self->stepper->sharing;
    size_t shared = 0, mentions = (cut->start[sharing->ranks] - 2 * (size_t)sharing->ranks) / 3;
    cut->has_wide = false;
    for (size_t k = 0; k < (size_t)sharing->ranks; k++)
        for (const double *at = received + cut->start[k] + 2; at < received + cut->start[k + 1]; at += 3)
            cut->has_wide = cut->has_wide || space_cut_leaves(self, carom_sets_root(cut->set, (int)at[1]));
    number_bodies(self);
    if (!cut->has_wide)
        return CAROM_OK;
    const bool has_room = take_shared(cut, mentions);
    for (int k = 0; k < sharing->ranks; k++) {
        cut->shared_start[k] = shared;
        for (const double *at = received + cut->start[k] + 2; at < received + cut->start[k + 1]; at += 3) {
            const int body = (int)at[0];
            if (!cut->is_wide[body])
                continue;
            if (cut->holders[body]++ == 0)
                cut->first_holder[body] = k;
            if (k != sharing->rank && has_room)
                cut->shared_body[shared++] = body;
        }
        if (shared > cut->shared_start[k])
            qsort(cut->shared_body + cut->shared_start[k], shared - cut->shared_start[k], sizeof(int),
                  compare_numbers);
    }
    cut->shared_start[sharing->ranks] = shared;
    for (int i = 0; i < cut->wide_bodies; i++) {
        const int body = cut->wide_body[i];
        if (cut->holders[body] == 0) /* inside the part */
            cut->first_holder[body] = sharing->rank;
        cut->holders[body] += cut->holders[body] == 0;
        cut->wide_holders[i] = cut->holders[body];
    }
    return has_room && take_room(cut, cut->touches, (size_t)cut->wide_bodies) ? CAROM_OK
                                                                              : carom_fail_memory(error);
}

static bool is_wide_point(const body_step *self, int point)
{
    const int *body = self->row[point].body;
    return self->cut.has_wide && self->cut.is_wide[body[0] >= 0 ? body[0] : body[1]];
}

bool space_cut_is_wide(const body_step *self, int island)
{
    return self->cut.has_wide && self->island_start[island] < self->island_start[island + 1] &&
           is_wide_point(self, self->island_point[self->island_start[island]]);
}

bool space_cut_counts(const body_step *self, int body)
{
    const space_cut *cut = &self->cut;
    return !cut->has_wide || !cut->is_wide[body] || cut->first_holder[body] == self->stepper->sharing->rank;
}

/* ---- what processes do together ------------------------------------------------------------------------------- */

/* Sums in the order of processes, over the number of holders: the same bits with all of them. */
static void find_mean(void *context, int width, double *velocity)
{
    body_step *self = context;
    space_cut *cut = &self->cut;
    const carom_sharing *sharing = self->stepper->sharing;
    const size_t shared = cut->shared_start[sharing->ranks], w = (size_t)width;
    for (size_t i = 0; i < shared; i++) {
        const size_t number = (size_t)cut->wide_number[cut->shared_body[i]];
        memcpy(cut->sent + w * i, velocity + w * number, w * sizeof *velocity);
        memset(cut->mean + w * number, 0, w * sizeof *velocity);
    }
    for (int k = 0; k < sharing->ranks; k++) {
        cut->first[k] = w * cut->shared_start[k];
        cut->length[k] = w * (cut->shared_start[k + 1] - cut->shared_start[k]);
    }
    sharing->swap(sharing->context, cut->sent, cut->came, cut->first, cut->length);
    for (int k = 0; k < sharing->ranks; k++) {
        for (int i = 0; k == sharing->rank && i < cut->wide_bodies; i++)
            if (cut->wide_holders[i] > 1)
                carom_axpy(width, 1.0, velocity + (ptrdiff_t)width * i, cut->mean + (ptrdiff_t)width * i);
        for (size_t i = cut->shared_start[k]; i < cut->shared_start[k + 1]; i++)
            carom_axpy(width, 1.0, cut->came + w * i,
                       cut->mean + w * (size_t)cut->wide_number[cut->shared_body[i]]);
    }
    for (int i = 0; i < cut->wide_bodies; i++)
        for (int k = 0; cut->wide_holders[i] > 1 && k < width; k++)
            velocity[width * i + k] = cut->mean[width * i + k] / cut->wide_holders[i];
}

static void find_sum(void *context, int count, double *number)
{
    const carom_sharing *sharing = ((const body_step *)context)->stepper->sharing;
    sharing->sum(sharing->context, count, number, false);
}

bool space_cut_any(body_step *self, bool here)
{
    const carom_sharing *sharing = self->stepper->sharing;
    double number = here ? 1.0 : 0.0;
    sharing->sum(sharing->context, 1, &number, true);
    return number > 0.0;
}

carom_status space_cut_all_well(body_step *self, carom_status mine, bool *changed, carom_error *error)
{
    const carom_sharing *sharing = self->stepper->sharing;
    double number[2] = {mine == CAROM_OK ? 0.0 : 1.0, *changed ? 1.0 : 0.0};
    sharing->sum(sharing->context, 2, number, true);
    *changed = number[1] > 0.0;
    return mine != CAROM_OK || number[0] == 0.0 ? mine : carom_fail(error, CAROM_FAILED, "%s", "");
}

/* ---- velocities ------------------------------------------------------------------------------------------------ */

/* The rows of a point, of parts of bodies. */
static void write_row(const body_step *self, int point, carom_pair_rows *row)
{
    *row = self->row[point];
    for (int side = 0; side < 2; side++) {
        const int body = row->body[side];
        if (body < 0)
            continue;
        row->body[side] = self->cut.wide_number[body];
        for (int k = 0; k < 9; k++)
            row->answer[side][k] *= self->cut.holders[body];
    }
}

carom_status space_cut_solve_wide(body_step *self, const double *q, double *r, double *x,
                                  carom_solve_report *report, carom_error *error)
{
    space_cut *cut = &self->cut;
    int contacts = 0;
    for (int i = 0; i < cut->wide_bodies; i++)
        cut->wide_mass[i] = self->inverse_mass[cut->wide_body[i]] * cut->wide_holders[i];
    for (int i = 0; i < self->active; i++) {
        if (!is_wide_point(self, i))
            continue;
        write_row(self, i, &cut->wide_row[contacts]);
        memcpy(cut->wide_q + 3 * (ptrdiff_t)contacts, q + 3 * (ptrdiff_t)i, 3 * sizeof *q);
        memcpy(cut->wide_r + 3 * (ptrdiff_t)contacts, r + 3 * (ptrdiff_t)i, 3 * sizeof *r);
        cut->wide_point[contacts++] = i;
    }
    const carom_pairs problem = {.contacts = contacts,
                                 .length = self->stepper->scales.length,
                                 .bodies = cut->wide_bodies,
                                 .row = cut->wide_row,
                                 .inverse_mass = cut->wide_mass,
                                 .q = cut->wide_q,
                                 .plane = self->plane};
    const carom_pairs_others others = {
        .context = self, .holders = cut->wide_holders, .mean = find_mean, .sum = find_sum};
    *report = carom_pairs_solve_shared(self->solver[0], &problem, &others, cut->wide_r, cut->wide_velocity);
    if (report->status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    for (int k = 0; k < contacts; k++)
        memcpy(r + 3 * (ptrdiff_t)cut->wide_point[k], cut->wide_r + 3 * (ptrdiff_t)k, 3 * sizeof *r);
    for (int i = 0; i < cut->wide_bodies; i++)
        carom_axpy(6, 1.0, cut->wide_velocity + 6 * (ptrdiff_t)i, x + 6 * (ptrdiff_t)cut->wide_body[i]);
    return CAROM_OK;
}

/* ---- positions -------------------------------------------------------------------------------------------------- */

/* x of parts of wide bodies, by number. */
static void push_part(const body_step *self, const lift_row *lift, double r, double *x)
{
    const space_cut *cut = &self->cut;
    for (int side = 0; side < 2; side++) {
        const int body = lift->body[side];
        if (body < 0)
            continue;
        const double by = (side == 0 ? r : -r) * cut->holders[body];
        double *of = x + 6 * (ptrdiff_t)cut->wide_number[body];
        for (int k = 0; k < 3; k++) {
            of[k] += by * self->inverse_mass[body] * lift->normal[k];
            of[3 + k] += by * lift->answer[side][k];
        }
    }
}

static double gap_of(const body_step *self, const lift_row *lift, const double *x)
{
    double gap = lift->gap;
    for (int side = 0; side < 2; side++) {
        if (lift->body[side] < 0)
            continue;
        const double *of = x + 6 * (ptrdiff_t)self->cut.wide_number[lift->body[side]];
        gap += (side == 0 ? 1.0 : -1.0) *
               (carom_dot(3, lift->normal, of) + carom_dot(3, lift->turn[side], of + 3));
    }
    return gap;
}

/* 1 / W_NN of parts. */
static double inverse_of(const body_step *self, const lift_row *lift)
{
    double W = 0.0;
    for (int side = 0; side < 2; side++)
        if (lift->body[side] >= 0)
            W += self->cut.holders[lift->body[side]] *
                 (self->inverse_mass[lift->body[side]] + carom_dot(3, lift->turn[side], lift->answer[side]));
    return W > 0.0 ? 1.0 / W : 0.0;
}

static bool sweep_lifts(body_step *self, int count, bool backwards, double small, double *x)
{
    bool changed = false;
    for (int k = 0; k < count; k++) {
        lift_row *lift = &self->cut.wide_lift[backwards ? count - 1 - k : k];
        const double gap = gap_of(self, lift, x);
        if (gap >= -small && (lift->r == 0.0 || gap <= small))
            continue;
        const double change = fmax(-lift->r, -gap * lift->inverse);
        if (change == 0.0)
            continue;
        lift->r += change;
        push_part(self, lift, change, x);
        changed = true;
    }
    return changed;
}

void space_cut_lift_wide(body_step *self, const double *gap, double *r, double *x)
{
    space_cut *cut = &self->cut;
    const carom_sharing *sharing = self->stepper->sharing;
    const size_t numbers = 6 * (size_t)cut->wide_bodies;
    double deepest = 0.0, *moved = cut->wide_velocity;
    int count = 0;
    for (int i = 0; i < self->count; i++)
        if (is_wide_point(self, i)) {
            body_step_make_lift(self, i, gap[3 * i], &cut->wide_lift[count]);
            cut->wide_lift[count].inverse = inverse_of(self, &cut->wide_lift[count]);
            count++;
            deepest = fmax(deepest, -gap[3 * i]);
        }
    sharing->sum(sharing->context, 1, &deepest, true);
    if (!(deepest > self->gap_tolerance))
        return;
    const double small = fmax(0.5 * self->gap_tolerance, left_over * deepest);
    memset(moved, 0, numbers * sizeof *moved);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        const bool changed = sweep_lifts(self, count, sweep % 2 == 1, small, moved);
        memset(moved, 0, numbers * sizeof *moved);
        for (int k = 0; k < count; k++)
            push_part(self, &cut->wide_lift[k], cut->wide_lift[k].r, moved);
        find_mean(self, 6, moved);
        if (!space_cut_any(self, changed))
            break;
    }
    for (int k = 0; k < count; k++)
        r[3 * cut->wide_lift[k].point] = cut->wide_lift[k].r;
    for (int i = 0; i < cut->wide_bodies; i++)
        memcpy(x + 6 * (ptrdiff_t)cut->wide_body[i], moved + 6 * (ptrdiff_t)i, 6 * sizeof *x);
}

/* ---- attempts ---------------------------------------------------------------------------------------------------- */

void space_cut_give_up_wide(body_step *self)
{
    space_cut *cut = &self->cut;
    cut->gathers = true;
    cut->patience = cut->patience == 0 ? 1 : cut->patience < LAST_REST ? 2 * cut->patience : LAST_REST;
    cut->until_next = cut->patience;
}

void space_cut_begin_step(body_step *self)
{
    space_cut *cut = &self->cut;
    if (!cut->gathers)
        cut->patience = 0;
    else if (cut->until_next-- <= 0)
        cut->gathers = false;
}
