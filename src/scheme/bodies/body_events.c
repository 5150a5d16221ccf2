/* Events of bodies: pairs that begin and cease to touch, to stick and to slip, at the end of the step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

static bool take_room(body_step *self, size_t pairs)
{
    if (pairs <= self->pair_room)
        return true;
    const size_t room = pairs + pairs / 2;
    touching_pair *pair = realloc(self->pair, room * sizeof *pair);
    if (pair)
        self->pair = pair;
    touching_pair *next = realloc(self->next_pair, room * sizeof *next);
    if (next)
        self->next_pair = next;
    pair_sum *sum = realloc(self->pair_sum, room * sizeof *sum);
    if (sum)
        self->pair_sum = sum;
    if (!pair || !next || !sum)
        return false;
    self->pair_room = room;
    return true;
}

static void tell(body_step *self, carom_event_kind kind, const pair_sum *sum, double energy_before,
                 double energy_after)
{
    const bool tangential = kind == CAROM_EVENT_STICK || kind == CAROM_EVENT_SLIP;
    const carom_event event = {.t = self->stepper->state.t,
                               .kind = kind,
                               .contact = -1,
                               .body = {sum->pair.a, sum->pair.b},
                               .rate_before = tangential ? sum->slip_before : sum->before,
                               .rate_after = tangential ? sum->slip_after : sum->after,
                               .impulse = sum->impulse,
                               .energy_before = energy_before,
                               .energy_after = energy_after};
    self->stepper->listener.take(self->stepper->listener.context, &event);
}

/* Adds up the points of one pair from place i on, which stand together; returns the place after them. */
static int sum_pair(const body_step *self, int i, pair_sum *sum)
{
    const int a = self->point[i].a, b = self->point[i].b;
    *sum = (pair_sum){.pair = {.a = a, .b = b, .sticks = true}};
    for (; i < self->active && self->point[i].a == a && self->point[i].b == b; i++) {
        const double *r = self->impulse + 3 * (ptrdiff_t)i, *before = self->point[i].before;
        double after[3];
        if (!(r[0] > 0.0))
            continue;
        body_point_velocity(self, i, self->end, after);
        const double slip = sqrt(after[1] * after[1] + after[2] * after[2]);
        sum->impulse += r[0];
        sum->before = fmin(sum->before, before[0]);
        sum->after = fmax(sum->after, after[0]);
        sum->slip_before = fmax(sum->slip_before, sqrt(before[1] * before[1] + before[2] * before[2]));
        sum->slip_after = fmax(sum->slip_after, slip);
        /* not more than what the tolerance of the contact problem does not know from rest */
        sum->pair.sticks =
            sum->pair.sticks && slip <= 100.0 * self->tolerance * (fabs(before[0]) + self->scale_speed);
    }
    return i;
}

static int compare(const touching_pair *left, const touching_pair *right)
{
    if (left->a != right->a)
        return left->a < right->a ? -1 : 1;
    return left->b < right->b ? -1 : left->b > right->b;
}

/* ---- pairs that push each other ------------------------------------------------------------------------------ */

/* Of this process: self->pair_sum, in the order of points. */
static bool list_sums(body_step *self, int *count)
{
    *count = 0;
    if (!take_room(self, (size_t)self->active + 1))
        return false;
    for (int i = 0; i < self->active;) {
        i = sum_pair(self, i, &self->pair_sum[*count]);
        *count += self->pair_sum[*count].impulse > 0.0;
    }
    return true;
}

enum {
    SUM_WIDTH = 10 /* bodies, two zeros, whether it sticks, then the sums */
};

static int to_first(body_step *self, size_t record)
{
    (void)self, (void)record;
    return 0;
}

static void write_sum(body_step *self, size_t i, double *number)
{
    const pair_sum *sum = &self->pair_sum[i];
    const double all[SUM_WIDTH] = {sum->pair.a,      sum->pair.b,    0.0,         0.0,
                                   sum->pair.sticks, sum->impulse,   sum->before, sum->after,
                                   sum->slip_before, sum->slip_after};
    memcpy(number, all, sizeof all);
}

/* Those of all processes, at the first one. */
static carom_status collect_sums(body_step *self, int *count, carom_error *error)
{
    const double *at = NULL;
    size_t all = 0;
    const carom_status status = space_cut_collect(
        self,
        &(cut_records){
            .count = (size_t)*count, .width = SUM_WIDTH, .addressee = to_first, .write = write_sum},
        &at, &all, error);
    if (status != CAROM_OK)
        return status;
    if (!take_room(self, all + 1))
        return carom_fail_memory(error);
    for (size_t i = 0; i < all; i++, at += SUM_WIDTH)
        self->pair_sum[i] = (pair_sum){.pair = {.a = (int)at[0], .b = (int)at[1], .sticks = at[4] != 0.0},
                                       .impulse = at[5],
                                       .before = at[6],
                                       .after = at[7],
                                       .slip_before = at[8],
                                       .slip_after = at[9]};
    *count = (int)all;
    return CAROM_OK;
}

carom_status body_step_tell_events(body_step *self, double energy_before, carom_error *error)
{
    const carom_state *state = &self->stepper->state;
    int old = 0, count = 0, pairs = 0;
    if (!list_sums(self, &pairs))
        return carom_fail_memory(error);
    const carom_status status = self->cut.used ? collect_sums(self, &pairs, error) : CAROM_OK;
    if (status != CAROM_OK || !self->stepper->listener.take)
        return status;
    const double energy =
        self->stepper->model->ops->energy(self->stepper->work, state->t, state->q, state->v);
    for (int i = 0; i < pairs; i++) {
        const pair_sum *sum = &self->pair_sum[i];
        for (; old < self->pairs && compare(&self->pair[old], &sum->pair) < 0; old++)
            tell(self, CAROM_EVENT_RELEASE, &(pair_sum){.pair = self->pair[old]}, energy_before, energy);
        const bool was = old < self->pairs && compare(&self->pair[old], &sum->pair) == 0;
        if (!was)
            tell(self, CAROM_EVENT_IMPACT, sum, energy_before, energy);
        if (sum->pair.sticks && !(was && self->pair[old].sticks))
            tell(self, CAROM_EVENT_STICK, sum, energy_before, energy);
        if (!sum->pair.sticks && was && self->pair[old].sticks)
            tell(self, CAROM_EVENT_SLIP, sum, energy_before, energy);
        old += was;
        self->next_pair[count++] = sum->pair;
    }
    for (; old < self->pairs; old++)
        tell(self, CAROM_EVENT_RELEASE, &(pair_sum){.pair = self->pair[old]}, energy_before, energy);
    touching_pair *spare = self->pair;
    self->pair = self->next_pair;
    self->next_pair = spare;
    self->pairs = count;
    row_contacts_tell_events(self, energy_before, energy);
    return CAROM_OK;
}

/* ---- snapshots ----------------------------------------------------------------------------------------------- */

enum {
    PAIR_WIDTH = 3 /* bodies, whether the pair sticks */
};

/* Bytes of a file may be damaged: bodies of the model, in the order of pairs. */
static bool restore_pairs(body_step *self, const double *number, size_t count)
{
    const double bodies = self->bodies->count;
    if (!take_room(self, count))
        return false;
    for (size_t i = 0; i < count; i++, number += PAIR_WIDTH) {
        if (!(number[0] >= 0.0 && number[0] < bodies && number[1] >= 0.0 && number[1] < bodies))
            return false;
        self->pair[i] = (touching_pair){.a = (int)number[0], .b = (int)number[1], .sticks = number[2] != 0.0};
        if (i > 0 && compare(&self->pair[i - 1], &self->pair[i]) >= 0)
            return false;
    }
    self->pairs = (int)count;
    return true;
}

void body_step_keep_pairs(body_step *self, carom_snapshot *snapshot)
{
    size_t length = 0, capacity = 0;
    double *packed = NULL;
    if (!snapshot->restores) {
        length = PAIR_WIDTH * (size_t)self->pairs;
        packed = carom_new_array(length, sizeof *packed);
        if (!packed) {
            snapshot->failed = true;
            return;
        }
        for (int i = 0; i < self->pairs; i++) {
            const double all[PAIR_WIDTH] = {self->pair[i].a, self->pair[i].b, self->pair[i].sticks};
            memcpy(packed + PAIR_WIDTH * (ptrdiff_t)i, all, sizeof all);
        }
    }
    carom_snapshot_numbers(snapshot, &packed, &length, &capacity);
    if (snapshot->restores && !snapshot->failed)
        snapshot->failed = length % PAIR_WIDTH != 0 || !restore_pairs(self, packed, length / PAIR_WIDTH);
    free(packed);
}
